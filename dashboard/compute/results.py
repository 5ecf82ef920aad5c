"""What is computed of a view, once; everybody's where it is of a sample, else one session's.

A key names everything a result depends on: the campaign's fingerprint, the pair, the selection and
the caller's own settings. Resamples are kept chunk by chunk, so that a run that was interrupted
goes on where it was, and a longer run begins with a shorter one's chunks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import streamlit as st

from analysis.campaign import Identical, Judgments
from analysis.comparing.fewest import Alteration, Fewest, fewest, smooth_fit
from analysis.errors import PodiumError
from analysis.findings.overview import caution_of, gravest
from analysis.judges.agreement import Agreement, agreement, judged_once
from analysis.judges.judge_kappas import JudgeAgreement, judge_agreement
from analysis.judges.judge_table import JudgeTable, judges
from analysis.judges.judge_verdicts import QualityControl, quality_control
from analysis.judges.other_coefficients import Coefficients, coefficients
from analysis.judges.score_agreement import ScoreAgreement, score_agreement
from analysis.parallel import Progress
from analysis.rankers import Fit
from analysis.rankers.graded_response import GradedResponse, GradedResponseFit
from analysis.rankers.ranker import Standings
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.certainty import Replicates, replicate
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.few_judges import FewJudges, few_judges
from analysis.ranking.preflight import preflight, that_limit
from analysis.ranking.ranking import Ranking, assemble_ranking
from analysis.ranking.result_checks import checks_of_extras, findings_of_extras, limits_of_ranking
from analysis.ranking.verdict import Verdict, reach_verdict
from dashboard.compute import housekeeping, store
from dashboard.compute.housekeeping import (
    keep_uploads_in_memory,
    silence_the_expected,
    until_the_end,
)
from dashboard.compute.queue import leave_if_asked, this_session, turns, waiting
from dashboard.compute.store import resuming_threads
from dashboard.session.view import ViewContext

T = TypeVar("T")

MANY_SYSTEMS = 50
"""More than these take any method that searches orders more than a moment."""


def remember(context: ViewContext, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """Return ``make()``, made once for this campaign, pair, selection and ``key``.

    ``key`` begins with the result's name and holds every setting that ``make`` uses (a ranker may
    stand in it as it is); what it returns is shared, so it must not be changed.
    """
    return store.memory(context.is_sample).results.get_or_make((*context.data_key, *key), make)


def remember_in_turn(
    context: ViewContext,
    key: tuple[Hashable, ...],
    make: Callable[[], T],
    progress: Progress | None = None,
) -> T:
    """Return ``make()`` like `remember`, made when it is this session's turn.

    For what takes a second or more and does not come in chunks. While it waits, ``progress`` is
    called with nothing done, and the run ends where its user has gone on.
    """
    if recall(context, key) is not None:
        return remember(context, key, make)
    with _in_turn(context, key, progress):
        return remember(context, key, make)


@contextmanager
def _in_turn(
    context: ViewContext, key: tuple[Hashable, ...], progress: Progress | None = None
) -> Iterator[None]:
    """Wait until it is this session's turn to make what the key names, and show its place."""
    place = progress or waiting.place

    def look_around() -> None:
        leave_if_asked()
        place(0, 1)

    named = (id(store.memory(context.is_sample)), *context.data_key, *key)
    with turns().taken(this_session(), named, look_around):
        if progress is None:
            place(1, 1)
        yield


def recall(context: ViewContext, key: tuple[Hashable, ...]) -> Any:
    """Return what `remember` or `keep` has under the key, None where there is nothing yet."""
    return store.memory(context.is_sample).results.get((*context.data_key, *key))


def keep(context: ViewContext, key: tuple[Hashable, ...], value: object) -> None:
    """Keep what was made outside of `remember`."""
    store.memory(context.is_sample).results.put((*context.data_key, *key), value)


def fit(context: ViewContext) -> Fit:
    """Return the chosen ranker fitted to the judgments; settings of prediction ask for no other."""
    as_fitted, seed = context.ranker.as_fitted(), context.certainty.seed
    fits, key = store.memory(context.is_sample).fits, (*context.data_key, as_fitted, seed)
    found = fits.get(key)
    if found is None:
        waits = as_fitted.pace != "instant" or context.judgments.n_systems > MANY_SYSTEMS
        with _in_turn(context, ("fit", as_fitted, seed)) if waits else nullcontext():
            found = fits.get_or_make(key, lambda: as_fitted.fit(context.judgments, seed))
    return found.read_by(context.ranker)


def graded_response(context: ViewContext) -> GradedResponseFit:
    """Return the graded response model, as the sidebar has it or as published."""
    chosen = context.ranker
    ranker = chosen if isinstance(chosen, GradedResponse) else GradedResponse()
    found = fit(context.with_ranker(ranker))
    assert isinstance(found, GradedResponseFit)
    return found


def standings(context: ViewContext) -> Standings:
    """Return the chosen ranker's scores of the judgments as they are."""
    return fit(context).standings


def _tested(context: ViewContext, progress: Progress | None = None) -> Verdict:
    """Return which systems differ significantly by the chosen method."""
    ranker, chosen = context.ranker, context.certainty

    def replicates_of(unit: ResamplingUnit) -> Replicates:
        return replicates(context.with_unit(unit), progress)

    return remember(
        context,
        ("verdict", ranker, chosen.scope, chosen.level, chosen.seed, chosen.runs),
        lambda: reach_verdict(
            fit(context),
            level=chosen.level,
            scope=chosen.scope,
            runs=chosen.runs,
            replicates_of=replicates_of,
        ),
    )


def verdict(context: ViewContext, progress: Progress | None = None) -> Verdict:
    """Return what the chosen rule says of pairs, tiers and winner; an official one has no test."""
    found = ranking(context, progress).verdict
    assert found is not None  # only a preview has none
    return found


def few_judges_of(context: ViewContext, verdict: Verdict | None) -> FewJudges | None:
    """Return what few judges settle themselves; None if judges are many, or nothing is known."""
    if verdict is None:
        return None
    return remember(
        context, ("few judges", verdict.signature), lambda: few_judges(context.judgments, verdict)
    )


def replicates(context: ViewContext, progress: Progress | None = None) -> Replicates:
    """Return the chosen ranker's scores on every resample; resumes where it was interrupted."""
    ranker, chosen = context.ranker, context.certainty
    drawn = (ranker.as_fitted(), chosen.unit, chosen.seed)

    def run() -> Replicates:
        with resuming_threads(context, drawn) as executor:
            return replicate(
                fit(context),
                runs=chosen.runs,
                unit=chosen.unit,
                seed=chosen.seed,
                executor=executor,
                progress=progress,
            )

    return remember(context, ("replicates", *drawn, chosen.runs), run)


def ranking(context: ViewContext, progress: Progress | None = None) -> Ranking:
    """Return standings with all that is known of how sure they are."""

    def make() -> Ranking:
        runs = replicates(context, progress) if context.certainty.is_official else None
        return assemble_ranking(fit(context), context.certainty, _tested(context, progress), runs)

    return remember(context, _ranking_key(context), make)


def preview(context: ViewContext) -> Ranking:
    """Return what can be said at once: the scores, and nothing of how sure they are."""
    return Ranking(
        judgments=context.judgments,
        standings=standings(context),
        certainty=context.certainty,
        provenance=context.ranker.provenance,
        verdict=None,
        ranges=None,
        clusters=None,
    )


def is_ranked(context: ViewContext) -> bool:
    """Return whether the ranking is there already, so that no preview is needed."""
    return recall(context, _ranking_key(context)) is not None


def keep_ranking(context: ViewContext, ranking: Ranking) -> None:
    """Keep a ranking of the view that was made elsewhere."""
    keep(context, _ranking_key(context), ranking)


def takes_time(context: ViewContext) -> bool:
    """Return whether the ranking needs runs of a method that takes longer than a moment."""
    ranker = context.ranker
    needs_runs = context.certainty.is_official or not ranker.has_derivative(context.judgments)
    return needs_runs and ranker.pace != "instant"


def _ranking_key(context: ViewContext) -> tuple[Hashable, ...]:
    return ("ranking", context.ranker, context.certainty)


def agreement_of_judges(context: ViewContext, identical: Identical = "collapsed") -> Agreement:
    """Return inter and intra agreement, as published and strict, with intervals."""
    level, seed = context.certainty.level, context.certainty.seed

    def make() -> Agreement:
        return agreement(judged_pairs(context, identical), level=level, seed=seed)

    return remember_in_turn(context, ("agreement", identical, level, seed), make)


def agreement_to_trust(context: ViewContext) -> Agreement | ScoreAgreement | None:
    """Return how far judges agree in what they gave, scores or preferences; None where unknown."""
    if context.judgments.scores is None:
        return agreement_or_none(context)
    return score_agreement_of_judges(context)


def agreement_or_none(context: ViewContext) -> Agreement | None:
    """Return the judges' agreement; None where it is not defined on these judgments."""
    try:
        return agreement_of_judges(context)
    except PodiumError:
        return None


def score_agreement_of_judges(context: ViewContext) -> ScoreAgreement:
    """Return how far judges agree in their scores, with intervals."""
    level, seed = context.certainty.level, context.certainty.seed

    def make() -> ScoreAgreement:
        return score_agreement(context.judgments, level=level, seed=seed)

    return remember_in_turn(context, ("score agreement", level, seed), make)


def other_coefficients(context: ViewContext, identical: Identical = "collapsed") -> Coefficients:
    """Return α, AC1 and percent agreement, with intervals."""
    level, seed = context.certainty.level, context.certainty.seed

    def make() -> Coefficients:
        return coefficients(judged_pairs(context, identical), level=level, seed=seed)

    return remember_in_turn(context, ("coefficients", identical, level, seed), make)


def judged_pairs(context: ViewContext, identical: Identical = "collapsed") -> Judgments:
    """Return the judgments as agreement counts them, identical outputs once unless told."""
    campaign, pair, selection = context.campaign, context.pair, context.selection
    return store.memory(context.is_sample).judgments.get_or_make(
        (*context.data_key, "judged", identical),
        lambda: judged_once(campaign, pair, selection, identical=identical),
    )


def judge_by_judge(context: ViewContext) -> JudgeTable:
    """Return every judge's work, agreement and flags."""
    return remember(context, ("judges",), lambda: judges(judged_pairs(context)))


def quality_of_judges(context: ViewContext) -> QualityControl | None:
    """Return what the campaign's checks show of judges; None without checks."""
    return remember(context, ("quality",), lambda: quality_control(context.campaign, context.pair))


def pairs_of_judges(context: ViewContext) -> JudgeAgreement:
    """Return the kappa of every two judges."""
    return remember(context, ("pairs of judges",), lambda: judge_agreement(judged_pairs(context)))


def preflight_findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return what limits a ranking of the chosen judgments by the chosen method."""
    found = remember(context, ("preflight",), lambda: preflight(context.judgments))
    return that_limit(found, context.judgments, context.ranker)


def limits_by_method(context: ViewContext) -> tuple[Finding, ...]:
    """Return what limits the ranking by the chosen method: one judgment, or one judge, decides."""
    found = remember(
        context,
        ("limits of the ranking", context.ranker, context.certainty),
        lambda: limits_of_ranking(fit(context), verdict(context)),
    )
    return (*found, *findings_of_extras(extra_checks(context)))


def doubt_of_winner(context: ViewContext) -> Finding | None:
    """Return the finding that the winner is named narrowly, or only with one judge's judgments."""
    kinds = ("deciding-judge", "narrow-win")
    return next((one for one in limits_by_method(context) if one.kind in kinds), None)


def extra_checks(context: ViewContext) -> tuple[Finding | str, ...]:
    """Return what the checks of extras found, and the words of those that found nothing."""
    how = (context.ranker, context.certainty)
    return remember(
        context, ("checks of extras", *how), lambda: checks_of_extras(context.judgments, *how)
    )


def gravest_of(context: ViewContext) -> Finding | None:
    """Return the problem or warning that the result shows under its headline."""
    return gravest((*preflight_findings(context), *limits_by_method(context)))


def caution(context: ViewContext, ranking: Ranking) -> str:
    """Return what exports of the result say of its limits."""
    return caution_of(ranking, gravest_of(context))


@st.cache_resource(show_spinner=False)
def warm_up(_prepare: Callable[[], object]) -> threading.Thread:
    """Prepare in the background, once in the life of the process, what the next user will need."""
    store.shared_memory()
    silence_the_expected()
    keep_uploads_in_memory()

    def run() -> None:
        with until_the_end():
            _prepare()
            housekeeping.freeze()
            housekeeping.keep_house()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def fewest_of(context: ViewContext, above: str, below: str, alteration: Alteration) -> Fewest:
    """Return the fewest judgments for two systems, found once."""
    return remember_in_turn(
        context,
        ("fewest", context.ranker.as_fitted(), context.certainty.seed, above, below, alteration),
        lambda: fewest(smooth_fit(fit(context)), above, below, alteration),
    )
