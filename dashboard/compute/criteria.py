"""One criterion of a campaign, and all of them together."""

from __future__ import annotations

import dataclasses

from analysis.campaign import Campaign
from analysis.comparing.criteria import Criteria, Halo, halos, rank_criteria
from analysis.parallel import Progress
from analysis.ranking.ranking import Ranking
from dashboard.compute import results, store
from dashboard.compute.contexts import make_context
from dashboard.session.view import ViewContext


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
