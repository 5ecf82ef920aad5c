"""From a table and its profile to rankings or scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.campaign import UNRANKED, FloatArray, Ragged, distinct
from analysis.campaign.scores import Scale
from analysis.errors import ReadingError
from analysis.formats.content import Content
from analysis.formats.delimited import Table
from analysis.formats.described import screens_by_difference, unite
from analysis.formats.described import take as take_described
from analysis.formats.mapping.columns import Columns
from analysis.formats.mapping.prepared import prepared
from analysis.formats.mapping.preview import as_table
from analysis.formats.mapping.profile import Profile, key
from analysis.formats.mapping.winners import meaning_of, meanings, told_of, usable_votes
from analysis.formats.rankings import (
    BAD_RANK,
    Codes,
    Column,
    Output,
    Rankings,
    joint,
    number,
    read_rank,
)
from analysis.formats.scored import Scored
from analysis.wording import count

_OUTCOMES = {"a": 1, "b": -1, "tie": 0, "skip": 2}
_UNKNOWN = 3
_AT_END = re.compile(r"[ _](rank|ranking)$", re.IGNORECASE)
_AT_START = re.compile(r"^(grade|score|rating|rank|models?|systems?|responses?)[-.]")
_RANKS = np.array([[1, 1], [1, 2], [0, 0], [0, 0], [2, 1]], dtype=np.int16)
"""Ranks of the two, by an outcome of 0, 1, 2 (skipped), 3 (unknown) and -1."""


def fits(profile: Profile, columns: Sequence[str]) -> bool:
    """Return whether a table has all columns that a profile names."""
    return {name.casefold() for name in profile.used} <= {name.casefold() for name in columns}


Part = Rankings | Scored
Parts = dict[str, Part]
"""What a table holds by criterion; a table without criteria has one without a name."""


def apply(content: Content, profile: Profile) -> Parts:
    """Read a table by a profile; what has no meaning in it is left out and reported."""
    wanted = tuple(name.strip().casefold() for name in profile.used)
    return apply_to(as_table(content, profile, wanted), profile, content.place)


def apply_to(table: Table, profile: Profile, where: str) -> Parts:
    """Read a table that is in memory."""
    profile.check(table.header, where)
    before = sum(gone.count for gone in table.findings.left_out)
    table = prepared(table, profile, where)
    n_excluded = sum(gone.count for gone in table.findings.left_out) - before
    parts = {name: _part(*one, where) for name, one in _by_criterion(table, profile).items()}
    return {
        name: replace(part, n_rows=part.n_rows + n_excluded)
        for name, part in parts.items()
        if len(part.pair) or len(parts) == 1
    } or dict([parts.popitem()])


def _part(table: Table, profile: Profile, where: str) -> Part:
    columns = Columns(table, profile, where)
    if profile.gives_scores:
        return _scored(columns)
    wide = _wide_ranks if profile.ranks else _best_and_worst
    make = {"pairs": _pairs, "wide": wide, "long": _long_ranks}[profile.layout]
    return make(columns)


def _by_criterion(table: Table, profile: Profile) -> dict[str, tuple[Table, Profile]]:
    """Return a table and a profile for each criterion: a column each, or rows of their own."""
    if profile.criteria:
        short = [name.rpartition(".")[2] for name in profile.criteria]
        shown = short if len(set(short)) == len(short) and all(short) else profile.criteria
        return {
            name: (replace(table, findings=table.findings.copied()), profile.of_criterion(own))
            for name, own in zip(shown, profile.criteria, strict=True)
        }
    if not profile.criterion:
        return {"": (table, profile)}
    names, found = table[key(profile.criterion)], {}
    for code, name in enumerate(names.names):
        rows = np.flatnonzero(names.codes == code)
        if not name or not len(rows):
            continue
        findings = table.findings.copied()
        findings.renumber(rows)
        columns = {own: column.take(rows) for own, column in table.columns.items()}
        own = replace(table, columns=columns, n_rows=len(rows), findings=findings)
        better = "lower" if name in profile.lower else profile.better
        found[name] = own, replace(profile, criterion="", better=better)
    return found


def _pairs(columns: Columns) -> Rankings:
    """Make a ranking of two of every row."""
    profile, findings = columns.profile, columns.findings
    findings.unit = "row"
    one, other = columns.named(profile.system_a), columns.named(profile.system_b)
    (left, right), names = unite([one, other])
    outcome, told = _outcomes(columns, left, right, names)
    rows = np.flatnonzero(usable_votes(findings, (left, right), names, outcome == _UNKNOWN, told))
    output, rank = np.stack([left[rows], right[rows]], axis=1).ravel(), _RANKS[outcome[rows]]
    return replace(
        _of_rows(columns, rows, np.full(len(rows), 2), output, rank.ravel(), names),
        kind="votes",
        output_attributes=_of_outputs(columns, rows),
        systems_in=f"the columns {profile.system_a} and {profile.system_b}",
    )


def _of_outputs(columns: Columns, rows: Codes) -> dict[str, FloatArray]:
    """Return the numbers of both outputs of each row, and the lengths of their texts."""
    found = {
        name: [columns.numbers(one), columns.numbers(other)]
        for name, one, other in columns.profile.outputs
    }
    for name, texts in columns.profile.lengths:
        found[name] = [
            columns.named(text).map(lambda own: len(own) or np.nan, np.float64) for text in texts
        ]
        # Without one of the texts, the other's length says nothing of the two.
        unknown = np.isnan(np.sum(found[name], axis=0))
        found[name] = [np.where(unknown, np.nan, own) for own in found[name]]
    return {
        name: np.stack([own[rows] for own in both], axis=1).ravel() for name, both in found.items()
    }


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
    given = {
        word.casefold(): said
        for word in winner.names
        if (said := meaning_of(word, profile.winners)) is not None
    }
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
    for place, word in enumerate(winner.names):
        # In games in both orders a winner model_1 is the system of that column.
        if profile.repeats and word.casefold() in columns.table:
            own = columns.named(word)
            system = own.map(lambda name: code_of.get(name, -1))
            named = np.where(winner.codes == place, system, named)
    outcome = np.where(named == left, 1, np.where(named == right, -1, outcome))
    _note_graded(columns, winner, profile)
    return outcome, told_of(winner, outcome == _UNKNOWN, profile.winner)


def _note_graded(columns: Columns, winner: Column, profile: Profile) -> None:
    """Note the numbers within a range: how narrowly a side is preferred does not count."""
    ranges = [word.partition("..") for word, _ in profile.winners if ".." in word]
    ends = {number(end) for low, _, high in ranges for end in (low, high)}
    if not ends:
        return
    value = winner.numbers()
    n = int(((value > min(ends)) & (value < max(ends)) & ~np.isin(value, list(ends))).sum())
    if n:
        columns.findings.note(
            "graded",
            f"{count(n, 'judgment')} between a win and a tie: counted as a win, however narrow.",
            n,
        )


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
    sizes = shown.sum(axis=1)
    return _of_rows(columns, rows, sizes, systems[rows][shown], ranks[rows][shown], names)


def _best_and_worst(columns: Columns) -> Rankings:
    """Make a ranking of each row: the best above all others, the worst below them."""
    profile, findings = columns.profile, columns.findings
    findings.unit = "ranking"
    systems, names = _systems_of_wide(columns, profile.systems)
    ranks = np.where(systems >= 0, 2, UNRANKED)
    chosen = []
    for role, rank in (("best", 1), ("worst", 3)):
        column = columns.role(role)
        if column is not None:
            place = _places_named(column, systems, names, profile.systems)
            rows = np.flatnonzero(place >= 0)
            ranks[rows, place[rows]] = rank
            chosen.append(place)
    unknown = chosen[0] < 0
    same = (chosen[0] == chosen[-1]) & ~unknown if len(chosen) > 1 else np.zeros_like(unknown)
    best = columns.named(profile.best)
    findings.leave_out(
        "a best system that is not in the row",
        np.flatnonzero(unknown),
        lambda row: f"{profile.best}: {best.names[best.codes[row]]!r}",
    )
    findings.leave_out(
        "the same system as best and worst",
        np.flatnonzero(same),
        lambda row: f"{best.names[best.codes[row]]!r} is both",
    )
    rows = np.flatnonzero(~unknown & ~same)
    shown = systems[rows] >= 0
    sizes = shown.sum(axis=1)
    return _of_rows(columns, rows, sizes, systems[rows][shown], ranks[rows][shown], names)


def _places_named(
    column: Column, systems: Codes, names: Sequence[str], shown: Sequence[str]
) -> Codes:
    """Return the place in its row of the system that a column names, -1 if it names none."""
    code_of = {name: code for code, name in enumerate(names)}
    named = column.map(lambda text: code_of.get(text, -1))
    is_named = (systems == named[:, None]) & (named >= 0)[:, None]
    ways = {key(name): k for k, name in enumerate(shown)}
    ways |= {str(k + 1): k for k in range(len(shown))}
    ways |= {chr(97 + k): k for k in range(min(len(shown), 26))}
    by_place = column.map(lambda text: ways.get(key(text), -1))
    return np.where(is_named.any(axis=1), is_named.argmax(axis=1), by_place)


def _of_rows(
    columns: Columns,
    rows: Codes,
    sizes: Codes,
    output: Codes,
    rank: Codes,
    names: Sequence[str],
    task: Codes | None = None,
) -> Rankings:
    """Return the rankings of some rows, of so many outputs each, with what else the table says.

    ``task`` numbers the rankings of all rows, if they are not rankings themselves.
    """
    seconds = columns.seconds()
    return Rankings(
        n_rows=columns.n,
        pair=columns.pair().take(rows),
        segment=columns.segment(task).take(rows),
        judge=columns.judge().take(rows),
        start=Ragged.from_sizes(sizes).start,
        output=output,
        outputs=_shared(names, columns.profile.shared),
        rank=rank.astype(np.int16),
        row=rows,
        findings=columns.findings,
        seconds=None if seconds is None else seconds[rows].astype(np.float32),
        attributes=take_described(columns.attributes(), rows),
    )


def _shared(names: Sequence[str], sign: str) -> list[Output]:
    """Return the systems of each name: several with a sign between them gave the same output.

    >>> _shared(["bart, t5", "t5"], ","), _shared(["a b"], "")
    ([('bart', 't5'), ('t5',)], [('a b',)])
    """
    parts = [dict.fromkeys(map(str.strip, name.split(sign) if sign else [name])) for name in names]
    return [tuple(part for part in own if part) or ("",) for own in parts]


def _systems_of_wide(columns: Columns, values: tuple[str, ...]) -> tuple[Codes, list[str]]:
    """Return each row's systems by column, -1 where there is none, and the systems' names."""
    n = columns.n
    if not columns.profile.systems:
        names = without_common(values)
        return np.tile(np.arange(len(values)), (n, 1)), names
    codes, names = unite([columns.named(name) for name in columns.profile.systems])
    systems = np.stack(codes, axis=1).astype(np.int64)
    if "" in names:
        systems[systems == names.index("")] = -1
    return systems, names


def without_common(names: Sequence[str]) -> list[str]:
    """Return names without the word that all of them begin with, or a *rank* at their end.

    >>> without_common(["rank_cmu", "rank_uedin"]), without_common(["cmu_rank", "uedin_rank"])
    (['cmu', 'uedin'], ['cmu', 'uedin'])
    """
    answers = [name.partition(": ")[2] for name in names]
    if all(answers) and len(set(answers)) == len(names):
        return answers
    for around in (_AT_END, _AT_START):
        stems = [around.sub("", name, count=1) for name in names]
        if len(set(stems)) == len(names) and all(map(around.search, names)):
            return stems
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
            "no column shows which rows were judged together",
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
    attributes = columns.attributes()
    task = screens_by_difference(columns.tasks(), system.codes, list(attributes.values()))
    rows = np.flatnonzero(~nameless & ~bad)
    rows = rows[np.argsort(task[rows], kind="stable")]
    _, first, sizes = np.unique(task[rows], return_index=True, return_counts=True)
    return replace(
        _of_rows(columns, rows[first], sizes, system.codes[rows], ranks[rows], system.names, task),
        systems_in=f"the column {profile.system}",
    )


def _scale(profile: Profile, values: FloatArray) -> Scale:
    """Return the scale that a profile names, otherwise that of the values."""
    is_higher = profile.better == "higher"
    name, _, ends = profile.scale.rpartition(" ")
    if ends:
        low, _, high = ends.partition("..")
        return Scale(name, number(low), number(high), is_higher)
    if not len(values):
        return Scale(profile.score or "score", higher_is_better=is_higher)
    return Scale(profile.score or "score", float(values.min()), float(values.max()), is_higher)


def _each_alone(columns: Columns, system: Column) -> Codes | None:
    """Return a screen for each row if nobody is named and an output was scored more than once."""
    key = joint(columns.tasks(), system.codes)
    return np.arange(columns.n) if len(distinct(key)) < len(key) else None


def _scored(columns: Columns) -> Scored:
    """Return the scores of all outputs, those of a wide row one after the other."""
    profile, findings = columns.profile, columns.findings
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
        text = column.names[column.codes[entry // k]]
        if number(text) == number(text):
            return f"{text!r} is not between {scale.low:g} and {scale.high:g}"
        return f"{text!r} is not a number" if text else "the score is empty"

    scale = _scale(profile, value[~np.isnan(value)])
    value = np.where((value < scale.low) | (value > scale.high), np.nan, value)
    bad = np.isnan(value) & ~no_system
    empty = np.stack([column.map(lambda text: not text) for column in texts], axis=1).ravel()
    if profile.scores:
        # An empty cell is an output that the judge was not shown.
        bad &= ~empty.astype(bool)
    else:
        findings.leave_out(
            "a system without a name", np.flatnonzero(no_system), lambda row: "its name is empty"
        )
    bad_entries = np.flatnonzero(bad)
    of_row = dict(zip(row[bad_entries][::-1].tolist(), bad_entries[::-1].tolist(), strict=True))
    findings.leave_out(
        f"a score that is not a number{' of the scale' if profile.scale else ''}",
        np.array(sorted(of_row), dtype=np.int64),
        lambda at: told(of_row[at]),
    )
    kept = np.flatnonzero(~no_system & ~np.isnan(value))
    screen: Codes | None = None
    if profile.scores:
        screen = row[kept].astype(np.int64)
    elif profile.task:
        screen = columns.tasks()[kept]
    elif not profile.judge:
        screen = _each_alone(columns, system)
        screen = None if screen is None else screen[kept]
    outputs = _shared(system.names, profile.shared)
    names = list(dict.fromkeys(name for own in outputs for name in own))
    made_by = Ragged.from_lists([list(map(names.index, own)) for own in outputs])
    made_by = made_by.take(system.codes[kept])
    kept = np.repeat(kept, made_by.sizes)
    screen = None if screen is None else np.repeat(screen, made_by.sizes)
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
        scale=scale,
        pair=columns.pair().take(at),
        system=Column(made_by.values.astype(np.int64), names),
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
