"""Tiers: how many levels the significant differences prove, whatever else is open."""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.rankers.standings import best_first
from analysis.ranking.significance import BoolArray


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
