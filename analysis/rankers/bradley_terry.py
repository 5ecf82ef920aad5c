"""Bradley–Terry: abilities whose differences are the log-odds of winning, by Newton on counts.

With d = θ_i - θ_j and σ the logistic function, the chances are

- ties as half a win each: P(i beats j) = σ(d);
- Davidson: P(win) ∝ exp(d/2), P(loss) ∝ exp(-d/2), P(tie) ∝ exp(τ);
- Rao–Kupper: P(win) = σ(d - τ), P(loss) = σ(-d - τ), the rest are ties, τ > 0.

Every log-likelihood is concave. The priors are too: θ ~ N(0, s²), τ ~ N(0, s²) for Davidson and
τ ~ Rayleigh(s) for Rao–Kupper; they keep a system that never lost, and a campaign without ties,
finite. So there is one mode, and damped Newton steps find it from anywhere.

References: Bradley & Terry 1952; Davidson 1970, *On Extending the Bradley–Terry Model to
Accommodate Ties*; Rao & Kupper 1967, *Ties in Paired-Comparison Experiments*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_expit

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.errors import NotConvergedError
from analysis.parameters import choice, number
from analysis.rankers.influence import Influence, relative
from analysis.rankers.preferences import Preferences, chances_from_expected_scores
from analysis.rankers.ranker import CountRanker, Fit, require_judgments
from analysis.rankers.resampling import ResamplingUnit, drawer
from analysis.rankers.warm_newton import DAVIDSON, HALF, RAO_KUPPER, mode_near

MAX_STEPS = 100
TOLERANCE = 1e-8
"""Change of an ability, in log-odds, below which a Newton step is the last."""
KINDS = {"half": HALF, "davidson": DAVIDSON, "rao-kupper": RAO_KUPPER}
ROUNDING = 1e-13
"""How far rounding may move a log-posterior, for every judgment in it."""


@dataclass(frozen=True)
class BradleyTerry(CountRanker):
    """The mode of the posterior of abilities θ, in log-odds, with mean zero.

    The standard error is the posterior's standard deviation of a centered ability, from the
    curvature at the mode.
    """

    name: ClassVar = "bradley-terry"
    title: ClassVar = "Bradley–Terry"
    sentence: ClassVar = "Abilities whose differences are the log-odds of winning."
    citation: ClassVar = "Bradley & Terry 1952; Davidson 1970; Rao & Kupper 1967"
    references: ClassVar = ("bradley-terry-1952-rank",)
    score_label: ClassVar = "ability (log-odds)"
    is_relative: ClassVar = True
    runs_at_once: ClassVar = 125
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    ties: str = choice(
        "davidson",
        "How ties are modeled.",
        {
            "half": "a tie is half a win for each",
            "davidson": "Davidson: ties are likelier between closer systems",
            "rao-kupper": "Rao–Kupper: a judge sees no difference below a threshold",
        },
        references={"davidson": "davidson-1970-extending", "rao-kupper": "rao-kupper-1967-ties"},
    )
    prior: float = number(
        3.0,
        "Standard deviation of the prior on abilities, in log-odds; larger values make the prior "
        "weaker.",
        low=0.01,
        high=10,
        step=0.5,
        symbol="s",
    )

    @property
    def points_per_logit(self) -> float | None:
        return None if self.ties == "rao-kupper" else 1.0

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        abilities = self._fit(counts)[..., :-1]
        return np.where(counts.compared.sum(axis=-1) > 0, abilities, np.nan)

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def fit(self, judgments: Judgments, seed: int = 0) -> BradleyTerryFit:
        require_judgments(judgments)
        mode = self._fit(judgments.counts)
        standings = self.standings(
            judgments, mode[:-1], self.spread_at_mode(mode, judgments.counts)
        )
        return BradleyTerryFit(self, judgments, seed, standings, mode)

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return self.fit(judgments).replicates(unit, n, rng)

    def factor_at(self, mode: FloatArray, counts: PairCounts) -> FloatArray:
        """Return Cholesky's factor of the information, its diagonal inverted for `mode_near`."""
        information = self._log_posterior(mode, counts)[2]
        factor: FloatArray = np.linalg.cholesky(information).astype(np.float64, copy=False)
        np.fill_diagonal(factor, 1 / np.diagonal(factor))
        return factor

    def mode_near(
        self, cells: FloatArray, start: FloatArray, factor: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the mode of a flat table near the mode ``start`` of one like it, and who met.

        ``factor`` is that of the one like it. Where its mode is too far off, damped steps lead
        there.
        """
        n = len(start) - 1
        mode, met = np.empty(n + 1), np.empty(n)
        kind, precision = KINDS[self.ties], 1 / self.prior**2
        if not mode_near(cells, start, factor, kind, precision, mode, met):
            mode = self._fit(PairCounts.from_cells(cells, n))
        return mode, met

    def spread_at_mode(self, mode: FloatArray, counts: PairCounts) -> FloatArray:
        """Return the standard deviations, from the inverse of the information at the mode."""
        _, _, information = self._log_posterior(mode, counts)
        met = counts.compared.sum(axis=-1) > 0
        n = counts.n_systems
        centering = np.eye(n) - met[..., None, :] / met.sum(axis=-1)[..., None, None]
        covariance = np.linalg.inv(information)[..., :n, :n]
        centered = centering @ covariance @ centering.swapaxes(-1, -2)
        deviation = np.sqrt(np.diagonal(centered, axis1=-2, axis2=-1))
        return np.where(met, deviation, np.nan)

    def outcome_slopes(self, mode: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return [2, K, K]: the slopes of log P(win) and log P(tie) by d(i, j), and by τ."""
        difference, tau = _differences(mode)
        if self.ties == "davidson":
            win, tie, _ = _davidson_chances(difference, tau)
            lead = win - _flip(win)
            return np.stack([(1 - lead) / 2, -lead / 2]), np.stack([-tie, 1 - tie])
        if self.ties == "half":
            missed = expit(-difference)
            return np.stack([missed, (missed - _flip(missed)) / 2]), np.zeros((2, *missed.shape))
        missed = expit(tau - difference)
        both = missed + _flip(missed)
        _, slope, _ = _log_expm1(2 * tau)
        return np.stack([missed, missed - _flip(missed)]), np.stack([-missed, 2 * slope - both])

    def _fit(self, counts: PairCounts) -> FloatArray:
        """Return θ_1 … θ_K and τ of every replicate; several start from the mode of their mean."""
        replicates = tuple(range(counts.wins.ndim - 2))
        start = np.zeros((*counts.wins.shape[:-2], counts.n_systems + 1))
        if replicates and start.shape[0] > 1:
            start[:] = self._fit(
                PairCounts(counts.wins.mean(axis=replicates), counts.ties.mean(axis=replicates))
            )
        elif self.ties == "rao-kupper":
            start[..., -1] = min(0.5, self.prior)
        return _newton(
            lambda x: self._log_posterior(x, counts),
            start,
            noise=ROUNDING * (1 + counts.compared.sum(axis=(-2, -1))),
            positive=self.ties == "rao-kupper",
        )

    def _log_posterior(
        self, x: FloatArray, counts: PairCounts
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return its value, its gradient and the information (minus its second derivatives)."""
        if self.ties == "davidson":
            value, gradient, information = _davidson(x, counts)
        else:
            value, gradient, information = _logistic(x, counts, thresholds=self.ties != "half")
        precision = 1 / self.prior**2
        value = value - 0.5 * precision * (x**2).sum(axis=-1)
        gradient = gradient - precision * x
        information = information + precision * np.eye(x.shape[-1])
        if self.ties == "rao-kupper":
            tau = x[..., -1]
            value = value + np.log(tau)
            gradient[..., -1] += 1 / tau
            information[..., -1, -1] += 1 / tau**2
        return value, gradient, information


@dataclass(frozen=True, eq=False)
class BradleyTerryFit(Fit):
    """The mode: θ of every system, then τ."""

    ranker: BradleyTerry
    mode: FloatArray

    @cached_property
    def _factor(self) -> FloatArray:
        return self.ranker.factor_at(self.mode, self.judgments.counts)

    def replicates(self, unit: ResamplingUnit, n: int, rng: np.random.Generator) -> FloatArray:
        """Return the mode of each resample, found from the mode of all judgments."""
        k = self.judgments.n_systems
        scores = np.empty((n, k))
        if unit == "none":
            scores[:] = self.standings.scores
            return scores
        draw, cells = drawer(self.judgments, unit), np.empty(2 * k * k)
        for r in range(n):
            cells[:] = 0.0
            draw(cells, rng)
            mode, met = self.ranker.mode_near(cells, self.mode, self._factor)
            scores[r] = np.where(met > 0, mode[:-1], np.nan)
        return scores

    def influence(self) -> Influence:
        """Return the inverse information times the slopes of a win's and a tie's log-chance."""
        counts = self.judgments.counts
        _, _, information = self.ranker._log_posterior(self.mode, counts)
        k = counts.n_systems
        inverse = np.asarray(np.linalg.inv(information), dtype=np.float64)
        slopes, threshold = self.ranker.outcome_slopes(self.mode)
        return Influence(
            scores=np.where(counts.compared.sum(axis=-1) > 0, self.mode[:-1], np.nan),
            own=slopes,
            other=-slopes,
            common=threshold,
            mixing=inverse[:k],
            least=relative(inverse[:k, :k], counts),
        )

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the chances at the mode; an ability that nothing tells of is the mean."""
        difference, tau = _differences(self.mode)
        if self.ranker.ties == "half":
            win, tie = chances_from_expected_scores(expit(difference), self.judgments)
        elif self.ranker.ties == "davidson":
            win, tie, _ = _davidson_chances(difference, tau)
        else:
            win = expit(difference - tau)
            tie = np.expm1(2 * tau) * win * expit(-difference - tau)
        return Preferences(self.judgments.systems, win, tie, self.ranker.method_signature())


def _differences(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return d(i, j) = θ_i - θ_j and τ, shaped to go with it."""
    theta = x[..., :-1]
    return theta[..., :, None] - theta[..., None, :], x[..., -1, None, None]


def _logistic(
    x: FloatArray, counts: PairCounts, thresholds: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rao–Kupper's likelihood, or without thresholds (τ = 0) that with ties as half a win.

    As P(tie) = (exp 2τ - 1) σ(d - τ) σ(-d - τ), it is Σ m(i, j) log σ(d(i, j) - τ) over ordered
    pairs, with m = win + tie, and log(exp 2τ - 1) for every tie.
    """
    difference, tau = _differences(x)
    if thresholds:
        m = counts.wins + counts.ties
    else:
        m, tau = counts.wins + counts.ties / 2, np.zeros_like(tau)
    chance = expit(difference - tau)
    missed, curvature = m * (1 - chance), m * chance * (1 - chance)
    value = (m * log_expit(difference - tau)).sum(axis=(-2, -1))
    if not thresholds:
        none = np.zeros_like(value)
        return value, *_assemble(
            missed - _flip(missed), curvature + _flip(curvature), none, np.zeros_like(m), none
        )
    n_ties = counts.ties.sum(axis=(-2, -1)) / 2
    log_ties, slope, bend = _log_expm1(2 * x[..., -1])
    return value + n_ties * log_ties, *_assemble(
        missed - _flip(missed),
        curvature + _flip(curvature),
        2 * n_ties * slope - missed.sum(axis=(-2, -1)),
        _flip(curvature) - curvature,
        curvature.sum(axis=(-2, -1)) + 4 * n_ties * bend,
    )


def _davidson(x: FloatArray, counts: PairCounts) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Davidson's likelihood: Σ over pairs of (win - loss) d/2 + tie τ - n log(total weight)."""
    difference, tau = _differences(x)
    win, tie, log_total = _davidson_chances(difference, tau)
    n, lead = counts.compared, win - _flip(win)
    observed = counts.wins * difference / 2 - _flip(counts.wins) * difference / 2
    value = (observed + counts.ties * tau - n * log_total).sum(axis=(-2, -1)) / 2
    return value, *_assemble(
        (counts.wins - _flip(counts.wins) - n * lead) / 2,
        n * (1 - tie - lead**2) / 4,
        (counts.ties - n * tie).sum(axis=(-2, -1)) / 2,
        -n * lead * tie / 2,
        (n * tie * (1 - tie)).sum(axis=(-2, -1)) / 2,
    )


def _davidson_chances(
    difference: FloatArray, tau: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(win), P(tie) and the logarithm of the total weight."""
    log_total = np.logaddexp(np.logaddexp(difference / 2, -difference / 2), tau)
    return np.exp(difference / 2 - log_total), np.exp(tau - log_total), log_total


def _assemble(
    slope: FloatArray,
    curvature: FloatArray,
    tau_slope: FloatArray,
    cross: FloatArray,
    tau_curvature: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Put derivatives by d(i, j) and τ together into those by θ and τ.

    ``slope`` and ``cross`` change sign with the order of i and j, ``curvature`` does not.
    """
    n = slope.shape[-1]
    gradient = np.concatenate([slope.sum(axis=-1), tau_slope[..., None]], axis=-1)
    information = np.zeros((*slope.shape[:-2], n + 1, n + 1))
    information[..., :n, :n] = -curvature
    diagonal = np.arange(n)
    information[..., diagonal, diagonal] += curvature.sum(axis=-1)
    information[..., :n, n] = information[..., n, :n] = cross.sum(axis=-1)
    information[..., n, n] = tau_curvature
    return gradient, information


def _log_expm1(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return log(exp x - 1), its slope, and minus its second derivative."""
    rest = -np.expm1(-x)
    return x + np.log(rest), 1 / rest, (1 - rest) / rest**2


def _flip(table: FloatArray) -> FloatArray:
    return table.swapaxes(-1, -2)


def _newton(
    log_posterior: Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]],
    start: FloatArray,
    noise: FloatArray,
    positive: bool,
) -> FloatArray:
    """Climb to the mode of every replicate at once; a step that leads down is halved.

    A log-posterior that is lower by no more than ``noise`` is no lower. Where τ must be
    ``positive``, no step goes farther than nine tenths of the way to zero.
    """
    x = start
    value, gradient, information = log_posterior(x)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(information, gradient[..., None])[..., 0]
        if np.abs(step).max() < TOLERANCE:
            return x + step
        size = np.ones(value.shape)
        if positive:
            size = np.minimum(1.0, 0.9 * x[..., -1] / np.maximum(-step[..., -1], TOLERANCE))
        reached = log_posterior(x + size[..., None] * step)
        while (reached[0] < value - noise).any() and size.min() > ROUNDING:
            size = np.where(reached[0] < value - noise, size / 2, size)
            reached = log_posterior(x + size[..., None] * step)
        x = x + size[..., None] * step
        value, gradient, information = reached
    raise NotConvergedError(
        "Bradley–Terry",
        f"after {MAX_STEPS} Newton steps an ability still moved by {np.abs(step).max():.2g}",
        "Make the prior narrower, or leave out systems with few judgments.",
    )
