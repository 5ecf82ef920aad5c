"""How far a metric orders systems and outputs as people do.

**Pairwise accuracy** (Kocmi et al. 2021): the share of pairs of systems that the metric puts in the
order of people's scores. **Soft pairwise accuracy** (Thompson et al. 2024): the mean over pairs of
1 - |p - q|, p and q the one-sided p-values of paired permutation tests on people's and on the
metric's scores, so that a pair which people hardly tell apart counts little either way.
**Kendall with tie calibration** (Deutsch, Foster & Freitag 2023): over pairs of outputs of a
segment, the share that the metric orders as people do, ties included, where outputs whose scores
differ by at most ε are a tie of the metric, with the ε that makes this share largest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray
from analysis.comparing.pair_tests import permutation_p

DRAWS = 1000
"""Draws of a permutation test, as published."""


def system_pairs(n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the pairs of n systems, each once."""
    return np.triu_indices(n, 1)


def pairwise_accuracy(human: FloatArray, metric: FloatArray) -> float:
    """Return the share of pairs ordered alike; nan where there is no pair.

    >>> pairwise_accuracy(np.array([1., 2., 3.]), np.array([10., 30., 20.])).__round__(3)
    0.667
    """
    first, second = system_pairs(len(human))
    if not len(first):
        return float("nan")
    alike = np.sign(human[first] - human[second]) == np.sign(metric[first] - metric[second])
    return float(alike.mean())


def soft_pairwise_accuracy(human_p: FloatArray, metric_p: FloatArray) -> float:
    """Return the mean of 1 - |p - q| over pairs; p[i, j] and q[i, j] are of "i is better"."""
    first, second = system_pairs(len(human_p))
    apart = np.abs(human_p[first, second] - metric_p[first, second])
    known = ~np.isnan(apart)
    return float(1 - apart[known].mean()) if known.any() else float("nan")


def better_p(scores: FloatArray, seed: int, draws: int = DRAWS) -> FloatArray:
    """Return p[K, K] of "i is better than j" by paired permutations of scores[S, K].

    People's and metrics' scores get the same swaps, so that equal scores give equal p.
    """
    return permutation_p(scores, np.random.default_rng(seed), draws)


def calibrated_kendall(human: FloatArray, metric: FloatArray) -> tuple[float, float]:
    """Return the share of pairs of outputs ordered alike, and the ε that ties the metric's.

    Both are scores[S, K]; pairs are of one segment, and all segments' pairs count alike. (nan, nan)
    where there is none.

    >>> human = np.array([[0., 0., 1.]])
    >>> share, epsilon = calibrated_kendall(human, np.array([[.1, .2, .9]]))
    >>> share, round(epsilon, 3)
    (1.0, 0.1)
    """
    first, second = system_pairs(human.shape[1])
    people = (human[:, first] - human[:, second]).ravel()
    said = (metric[:, first] - metric[:, second]).ravel()
    known = ~np.isnan(people) & ~np.isnan(said)
    people, said = np.sign(people[known]), said[known]
    if not len(people):
        return float("nan"), float("nan")
    order = np.argsort(np.abs(said), kind="stable")
    size = np.abs(said)[order]
    right_as_tie = np.concatenate([[0], np.cumsum(people[order] == 0)])
    ordered = (people == np.sign(said))[order] & (size > 0)
    right_as_order = np.concatenate([np.cumsum(ordered[::-1])[::-1], [0]])
    # the first n pairs are ties, where the next one lies farther apart than the n-th
    n_tied = np.flatnonzero(np.concatenate([[True], size[1:] > size[:-1], [True]]))
    if size[0] == 0:
        n_tied = n_tied[1:]
    right = right_as_tie[n_tied] + right_as_order[n_tied]
    best = int(right.argmax())
    epsilon = float(size[n_tied[best] - 1]) if n_tied[best] else 0.0
    return float(right[best] / len(people)), epsilon
