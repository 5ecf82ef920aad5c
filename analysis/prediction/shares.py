"""How shares of held-out judgments would vary with other sentences and other judges.

A share is a ratio of sums, x = Σ_t x_t / Σ_t n_t over the held-out tasks t. To first order a task
adds (x_t - x n_t) / Σ n_t to it. Sums of that by tasks, segments and judges give the variance of
`analysis.ranking.verdict`, where nothing is taken for independent that was judged together.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.prediction.splits import HeldOut
from analysis.ranking.covariance import Unit, UnitCovariance, number_alike
from analysis.ranking.uncertainty import Uncertainty

UNITS_IN_WORDS: dict[Unit, str] = {
    "task": "ranking task",
    "segment": "segment",
    "judge": "judge",
}


def added_by_task(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return what each task adds to the shares: ``sums[T, M]`` of ``sizes[T]`` or [T, M]."""
    sizes = np.broadcast_to(sizes if sizes.ndim == 2 else sizes[:, None], sums.shape)
    total = np.maximum(sizes.sum(axis=0), 1)
    return np.asarray((sums - sums.sum(axis=0) / total * sizes) / total)


def uncertainty_of_shares(added: FloatArray, held_out: HeldOut) -> Uncertainty:
    """Return the covariances of M numbers by tasks, segments and judges from ``added[T, M]``.

    As in `analysis.ranking.covariance`, a group that holds a large share w of the judgments moves
    the shares by its sum times (1 - 1/G)/(1 - w).
    """
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    labels: dict[Unit, IntArray] = {
        "task": np.arange(held_out.n_tasks),
        "segment": held_out.task_source,
        "judge": held_out.task_judge,
    }
    units: dict[Unit, UnitCovariance] = {}
    missing: dict[Unit, str] = {}
    for unit, label in labels.items():
        groups, group = np.unique(label, return_inverse=True)
        n = len(groups)
        if n < 2:
            missing[unit] = f"All judgments belong to one {UNITS_IN_WORDS[unit]}."
            continue
        weight = np.bincount(group, weights=sizes) / sizes.sum()
        sums = np.zeros((n, added.shape[1]))
        for k, column in enumerate(added.T):
            sums[:, k] = np.bincount(group, weights=column)
        sums *= ((1 - 1 / n) / (1 - weight))[:, None]
        sums -= sums.mean(axis=0)
        units[unit] = UnitCovariance(sums.T @ sums, n, number_alike(weight))
    nothing = np.zeros((added.shape[1], added.shape[1]))
    known = units if "task" in units else {}
    return Uncertainty(known, missing, nothing, nothing, nothing, "closed form")
