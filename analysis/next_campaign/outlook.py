"""What a campaign will look like when it has grown: which systems told apart, how many clusters.

Abilities so far are the mode of an ordered probit, a difference's noise being the unit. Their
covariance is Laplace's times a design effect, since the pairs of one ranking task are not
independent facts:

    V = D P⁻¹,  D = mean over pairs of Var_tasks(μ_i - μ_j) / Var_rows(μ_i - μ_j),

with P the precision at the mode and Var_u from P⁻¹ (Σ g_u g_uᵀ) P⁻¹ n_u/(n_u - 1), g_u being the
gradient of the log likelihood of the n_u tasks, or rows: to first order what drawing whole tasks,
or rows, again gives, without drawing.

True abilities are N(m, τ²), τ known as far as the campaign tells it. A future campaign of n tasks
is drawn from abilities θ of the posterior: its estimate is the mean of the n₁ tasks at hand and of
n - n₁ new ones, N(θ, V n₁/(n - n₁)), and it is as uncertain as V n₁/n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numba
import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.special import ndtri

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments, PairCounts
from analysis.clusters import clusters_from_ends
from analysis.parallel import Progress, map_items
from analysis.rank_ranges import left_out_at_each_end
from analysis.rankers.ordered_probit import OrderedProbit
from analysis.rankers.ranker import require_judgments

WIDE = 5.0
"""Prior deviation of the abilities in the fit, in noise units: so wide that it hardly matters."""

SPREADS = np.geomspace(0.005, 3, 60)
"""Deviations of true abilities that are considered, in noise units; equally likely beforehand."""

RESAMPLES = 400
"""Drawings of the estimate from which a future campaign's rank ranges are made."""

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


@dataclass(frozen=True, eq=False)
class Outlook:
    """Draws of a campaign at growing sizes; ``sizes[G]`` are tasks in all, those at hand included.

    ``share[G, D]`` is the share of system pairs told apart, ``clusters[G, D]`` their number,
    ``apart[G, K, K]`` how probable it is that two systems are told apart.
    """

    evidence: Evidence
    level: float
    sizes: FloatArray
    share: FloatArray
    clusters: IntArray
    apart: FloatArray

    def share_interval(self, certainty: float = 0.9) -> FloatArray:
        """Return the ends [2, G] of the interval that holds the share this surely."""
        tail = (1 - certainty) / 2
        return np.quantile(self.share, [tail, 1 - tail], axis=1)

    def clusters_interval(self, certainty: float = 0.9) -> FloatArray:
        """Return the ends [2, G] of the interval that holds the number of clusters this surely."""
        tail = (1 - certainty) / 2
        low = np.quantile(self.clusters, tail, axis=1, method="lower")
        return np.stack([low, np.quantile(self.clusters, 1 - tail, axis=1, method="higher")])


def fit_evidence(judgments: Judgments) -> Evidence:
    """Fit abilities, their honest covariance and their spread to a campaign so far."""
    require_judgments(judgments)
    fit = fit_radius(judgments.counts)
    effect = design_effect(judgments, fit)
    n_tasks = len(np.unique(judgments.task))
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
        spread_weights=_spread_weights(abilities, covariance),
    )


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
    n_tasks = len(np.unique(task))
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
        n = len(np.unique(unit))
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


@dataclass(frozen=True, eq=False)
class _Contrasts:
    """Independent coordinates of the centered abilities: ``basis[K, K-1]``, their variances."""

    basis: FloatArray
    variance: FloatArray
    estimate: FloatArray

    @classmethod
    def of(cls, abilities: FloatArray, covariance: FloatArray) -> _Contrasts:
        plane = scipy.linalg.null_space(np.ones((1, len(abilities))))
        values, vectors = np.linalg.eigh(plane.T @ covariance @ plane)
        basis = plane @ vectors
        return cls(basis, np.maximum(values, 1e-12), basis.T @ abilities)

    def resamples(self, rng: np.random.Generator) -> FloatArray:
        """Draw what resamples of tasks would move the abilities by, [`RESAMPLES`, K]."""
        drawn = rng.standard_normal((RESAMPLES, len(self.variance)))
        return np.asarray(drawn * np.sqrt(self.variance) @ self.basis.T)


def _spread_weights(abilities: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the posterior of τ: coordinates of the estimate are N(0, variance + τ²)."""
    contrasts = _Contrasts.of(abilities, covariance)
    total = contrasts.variance + SPREADS[:, None] ** 2
    log_weight = -0.5 * (np.log(total) + contrasts.estimate**2 / total).sum(axis=1)
    log_weight += np.log(SPREADS)  # equally likely τ, on a grid whose steps grow with τ
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray(weight / weight.sum())


def standing(evidence: Evidence, level: float = 0.95, seed: int = 0) -> tuple[IntArray, float]:
    """Return the cluster of each system so far, and the share of the pairs told apart."""
    contrasts = _Contrasts.of(evidence.abilities, evidence.covariance)
    noise = contrasts.resamples(np.random.default_rng(seed))
    estimates, alpha = evidence.abilities[None], left_out_at_each_end(RESAMPLES, level)
    low, high = rank_ends(estimates, noise, alpha)
    clusters = clusters_from_ends(low, high, estimates)[0]
    first, second = np.triu_indices(len(evidence.systems), 1)
    distance = np.abs(evidence.abilities[first] - evidence.abilities[second])
    return clusters, float((distance >= _apart_at(evidence, level)[first, second]).mean())


def _apart_at(evidence: Evidence, level: float) -> FloatArray:
    """Return the difference at which one system stands above the other in ``level`` resamples."""
    return np.asarray(ndtri(level) * np.sqrt(difference_variances(evidence.covariance)))


def look_ahead(
    evidence: Evidence,
    sizes: FloatArray,
    *,
    draws: int = 300,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Outlook:
    """Draw how the campaign may look when it has ``sizes`` tasks, in rising order.

    Two systems are told apart where the one stands above the other in at least ``level`` of the
    resamples of tasks; clusters are those of rank ranges at this level. New tasks are taken to be
    chosen as the tasks so far were. Each draw is one campaign that grows.
    """
    rng = np.random.default_rng(seed)
    contrasts = _Contrasts.of(evidence.abilities, evidence.covariance)
    truth = _draw_abilities(evidence, contrasts, draws, rng)
    k = len(evidence.systems)
    noise = contrasts.resamples(rng)
    apart_at = _apart_at(evidence, level)
    first, second = np.triu_indices(k, 1)
    alpha = left_out_at_each_end(RESAMPLES, level)
    total = np.repeat(contrasts.estimate[None] * evidence.n_tasks, draws, axis=0)
    reached = float(evidence.n_tasks)
    share, grown, apart = [], [], []
    for size in np.asarray(sizes, dtype=np.float64):
        new = max(size - reached, 0.0)
        total += truth * new + rng.standard_normal(truth.shape) * np.sqrt(
            contrasts.variance * evidence.n_tasks * new
        )
        reached += new
        scale = np.sqrt(evidence.n_tasks / reached)
        estimates = total / reached @ contrasts.basis.T
        distance = np.abs(estimates[:, first] - estimates[:, second])
        told = distance >= scale * apart_at[first, second]
        share.append(told.mean(axis=1))
        grown.append((estimates, scale * noise))
        probable = np.zeros((k, k))
        probable[first, second] = probable[second, first] = told.mean(axis=0)
        apart.append(probable)
    clusters = map_items(partial(_count_clusters, alpha), grown, seed=seed, progress=progress)
    return Outlook(
        evidence, level, np.asarray(sizes), np.array(share), np.array(clusters), np.array(apart)
    )


def _draw_abilities(
    evidence: Evidence, contrasts: _Contrasts, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draw true abilities, as coordinates[D, K-1], from their posterior."""
    tau2 = rng.choice(SPREADS, size=draws, p=evidence.spread_weights)[:, None] ** 2
    kept = tau2 / (tau2 + contrasts.variance)
    noise = rng.standard_normal((draws, len(contrasts.variance)))
    return np.asarray(kept * contrasts.estimate + np.sqrt(kept * contrasts.variance) * noise)


def _count_clusters(
    alpha: int, grown: tuple[FloatArray, FloatArray], _: np.random.Generator
) -> IntArray:
    """Return the number of clusters of each estimate[D, K], its resamples being it plus noise."""
    estimates, noise = grown
    low, high = rank_ends(estimates, noise, alpha)
    return clusters_from_ends(low, high, estimates).max(axis=1)


def rank_ends_readable(
    estimates: FloatArray, noise: FloatArray, alpha: int
) -> tuple[IntArray, IntArray]:
    """Return the ends of the rank ranges [D, K] over ``estimates[d] + noise[r]``, r = 1…R."""
    low, high = np.empty(estimates.shape, int), np.empty(estimates.shape, int)
    for d, estimate in enumerate(estimates):
        ranks = 1 + np.argsort(np.argsort(-(estimate + noise), axis=1), axis=1)
        ordered = np.sort(ranks, axis=0)
        low[d], high[d] = ordered[alpha], ordered[-1 - alpha]
    return low, high


@numba.njit(cache=True, nogil=True)
def rank_ends(estimates, noise, alpha):  # type: ignore[no-untyped-def]
    """Do as `rank_ends_readable`; systems begin in order of their estimate, so that few move."""
    n_draws, k = estimates.shape
    low = np.empty((n_draws, k), dtype=np.int64)
    high = np.empty((n_draws, k), dtype=np.int64)
    order = np.empty(k, dtype=np.int64)
    value = np.empty(k)
    for d in range(n_draws):
        start = np.argsort(-estimates[d])
        seen = np.zeros((k, k), dtype=np.int64)
        for r in range(len(noise)):
            for place in range(k):
                system = start[place]
                x = estimates[d, system] + noise[r, system]
                at = place
                while at > 0 and value[at - 1] < x:
                    value[at] = value[at - 1]
                    order[at] = order[at - 1]
                    at -= 1
                value[at] = x
                order[at] = system
            for place in range(k):
                seen[order[place], place] += 1
        for system in range(k):
            below = 0
            low[d, system] = high[d, system] = 0
            for place in range(k):
                below += seen[system, place]
                if low[d, system] == 0 and below > alpha:
                    low[d, system] = place + 1
                if high[d, system] == 0 and below >= len(noise) - alpha:
                    high[d, system] = place + 1
    return low, high
