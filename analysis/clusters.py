"""Clusters: groups of systems that the evidence separates (Koehn 2012, eq. 6)."""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.rank_ranges import RankRanges
from analysis.standings import best_first


def clusters_from_ranges(ranges: RankRanges) -> IntArray:
    """Return every system's cluster, 1 the best; 0 for systems without a rank.

    Walking down the mean scores, a line is drawn where the largest upper end so far is smaller
    than the smallest lower end that is left.
    """
    order = [k for k in ranges.order if ranges.low[k] > 0]
    clusters = np.zeros(len(ranges.systems), dtype=np.int64)
    cluster, reached = 1, 0
    for place, k in enumerate(order):
        if place and reached < min(ranges.low[j] for j in order[place:]):
            cluster += 1
        clusters[k] = cluster
        reached = max(reached, int(ranges.high[k]))
    return clusters


def clusters_from_radius(scores: FloatArray, radius: float) -> IntArray:
    """Return clusters by a gap in the scores of more than ``radius`` (Bojar et al. 2014, §3.4).

    >>> clusters_from_radius(np.array([.6, .2, .55, np.nan]), .1).tolist()
    [1, 2, 1, 0]
    """
    clusters = np.zeros(len(scores), dtype=np.int64)
    cluster, previous = 1, None
    for k in best_first(scores):
        if np.isnan(scores[k]):
            continue
        if previous is not None and previous - scores[k] > radius:
            cluster += 1
        clusters[k] = cluster
        previous = scores[k]
    return clusters
