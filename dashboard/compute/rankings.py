"""More rankings than the view's own: quick ones, by every criterion, of all language pairs.

Those of language pairs are kept as they come, for this page and every other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.campaign import Campaign, Judgments
from analysis.comparing.criteria import Criteria, Halo, halos, rank_criteria
from analysis.comparing.language_pairs import Keep, PairResult, whole_campaign
from analysis.findings.certainty import certainty_words
from analysis.findings.changes import Answer
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.ranking.ranking import (
    STAND_IN,
    Ranking,
    n_samples,
    quick_ranking,
    wins_in_samples,
)
from dashboard.compute import results, store
from dashboard.compute.contexts import make_context, with_pair
from dashboard.compute.results import remember, takes_time
from dashboard.compute.store import InPlace, forget_items, resuming_threads
from dashboard.session import state
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
    n = n_samples(context.judgments)
    for share in sorted((share for share in shares if share < 1), reverse=True):
        found[share] = wins_in_samples(
            context.judgments, context.ranker, context.certainty, winner, share, n
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


def of_criterion(campaign: Campaign, name: str) -> Campaign:
    """Return the campaign by one of its criteria, the same object each time."""
    if name == campaign.criterion:
        return campaign
    return store.session_memory().results.get_or_make(
        ("criterion", campaign.fingerprint, name), lambda: campaign.of_criterion(name)
    )


def criteria_of(context: ViewContext, progress: Progress | None = None) -> Criteria:
    """Rank by each criterion, at the level at which the rank ranges are valid for all together."""
    done = 0

    def rank_one(campaign: Campaign, level: float) -> Ranking:
        nonlocal done
        view = make_context(
            of_criterion(context.campaign, campaign.criterion),
            context.pair,
            context.ranker,
            dataclasses.replace(context.certainty, level=level),
            is_sample=context.is_sample,
            selection=context.selection,
        )
        ranking = results.ranking(view)
        done += 1
        if progress is not None:
            progress(done, len(context.campaign.criteria))
        return ranking

    key = ("criteria", context.ranker, context.certainty)
    return results.remember(
        context, key, lambda: rank_criteria(context.campaign, rank_one, context.certainty.level)
    )


def halos_of(context: ViewContext, criteria: Criteria) -> list[Halo]:
    """Return how every two criteria go along."""
    named = zip(criteria.names, criteria.rankings, strict=True)
    return results.remember(
        context, ("halo",), lambda: halos([(name, ranking.judgments) for name, ranking in named])
    )


def whole(
    context: ViewContext, keep: Keep | None = None, progress: Progress | None = None
) -> tuple[PairResult, ...]:
    """Return every pair's result; ``keep`` is told of each as it comes, of known ones at once.

    A pair that was ranked on another page is not ranked again, nor the other way round. Pairs are
    ranked as it is this session's turn, one by one.
    """
    views = {pair: with_pair(context, pair) for pair in context.campaign.pairs}
    known = {}
    for pair, view in views.items():
        found = _known(view)
        if found is not None:
            known[pair] = found
            if keep is not None:
                keep(found)

    def remember(result: PairResult) -> None:
        view = views[result.pair]
        results.keep(view, _key(view), result)
        if result.ranking is not None:
            results.keep_ranking(view, result.ranking)
        if keep is not None:
            keep(result)

    pairs_key = _key(context)
    with resuming_threads(context, pairs_key) as workers:
        every = whole_campaign(
            context.campaign,
            context.ranker,
            context.certainty,
            state.selection_of(context.campaign),
            known=known,
            keep=remember,
            executor=InPlace(),
            workers=workers,
            progress=progress,
        )
    forget_items(context, pairs_key)
    return every


def is_whole(context: ViewContext) -> bool:
    """Return whether every pair is known already."""
    return all(_known(with_pair(context, pair)) for pair in context.campaign.pairs)


def _known(view: ViewContext) -> PairResult | None:
    found: PairResult | None = results.recall(view, _key(view))
    if found is None and results.is_ranked(view):
        agreed = results.agreement_or_none(view)
        names = view.short_names
        found = PairResult(view.pair, names, view.judgments, results.ranking(view), agreed)
        results.keep(view, _key(view), found)
    return found


def _key(view: ViewContext) -> tuple[object, ...]:
    return ("pair result", view.ranker, view.certainty)
