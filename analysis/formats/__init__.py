"""Read a file of judgments, whatever its format, and write campaigns back.

The format is found from the content, never from the name. A new one is a module that ends in its
`Format`, a place for it in `registry.FORMATS`, and an example file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from analysis.campaign import Campaign
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.assembly import assemble
from analysis.formats.format import Content
from analysis.formats.guard import no_other_error
from analysis.formats.mapping import Preview, Profile, apply, fits, preview
from analysis.formats.rankings import Findings, Rankings
from analysis.formats.registry import FORMATS, find_format, formats_in_words
from analysis.formats.report import LeftOut, Oddity, ReadReport, SeveralKindsError
from analysis.formats.results import refuse_results
from analysis.formats.scored import Scored
from analysis.formats.system_attributes import describe_systems, is_about_systems
from analysis.formats.unpacking import unpack
from analysis.formats.workbook import is_workbook, to_csv

__all__ = [
    "FORMATS",
    "LeftOut",
    "Oddity",
    "Profile",
    "ReadReport",
    "SeveralKindsError",
    "bytes_of",
    "first_rows",
    "formats_in_words",
    "read",
    "read_many",
    "read_path",
]


MAPPED, MAPPED_TITLE = "mapped", "a table by its profile"
"""What a table is called that a profile explains."""


def read(
    data: bytes, *, name: str = "", judge_names: bool = False, max_bytes: int | None = None
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments.

    ``name`` is the file's name, for messages. ``judge_names`` keeps the judges' names of an
    Appraise file, which are real users; without it they are numbered by first appearance.
    ``max_bytes`` is what the file may grow to when it is unpacked, by default what fits in memory.
    """
    return read_many([(name, data)], judge_names=judge_names, max_bytes=max_bytes)


def read_path(
    path: str | Path,
    *more: str | Path,
    judge_names: bool = False,
    max_bytes: int | None = None,
    mapping: Profile | None = None,
) -> tuple[Campaign, ReadReport]:
    """Read a file of judgments from the disk, or several as one campaign."""
    paths = [Path(one) for one in (path, *more)]
    return _read_files(
        [one.name for one in paths],
        lambda place: bytes_of(paths[place]),
        judge_names=judge_names,
        max_bytes=max_bytes,
        mapping=mapping,
    )


def bytes_of(path: Path) -> bytes:
    """Return what a file on the disk holds."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise ReadingError(str(path), reason, "Check the path.") from None


def read_many(
    files: Sequence[tuple[str, bytes]],
    *,
    judge_names: bool = False,
    max_bytes: int | None = None,
    mapping: Profile | None = None,
) -> tuple[Campaign, ReadReport]:
    """Read several files, as (name, bytes), and put them together into one campaign.

    A file that cannot be read stops all: no part is presented as the whole. ``mapping`` says what
    the columns of a table mean; of several files it is for those that have all of its columns.
    """
    return _read_files(
        [name for name, _ in files],
        lambda place: files[place][1],
        judge_names=judge_names,
        max_bytes=max_bytes,
        mapping=mapping,
    )


def _read_files(
    names: Sequence[str],
    bytes_of: Callable[[int], bytes],
    *,
    judge_names: bool,
    max_bytes: int | None,
    mapping: Profile | None,
) -> tuple[Campaign, ReadReport]:
    """Read files one after the other: of each only its codes stay, so that many parts fit."""
    if not names:
        raise ReadingError("Files", "none were given", formats_in_words())
    limit = budgets.max_bytes() if max_bytes is None else max_bytes
    parts: list[Rankings | Scored] = []
    tables: list[Content] = []
    for place, name in enumerate(names):
        data = bytes_of(place)
        with no_other_error(name or "This file", formats_in_words()):
            content = _content(data, name or "This file", limit)
            if len(names) > 1 and is_about_systems(content):
                tables.append(content)
                continue
            if mapping is not None and (len(names) == 1 or _is_mapped(content, mapping)):
                part = _read_mapped(content, mapping)
            else:
                part = _read_part(content)
            if len(names) > 1:
                part.findings.let_go_of_text()
            parts.append(part.narrowed() if isinstance(part, Rankings) else part)
        del data, content, part
        # What threads let go of is given back by the next call only.
        pa.default_memory_pool().release_unused()
    if mapping is not None and MAPPED not in {part.format for part in parts}:
        raise ReadingError(
            ", ".join(names),
            f"none of the files has the profile's columns {', '.join(mapping.used[:8])}",
            "Give the profile that was made for them, or leave it out.",
        )
    names = [name for name in names if name not in {table.where for table in tables}]
    if not parts:
        raise ReadingError(
            ", ".join(table.where for table in tables),
            "tables about systems hold no judgments",
            "Give the judgments beside them.",
        )
    with no_other_error(", ".join(filter(None, names)) or "This file", formats_in_words()):
        campaign, report = assemble(parts, names, judge_names=judge_names, title=_title(names))
        for table in tables:
            campaign, report = describe_systems(campaign, report, table)
        return campaign, report


def _title(names: Sequence[str]) -> str:
    """Return a campaign's title: the first file's name without what tells the format."""
    title = Path(names[0]).name
    for ending in (".gz", ".csv", ".tsv", ".txt", ".xml", ".json", ".jsonl", ".parquet", ".xlsx"):
        title = title.removesuffix(ending)
    return title


def first_rows(data: bytes, name: str, max_bytes: int | None = None) -> Preview:
    """Return the first rows of a table of any columns; raise for what is no table of judgments."""
    with no_other_error(name, formats_in_words()):
        limit = budgets.max_bytes() if max_bytes is None else max_bytes
        content = _content(data, name, limit)
        refuse_results(content)
        if FORMATS["appraise-scores"].sniff(content):
            raise ReadingError(name, "its columns are known, and have no names", "Export it again.")
        return preview(content)


def _content(data: bytes, where: str, max_bytes: int) -> Content:
    findings = Findings(file=where, n_bytes=len(data))
    data = unpack(data, where, max_bytes, archives=True)
    if is_workbook(data):
        data = to_csv(data, where, max_bytes, findings)
    return Content(data, where, findings, max_bytes)


def _read_part(content: Content) -> Rankings | Scored:
    """Find a file's format from its content and read it."""
    format = find_format(content)
    return replace(format.read(content), format=format.name, format_name=format.title)


def _is_mapped(content: Content, mapping: Profile) -> bool:
    try:
        return fits(mapping, preview(content).columns)
    except ReadingError:
        return False


def _read_mapped(content: Content, mapping: Profile) -> Rankings | Scored:
    """Read a table by its profile."""
    mapping.check(preview(content).columns, content.place)
    return replace(apply(content, mapping), format=MAPPED, format_name=MAPPED_TITLE)
