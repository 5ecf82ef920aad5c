"""The slides of a view, from results that other pages show, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from analysis.comparing.comparison import Column, Comparison, compare
from analysis.comparing.what_if import sweep_radius
from analysis.errors import PodiumError
from analysis.next_campaign.back_test import back_test
from analysis.next_campaign.outlook import Limits
from analysis.next_campaign.planning import plan
from analysis.parallel import Progress
from analysis.rankers import RANKERS, Ranker, compared_methods
from analysis.rankers.mean import possible_means
from analysis.reporting.deck.assembly import Evidence, build_deck, is_near
from analysis.reporting.deck.slides import Deck
from dashboard.compute import results
from dashboard.registry import sections
from dashboard.session.view import ViewContext

T = TypeVar("T")


def deck(context: ViewContext, progress: Progress | None = None) -> Deck:
    """Return the deck of the view, once; what cannot be said of these judgments has no slide."""
    more = tuple(slide for section in sections("slides") for slide in section.slides(context))

    def make() -> Deck:
        ranking = results.ranking(context, progress)
        verdict, chosen = results.verdict(context), context.certainty
        limits = Limits.of_new(verdict, None, None)
        told_by = (context.ranker, chosen.scope, chosen.level, chosen.seed, chosen.runs, None)
        doubt = results.doubt_of_winner(context)
        forecast = _or_none(
            lambda: results.remember(
                context,
                ("plan", *told_by, None, None, limits),
                lambda: plan(
                    context.judgments, verdict, limits=limits, seed=chosen.seed, doubt=doubt
                ),
            )
        )
        tested = None
        if forecast is not None and is_near(forecast):
            tested = results.remember(
                context,
                ("back test", *told_by),
                lambda: back_test(context.judgments, verdict, context.ranker, seed=chosen.seed),
            )
        return build_deck(
            Evidence(
                title=context.title or context.about,
                about=context.about,
                names=context.short_names,
                judgments=context.judgments,
                ranking=ranking,
                score_label=context.ranker.score_label,
                comparison=_or_none(lambda: _comparison(context, progress)),
                agreement=results.agreement_or_none(context),
                sweep=_or_none(lambda: sweep_radius(ranking.scores, context.judgments.counts))
                if len(context.judgments)
                else None,
                plan=forecast,
                tested=tested,
                more=more,
                seed=chosen.seed,
                caution=results.caution(context, ranking),
            )
        )

    return results.remember(
        context,
        ("deck", context.label, context.ranker, context.certainty, tuple(s.title for s in more)),
        make,
    )


def _or_none(make: Callable[[], T]) -> T | None:
    try:
        return make()
    except PodiumError:
        return None


def _comparison(context: ViewContext, progress: Progress | None) -> Comparison:
    """Compare the methods that What if compares, or means with each other."""
    rankers: dict[str, Ranker] = dict(possible_means(context.judgments))
    if not context.ranker.needs_scores:
        found = (RANKERS[name]() for name in compared_methods(context.campaign))
        rankers = {one.title: one for one in found} | {context.ranker.title: context.ranker}
    return compare(
        [
            Column.from_ranking(results.ranking(context.with_ranker(ranker), progress), name)
            for name, ranker in rankers.items()
        ]
    )
