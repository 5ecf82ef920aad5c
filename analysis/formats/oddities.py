"""What looks odd in a campaign as a whole, whatever file it came from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from analysis.campaign import UNRANKED, Campaign, IntArray
from analysis.formats.report import Oddity


def look_over(campaign: Campaign) -> list[Oddity]:
    """Return per language pair: only ties, systems never compared, groups never compared."""
    task = np.repeat(np.arange(campaign.n_tasks), np.diff(campaign.task_start))
    return _only_ties(campaign, task) + _comparison_graph(campaign, task)


def _only_ties(campaign: Campaign, task: IntArray) -> list[Oddity]:
    ranked = campaign.entry_rank != UNRANKED
    rank = campaign.entry_rank
    low = np.full(campaign.n_tasks, np.iinfo(rank.dtype).max, dtype=rank.dtype)
    high = np.zeros(campaign.n_tasks, dtype=rank.dtype)
    np.minimum.at(low, task[ranked], rank[ranked])
    np.maximum.at(high, task[ranked], rank[ranked])
    decided = np.bincount(campaign.task_pair[high > low], minlength=len(campaign.pairs))
    return [
        Oddity(
            "only-ties",
            f"{pair}: every judgment is a tie, so no system can be placed above another.",
        )
        for pair, n in zip(campaign.pairs, decided, strict=True)
        if n == 0
    ]


def _comparison_graph(campaign: Campaign, task: IntArray) -> list[Oddity]:
    """Link the systems of each task to its first ranked one and look at what hangs together."""
    n_systems, n_pairs = len(campaign.systems), len(campaign.pairs)
    made_by = campaign.made_by.take(campaign.entry_output)
    of_task = task[made_by.owners]
    node = campaign.task_pair[of_task].astype(np.int64) * n_systems + made_by.values
    ranked = (campaign.entry_rank != UNRANKED)[made_by.owners]
    row_task = of_task[ranked]
    start = np.searchsorted(row_task, np.arange(campaign.n_tasks))
    links = np.unique(node[ranked][start[row_task]] * (n_pairs * n_systems) + node[ranked])
    left, right = np.divmod(links, n_pairs * n_systems)
    proper = left != right
    return _in_words(campaign, np.unique(node), left[proper], right[proper])


def _in_words(
    campaign: Campaign,
    listed: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
) -> list[Oddity]:
    n_systems, n = len(campaign.systems), len(campaign.systems) * len(campaign.pairs)
    compared = np.zeros(n, dtype=bool)
    compared[left] = compared[right] = True
    graph = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    oddities = []
    for code, pair in enumerate(campaign.pairs):
        nodes = listed[listed // n_systems == code]
        alone = [campaign.systems[k % n_systems] for k in nodes if not compared[k]]
        if alone:
            oddities.append(
                Oddity(
                    "never-compared",
                    f"{pair}: {', '.join(sorted(alone))} "
                    f"{'stands' if len(alone) == 1 else 'stand'} in the file but "
                    f"{'was' if len(alone) == 1 else 'were'} never compared, so "
                    f"{'it has' if len(alone) == 1 else 'they have'} no place in a ranking.",
                    len(alone),
                )
            )
        islands = len({int(component[k]) for k in nodes if compared[k]})
        if islands > 1:
            oddities.append(
                Oddity(
                    "disconnected",
                    f"{pair}: the systems fall into {islands} groups that were never compared "
                    "with each other; places across groups mean nothing. Collect judgments "
                    "between them, or look at each group alone.",
                    islands,
                )
            )
    return oddities
