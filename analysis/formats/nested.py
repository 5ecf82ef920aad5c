"""Records as they stand in a file, nested or not: what one record after the other holds.

Tools for annotation write trees: a task with its answers, an answer with its parts. Each record
comes whole, since only its reader knows what is in it.
"""

from __future__ import annotations

import array
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from analysis.errors import ReadingError
from analysis.formats import budgets, json_stream
from analysis.formats.content import Content
from analysis.formats.delimited import Table
from analysis.formats.rankings import cleaned
from analysis.formats.records import parquet_records

Record = Mapping[str, Any]

REMEDY = "Make a new export."
_ROWS_AT_ONCE = 1 << 12


class Records:
    """The records of a file one after the other, each a dictionary with its keys in lower case.

    Each record is parsed when its turn comes, so that never all of them are Python's objects: they
    can be gone through once. What is no record is left out and counted; `len` is known at the end.
    Of a table (CSV, Parquet) records hold the ``wanted`` columns, all values text; of Parquet,
    where none is named, all columns as they are.
    """

    def __init__(self, content: Content, wanted: Sequence[str]) -> None:
        self._content, self._wanted = content, wanted
        self._good, self._bad = array.array("q"), array.array("q")

    def __len__(self) -> int:
        return len(self._good)

    def __iter__(self) -> Iterator[Record]:
        if self._content.kind != "json":
            for record in self._of_a_table():
                self._good.append(len(self._good))
                yield record
            return
        for record in self.plain():
            yield {key.strip().casefold(): value for key, value in record.items()}

    def plain(self) -> Iterator[Record]:
        """Yield the records of JSON with their keys as they are."""
        content = self._content
        for place, record in parsed(content):
            if isinstance(record, dict):
                self._good.append(place)
                yield record
            else:
                self._bad.append(place)
        good, bad = (np.frombuffer(own, np.int64) for own in (self._good, self._bad))
        findings = content.findings
        findings.leave_out_unparsed(
            "not being a record", bad, len(bad), lambda row: "not a JSON object"
        )
        if not len(good):
            raise ReadingError(content.where, "the JSON contains no records", REMEDY)
        findings.place_of = lambda rows: good[rows]

    def _of_a_table(self) -> Iterator[Record]:
        content = self._content
        if content.kind != "parquet" or self._wanted:
            yield from rows_of(content.table(self._wanted))
            return
        rows = parquet_records(content.data, content.where, content.findings, content.max_bytes)
        for row in rows:
            yield {key.strip().casefold(): value for key, value in row.items()}


def rows_of(table: Table) -> Iterator[dict[str, str]]:
    """Yield a table's rows, each a dictionary of text."""
    columns = table.columns
    for start in range(0, table.n_rows, _ROWS_AT_ONCE):
        part = [
            [column.names[code] for code in column.codes[start : start + _ROWS_AT_ONCE].tolist()]
            for column in columns.values()
        ]
        for row in zip(*part, strict=True):
            yield dict(zip(columns, row, strict=True))


def parsed(content: Content) -> Iterator[tuple[int, Any]]:
    """Yield what stands in a JSON text, with its line or its number; None for what is no JSON."""
    text, findings, where = content.text, content.findings, content.where
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, "as one JSON text it")
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    is_object = json_stream.first_sign(text) == b"{"
    if is_object and json_stream.is_a_record(json_stream.first_line(text)):
        yield from json_stream.lines(text, decoder, where)
        return
    findings.place = "record"
    try:
        if is_object:
            yield 1, decoder.decode(text.decode())
        else:
            yield from enumerate(json_stream.elements(text, decoder), 1)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", REMEDY) from None
    except ValueError as error:
        raise json_stream.refusal(error, text, where) from None


def text_of(value: Any) -> str:
    """Return a name or number as `cleaned` text, anything else as an empty one.

    >>> text_of(" a "), text_of(3.0), text_of(2.5), text_of(None), text_of([1])
    ('a', '3', '2.5', '', '')
    """
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if isinstance(value, float) and value == value and abs(value) < 1e15 and value.is_integer():
        value = int(value)
    return str(value) if value == value else ""


def first_text(record: Record, keys: Sequence[str]) -> str:
    """Return the first of some values that is not empty."""
    return next((found for key in keys if (found := text_of(record.get(key)))), "")


def list_of(value: Any) -> list[Any]:
    """Return a list as it is, and nothing for anything else; text may be the JSON of a list."""
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return value if isinstance(value, list) else []


def dict_of(value: Any) -> dict[str, Any]:
    """Return an object as it is, and an empty one for anything else; text may be its JSON."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}
