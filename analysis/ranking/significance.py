"""Which differences are significant: p-values of all pairs, adjusted for testing them together.

p_ij = 2 T(-|d_ij| / σ_ij), T Student's t. Two layers: *confirmed* pairs by Holm's method, with any
false claim in at most α = 1 - level of campaigns; *exploratory* pairs by Benjamini & Hochberg's,
of which a share of `FALSE_SHARE` may be wrong.

References: Holm 1979, *A Simple Sequentially Rejective Multiple Test Procedure*; Benjamini &
Hochberg 1995, *Controlling the False Discovery Rate*.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.ranking.freedom import tail

BoolArray = npt.NDArray[np.bool_]

FALSE_SHARE = 0.05
"""The share of the exploratory pairs that may be wrong."""


def p_values(
    scores: FloatArray, se_of_difference: FloatArray, freedom: float = np.inf
) -> FloatArray:
    """Return 2Φ(-|d| / σ); 1 where two scores are equal, nan where σ is not known.

    Where σ rests on few degrees of freedom, Student's t stands for the normal distribution.
    """
    distance = np.abs(scores[:, None] - scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(distance == 0, 0.0, distance / se_of_difference)
    p = 2 * tail(z, freedom)
    p[np.isnan(se_of_difference)] = np.nan
    np.fill_diagonal(p, np.nan)
    return np.asarray(p)


def holm(p: FloatArray) -> FloatArray:
    """Return the adjusted p-values of all pairs: the k-th smallest of m times m - k + 1, rising.

    >>> p = np.array([[np.nan, .01, .04], [.01, np.nan, .03], [.04, .03, np.nan]])
    >>> holm(p)[np.triu_indices(3, 1)].round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    return _of_pairs(p, step_down)


def step_down(p: FloatArray) -> FloatArray:
    """Return Holm's adjusted p-values of p[m].

    >>> step_down(np.array([.04, .01, .03])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Return the adjusted p-values of all pairs: the k-th smallest of m times m / k, rising.

    >>> p = np.array([[np.nan, .01, .04], [.01, np.nan, .03], [.04, .03, np.nan]])
    >>> benjamini_hochberg(p)[np.triu_indices(3, 1)].round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    return _of_pairs(p, _step_up)


def _step_up(p: FloatArray) -> FloatArray:
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def _of_pairs(p: FloatArray, adjust: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Adjust the p-values above the diagonal together; nan stays nan."""
    first, second = np.triu_indices(len(p), 1)
    known = ~np.isnan(p[first, second])
    first, second = first[known], second[known]
    adjusted = np.full(p.shape, np.nan)
    adjusted[first, second] = adjusted[second, first] = adjust(p[first, second])
    return adjusted


def comparable(judgments: Judgments, scores: FloatArray) -> BoolArray:
    """Return which two systems compare: both have scores, and a chain of judgments joins them."""
    group = judgments.counts.group
    known = ~np.isnan(scores)
    return np.asarray((group[:, None] == group) & known[:, None] & known)


def count_better_and_worse(scores: FloatArray, verdict: BoolArray) -> tuple[IntArray, IntArray]:
    """Count, for each system, those significantly better and those significantly worse."""
    above = np.nan_to_num(scores)[None, :] > np.nan_to_num(scores)[:, None]
    return (verdict & above).sum(axis=1), (verdict & above.T).sum(axis=1)
