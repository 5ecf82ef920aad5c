"""What the front door reads: paths, samples, bytes, open files, data frames, lists of rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from analysis.api.arguments import checked
from analysis.campaign import Campaign, Judgments
from analysis.errors import PodiumError, ReadingError
from analysis.formats import AUTO, Meaning, Profile, ReadReport, bytes_of, read_sources
from analysis.formats.budgets import max_bytes
from analysis.formats.frames import as_arrow, as_csv
from analysis.formats.mapping import load
from analysis.formats.unpacking import no_other_error, unpack
from analysis.ranking.ranking import Ranking
from analysis.samples import sample_campaign
from analysis.wording import count

SAMPLE = "sample:"
REMEDY = (
    "Give a path, 'sample:NAME', a data frame, a list of dictionaries, an open file, or what read "
    "returns."
)
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


@checked
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
        A path, or a list of them; ``"sample:NAME"``; a data frame of pandas, Polars or Arrow; a
        list of dictionaries; an open file; or a name with bytes, a frame or a list. The format is
        found from the content.
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
    if isinstance(source, list) and source and all(isinstance(one, str | Path) for one in source):
        source, more = source[0], (*source[1:], *more)
    sources: list[Source] = [_readable(one) for one in (source, *more)]
    if any(isinstance(one, str) and one.startswith(SAMPLE) for one in sources):
        if more or mapping is not None or criterion is not None:
            remedy = "Give nothing else with it."
            raise PodiumError("source", "a sample is a campaign of its own", remedy)
        return Votes(sample_campaign(str(source).removeprefix(SAMPLE)), None)
    meaning: Meaning = None
    if isinstance(mapping, Mapping) and all(isinstance(name, str) for name in mapping.values()):
        sources = [(name, _renamed(data, mapping, name)) for name, data in map(_as_csv, sources)]
    elif isinstance(mapping, Profile):
        meaning = mapping
    elif isinstance(mapping, str | Path):
        meaning = AUTO if mapping == AUTO else load(mapping)
    elif mapping is not None:
        remedy = "Give a dictionary of column names, a profile, its path, or 'auto'."
        raise PodiumError("mapping", f"{mapping!r:.40} is not possible", remedy)
    return Votes(*read_sources(sources, mapping=meaning, criterion=criterion, sheet=sheet))


def _readable(source: Source) -> Source:
    """Return a source if it is one of those that can be read."""
    inside = source[1] if isinstance(source, tuple) and len(source) == 2 else source
    is_named = inside is not source and isinstance(source[0], str)
    if isinstance(source, str | Path):
        problem = "" if str(source).strip() else "the path is empty"
    elif isinstance(source, tuple) and not is_named:
        problem = "a tuple is not a source, except a name with its data"
    elif isinstance(inside, list):
        is_rows = inside and all(isinstance(row, Mapping) for row in inside)
        problem = "" if is_rows else "a list must have dictionaries, one or more"
    elif hasattr(inside, "columns") and hasattr(inside, "__len__"):
        problem = "" if len(inside) else "the table has no rows"
    else:
        is_known = isinstance(inside, bytes) or any(
            hasattr(inside, name) for name in ("read", "__arrow_c_stream__")
        )
        problem = "" if is_known else f"{type(inside).__name__} cannot be read"
    if problem:
        raise PodiumError("source", problem, REMEDY)
    return source


def campaign_of(source: Source) -> Campaign:
    """Return the campaign of whatever a function was given."""
    if isinstance(source, tuple) and source and isinstance(source[0], Campaign):
        source = source[0]
    return source if isinstance(source, Campaign) else read(source).campaign


def judgments_of(source: Source, lang_pair: str | None) -> Judgments:
    """Return the judgments of one language pair of whatever a function was given."""
    source = source.judgments if isinstance(source, Ranking) else source
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
    with no_other_error(name):
        head, newline, rest = unpack(data, name, max_bytes()).partition(b"\n")
    columns = next(csv.reader([head.decode("utf-8-sig", "replace").rstrip("\r")]), [])
    missing = [column for column in mapping if column not in columns]
    if missing:
        raise ReadingError(
            name,
            (f"the column {', '.join(missing)} is missing"),
            f"It has {', '.join(columns)[:200]}.",
        )
    renamed = io.StringIO()
    csv.writer(renamed, lineterminator="").writerow(mapping.get(one, one) for one in columns)
    return renamed.getvalue().encode() + newline + rest
