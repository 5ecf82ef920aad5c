"""Archives of files, zip or tar: which files they hold, and their contents within bounds."""

from __future__ import annotations

import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial

from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.unpacking import ZIP

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
