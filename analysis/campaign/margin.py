"""Ranks that follow from scores: the better score the better rank, and near ones a tie.

Two scores that differ by at most a margin tie. Such ties need not hold together: with a margin of
5, 70 ties 74 and 74 ties 78, but 78 beats 70. Ranks cannot say that, so that such a task is split
into its pairs; every other task is kept whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import FloatArray, IntArray, Ragged
from analysis.kernel import kernel

FEW = 100_000
"""Scores up to which plain NumPy does: it needs no compiled code in a fresh installation."""
_MANY = 32
"""Scores of one task from which on they are sorted by more than moving each to its place."""
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
    if len(value) > FEW:
        reach = margin + _SLACK * np.abs(value).max() * (margin > 0)
        rank, whole = np.ones(len(value), dtype=np.int16), np.ones(len(scores), dtype=bool)
        _rank_tasks(scores.start.astype(np.int64), value, float(reach), rank, whole)
        return rank, whole
    return _rank_readable(scores, value, margin)


def _rank_readable(
    scores: Ragged, value: FloatArray, margin: float
) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    task = scores.owners
    # Tasks stand one behind the other, so that each entry's task is the same in this order.
    order = np.lexsort((-value, task))
    falling = value[order]
    reach = margin + _SLACK * np.abs(value).max(initial=0.0) * (margin > 0)
    is_new = np.diff(falling, prepend=np.inf) < -reach
    is_new |= np.diff(task, prepend=-1) > 0
    chain: IntArray = np.cumsum(is_new, dtype=np.int32)
    rank = np.empty(len(value), dtype=np.int16)
    rank[order] = chain - chain[scores.start[:-1]][task] + 1
    whole = np.ones(len(scores), dtype=bool)
    whole[task[falling[is_new][chain - 1] - falling > reach]] = False
    return rank, whole


@kernel
def _rank_tasks(start, value, reach, rank, whole):  # type: ignore[no-untyped-def]
    order = np.empty(np.max(start[1:] - start[:-1]), dtype=np.int64)
    for task in range(len(start) - 1):
        own = value[start[task] : start[task + 1]]
        if len(own) > _MANY:
            order[: len(own)] = np.argsort(-own)
        else:
            for k in range(len(own)):
                place = k
                while place > 0 and own[order[place - 1]] < own[k]:
                    order[place] = order[place - 1]
                    place -= 1
                order[place] = k
        here = 1
        top = own[order[0]] if len(own) else 0.0
        for k in range(1, len(own)):
            score = own[order[k]]
            if score - own[order[k - 1]] < -reach:
                here += 1
                top = score
            rank[start[task] + order[k]] = here
            if top - score > reach:
                whole[task] = False


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
