"""Counts of wins and ties between two systems: lists, matrices, and the JSON of leaderbot.

A row of a list has two systems and how often each won and both tied. A matrix has a row and a
column for each system, and says how often the system of the row beat that of the column; one whose
first cell says *ties* counts ties. What is counted are votes: of whom, and on what, is unknown.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNNAMED_JUDGE, UNNAMED_SEGMENT
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.arena import LANGUAGE, LEFT, RIGHT
from analysis.formats.content import Content
from analysis.formats.delimited import Table
from analysis.formats.described import unite
from analysis.formats.format import Format
from analysis.formats.rankings import (
    NO_PAIR,
    Codes,
    Column,
    Findings,
    Rankings,
    cleaned,
    number,
    pair_name,
)
from analysis.formats.report import counted

Counts = npt.NDArray[np.int64]

WINS_LEFT = ("wins_a", "win_a", "a_wins", "wins_1", "wins_left", "wins_model_a", "win", "wins")
WINS_RIGHT = (
    "wins_b", "win_b", "b_wins", "wins_2", "wins_right", "wins_model_b", "loss", "losses",
)  # fmt: skip
TIES = ("ties", "tie", "draws", "draw", "n_ties")
BOTH_BAD = ("both_bad", "bothbad", "both bad", "ties_bothbad", "tie_bothbad")
WINNER, LOSER = ("winner",), ("loser",)
TIMES = ("count", "counts", "times", "n", "freq", "frequency", "votes")

OUTCOMES = ("wins", "losses", "ties", "both bad")
_RANKS = np.array([[1, 2], [2, 1], [1, 1]], dtype=np.int16)
_MOST = 2**31 - 1
_BAD_COUNT = -1
_MODELS = tuple(re.compile(rb'"%s"\s*:\s*\[' % name) for name in (b"models", b"X", b"Y"))

COLUMNS = (
    "two systems with wins_a, wins_b and ties (or winner, loser, count), a matrix with a row and a "
    "column for each system, or JSON with models, X and Y"
)


@dataclass(frozen=True)
class Cells:
    """How often what came of two systems: ``counts[N, 4]`` of N rows, in the order of `OUTCOMES`.

    ``row`` is where each stands in the file. Where a count cannot be read it is -1.
    """

    names: list[str]
    left: Codes
    right: Codes
    counts: Counts
    row: Codes
    pair: Column
    n_rows: int


def is_counts(content: Content) -> bool:
    """Return whether a file counts what came of two systems, instead of telling it vote by vote."""
    if content.kind == "json":
        return content.text.lstrip()[:1] == b"{" and all(m.search(content.text) for m in _MODELS)
    if content.header is None:
        return False
    keys = content.header.keys
    return _is_list(keys) or _is_matrix(content)


def _has(keys: tuple[str, ...], names: tuple[str, ...]) -> bool:
    return any(name in keys for name in names)


def _is_list(keys: tuple[str, ...]) -> bool:
    two = _has(keys, LEFT) and _has(keys, RIGHT)
    counted_by_side = two and _has(keys, WINS_LEFT) and _has(keys, WINS_RIGHT)
    return counted_by_side or (_has(keys, WINNER) and _has(keys, LOSER) and not two)


def _is_matrix(content: Content) -> bool:
    """Return whether the first rows begin with a name of the header and go on with numbers."""
    header = content.header
    assert header is not None
    names = [name.strip() for name in header.names]
    if len(names) < 3:
        return False
    body = content.text.lstrip(b"\n \t")[: 1 << 20].split(b"\n", 3)[1:3]
    rows = [
        next(csv.reader([line[:100_000].decode(errors="replace")], delimiter=header.separator), [])
        for line in body
        if line.strip()
    ]
    return bool(rows) and all(
        len(row) == len(names)
        and row[0].strip() in names[1:]
        and all(_count(cell) != _BAD_COUNT for cell in row[1:])
        for row in rows
    )


def read(content: Content) -> Rankings:
    """Read the counts and lay out a ranking of two for every vote that was counted."""
    findings = content.findings
    if content.kind == "json":
        cells = _read_models(content)
    elif content.header is not None and _is_list(content.header.keys):
        cells = _read_list(content)
    else:
        cells = _read_matrix(content)
    good = _leave_out(findings, cells)
    n_bad = int(cells.counts[good, 3].sum())
    if n_bad:
        findings.note(
            "both-bad",
            f"{counted(n_bad, 'vote')} left out because both outputs were bad. To count them as "
            "ties, add them to the ties of the file.",
            n_bad,
        )
    votes = cells.counts[good, :3]
    budgets.check_counted(int(votes.sum()), len(votes), content.where)
    findings.n_bytes += int(votes.sum())
    of_row = np.repeat(np.flatnonzero(good), votes.sum(axis=1))
    outcome = np.repeat(np.tile(np.arange(3), len(votes)), votes.ravel())
    n = len(of_row)
    return Rankings(
        n_rows=cells.n_rows,
        pair=cells.pair.take(of_row),
        segment=Column.constant(UNNAMED_SEGMENT, n),
        judge=Column.constant(UNNAMED_JUDGE, n),
        start=np.arange(n + 1) * 2,
        output=np.stack([cells.left[of_row], cells.right[of_row]], axis=1).ravel(),
        outputs=[(name,) for name in cells.names],
        rank=_RANKS[outcome].ravel(),
        row=cells.row[of_row],
        findings=findings,
        kind="counts",
        systems_in="the names of systems",
    )


def _count(text: str) -> int:
    """Return how often; nothing is never; -1 for what is no whole number from 0."""
    if not text.strip():
        return 0
    value = number(text)
    return int(value) if 0 <= value <= _MOST and value == int(value) else _BAD_COUNT


def _read_list(content: Content) -> Cells:
    wanted = (*LEFT, *RIGHT, *WINS_LEFT, *WINS_RIGHT, *TIES, *BOTH_BAD, *WINNER, *LOSER, *TIMES)
    table = content.table((*wanted, *LANGUAGE))
    n = table.n_rows
    zeros = np.zeros(n, dtype=np.int64)
    by_side = table.first(WINS_LEFT) is not None and table.first(LEFT) is not None
    sides = (LEFT, RIGHT) if by_side else (WINNER, LOSER)
    left_names, right_names = (table.first(side) for side in sides)
    assert left_names is not None
    assert right_names is not None
    (left, right), names = unite([left_names, right_names])
    if by_side:
        columns = [table.first(c) for c in (WINS_LEFT, WINS_RIGHT, TIES, BOTH_BAD)]
    else:
        columns = [table.first(TIMES) or Column.constant("1", n), None, None, None]
    counts = np.stack([zeros if c is None else c.map(_count) for c in columns], axis=1)
    return Cells(names, left, right, counts, np.arange(n), _language(table), n)


def _language(table: Table) -> Column:
    language = table.first(LANGUAGE) or Column.constant("", table.n_rows)
    return Column(language.codes, [pair_name(name, "") for name in language.names])


_HALVES = ((np.tril, -1), (np.triu, 1))
"""The halves of a matrix below and above its diagonal."""


def _read_matrix(content: Content) -> Cells:
    header = content.header
    assert header is not None
    corner, *keys = header.keys
    if len(set(keys)) < len(keys) or corner in keys:
        raise ReadingError(
            content.place, "two columns of the matrix have one name", "Name each system once."
        )
    budgets.check_systems(len(keys), content.where, "the matrix", NO_PAIR)
    table = content.table(header.keys)
    above = [cleaned(name) for name in header.names[1:]]
    of_row = table[corner]
    names = list(dict.fromkeys([*above, *of_row.names]))
    if without := [name for name in above if name not in set(of_row.names)]:
        shown = ", ".join(name[:40] for name in without[:5])
        told = f"The matrix has no row for {shown}, so those cells are missing."
        content.findings.note("no-row", told, len(without))
    code = {name: k for k, name in enumerate(names)}
    across = np.array([code[name] for name in above], dtype=np.int64)
    down = of_row.map(lambda name: code[name])
    n = np.stack([table[key].map(_count) for key in keys], axis=1)
    rows, columns = np.nonzero(n)
    left, right, times = down[rows], across[columns], n[rows, columns]
    counts = np.zeros((len(times), 4), dtype=np.int64)
    square = np.zeros((len(names), len(names)), dtype=np.int64)
    np.maximum.at(square, (left, right), np.maximum(times, 0))
    is_mirrored = np.array_equal(square, square.T)
    is_half = len(names) > 3 and not all(half(square, d).any() for half, d in _HALVES)
    if (is_half or (is_mirrored and len(names) > 2)) and corner not in TIES and len(times):
        raise ReadingError(
            content.place,
            "the matrix has one half only, or the same in both, so it does not say who won",
            "Write ties into its corner if it counts ties, or give a list of wins.",
        )
    if corner in TIES:
        if is_mirrored:  # a tie stands on both sides of the diagonal
            once = (left <= right) | (times == _BAD_COUNT)
            rows, left, right, times = rows[once], left[once], right[once], times[once]
            counts = counts[: len(times)]
        counts[:, 2] = times
    else:
        counts[:, 0] = times
        told = "A cell was read as the number of times that the system of its row beat the other."
        content.findings.note("matrix", told)
    return Cells(
        names, left, right, counts, rows, Column.constant(NO_PAIR, len(times)), table.n_rows
    )


def _read_models(content: Content) -> Cells:
    """Read what leaderbot keeps: names of models, pairs of their numbers, and counts of each."""
    budgets.check_bytes(len(content.text), budgets.max_json_bytes(), content.where, "its JSON")
    content.findings.place = "entry of X"
    try:
        told = json.loads(content.text)
        names, pairs, counts = (told[key] for key in ("models", "X", "Y"))
        index = np.array(pairs, dtype=np.int64)
        table = np.array([[_whole(n) for n in row] for row in counts], dtype=np.int64)
        fits = index.shape == (len(table), 2) and table.ndim == 2 and 2 <= table.shape[1] <= 4
        good = fits and index.min() >= 0 and index.max() < len(names)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        good = False
    if not good:
        raise ReadingError(
            content.where,
            "its models, X and Y do not match",
            "X needs two numbers of models for each entry, and Y one row per entry: wins, "
            "losses, ties (and both bad).",
        )
    systems = Column(np.arange(len(names)), [str(name) for name in names]).cleaned(content.findings)
    left, right = systems.codes[index[:, 0]], systems.codes[index[:, 1]]
    filled = np.zeros((len(table), 4), dtype=np.int64)
    filled[:, : table.shape[1]] = table
    n = len(table)
    return Cells(
        list(systems.names), left, right, filled, np.arange(n), Column.constant(NO_PAIR, n), n
    )


def _whole(value: Any) -> int:
    good = isinstance(value, int | float) and 0 <= value <= _MOST and value == int(value)
    return int(value) if good else _BAD_COUNT


def _leave_out(findings: Findings, cells: Cells) -> npt.NDArray[np.bool_]:
    """Return which rows can be counted."""
    findings.unit = "row"
    empty = cells.names.index("") if "" in cells.names else -1
    unnamed = (cells.left == empty) | (cells.right == empty)
    no_number = (cells.counts == _BAD_COUNT).any(axis=1)
    itself = (cells.left == cells.right) & ~unnamed

    def report(reason: str, bad: npt.NDArray[np.bool_], words: str) -> None:
        findings.leave_out(reason, np.unique(cells.row[bad]), lambda row: words)

    report("a system without a name", unnamed, "a system is empty")
    report(
        "a count that is not a whole number from 0",
        no_number & ~unnamed,
        ("a count is not a whole number"),
    )
    report(
        "a system compared with itself",
        itself & ~no_number & (cells.counts.sum(axis=1) > 0),
        "a system is compared with itself",
    )
    return ~(unnamed | no_number | itself)


FORMAT = Format(
    name="counts",
    title="counts of wins and ties",
    held_in="a list or matrix in CSV, or JSON",
    columns=COLUMNS,
    sniff=is_counts,
    read=read,
)
