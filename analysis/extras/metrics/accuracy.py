"""How far a metric orders systems and outputs as people do.

**Pairwise accuracy** (Kocmi et al. 2021): the share of pairs of systems that the metric puts in the
order of people's scores. **Soft pairwise accuracy** (Thompson et al. 2024): the mean over pairs of
1 - |p - q|, p and q the one-sided p-values of paired permutation tests on people's and on the
metric's scores, so that a pair which humans hardly separate counts little either way.
**Kendall with tie calibration** (Deutsch, Foster & Freitag 2023): over pairs of outputs of a
segment, the share that the metric orders as people do, ties included, where outputs whose scores
differ by at most ε are a tie of the metric, with the ε that makes this share largest.

Groups of metrics that paired permutations, each pair alone, do not separate.

A draw swaps the scores of two metrics, each in its own standard deviations: on every segment, for
all systems together, with probability one half; where there are no segments, on every system. The
p-value of "the first is the better metric" is the share of draws whose difference is no smaller
than the one there is. Within a draw, p-values of systems come from the normal distribution that
permutations of many segments tend to: Φ(-Σd / √Σd²), d the differences of two systems.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from analysis.campaign import FloatArray
from analysis.comparing.pair_tests import permutation_p

DRAWS = 1000
AT_ONCE = 250
"""Draws that are held in memory at once."""

THRESHOLD = 0.05


def better_metric_by_segments(
    human: FloatArray, metrics: Sequence[FloatArray], rng: np.random.Generator, draws: int = DRAWS
) -> FloatArray:
    """Return p[M, M] of "m is a better metric than n" by soft pairwise accuracy.

    ``human`` and each of ``metrics`` are scores[S, K].
    """
    first, second = system_pairs(human.shape[1])
    people = np.nan_to_num(human[:, first] - human[:, second])
    target = _normal_p(people.sum(axis=0), (people**2).sum(axis=0))
    differences = []
    for scores in metrics:
        known = scores[~np.isnan(scores)]
        mean, spread = (known.mean(), known.std()) if len(known) else (0.0, 0.0)
        scaled = (scores - mean) / (spread or 1.0)
        differences.append(np.nan_to_num(scaled[:, first] - scaled[:, second]))
    sums = np.array([d.sum(axis=0) for d in differences])
    squares = np.array([(d**2).sum(axis=0) for d in differences])
    soft = 1 - np.abs(_normal_p(sums, squares) - target).mean(axis=1)
    above = np.ones((len(metrics), len(metrics)))
    for start in range(0, draws, AT_ONCE):
        swapped = rng.integers(0, 2, (min(AT_ONCE, draws - start), len(human))).astype(float)
        part = [swapped @ d for d in differences]
        part_squares = [swapped @ d**2 for d in differences]
        for m, n in itertools.combinations(range(len(metrics)), 2):
            sum_m, square_m = part[m] - part[n], part_squares[m] - part_squares[n]
            here = _normal_p(sums[n] + sum_m, squares[n] + square_m)
            there = _normal_p(sums[m] - sum_m, squares[m] - square_m)
            drawn = (np.abs(there - target) - np.abs(here - target)).mean(axis=1)
            above[m, n] += (drawn >= soft[m] - soft[n] - 1e-12).sum()
            above[n, m] += (drawn <= soft[m] - soft[n] + 1e-12).sum()
    return _shares(above, draws)


def better_metric_by_systems(
    human: FloatArray, metrics: Sequence[FloatArray], rng: np.random.Generator, draws: int = DRAWS
) -> FloatArray:
    """Return p[M, M] of "m is a better metric than n" by pairwise accuracy.

    ``human`` and each of ``metrics`` are scores[K] of systems.
    """
    first, second = system_pairs(len(human))
    order = np.sign(human[first] - human[second])

    def accuracy(scores: FloatArray) -> FloatArray:
        said = np.sign(scores[..., first] - scores[..., second])
        return np.asarray((said == order).mean(axis=-1))

    scaled = [(scores - scores.mean()) / (scores.std() or 1.0) for scores in metrics]
    swapped = rng.integers(0, 2, (draws, len(human))).astype(bool)
    above = np.ones((len(metrics), len(metrics)))
    for m, n in itertools.combinations(range(len(metrics)), 2):
        observed = accuracy(scaled[m]) - accuracy(scaled[n])
        here = accuracy(np.where(swapped, scaled[m], scaled[n]))
        drawn = here - accuracy(np.where(swapped, scaled[n], scaled[m]))
        above[m, n] += (drawn >= observed - 1e-12).sum()
        above[n, m] += (drawn <= observed + 1e-12).sum()
    return _shares(above, draws)


def groups_of(order: npt.NDArray[np.integer], p: FloatArray) -> npt.NDArray[np.int64]:
    """Return each metric's group, 1 the best: a new one begins at the first metric that one of the
    group before it is significantly better than.

    >>> p = np.array([[np.nan, .3, .01], [.7, np.nan, .2], [.99, .8, np.nan]])
    >>> groups_of(np.arange(3), p).tolist()
    [1, 1, 2]
    """
    groups = np.ones(len(order), dtype=np.int64)
    current: list[int] = []
    group = 1
    for metric in map(int, order):
        if any(p[other, metric] < THRESHOLD for other in current):
            group, current = group + 1, []
        current.append(metric)
        groups[metric] = group
    return groups


def _normal_p(total: FloatArray, squares: FloatArray) -> FloatArray:
    """Return Φ(-Σd / √Σd²), one half where nothing differs; rounding may leave Σd² below 0."""
    size = np.sqrt(np.maximum(squares, 0))
    z = np.divide(total, size, out=np.zeros_like(total), where=size > 0)
    return np.asarray(ndtr(-z))


def _shares(above: FloatArray, draws: int) -> FloatArray:
    p = above / (draws + 1)
    np.fill_diagonal(p, np.nan)
    return p


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
