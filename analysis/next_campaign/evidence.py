"""What a campaign tells of abilities so far: estimates, their honest covariance, their spread.

Abilities are the mode of an ordered probit, a difference's noise being the unit. Their covariance
is Laplace's times a design effect, since the pairs of one ranking task are not independent facts:

    V = D P⁻¹,  D = mean over pairs of Var_tasks(μ_i - μ_j) / Var_rows(μ_i - μ_j),

with P the precision at the mode and Var_u from P⁻¹ (Σ g_u g_uᵀ) P⁻¹ n_u/(n_u - 1), g_u being the
gradient of the log likelihood of the n_u tasks, or rows: to first order what drawing whole tasks,
or rows, again gives, without drawing. True abilities are N(m, τ²), τ known as far as the campaign
tells it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments, PairCounts, distinct
from analysis.next_campaign.truths import Contrasts, spread_weights
from analysis.rankers.preferences import OrderedProbit
from analysis.rankers.ranker import require_judgments
from analysis.ranking.clusters import clusters_between
from analysis.ranking.significance import holm, p_values

WIDE = 5.0
"""Prior deviation of the abilities in the fit, in noise units: so wide that it matters little."""

SPREADS = np.geomspace(0.005, 3, 60)
"""Deviations of true abilities that are considered, in noise units; equally likely beforehand."""

NO_VARIANCE = 1e-12
"""What is as good as no variance of a difference, in noise units."""

FEWEST_TASKS = 20
"""Tasks under which their design effect is not to be estimated and 1 is taken."""


@dataclass(frozen=True, eq=False)
class Fit:
    """An ordered probit, the abilities at its mode, and the precision there."""

    model: OrderedProbit
    mode: FloatArray
    precision: FloatArray


@dataclass(frozen=True, eq=False)
class Evidence:
    """Abilities of the systems compared so far, centered, in units of one difference's noise.

    ``covariance`` is that of the estimate, by tasks; ``radius`` the tie radius;
    ``spread_weights`` the posterior probabilities of `SPREADS`.
    """

    systems: tuple[str, ...]
    abilities: FloatArray
    covariance: FloatArray
    radius: float
    design_effect: float
    n_tasks: int
    n_judgments: int
    spread_weights: FloatArray

    @property
    def judgments_per_task(self) -> float:
        return self.n_judgments / self.n_tasks

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return np.argsort(-self.abilities, kind="stable")

    @property
    def spread(self) -> float:
        """Posterior mean deviation of the true abilities."""
        return float(self.spread_weights @ SPREADS)


def fit_evidence(judgments: Judgments) -> Evidence:
    """Fit abilities, their honest covariance and their spread to a campaign so far."""
    require_judgments(judgments)
    fit = fit_radius(judgments.counts)
    effect = design_effect(judgments, fit)
    n_tasks = len(distinct(judgments.task))
    return _evidence(judgments.systems, judgments.counts, fit, effect, n_tasks, len(judgments))


def fit_independent(systems: tuple[str, ...], counts: PairCounts) -> Evidence:
    """Fit the same to judgments that each are a task of their own."""
    n = int(counts.compared.sum()) // 2
    return _evidence(systems, counts, fit_radius(counts), 1.0, n, n)


def _evidence(
    systems: tuple[str, ...],
    counts: PairCounts,
    fit: Fit,
    effect: float,
    n_tasks: int,
    n_judgments: int,
) -> Evidence:
    inverse = np.asarray(np.linalg.inv(fit.precision), dtype=np.float64)
    kept = np.flatnonzero(counts.compared.sum(axis=1) > 0)
    center = np.eye(len(kept)) - 1 / len(kept)
    covariance = center @ (effect * inverse[np.ix_(kept, kept)]) @ center
    abilities = fit.mode[kept] - fit.mode[kept].mean()
    return Evidence(
        systems=tuple(systems[k] for k in kept),
        abilities=abilities,
        covariance=covariance,
        radius=fit.model.radius,
        design_effect=effect,
        n_tasks=n_tasks,
        n_judgments=n_judgments,
        spread_weights=spread_weights(Contrasts.of(abilities, covariance), SPREADS),
    )


def told_apart(evidence: Evidence, level: float = 0.95) -> tuple[IntArray, float]:
    """Return the cluster of each system, and the share of the pairs that differ.

    By Holm's method over all pairs, as everywhere, of judgments that share no segment or judge.
    """
    told = pairs_apart(evidence, level)
    pairs = np.triu_indices(len(evidence.systems), 1)
    clusters = clusters_between(evidence.abilities, _p_of_pairs(evidence), level)
    return clusters, float(told[pairs].mean())


def pairs_apart(evidence: Evidence, level: float = 0.95) -> npt.NDArray[np.bool_]:
    """Return which two systems differ significantly if tasks alone vary."""
    return np.asarray(holm(_p_of_pairs(evidence)) <= 1 - level)


def _p_of_pairs(evidence: Evidence) -> FloatArray:
    return p_values(evidence.abilities, np.sqrt(difference_variances(evidence.covariance)))


def fit_radius(counts: PairCounts) -> Fit:
    """Return the ordered probit whose share of ties is the campaign's, its mode and precision."""
    compared = counts.compared
    wanted = counts.ties.sum() / compared.sum() if compared.any() else 0.0
    difference = np.zeros(compared.shape)
    model, mode = OrderedProbit(1.0, 0.0, WIDE), np.zeros(counts.n_systems)
    for _ in range(3):
        low, high = 0.0, 8.0
        while wanted and high - low > 1e-4:
            middle = (low + high) / 2
            _, tie = OrderedProbit(1.0, middle, WIDE).outcome_probabilities(difference)
            share = (tie * compared).sum() / compared.sum()
            low, high = (middle, high) if share < wanted else (low, middle)
        model = OrderedProbit(1.0, (low + high) / 2 if wanted else 0.0, WIDE)
        mode, precision = model.mode(counts, mode)
        difference = mode[:, None] - mode
    return Fit(model, mode, precision)


def design_effect(judgments: Judgments, fit: Fit) -> float:
    """Return by how much whole tasks leave more variance than as many independent pairs would."""
    facts = judgments.observations
    task = judgments.task[facts.row]
    n_tasks = len(distinct(task))
    if n_tasks < FEWEST_TASKS:
        return 1.0
    inverse = np.asarray(np.linalg.inv(fit.precision), dtype=np.float64)
    slope = _slopes(fit.model, fit.mode[facts.left] - fit.mode[facts.right], facts.outcome)
    met = np.flatnonzero(judgments.counts.compared.sum(axis=1) > 0)
    first, second = (met[side] for side in np.triu_indices(len(met), 1))

    def variances(unit: IntArray) -> FloatArray:
        gradients = scipy.sparse.csr_array(
            (
                np.concatenate([slope, -slope]),
                (np.concatenate([unit, unit]), np.concatenate([facts.left, facts.right])),
            ),
            shape=(int(unit.max()) + 1, len(fit.mode)),
        )
        squares = np.asarray((gradients.T @ gradients).todense())
        n = len(distinct(unit))
        return difference_variances(inverse @ squares @ inverse)[first, second] * n / (n - 1)

    by_tasks, by_rows = variances(task), variances(facts.row)
    known = by_rows > NO_VARIANCE  # none where all are ties, or one always wins
    return float((by_tasks[known] / by_rows[known]).mean()) if known.any() else 1.0


def _slopes(model: OrderedProbit, difference: FloatArray, outcome: IntArray) -> FloatArray:
    """Return d log P(outcome) / d difference."""
    win, tie = model.outcome_probabilities(difference)
    up = np.exp(-((difference - model.radius) ** 2) / 2) / np.sqrt(2 * np.pi)
    down = np.exp(-((difference + model.radius) ** 2) / 2) / np.sqrt(2 * np.pi)
    chance = np.select([outcome == WIN, outcome == LOSS], [win, 1 - win - tie], tie)
    change = np.select([outcome == WIN, outcome == LOSS, outcome == TIE], [up, -down, down - up])
    return np.asarray(change / np.maximum(chance, 1e-12))


def difference_variances(covariance: FloatArray) -> FloatArray:
    """Return Var(μ_i - μ_j)[K, K]; 1 on the diagonal, where there is no difference."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own - 2 * covariance + np.eye(len(own)))


def spread_like(evidence: Evidence, ability_range: float = 10.0) -> float:
    """Return the spread at which simulated systems are as hard to separate as a campaign's.

    Even abilities deviate by range/√12 and two outputs' difference by √2 spread; the campaign's
    abilities deviate by τ where such a difference deviates by 1. So spread = range / (√24 τ).
    """
    return ability_range / (math.sqrt(24) * evidence.spread)
