"""One file's content as a format sees it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import pyarrow as pa

from analysis.formats import frames, json_stream, records, unpacking
from analysis.formats.delimited import MAY_BREAK_LINES, Table, read_rows
from analysis.formats.header import Header, read_header
from analysis.formats.rankings import Findings
from analysis.formats.unpacking import to_utf8

Container = Literal["parquet", "archive", "xml", "json", "table"]


class Content:
    """One file's content as a format sees it: its kind, its header, the columns it asks for."""

    def __init__(
        self,
        data: bytes,
        where: str,
        findings: Findings,
        max_bytes: int,
        *,
        is_well_quoted: bool = False,
        frame: pa.Table | None = None,
    ) -> None:
        self.data = data
        self.where = where
        self.findings = findings
        self.max_bytes = max_bytes
        self.is_well_quoted = is_well_quoted
        self.frame = frame

    @classmethod
    def of_frame(cls, frame: pa.Table, where: str, findings: Findings) -> Content:
        """Return a frame as content: a table with a header, without text unless a format asks."""
        return cls(b"", where, findings, frame.nbytes, is_well_quoted=True, frame=frame)

    @cached_property
    def kind(self) -> Container:
        """What holds the judgments: an archive, an XML tree, records, or delimited text."""
        if self.frame is not None:
            return "table"
        if self.data[:4] == b"PAR1":
            return "parquet"
        if unpacking.is_zip(self.data) or unpacking.is_tar(self.data):
            return "archive"
        # A mark of the byte order, and the zeros of UTF-16, may stand before the first letter.
        if self.data[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
            return "xml"
        return "json" if json_stream.first_sign(self.text) in (b"[", b"{") else "table"

    @cached_property
    def text(self) -> bytes:
        """The content as UTF-8 with one line feed a line; that of a frame is written as CSV."""
        if self.frame is not None:
            return frames.as_csv(self.frame)
        return to_utf8(self.data, self.where, self.findings)

    @cached_property
    def header(self) -> Header | None:
        """The first line of delimited text; None for anything else."""
        if self.frame is not None:
            return Header(tuple(self.frame.column_names), ",", 0)
        return read_header(self.text, self.where) if self.kind == "table" else None

    @cached_property
    def first_as_written(self) -> dict[str, Any] | None:
        """The first record of JSON; None where there is none."""
        return records.first_object(self.text) if self.kind == "json" else None

    @cached_property
    def first_record(self) -> dict[str, Any] | None:
        """The first record of JSON, by keys in lower case; None where there is none."""
        record = self.first_as_written
        if record is None:
            return None
        return {key.strip().casefold(): value for key, value in record.items()}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of all columns in lower case, or of the first record's."""
        if self.header is not None:
            return frozenset(self.header.keys)
        if self.kind == "parquet":
            return records.parquet_names(self.data)
        return frozenset(self.first_record or ())

    @property
    def place(self) -> str:
        """The file, and the line of its header where it has one."""
        if self.header is None or self.frame is not None:
            return self.where
        return f"{self.where}, line {self.header.line}"

    def table(self, wanted: Sequence[str], may_break: Sequence[str] = MAY_BREAK_LINES) -> Table:
        """Return the wanted columns, by name in lower case, whatever kind of table holds them.

        Values of columns of ``may_break`` may have several lines in delimited text.
        """
        if self.is_well_quoted:
            may_break = wanted
        if self.frame is not None:
            table = records.of_arrow(self.frame, wanted, self.findings)
        elif self.header is not None:
            table = read_rows(self.text, self.header, wanted, self.where, self.findings, may_break)
        elif self.kind == "parquet":
            table = records.read_parquet(
                self.data, wanted, self.where, self.findings, self.max_bytes
            )
        else:
            table = records.read_json(self.text, wanted, self.where, self.findings)
        self.findings.note_unused(table.header, wanted)
        return table
