"""Calibration: does what a model calls 70% happen in 70% of the judgments?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray
from analysis.prediction.shares import added_by_task, uncertainty_of_shares
from analysis.prediction.splits import HeldOut
from analysis.ranking.sign_test import clopper_pearson

WON, LOST = 0, 2
"""Of the three tables of `HeldOut.cell`, those of wins and losses."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Predicted and observed preference, by bins of the predicted one.

    A judgment between i and j speaks twice, for "i is preferred" and for "j is preferred"; a tie
    is neither. ``predicted`` is the mean probability of a bin, ``observed`` the share that came
    true, with its interval from ``low`` to ``high`` for other sentences and judges; ``judgments``
    is the number behind it. Bins that hold nothing are left out.
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
    win: FloatArray, loss: FloatArray, held_out: HeldOut, bins: int = 10, level: float = 0.95
) -> Calibration:
    """Compare probabilities [F, K, K] of the system on the left with what judges said.

    Judgments of one sentence or one judge are no independent facts: the interval is that of as many
    independent ones as would leave the same variance (Korn & Graubard 1998).
    """
    n_pairs = win.shape[-1] ** 2
    kind, pair = np.divmod(held_out.cell, n_pairs)
    fact = held_out.fold * n_pairs + pair
    asked, true, weight = (np.zeros((held_out.n_tasks, bins)) for _ in range(3))
    for chance, outcome in ((win, WON), (loss, LOST)):
        predicted = chance.ravel()[fact]
        place = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
        cell = held_out.task * bins + place
        for sums, values in ((asked, None), (true, kind == outcome), (weight, predicted)):
            sums += np.bincount(cell, values, minlength=sums.size).reshape(sums.shape)
    held = np.flatnonzero(asked.sum(axis=0) > 0)
    asked, true, weight = asked[:, held], true[:, held], weight[:, held]
    total = asked.sum(axis=0)
    observed = true.sum(axis=0) / total
    doubt = uncertainty_of_shares(added_by_task(true, asked), held_out)
    size = effective_size(observed, total, doubt.along(np.eye(len(held))))
    low, high = clopper_pearson(observed * size, size, level)
    return Calibration(
        bin_low=held / bins,
        bin_high=(held + 1) / bins,
        predicted=weight.sum(axis=0) / total,
        observed=observed,
        low=low,
        high=high,
        judgments=total.astype(np.int64),
        level=level,
    )


def effective_size(share: FloatArray, n: FloatArray, variance: FloatArray) -> FloatArray:
    """Return how many independent facts would leave this variance of a share; at most ``n``.

    A variance of 0 or nan says nothing: where all came out alike, or of one task alone.

    >>> share, n, variance = np.array([.5, .5, 1.]), np.array([100., 100., 8.]), [.01, .001, 0]
    >>> effective_size(share, n, np.array(variance)).tolist()
    [25.0, 100.0, 8.0]
    """
    known = np.nan_to_num(variance) > 0
    size = share * (1 - share) / np.where(known, variance, 1.0)
    return np.where(known & (size > 0), np.clip(size, 1.0, n), n)
