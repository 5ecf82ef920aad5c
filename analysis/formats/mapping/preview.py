"""The first rows of a table of any kind, as text: what a guess and a person look at."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.errors import ReadingError
from analysis.formats.delimited import Table
from analysis.formats.format import Content
from analysis.formats.rankings import Column, cleaned, number
from analysis.formats.unpacking import refuse_other_files

FIRST_ROWS = 2000
"""Rows that are looked at."""

_BEGINNING = 1 << 23
"""Bytes of a table that are looked at, unless its rows are longer still."""

MOST_COLUMNS = 300
"""Columns of a table that a person can be asked about."""


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
        texts = pd.Series([text for text in self.values[column] if text])
        return [str(text) for text in texts.value_counts(sort=True).index]

    def table(self) -> Table:
        """Return the first rows as a table that a profile can be applied to."""
        columns: dict[str, Column] = {}
        for name, texts in self.values.items():
            codes, names = pd.factorize(np.array(texts, dtype=object))
            columns.setdefault(name.casefold(), Column(codes, names.tolist()))
        return Table(columns, self.columns, len(self), "preview")

    @cached_property
    def numeric(self) -> frozenset[str]:
        """The columns of which all known values are numbers."""
        return frozenset(
            column
            for column in self.columns
            if (known := self.known(column)) and not any(number(v) != number(v) for v in known)
        )


def preview(content: Content) -> Preview:
    """Return the first rows of a table; raise for what is no table with two columns or more."""
    if content.kind == "xml":
        raise ReadingError(content.where, "this is XML, not a table", "Export it as CSV.")
    if content.kind == "archive":
        refuse_other_files(content.data, content.where)
        raise ReadingError(content.where, "this is an archive of files", "Unpack it.")
    try:
        rows = _rows(content)
    except (ValueError, OSError, RecursionError, pa.ArrowException) as error:
        told = " ".join(str(error).split())[:120]
        raise ReadingError(
            content.where, f"its first rows are no table ({told})", "Export it again, as CSV."
        ) from None
    names: dict[str, str] = {}
    for name in rows.columns:
        names.setdefault(cleaned(str(name)), name)
    if len(names) < 2 or not len(rows):
        raise ReadingError(
            content.where, "there is no table with two columns and a row", "Export it as CSV."
        )
    if len(names) > MOST_COLUMNS:
        raise ReadingError(
            content.where,
            f"the table has {len(names)} columns",
            f"Leave out those that say nothing; {MOST_COLUMNS} is the most.",
        )
    return Preview(
        {name: tuple(_text(value) for value in rows[own].tolist()) for name, own in names.items()}
    )


def _rows(content: Content) -> pd.DataFrame:
    if content.kind == "parquet":
        file = pq.ParquetFile(pa.BufferReader(content.data))
        return next(file.iter_batches(batch_size=FIRST_ROWS)).to_pandas()
    if content.kind == "json":
        return _first_records(content)
    assert content.header is not None
    begin = content.text[:_BEGINNING].lstrip(b"\n \t")
    if len(content.text) > _BEGINNING and begin.count(b"\n") <= FIRST_ROWS:
        begin = content.text.lstrip(b"\n \t")
    return pd.read_csv(
        io.BytesIO(begin),
        sep=content.header.separator,
        dtype=str,
        keep_default_na=False,
        nrows=FIRST_ROWS,
        on_bad_lines="skip",
        index_col=False,
        # All, and a row with more fields is cut without a warning on the server's terminal.
        usecols=lambda name: True,
    )


def _first_records(content: Content) -> pd.DataFrame:
    """Return the first records of a list, of columns, or of lines."""
    text = content.text.lstrip()
    try:
        parsed: Any = json.loads(text)
    except ValueError:
        lines = text.split(b"\n", FIRST_ROWS)[:FIRST_ROWS]
        parsed = [json.loads(line) for line in lines if line.strip()]
    if isinstance(parsed, dict):
        parsed = {k: v for k, v in parsed.items() if isinstance(v, list | dict)} or [parsed]
    if isinstance(parsed, dict):
        columns = {k: list(v.values()) if isinstance(v, dict) else v for k, v in parsed.items()}
        return pd.DataFrame(
            {k: pd.Series(v[:FIRST_ROWS], dtype=object) for k, v in columns.items()}
        )
    records = [record for record in parsed[:FIRST_ROWS] if isinstance(record, dict)]
    return pd.DataFrame(records, dtype=object)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return cleaned(value)
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return cleaned(str(value))
