"""Clusters and tiers: groups that the evidence separates, and levels that it proves.

Clusters follow Koehn 2012, eq. 6. Tiers are the levels that the significant differences prove,
whatever else is open.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign.ragged import FloatArray, IntArray
from analysis.rankers.ranker import best_first
from analysis.ranking.significance import BoolArray, step_down


def clusters_between(scores: FloatArray, p: FloatArray, level: float) -> IntArray:
    """Return each system's cluster, 1 the best; 0 for systems without a score.

    A boundary needs every pair across it. If one is false, so is the claim about some neighbors in
    the true order, of which there are K - 1: the largest unadjusted p-value across each boundary is
    adjusted by Holm's method over the K - 1 places where one may be.

    >>> p = np.array([[np.nan, .3, .01], [.3, np.nan, .02], [.01, .02, np.nan]])
    >>> clusters_between(np.array([.6, .5, .2]), p, .95).tolist()
    [1, 1, 2]
    """
    clusters = np.zeros(len(scores), dtype=np.int64)
    order = best_first(scores)[: int((~np.isnan(scores)).sum())]
    across = np.nan_to_num(p[np.ix_(order, order)], nan=1.0)
    worst = np.array([across[:place, place:].max() for place in range(1, len(order))])
    is_boundary = step_down(worst) <= 1 - level + 1e-12
    clusters[order] = 1 + np.concatenate([[0], np.cumsum(is_boundary)])[: len(order)]
    return clusters


def clusters_from_ends(low: IntArray, high: IntArray, scores: FloatArray) -> IntArray:
    """Return clusters[..., K] by the ends of rank ranges; leading axes are campaigns.

    Walking down the scores, a line is drawn where the largest upper end so far is smaller than the
    smallest lower end that is left. A lower end of 0 says that the system has no rank.

    >>> low, high = np.array([1, 1, 3, 0]), np.array([2, 2, 3, 0])
    >>> clusters_from_ends(low, high, np.array([.5, .7, .1, np.nan])).tolist()
    [1, 1, 2, 0]
    """
    ranked = low > 0
    order = best_first(np.where(ranked, scores, np.nan))
    lower = np.take_along_axis(np.where(ranked, low, low.shape[-1] + 1), order, axis=-1)
    upper = np.take_along_axis(high, order, axis=-1)
    reached = np.maximum.accumulate(upper, axis=-1)
    left = np.minimum.accumulate(lower[..., ::-1], axis=-1)[..., ::-1]
    lines = np.cumsum(reached[..., :-1] < left[..., 1:], axis=-1)
    clusters = np.ones(low.shape, dtype=np.int64)
    np.put_along_axis(clusters, order[..., 1:], 1 + lines, axis=-1)
    return np.where(ranked, clusters, 0)


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


def tiers_of(scores: FloatArray, significant: BoolArray) -> IntArray:
    """Return each system's tier, 1 the best; 0 for systems without a score.

    tier(i) = 1 + max of tier(j) over the systems j that are significantly better than i, 1 if none
    is: the longest chain of significant differences that leads down to i. "At least L tiers" is
    wrong only if one of the differences is, so that it costs no further error.

    >>> significant = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> tiers_of(np.array([.6, .5, .2]), significant).tolist()
    [1, 1, 2]
    """
    tiers = np.zeros(len(scores), dtype=np.int64)
    order = best_first(scores)[: int((~np.isnan(scores)).sum())]
    for place, system in enumerate(order):
        above = order[:place]
        better = above[significant[above, system] & (scores[above] > scores[system])]
        tiers[system] = 1 + tiers[better].max(initial=0)
    return tiers
