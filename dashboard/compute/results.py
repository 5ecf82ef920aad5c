"""What is computed of a view, once; everybody's where it is of a sample, else one session's.

A key names everything a result depends on: the campaign's fingerprint, the pair, the selection and
the caller's own settings. Resamples are kept chunk by chunk, so that a run that was interrupted
goes on where it was, and a longer run begins with a shorter one's chunks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import streamlit as st

from analysis.campaign import Judgments
from analysis.judges.agreement import Agreement, agreement
from analysis.judges.judges import JudgeAgreement, JudgeTable, judge_agreement, judges
from analysis.parallel import Progress
from analysis.rankers.standings import Standings
from analysis.ranking.preflight import Finding, preflight
from analysis.ranking.ranking import Ranking, assemble
from analysis.ranking.replicates import Replicates, replicate
from dashboard.compute import store
from dashboard.compute.resuming import ResumingThreads
from dashboard.session.view import ViewContext

T = TypeVar("T")


def remember(context: ViewContext, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """Return ``make()``, made once for this campaign, pair, selection and ``key``.

    ``key`` begins with the result's name and holds every setting that ``make`` uses (a ranker may
    stand in it as it is); what it returns is shared, so it must not be changed.
    """
    return store.memory(context.is_sample).results.get_or_make((*context.data_key, *key), make)


def recall(context: ViewContext, key: tuple[Hashable, ...]) -> Any:
    """Return what `remember` or `keep` has under the key, None where there is nothing yet."""
    return store.memory(context.is_sample).results.get((*context.data_key, *key))


def keep(context: ViewContext, key: tuple[Hashable, ...], value: object) -> None:
    """Keep what was made outside of `remember`."""
    store.memory(context.is_sample).results.put((*context.data_key, *key), value)


def standings(context: ViewContext) -> Standings:
    """Return the chosen ranker's scores of the judgments as they are."""
    ranker, seed = context.ranker, context.resampling.seed
    return remember(
        context, ("standings", ranker, seed), lambda: ranker.fit(context.judgments, seed)
    )


def replicates(context: ViewContext, progress: Progress | None = None) -> Replicates:
    """Return the chosen ranker's scores on every resample; resumes where it was interrupted."""
    ranker, chosen = context.ranker, context.resampling
    chunks = store.memory(context.is_sample).chunks
    family = (*context.data_key, ranker, chosen.unit, chosen.seed)

    def run() -> Replicates:
        with ResumingThreads(chunks, family) as executor:
            return replicate(
                ranker,
                context.judgments,
                runs=chosen.runs,
                unit=chosen.unit,
                seed=chosen.seed,
                executor=executor,
                progress=progress,
            )

    return remember(context, _replicates_key(context), run)


def ranking(context: ViewContext, progress: Progress | None = None) -> Ranking:
    """Return standings with rank ranges and clusters over the resamples."""
    runs = replicates(context, progress)
    level = context.resampling.level
    return remember(
        context,
        ("ranking", *_replicates_key(context), level),
        lambda: assemble(context.judgments, standings(context), runs, level),
    )


def preview(context: ViewContext) -> Ranking:
    """Return what can be said at once: the scores with the model's own spread, no ranges yet."""
    return Ranking(
        judgments=context.judgments,
        standings=standings(context),
        runs=0,
        level=context.resampling.level,
        provenance=context.ranker.provenance,
        ranges=None,
        clusters=None,
    )


def agreement_of_judges(context: ViewContext) -> Agreement:
    """Return inter and intra agreement, as published and strict, with intervals."""
    level, seed = context.resampling.level, context.resampling.seed

    def make() -> Agreement:
        return agreement(judged_pairs(context), level=level, seed=seed)

    return remember(context, ("agreement", level, seed), make)


def judged_pairs(context: ViewContext) -> Judgments:
    """Return the judgments as agreement counts them: without a rank, a pair is lost, not a task."""
    return remember(
        context,
        ("judged pairs",),
        lambda: context.campaign.judgments(context.pair, context.selection, incomplete="drop-pair"),
    )


def judge_by_judge(context: ViewContext) -> JudgeTable:
    """Return every judge's work, agreement and flags."""
    return remember(context, ("judges",), lambda: judges(judged_pairs(context)))


def judge_couples(context: ViewContext) -> JudgeAgreement:
    """Return the kappa of every two judges."""
    return remember(context, ("judge couples",), lambda: judge_agreement(judged_pairs(context)))


def preflight_findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return what limits a ranking of the chosen judgments."""
    return remember(context, ("preflight",), lambda: preflight(context.judgments))


def is_resampled(context: ViewContext) -> bool:
    """Return whether all resamples are there already, so that no preview is needed."""
    return recall(context, _replicates_key(context)) is not None


def _replicates_key(context: ViewContext) -> tuple[Hashable, ...]:
    chosen = context.resampling
    return ("replicates", context.ranker, chosen.unit, chosen.seed, chosen.runs)


@st.cache_resource(show_spinner=False)
def warm_up(_first_context: Callable[[], ViewContext]) -> threading.Thread:
    """Compile the kernels and rank the first sample, before the first user asks."""
    store.shared_memory()
    thread = threading.Thread(target=lambda: ranking(_first_context()), daemon=True)
    thread.start()
    return thread
