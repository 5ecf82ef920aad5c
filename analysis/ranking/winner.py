"""The winner, where one can be named, and else the possible winners.

"X is the best" is false as soon as one other system is as good, so that each test of X against
another one may use the whole error α: all of them must reject, unadjusted (intersection–union
test). That X is chosen by the same data is covered.

Reference: Gutmann & Maymin 1987, *Is the Selected Population the Best?*.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.rankers.standings import best_first


def winner_of(scores: FloatArray, p: FloatArray, level: float) -> int | None:
    """Return the system that is significantly better than every other one; None if none is.

    ``p[K, K]`` are the two-sided p-values of single pairs, not adjusted.

    >>> p = np.array([[np.nan, .04, .01], [.04, np.nan, .9], [.01, .9, np.nan]])
    >>> winner_of(np.array([.6, .4, .3]), p, .95), winner_of(np.array([.6, .4, .3]), p, .99)
    (0, None)
    """
    ranked = np.flatnonzero(~np.isnan(scores))
    if len(ranked) < 2:
        return None
    leader = int(best_first(scores)[0])
    others = ranked[ranked != leader]
    beats_all = bool((p[leader, others] <= 1 - level + 1e-12).all())  # nan: not comparable
    return leader if beats_all and (scores[others] < scores[leader]).all() else None


def possible_winners_of(
    scores: FloatArray, rank_best: IntArray, winner: int | None
) -> tuple[int, ...]:
    """Return the winner alone or, if none is named, all whose rank range begins with 1."""
    if winner is not None:
        return (winner,)
    return tuple(int(k) for k in best_first(scores) if rank_best[k] == 1)
