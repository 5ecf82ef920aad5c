"""From a table and its profile to rankings or scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.campaign import UNRANKED, Ragged
from analysis.campaign.scores import Scale
from analysis.errors import ReadingError
from analysis.formats.delimited import Table
from analysis.formats.described import take as take_described
from analysis.formats.format import Content
from analysis.formats.mapping.columns import Columns
from analysis.formats.mapping.profile import Profile
from analysis.formats.mapping.winners import meanings
from analysis.formats.rankings import (
    BAD_RANK,
    Codes,
    Column,
    Rankings,
    read_rank,
)
from analysis.formats.scored import Scored
from analysis.formats.wmt import unite

_OUTCOMES = {"a": 1, "b": -1, "tie": 0, "skip": 2}
_UNKNOWN = 3
_RANKS = np.array([[1, 1], [1, 2], [0, 0], [0, 0], [2, 1]], dtype=np.int16)
"""Ranks of the two, by an outcome of 0, 1, 2 (skipped), 3 (unknown) and -1."""


def fits(profile: Profile, columns: Sequence[str]) -> bool:
    """Return whether a table has all columns that a profile names."""
    return {name.casefold() for name in profile.used} <= {name.casefold() for name in columns}


def apply(content: Content, profile: Profile) -> Rankings | Scored:
    """Read a table by a profile; what has no meaning in it is left out and told."""
    wanted = tuple(name.strip().casefold() for name in profile.used)
    table = content.table(wanted, may_break=wanted)
    return apply_to(table, profile, content.place)


def apply_to(table: Table, profile: Profile, where: str) -> Rankings | Scored:
    """Do the same for a table that is read."""
    profile.check(table.header, where)
    columns = Columns(table, profile, where)
    if profile.gives_scores:
        part: Rankings | Scored = _scored(columns)
    else:
        make = {"pairs": _pairs, "wide": _wide_ranks, "long": _long_ranks}[profile.layout]
        part = make(columns)
    return part


def _pairs(columns: Columns) -> Rankings:
    """Make a ranking of two of every row."""
    profile, findings = columns.profile, columns.findings
    findings.unit = "judgment"
    one, other = columns.named(profile.system_a), columns.named(profile.system_b)
    (left, right), names = unite([one, other])
    empty = names.index("") if "" in names else -1
    unnamed = (left == empty) | (right == empty)
    itself = (left == right) & ~unnamed
    outcome, told = _outcomes(columns, left, right, names)
    findings.leave_out(
        "a system without a name", np.flatnonzero(unnamed), lambda row: "a system's name is empty"
    )
    findings.leave_out(
        "a system compared with itself",
        np.flatnonzero(itself),
        lambda row: f"{names[left[row]]} is compared with itself",
    )
    findings.leave_out(
        "a winner that is neither of the two nor a tie",
        np.flatnonzero((outcome == _UNKNOWN) & ~unnamed & ~itself),
        told,
    )
    rows = np.flatnonzero(~unnamed & ~itself & (outcome != _UNKNOWN))
    seconds = columns.seconds()
    return Rankings(
        n_rows=columns.n,
        pair=columns.pair().take(rows),
        segment=columns.segment().take(rows),
        judge=columns.judge().take(rows),
        start=np.arange(len(rows) + 1) * 2,
        output=np.stack([left[rows], right[rows]], axis=1).ravel(),
        outputs=[(name,) for name in names],
        rank=_RANKS[outcome[rows]].ravel(),
        row=rows,
        findings=findings,
        seconds=None if seconds is None else seconds[rows].astype(np.float32),
        copies_matter=bool(profile.judge and profile.segment),
        kind="votes",
        attributes=take_described(columns.attributes(), rows),
        output_attributes={
            name: np.stack([columns.numbers(a)[rows], columns.numbers(b)[rows]], axis=1).ravel()
            for name, a, b in profile.outputs
        },
        systems_in=f"the columns {profile.system_a} and {profile.system_b}",
    )


def _outcomes(columns: Columns, left: Codes, right: Codes, names: list[str]):  # type: ignore[no-untyped-def]
    """Return 1, 0, -1 from the first system's side, and what tells of a row without a meaning."""
    profile = columns.profile
    if not profile.winner:
        first, second = columns.numbers(profile.score_a), columns.numbers(profile.score_b)
        if profile.better == "lower":
            first, second = -first, -second
        none = np.isnan(first) | np.isnan(second)
        outcome = np.where(none, _UNKNOWN, np.sign(np.nan_to_num(first - second)))

        def no_number(row: int) -> str:
            a, b = columns.named(profile.score_a), columns.named(profile.score_b)
            return f"{a.names[a.codes[row]]!r} and {b.names[b.codes[row]]!r} are not two numbers"

        return outcome.astype(np.int64), no_number
    winner = columns.named(profile.winner)
    given = {word.strip().casefold(): outcome for word, outcome in profile.winners}
    usual = meanings(winner.names, names)
    words = {
        word: _OUTCOMES[given.get(word.casefold(), usual.get(word, "skip" if not word else ""))]
        if word.casefold() in given or word in usual or not word
        else _UNKNOWN
        for word in winner.names
    }
    outcome = winner.map(words.__getitem__)
    code_of = {name: code for code, name in enumerate(names)}
    named = winner.map(lambda word: -1 if word.casefold() in given else code_of.get(word, -1))
    outcome = np.where(named == left, 1, np.where(named == right, -1, outcome))

    def no_winner(row: int) -> str:
        return f"{profile.winner}: {winner.names[winner.codes[row]]!r} is neither of the two"

    return outcome, no_winner


def _wide_ranks(columns: Columns) -> Rankings:
    """Make a ranking of every row: a rank for each of its systems."""
    profile = columns.profile
    n, k = columns.n, len(profile.ranks)
    systems, names = _systems_of_wide(columns, profile.ranks)
    texts = [columns.named(name) for name in profile.ranks]
    ranks = np.stack([column.map(read_rank) for column in texts], axis=1).reshape(n, k)
    is_empty = np.stack(
        [column.map(lambda text: text.strip() == "") for column in texts], axis=1
    ).astype(bool)
    there = (systems >= 0) & ~is_empty
    bad = (ranks == BAD_RANK) & there

    def no_rank(row: int) -> str:
        place = int(np.argmax(bad[row]))
        column = texts[place]
        return f"{profile.ranks[place]}: {column.names[column.codes[row]]!r} is not a rank"

    findings = columns.findings
    findings.unit = "ranking"
    findings.leave_out(
        "a rank that is not a whole number above 0", np.flatnonzero(bad.any(axis=1)), no_rank
    )
    rows = np.flatnonzero(~bad.any(axis=1))
    shown = there[rows]
    seconds = columns.seconds()
    return Rankings(
        n_rows=n,
        pair=columns.pair().take(rows),
        segment=columns.segment().take(rows),
        judge=columns.judge().take(rows),
        start=np.concatenate([[0], np.cumsum(shown.sum(axis=1))]),
        output=systems[rows][shown],
        outputs=[(name,) for name in names],
        rank=ranks[rows][shown].astype(np.int16),
        row=rows,
        findings=findings,
        seconds=None if seconds is None else seconds[rows].astype(np.float32),
        copies_matter=bool(profile.judge and profile.segment),
        attributes=take_described(columns.attributes(), rows),
    )


def _systems_of_wide(columns: Columns, values: tuple[str, ...]) -> tuple[Codes, list[str]]:
    """Return each row's systems by column, -1 where there is none, and the systems' names."""
    n = columns.n
    if not columns.profile.systems:
        names = _without_common(values)
        return np.tile(np.arange(len(values)), (n, 1)), names
    codes, names = unite([columns.named(name) for name in columns.profile.systems])
    systems = np.stack(codes, axis=1).astype(np.int64)
    if "" in names:
        systems[systems == names.index("")] = -1
    return systems, names


def _without_common(names: Sequence[str]) -> list[str]:
    """Return names without the word that all of them begin with.

    >>> _without_common(["rank_cmu", "rank_uedin"]), _without_common(["cmu", "uedin"])
    (['cmu', 'uedin'], ['cmu', 'uedin'])
    """
    heads = {name.replace(" ", "_").partition("_")[0] for name in names}
    tails = [name.replace(" ", "_", 1).partition("_")[2] for name in names]
    if len(heads) == 1 and all(tails) and len(set(tails)) == len(names):
        return tails
    return list(names)


def _long_ranks(columns: Columns) -> Rankings:
    """Put the rows of one task together to its ranking."""
    profile, findings = columns.profile, columns.findings
    findings.unit = "row"
    if not (profile.task or profile.segment):
        raise ReadingError(
            columns.where,
            "no column tells which rows were judged together",
            "Name the column of the task or of the item.",
        )
    system, rank = columns.named(profile.system), columns.named(profile.rank)
    ranks = rank.map(lambda text: UNRANKED if not text else read_rank(text))
    nameless = system.map(lambda name: not name.strip()).astype(bool)
    bad = (ranks == BAD_RANK) & ~nameless
    findings.leave_out(
        "a system without a name", np.flatnonzero(nameless), lambda row: "its name is empty"
    )
    findings.leave_out(
        "a rank that is not a whole number above 0",
        np.flatnonzero(bad),
        lambda row: f"{profile.rank}: {rank.names[rank.codes[row]]!r} is not a rank",
    )
    task = columns.tasks()
    rows = np.flatnonzero(~nameless & ~bad)
    rows = rows[np.argsort(task[rows], kind="stable")]
    _, first, sizes = np.unique(task[rows], return_index=True, return_counts=True)
    first_row = rows[first]
    seconds = columns.seconds()
    return Rankings(
        n_rows=columns.n,
        pair=columns.pair().take(first_row),
        segment=columns.segment(task).take(first_row),
        judge=columns.judge().take(first_row),
        start=Ragged.from_sizes(sizes).start,
        output=system.codes[rows],
        outputs=[(name,) for name in system.names],
        rank=ranks[rows].astype(np.int16),
        row=first_row,
        findings=findings,
        seconds=None if seconds is None else seconds[first_row].astype(np.float32),
        copies_matter=bool(profile.judge and profile.segment),
        attributes=take_described(columns.attributes(), first_row),
        systems_in=f"the column {profile.system}",
    )


def _scored(columns: Columns) -> Scored:
    """Return the scores of all outputs, those of a wide row one after the other."""
    profile, findings = columns.profile, columns.findings
    findings.unit = "score"
    n, k = columns.n, max(len(profile.scores), 1)
    if profile.scores:
        systems, names = _systems_of_wide(columns, profile.scores)
        value = np.stack([columns.numbers(name) for name in profile.scores], axis=1).ravel()
        system = Column(systems.ravel(), names)
        no_system = system.codes < 0
    else:
        system, value = columns.named(profile.system), columns.numbers(profile.score)
        no_system = system.map(lambda name: not name.strip()).astype(bool)
    row = np.repeat(np.arange(n), k)
    texts = [columns.named(name) for name in profile.scores or (profile.score,)]

    def told(entry: int) -> str:
        column = texts[entry % k]
        return f"{column.names[column.codes[entry // k]]!r} is not a number"

    bad = np.isnan(value) & ~no_system
    empty = np.stack([column.map(lambda text: not text) for column in texts], axis=1).ravel()
    bad_entries = np.flatnonzero(bad & ~empty.astype(bool))
    of_row = dict(zip(row[bad_entries][::-1].tolist(), bad_entries[::-1].tolist(), strict=True))
    findings.leave_out(
        "a score that is not a number",
        np.array(sorted(of_row), dtype=np.int64),
        lambda at: told(of_row[at]),
    )
    kept = np.flatnonzero(~no_system & ~np.isnan(value))
    task = columns.role("task")
    screen: Codes | None = None
    if profile.scores:
        screen = row[kept].astype(np.int64)
    elif task is not None:
        screen = columns.tasks()[kept]
    at = row[kept]
    document, domain, seconds = columns.role("document"), columns.role("domain"), columns.seconds()
    known = value[kept]
    others = {
        name: column
        for name, column in columns.attributes().items()
        if name not in ("document", "domain")
    }
    return Scored(
        n_rows=n,
        scale=Scale(
            name=profile.score or "score",
            low=float(known.min()) if len(known) else float("nan"),
            high=float(known.max()) if len(known) else float("nan"),
            higher_is_better=profile.better == "higher",
        ),
        pair=columns.pair().take(at),
        system=system.take(kept),
        segment=columns.segment().take(at),
        judge=columns.judge().take(at),
        value=known,
        row=at,
        findings=findings,
        screen=screen,
        document=None if document is None else document.take(at),
        domain=None if domain is None else domain.take(at),
        seconds=None if seconds is None else seconds[at],
        attributes=take_described(others, at),
    )
