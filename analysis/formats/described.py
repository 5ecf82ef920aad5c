"""From the columns of files that say something beside the judgments to a campaign's attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import Attribute, FloatArray, distinct, smallest
from analysis.formats.rankings import Codes, Column, number

Described = Column | FloatArray
"""A word or a number for every ranking task of a file (or scored output); "" and nan: unknown."""

FEW_WORDS = 50
"""A column with more words than this, most of which stand once, says nothing that can be cut by."""


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
    """Return each task's column as an attribute of what it is constant within.

    A column with one value for each segment is about segments, with one for each judge about
    judges, otherwise about tasks. Where it is both, it is about segments, unless every task has a
    segment of its own. A column that says the same everywhere, or something else everywhere in
    words, is no attribute.
    """
    if not columns:
        return ()
    n = len(segment)
    of_judges_first = len(distinct(segment)) == n and len(distinct(judge)) < n
    found = []
    for name, column in columns.items():
        task = _attribute(name, column)
        if task is None:
            continue
        units = [("segment", segment), ("judge", judge)]
        for about, unit in reversed(units) if of_judges_first else units:
            first = _constant_within(task, unit)
            if first is not None:
                found.append(task.take(first, about))  # type: ignore[arg-type]
                break
        else:
            found.append(task)
    return tuple(found)


def attributes_of_outputs(columns: Mapping[str, FloatArray]) -> tuple[Attribute, ...]:
    """Return the numbers of every shown output as attributes, those that differ anywhere."""
    attributes = (_attribute(name, column, "output") for name, column in columns.items())
    return tuple(attribute for attribute in attributes if attribute is not None)


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
    order = np.argsort(~is_known, kind="stable")
    n = int(unit.max(initial=-1)) + 1
    first = np.zeros(n, dtype=np.int64)
    first[unit[order[::-1]]] = order[::-1]
    column = task.column
    same = column[first[unit]] == column
    return first if bool((same | ~is_known).all()) else None
