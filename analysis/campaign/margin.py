"""Ranks that follow from scores: the better score the better rank, and near ones a tie.

Two scores that differ by at most a margin tie. Such ties need not hold together: with a margin of
5, 70 ties 74 and 74 ties 78, but 78 beats 70. Ranks cannot say that, so that such a task is split
into its pairs; every other task is kept whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import FloatArray, IntArray, Ragged, distinct

_AT_ONCE = 1 << 14
"""Scores that are sorted together: few enough to stay in the processor's cache."""
_SLACK = 1e-9
"""Share of the largest score by which a difference may pass the margin: .3 is not .5 - .2."""


@dataclass(frozen=True, eq=False)
class MarginRanks:
    """Tasks with ranks: ``task`` is the one each came from, ``entry`` where each entry stood.

    ``is_first`` tells where an entry stands for the first time.
    """

    task: IntArray
    start: IntArray
    entry: IntArray
    rank: npt.NDArray[np.int16]
    is_first: npt.NDArray[np.bool_]


def rank_scores(scores: Ragged, margin: float = 0.0) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return every entry's rank within its task, and which tasks have ties that hold together.

    Scores are chained by gaps of at most the margin; ties hold together where no chain is longer
    than the margin.

    >>> scores = Ragged.from_sizes([3, 3], np.array([70, 74, 60, 70, 74, 78]))
    >>> rank, whole = rank_scores(scores, 5)
    >>> rank.tolist(), whole.tolist()
    ([1, 1, 2, 1, 1, 1], [True, False])
    """
    value: FloatArray = np.asarray(scores.values, dtype=np.float64)
    reach = margin + _SLACK * np.abs(value).max(initial=0.0) * (margin > 0)
    rank, whole = np.ones(len(value), dtype=np.int16), np.ones(len(scores), dtype=bool)
    # Tasks of as many scores stand below each other, so that all their rows are sorted at once.
    for size in distinct(scores.sizes[scores.sizes > 1]).tolist():
        tasks, n = np.flatnonzero(scores.sizes == size), max(_AT_ONCE // size, 1)
        for some in (tasks[first : first + n] for first in range(0, len(tasks), n)):
            entry = scores.start[some][:, None] + np.arange(size)
            entry = np.take_along_axis(entry, np.argsort(-value[entry], axis=1), axis=1)
            falling = value[entry]
            is_new = np.ones(entry.shape, dtype=bool)
            is_new[:, 1:] = falling[:, :-1] - falling[:, 1:] > reach
            rank[entry] = np.cumsum(is_new, axis=1)
            if reach:
                chain = np.minimum.accumulate(np.where(is_new, falling, np.inf), axis=1)
                whole[some] = ~(chain - falling > reach).any(axis=1)
    return rank, whole


def rank_with_margin(scores: Ragged, margin: float) -> MarginRanks:
    """Rank the scores of every task; split tasks whose ties do not hold together into pairs."""
    rank, whole = rank_scores(scores, margin)
    kept = Ragged.from_start(scores.start).take(np.flatnonzero(whole))
    split = Ragged.from_start(scores.start).take(np.flatnonzero(~whole))
    first, second = split.pairs()
    place, owner = split.places, np.flatnonzero(~whole)[split.owners]
    pair = np.stack([first, second], axis=1)
    pair_rank, _ = rank_scores(
        Ragged.from_sizes(np.full(len(pair), 2), scores.values[split.values[pair]].ravel()), margin
    )
    is_first = np.stack([place[second] == 1, place[first] == 0], axis=1).ravel()
    task = np.concatenate([np.flatnonzero(whole), owner[first]])
    laid = Ragged.from_sizes(np.concatenate([kept.sizes, np.full(len(pair), 2)]))
    taken = laid.take(order := np.argsort(task, kind="stable"))
    return MarginRanks(
        task=task[order],
        start=taken.start,
        entry=np.concatenate([kept.values, split.values[pair].ravel()])[taken.values],
        rank=np.concatenate([rank[kept.values], pair_rank])[taken.values],
        is_first=np.concatenate([np.ones(len(kept.values), dtype=bool), is_first])[taken.values],
    )
