"""Most Probable Ranking: the order whose pairs are all right with the greatest probability.

Reference: Callison-Burch et al. 2012, *Findings of the 2012 Workshop on Statistical Machine
Translation*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.parameters import number
from analysis.rankers.feedback_arc import OrderRanker


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
