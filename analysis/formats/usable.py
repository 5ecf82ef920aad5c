"""Which ranking tasks compare anything, and a number that equal tasks share.

Each pass goes over stretches of the tasks, so that no column between its steps is as long as the
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNRANKED, IntArray, Ragged
from analysis.campaign.copies import scramble

Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]

_AT_ONCE = 1 << 14
"""Entries of a stretch: few enough to stay in the processor's cache."""


@dataclass(frozen=True)
class Usable:
    """Of each task: whether anything is ranked, whether it names one system only, or one twice."""

    is_ranked: Mask
    is_alone: Mask
    holds_one_twice: Mask

    @classmethod
    def of(cls, start: IntArray, output: IntArray, rank: IntArray, made_by: Ragged) -> Usable:
        """Look at tasks that show ``output`` with ``rank``; ``made_by`` has each one's systems."""
        n = len(start) - 1
        found = cls(*(np.zeros(n, dtype=bool) for _ in range(3)))
        n_systems = int(made_by.values.max(initial=0)) + 1
        for tasks, shown in Ragged(start, output).stretches(_AT_ONCE):
            ranked = rank[start[tasks.start] : start[tasks.stop]] != UNRANKED
            n_ranked = np.append(0, np.cumsum(ranked))[shown.start]
            found.is_ranked[tasks] = n_ranked[1:] > n_ranked[:-1]
            makers = made_by.take(shown.values)
            systems = Ragged(makers.start[shown.start], makers.values)
            found.is_alone[tasks] = systems.sizes < 2
            # Wide keys take twice as long to sort.
            wide: type[np.integer] = np.int32 if len(shown) * n_systems < 2**31 else np.int64
            key = systems.owners.astype(wide) * n_systems + systems.values
            key.sort()
            twice = key[1:][key[1:] == key[:-1]] // n_systems
            found.holds_one_twice[tasks.start + twice] = True
        return found


def hashes_of_tasks(
    columns: Sequence[IntArray], start: IntArray, output: IntArray, rank: IntArray
) -> Hashes:
    """Return a number for each task: of its columns, and what it shows with which ranks."""
    found = np.empty(len(start) - 1, dtype=np.uint64)
    for tasks, shown in Ragged(start, output).stretches():
        ranks = rank[start[tasks.start] : start[tasks.stop]]
        own = [column[tasks] for column in columns]
        entry = scramble([shown.values, ranks, shown.places])
        total = np.zeros(len(shown), dtype=np.uint64)
        np.add.at(total, shown.owners, entry)
        found[tasks] = scramble([*own, shown.sizes, total])
    return found


def any_twice(values: npt.NDArray[np.integer]) -> bool:
    """Return whether a number stands twice.

    Each number takes the place of its last bits. Only those that find another one there are sorted.
    """
    rows = np.arange(len(values), dtype=np.int32)
    n_places = 1 << (4 * len(values)).bit_length()
    place = (values.astype(np.uint64, copy=False) & np.uint64(n_places - 1)).astype(np.int64)
    last = np.empty(n_places, dtype=np.int32)
    last[place] = rows
    there = last[place]
    early = np.flatnonzero(there != rows)
    if (values[early] == values[there[early]]).any():
        return True
    ordered = np.sort(values[early])
    return bool((ordered[1:] == ordered[:-1]).any())
