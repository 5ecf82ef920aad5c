"""Who stands in which language pair, who was compared with whom, and where judges decided.

Written twice, as `analysis.formats.usable` is: for large campaigns one compiled pass answers all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign import UNRANKED, Campaign, IntArray, Ragged, distinct
from analysis.formats.usable import FEW
from analysis.kernel import kernel

Mask = npt.NDArray[np.bool_]


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
        if len(campaign.entry_rank) <= FEW:
            return cls._readable(campaign)
        n = len(campaign.pairs) * len(campaign.systems)
        is_there, compared = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        parent, decided = np.arange(n), np.zeros(len(campaign.pairs), dtype=np.int64)
        made_by = campaign.made_by
        begins, systems = made_by.start.astype(np.int64), made_by.values.astype(np.int64)
        for tasks, shown in campaign.shown.stretches():
            ranks = campaign.entry_rank[
                campaign.task_start[tasks.start] : campaign.task_start[tasks.stop]
            ]
            _link(
                campaign.task_pair[tasks].astype(np.int64), shown.start.astype(np.int64),
                shown.values.astype(np.int64), ranks.astype(np.int64), begins, systems,
                len(campaign.systems), is_there, compared, parent, decided,
            )  # fmt: skip
        nodes = np.flatnonzero(is_there)
        return cls(nodes, compared[nodes], _roots(parent, nodes), decided)

    @classmethod
    def _readable(cls, campaign: Campaign) -> Comparisons:
        shown, n_systems = campaign.shown, len(campaign.systems)
        systems, entry = shown.join(campaign.made_by)
        pair = campaign.task_pair.astype(np.int64)[systems.owners]
        of_entry = pair * n_systems + systems.values
        nodes = distinct(of_entry)
        ranked = campaign.entry_rank[entry] != UNRANKED
        node = np.searchsorted(nodes, of_entry[ranked])
        task = systems.owners[ranked]
        begins = np.ones(len(task), dtype=bool)
        begins[1:] = task[1:] != task[:-1]
        hub = node[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
        proper = hub != node
        compared = np.zeros(len(nodes), dtype=bool)
        compared[hub[proper]] = compared[node[proper]] = True
        links = (np.ones(len(hub), dtype=np.int8), (hub, node))
        graph = scipy.sparse.coo_array(links, shape=(len(nodes), len(nodes)))
        _, island = scipy.sparse.csgraph.connected_components(graph, directed=False)
        return cls(nodes, compared, island, _count_decided(campaign))

    def systems_of_pair(self, pair: int, n_systems: int) -> IntArray:
        """Return the places among ``nodes`` of one language pair's systems."""
        bounds = np.searchsorted(self.nodes, np.array([pair, pair + 1]) * n_systems)
        return np.arange(bounds[0], bounds[1])


def _count_decided(campaign: Campaign) -> IntArray:
    ranks = Ragged(campaign.task_start, campaign.entry_rank)
    known = np.where(ranks.values == UNRANKED, 2**15 - 1, ranks.values).astype(np.int16)
    low = np.minimum.reduceat(known, ranks.start[:-1])
    high = np.maximum.reduceat(ranks.values, ranks.start[:-1])
    return np.bincount(campaign.task_pair[high > low], minlength=len(campaign.pairs))


@kernel
def _root(parent, node):  # type: ignore[no-untyped-def]
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def _roots(parent, nodes):  # type: ignore[no-untyped-def]
    found = np.empty(len(nodes), dtype=np.int64)
    for k in range(len(nodes)):
        found[k] = _root(parent, nodes[k])
    return found


@kernel
def _link(  # type: ignore[no-untyped-def]
    pair, start, output, rank, made_start, made_by, n_systems, is_there, compared, parent, decided
):
    for task in range(len(start) - 1):
        hub, low, high = -1, -1, -1
        for entry in range(start[task], start[task + 1]):
            here = rank[entry]
            if here != UNRANKED:
                low = here if low < 0 else min(low, here)
                high = max(high, here)
            for place in range(made_start[output[entry]], made_start[output[entry] + 1]):
                node = pair[task] * n_systems + made_by[place]
                is_there[node] = True
                if here == UNRANKED:
                    continue
                if hub < 0:
                    hub = node
                elif node != hub:
                    compared[hub] = compared[node] = True
                    if parent[node] != parent[hub]:
                        parent[_root(parent, node)] = _root(parent, hub)
        decided[pair[task]] += high > low
