"""What a Parquet file says of its columns, read without Arrow.

Arrow reads this too, but a damaged footer (sizes that do not fit each other) makes
``RowGroupMetaData.column`` end the whole process, and with it everybody's session. The footer is a
tree in Thrift's compact protocol; what is wrong in it is a `ValueError` here.

- Apache Thrift: *Thrift Compact protocol encoding.*
- Apache Parquet: *parquet.thrift*, whose field numbers stand below.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAGIC = b"PAR1"
DELTA_BYTE_ARRAY = 7

_ROW_GROUPS, _COLUMNS, _METADATA = 4, 1, 3
_ENCODINGS, _PATH, _VALUES, _UNCOMPRESSED = 2, 3, 5, 6
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)


@dataclass(frozen=True)
class Chunk:
    """A column, or a part of a nested one, in a group of rows: its bytes before packing."""

    column: str
    values: int
    unpacked: int
    encodings: tuple[int, ...]


def chunks(data: bytes) -> list[Chunk]:
    """Return the chunks of a Parquet file, group by group."""
    size = int.from_bytes(data[-8:-4], "little")
    if data[-4:] != MAGIC or size > len(data) - 12:
        raise ValueError("the footer is missing")
    tree = _Compact(data[len(data) - 8 - size : -8]).struct()
    return list(_chunks_of(tree))


def _chunks_of(tree: dict[int, Any]) -> Iterator[Chunk]:
    for group in _list(tree, _ROW_GROUPS):
        for column in _list(group, _COLUMNS):
            known = column.get(_METADATA, {}) if isinstance(column, dict) else {}
            path, encodings = _list(known, _PATH), _list(known, _ENCODINGS)
            values, unpacked = known.get(_VALUES, 0), known.get(_UNCOMPRESSED, 0)
            if not path or not isinstance(path[0], bytes):
                raise ValueError("the footer does not name a column")
            if not all(isinstance(n, int) and n >= 0 for n in (values, unpacked)):
                raise ValueError("the footer does not give a column's size")
            yield Chunk(path[0].decode(errors="replace"), values, unpacked, tuple(encodings))


def _list(tree: Any, field: int) -> list[Any]:
    found = tree.get(field, []) if isinstance(tree, dict) else None
    if not isinstance(found, list):
        raise ValueError("the footer is not a tree of groups and columns")
    return found


class _Compact:
    """Reads values of Thrift's compact protocol one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> dict[int, Any]:
        """Return a struct's values by their field numbers."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind = head & 15
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind in (_I16, _I32, _I64):
            return self._signed()
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind in (_LIST, _SET):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._value(head & 15) for _ in range(size)]
        if kind == _MAP:
            size = self._unsigned()
            kinds = self._byte() if size else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(size)]
        if kind == _STRUCT:
            return self.struct()
        raise ValueError(f"the footer contains a value of an unknown kind ({kind})")

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, n: int) -> bytes:
        found = self._data[self._at : self._at + n]
        if len(found) < n:
            raise ValueError("the footer ends in the middle")
        self._at += n
        return found

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("the footer contains a number of more than 64 bits")

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)
