"""Training data of matches: so many free-for-alls of N outputs, each cut out of one ranking task.

SPV14 (§4.2) compare matches of N = 2…5 outputs at equal numbers of matches (Table 3) and of the
pairs in them (Table 4). How their matches were cut out of tasks of five is not told: here N of a
task's outputs are drawn at random, one match a task until all tasks had their turn.

Reference: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation*, §4.2.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import PodiumError


def draw_matches(
    pool: Judgments, n_outputs: int, n_matches: int, rng: np.random.Generator
) -> Judgments:
    """Return ``n_matches`` tasks of exactly ``n_outputs`` outputs each, drawn from larger ones."""
    sizes = np.diff(pool.task_start)
    able = np.flatnonzero(sizes >= n_outputs)
    if not len(able):
        raise PodiumError(
            f"Matches of {n_outputs}",
            f"no ranking task that may train has {n_outputs} outputs",
            "Choose fewer players, or another way to sample.",
        )
    rounds = -(-n_matches // len(able))
    turns = np.concatenate([rng.permutation(able) for _ in range(rounds)])[:n_matches]
    entries = np.concatenate(
        [
            pool.task_start[task] + np.sort(rng.permutation(sizes[task])[:n_outputs])
            for task in turns
        ]
    )
    return dataclasses.replace(
        pool,
        tasks=pool.tasks[turns],
        task_start=np.arange(n_matches + 1, dtype=np.int64) * n_outputs,
        entry_output=pool.entry_output[entries],
        entry_rank=pool.entry_rank[entries],
    )


def matches_of_pairs(n_outputs: int, n_pairs: int) -> int:
    """Return how many matches hold so many pairs, rounded to the nearest.

    >>> [matches_of_pairs(n, 400) for n in (2, 3, 4, 5)]
    [400, 133, 67, 40]
    """
    return max(1, round(n_pairs / (n_outputs * (n_outputs - 1) / 2)))
