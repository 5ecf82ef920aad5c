"""Votes as JSON, JSON Lines or Parquet: records turned into the columns of a table."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pa_json
import pyarrow.parquet as pq

from analysis.errors import ReadingError
from analysis.formats import budgets, parquet_footer
from analysis.formats.delimited import Table, encode
from analysis.formats.rankings import Codes, Column, Findings, cleaned
from analysis.formats.report import Oddity

_VALUES_AT_ONCE = 1 << 20
"""Values of a column that are laid out together, those within lists counted."""
_REMEDY = "Arena votes are records with model_a, model_b and winner."


def read_json(text: bytes, wanted: Sequence[str], where: str, findings: Findings) -> Table:
    """Read a list of records, an object of columns, or one record per line."""
    if text.lstrip()[:1] == b"{" and _first_line_is_a_record(text):
        return _read_lines(text, wanted, where, findings)
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, "as one JSON text it")
    records = _Records(findings)
    try:
        content = records.parse(text)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", _REMEDY) from None
    except ValueError as error:
        raise ReadingError(
            where, f"this is not complete JSON ({error})", "Export it again."
        ) from None
    findings.place = "record"
    records.note()
    if isinstance(content, dict):
        content = _records_of_columns(content, where)
    return _from_records(content, wanted, where, findings)


class _Records:
    """Parses JSON; remembers what its rules allow and no table has: NaN, and a name twice."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._twice: dict[str, None] = {}
        self._no_numbers = 0

    def parse(self, text: bytes) -> Any:
        return json.loads(text, parse_constant=self._constant, object_pairs_hook=self._object)

    def _constant(self, text: str) -> None:
        self._no_numbers += 1

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            names = [name for name, _ in pairs]
            self._twice.update(dict.fromkeys(n for n in names if names.count(n) > 1))
        return content

    def note(self) -> None:
        if self._no_numbers:
            self._findings.oddities.append(
                Oddity(
                    "not-a-number",
                    f"NaN or Infinity stands {self._no_numbers} times in the file and was read "
                    "as a missing value.",
                    self._no_numbers,
                )
            )
        if self._twice:
            self._findings.oddities.append(
                Oddity(
                    "keys-twice",
                    f"Some records hold {', '.join(name[:40] for name in list(self._twice)[:5])} "
                    "more than once; the last was read.",
                    len(self._twice),
                )
            )


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
    """Read one record per line; a last line that ends in the middle means a truncated file."""
    table = _read_lines_fast(text, wanted, findings)
    if table is not None:
        return table
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, "as JSON of mixed types it")
    lines = [(n, line) for n, line in enumerate(text.split(b"\n"), 1) if line.strip()]
    records: list[Any] = []
    parser = _Records(findings)
    for n, line in lines:
        try:
            records.append(parser.parse(line))
        except (ValueError, RecursionError) as error:
            if n == lines[-1][0] and not text.endswith(b"\n"):
                raise ReadingError(
                    f"{where}, line {n}",
                    "the last record ends in the middle, so part of the file is missing",
                    "Download or export it again.",
                ) from None
            records.append(error)
    parser.note()
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
    except (pa.ArrowException, UnicodeError):
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
    bad = number[~is_record]
    findings.leave_out_unparsed("being no record", bad, len(bad), lambda row: "not a JSON object")
    good = number[is_record]
    findings.place_of = lambda rows: good[rows]
    records = [record for record in content if isinstance(record, dict)]
    names = dict.fromkeys(name for record in records for name in record)
    columns: dict[str, Column] = {}
    findings.note_columns_twice([name for name in names if name.strip().casefold() in wanted])
    for name in names:
        key = name.strip().casefold()
        if key in wanted and key not in columns:
            column = _column(record.get(name) for record in records)
            columns[key] = column.cleaned(findings)
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
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    return str(value)


def read_parquet(
    data: bytes, wanted: Sequence[str], where: str, findings: Findings, max_bytes: int
) -> Table:
    """Read the wanted columns of a Parquet file, the first of each name, one after the other."""
    findings.place = "record"
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        names = [cleaned(name) for name in file.schema_arrow.names]
        budgets.check_rows(file.metadata.num_rows, where)
        chunks = parquet_footer.chunks(data)
        size = sum(c.unpacked for c in chunks if cleaned(c.column).casefold() in wanted)
        budgets.check_bytes(size, max_bytes, where)
        keys = [name.casefold() for name in names]
        findings.note_columns_twice([name for name in names if name.casefold() in wanted])
        columns = {
            key: _read_column(file, data, keys.index(key), chunks, where, findings, max_bytes)
            for key in wanted
            if key in keys
        }
        n_rows = file.metadata.num_rows
        if any(len(column) != n_rows for column in columns.values()):
            raise pa.ArrowInvalid("columns of unequal length")
        return Table(columns, tuple(names), n_rows, "parquet", findings)
    except (pa.ArrowException, OSError, ValueError, KeyError, RecursionError) as error:
        raise ReadingError(
            where,
            f"the Parquet file is damaged or cut off, or holds something else than text "
            f"({(str(error).splitlines() or [''])[0][:120]})",
            "Download or export it again.",
        ) from None


def _read_column(
    file: pq.ParquetFile,
    data: bytes,
    place: int,
    chunks: Sequence[parquet_footer.Chunk],
    where: str,
    findings: Findings,
    max_bytes: int,
) -> Column:
    """Read one column; text stays a dictionary, anything else comes in small parts.

    So a small file cannot grow: text that is repeated, or stored as what each value adds to the
    one before, and long lists are never laid out for all rows at once.
    """
    field = file.schema_arrow.field(place)
    if file.schema_arrow.names.count(field.name) > 1:
        raise ReadingError(
            where, f"two columns are called {cleaned(field.name)}", "Rename or remove one of them."
        )
    own_chunks = [chunk for chunk in chunks if chunk.column == field.name]
    is_packed = any(parquet_footer.DELTA_BYTE_ARRAY in chunk.encodings for chunk in own_chunks)
    if _is_text(field.type) and not is_packed:
        file = pq.ParquetFile(io.BytesIO(data), read_dictionary=[field.name])
        groups = range(file.metadata.num_row_groups)
        parts: Iterable[Any] = (file.read_row_group(g, columns=[field.name]) for g in groups)
    else:
        n = 1 << (10 if _is_text(field.type) or pa.types.is_nested(field.type) else 16)
        values_a_row = sum(c.values for c in own_chunks) / max(file.metadata.num_rows, 1)
        n = max(1, min(n, int(_VALUES_AT_ONCE / max(values_a_row, 1))))
        parts = file.iter_batches(batch_size=n, columns=[field.name])
    known: dict[str, int] = {}
    codes: list[Codes] = [np.zeros(0, np.int32)]
    size = 0
    for part in parts:
        column = part.column(0)
        column.validate(full=True)  # Codes of a damaged file may lie outside its dictionary.
        own = _texts(column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column]))
        size += sum(len(name) for name in own.names if name not in known)
        budgets.check_bytes(size, max_bytes, where)
        codes.append(own.map(lambda name: known.setdefault(name, len(known))).astype(np.int32))
    return Column(np.concatenate(codes), list(known)).cleaned(findings)


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _texts(column: pa.ChunkedArray) -> Column:
    """Return any column as text; what is missing or no number is an empty text."""
    kind = column.type
    if pa.types.is_dictionary(kind) and not _is_text(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_null(kind):
        return Column.constant("", len(column))
    if pa.types.is_floating(kind) or pa.types.is_nested(kind):
        column = pa.chunked_array([pa.array(map(_text, column.to_pylist()), pa.string())])
    elif not _is_text(kind):
        column = column.cast(pa.string())
    return encode(column)


def _from_arrow(
    table: pa.Table, header: tuple[str, ...], format_name: str, findings: Findings
) -> Table:
    columns: dict[str, Column] = {}
    findings.note_columns_twice([n for n in header if n.strip().casefold() in table.column_names])
    for name in table.column_names:
        column = _texts(table.column(name)).cleaned(findings)
        columns.setdefault(name.strip().casefold(), column)
    return Table(columns, header, table.num_rows, format_name, findings)
