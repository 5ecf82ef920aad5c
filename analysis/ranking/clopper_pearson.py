"""The exact interval of a share.

Reference: Clopper & Pearson 1934, *The use of confidence or fiducial limits illustrated in the
case of the binomial*, Biometrika 26.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from analysis.campaign import FloatArray


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
