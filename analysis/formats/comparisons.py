"""Who stands in which language pair, who was compared with whom, and where judges decided.

One pass goes over stretches of the tasks: of each, only which systems were compared is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign import UNRANKED, Campaign, IntArray, Ragged, distinct

Mask = npt.NDArray[np.bool_]

_AT_ONCE = 1 << 16
"""Entries of a stretch."""


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
        """Look at all tasks; the systems of each are linked to its first ranked one."""
        n_systems, task_start = len(campaign.systems), campaign.task_start
        n = len(campaign.pairs) * n_systems
        is_there, decided = np.zeros(n, dtype=bool), np.zeros(len(campaign.pairs), dtype=np.int64)
        links: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        for tasks, shown in campaign.shown.stretches(_AT_ONCE):
            ranks = campaign.entry_rank[task_start[tasks.start] : task_start[tasks.stop]]
            pair = campaign.task_pair[tasks].astype(np.int64)
            systems, entry = shown.join(campaign.made_by)
            node = (pair * n_systems)[systems.owners] + systems.values
            is_there[node] = True
            is_ranked = ranks[entry] != UNRANKED
            node, task = node[is_ranked], systems.owners[is_ranked]
            begins = np.diff(task, prepend=-1) > 0
            links.append(distinct(node[begins][np.cumsum(begins) - 1] * n + node))
            decided += np.bincount(pair[_is_decided(shown, ranks)], minlength=len(decided))
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


def _is_decided(shown: Ragged, ranks: IntArray) -> Mask:
    """Return which tasks have two ranks or more."""
    known = np.where(ranks == UNRANKED, 2**15 - 1, ranks).astype(np.int16)
    low = np.minimum.reduceat(known, shown.start[:-1])
    return np.asarray(np.maximum.reduceat(ranks, shown.start[:-1]) > low)
