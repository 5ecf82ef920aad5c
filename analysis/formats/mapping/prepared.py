"""A table made ready for its roles: rows left out, columns cut, joined, renamed and repeated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis.errors import ReadingError
from analysis.formats.controls import leave_out_words
from analysis.formats.delimited import Table
from analysis.formats.described import unite
from analysis.formats.mapping.profile import Profile, key, names_in, source_of, target_of
from analysis.formats.rankings import Column, combine

TICKS = frozenset({"true", "1", "1.0", "x", "on", "yes", "checked", "selected"})
"""What a ticked column contains, in small letters."""
_DECIMAL = re.compile(r"[+-]?\d*,\d+|[+-]?\d+")


def prepared(table: Table, profile: Profile, where: str) -> Table:
    """Return the table with the columns that the profile makes; left-out rows are reported."""
    table = _without_excluded(table, profile)
    table = with_decimal_points(table)
    columns = dict(table.columns)
    for name, own in profile.ticked:
        columns[key(name)] = _ticked([columns[key(one)] for one in own], own)
    for name, words in profile.values:
        new = {word.strip().casefold(): text for word, text in words}
        old = columns[key(source_of(name))]
        columns[key(target_of(name))] = _of_texts(
            old, [new.get(text.strip().casefold(), text) for text in old.names]
        )
    for name, pattern in profile.patterns:
        columns |= _cut(columns[key(name)], pattern)
    for name, text in profile.constants:
        columns[key(name)] = Column.constant(text, table.n_rows)
    for name, template in profile.templates:
        columns[key(name)] = _filled(columns, template, table.n_rows)
    table = replace(table, columns=columns)
    return _repeated(table, profile, where) if profile.repeats else table


def common_beginning(names: Sequence[str]) -> str:
    """Return what all names begin with.

    >>> common_beginning(["answer.a", "answer.b"])
    'answer.'
    """
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((k for k, (a, b) in pairs if a != b), min(len(first), len(last)))]


def _ticked(columns: Sequence[Column], names: Sequence[str]) -> Column:
    """Return what the ticked column of each row is called, without the beginning of all names."""
    ticks = np.stack([c.map(lambda text: text.strip().casefold() in TICKS, bool) for c in columns])
    begin = len(common_beginning(names))
    codes = np.where(ticks.sum(axis=0) == 1, ticks.argmax(axis=0), len(names))
    return Column(codes, [*(name[begin:] for name in names), ""])


def _filled(columns: Mapping[str, Column], template: str, n: int) -> Column:
    """Return the texts of a template, with a part in brackets only if it is not empty.

    ``{question}[, turn {turn}]`` is ``81`` without a turn, and ``81, turn 2`` with one. Of several
    templates with bars between them the first counts that has no empty column.
    """
    names = list(dict.fromkeys(names_in(template)))
    if not names:
        return Column.constant(template.partition("|")[0], n)
    ways = [[p for p in re.split(r"(\[[^\[\]]*\])", way) if p] for way in template.split("|")]

    def filled(*texts: str) -> str:
        given = dict(zip(names, texts, strict=True))
        for parts in ways:
            kept = [p for p in parts if p[0] != "[" or all(given[name] for name in names_in(p))]
            if all(given[name] for part in kept for name in names_in(part)):
                break
        plain = "".join(part[1:-1] if part[0] == "[" else part for part in kept)
        return re.sub(r"\{([^{}]*)\}", lambda match: given[match[1]], plain)

    column = combine([columns[key(name)] for name in names], filled)
    return _of_texts(column, column.names)


def with_decimal_points(table: Table) -> Table:
    """Return columns of numbers such as 3,5 as numbers with points."""
    changed = {}
    for name, column in table.columns.items():
        known = [text for text in column.names[:1000] if text]
        if any("," in text for text in known) and all(map(_DECIMAL.fullmatch, known)):
            changed[name] = Column(column.codes, [text.replace(",", ".") for text in column.names])
    return replace(table, columns={**table.columns, **changed}) if changed else table


def _without_excluded(table: Table, profile: Profile) -> Table:
    counts = np.ones(table.n_rows, dtype=bool)
    for name, words in profile.excluded:
        folded = {word.strip().casefold() for word in words}
        column = table[key(name)]
        own = frozenset(text for text in column.names if text.strip().casefold() in folded)
        counts &= leave_out_words(name, column, own, table.findings)
    return table if counts.all() else _taken(table, np.flatnonzero(counts))


def _taken(table: Table, rows: np.ndarray) -> Table:
    """Return some rows; findings still name the places of the file."""
    table.findings.renumber(rows)
    columns = {name: column.take(rows) for name, column in table.columns.items()}
    return replace(table, columns=columns, n_rows=len(rows))


def _repeated(table: Table, profile: Profile, where: str) -> Table:
    """Make a row of each column of a group; the columns' names make columns too."""
    groups = dict(profile.repeats)
    sizes = {len(names) for names in groups.values()}
    if len(sizes) > 1:
        raise ReadingError(
            where, "repeats have different numbers of columns", ("Use the same number for each.")
        )
    (k,) = sizes
    n = table.n_rows
    rows = np.repeat(np.arange(n), k)
    columns = {name: one.take(rows) for name, one in table.columns.items()}
    for name, own in groups.items():
        codes, texts = unite([table[key(one)] for one in own])
        columns[key(name)] = Column(np.stack(codes, axis=1).ravel(), texts)
    names = next(iter(groups.values()))
    columns |= _cut(Column(np.tile(np.arange(k), n), names), profile.repeat_name)
    if k > 1:
        table.findings.renumber(rows)
    return replace(table, columns=columns, n_rows=n * k)


def _cut(column: Column, pattern: str) -> Mapping[str, Column]:
    """Return the columns that a pattern cuts from a column; what does not fit is empty."""
    names = names_in(pattern)
    found = [cut(text, pattern) or {} for text in column.names]
    return {
        key(name): _of_texts(column, [parts.get(name, "") for parts in found]) for name in names
    }


def cut(text: str, pattern: str) -> dict[str, str] | None:
    """Return the parts of a text that a pattern names; None for a text that does not fit.

    Each part ends where the sign behind it first comes; the last one takes what is left.

    >>> cut("p232_sys1_005", "{speaker}_{system}_{sentence}")
    {'speaker': 'p232', 'system': 'sys1', 'sentence': '005'}
    >>> cut("2-1", "{a}-{b}"), cut("2:1", "{a}-{b}")
    ({'a': '2', 'b': '1'}, None)
    """
    pieces = re.split(r"\{([^{}]*)\}", pattern)
    first, *rest = pieces
    if not text.startswith(first):
        return None
    text = text[len(first) :]
    found = {}
    for place in range(0, len(rest), 2):
        name, sign = rest[place], rest[place + 1]
        if place == len(rest) - 2:
            if not text.endswith(sign):
                return None
            part = text.removesuffix(sign)
        else:
            part, met, text = text.partition(sign)
            if not met:
                return None
        if name:
            found[name] = part.strip()
    return found


def _of_texts(column: Column, texts: Sequence[str]) -> Column:
    """Return a column with other texts for its values, each text once."""
    known: dict[str, int] = {}
    codes = np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
    return Column(codes[column.codes] if len(codes) else column.codes, list(known))
