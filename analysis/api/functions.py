"""The functions of the front door: each with the usual choices made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.api.arguments import checked
from analysis.api.results import Ranking
from analysis.api.sources import Source, campaign_of, judgments_of
from analysis.campaign import Identical, Judgments, Selection
from analysis.comparing.comparison import Column, Comparison
from analysis.comparing.comparison import compare as compare_columns
from analysis.errors import PodiumError, did_you_mean
from analysis.judges.agreement import Agreement, judged_once
from analysis.judges.agreement import agreement as judges_agreement
from analysis.next_campaign.outlook import Limits
from analysis.next_campaign.planning import Cost, Plan
from analysis.next_campaign.planning import plan as plan_judgments
from analysis.parameters import from_settings, hyperparameters
from analysis.rankers import Ranker, compared_methods, default_method, ranker_class
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank as rank_judgments
from analysis.ranking.result_checks import doubt_of_winner
from analysis.ranking.variance import Scope
from analysis.ranking.verdict import reach_verdict

ARGUMENTS = ("method", "lang_pair", "scope", "level", "unit", "resamples", "seed")


@checked
def rank(
    source: Source,
    method: str | None = None,
    lang_pair: str | None = None,
    scope: Scope = "new",
    level: float = 0.95,
    *,
    unit: ResamplingUnit | None = None,
    resamples: int = 1000,
    seed: int = 0,
    **options: Any,
) -> Ranking:
    """Rank the systems of one language pair, with intervals, rank ranges and clusters.

    Parameters
    ----------
    source
        What `read` returns, a campaign, the judgments of one language pair, a ranking (for its
        judgments), or anything that `read` takes.
    method
        Name of a method, such as ``"expected-wins"`` or ``"bradley-terry"``. None, the default,
        is the usual one: the mean for scores, else Bradley–Terry.
    lang_pair
        Language pair in any spelling; not needed if the campaign has one.
    scope
        What intervals and ranges generalize to: ``"new"``, other segments and judges of this kind,
        or ``"these"`` segments and judges.
    level
        Level of intervals and rank ranges, a share between 0 and 1, 0.95 by default.
    unit
        For marginal rank ranges as WMT14–16 printed them: what is resampled, ``"judgment"``,
        ``"task"``, ``"segment"``, ``"document"``, ``"judge"`` or ``"none"``. None, the default,
        makes ranges that cover for all systems at once.
    resamples
        Number of bootstrap resamples, 1000 by default, where there is no closed form.
    seed
        Seed of all that is random, 0 by default.
    **options
        Hyperparameters of the method by name, such as ``draw_probability=.3``.

    Returns
    -------
    Ranking
        ``to_frame()`` is the table, ``pairs()`` the tests, ``plot()`` the picture, ``signature``
        what reproduces it.

    Raises
    ------
    PodiumError
        A name is not known, a number is not possible, or the judgments cannot be ranked.

    Examples
    --------
    >>> from analysis import rank
    >>> ranking = rank("sample:wmt14-cs-en", "expected-wins")
    >>> ranking.to_frame()[["system", "rank_best", "rank_worst"]].head(2)
             system  rank_best  rank_worst
    0      ONLINE-B          1           2
    1  UEDIN-PHRASE          1           2
    """
    judgments = judgments_of(source, lang_pair)
    ranker = _ranker(judgments, method, options)
    certainty = Certainty(
        ranges="simultaneous" if unit is None else "marginal",
        scope=scope,
        unit=unit or "judgment",
        runs=resamples,
        level=level,
        seed=seed,
    )
    return Ranking.of(rank_judgments(judgments, ranker, certainty))


@checked
def compare(
    source: Source,
    methods: Sequence[str] | None = None,
    lang_pair: str | None = None,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Rank by several methods with their usual settings and put the orders side by side.

    Parameters
    ----------
    source, lang_pair, level, resamples, seed
        As for `rank`.
    methods
        Names of two or more methods; moves are relative to the first. None, the default, takes the
        usual ones, the mean among them for scores.

    Returns
    -------
    Comparison
        Places, moves and Kendall's tau; ``to_frame()`` has each system's rank by every method,
        ``side_by_side()`` the systems in the order of each method.

    Raises
    ------
    PodiumError
        As for `rank`; or fewer than two methods.

    Examples
    --------
    >>> from analysis import compare
    >>> compare("sample:wmt14-cs-en", ["bojar", "bradley-terry"]).to_frame().head(2)
             system  bojar  bradley-terry
    0      ONLINE-B      1              1
    1  UEDIN-PHRASE      2              2
    """
    judgments = judgments_of(source, lang_pair)
    names = compared_methods(judgments) if methods is None else methods
    rankings = [
        rank(judgments, name, level=level, resamples=resamples, seed=seed) for name in names
    ]
    return compare_columns([Column.from_ranking(ranking) for ranking in rankings])


@checked
def agreement(
    source: Source,
    lang_pair: str | None = None,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    identical: Identical = "collapsed",
) -> Agreement:
    """Measure how much judges agree with each other and with themselves, beyond chance.

    Parameters
    ----------
    source, lang_pair, level, seed
        As for `rank`.
    resamples
        Number of resamples of the segments for the intervals, 1000 by default; 0 for none.
    identical
        Outputs that the file says to be identical: judged once (``"collapsed"``, the default), or
        a tie among their systems in every judgment (``"expanded"``).

    Returns
    -------
    Agreement
        ``strict`` and ``published`` (as WMT counted), each with ``inter`` and ``intra`` kappa.

    Raises
    ------
    PodiumError
        No two judgments are of the same outputs, or a number is not possible.

    Examples
    --------
    >>> from analysis import agreement
    >>> round(float(agreement("sample:wmt14-cs-en", resamples=0).strict.inter.kappa), 2)
    0.3
    """
    selection = Selection()
    if isinstance(source, Judgments | Ranking):
        judgments = judgments_of(source, lang_pair)
        source, lang_pair, selection = judgments.campaign, judgments.pair, judgments.selection
    judged = judged_once(campaign_of(source), lang_pair, selection, identical=identical)
    return judges_agreement(judged, runs=resamples, level=level, seed=seed)


@checked
def plan(
    source: Source,
    lang_pair: str | None = None,
    *,
    method: str | None = None,
    share: float | None = None,
    clusters: int | None = None,
    new_segments: int | None = None,
    new_judges: int | None = None,
    minutes_per_task: float | None = None,
    cost_per_hour: float | None = None,
    level: float = 0.95,
    scope: Scope = "new",
    seed: int = 0,
    **options: Any,
) -> Plan:
    """Estimate how many more ranking tasks separate the systems, and at what price.

    Parameters
    ----------
    source, lang_pair, method, level, scope, seed, **options
        As for `rank`.
    share
        Goal: this share of the pairs of systems differ significantly; by default a named winner.
    clusters
        Goal: this many clusters.
    new_segments, new_judges
        How many come at most, so that further tasks share them; by default they grow as tasks do.
    minutes_per_task
        Minutes that a judge needs for a ranking task; by default the campaign's own median, if it
        is known.
    cost_per_hour
        Price of an hour of judging, in any currency.

    Returns
    -------
    Plan
        The aim and other goals with their intervals; ``to_frame()`` is the table.

    Raises
    ------
    PodiumError
        The aim is not possible, or the judgments are too few to look ahead.

    Examples
    --------
    >>> from analysis import plan
    >>> plan("sample:wmt14-cs-en", method="bojar", share=.6).stop
    True
    """
    cost = Cost(minutes_per_task, cost_per_hour)
    judgments = judgments_of(source, lang_pair)
    ranker = _ranker(judgments, method, options)
    fit = ranker.fit(judgments, seed)
    verdict = reach_verdict(fit, level=level, scope=scope)
    limits = Limits.of_new(verdict, new_segments, new_judges)
    return plan_judgments(
        judgments, verdict, share=share, clusters=clusters, limits=limits, cost=cost, seed=seed,
        doubt=doubt_of_winner(fit, verdict),
    )  # fmt: skip


def _ranker(judgments: Judgments, method: str | None, options: Mapping[str, Any]) -> Ranker:
    """Return the method of a name with its options; the campaign's usual one without a name."""
    chosen = ranker_class(method or default_method(judgments))
    known = [parameter.name for parameter in hyperparameters(chosen)]
    for name in options:
        if name not in known:
            meant = did_you_mean(name, [*known, *ARGUMENTS])
            remedy = f"{meant}Hyperparameters: {', '.join(known) or 'none'}."
            raise PodiumError(name, f"{chosen.name} has no such option", remedy)
    return from_settings(chosen, options)
