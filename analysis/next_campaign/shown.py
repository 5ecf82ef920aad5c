"""What many drawn campaigns show, all at once: significant differences, clusters, tiers, a winner.

The rules are those of `analysis.ranking`; here they are applied to ``D`` drawn campaigns together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from analysis.campaign import FloatArray, IntArray
from analysis.kernel import kernel

BoolArray = npt.NDArray[np.bool_]

ROUNDING = 1e-9
"""Tolerance for rounding where a difference is compared with its critical value."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What ``D`` campaigns show: which of ``P`` differences are significant, and what follows.

    ``clusters[D]`` and ``tiers[D]`` are their numbers, ``winner[D]`` is whether one can be named.
    """

    significant: BoolArray
    clusters: IntArray
    tiers: IntArray
    winner: BoolArray


def show(
    scores: FloatArray,
    z: FloatArray,
    first: IntArray,
    second: IntArray,
    level: float,
    freedom: float = math.inf,
) -> Shown:
    """Return what campaigns with the ``scores[D, K]`` show.

    ``z[D, P]`` are the distances of the systems ``first[P]`` and ``second[P]`` in standard errors
    of ``freedom`` degrees; systems without a z are not comparable.

    >>> scores, z = np.array([[0.6, 0.5, 0.2]]), np.array([[1.0, 4.0, 3.0]])
    >>> found = show(scores, z, np.array([0, 0, 1]), np.array([1, 2, 2]), 0.95)
    >>> found.significant.tolist(), found.clusters.tolist(), found.tiers.tolist()
    ([[False, True, True]], [2], [2])
    >>> found.winner.tolist()
    [False]
    """
    of_pairs, of_places = (_critical(n, level, freedom) for n in (len(first), scores.shape[1] - 1))
    alone = _critical(1, level, freedom)[0]
    return Shown(*_show(scores, z, first, second, of_pairs, of_places, alone))


def _critical(n: int, level: float, freedom: float) -> FloatArray:
    """Return what the largest, second largest … of n differences must reach by Holm's method.

    Of few degrees of freedom the quantiles are Student's.
    """
    tails = (1 - level) / 2 / np.arange(n, 0, -1)
    quantiles = stdtrit(freedom, tails) if math.isfinite(freedom) else ndtri(tails)
    return np.asarray(-quantiles - ROUNDING)


@kernel
def _show(scores, z, first, second, of_pairs, of_places, alone):  # type: ignore[no-untyped-def]
    draws, k = scores.shape
    significant = np.zeros(z.shape, dtype=np.bool_)
    clusters, tiers = np.ones(draws, dtype=np.int64), np.ones(draws, dtype=np.int64)
    winner = np.zeros(draws, dtype=np.bool_)
    place = np.empty(k, dtype=np.int64)
    for d in range(draws):
        passed = _passed(z[d], of_pairs)
        if passed > 0:
            significant[d] = z[d] >= of_pairs[passed - 1]
        # From here on systems are called by their places: the best has place 0.
        for i in range(k):
            place[i] = (scores[d] > scores[d, i]).sum() + (scores[d, :i] == scores[d, i]).sum()
        distance, marks = np.zeros((k, k)), np.zeros((k, k), dtype=np.bool_)
        for p in range(len(first)):
            upper, lower = place[first[p]], place[second[p]]
            if upper > lower:
                upper, lower = lower, upper
            distance[upper, lower], marks[upper, lower] = z[d, p], significant[d, p]
        # A winner beats each other system in a test of its own.
        winner[d] = distance[0, 1:].min() >= alone
        # The tier of a place is one more than that of the lowest significantly better place.
        tier = np.ones(k, dtype=np.int64)
        for lower in range(1, k):
            for upper in range(lower):
                if marks[upper, lower]:
                    tier[lower] = max(tier[lower], tier[upper] + 1)
        tiers[d] = tier.max()
        # A cluster ends where the smallest distance across is significant among all k - 1 of these.
        across = np.full(k - 1, np.inf)
        for upper in range(k - 1):
            least = np.inf
            for lower in range(k - 1, upper, -1):
                least = min(least, distance[upper, lower])
                across[lower - 1] = min(across[lower - 1], least)
        clusters[d] += _passed(across, of_places)
    return significant, clusters, tiers, winner


@kernel
def _passed(z, critical):  # type: ignore[no-untyped-def]
    """Return how many of z, from the largest on, reach their critical values without a break.

    The values fall: where n of z reach that of place p, all places from p to n - 1 are reached.
    """
    passed = 0
    while passed < len(z):
        reached = 0
        for value in z:
            reached += value >= critical[passed]
        if reached == passed:
            break
        passed = reached
    return passed
