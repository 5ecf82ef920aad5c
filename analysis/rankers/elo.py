"""Elo: ratings that move after every judgment, in the file's order or averaged over many orders.

Reference: Elo 1978, *The Rating of Chessplayers, Past and Present*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.kernel import kernel
from analysis.parameters import choice, number
from analysis.rankers.preferences import Preferences, chances_from_expected_scores
from analysis.rankers.ranker import Fit, Ranker, require_judgments
from analysis.rankers.resampling import ResamplingUnit, draw_observations, unit_index
from analysis.wording import count

POINTS = 400.0
"""Points by which a rating must be higher for odds of ten to one."""


def expected_scores(ratings: FloatArray) -> FloatArray:
    """Return E[i, j] = 1 / (1 + 10^((R_j - R_i)/400)), what i may expect against j.

    >>> expected_scores(np.array([1400., 1000.])).round(3).tolist()
    [[0.5, 0.909], [0.091, 0.5]]
    """
    return 1 / (1 + 10 ** ((ratings[None, :] - ratings[:, None]) / POINTS))


@dataclass(frozen=True)
class Elo(Ranker):
    """After each judgment R_i rises by K (s - E[i, j]) and R_j falls by as much.

    s is 1 for a win of i, ½ for a tie, 0 for a loss, and E[i, j] = 1 / (1 + 10^((R_j - R_i)/400)).
    In the file's order the last judgments count most. Judgments of a campaign have no order that
    means anything: so by default the ratings are the means over random orders. These are the
    rotations of one shuffle, equally far apart: each is as random as any order, and together they
    let all parts of the data come last in turn, which leaves less to chance than separate shuffles.
    """

    name: ClassVar = "elo"
    title: ClassVar = "Elo"
    sentence: ClassVar = (
        "A rating that rises with every win and falls with every loss, more so against "
        "unexpected opponents."
    )
    citation: ClassVar = "Elo 1978"
    references: ClassVar = ("elo-1978-rating",)
    score_label: ClassVar = "rating (400 points: odds of ten to one)"
    is_relative: ClassVar = True
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    order: str = choice(
        "averaged",
        "Order in which judgments are processed.",
        {"averaged": "the mean over random orders", "file": "the file's order, once"},
    )
    orders: int = number(
        20,
        "Number of random orders to average.",
        low=1,
        high=1000,
        step=10,
        symbol="orders",
        only_with=("order", ("averaged",)),
    )
    step: float = number(
        4.0, "Largest change of a rating by one judgment.", low=0.1, high=64, symbol="K"
    )
    start: float = number(
        1000.0, "Initial rating of every system.", low=0, high=3000, symbol="start"
    )

    @property
    def points_per_logit(self) -> float | None:
        return POINTS / math.log(10)

    @property
    def reading(self) -> str:
        orders = f"averaged over {count(self.orders, 'random order')}"
        if self.order != "averaged":
            orders = "in the file's order, so the last judgments count most"
        return (
            f"Elo with K = {self.step:g}, {orders}; a tie counts half, so distances are shorter "
            "than by Bradley–Terry. "
        )

    def fit(self, judgments: Judgments, seed: int = 0) -> EloFit:
        require_judgments(judgments)
        every = np.arange(len(judgments.observations))
        ratings = self._rate(judgments, every, np.random.default_rng(seed))
        return EloFit(self, judgments, seed, self.standings(judgments, ratings))

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        every = np.arange(len(judgments.observations))
        index = None if unit == "none" else unit_index(judgments, unit)

        def drawn() -> IntArray:
            """Return the observations of one resample, in the file's order."""
            if index is None:
                return every
            return np.repeat(
                every, np.bincount(draw_observations(index, rng), minlength=len(every))
            )

        return np.stack([self._rate(judgments, drawn(), rng) for _ in range(n)])

    def _rate(self, judgments: Judgments, chosen: IntArray, rng: np.random.Generator) -> FloatArray:
        """Return ratings after the chosen observations; nan for systems that are in none."""
        facts = judgments.observations
        if self.order == "averaged":
            chosen = rng.permutation(chosen)
        first, second = facts.left[chosen], facts.right[chosen]
        scores = 0.5 * (1.0 + facts.outcome[chosen])
        n_orders = self.orders if self.order == "averaged" else 1
        rise = _mean_ratings(first, second, scores, judgments.n_systems, self.step, n_orders)
        met = np.zeros(judgments.n_systems, dtype=bool)
        met[first] = met[second] = True
        return np.where(met, self.start + rise, np.nan)


@dataclass(frozen=True, eq=False)
class EloFit(Fit):
    """Ratings, which say what one system may expect against another."""

    ranker: Elo

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return win + tie/2 = E, with ties as frequent as in the judgments."""
        ratings = np.nan_to_num(self.standings.scores, nan=self.ranker.start)
        win, tie = chances_from_expected_scores(expected_scores(ratings), self.judgments)
        return Preferences(self.judgments.systems, win, tie, self.ranker.method_signature())


@kernel(error_model="numpy")
def _mean_ratings(first, second, scores, n_systems, step, n_orders):  # type: ignore[no-untyped-def]
    """Return ratings from 0, the mean over ``n_orders`` rotations of the judgments.

    The rotations are taken side by side, in three passes: the middle one has no branch and no
    call, so that the processor computes several of its exponentials at once.
    """
    n = len(scores)
    rate = np.log(10.0) / POINTS / 256.0
    ratings = np.zeros(n_orders * n_systems)
    left, right = np.empty(n_orders, np.uint32), np.empty(n_orders, np.uint32)
    gap, change = np.empty(n_orders), np.empty(n_orders)
    offset = np.arange(n_orders) * n // n_orders
    for t in range(n):
        for o in range(n_orders):
            row = t + offset[o]
            row -= n * (row >= n)
            i, j = np.uint32(o * n_systems + first[row]), np.uint32(o * n_systems + second[row])
            left[o], right[o] = i, j
            gap[o] = rate * (ratings[j] - ratings[i])
            change[o] = scores[row]
        for o in range(n_orders):
            # exp(256 x) as exp(x)^256: seven terms of the series, then eight squarings
            x = gap[o]
            odds = 1 + x * (
                1 + x * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (1 / 720)))))
            )
            for _ in range(8):
                odds *= odds
            change[o] = step * (change[o] - 1.0 / (1.0 + odds))
        for o in range(n_orders):
            ratings[left[o]] += change[o]
            ratings[right[o]] -= change[o]
    return ratings.reshape((n_orders, n_systems)).sum(axis=0) / n_orders
