"""Records as they stand in a file, nested or not: what one record after the other holds.

Tools for annotation write trees: a task with its answers, an answer with its parts. They are read
whole, since only their reader knows what is in them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.format import Content
from analysis.formats.rankings import cleaned
from analysis.formats.records import parquet_records

Record = Mapping[str, Any]

REMEDY = "Export it again."


def objects(content: Content, wanted: Sequence[str]) -> list[Record]:
    """Return all records with their keys in lower case; what is none is left out and counted.

    Of a table (CSV, Parquet) these are the ``wanted`` columns, all values text; of Parquet, where
    none is named, all columns as they are.
    """
    if content.kind == "parquet" and not wanted:
        rows = parquet_records(content.data, content.where, content.findings, content.max_bytes)
        return [{key.strip().casefold(): value for key, value in row.items()} for row in rows]
    if content.kind != "json":
        table = content.table(wanted)
        columns = {
            key: [column.names[code] for code in column.codes.tolist()]
            for key, column in table.columns.items()
        }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    text, findings, where = content.text, content.findings, content.where
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, "as one JSON text it")
    by_line = content.first_record is not None and text.lstrip()[:1] == b"{"
    parsed = _lines(text, where) if by_line else None
    if parsed is None:
        findings.place = "record"
        whole = _parse(text, where)
        found = [whole] if isinstance(whole, dict) else whole
        parsed = list(enumerate(found, 1)) if isinstance(found, list) else []
    bad = np.array([place for place, record in parsed if not isinstance(record, dict)])
    findings.leave_out_unparsed("being no record", bad, len(bad), lambda row: "not a JSON object")
    good = np.array([place for place, record in parsed if isinstance(record, dict)])
    if not len(good):
        raise ReadingError(where, "the JSON holds no records", REMEDY)
    findings.place_of = lambda rows: good[rows]
    return [
        {key.strip().casefold(): value for key, value in record.items()}
        for _, record in parsed
        if isinstance(record, dict)
    ]


def _parse(text: bytes, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", REMEDY) from None
    except ValueError as error:
        raise ReadingError(where, f"this is not complete JSON ({error})", REMEDY) from None


def _lines(text: bytes, where: str) -> list[tuple[int, Any]] | None:
    """Return a record a line; None where the first line is no whole record."""
    lines = [(n, line) for n, line in enumerate(text.split(b"\n"), 1) if line.strip()]
    parsed: list[tuple[int, Any]] = []
    for n, line in lines:
        try:
            parsed.append((n, json.loads(line, parse_constant=lambda _: None)))
        except (ValueError, RecursionError):
            if not parsed:
                return None
            if n == lines[-1][0] and not text.endswith(b"\n"):
                raise ReadingError(
                    f"{where}, line {n}",
                    "the last record ends in the middle, so part of the file is missing",
                    REMEDY,
                ) from None
            parsed.append((n, None))
    return parsed


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
