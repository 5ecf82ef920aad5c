"""What the two WMT tables have in common: columns of languages, segment, judge, systems, ranks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from analysis.campaign import UNRANKED, Campaign, IntArray
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.delimited import Table
from analysis.formats.described import DOCUMENT, one_judge, segments_within
from analysis.formats.format import named
from analysis.formats.header import Header
from analysis.formats.rankings import BAD_RANK, Codes, Column, combine, pair_name, read_rank

SEGMENT = ("segmentid", "srcindex")
JUDGE = ("judgeid",)
SOURCE = ("srclang",)
TARGET = ("trglang",)
TASK = (*SOURCE, *TARGET, *SEGMENT, *JUDGE, *DOCUMENT)
RANKING = "rankingid"

_SYSTEM = re.compile(r"system(\d+)(id|rank)")


def system_numbers(header: Header) -> list[int]:
    """Return the k of all columns systemkId and systemkRank."""
    found = (_SYSTEM.fullmatch(key) for key in header.keys)
    return sorted({int(match.group(1)) for match in found if match})


def check_columns(content: Content, numbers: Sequence[int]) -> None:
    """Raise for the columns without which a WMT table says nothing."""
    header = content.header
    assert header is not None
    budgets.check_outputs(len(numbers), content.place, budgets.MAX_JOINED)
    wanted = [f"system{k}{what}" for k in numbers for what in ("Id", "rank")]
    missing = [name for name in wanted if name.casefold() not in header.keys]
    if not any(key in header.keys for key in SEGMENT):
        missing.append("segmentId")
    if missing:
        raise ReadingError(
            content.place,
            f"the header has no column {', '.join(missing)}; "
            f"it has {', '.join(header.names[:12])}{', …' if len(header.names) > 12 else ''}",
            "Add the missing columns, or make a new export.",
        )
    if len(numbers) < 2:
        raise ReadingError(
            content.place,
            "the header has columns for one system only",
            "A ranking needs two systems or more.",
        )


def task_columns(table: Table) -> tuple[Column, Column, Column]:
    """Return language pair, segment and judge of every row."""
    n = table.n_rows
    source = table.first(SOURCE) or Column.constant("", n)
    target = table.first(TARGET) or Column.constant("", n)
    named = table.first(SEGMENT)
    assert named is not None
    segment = segments_within(named, table.first(DOCUMENT))
    judge = table.first(JUDGE)
    if judge is None:
        judge = one_judge(table.findings, n)
    return combine([_known(source), _known(target)], pair_name), segment, judge


def _known(languages: Column) -> Column:
    """Return a column of languages in which -1 is none."""
    return Column(languages.codes, [name if name != "-1" else "" for name in languages.names])


def leave_out_bad_ranks(
    table: Table,
    columns: Sequence[tuple[int, Column]],
    present: Sequence[np.ndarray],
    highest: Codes | int,
) -> tuple[np.ndarray, list[Codes]]:
    """Return which rows have good ranks wherever a system stands, and the ranks by column."""
    good = np.ones(table.n_rows, dtype=bool)
    if all(
        _are_ranks(column, there, highest)
        for (_, column), there in zip(columns, present, strict=True)
    ):
        return good, [column.map(read_rank, np.int16) for _, column in columns]
    no_number = np.zeros((table.n_rows, len(columns)), dtype=bool)
    outside = np.zeros_like(no_number)
    ranks = []
    for place, ((_, column), there) in enumerate(zip(columns, present, strict=True)):
        rank = column.map(read_rank, np.int16)
        no_number[:, place] = there & (rank == BAD_RANK)
        outside[:, place] = there & (rank > highest)
        good &= ~(no_number[:, place] | outside[:, place])
        ranks.append(np.where(there, rank, UNRANKED))

    def tell(row: int, bad: np.ndarray) -> tuple[str, str]:
        place = int(np.flatnonzero(bad[row])[0])
        number, column = columns[place]
        return f"system{number}rank", column.names[column.codes[row]]

    def no_rank(row: int) -> str:
        name, text = tell(row, no_number)
        if _is_number(text):
            return f"{name}: {text} is outside 1–{_at(highest, row)}"
        return f"{name}: {text!r} is not a rank" if text.strip() else f"{name} is empty"

    def too_high(row: int) -> str:
        name, text = tell(row, outside)
        return f"{name}: {text} is outside 1–{_at(highest, row)}"

    findings = table.findings
    findings.leave_out(
        "a rank that is not a whole number above 0", np.flatnonzero(no_number.any(axis=1)), no_rank
    )
    only_outside = outside.any(axis=1) & ~no_number.any(axis=1)
    bound = f" outside 1–{highest}" if isinstance(highest, int) else " out of bounds"
    findings.leave_out(f"a rank{bound}", np.flatnonzero(only_outside), too_high)
    return good, ranks


def _are_ranks(column: Column, there: np.ndarray, highest: Codes | int) -> bool:
    """Return whether a system stands in every row, and every value is a rank that may be given."""
    bound = highest if isinstance(highest, int) else 5
    return bool(there.all()) and all(UNRANKED <= read_rank(text) <= bound for text in column.names)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?\d+\s*", text) is not None


def _at(highest: Codes | int, row: int) -> int:
    return highest if isinstance(highest, int) else int(highest[row])


def written_columns(campaign: Campaign, task: IntArray) -> dict[str, object]:
    """Return the columns that both WMT formats begin with."""
    ends = [pair.partition("-") for pair in campaign.pairs]
    code = campaign.task_pair[task]
    segment = named(campaign.task_segment[task], campaign.segments)
    return {
        "srclang": np.array([source for source, _, _ in ends], dtype=object)[code],
        "trglang": np.array([target for _, _, target in ends], dtype=object)[code],
        "srcIndex": segment,
        "segmentId": segment,
    }
