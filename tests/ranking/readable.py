"""The covariance of scores by a unit as its definition reads, for tests of the fast kernels."""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.rankers.influence import Influence, JudgedRows
from analysis.ranking.covariance import Unit, labels_of


def covariance_readable(judgments: Judgments, influence: Influence, unit: Unit) -> FloatArray:
    """Do as `covariances` for one unit, the slow way: one vector per group."""
    k, facts = influence.n_systems, judgments.observations
    task = judgments.task[facts.row]
    label = task if unit == "task" else labels_of(judgments, unit)[task]
    _, group = np.unique(label, return_inverse=True)
    added = np.zeros((group.max() + 1, influence.n_coordinates))
    rows = None if influence.rows_of is None else influence.rows_of(judgments)
    for r, g in enumerate(group):
        added[g] += (
            _added_by_table(influence, facts.left[r], facts.right[r], facts.outcome[r])
            if rows is None
            else _added_by_row(rows, r)
        )
    if len(added) == 1:
        return np.zeros((k, k))
    share = np.bincount(group) / len(group)
    added *= ((1 - 1 / len(added)) / (1 - share))[:, None]
    added -= added.mean(axis=0)
    return influence.mix(added.T @ added)


def _added_by_table(influence: Influence, left: int, right: int, outcome: int) -> FloatArray:
    winner, loser = (left, right) if outcome >= 0 else (right, left)
    kind = int(outcome == 0)
    added = np.zeros(influence.n_coordinates)
    added[winner] += influence.own[kind, winner, loser]
    added[loser] += influence.other[kind, winner, loser]
    if influence.common is not None:
        added[-1] += influence.common[kind, winner, loser]
    return added


def _added_by_row(rows: JudgedRows, r: int) -> FloatArray:
    slope, tie = rows.by_lead[r], rows.by_tie[r]
    added = -rows.loads[rows.judge[r]] @ np.array([rows.gap[r] * slope, slope, tie])
    added[rows.left[r]] += rows.sensitivity[r] * slope
    added[rows.right[r]] -= rows.sensitivity[r] * slope
    added[-2] += tie
    added[-1] += rows.level[r]
    return np.asarray(added)
