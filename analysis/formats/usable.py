"""Which ranking tasks compare anything, and who was compared with whom.

Each pass goes over stretches of the tasks, so that no column between its steps is as long as the
file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign import UNRANKED, Campaign, IntArray, Ragged, distinct

Mask = npt.NDArray[np.bool_]

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
            if any_twice(key):
                key.sort()
                twice = key[1:][key[1:] == key[:-1]] // n_systems
                found.holds_one_twice[tasks.start + twice] = True
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


@dataclass(frozen=True)
class Comparisons:
    """What each language pair holds. A node is a pair's code times all systems, plus a system's.

    ``nodes`` are those that stand in the file, in order; ``compared`` says which were compared
    with another one, ``island`` numbers what hangs together. ``decided`` counts each pair's tasks
    that are no mere tie.
    """

    nodes: IntArray
    compared: Mask
    island: IntArray
    decided: IntArray

    @classmethod
    def of(cls, campaign: Campaign) -> Comparisons:
        """Look at all tasks; each ranked system is linked to the one that stands before it."""
        n_systems, task_start = len(campaign.systems), campaign.task_start
        n = len(campaign.pairs) * n_systems
        is_there, decided = np.zeros(n, dtype=bool), np.zeros(len(campaign.pairs), dtype=np.int64)
        links: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        for tasks, shown in campaign.shown.stretches(_AT_ONCE):
            ranks = campaign.entry_rank[task_start[tasks.start] : task_start[tasks.stop]]
            pair = campaign.task_pair[tasks].astype(np.int64)
            systems, entry = shown.join(campaign.made_by)
            rank, task = ranks[entry], systems.owners
            node = (pair * n_systems)[task] + systems.values
            is_there[node] = True
            is_ranked = rank != UNRANKED
            node, task, rank = node[is_ranked], task[is_ranked], rank[is_ranked]
            follows = task[1:] == task[:-1]
            links.append(distinct(node[:-1][follows] * n + node[1:][follows]))
            is_decided = np.zeros(len(shown), dtype=bool)
            is_decided[task[1:][follows & (rank[1:] != rank[:-1])]] = True
            decided += np.bincount(pair[is_decided], minlength=len(decided))
        nodes = np.flatnonzero(is_there)
        first, second = np.searchsorted(nodes, np.divmod(distinct(np.concatenate(links)), n))
        compared = np.zeros(len(nodes), dtype=bool)
        proper = first != second
        compared[first[proper]] = compared[second[proper]] = True
        linked = (np.ones(len(first), dtype=np.int8), (first, second))
        graph = scipy.sparse.coo_array(linked, shape=(len(nodes), len(nodes)))
        _, island = scipy.sparse.csgraph.connected_components(graph, directed=False)
        return cls(nodes, compared, island, decided)

    def systems_of_pair(self, pair: int, n_systems: int) -> IntArray:
        """Return the places among ``nodes`` of one language pair's systems."""
        bounds = np.searchsorted(self.nodes, np.array([pair, pair + 1]) * n_systems)
        return np.arange(bounds[0], bounds[1])
