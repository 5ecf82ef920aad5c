"""From the bytes of a file to plain content: gzip, text encodings, and files that are neither."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator

from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.rankings import Findings
from analysis.formats.report import Oddity

ZIP = b"PK\x03\x04"

_OTHER_FILES = (
    (b"%PDF", "this is a PDF", "Upload the table of judgments itself."),
    (
        ZIP,
        "this is a ZIP archive or a workbook",
        "Unpack it, or save the sheet as CSV, and upload that.",
    ),
    (b"\xd0\xcf\x11\xe0", "this is an old Excel workbook", "Save the sheet as CSV."),
    (b"BZh", "this is a bzip2 file", "Unpack it, or use gzip."),
    (b"\xfd7zXZ", "this is an xz file", "Unpack it, or use gzip."),
    (b"\x28\xb5\x2f\xfd", "this is a zstd file", "Unpack it, or use gzip."),
    (b"\x89PNG", "this is a picture", ""),
    (b"\xff\xd8\xff", "this is a picture", ""),
)


def unpack(data: bytes, where: str, max_bytes: int, *, archives: bool = False) -> bytes:
    """Return the content of a file, unzipped where it is gzipped; at most ``max_bytes`` of it.

    ``archives``: a zip archive is let through as it is, for a format that looks into it.
    """
    if not data:
        raise ReadingError(where, "the file is empty", "Make a new export.")
    if data[:2] == b"\x1f\x8b":
        data = _gunzip(data, where, max_bytes)
        if not data:
            raise ReadingError(where, "the gzipped file is empty", "Make a new export.")
    if not (archives and data.startswith(ZIP)):
        refuse_other_files(data, where)
    return data


def refuse_other_files(data: bytes, where: str) -> None:
    """Raise for content that no format reads: documents, pictures, archives."""
    for start, got, remedy in _OTHER_FILES:
        if data.startswith(start):
            raise ReadingError(where, got, remedy)


def _gunzip(data: bytes, where: str, max_bytes: int) -> bytes:
    n_bytes = n_lines = 0
    try:
        # Once to see how much it is, and only then to keep it.
        for chunk in _unzipped(data):
            n_bytes += len(chunk)
            n_lines += chunk.count(b"\n")
            budgets.check_bytes(n_bytes, max_bytes, where, "unzipped it")
            budgets.check_rows(n_lines, where, len(data))
        return b"".join(_unzipped(data))
    except EOFError:
        raise ReadingError(
            where, "the gzipped file ends in the middle", "Make a new download or copy."
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise ReadingError(
            where, f"the gzipped file is damaged ({error})", "Make a new download or copy."
        ) from None


def _unzipped(data: bytes) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        while chunk := packed.read(1 << 22):
            yield chunk


def to_utf8(data: bytes, where: str, findings: Findings) -> bytes:
    """Return text as UTF-8 without a byte order mark, each line ending in one line feed.

    Text that is not UTF-8 is taken for Latin-1 and noted. CR CR LF, CR LF and CR become LF.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeError:
            raise ReadingError(where, "not readable as UTF-16 text") from None
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        raise ReadingError(where, "this is a binary file, not text")
    if not _is_utf8(data):
        if _has_control_characters(data):
            raise ReadingError(where, "this is a binary file, not text")
        data = data.decode("latin-1").encode()
        findings.oddities.append(
            Oddity(
                "encoding",
                "The file is not UTF-8; it was read as Latin-1. Check that names with accents "
                "are right; if not, save the file as UTF-8.",
            )
        )
    if b"\r" in data:
        data = data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _is_utf8(data: bytes) -> bool:
    """Say whether bytes are UTF-8, without laying out all of them as text."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for first in range(0, len(data), 1 << 20):
            decoder.decode(view[first : first + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _has_control_characters(data: bytes) -> bool:
    start = data[:65536]
    return len(start.translate(None, bytes(set(range(32)) - {9, 10, 12, 13}))) < len(start)
