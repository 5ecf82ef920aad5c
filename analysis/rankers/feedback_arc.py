"""Rankings that are orders of least cost; Lopez's is the minimum feedback arc set.

References: Lopez 2012, *Putting Human Assessments of Machine Translation Systems in Order*;
Callison-Burch et al. 2012, *Findings of the 2012 Workshop on Statistical Machine Translation*, for
the most probable ranking.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.parameters import number
from analysis.rankers.order_search import best_positions, count_best_orders
from analysis.rankers.ranker import CountRanker, Fit, require_judgments
from analysis.rankers.ratios import ExpectedWins


@dataclass(frozen=True)
class OrderRanker(CountRanker):
    """A ranker that looks for the order of least cost; a score is the number of systems below.

    Of several best orders it takes the one that, from the top, puts the system with the most
    Expected Wins first; only the integer program takes whichever of them it finds.
    """

    score_label: ClassVar[str] = "systems placed below"

    time_limit: float = number(
        30.0,
        "Time limit of the search in seconds, if more than 20 systems form cycles.",
        low=0.01,
        high=3600,
        symbol="seconds",
        advanced=True,
        role="effort",
    )

    @abstractmethod
    def costs(self, counts: PairCounts) -> FloatArray:
        """Return c[..., i, j] ≥ 0, the cost of placing i above j; one of the two ways is free."""

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        met = counts.compared.sum(axis=-1) > 0
        positions = best_positions(self.costs(counts), _first_choice(counts, met), self.time_limit)
        below = met.sum(axis=-1, keepdims=True) - 1.0 - positions
        return np.where(met, below, np.nan)

    def fit(self, judgments: Judgments, seed: int = 0) -> Fit:
        require_judgments(judgments)
        counts = judgments.counts
        scores = self.scores_from_counts(counts)
        notes = self._how_many_are_as_good(counts)
        return Fit(self, judgments, seed, self.standings(judgments, scores, notes=notes))

    def _how_many_are_as_good(self, counts: PairCounts) -> tuple[str, ...]:
        met = counts.compared.sum(axis=-1) > 0
        n_orders = count_best_orders(self.costs(counts)[np.ix_(met, met)])
        if n_orders is None:
            return ("Orders that are equally good were not counted: there are too many systems.",)
        if n_orders == 1:
            return ()
        return (
            f"{n_orders} orders are equally good; this is the one that puts systems with more "
            "Expected Wins first.",
        )


@dataclass(frozen=True)
class Lopez(OrderRanker):
    """The order that contradicts the fewest judgments, counted by majorities.

    It minimizes Σ max(0, win(j, i) - win(i, j)) over all pairs with i placed above j.
    """

    name: ClassVar = "lopez"
    title: ClassVar = "Fewest contradictions (Lopez)"
    sentence: ClassVar = "The order that contradicts the fewest judgments."
    citation: ClassVar = "Lopez 2012"
    references: ClassVar = ("lopez-2012-putting",)

    def costs(self, counts: PairCounts) -> FloatArray:
        return np.maximum(0.0, counts.losses - counts.wins)


def _first_choice(counts: PairCounts, met: FloatArray) -> FloatArray:
    """Return Expected Wins; ½ where only ties say something, and least where nothing does."""
    shares = ExpectedWins().scores_from_counts(counts)
    return np.where(met, np.nan_to_num(shares, nan=0.5), -1.0)


@dataclass(frozen=True)
class MostProbable(OrderRanker):
    """The order that maximizes Π p(i, j) over all pairs with i placed above j.

    p(i, j) = (win(i, j) + α) / (win(i, j) + win(j, i) + 2α), ties ignored; α keeps a system that
    never lost from making all other orders impossible. As logarithms this is an order of least
    cost: c(i, j) = max(0, log p(j, i) - log p(i, j)). Unlike Lopez's order, where a majority
    counts by its size, here it counts by its odds.
    """

    name: ClassVar = "most-probable"
    title: ClassVar = "Most Probable Ranking"
    sentence: ClassVar = (
        "The order that maximizes the probability that every pair is in the right order."
    )
    citation: ClassVar = "Callison-Burch et al. 2012"
    references: ClassVar = ("callison-burch-etal-2012-findings",)

    alpha: float = number(
        1.0,
        "Prior wins of every system over every other one.",
        low=0.01,
        high=100,
        step=0.5,
        symbol="α",
    )

    def costs(self, counts: PairCounts) -> FloatArray:
        log_odds = np.log(counts.losses + self.alpha) - np.log(counts.wins + self.alpha)
        return np.maximum(0.0, log_odds)
