"""Calibration: does what a model calls 70% happen in 70% of the judgments?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from analysis.campaign import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Calibration:
    """Predicted and observed preference, by bins of the predicted one.

    A judgment between i and j speaks twice, for "i is preferred" and for "j is preferred"; a tie
    is neither. ``predicted`` is the mean probability of a bin, ``observed`` the share that came
    true, with a Clopper–Pearson interval from ``low`` to ``high``; ``judgments`` is the number
    behind it. Bins that hold nothing are left out.
    """

    bin_low: FloatArray
    bin_high: FloatArray
    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    judgments: IntArray
    level: float

    @property
    def error(self) -> float:
        """The mean distance of predicted and observed, weighted by judgments."""
        distance = np.abs(self.predicted - self.observed)
        return float(np.average(distance, weights=self.judgments))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, a bin a row."""
        return pd.DataFrame(
            {
                "bin_low": self.bin_low,
                "bin_high": self.bin_high,
                "predicted": self.predicted,
                "observed": self.observed,
                "low": self.low,
                "high": self.high,
                "judgments": self.judgments,
            }
        )


def calibrate(
    win: FloatArray, loss: FloatArray, tables: FloatArray, bins: int = 10, level: float = 0.95
) -> Calibration:
    """Compare probabilities [..., K, K] with the held-out ``tables`` [..., 3, K, K].

    ``tables`` count wins, ties and losses of left against right. The interval takes judgments for
    independent facts: it is a lower bound of the doubt.
    """
    met = np.broadcast_to(tables.sum(axis=-3), win.shape)
    predicted = np.concatenate([win.ravel(), loss.ravel()])
    came_true = np.concatenate([tables[..., 0, :, :].ravel(), tables[..., 2, :, :].ravel()])
    n = np.tile(met.ravel(), 2)
    place = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
    total, true, weight = (
        np.bincount(place, weights=values, minlength=bins).astype(np.float64)
        for values in (n, came_true, n * predicted)
    )
    held = np.flatnonzero(total > 0)
    total, true, weight = total[held], true[held], weight[held]
    low, high = clopper_pearson(true, total, level)
    return Calibration(
        bin_low=held / bins,
        bin_high=(held + 1) / bins,
        predicted=weight / total,
        observed=true / total,
        low=low,
        high=high,
        judgments=total.astype(np.int64),
        level=level,
    )


def clopper_pearson(
    successes: FloatArray, trials: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the exact binomial interval: quantiles of Beta(x, n-x+1) and Beta(x+1, n-x).

    >>> low, high = clopper_pearson(np.array([0.]), np.array([10.]), .95)
    >>> float(low[0]), round(float(high[0]), 4)
    (0.0, 0.3085)
    """
    tail = (1 - level) / 2
    failures = trials - successes
    low = betaincinv(np.maximum(successes, 1), failures + 1, tail)
    high = betaincinv(successes + 1, np.maximum(failures, 1), 1 - tail)
    return np.where(successes > 0, low, 0.0), np.where(failures > 0, high, 1.0)
