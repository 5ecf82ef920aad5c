"""Quick rankings: few resamples, to say at once what a change would do."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.campaign import Judgments
from analysis.findings.changes import Answer
from analysis.provenance import Provenance
from analysis.rankers import CountRanker
from analysis.ranking.quick import QUICK_RUNS, quick_ranking
from dashboard.compute.results import remember
from dashboard.session.view import ViewContext


@dataclass(frozen=True, eq=False)
class Quick:
    """A quick ranking without its judgments, so that many can be kept."""

    answer: Answer
    n_judgments: int
    provenance: Provenance

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)


def quick(context: ViewContext, judgments: Judgments | None = None) -> Quick:
    """Rank by quick resamples, all the view's judgments unless others are given; not kept."""
    chosen = context.resampling
    judgments = context.judgments if judgments is None else judgments
    ranking = quick_ranking(
        judgments, context.ranker, unit=chosen.unit, level=chosen.level, seed=chosen.seed
    )
    return Quick(Answer.from_ranking(ranking), len(judgments), ranking.provenance)


def remembered_quick(context: ViewContext) -> Quick:
    """Rank the view's judgments by quick resamples, once."""
    chosen = context.resampling
    key = ("quick ranking", context.ranker, chosen.unit, chosen.level, chosen.seed)
    return remember(context, key, lambda: quick(context))


def quick_words(context: ViewContext) -> str:
    """Say how quick intervals were made."""
    words = f"Intervals are {context.resampling.level:.0%} of {QUICK_RUNS} quick resamples"
    if not isinstance(context.ranker, CountRanker):
        words += ", scattered as Bradley–Terry scatters on them"
    return f"{words} (preview; Standings has the whole)."
