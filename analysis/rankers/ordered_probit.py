"""Abilities under an ordered probit: posterior mode and spread from the K×K tables alone.

Two outputs differ by μ_i - μ_j + s ε, ε ~ N(0, 1); the left one wins above r, loses below -r and
ties between. With μ ~ N(0, σ0²) the log posterior

    Σ_ij win(i, j) log Φ((μ_i - μ_j - r) / s)
    + Σ_{i<j} tie(i, j) log [Φ((r - μ_i + μ_j) / s) - Φ((-r - μ_i + μ_j) / s)] - Σ_i μ_i² / 2σ0²

is strictly concave: it has one mode and Newton's method finds it, for many tables at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import log_ndtr, ndtr

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import NotConvergedError

MAX_STEPS = 100
TOLERANCE = 1e-9
"""Newton stops when no ability moves by more than this."""


@dataclass(frozen=True)
class OrderedProbit:
    """The model: noise ``scale`` s and tie ``radius`` r of a difference, ``prior_sd`` σ0."""

    scale: float
    radius: float
    prior_sd: float

    def outcome_probabilities(
        self, difference: FloatArray, variance: FloatArray | float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities of win and tie at a difference known up to ``variance``."""
        sd = np.sqrt(self.scale**2 + variance)
        distance = np.abs(difference)
        tie = ndtr((self.radius - distance) / sd) - ndtr((-self.radius - distance) / sd)
        return ndtr((difference - self.radius) / sd), tie

    def outcome_slopes(self, difference: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the slopes of log P(win) and of log P(tie) by the difference."""
        above = (difference - self.radius) / self.scale
        below = (-difference - self.radius) / self.scale
        win = np.exp(_log_density(above) - log_ndtr(above))
        r, distance = self.radius / self.scale, np.abs(difference) / self.scale
        chance = np.maximum(ndtr(r - distance) - ndtr(-r - distance), np.finfo(float).tiny)
        tie = (np.exp(_log_density(below)) - np.exp(_log_density(above))) / chance
        return win / self.scale, tie / self.scale

    def mode(
        self, counts: PairCounts, near: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return abilities[..., K] at the mode and the precision[..., K, K] there.

        Leading axes of the counts are replicates; all of them start at the mode of their mean,
        which is sought from ``near`` where that is given.
        """
        k = counts.n_systems
        wins, ties = counts.wins.reshape(-1, k, k), counts.ties.reshape(-1, k, k)
        start = np.zeros((1, k)) if near is None else near[None]
        if len(wins) > 1:
            start, _ = self._newton(wins.mean(0, keepdims=True), ties.mean(0, keepdims=True), start)
        mode, precision = self._newton(wins, ties, np.repeat(start, len(wins), axis=0))
        shape = counts.wins.shape
        return mode.reshape(shape[:-1]), precision.reshape(shape)

    def log_posterior(self, counts: PairCounts, abilities: FloatArray) -> float:
        """Return the log posterior of one set of abilities, up to a constant."""
        tables = _Tables.of(counts.wins[None], counts.ties[None])
        return float(self._evaluate(tables, abilities[None])[0][0])

    def _newton(
        self, wins: FloatArray, ties: FloatArray, mode: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        tables = _Tables.of(wins, ties)
        value, gradient, precision = self._evaluate(tables, mode)
        step = np.full(mode.shape, np.inf)
        for _ in range(MAX_STEPS):
            step = np.linalg.solve(precision, gradient[..., None])[..., 0]
            if np.abs(step).max() < TOLERANCE:
                return mode + step, precision
            reached = self._evaluate(tables, mode + step)
            # Far from the mode a full step can overshoot; the log posterior must not fall.
            while (worse := reached[0] < value - 1e-9 * (1 + np.abs(value))).any():
                step[worse] /= 2
                reached = self._evaluate(tables, mode + step)
            mode = mode + step
            value, gradient, precision = reached
        raise NotConvergedError(
            "Posterior mode of the abilities",
            f"Newton's method still moved by {np.abs(step).max():.2g} after {MAX_STEPS} steps",
            "Choose a smaller σ0, or a larger tie radius.",
        )

    def _evaluate(
        self, tables: _Tables, abilities: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the log posterior, its gradient and its negative Hessian, by replicate."""
        i, j = tables.pairs
        value, slope, bend = self._terms(tables, abilities[:, i] - abilities[:, j])
        n, k = abilities.shape
        prior = 1 / self.prior_sd**2
        precision = np.zeros((n, k, k))
        precision[:, i, j] = precision[:, j, i] = bend
        precision[:, np.arange(k), np.arange(k)] = prior - precision.sum(axis=-1)
        return (
            value - prior / 2 * (abilities**2).sum(axis=1),
            (tables.signs @ slope.T).T - prior * abilities,
            precision,
        )

    def _terms(
        self, tables: _Tables, difference: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the log likelihood by replicate, and its first two derivatives by pair.

        With m(z) = φ(z) / Φ(z): d log Φ(z)/dz = m and d² log Φ(z)/dz² = -m (z + m).
        """
        above, below = (
            (difference - self.radius) / self.scale,
            (-difference - self.radius) / self.scale,
        )
        log_win, log_loss = log_ndtr(above), log_ndtr(below)
        log_density_win, log_density_loss = _log_density(above), _log_density(below)
        win_ratio = np.exp(log_density_win - log_win)
        loss_ratio = np.exp(log_density_loss - log_loss)
        value = (tables.wins * log_win + tables.losses * log_loss).sum(axis=1)
        slope = tables.wins * win_ratio - tables.losses * loss_ratio
        bend = -tables.wins * win_ratio * (above + win_ratio)
        bend -= tables.losses * loss_ratio * (below + loss_ratio)
        if tables.ties.any():
            distance = np.abs(difference) / self.scale
            r = self.radius / self.scale
            tie = np.maximum(ndtr(r - distance) - ndtr(-r - distance), np.finfo(float).tiny)
            density_win, density_loss = np.exp(log_density_win), np.exp(log_density_loss)
            ratio = (density_loss - density_win) / tie
            value += (tables.ties * np.log(tie)).sum(axis=1)
            slope += tables.ties * ratio
            bend += tables.ties * ((below * density_loss + above * density_win) / tie - ratio**2)
        return value, slope / self.scale, bend / self.scale**2


@dataclass(frozen=True, eq=False)
class _Tables:
    """Counts[R, P] of every pair i < j; ``signs[K, P]`` sums pairs' slopes by system."""

    pairs: tuple[IntArray, IntArray]
    signs: scipy.sparse.csr_array
    wins: FloatArray
    losses: FloatArray
    ties: FloatArray

    @classmethod
    def of(cls, wins: FloatArray, ties: FloatArray) -> _Tables:
        k = wins.shape[-1]
        i, j = np.triu_indices(k, 1)
        ends, pairs = np.concatenate([i, j]), np.tile(np.arange(len(i)), 2)
        signs = np.repeat([1.0, -1.0], len(i))
        by_system = scipy.sparse.csr_array((signs, (ends, pairs)), shape=(k, len(i)))
        return cls((i, j), by_system, wins[:, i, j], wins[:, j, i], ties[:, i, j])


def _log_density(z: FloatArray) -> FloatArray:
    return np.asarray(-(z**2) / 2 - np.log(2 * np.pi) / 2)
