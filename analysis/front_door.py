"""The front door: a few functions for a notebook or a script, each with the usual choices made.

Every error that a user can mend is a `PodiumError`. Same seed, same result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.campaign import UNITS, Campaign, Identical, Judgments, ResamplingUnit
from analysis.comparing.comparison import Column, Comparison
from analysis.comparing.comparison import compare as compare_columns
from analysis.errors import PodiumError, ReadingError
from analysis.formats import Profile, ReadReport, bytes_of, formats_in_words, read_many, read_path
from analysis.formats.budgets import max_bytes
from analysis.formats.guard import no_other_error
from analysis.formats.mapping import load
from analysis.formats.unpacking import unpack
from analysis.judges.agreement import Agreement, judged_once
from analysis.judges.agreement import agreement as judges_agreement
from analysis.next_campaign.outlook import Limits
from analysis.next_campaign.planning import Cost, Plan
from analysis.next_campaign.planning import plan as plan_judgments
from analysis.parameters import from_settings
from analysis.rankers import Ranker, compared_methods, default_method, ranker_class
from analysis.ranking.apart import Apart, Target
from analysis.ranking.apart import apart as told_apart
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking
from analysis.ranking.ranking import rank as rank_judgments

__all__ = ["PodiumError", "agreement", "apart", "compare", "plan", "rank", "read"]

Source = str | Path | tuple[str, bytes]


def read(
    source: Source,
    *more: Source,
    mapping: Mapping[str, str] | Profile | str | Path | None = None,
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments, or several as one campaign.

    Parameters
    ----------
    source, *more
        A path, or a file's name and its bytes. The format is found from the content.
    mapping
        What the columns of a table mean: a profile, or the path of a YAML file that holds one. A
        dictionary renames the columns of CSV files before they are read: ``{"theirs": "ours"}``.

    Returns
    -------
    Campaign, ReadReport
        The judgments; what was read, what was left out, and why.

    Raises
    ------
    PodiumError
        A file cannot be read, or nothing usable is in it.
    """
    sources = (source, *more)
    if isinstance(mapping, Mapping):
        files = map(_named_bytes, sources)
        return read_many([(name, _renamed(data, mapping, name)) for name, data in files])
    profile = mapping if mapping is None or isinstance(mapping, Profile) else load(mapping)
    paths = [one for one in sources if not isinstance(one, tuple)]
    if len(paths) == len(sources):  # Of several, one at a time is in memory.
        return read_path(*paths, mapping=profile)
    return read_many([_named_bytes(one) for one in sources], mapping=profile)


def rank(
    source: Campaign | Judgments,
    method: str | None = None,
    pair: str | None = None,
    *,
    level: float = 0.95,
    target: Target = "others",
    resample: ResamplingUnit | None = None,
    runs: int = 1000,
    seed: int = 0,
    **settings: Any,
) -> Ranking:
    """Rank the systems of one language pair and say how sure the ranking is.

    Parameters
    ----------
    source
        A campaign, or the judgments of one language pair that ``Campaign.judgments`` selects.
    method
        Name of a method, such as ``"expected-wins"`` or ``"bradley-terry"``. None, the default,
        is the usual one: the mean for scores, else TrueSkill.
    pair
        Language pair in any spelling; not needed where the campaign has one.
    level
        Level of intervals and rank ranges, a share between 0 and 1, .95 by default.
    target
        Whom intervals and ranges speak for: ``"others"``, other sentences and judges of this kind,
        or ``"these"`` sentences and judges.
    resample
        For rank ranges as published: what every run draws again, ``"rows"``, ``"task"``,
        ``"segment"``, ``"judge"`` or ``"none"``. None, the default, makes ranges that hold for all
        systems at once.
    runs
        Number of runs, 1000 by default; also of methods that have to be resampled.
    seed
        Seed of all that is random, 0 by default.
    **settings
        Hyperparameters of the method by name, such as ``draw_probability=.3``.

    Returns
    -------
    Ranking
        Scores, rank ranges and clusters; ``to_frame()`` is the table, ``signature`` what makes it
        again.

    Raises
    ------
    PodiumError
        A name is not known, a number is not possible, or the judgments cannot be ranked.
    """
    ranker = _ranker(source, method, settings)
    _check_level(level)
    if resample is not None and resample not in UNITS:
        raise PodiumError(
            "Resampling", f"{resample!r} is not known", f"Choose of {', '.join(UNITS)}."
        )
    judgments = _judgments(source, pair)
    certainty = Certainty(
        ranges="simultaneous" if resample is None else "marginal",
        target=target,
        unit=resample or "rows",
        runs=runs,
        level=level,
        seed=seed,
    )
    return rank_judgments(judgments, ranker, certainty)


def compare(
    source: Campaign | Judgments,
    methods: Sequence[str] | None = None,
    pair: str | None = None,
    *,
    runs: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Rank by several methods with their usual settings and put the orders side by side.

    Parameters
    ----------
    source, pair, runs, level, seed
        As for `rank`.
    methods
        Names of two or more methods; moves are told against the first. None, the default, takes
        the usual ones, the mean among them for scores.

    Returns
    -------
    Comparison
        Places, moves and Kendall's tau; ``to_frame()`` is the table.

    Raises
    ------
    PodiumError
        As for `rank`; or fewer than two methods.
    """
    judgments = _judgments(source, pair)
    names = compared_methods(judgments) if methods is None else methods
    rankings = [rank(judgments, name, runs=runs, level=level, seed=seed) for name in names]
    return compare_columns([Column.from_ranking(ranking) for ranking in rankings])


def apart(
    source: Campaign | Judgments,
    method: str | None = None,
    pair: str | None = None,
    *,
    level: float = 0.95,
    target: Target = "others",
    seed: int = 0,
    **settings: Any,
) -> Apart:
    """Say which systems the judgments tell apart under a method.

    Parameters
    ----------
    source, method, pair, target, seed, **settings
        As for `rank`.
    level
        Level at which two systems are told apart, a share between 0 and 1, .95 by default; it
        holds for all pairs together.

    Returns
    -------
    Apart
        p-values of all pairs, plain and adjusted, rank ranges and clusters.

    Raises
    ------
    PodiumError
        As for `rank`.
    """
    ranker = _ranker(source, method, settings)
    return told_apart(ranker.fit(_judgments(source, pair), seed), level=level, target=target)


def agreement(
    campaign: Campaign,
    pair: str | None = None,
    *,
    runs: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    identical: Identical = "collapsed",
) -> Agreement:
    """Say how far judges agree with each other and with themselves, beyond chance.

    Parameters
    ----------
    campaign, pair, level, seed
        As for `rank`.
    runs
        Number of resamples of the segments for the intervals, 1000 by default; 0 for none.
    identical
        Outputs that the file says to be identical: judged once (``"collapsed"``, the default), or
        a tie among their systems in every judgment (``"expanded"``).

    Returns
    -------
    Agreement
        ``strict`` and ``published``, each with ``inter`` and ``intra`` kappa.

    Raises
    ------
    PodiumError
        No two judgments are of the same outputs, or a number is not possible.
    """
    judged = judged_once(campaign, pair, identical=identical)
    return judges_agreement(judged, runs=runs, level=level, seed=seed)


def plan(
    source: Campaign | Judgments,
    pair: str | None = None,
    *,
    method: str | None = None,
    share: float = 0.9,
    clusters: int | None = None,
    new_segments: int | None = None,
    new_judges: int | None = None,
    minutes_per_task: float | None = None,
    cost_per_hour: float | None = None,
    level: float = 0.95,
    target: Target = "others",
    seed: int = 0,
    **settings: Any,
) -> Plan:
    """Say how many more ranking tasks separate the systems, and at what price.

    Parameters
    ----------
    source, pair, method, target, seed, **settings
        As for `rank`.
    share
        Aim: this share of the pairs of systems told apart, .9 by default.
    clusters
        Aim: this many clusters, instead of ``share``.
    new_segments, new_judges
        How many come at most, so that further tasks share them; by default they grow as tasks do.
    minutes_per_task
        Minutes that a judge needs for a ranking task; by default the campaign's own median, where
        it is known.
    cost_per_hour
        Price of an hour of judging, in any currency.
    level
        Level at which systems are told apart, a share between 0 and 1, .95 by default; it holds
        for all pairs together.

    Returns
    -------
    Plan
        The aim and other goals with their intervals; ``to_frame()`` is the table.

    Raises
    ------
    PodiumError
        The aim is not possible, or the judgments are too few to look ahead.
    """
    _check_level(level)
    cost = Cost(minutes_per_task, cost_per_hour)
    judgments = _judgments(source, pair)
    told = apart(judgments, method, level=level, target=target, seed=seed, **settings)
    limits = Limits.of_new(told, new_segments, new_judges)
    return plan_judgments(
        judgments, told, share=share, clusters=clusters, limits=limits, cost=cost, seed=seed
    )


def _judgments(source: Campaign | Judgments, pair: str | None) -> Judgments:
    if isinstance(source, Campaign):
        return source.judgments(pair)
    if pair is not None and source.campaign.find_pair(pair) != source.pair:
        raise PodiumError(
            "Language pair", f"these are judgments of {source.pair}, not of {pair}", "Leave it out."
        )
    return source


def _ranker(
    source: Campaign | Judgments, method: str | None, settings: Mapping[str, Any]
) -> Ranker:
    """Return the method of a name, the campaign's usual one without a name."""
    return from_settings(ranker_class(method or default_method(source)), settings)


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise PodiumError("Level", f"{level:g} is outside 0–1", "Give .95, for example.")


def _named_bytes(source: Source) -> tuple[str, bytes]:
    if isinstance(source, tuple):
        return source
    path = Path(source)
    return path.name, bytes_of(path)


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
