"""Tests and intervals of a share: the sign test, and the exact interval.

Could two systems that were preferred this often be equally good?

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*
(one-sided); the marks are those of the WMT findings papers (Bojar et al. 2014, appendix A).
The interval: Clopper & Pearson 1934, *The use of confidence or fiducial limits illustrated in the
case of the binomial*, Biometrika 26.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from analysis.campaign import FloatArray

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
