"""Votes as JSON, JSON Lines or Parquet: records turned into the columns of a table."""

from __future__ import annotations

import array
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pa_json
import pyarrow.parquet as pq

from analysis.errors import ReadingError
from analysis.formats import budgets, json_stream, parquet_footer
from analysis.formats.delimited import Table, encode
from analysis.formats.rankings import Codes, Column, Findings, cleaned

_VALUES_AT_ONCE = 1 << 20
"""Values of a column that are laid out together, those within lists counted."""
_BYTES_A_VALUE = 64
"""What a value takes at least once it is Python's."""
_COLUMNS_AT_ONCE = 2
"""Columns of a Parquet file that are read side by side: each is in memory as a whole."""
_BLOCK = 1 << 22
"""Bytes of lines that are parsed together; a longer record is read without Arrow."""
_REMEDY = "Arena votes are records with model_a, model_b and winner."


def read_json(text: bytes, wanted: Sequence[str], where: str, findings: Findings) -> Table:
    """Read a list of records, an object of columns, or one record per line.

    Records become codes as they are parsed, so that never all of them are Python's objects.
    """
    parser, findings.place = _Records(findings), "record"
    try:
        if json_stream.first_sign(text) == b"{":
            table = _read_columns(text, wanted, parser, where, findings)
            return table or _read_lines(text, wanted, where, findings)
        _check_json(text, where, "as one JSON text it")
        columns = _Columns(wanted)
        for record in json_stream.elements(text, parser.decoder):
            columns.add(record)
        return columns.table(where, findings, parser)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", _REMEDY) from None
    except ValueError as error:
        raise json_stream.refusal(error, text, where) from None


def read_flat(
    records: Iterable[dict[str, Any]], wanted: Sequence[str], where: str, findings: Findings
) -> Table:
    """Return the wanted columns of records that are parsed and flat."""
    columns, findings.place = _Columns(wanted), "record"
    for record in records:
        columns.add(record)
    return columns.table(where, findings, _Records(findings))


def first_object(text: bytes) -> dict[str, Any] | None:
    """Return the first record of a list, of lines or alone, without reading the others.

    Of an object that is large, as one of whole columns, the values are left out.
    """
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    for most in (1 << 20, 1 << 24):
        begin = text[:most].decode(errors="ignore").lstrip("\ufeff \t\r\n")
        is_list = begin[:1] == "["
        if is_list:
            begin = begin[1:].lstrip()
        try:
            found, _ = decoder.raw_decode(begin)
        except (ValueError, RecursionError):
            if not is_list:
                return _names_of_members(text, decoder)
            continue
        return found if isinstance(found, dict) else None
    return None


def _names_of_members(text: bytes, decoder: json.JSONDecoder) -> dict[str, Any] | None:
    """Return the first object's names without their values; None where it does not end."""
    names: dict[str, Any] = {}
    try:
        names.update((name, None) for name, _ in json_stream.members(text, decoder))
    except RecursionError:
        return None
    except ValueError:
        # Another line follows, or the object is cut.
        pass
    return names or None


def parquet_names(data: bytes) -> frozenset[str]:
    """Return the names of a Parquet file's columns in lower case; none where it is damaged."""
    try:
        names = pq.read_schema(pa.BufferReader(data)).names
    except (pa.ArrowException, OSError, ValueError, KeyError, RecursionError):
        return frozenset()
    return frozenset(cleaned(name).casefold() for name in names)


class _Records:
    """Parses JSON; remembers what its rules allow and no table has: NaN, and a name twice."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._twice: dict[str, None] = {}
        self._no_numbers = 0
        self.decoder = json.JSONDecoder(
            parse_constant=self._constant, object_pairs_hook=self._object
        )

    def _constant(self, text: str) -> None:
        self._no_numbers += 1

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            self.note_twice([name for name, _ in pairs])
        return content

    def note_twice(self, names: Sequence[str]) -> None:
        times = Counter(names)
        self._twice.update(dict.fromkeys(name for name in names if times[name] > 1))

    def note(self) -> None:
        if self._no_numbers:
            self._findings.note(
                "not-a-number",
                f"NaN or Infinity occurs {self._no_numbers} times in the file and was read as "
                "a missing value.",
                self._no_numbers,
            )
        if self._twice:
            self._findings.note(
                "keys-twice",
                "Some records contain "
                f"{', '.join(name[:40] for name in list(self._twice)[:5])} more than once; "
                "the last was read.",
                len(self._twice),
            )


def _read_columns(
    text: bytes, wanted: Sequence[str], parser: _Records, where: str, findings: Findings
) -> Table | None:
    """Read {"model_a": [...], …} or {"model_a": {"0": …}, …}; None where it is something else."""
    sizes: dict[str, int] = {}
    columns: dict[str, tuple[str, Column]] = {}
    names: list[str] = []
    try:
        for name, value in json_stream.members(text, parser.decoder):
            if not names:
                _check_json(text, where, "as one JSON text it")
            if not isinstance(value, list | dict):
                return None
            names.append(name)
            sizes[name] = len(value)
            key = name.strip().casefold()
            if key in wanted and columns.get(key, (name,))[0] == name:
                columns[key] = name, _column(value.values() if isinstance(value, dict) else value)
            del value
    except (ValueError, RecursionError):
        if json_stream.is_a_record(json_stream.first_line(text)):
            return None
        raise
    if not sizes:
        return None
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{name} {size}" for name, size in list(sizes.items())[:6])
        raise ReadingError(where, f"the columns have unequal lengths ({lengths})", _REMEDY)
    n_rows = next(iter(sizes.values()))
    if not n_rows:
        raise ReadingError(where, "the JSON contains no list of records", _REMEDY)
    parser.note_twice(names)
    parser.note()
    findings.note_columns_twice([name for name in sizes if name.strip().casefold() in wanted])
    cleaned_columns = {key: column.cleaned(findings) for key, (_, column) in columns.items()}
    return Table(cleaned_columns, tuple(sizes), n_rows, "json", findings)


def _read_lines(text: bytes, wanted: Sequence[str], where: str, findings: Findings) -> Table:
    """Read one record per line; a last line that ends in the middle means a truncated file."""
    parser, columns = _Records(findings), _Columns(wanted)
    if not json_stream.is_a_record(json_stream.first_line(text)):
        # It is a record of several lines.
        columns.add(parser.decoder.decode(text.decode()))
        return columns.table(where, findings, parser)
    findings.place = "line"
    table = _read_lines_fast(text, wanted, findings)
    if table is not None:
        return table
    _check_json(text, where, "as JSON of mixed types it")
    for n, record in json_stream.lines(text, parser.decoder, where):
        columns.add(record, n)
    return columns.table(where, findings, parser)


def _check_json(text: bytes, where: str, what: str) -> None:
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, what)


def _read_lines_fast(text: bytes, wanted: Sequence[str], findings: Findings) -> Table | None:
    """Let Arrow read the wanted fields where all lines have the first line's types."""
    first = json.loads(json_stream.first_line(text))
    types = {str: pa.string(), int: pa.int64()}
    fields = {
        name: types.get(type(value)) for name, value in first.items() if name.casefold() in wanted
    }
    if not fields or None in fields.values() or b"\n\n" in text or text[:1] == b"\n":
        return None
    try:
        table = pa_json.read_json(
            pa.BufferReader(text),
            read_options=pa_json.ReadOptions(block_size=_BLOCK, use_threads=len(text) > _BLOCK),
            parse_options=pa_json.ParseOptions(
                explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"
            ),
        )
    except (pa.ArrowException, UnicodeError):
        return None
    if table.num_rows != text.count(b"\n") + (not text.endswith(b"\n")):
        return None
    return _from_arrow(table, tuple(first), "jsonl", findings)


class _Columns:
    """The wanted columns of records, as codes that grow with each record."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = frozenset(wanted)
        self._names: dict[str, None] = {}
        self._columns: dict[str, tuple[str, dict[str, int], array.array[int]]] = {}
        self._good, self._bad = array.array("q"), array.array("q")

    def add(self, record: Any, number: int | None = None) -> None:
        """Take in a record, or note that something else stands there."""
        if number is None:
            number = len(self._good) + len(self._bad) + 1
        if not isinstance(record, dict):
            self._bad.append(number)
            return
        if not record.keys() <= self._names.keys():
            self._meet(record)
        for name, known, codes in self._columns.values():
            codes.append(known.setdefault(_text(record.get(name)), len(known)))
        self._good.append(number)

    def _meet(self, names: Iterable[str]) -> None:
        """Begin columns for names that no record had so far; of each key the first name counts."""
        for name in names:
            key = name.strip().casefold()
            if name not in self._names and key in self._wanted and key not in self._columns:
                before = len(self._good)
                codes = array.array("i", bytes(4 * before))
                self._columns[key] = name, ({"": 0} if before else {}), codes
            self._names[name] = None

    def table(self, where: str, findings: Findings, parser: _Records) -> Table:
        """Return the columns, cleaned; findings get what was no record, and what was odd."""
        parser.note()
        if not self._good:
            got = "no records" if self._bad else "no list of records"
            raise ReadingError(where, f"the JSON contains {got}", _REMEDY)
        bad, good = np.array(self._bad, dtype=np.int64), np.array(self._good, dtype=np.int64)
        findings.leave_out_unparsed(
            "not being a record", bad, len(bad), lambda row: "not a JSON object"
        )
        findings.place_of = lambda rows: good[rows]
        names = tuple(self._names)
        findings.note_columns_twice(
            [name for name in names if name.strip().casefold() in self._wanted]
        )
        columns = {}
        for key in list(self._columns):
            _, known, codes = self._columns.pop(key)
            column = Column(np.frombuffer(codes, dtype=np.int32), list(known))
            columns[key] = column.cleaned(findings)
        return Table(columns, names, len(good), "json", findings)


def _column(values: Iterable[Any]) -> Column:
    known: dict[str, int] = {}
    codes = array.array("i", (known.setdefault(_text(value), len(known)) for value in values))
    return Column(np.array(codes, dtype=np.int32), list(known))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and value and all(_is_turn(turn) for turn in value):
        return "\n\n".join(f"{turn.get('role', '')}: {turn['content']}" for turn in value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    return str(value)


def _is_turn(value: Any) -> bool:
    """Return whether a value is a turn of a conversation."""
    return isinstance(value, dict) and isinstance(value.get("content"), str)


def read_parquet(
    data: bytes, wanted: Sequence[str], where: str, findings: Findings, max_bytes: int
) -> Table:
    """Read the wanted columns of a Parquet file, the first of each name, one after the other."""
    findings.place = "record"
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        names = [cleaned(name) for name in file.schema_arrow.names]
        budgets.check_rows(file.metadata.num_rows, where, findings.n_bytes)
        chunks = parquet_footer.chunks(data)
        size = sum(c.unpacked for c in chunks if cleaned(c.column).casefold() in wanted)
        budgets.check_bytes(size, max_bytes, where)
        keys = [name.casefold() for name in names]
        findings.note_columns_twice([name for name in names if name.casefold() in wanted])
        own = [key for key in dict.fromkeys(wanted) if key in keys]

        def column_of(key: str) -> Column:
            return _read_column(data, keys.index(key), chunks, where, max_bytes)

        with ThreadPoolExecutor(max_workers=_COLUMNS_AT_ONCE) as threads:
            found = dict(zip(own, threads.map(column_of, own), strict=True))
        columns = {key: column.cleaned(findings) for key, column in found.items()}
        n_rows = file.metadata.num_rows
        if any(len(column) != n_rows for column in columns.values()):
            raise pa.ArrowInvalid("columns of unequal length")
        return Table(columns, tuple(names), n_rows, "parquet", findings)
    except (pa.ArrowException, OSError, ValueError, KeyError, RecursionError) as error:
        raise ReadingError(
            where,
            "the Parquet file is damaged or cut off, or contains something other than text "
            f"({(str(error).splitlines() or [''])[0][:120]})",
            "Make a new download or export.",
        ) from None


def parquet_records(
    data: bytes, where: str, findings: Findings, max_bytes: int
) -> list[dict[str, Any]]:
    """Return all rows of a Parquet file as they are, nested or not, a few at a time."""
    findings.place = "record"
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        budgets.check_rows(file.metadata.num_rows, where, findings.n_bytes)
        chunks = parquet_footer.chunks(data)
        n_values = sum(chunk.values for chunk in chunks)
        size = sum(chunk.unpacked for chunk in chunks) + _BYTES_A_VALUE * n_values
        budgets.check_bytes(size, min(max_bytes, budgets.max_json_bytes()), where)
        rows = max(1, min(1 << 10, int(_VALUES_AT_ONCE / max(n_values, 1))))
        found: list[dict[str, Any]] = []
        size = 0
        for part in file.iter_batches(batch_size=rows):
            part.validate(full=True)
            size += part.nbytes
            budgets.check_bytes(size, max_bytes, where)
            found += part.to_pylist()
        return found
    except (pa.ArrowException, OSError, ValueError, KeyError, RecursionError) as error:
        raise ReadingError(
            where,
            "the Parquet file is damaged or cut off "
            f"({(str(error).splitlines() or [''])[0][:120]})",
            "Make a new download or export.",
        ) from None


def _read_column(
    data: bytes, place: int, chunks: Sequence[parquet_footer.Chunk], where: str, max_bytes: int
) -> Column:
    """Read one column; text and whole numbers become a dictionary, anything else small parts.

    So a small file cannot grow: text that is repeated, or stored as what each value adds to the
    one before, and long lists are never laid out for all rows at once.
    """
    file = pq.ParquetFile(pa.BufferReader(data))
    field = file.schema_arrow.field(place)
    if file.schema_arrow.names.count(field.name) > 1:
        raise ReadingError(
            where, f"two columns are called {cleaned(field.name)}", "Rename or remove one of them."
        )
    own_chunks = [chunk for chunk in chunks if chunk.column == field.name]
    is_packed = any(parquet_footer.DELTA_BYTE_ARRAY in chunk.encodings for chunk in own_chunks)
    if _is_text(field.type) and not is_packed:
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=[field.name])
        return _read_dictionary(file, field, where, max_bytes)
    if pa.types.is_integer(field.type):
        return _read_dictionary(file, field, where, max_bytes)
    n = 1 << (10 if _is_text(field.type) or pa.types.is_nested(field.type) else 16)
    values_a_row = sum(c.values for c in own_chunks) / max(file.metadata.num_rows, 1)
    n = max(1, min(n, int(_VALUES_AT_ONCE / max(values_a_row, 1))))
    known: dict[str, int] = {}
    codes: list[Codes] = [np.zeros(0, np.int32)]
    size = 0
    for part in file.iter_batches(batch_size=n, columns=[field.name]):
        column = part.column(0)
        column.validate(full=True)
        own = _texts(pa.chunked_array([column]))
        size += sum(len(name) for name in own.names if name not in known)
        budgets.check_bytes(size, max_bytes, where)
        codes.append(own.map(lambda name: known.setdefault(name, len(known))).astype(np.int32))
    return Column(np.concatenate(codes), list(known))


def _read_dictionary(file: pq.ParquetFile, field: pa.Field, where: str, max_bytes: int) -> Column:
    """Read a column group by group, each as codes into its own different values."""
    parts: list[pa.Array] = []
    size = 0
    for group in range(file.metadata.num_row_groups):
        column = file.read_row_group(group, columns=[field.name]).column(0)
        column.validate(full=True)  # Codes of a damaged file may lie outside its dictionary.
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        size += sum(part.dictionary.nbytes for part in column.chunks)
        budgets.check_bytes(size, max_bytes, where)
        parts += column.chunks
    if not parts:
        return Column(np.zeros(0, np.int32), ())
    found = encode(pa.chunked_array(parts))
    if len(set(found.names)) < len(found.names):  # The file's own dictionary holds a word twice.
        found = Column(found.codes, found.names)
    # What is missing is no number.
    return found if _is_text(field.type) else Column(found.codes, list(map(str, found.names)))


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


def of_arrow(frame: pa.Table, wanted: Sequence[str], findings: Findings) -> Table:
    """Return the wanted columns of a frame."""
    kept = [k for k, name in enumerate(frame.column_names) if name.strip().casefold() in wanted]
    return _from_arrow(frame.select(kept), tuple(frame.column_names), "frame", findings)


def _from_arrow(
    table: pa.Table, header: tuple[str, ...], format_name: str, findings: Findings
) -> Table:
    columns: dict[str, Column] = {}
    findings.note_columns_twice([n for n in header if n.strip().casefold() in table.column_names])
    for name in table.column_names:
        column = _texts(table.column(name)).cleaned(findings)
        columns.setdefault(name.strip().casefold(), column)
    return Table(columns, header, table.num_rows, format_name, findings)
