"""What the front door reads: paths, samples, bytes, open files, data frames, lists of rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from analysis.campaign import Campaign, Judgments
from analysis.errors import PodiumError, ReadingError
from analysis.formats import (
    AUTO,
    Meaning,
    Profile,
    ReadReport,
    bytes_of,
    formats_in_words,
    read_sources,
)
from analysis.formats.budgets import max_bytes
from analysis.formats.frames import as_arrow, as_csv
from analysis.formats.guard import no_other_error
from analysis.formats.mapping import load
from analysis.formats.unpacking import unpack
from analysis.simulation.samples import sample_campaign
from analysis.wording import count

SAMPLE = "sample:"
Source: TypeAlias = Any
"""A path or sample, a name with bytes, an open file, a frame, or a list of dictionaries."""


class Votes(NamedTuple):
    """A campaign and what was found while it was read; every function takes it as it is."""

    campaign: Campaign
    report: ReadReport | None

    def __repr__(self) -> str:
        left_out = 0 if self.report is None else sum(self.report.skipped.values())
        told = f", {count(left_out, 'row')} left out (see .report)" if left_out else ""
        return f"{self.campaign!r}{told}"


def read(
    source: Source,
    *more: Source,
    mapping: Mapping[str, str] | Profile | str | Path | None = None,
    criterion: str | None = None,
    sheet: str = "",
) -> Votes:
    """Read judgments: one source, or several as one campaign.

    Parameters
    ----------
    source, *more
        A path; ``"sample:NAME"``; a data frame of pandas, Polars or Arrow; a list of dictionaries;
        an open file; or a name with bytes, a frame or a list. The format is found from the content.
    mapping
        What the columns of a table mean: a profile, the path of a YAML file that contains one, or
        ``"auto"`` to accept a guess that is certain enough. A dictionary renames columns first:
        ``{"theirs": "model_a"}``.
    criterion
        One of several criteria, by default the first; ``Campaign.of_criterion`` gives the others.
    sheet
        The sheet of a workbook, by default the first with content.

    Returns
    -------
    Votes
        ``campaign``, the judgments; ``report``, what was read, what was left out, and why.

    Raises
    ------
    PodiumError
        A source cannot be read, or nothing usable is in it.

    Examples
    --------
    >>> from analysis import read
    >>> rows = [{"model_a": "x", "model_b": "y", "winner": "model_a"}] * 3
    >>> read(rows)
    Campaign: 2 systems, 3 ranking tasks, all
    """
    if isinstance(source, str) and source.startswith(SAMPLE) and not more:
        return Votes(sample_campaign(source.removeprefix(SAMPLE)), None)
    sources: list[Source] = [source, *more]
    meaning: Meaning = None
    if isinstance(mapping, Mapping):
        sources = [(name, _renamed(data, mapping, name)) for name, data in map(_as_csv, sources)]
    elif isinstance(mapping, Profile):
        meaning = mapping
    elif mapping is not None:
        meaning = AUTO if mapping == AUTO else load(mapping)
    return Votes(*read_sources(sources, mapping=meaning, criterion=criterion, sheet=sheet))


def campaign_of(source: Source) -> Campaign:
    """Return the campaign of whatever a function was given."""
    if isinstance(source, tuple) and source and isinstance(source[0], Campaign):
        source = source[0]
    if isinstance(source, Judgments):
        remedy = "Give what read returns."
        raise PodiumError("source", "these are the judgments of one language pair", remedy)
    return source if isinstance(source, Campaign) else read(source).campaign


def judgments_of(source: Source, lang_pair: str | None) -> Judgments:
    """Return the judgments of one language pair of whatever a function was given."""
    if not isinstance(source, Judgments):
        return campaign_of(source).judgments(lang_pair)
    if lang_pair is not None and source.campaign.find_pair(lang_pair) != source.pair:
        got = f"these are judgments of {source.pair}, not of {lang_pair}"
        raise PodiumError("lang_pair", got, "Leave it out.")
    return source


def _as_csv(source: Source) -> tuple[str, bytes]:
    """Return a source whose columns are to be renamed as a file: its name and its bytes."""
    if isinstance(source, (str, Path)):
        return Path(source).name, bytes_of(Path(source))
    name, inside = source if isinstance(source, tuple) else ("frame", source)
    return name, inside if isinstance(inside, bytes) else as_csv(as_arrow(inside, name))


def _renamed(data: bytes, mapping: Mapping[str, str], name: str) -> bytes:
    """Return a CSV file with the names in its first line replaced."""
    with no_other_error(name, formats_in_words()):
        head, newline, rest = unpack(data, name, max_bytes()).partition(b"\n")
    columns = head.decode("utf-8-sig", "replace").rstrip("\r").split(",")
    missing = [column for column in mapping if column not in columns]
    if missing:
        raise ReadingError(
            name, f"there is no column {', '.join(missing)}", f"It has {', '.join(columns)[:200]}."
        )
    return ",".join(mapping.get(column, column) for column in columns).encode() + newline + rest
