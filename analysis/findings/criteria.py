"""What several criteria show together, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.comparing.criteria import Criteria, Halo
from analysis.findings.standings import Name
from analysis.ranking.ranking import Ranking
from analysis.wording import EN_DASH, count, fixed, listed, percent

MOST_NAMED = 3


def criteria_headline(criteria: Criteria, name: Name = str) -> str:
    """Say who wins by every criterion, else which systems no other beats on all of them.

    "sys5 wins by all 3 criteria", "No single winner: 2 of 7 systems are unbeaten on all criteria"
    """
    n = len(criteria.names)
    winners = {_winner(ranking) for ranking in criteria.rankings}
    if len(winners) == 1 and "" not in winners:
        return f"{name(winners.pop())} wins by all {n} criteria"
    best = criteria.pareto
    if len(best) == 1:
        return f"{name(best[0])} has the best score by all {n} criteria"
    all_ = len(criteria.systems)
    return f"No single winner: {len(best)} of {all_} systems are unbeaten across the {n} criteria"


def pareto_words(criteria: Criteria, name: Name = str) -> str:
    """Name the systems that no other beats on every criterion, and those that one beats surely."""
    best = listed([name(system) for system in criteria.pareto], MOST_NAMED)
    words = f"No other system is at least as good on every criterion as {best}."
    if criteria.beaten:
        n = count(len(criteria.beaten), "system")
        words += f" {n} {'is' if len(criteria.beaten) == 1 else 'are'} significantly worse than "
        words += "another on every criterion."
    return words


def weights_headline(criteria: Criteria, weights: Sequence[float], name: Name = str) -> str:
    """Name the system with the highest weighted mean, and whether the weights matter."""
    winner = criteria.winner(weights)
    stays = criteria.stays(weights).values()
    if all(low <= 0 and high >= 1 for low, high in stays):
        return f"{name(winner)} has the best weighted mean, whichever criterion counts more"
    return f"{name(winner)} has the best weighted mean; other weights change that"


def stays_words(criteria: Criteria, weights: Sequence[float], name: Name = str) -> str:
    """Say between which shares of each criterion's weight the winner stays."""
    total = sum(weights)
    ranges = [
        f"{own} has {percent(low)}{EN_DASH}{percent(high)} of the weight (now "
        f"{percent(weight / total)})"
        for (own, (low, high)), weight in zip(
            criteria.stays(weights).items(), weights, strict=True
        )
    ]  # fmt: skip
    return f"{name(criteria.winner(weights))} stays first while {listed(ranges, len(ranges))}."


def halo_words(found: Sequence[Halo]) -> str:
    """Say which two criteria judges keep apart least; empty if that is unknown.

    A correlation within a judge above that between judges is halo.
    """
    known = [one for one in found if not math.isnan(one.within)]
    if not known:
        return ""
    top = max(known, key=lambda one: one.within)
    words = f"{top.a} and {top.b} correlate most within a judge ({fixed(top.within)}"
    if math.isnan(top.between):
        return f"{words})."
    halo = " A judge's overall impression may drive both." if _is_halo(top) else ""
    return f"{words}; between different judges {fixed(top.between)}).{halo}"


def _is_halo(one: Halo) -> bool:
    return one.within - one.between > 0.2


def _winner(ranking: Ranking) -> str:
    """Return the only possible winner; empty if there are several or nothing is known."""
    best = ranking.possible_winners
    return best[0] if len(best) == 1 else ""
