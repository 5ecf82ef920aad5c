"""Groups of metrics that paired permutations, each pair alone, do not separate.

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
from analysis.extras.metrics.accuracy import system_pairs

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
    """Return Φ(-Σd / √Σd²), one half where nothing differs."""
    z = np.divide(total, np.sqrt(squares), out=np.zeros_like(total), where=squares > 0)
    return np.asarray(ndtr(-z))


def _shares(above: FloatArray, draws: int) -> FloatArray:
    p = above / (draws + 1)
    np.fill_diagonal(p, np.nan)
    return p
