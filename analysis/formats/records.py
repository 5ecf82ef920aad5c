"""Votes as JSON, JSON Lines or Parquet: records turned into the columns of a table."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pa_json
import pyarrow.parquet as pq

from analysis.errors import ReadingError
from analysis.formats.delimited import Table, encode
from analysis.formats.rankings import Column, Findings

_REMEDY = "Arena votes are records with model_a, model_b and winner."


def read_json(text: bytes, wanted: Sequence[str], where: str, findings: Findings) -> Table:
    """Read a list of records, an object of columns, or one record a line."""
    if text.lstrip()[:1] == b"{" and _first_line_is_a_record(text):
        return _read_lines(text, wanted, where, findings)
    try:
        content = json.loads(text)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", _REMEDY) from None
    except ValueError as error:
        raise ReadingError(
            where, f"this is no complete JSON ({error})", "Export it again."
        ) from None
    findings.place = "record"
    if isinstance(content, dict):
        content = _records_of_columns(content, where)
    return _from_records(content, wanted, where, findings)


def _first_line_is_a_record(text: bytes) -> bool:
    try:
        first = json.loads(text.lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and not _looks_like_columns(first)


def _looks_like_columns(content: Mapping[str, Any]) -> bool:
    return bool(content) and all(isinstance(value, list | dict) for value in content.values())


def _records_of_columns(content: Mapping[str, Any], where: str) -> list[Any]:
    """Turn {"model_a": [...], …} or {"model_a": {"0": …}, …} into records."""
    if not _looks_like_columns(content):
        return [content]
    columns = {
        name: list(values.values()) if isinstance(values, dict) else values
        for name, values in content.items()
    }
    if len({len(values) for values in columns.values()}) > 1:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in list(columns.items())[:6])
        raise ReadingError(where, f"the columns have unequal lengths ({lengths})", _REMEDY)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _read_lines(text: bytes, wanted: Sequence[str], where: str, findings: Findings) -> Table:
    """Read one record a line; a last line that ends in the middle means a truncated file."""
    table = _read_lines_fast(text, wanted, findings)
    if table is not None:
        return table
    lines = [(n, line) for n, line in enumerate(text.split(b"\n"), 1) if line.strip()]
    records: list[Any] = []
    for n, line in lines:
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            if n == lines[-1][0] and not text.endswith(b"\n"):
                raise ReadingError(
                    f"{where}, line {n}",
                    "the last record ends in the middle, so part of the file is missing",
                    "Download or export it again.",
                ) from None
            records.append(error)
    numbers = np.array([n for n, _ in lines])
    return _from_records(records, wanted, where, findings, numbers)


def _read_lines_fast(text: bytes, wanted: Sequence[str], findings: Findings) -> Table | None:
    """Let Arrow read the wanted fields where all lines have the first line's types."""
    first = json.loads(text.lstrip().partition(b"\n")[0])
    types = {str: pa.string(), int: pa.int64()}
    fields = {
        name: types.get(type(value)) for name, value in first.items() if name.casefold() in wanted
    }
    if not fields or None in fields.values() or b"\n\n" in text or text[:1] == b"\n":
        return None
    try:
        table = pa_json.read_json(
            pa.BufferReader(text),
            read_options=pa_json.ReadOptions(block_size=1 << 24),
            parse_options=pa_json.ParseOptions(
                explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"
            ),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != text.rstrip(b"\n").count(b"\n") + 1:
        return None
    return _from_arrow(table, tuple(first), "jsonl", findings)


def _from_records(
    content: Any,
    wanted: Sequence[str],
    where: str,
    findings: Findings,
    numbers: np.ndarray | None = None,
) -> Table:
    if not isinstance(content, list) or not content:
        raise ReadingError(where, "the JSON holds no list of records", _REMEDY)
    is_record = np.array([isinstance(record, dict) for record in content])
    if not is_record.any():
        raise ReadingError(where, "the JSON holds no records", _REMEDY)
    number = np.arange(1, len(content) + 1) if numbers is None else numbers
    findings.place_of = lambda rows: number[rows]
    findings.leave_out(
        "being no record", np.flatnonzero(~is_record), lambda row: "not a JSON object"
    )
    findings.n_unparsed = int(np.count_nonzero(~is_record))
    good = number[is_record]
    findings.place_of = lambda rows: good[rows]
    records = [record for record in content if isinstance(record, dict)]
    names = dict.fromkeys(name for record in records for name in record)
    columns = {}
    for name in names:
        key = name.strip().casefold()
        if key in wanted and key not in columns:
            columns[key] = _column(record.get(name) for record in records)
    return Table(columns, tuple(names), len(records), "json", findings)


def _column(values: Iterable[Any]) -> Column:
    known: dict[str, int] = {}
    codes = [known.setdefault(_text(value), len(known)) for value in values]
    return Column(np.array(codes, dtype=np.int32), list(known))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def read_parquet(
    data: bytes, wanted: Sequence[str], where: str, findings: Findings, max_bytes: int
) -> Table:
    """Read the wanted columns of a Parquet file."""
    findings.place = "record"
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        names = file.schema_arrow.names
        if file.metadata.num_rows * 8 > max_bytes or _unpacked_size(file, wanted) > max_bytes:
            raise ReadingError(
                where,
                f"unpacked it is larger than {max_bytes / 1e9:.3g} GB",
                "Split it, one language a file.",
            )
        columns = [name for name in names if name.strip().casefold() in wanted]
        table = file.read(columns=columns)
    except (pa.ArrowException, OSError) as error:
        raise ReadingError(
            where,
            f"the Parquet file is damaged or cut off ({str(error).splitlines()[0][:120]})",
            "Download or export it again.",
        ) from None
    return _from_arrow(table, tuple(names), "parquet", findings)


def _unpacked_size(file: pq.ParquetFile, wanted: Sequence[str]) -> int:
    groups = (file.metadata.row_group(g) for g in range(file.metadata.num_row_groups))
    return sum(
        group.column(c).total_uncompressed_size
        for group in groups
        for c in range(group.num_columns)
        if group.column(c).path_in_schema.casefold() in wanted
    )


def _from_arrow(
    table: pa.Table, header: tuple[str, ...], format_name: str, findings: Findings
) -> Table:
    columns: dict[str, Column] = {}
    for name in table.column_names:
        column = table.column(name)
        kind = column.type
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            text = column
        elif pa.types.is_nested(kind):
            text = pa.chunked_array([pa.array([str(v) for v in column.to_pylist()])])
        elif pa.types.is_floating(kind):
            text = pa.chunked_array([pa.array([_text(v) for v in column.to_pylist()], pa.string())])
        else:
            text = column.cast(pa.string())
        columns.setdefault(name.strip().casefold(), encode(text))
    return Table(columns, header, table.num_rows, format_name, findings)
