"""What a campaign will look like when it has grown: which systems told apart, how many clusters.

A future campaign of n tasks is drawn from abilities θ of the posterior, N(m, τ²) being the prior:
its estimate is the mean of the n₁ tasks at hand and of n - n₁ new ones, N(θ, V n₁/(n - n₁)), and it
is as uncertain as V n₁/n, V being the covariance of what is known so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numba
import numpy as np
from scipy.special import ndtri

from analysis.campaign import FloatArray, IntArray
from analysis.clusters import clusters_from_ends
from analysis.first import Contrasts
from analysis.next_campaign.evidence import SPREADS, Evidence, difference_variances
from analysis.parallel import Progress, map_items
from analysis.rank_ranges import left_out_at_each_end

RESAMPLES = 400
"""Drawings of the estimate from which a future campaign's rank ranges are made."""


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


def told_apart(evidence: Evidence, level: float = 0.95, seed: int = 0) -> tuple[IntArray, float]:
    """Return the cluster of each system so far, and the share of the pairs told apart."""
    contrasts = Contrasts.of(evidence.abilities, evidence.covariance)
    noise = contrasts.resamples(RESAMPLES, np.random.default_rng(seed))
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
    contrasts = Contrasts.of(evidence.abilities, evidence.covariance)
    truth = contrasts.draw_truths(SPREADS, evidence.spread_weights, draws, rng)
    k = len(evidence.systems)
    noise = contrasts.resamples(RESAMPLES, rng)
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
