"""Read a file of judgments, whatever its format, and write campaigns back.

The format is found from the content, never from the name: WMT 5-way CSV, WMT 2-way CSV,
Appraise XML, arena votes as CSV, JSON, JSON Lines or Parquet; each also gzipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.campaign import Campaign
from analysis.reading.report import LeftOut, Oddity, ReadReport

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
    raise NotImplementedError


def read_path(
    path: str | Path, *, judge_names: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments from the disk."""
    path = Path(path)
    return read(path.read_bytes(), name=path.name, judge_names=judge_names, max_bytes=max_bytes)


def read_many(
    files: Sequence[tuple[str, bytes]], *, judge_names: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Campaign, ReadReport]:
    """Read several files, as (name, bytes), and put them together into one campaign."""
    raise NotImplementedError
