"""Tests: which differences of scores are significant, and whether a share could be a half.

p_ij = 2 T(-|d_ij| / σ_ij), T Student's t. Two layers: *confirmed* pairs by Holm's method, with any
false claim in at most α = 1 - level of campaigns; *exploratory* pairs by Benjamini & Hochberg's,
of which a share of `FALSE_SHARE` may be wrong. The sign test asks whether two systems that were
preferred this often could be equally good.

References: Holm 1979, *A Simple Sequentially Rejective Multiple Test Procedure*; Benjamini &
Hochberg 1995, *Controlling the False Discovery Rate*; Koehn 2012, *Simulating Human Judgment in
Machine Translation Evaluation Campaigns* (the sign test, one-sided); its marks are those of the WMT
findings papers (Bojar et al. 2014, appendix A); Clopper & Pearson 1934, *The use of confidence or
fiducial limits illustrated in the case of the binomial*, Biometrika 26 (the interval of a share).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray
from analysis.ranking.variance import tail

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


Sides = Literal[1, 2]

MARKS: dict[str, float] = {"‡": 0.01, "†": 0.05, "*": 0.10}
"""What each mark promises: the p-value is at most this; the strictest first."""


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike, sides: Sides = 2) -> FloatArray:
    """Return the exact p-value of so many wins if both systems were equally good.

    One-sided: P(X ≥ wins), X ~ Binomial(wins + losses, ½); small where the *first* system is
    better. Two-sided: twice the smaller tail, at most 1. Ties count for neither side; without a
    decided comparison there is no evidence and p = 1.

    ``wins`` and ``losses`` are numbers of judgments, of any shapes that broadcast.
    """
    first, second = np.broadcast_arrays(np.asarray(wins, float), np.asarray(losses, float))
    if sides == 1:
        return _upper_tail(first, second)
    return np.minimum(1.0, 2 * _upper_tail(np.maximum(first, second), np.minimum(first, second)))


def _upper_tail(wins: FloatArray, losses: FloatArray) -> FloatArray:
    """P(X ≥ w), X ~ Binomial(w + l, ½): the regularized incomplete beta I_½(w, l + 1)."""
    return np.where(wins > 0, betainc(np.maximum(wins, 1.0), losses + 1.0, 0.5), 1.0)


def significance_marks(p: FloatArray) -> npt.NDArray[np.str_]:
    """Return the mark of every p-value: ‡ at .01, † at .05, * at .10, nothing above.

    >>> significance_marks(np.array([.009, .05, .0999, .2])).tolist()
    ['‡', '†', '*', '']
    """
    conditions = [p <= bound for bound in MARKS.values()]
    return np.select(conditions, [np.full(np.shape(p), mark) for mark in MARKS], "")


def clopper_pearson(
    successes: FloatArray, trials: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the exact binomial interval: quantiles of Beta(x, n-x+1) and Beta(x+1, n-x).

    Neither need be whole.

    >>> low, high = clopper_pearson(np.array([0.]), np.array([10.]), .95)
    >>> float(low[0]), round(float(high[0]), 4)
    (0.0, 0.3085)
    """
    tail = (1 - level) / 2
    failures = trials - successes
    some, others = successes > 0, failures > 0
    low = betaincinv(np.where(some, successes, 1), failures + 1, tail)
    high = betaincinv(successes + 1, np.where(others, failures, 1), 1 - tail)
    return np.where(some, low, 0.0), np.where(others, high, 1.0)
