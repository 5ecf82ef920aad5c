"""From which systems beat which to rank ranges and to lines between clusters, as was published.

``order`` holds systems best first, ``beats[i, j]`` is whether i is significantly better than j.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.campaign import IntArray

BoolArray = npt.NDArray[np.bool_]
Ends = tuple[IntArray, IntArray]
"""The lower and upper end of every system's rank range."""


def ranges_from_wins(beats: BoolArray, order: IntArray) -> Ends:
    """Return 1 + losses to K - wins."""
    return 1 + beats.sum(axis=0), len(beats) - beats.sum(axis=1)


def ranges_by_walking(beats: BoolArray, order: IntArray) -> Ends:
    """Walk up and down from a system's place to the first one that differs significantly.

    What lies beyond that one is not looked at.
    """
    low, high = np.ones(len(order), dtype=np.int64), np.full(len(order), len(order))
    for place, system in enumerate(order):
        above = [k for k in range(place) if beats[order[k], system]]
        below = [k for k in range(place + 1, len(order)) if beats[system, order[k]]]
        low[system] = above[-1] + 2 if above else 1
        high[system] = below[0] if below else len(order)
    return low, high


def ranges_of_clusters(clusters: IntArray) -> Ends:
    """Return the first and last place of every system's cluster."""
    above = (clusters[None, :] < clusters[:, None]).sum(axis=1)
    within = (clusters[None, :] == clusters[:, None]).sum(axis=1)
    return 1 + above, above + within


def clusters_by_pairs(beats: BoolArray, order: IntArray) -> IntArray:
    """Draw a line where every system above beats every one below."""
    sorted_beats = beats[np.ix_(order, order)]
    lines = [bool(sorted_beats[:k, k:].all()) for k in range(1, len(order))]
    return _clusters(lines, order)


def clusters_by_wins(beats: BoolArray, order: IntArray) -> IntArray:
    """Draw a line where the fewest wins of the systems above are as many as systems are below."""
    fewest = np.minimum.accumulate(beats.sum(axis=1)[order])
    lines = [bool(fewest[k - 1] == len(order) - k) for k in range(1, len(order))]
    return _clusters(lines, order)


def clusters_by_ranges(ends: Ends, order: IntArray) -> IntArray:
    """Draw a line where all ranges above end before all ranges below begin."""
    low, high = ends[0][order], ends[1][order]
    lines = [bool((high[:k] <= k).all() and (low[k:] > k).all()) for k in range(1, len(order))]
    return _clusters(lines, order)


def _clusters(lines: list[bool], order: IntArray) -> IntArray:
    """Number the clusters from the best on; lines[k - 1] lies after the k-th place."""
    clusters = np.ones(len(order), dtype=np.int64)
    clusters[order[1:]] += np.cumsum(lines, dtype=np.int64)
    return clusters
