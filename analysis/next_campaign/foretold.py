"""What many drawn campaigns show, all at once: pairs that differ significantly, tiers, a winner.

The rules are those of `analysis.ranking`; here they are applied to ``D`` drawn campaigns together.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from analysis.campaign import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]


def count_tiers(scores: FloatArray, significant: BoolArray) -> IntArray:
    """Return how many tiers each drawn campaign has: the longest chain of significant differences.

    ``scores`` is [D, K], ``significant`` [D, K, K]. As `analysis.ranking.tiers`.

    >>> significant = np.array([[[0, 0, 1], [0, 0, 0], [1, 0, 0]]], dtype=bool)
    >>> count_tiers(np.array([[.6, .5, .2]]), significant).tolist()
    [2]
    """
    order = np.argsort(-scores, axis=-1, kind="stable")
    ordered = np.take_along_axis(significant, order[:, :, None], axis=1)
    ordered = np.take_along_axis(ordered, order[:, None, :], axis=2)
    tiers = np.ones(scores.shape, dtype=np.int64)
    for place in range(1, scores.shape[1]):
        # The tier of a place is one more than that of the lowest significantly better place.
        above = np.where(ordered[:, :place, place], tiers[:, :place], 0)
        tiers[:, place] = 1 + above.max(axis=1)
    return np.asarray(tiers.max(axis=1))


def has_winner(
    scores: FloatArray, z: FloatArray, level: float, freedom: float = math.inf
) -> BoolArray:
    """Return in which drawn campaigns a winner can be named: better than each other, unadjusted.

    ``z[D, K, K]`` are the differences in standard errors; nan where two systems are not comparable.
    As `analysis.ranking.winner`.

    >>> z = np.array([[[0, 2.1, 3], [2.1, 0, .4], [3, .4, 0]]])
    >>> has_winner(np.array([[.6, .4, .3]]), z, .95).tolist()
    [True]
    >>> has_winner(np.array([[.6, .4, .3]]), z, .99).tolist()
    [False]
    """
    k = scores.shape[-1]
    tail = (1 + level) / 2
    critical = stdtrit(freedom, tail) if math.isfinite(freedom) else ndtri(tail)
    leader = scores.argmax(axis=-1)
    against = np.take_along_axis(z, leader[:, None, None], axis=1)[:, 0]
    beaten = against >= critical - 1e-9
    beaten |= np.arange(k) == leader[:, None]
    return np.asarray(beaten.all(axis=-1))
