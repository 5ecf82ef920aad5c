"""Quick rankings: which say at once what a change does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.campaign import Judgments
from analysis.findings.certainty import certainty_words
from analysis.findings.changes import Answer
from analysis.provenance import Provenance
from analysis.ranking.quick import STAND_IN, quick_ranking, wins_in_samples
from dashboard.compute.results import remember, takes_time
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
    """Rank quickly, all the view's judgments unless others are given; not kept."""
    judgments = context.judgments if judgments is None else judgments
    ranking = quick_ranking(judgments, context.ranker, context.certainty)
    return Quick(Answer.from_ranking(ranking), len(judgments), ranking.provenance)


def remembered_quick(context: ViewContext) -> Quick:
    """Rank the view's judgments quickly, once."""
    key = ("quick ranking", context.ranker, context.certainty)
    return remember(context, key, lambda: quick(context))


def wins_with_fewer(context: ViewContext, shares: Sequence[float]) -> dict[float, int]:
    """Return in how many samples of each share of the tasks the winner wins, the largest first.

    It ends at the first share of which no sample has it. Empty without a winner, and where an
    answer takes resampling.
    """
    winner = remembered_quick(context).answer.winner
    if winner is None or context.certainty.is_official or takes_time(context):
        return {}
    found: dict[float, int] = {}
    for share in sorted((share for share in shares if share < 1), reverse=True):
        found[share] = wins_in_samples(
            context.judgments, context.ranker, context.certainty, winner, share
        )
        if not found[share]:
            break
    return found


def quick_words(context: ViewContext) -> str:
    """Say how quick intervals were made."""
    words = certainty_words(replace(context.certainty, ranges="simultaneous"))
    if not context.ranker.quick_form().has_derivative(context.judgments):
        words = f"Preview: {STAND_IN.title} estimates the uncertainty of scores. {words}"
    return words
