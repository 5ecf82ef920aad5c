"""How means of shares would vary where pairs have few judgments: each group is left out in turn.

With six judgments a pair, the derivative of a share says too little of what a judgment does to it.
Here the scores s₋g without group g are computed anew, and

    C_u = (1 - 1/G) Σ_g (Δ_g - Δ̄)(Δ_g - Δ̄)ᵀ,   Δ_g = s - s₋g:

the delete-a-group jackknife. An opponent of whom no decided judgment is left drops out of the mean.

Reference: Efron & Stein 1981, *The Jackknife Estimate of Variance*.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import Judgments
from analysis.kernel import kernel
from analysis.ranking.covariance import (
    UNITS,
    Unit,
    UnitCovariance,
    number_alike,
    start_of_tasks,
    tasks_by_group,
)

THIN = 20
"""Decided judgments of a pair, on average, below which groups are left out in turn."""


def is_thin(judgments: Judgments) -> bool:
    """Return whether pairs have so few decided judgments that derivatives mislead.

    Not of single votes: what derivatives miss there, `missed_by_pairs` adds.
    """
    if judgments.are_votes:
        return False
    decided = judgments.counts.decided
    return bool(decided.any() and decided[decided > 0].mean() < THIN)


def covariances_left_out(judgments: Judgments) -> dict[Unit, UnitCovariance]:
    """Return the covariance of Expected Wins by tasks, by segments and by judges."""
    facts, wins = judgments.observations, judgments.counts.wins
    start = start_of_tasks(judgments)
    cells = facts.cells(judgments.n_systems)
    found: dict[Unit, UnitCovariance] = {}
    for unit in UNITS:
        group_start, tasks = tasks_by_group(judgments, unit)
        squares, total, n, sizes = sum_left_out(cells, start, group_start, tasks, wins)
        squares -= np.outer(total, total) / max(n, 1)
        # `Uncertainty` takes it times n/(n - 1) where the unit is drawn again.
        found[unit] = UnitCovariance((1 - 1 / max(n, 1)) ** 2 * squares, n, number_alike(sizes))
    return found


@kernel
def sum_left_out(cells, start, group_start, tasks, wins):  # type: ignore[no-untyped-def]
    """Return Σ_g Δ_g Δ_gᵀ, Σ_g Δ_g, the number of groups that have rows, and their sizes."""
    k = len(wins)
    of_pair = np.zeros((k, k))  # share that i wins of its decided judgments with j
    n_opponents = np.zeros(k)
    sum_of_shares = np.zeros(k)
    for i in range(k):
        for j in range(k):
            decided = wins[i, j] + wins[j, i]
            if decided > 0:
                of_pair[i, j] = wins[i, j] / decided
                n_opponents[i] += 1
                sum_of_shares[i] += of_pair[i, j]
    lost = np.zeros((k, k))
    is_touched = np.zeros(k, dtype=np.bool_)
    touched = np.empty(k, dtype=np.int64)
    pairs = np.empty((k * k, 2), dtype=np.int64)
    change = np.zeros(k)
    squares, total = np.zeros((k, k)), np.zeros(k)
    sizes = np.zeros(len(group_start) - 1, dtype=np.int64)
    n_groups = 0
    for g in range(len(group_start) - 1):
        n_pairs, n_touched = 0, 0
        for t in range(group_start[g], group_start[g + 1]):
            task = tasks[t]
            sizes[g] += start[task + 1] - start[task]
            for row in range(start[task], start[task + 1]):
                cell = cells[row]
                if cell >= k * k:  # a tie decides nothing
                    continue
                i, j = cell // k, cell % k
                if lost[i, j] == 0 and lost[j, i] == 0:
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = i, j
                    n_pairs += 1
                lost[i, j] += 1
        n_groups += sizes[g] > 0
        # the scores of the systems that the group's judgments are of, without them
        for p in range(n_pairs):
            for i in pairs[p]:
                if not is_touched[i]:
                    is_touched[i] = True
                    touched[n_touched] = i
                    n_touched += 1
        for a in range(n_touched):
            i = touched[a]
            shares, opponents = sum_of_shares[i], n_opponents[i]
            for p in range(n_pairs):
                if pairs[p, 0] == i:
                    j = pairs[p, 1]
                elif pairs[p, 1] == i:
                    j = pairs[p, 0]
                else:
                    continue
                left = wins[i, j] + wins[j, i] - lost[i, j] - lost[j, i]
                shares -= of_pair[i, j]
                if left > 0:
                    shares += (wins[i, j] - lost[i, j]) / left
                else:
                    opponents -= 1
            # Of a system that meets nobody else nothing can be said. It is in no other group, so
            # that its change stays 0.
            if opponents > 0:
                change[i] = sum_of_shares[i] / n_opponents[i] - shares / opponents
        for a in range(n_touched):
            i = touched[a]
            total[i] += change[i]
            for b in range(n_touched):
                squares[i, touched[b]] += change[i] * change[touched[b]]
        for p in range(n_pairs):
            i, j = pairs[p, 0], pairs[p, 1]
            lost[i, j] = lost[j, i] = 0.0
        for a in range(n_touched):
            is_touched[touched[a]] = False
    return squares, total, n_groups, sizes[sizes > 0]
