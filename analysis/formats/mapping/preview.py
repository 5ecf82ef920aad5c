"""The first rows of a table of any kind, as text: what a guess and a person look at."""

from __future__ import annotations

import io
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.errors import BrokenError, ReadingError
from analysis.formats import nested, records
from analysis.formats.content import Content
from analysis.formats.delimited import Table, read_rows
from analysis.formats.header import Header
from analysis.formats.mapping.flat import (
    are_records,
    flat_records,
    levels_of_names,
    lists_in,
    named_records,
    of_cell,
)
from analysis.formats.mapping.prepared import prepared, with_decimal_points
from analysis.formats.mapping.profile import Profile
from analysis.formats.rankings import Column, Findings, cleaned, number
from analysis.formats.unpacking import refuse_other_files
from analysis.wording import thousands

FIRST_ROWS = 2000
"""Rows that are looked at."""

GUESSED_ROWS = 20_000
"""Rows that a guess looks at: a table may be sorted by system."""

_FEW_RECORDS = 100
"""Records that show how long those of a file are."""

_BEGINNING = 1 << 23
"""Bytes of a table that are looked at, unless its rows are longer still."""

MOST_CELLS = 1_000_000
"""Cells of the first rows; a wide table gives fewer rows, so that a guess takes a second or two."""

MOST_COLUMNS = 20_000
"""Columns that are looked at one by one; the widest surveys have a few thousand."""


@dataclass(frozen=True)
class Preview:
    """The first rows of a table: ``values[column]`` are texts, row by row."""

    values: dict[str, tuple[str, ...]]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.values)

    def __len__(self) -> int:
        return len(next(iter(self.values.values()), ()))

    def known(self, column: str) -> list[str]:
        """Return the values of a column that are not empty, by how often they stand there."""
        counts = Counter(self.values[column])
        return [text for text, _ in counts.most_common() if text]

    def table(self) -> Table:
        """Return the first rows as a table that a profile can be applied to."""
        columns: dict[str, Column] = {}
        for name, texts in self.values.items():
            codes, names = pd.factorize(np.array(texts, dtype=object))
            columns.setdefault(name.casefold(), Column(codes, names.tolist()))
        return Table(columns, self.columns, len(self), "preview")

    def prepared(self, profile: Profile) -> Preview:
        """Return the first rows as they are once the profile has made its columns."""
        table = prepared(self.table(), profile, "preview")
        spelled = {name.casefold(): name for name in (*self.columns, *profile.made)}
        return Preview(
            {
                spelled.get(name, name): tuple(np.array([*column.names, ""])[column.codes].tolist())
                for name, column in table.columns.items()
            }
        )

    def without(self, columns: Collection[str]) -> Preview:
        """Return the first rows without some columns."""
        return Preview({c: texts for c, texts in self.values.items() if c not in columns})

    @cached_property
    def numeric(self) -> frozenset[str]:
        """The columns of which all known values are numbers."""
        return frozenset(
            column
            for column in self.columns
            if (known := self.known(column)) and not any(number(v) != number(v) for v in known)
        )


Parsed = Sequence[dict[str, Any]]
"""The first records of JSON as they are."""


def preview(
    content: Content, n_rows: int = FIRST_ROWS, path: str = "", parsed: Parsed | None = None
) -> Preview:
    """Return the first rows of a table; raise for content without two columns and a row.

    ``path`` leads to the records of nested JSON, ``parsed`` are the first ones if they are known.
    """
    if content.kind == "xml":
        raise ReadingError(content.where, "this is XML, not a table", "Export it as CSV.")
    if content.kind == "archive":
        refuse_other_files(content.data, content.where)
        raise ReadingError(content.where, "this is an archive of files", "Unpack it.")
    _check_width(len(content.header.names if content.header else content.keys), content)
    try:
        rows = _rows(content, n_rows, path, parsed)
    except (ValueError, OSError, IndexError, RecursionError, pa.ArrowException) as error:
        told = " ".join(str(error).split())[:120]
        if "inside string" in told:
            ends = "it ends within quotation marks, so part of the file is missing"
            raise BrokenError(content.where, ends, "Make a new download or export.") from None
        raise ReadingError(
            content.where, f"its first rows are not a table ({told})", "Make a new export, as CSV."
        ) from None
    names: dict[str, str] = {}
    for name in rows.columns:
        names.setdefault(cleaned(str(name)), name)
    if len(names) < 2 or not len(rows):
        raise ReadingError(
            content.where, "there is no table with two columns and a row", "Export it as CSV."
        )
    place = {own: k for k, own in reversed([*enumerate(rows.columns)])}
    cells = rows.to_numpy(dtype=object).T.tolist()
    found = {name: _texts(cells[place[own]]) for name, own in names.items()}
    if content.kind != "json":
        found = _with_cells(found, content)
    with_commas = {
        name: texts for name, texts in found.items() if any("," in t for t in texts[:100])
    }
    points = with_decimal_points(Preview(with_commas).table()).columns
    changed = {
        name: tuple(np.array(column.names, dtype=object)[column.codes].tolist())
        for name in with_commas
        if (column := points[name.casefold()])
    }
    return Preview(found | changed)


def _with_cells(found: dict[str, tuple[str, ...]], content: Content) -> dict[str, tuple[str, ...]]:
    """Return columns of text with those of JSON objects as a column for each of their fields."""
    cells = {
        name: {text: of_cell(name, text) for text in dict.fromkeys(texts)}
        for name, texts in found.items()
        if are_records(texts)
    }
    fields = {
        name: [*dict.fromkeys(part for own in records.values() for part in own)]
        for name, records in cells.items()
    }
    n_columns = len(found) + sum(map(len, fields.values()))
    _check_width(n_columns, content)
    n_rows = max(MOST_CELLS // n_columns, 50) if cells else None
    unpacked: dict[str, tuple[str, ...]] = {}
    for name, texts in found.items():
        texts = texts[:n_rows]
        if name not in cells:
            unpacked.setdefault(name, texts)
        for part in fields.get(name, ()):
            own = _texts([cells[name][text].get(part) for text in texts])
            unpacked.setdefault(cleaned(part), own)
    return unpacked


def first_records(content: Content, n_rows: int = GUESSED_ROWS) -> Parsed:
    """Return the first records of JSON, fewer if they are long."""
    every = (record for _, record in nested.parsed(content) if isinstance(record, dict))
    first = list(itertools.islice(every, min(n_rows, _FEW_RECORDS)))
    size = sum(len(str(record)) for record in first) // max(len(first), 1)
    n_more = min(n_rows, _BEGINNING // max(size, 1)) - len(first)
    return [*first, *itertools.islice(every, max(n_more, 0))]


def paths_of(content: Content, parsed: Parsed) -> list[str]:
    """Return where records may be found: at the top, and in lists within the first ones."""
    _check_width(len(content.header.names if content.header else content.keys), content)
    named = levels_of_names(parsed[0]) if len(parsed) == 1 else []
    within = [
        path
        for level in named[:1]
        for path in lists_in([*itertools.islice(named_records(parsed, 1), 20)], level)
    ]
    return ["", *named, *within, *lists_in(parsed[:20])]


def as_table(content: Content, profile: Profile, wanted: Sequence[str]) -> Table:
    """Return the wanted columns of a table, those of nested records and of JSON in cells too."""
    if content.kind == "json":
        if profile.records or not set(wanted) <= content.keys:
            return records.read_flat(
                _flat(content, profile.records), wanted, content.where, content.findings
            )
        return content.table(wanted, may_break=wanted)
    header = readable(content) if content.header is not None and content.frame is None else None
    keys = content.keys if header is None else frozenset(header.keys)
    around = {name: _around(name, keys) for name in wanted if name not in keys}
    own = list(dict.fromkeys(around.get(name) or name for name in wanted))
    if header is None:
        table = content.table(own, may_break=own)
    else:
        table = read_rows(content.text, header, own, content.where, content.findings, own)
    columns, names = dict(table.columns), [*table.header]
    for name in sorted({*around.values()} - {""}):
        column = columns[name]
        records_within = (of_cell(name, text) for text in column.names)
        cells = records.read_flat(records_within, wanted, content.where, Findings())
        for key, inner in cells.columns.items():
            columns.setdefault(key, Column(inner.codes[column.codes], inner.names))
        names += cells.header
    return replace(table, columns=columns, header=tuple(names))


def _around(name: str, keys: frozenset[str]) -> str:
    """Return the column in whose cells a field is; an empty text if there is none.

    >>> _around("answer.task.fluency.1", frozenset({"answer", "answer.task"}))
    'answer.task'
    """
    parts = name.split(".")
    before = (".".join(parts[:k]) for k in range(len(parts) - 1, 0, -1))
    return next((key for key in before if key in keys), "")


def _flat(content: Content, path: str) -> Iterator[dict[str, Any]]:
    """Yield the records at a path; those around that have none are reported."""
    without = []
    for place, record in enumerate(nested.Records(content, ()).plain(), 1):
        own = list(flat_records([record], path))
        without += [] if own else [place]
        yield from own
    content.findings.leave_out_unparsed(
        "having no records within", np.array(without, dtype=np.int64), len(without),
        lambda row: f"there is nothing at {path}",
    )  # fmt: skip


def readable(content: Content) -> Header:
    """Return the header with a name for each column, each once; a row of data is not a header."""
    header = content.header
    assert header is not None
    if any(number(name) % 1 > 0 for name in header.names):
        names = tuple(f"column {k}" for k in range(1, len(header.names) + 1))
        return replace(header, names=names, is_row=True)
    seen: dict[str, int] = {}
    unique = []
    for k, name in enumerate(header.names, 1):
        key = name.strip().casefold()
        seen[key] = seen.get(key, 0) + 1
        own = name if key else f"column {k}"
        unique.append(own if not key or seen[key] == 1 else f"{name.strip()} ({seen[key]})")
    return replace(header, names=tuple(unique))


def _rows(content: Content, n_rows: int, path: str, parsed: Parsed | None) -> pd.DataFrame:
    if content.kind == "json":
        return _first_records(content, n_rows, path, parsed or first_records(content, n_rows))
    n_columns = len(content.header.names if content.header else content.keys)
    n_rows = max(min(n_rows, MOST_CELLS // max(n_columns, 1)), 50)
    if content.frame is not None:
        return content.frame.slice(0, n_rows).to_pandas()
    if content.kind == "parquet":
        file = pq.ParquetFile(pa.BufferReader(content.data))
        return pa.Table.from_batches(
            itertools.islice(file.iter_batches(batch_size=n_rows), 1), file.schema_arrow
        ).to_pandas()
    header = readable(content)
    begin = content.text[:_BEGINNING]
    if len(content.text) > _BEGINNING and begin.count(b"\n") <= n_rows:
        begin = content.text
    blank = len(begin) - len(begin.lstrip(b"\n \t"))
    return pd.read_csv(
        io.BytesIO(begin[blank:]),
        sep=header.separator,
        dtype=str,
        header=None,
        names=list(header.names),
        skiprows=0 if header.is_row else header.n_lines,
        keep_default_na=False,
        nrows=n_rows,
        on_bad_lines="skip",
        index_col=False,
        # All, and a row with more fields is cut without a warning on the server's terminal.
        usecols=lambda name: True,
    )


def _check_width(n_columns: int, content: Content) -> None:
    if n_columns > MOST_COLUMNS:
        raise ReadingError(
            content.where,
            f"a table has at most {thousands(MOST_COLUMNS)} columns, this one "
            f"{thousands(n_columns)}",
            "Leave out the columns that do not matter.",
        )


def _first_records(content: Content, n_rows: int, path: str, found: Parsed) -> pd.DataFrame:
    """Return the first records of a list, of columns, or of lines, each made flat."""
    if len(found) == 1 and not path and all(isinstance(v, list | dict) for v in found[0].values()):
        columns = {
            name: list(own.values()) if isinstance(own, dict) else own
            for name, own in found[0].items()
        }
        if len({len(own) for own in columns.values()}) == 1:
            return pd.DataFrame(
                {name: pd.Series(own[:n_rows], dtype=object) for name, own in columns.items()}
            )
    flat, n_cells = [], 0
    for record in itertools.islice(flat_records(found, path), n_rows):
        flat.append(record)
        n_cells += len(record)
        if n_cells > MOST_CELLS:
            break
    _check_width(len(set().union(*flat)), content)
    return pd.DataFrame(flat, dtype=object)


def _texts(values: list[Any]) -> tuple[str, ...]:
    """Return values as texts; each different one is looked at once where that is possible."""
    try:
        text_of = {value: _text(value) for value in set(values)}
    except TypeError:
        return tuple(map(_text, values))
    return tuple(text_of[value] for value in values)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return "" if value.casefold() == "nan" else cleaned(value)
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return cleaned(str(value))
