"""Read a file of judgments, whatever its format, and write campaigns back.

The format is found from the content, never from the name: WMT 5-way CSV, WMT 2-way CSV,
Appraise XML, arena votes as CSV, JSON, JSON Lines or Parquet; each also gzipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.campaign import Campaign
from analysis.errors import ReadingError
from analysis.formats import appraise, arena, records, wmt, wmt_fiveway, wmt_twoway
from analysis.formats.assembly import assemble
from analysis.formats.delimited import Header, read_header
from analysis.formats.rankings import Findings, Rankings
from analysis.formats.report import LeftOut, Oddity, ReadReport
from analysis.formats.unpacking import FORMATS_IN_WORDS, to_utf8, unpack

__all__ = ["MAX_BYTES", "LeftOut", "Oddity", "ReadReport", "read", "read_many", "read_path"]

MAX_BYTES = 2 * 10**9
"""Bytes to which a gzipped file may grow."""


def read(
    data: bytes, *, name: str = "", judge_names: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments.

    ``name`` is the file's name, for messages. ``judge_names`` keeps the judges' names of an
    Appraise file, which are real users; without it they are numbered by first appearance.
    """
    return read_many([(name, data)], judge_names=judge_names, max_bytes=max_bytes)


def read_path(
    path: str | Path, *, judge_names: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments from the disk."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadingError(str(path), error.strerror or "it cannot be read", "") from None
    return read(data, name=path.name, judge_names=judge_names, max_bytes=max_bytes)


def read_many(
    files: Sequence[tuple[str, bytes]], *, judge_names: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Campaign, ReadReport]:
    """Read several files, as (name, bytes), and put them together into one campaign.

    A file that cannot be read stops all: no part is presented as the whole.
    """
    if not files:
        raise ReadingError("Files", "none were given", FORMATS_IN_WORDS)
    names = [name for name, _ in files]
    parts = [_read_rankings(data, name or "This file", max_bytes) for name, data in files]
    return assemble(parts, names, judge_names=judge_names, title=_title(names))


def _title(names: Sequence[str]) -> str:
    """Return a campaign's title: the first file's name without what tells the format."""
    title = Path(names[0]).name
    for ending in (".gz", ".csv", ".tsv", ".txt", ".xml", ".json", ".jsonl", ".parquet"):
        title = title.removesuffix(ending)
    return title


def _read_rankings(data: bytes, where: str, max_bytes: int) -> Rankings:
    """Find a file's format from its content and read it."""
    findings = Findings(file=where)
    data = unpack(data, where, max_bytes)
    if data[:4] == b"PAR1":
        return arena.read_votes(
            records.read_parquet(data, arena.WANTED, where, findings, max_bytes), where
        )
    if _starts_with(data, b"<"):
        if data[:4096].lower().lstrip().startswith((b"<!doctype html", b"<html")):
            raise ReadingError(where, "this is a web page", "Download the file itself.")
        return appraise.read(data, where, findings)
    text = to_utf8(data, where, findings)
    if text.lstrip()[:1] in (b"[", b"{"):
        return arena.read_votes(records.read_json(text, arena.WANTED, where, findings), where)
    return _read_table(text, read_header(text, where), where, findings)


def _starts_with(data: bytes, mark: bytes) -> bool:
    """Return whether text in UTF-8 or UTF-16 starts with a mark, blanks aside."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    return start.startswith(mark)


def _read_table(text: bytes, header: Header, where: str, findings: Findings) -> Rankings:
    numbers = wmt.system_numbers(header)
    if len(numbers) > 2 or (len(numbers) == 2 and "system1number" in header.keys):
        return wmt_fiveway.read(text, header, where, findings)
    if numbers:
        return wmt_twoway.read(text, header, where, findings)
    if arena.is_arena(header.keys):
        return arena.read(text, header, where, findings)
    shown = ", ".join(name[:40] for name in header.names[:8])
    raise ReadingError(
        f"{where}, line {header.line}",
        f"the first line is no header that Podium knows: {shown[:200]}",
        FORMATS_IN_WORDS,
    )
