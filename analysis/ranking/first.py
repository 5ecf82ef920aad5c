"""Who is first, and among the best k: abilities drawn from what is known of them.

How often a system comes first in resamples is no probability that it is first: near systems trade
places in the data more than in truth. Here true scores θ are drawn from their posterior, given the
scores s and their two-way covariance C (`apart`):

    s ~ N(θ, C),   θ ~ N(m, τ²),   τ known as far as the scores tell it,

m being their mean, in coordinates in which C is diagonal (`Contrasts`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.stats

from analysis.campaign import FloatArray, IntArray
from analysis.errors import UndefinedResultError
from analysis.ranking.apart import Apart, Target, Uncertainty

DRAWS = 4000
"""Draws of abilities; a probability of one half is then known to ±.008."""

N_SPREADS = 80
"""Deviations of true scores that are considered, equally likely beforehand."""


@dataclass(frozen=True, eq=False)
class RankDraws:
    """``ranks[R, K]`` of systems by abilities drawn, 1 the best; nan for systems without a rank."""

    systems: tuple[str, ...]
    ranks: FloatArray

    @property
    def first(self) -> FloatArray:
        """Return how probable it is that each system is the best; nan without a rank."""
        return self.probability_of_top(1)

    def probability_of_top(self, k: int) -> FloatArray:
        """Return how probable it is that each system is among the best ``k``."""
        share = (self.ranks <= k).mean(axis=0)
        return np.asarray(np.where(np.isnan(self.ranks[0]), np.nan, share))


def draw_ranks(apart: Apart, draws: int = DRAWS, seed: int = 0) -> RankDraws:
    """Draw abilities of the systems that compare with each other, and rank them."""
    ranked = np.flatnonzero(apart.low > 0)
    joined = ~np.isnan(apart.p[np.ix_(ranked, ranked)])
    if len(ranked) < 2 or not (joined | np.eye(len(ranked), dtype=bool)).all():
        raise UndefinedResultError(
            "Who is first",
            "some systems cannot be compared with others, or nothing tells how sure scores are",
            "Leave out systems until a chain of judgments joins the rest.",
        )
    estimate = apart.scores[ranked] - apart.scores[ranked].mean()
    covariance = two_way_covariance(apart.uncertainty, apart.target, ranked)
    abilities = draw_abilities(estimate, covariance, draws, np.random.default_rng(seed))
    ranks = np.full((draws, len(apart.systems)), np.nan)
    ranks[:, ranked] = scipy.stats.rankdata(-abilities, axis=1)
    return RankDraws(apart.systems, ranks)


def two_way_covariance(uncertainty: Uncertainty, target: Target, kept: IntArray) -> FloatArray:
    """Return a covariance of the centered scores that varies along each axis as `apart` says.

    The axes are those of the sum by segments and judges less that by tasks, which by itself may
    have directions of too little variance, or of less than none.
    """
    k = len(uncertainty.none)
    plane = scipy.linalg.null_space(np.ones((1, len(kept))))
    matrices = {unit: found.matrix for unit, found in uncertainty.units.items()}
    task = matrices["task"]
    whole = task if target == "these" else (
        matrices.get("segment", task) + matrices.get("judge", task) - task
    )  # fmt: skip
    whole = whole + uncertainty.few
    _, vectors = np.linalg.eigh(plane.T @ whole[np.ix_(kept, kept)] @ plane)
    axes = np.zeros((k, len(kept) - 1))
    axes[kept] = plane @ vectors
    variances = uncertainty.along(axes.T, target)
    return np.asarray((axes[kept] * variances) @ axes[kept].T)


def draw_abilities(
    estimate: FloatArray, covariance: FloatArray, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draw true centered scores [draws, K], what is not known of their spread included."""
    contrasts = Contrasts.of(estimate, covariance)
    return np.asarray(draw_coordinates(contrasts, draws, rng) @ contrasts.basis.T)


def draw_coordinates(contrasts: Contrasts, draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw the same as coordinates[draws, K-1]."""
    unit = np.sqrt(contrasts.variance.mean())
    most = max(unit, np.sqrt((contrasts.estimate**2).mean()))
    spreads = np.geomspace(0.02 * unit, 10 * most, N_SPREADS)
    weights = spread_weights(contrasts, spreads)
    return contrasts.draw_truths(spreads, weights, draws, rng)


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Independent coordinates of the centered abilities: ``basis[K, K-1]``, their variances."""

    basis: FloatArray
    variance: FloatArray
    estimate: FloatArray

    @classmethod
    def of(cls, abilities: FloatArray, covariance: FloatArray) -> Contrasts:
        plane = scipy.linalg.null_space(np.ones((1, len(abilities))))
        values, vectors = np.linalg.eigh(plane.T @ covariance @ plane)
        basis = plane @ vectors
        return cls(basis, np.maximum(values, 1e-12), basis.T @ abilities)

    def resamples(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw what ``n`` resamples of tasks would move the abilities by, [n, K]."""
        drawn = rng.standard_normal((n, len(self.variance)))
        return np.asarray(drawn * np.sqrt(self.variance) @ self.basis.T)

    def draw_truths(
        self, spreads: FloatArray, weights: FloatArray, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw true abilities, as coordinates[D, K-1], from their posterior."""
        tau2 = rng.choice(spreads, size=draws, p=weights)[:, None] ** 2
        kept = tau2 / (tau2 + self.variance)
        noise = rng.standard_normal((draws, len(self.variance)))
        return np.asarray(kept * self.estimate + np.sqrt(kept * self.variance) * noise)


def spread_weights(contrasts: Contrasts, spreads: FloatArray) -> FloatArray:
    """Return the posterior of τ: coordinates of the estimate are N(0, variance + τ²).

    ``spreads`` are a grid whose steps grow with τ, each τ being equally likely beforehand.
    """
    total = contrasts.variance + spreads[:, None] ** 2
    log_weight = -0.5 * (np.log(total) + contrasts.estimate**2 / total).sum(axis=1)
    log_weight += np.log(spreads)
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray(weight / weight.sum())
