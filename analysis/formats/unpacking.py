"""From the bytes of a file to plain content: gzip, archives, text encodings, other files.

Whatever a library says of a file, the user is told in words.
"""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from analysis.errors import PodiumError, ReadingError
from analysis.formats import budgets
from analysis.formats.rankings import Findings

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
ANY_FILE = "Give judgments as CSV, TSV, JSON, Parquet, Excel or XML; it may be zipped or gzipped."
"""What can be read, for files that are nothing of it."""


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
        findings.note(
            "encoding",
            "The file is not UTF-8; it was read as Latin-1. Check that names with accents "
            "are right; if not, save the file as UTF-8.",
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


# Archives: which files they hold, and their contents within bounds


_Read = Callable[[int], bytes]

MOST_FILES = 100_000
"""Files in one archive."""


def is_zip(data: bytes) -> bool:
    """Return whether content begins as a zip archive does."""
    return data.startswith(ZIP)


def is_tar(data: bytes) -> bool:
    """Return whether content begins as a tar archive does."""
    return data[257:262] == b"ustar"


def names(data: bytes) -> list[str]:
    """Return the files of an archive by their paths; nothing where it is damaged or no archive."""
    try:
        if is_zip(data):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                return packed.namelist()[:MOST_FILES]
        if is_tar(data):
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tree:
                return [member.name for member, _ in zip(tree, range(MOST_FILES), strict=False)]
    except _DAMAGE:
        return []
    return []


_DAMAGE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, OSError, EOFError,
    ValueError, RuntimeError, NotImplementedError, UnicodeError, KeyError, IndexError,
    OverflowError,
)  # fmt: skip


def contents(data: bytes, where: str, wanted: tuple[str, ...], max_bytes: int) -> dict[str, bytes]:
    """Return the files whose paths end so, all together at most ``max_bytes``."""
    found: dict[str, bytes] = {}
    total = 0
    try:
        for name, read, size in _members(data, where):
            if name.endswith(wanted):
                budgets.check_bytes(total + size, max_bytes, where)
                content = read(max_bytes - total + 1)
                total += len(content)
                budgets.check_bytes(total, max_bytes, where)
                found[name] = content
    except _DAMAGE as error:
        raise ReadingError(
            where,
            f"the archive is damaged or cut off ({(str(error).splitlines() or [''])[0][:120]})",
            "Make a new download or archive.",
        ) from None
    return found


_ASIDE = re.compile(
    r"(^|.*/)(\.[^/]*|__MACOSX/.*|readme[^/]*|license[^/]*|licence[^/]*)|.*\.(md|pdf|py|html?)",
    re.IGNORECASE,
)
"""Files of an archive that are not tables."""


def only_file(data: bytes, where: str, max_bytes: int) -> bytes | None:
    """Return the one file that an archive has beside notes; None for any other content."""
    files = [n for n in names(data) if not n.endswith("/") and not _ASIDE.fullmatch(n)]
    if len(files) != 1:
        return None
    return contents(data, where, (files[0],), max_bytes).get(files[0])


def _members(data: bytes, where: str) -> Iterator[tuple[str, _Read, int]]:
    n = 0
    if is_zip(data):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for entry in packed.infolist():
                n = _one_more(n, where)
                if not entry.is_dir():
                    yield entry.filename, partial(_unzip, packed, entry), entry.file_size
        return
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tree:
        for member in tree:
            n = _one_more(n, where)
            if member.isfile():
                yield member.name, partial(_untar, tree, member), member.size


def _unzip(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    with packed.open(entry) as file:
        return file.read(most)


def _untar(tree: tarfile.TarFile, member: tarfile.TarInfo, most: int) -> bytes:
    file = tree.extractfile(member)
    return b"" if file is None else file.read(most)


def _one_more(n: int, where: str) -> int:
    if n >= MOST_FILES:
        raise ReadingError(
            where, f"the archive contains more than {MOST_FILES} files", "Pack one language pair."
        )
    return n + 1


@contextmanager
def no_other_error(where: str, remedy: str = ANY_FILE) -> Iterator[None]:
    """Let no error but our own leave a reader; one of ours without a remedy gets ``remedy``.

    An error of a library stays the cause of what is told instead.
    """
    try:
        yield
    except PodiumError as error:
        if error.remedy:
            raise
        raise ReadingError(error.where, error.got, remedy) from None
    except MemoryError as error:
        raise ReadingError(
            where, "there is not enough memory to read it", "Split it, one language pair per file."
        ) from error
    except Exception as error:
        told = (str(error).splitlines() or [""])[0][:120]
        raise ReadingError(
            where,
            f"this file could not be read ({type(error).__name__}{told and ': ' + told})",
            "It may be damaged: make a new export, or write it as CSV.",
        ) from error
