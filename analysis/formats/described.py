"""From the columns of files that say something beside the judgments to a campaign's attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign.attributes import Attribute
from analysis.campaign.ragged import FloatArray, distinct, smallest
from analysis.campaign.tasks import UNNAMED_JUDGE
from analysis.formats.rankings import Codes, Column, Findings, combine, joint, number

OfSystem = Callable[[], Attribute | None]

Described = Column | FloatArray
"""A word or a number for every ranking task of a file (or scored output); "" and nan: unknown."""

FEW_WORDS = 50
"""A column with more words than this, most of which stand once, says nothing that can be cut by."""


DOCUMENT = (
    "document", "documentid", "document_id", "doc", "docid", "doc_id", "document_name", "doc_name",
)  # fmt: skip
"""What a column that names documents is called, in lower case."""
NO_DOCUMENT = ("", "-1", "none", "null", "nan")


def one_judge(findings: Findings, n: int) -> Column:
    """Return the judge of some rows of a file that names none, which findings get."""
    findings.note(
        "no-judges",
        "The file names no judges; all judgments are treated as one judge's, so agreement "
        "between judges is unknown.",
    )
    return Column.constant(UNNAMED_JUDGE, n)


def segments_alone(findings: Findings, rows: Codes) -> Column:
    """Return a segment for each number of a row, for a file that names none; findings get that."""
    findings.note(
        "no-questions",
        "The file does not name the item of a judgment; every judgment is treated as about an "
        "item of its own, so agreement is unknown.",
    )
    names = [str(k) for k in range(1, int(rows.max(initial=-1)) + 2)]
    return Column(rows, names, is_clean=True)


def documents(
    column: Column | None, rows: npt.NDArray[np.generic] | None = None
) -> dict[str, Column]:
    """Return the document of some rows as an attribute, where a file names documents."""
    if column is None:
        return {}
    names = ["" if name.strip().casefold() in NO_DOCUMENT else name for name in column.names]
    found = Column(column.codes, names)
    return {"document": found if rows is None else found.take(rows)}


def segments_within(segment: Column, document: Column | None) -> Column:
    """Return segments named with their documents, where their numbers begin anew in each."""
    if document is None:
        return segment
    pairs = pd.DataFrame({"s": segment.codes, "d": document.codes}).drop_duplicates()
    n_segments, n_documents = pairs["s"].nunique(), pairs["d"].nunique()
    if n_documents < 2 or len(pairs) <= 1.5 * n_segments:
        return segment
    return combine([document, segment], lambda d, s: f"{d}:{s}" if d else s)


def words_or_numbers(column: Column, few: int = 12) -> Described:
    """Return a column of text as numbers, where all that is known are numbers and many differ.

    >>> words_or_numbers(Column(np.array([0, 1]), ["2", "x"])).names
    ['2', 'x']
    """
    numbers = np.array([number(name) for name in column.names], dtype=np.float64)
    empty = np.array([not name.strip() for name in column.names], dtype=bool)
    if np.isnan(numbers[~empty]).any() or (~empty).sum() <= few:
        return column
    return numbers[column.codes]


def take(columns: Mapping[str, Described], rows: npt.NDArray[np.generic]) -> dict[str, Described]:
    """Return some rows of all columns."""
    return {
        name: column.take(rows) if isinstance(column, Column) else column[rows]
        for name, column in columns.items()
    }


def merge_columns(parts: Sequence[tuple[int, Mapping[str, Described]]]) -> dict[str, Described]:
    """Lay the columns of several files behind each other; ``parts`` are lengths and columns.

    A file without a column says nothing there. Where one file has words and another has numbers,
    all become words.
    """
    merged: dict[str, Described] = {}
    for name in dict.fromkeys(name for _, columns in parts for name in columns):
        own = [(n, columns.get(name)) for n, columns in parts]
        if all(column is None or isinstance(column, np.ndarray) for _, column in own):
            merged[name] = np.concatenate(
                [np.full(n, np.nan) if column is None else column for n, column in own]
            ).astype(np.float64)
            continue
        merged[name] = _one_column(
            [Column.constant("", n) if column is None else as_words(column) for n, column in own]
        )
    return merged


def _one_column(columns: Sequence[Column]) -> Column:
    known: dict[str, int] = {}
    codes = [column.map(lambda word: known.setdefault(word, len(known))) for column in columns]
    return Column(np.concatenate(codes), list(known))


def as_words(column: Described) -> Column:
    """Return numbers as words, each number once."""
    if isinstance(column, Column):
        return column
    codes, values = pd.factorize(column)
    return Column(np.where(codes < 0, len(values), codes), [*(f"{v:g}" for v in values), ""])


def attributes_of_tasks(
    columns: Mapping[str, Described], segment: Codes, judge: Codes
) -> tuple[Attribute, ...]:
    """Return each task's column as an attribute of the segment, the judge or the task."""
    return attributes_of({name: (column, None) for name, column in columns.items()}, segment, judge)


@dataclass(frozen=True)
class Shown:
    """The outputs that tasks showed: each one's task and its system."""

    task: Codes
    system: Codes


def attributes_of_shown(
    columns: Mapping[str, Described], shown: Shown, segment: Codes, judge: Codes
) -> tuple[Attribute, ...]:
    """Return the columns of shown outputs as attributes of the widest thing that fixes them.

    A column is about segments, judges, systems or tasks if it has one value for each of these,
    otherwise about single outputs. ``segment`` and ``judge`` are those of the tasks.
    """
    if not columns:
        return ()
    first = np.zeros(len(segment), dtype=np.int64)
    first[shown.task[::-1]] = np.arange(len(shown.task))[::-1]
    whole: dict[str, tuple[Described, OfSystem | None]] = {}
    found: dict[str, Attribute] = {}
    for name, column in columns.items():
        attribute = _attribute(name, column, "output")
        if attribute is None:
            continue
        of_task: npt.NDArray[np.int64] | None = first
        values = attribute.column
        if not np.array_equal(values[first][shown.task], values, equal_nan=attribute.is_number):
            of_task = _constant_within(attribute, shown.task)
        of_system = partial(_of_system, attribute, shown.system)
        if of_task is not None:
            whole[name] = take({name: column}, of_task)[name], of_system
        else:
            found[name] = of_system() or attribute
    found |= {one.name: one for one in attributes_of(whole, segment, judge)}
    return tuple(found[name] for name in columns if name in found)


def _of_system(attribute: Attribute, system: Codes) -> Attribute | None:
    """Return an attribute of outputs as one of systems, None if it differs within one."""
    first = _constant_within(attribute, system)
    return None if first is None else attribute.take(first, "system")


def attributes_of(
    columns: Mapping[str, tuple[Described, OfSystem | None]], segment: Codes, judge: Codes
) -> tuple[Attribute, ...]:
    """Return each task's column as an attribute of what it is constant within.

    A column with one value for each segment is about segments, with one for each judge about
    judges, then about systems if it comes with an attribute of these, otherwise about tasks. If
    segments and judges both fix it, it is about segments, unless every task has a segment of its
    own. A column with a single value, or with a different word in every row, is not an attribute.
    """
    n = len(segment)
    each_own = {"segment": len(distinct(segment)) == n, "judge": len(distinct(judge)) == n}
    of_judges_first = each_own["segment"] and not each_own["judge"]
    found = []
    for name, (column, of_system) in columns.items():
        task = _attribute(name, column)
        if task is None:
            continue
        units = [("segment", segment), ("judge", judge)]
        for about, unit in reversed(units) if of_judges_first else units:
            if each_own[about] and of_system is not None and of_system() is not None:
                continue
            first = _constant_within(task, unit)
            if first is not None:
                found.append(task.take(first, about))  # type: ignore[arg-type]
                break
        else:
            found.append((of_system() if of_system is not None else None) or task)
    return tuple(found)


def attributes_of_outputs(columns: Mapping[str, FloatArray]) -> tuple[Attribute, ...]:
    """Return the numbers of every shown output as attributes, those that differ anywhere."""
    attributes = (_attribute(name, column, "output") for name, column in columns.items())
    return tuple(attribute for attribute in attributes if attribute is not None)


def screens_by_difference(screen: Codes, system: Codes, columns: Sequence[Described]) -> Codes:
    """Return screens cut by the columns that differ if one system stands twice on a screen.

    A judge who scored an output in two rounds gave two judgments, and did not correct the first.
    """
    key = joint(screen, system)
    again = pd.Series(key).duplicated(keep=False).to_numpy()
    if not again.any():
        return screen
    cutting = []
    for column in columns:
        codes = column.codes if isinstance(column, Column) else pd.factorize(column)[0] + 1
        if len(distinct(joint(key[again], codes[again]))) > len(distinct(key[again])):
            cutting.append(codes)
    if not cutting:
        return screen
    is_cut = np.isin(screen, distinct(screen[again]))
    parts = pd.factorize(joint(*cutting))[0] + 1
    return np.asarray(pd.factorize(joint(screen, np.where(is_cut, parts, 0)))[0])


def _attribute(name: str, column: Described, about: str = "task") -> Attribute | None:
    if isinstance(column, np.ndarray):
        values = np.where(np.isfinite(column), column, np.nan)
        known = values[~np.isnan(values)]
        if not len(known) or known.min() == known.max():
            return None
        return Attribute(name, about, values=values)  # type: ignore[arg-type]
    used = distinct(column.codes)
    used = used[[bool(column.names[code].strip()) for code in used.tolist()]]
    if len(used) < 2:
        return None
    place = np.full(len(column.names), -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    codes = place[column.codes]
    if len(used) > FEW_WORDS and len(used) > np.count_nonzero(codes >= 0) / 2:
        return None
    names = tuple(column.names[code] for code in used.tolist())
    return Attribute(name, about, codes=smallest(codes), names=names)  # type: ignore[arg-type]


def _constant_within(task: Attribute, unit: Codes) -> npt.NDArray[np.int64] | None:
    """Return for every unit a task that has its value, None where a unit has two values.

    A unit may be silent in some of its tasks; one that is silent in all stays so.
    """
    is_known = task.is_known
    n = int(unit.max(initial=-1)) + 1
    first = np.zeros(n, dtype=np.int64)
    # Of several tasks the one written last stays: the first known one, if there is any.
    unknown, known = np.flatnonzero(~is_known)[::-1], np.flatnonzero(is_known)[::-1]
    first[unit[unknown]] = unknown
    first[unit[known]] = known
    column = task.column
    same = column[first[unit]] == column
    return first if bool((same | ~is_known).all()) else None


def unite(columns: Sequence[Column]) -> tuple[list[Codes], list[str]]:
    """Return several columns' codes under one vocabulary."""
    known: dict[str, int] = {}
    codes: list[Codes] = [
        column.map(lambda name: known.setdefault(name, len(known)), np.int32) for column in columns
    ]
    return codes, list(known)
