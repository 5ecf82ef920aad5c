"""Simulated campaigns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray


def rank_by_radius(quality: FloatArray, radius: float) -> npt.NDArray[np.int8]:
    """Rank every row's entries, 1 the best; a rank holds what lies within ``radius`` of its best.

    >>> rank_by_radius(np.array([[.1, .9, .75, .55, .3]]), .2).tolist()
    [[3, 1, 1, 2, 3]]
    """
    order = np.argsort(-quality, axis=1)
    ordered = np.take_along_axis(quality, order, axis=1)
    ranks = np.ones(quality.shape, dtype=np.int8)
    best = ordered[:, 0]
    for place in range(1, quality.shape[1]):
        opens = best - ordered[:, place] > radius
        best = np.where(opens, ordered[:, place], best)
        ranks[:, place] = ranks[:, place - 1] + opens
    np.put_along_axis(ranks, order, ranks.copy(), axis=1)
    return ranks
