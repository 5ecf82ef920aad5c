"""What true scores may be, given those at hand; one system far behind does not mislead the draws.

For the centered scores s of K systems with covariance C,

    s ~ N(θ, f C),   θ_i ~ N(m, τ² λ_i),   λ_i ~ InvGamma(ν₀/2, ν₀/2),   f ~ InvGamma(ν/2, ν/2):

abilities come from Student's t with ν₀ = `TAILS` degrees, so that a system far behind says little
of how far apart the others are; C is known as ν degrees of freedom tell it; τ is on a grid, small
values a little likelier. A Gibbs sampler draws θ, λ, f and τ in turn, τ both given θ and given θ/τ
(interweaving, without which it moves slowly where τ is small).

Reference: Yu & Meng 2011, *To Center or Not to Center: That Is Not the Question*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.campaign import FloatArray, IntArray
from analysis.errors import PodiumError
from analysis.kernel import kernel
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import Scope

TAILS = 1.0
"""Degrees of freedom of the abilities' distribution: 1 is Cauchy's."""

PRIOR = -0.5
"""A spread τ is as likely beforehand as τ to this power: more often small than large."""

BURN_IN, THINNED = 100, 2
N_SPREADS = 80
"""Deviations of true scores that are considered."""

MOST_SYSTEMS = 150
"""Systems above which all are taken to be normally distributed: one alone says little there."""

LEVEL_UNKNOWN = 1e4
"""Variance of the common level of all scores, in variances of a score: nothing is known of it."""

LEAST_VARIANCE = 1e-9
"""Variance of any direction, in variances of a score, below which rounding is all there is."""


@dataclass(frozen=True, eq=False)
class Truths:
    """Drawn true scores ``theta[D, K]``, centered, and the factor ``scale[D]`` of the variances."""

    theta: FloatArray
    scale: FloatArray


def draw_truths(
    scores: FloatArray,
    covariance: FloatArray,
    freedom: float,
    draws: int,
    rng: np.random.Generator,
) -> Truths:
    """Draw true scores of systems whose centered ``scores[K]`` have the ``covariance[K, K]``."""
    k = len(scores)
    unit2 = float(np.trace(covariance)) / (k - 1)
    if not unit2 > 0:
        raise PodiumError(
            "Outlook",
            "these judgments leave no variance to learn from",
            "Collect more judgments first, or choose another method.",
        )
    most = math.sqrt(max(unit2, float((scores**2).mean())))
    grid = np.geomspace(0.02 * math.sqrt(unit2), 10 * most, N_SPREADS)
    # The level is free: a wide direction along the ones makes the covariance invertible.
    known = covariance + LEVEL_UNKNOWN * unit2 * np.ones((k, k)) / k
    # Rounding can leave a direction without variance, or with less than none. Inverted by its
    # directions, the precision stays symmetric even where they differ by many orders.
    variances, directions = np.linalg.eigh(known)
    precision = (directions / np.maximum(variances, LEAST_VARIANCE * unit2)) @ directions.T
    tails = TAILS if k <= MOST_SYSTEMS else math.inf
    theta, scale = _gibbs(scores, precision, float(freedom), tails, most**2, grid, draws, rng)
    return Truths(theta, scale)


@kernel
def _gibbs(scores, precision, freedom, tails, tau2, grid, draws, rng):  # type: ignore[no-untyped-def]
    """Return draws of the centered true scores and of the factor of the variances."""
    k = len(scores)
    pull = precision @ scores
    logs = np.log(grid)
    steps = (1 + PRIOR) * logs
    scale, width = 1.0, np.ones(k)
    theta_of, scale_of = np.empty((draws, k)), np.empty(draws)
    for step in range(BURN_IN + draws * THINNED):
        # θ given the rest: normal, precision C⁻¹/f + diag(1/τ²λ).
        inner = precision / scale
        for i in range(k):
            inner[i, i] += 1 / (tau2 * width[i])
        lower = np.linalg.cholesky(inner)
        theta = np.empty(k)
        for i in range(k):
            theta[i] = (pull[i] / scale - lower[i, :i] @ theta[:i]) / lower[i, i]
        # Solved backward, one half gives the mean and the noise the deviation from it.
        for i in range(k):
            theta[i] += rng.standard_normal()
        for i in range(k - 1, -1, -1):
            theta[i] /= lower[i, i]
            theta[:i] -= lower[i, :i] * theta[i]
        # λ given θ: wide where a system is far from the others.
        if math.isfinite(tails):
            for i in range(k):
                rate = (tails + theta[i] ** 2 / tau2) / 2
                width[i] = rate / rng.standard_gamma((tails + 1) / 2)
        # τ given θ, then given η = θ/τ, each over the grid.
        sizes = (theta**2 / width).sum()
        tau = _choose(grid, steps - k * logs - sizes / (2 * grid**2), rng)
        eta = theta / tau
        curve, slope = eta @ (precision @ eta) / scale, eta @ pull / scale
        tau = _choose(grid, steps + slope * grid - curve * grid**2 / 2, rng)
        theta, tau2 = tau * eta, tau**2
        # f given what is left: the covariance is known as its degrees of freedom tell it.
        if math.isfinite(freedom):
            left = scores - theta
            scale = (freedom + left @ (precision @ left)) / 2
            scale /= rng.standard_gamma((freedom + k - 1) / 2)
        done = (step - BURN_IN) // THINNED
        if done >= 0 and (step - BURN_IN) % THINNED == 0:
            theta_of[done], scale_of[done] = theta - theta.mean(), scale
    return theta_of, scale_of


@kernel
def _choose(grid, logarithms, rng):  # type: ignore[no-untyped-def]
    """Draw one value of a grid by its unnormalized log-weights."""
    shares = np.cumsum(np.exp(logarithms - logarithms.max()))
    return grid[np.searchsorted(shares, rng.random() * shares[-1])]


def two_way_covariance(uncertainty: Uncertainty, scope: Scope, kept: IntArray) -> FloatArray:
    """Return a covariance of the centered scores that varies along each axis as `Uncertainty` says.

    The axes are those of the sum by segments and judges less that by tasks, which by itself may
    have directions of too little variance, or of less than none.
    """
    k = len(uncertainty.none)
    plane = scipy.linalg.null_space(np.ones((1, len(kept))))
    matrices = {unit: found.matrix for unit, found in uncertainty.units.items()}
    task = matrices["task"]
    whole = task if scope == "these" else (
        matrices.get("segment", task) + matrices.get("judge", task) - task
    )  # fmt: skip
    whole = whole + uncertainty.few
    _, vectors = np.linalg.eigh(plane.T @ whole[np.ix_(kept, kept)] @ plane)
    axes = np.zeros((k, len(kept) - 1))
    axes[kept] = plane @ vectors
    variances = uncertainty.along(axes.T, scope)
    return np.asarray((axes[kept] * variances) @ axes[kept].T)


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


def spread_weights(contrasts: Contrasts, spreads: FloatArray) -> FloatArray:
    """Return the posterior of τ: coordinates of the estimate are N(0, variance + τ²).

    ``spreads`` are a grid whose steps grow with τ, each τ being equally likely beforehand.
    """
    total = contrasts.variance + spreads[:, None] ** 2
    log_weight = -0.5 * (np.log(total) + contrasts.estimate**2 / total).sum(axis=1)
    log_weight += np.log(spreads)
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray(weight / weight.sum())
