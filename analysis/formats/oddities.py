"""What looks odd in a campaign as a whole, whatever file it came from."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from analysis.campaign import UNRANKED, Campaign, IntArray, Ragged, distinct, is_reference
from analysis.formats.report import Oddity

MAX_SENTENCES = 20
"""How many language pairs are named for one kind of oddity; of the rest the number is told."""


def look_over(campaign: Campaign) -> list[Oddity]:
    """Return what looks odd: references; names alike; ties only; systems never compared."""
    return [
        *_references(campaign),
        *_names_alike(campaign),
        *_first_few(_only_ties(campaign)),
        *_first_few(_comparison_graph(campaign)),
    ]


def look_over_scores(campaign: Campaign) -> list[Oddity]:
    """Return what looks odd in scores: names alike; a pair of which no preferences follow."""
    n_outputs = np.zeros(len(campaign.pairs), dtype=np.int64)
    np.maximum.at(n_outputs, campaign.task_pair, campaign.shown.sizes)
    alone = [
        Oddity(
            "no-preferences",
            f"{pair}: nobody scored two systems on one segment, so that nothing is said of what "
            "judges prefer. The mean score ranks the systems; methods on preferences cannot.",
        )
        for pair, n in zip(campaign.pairs, n_outputs.tolist(), strict=True)
        if n < 2
    ]
    return [*_names_alike(campaign), *_first_few(alone)]


def systems_of_pairs(campaign: Campaign) -> IntArray:
    """Return which systems stand in which language pairs, in order.

    A number is the pair's code times the number of systems, plus the system's code.
    """
    is_there = np.zeros(len(campaign.pairs) * len(campaign.systems), dtype=bool)
    for _, _, node in _stretches(campaign):
        is_there[node] = True
    return np.flatnonzero(is_there)


def _stretches(campaign: Campaign) -> Iterator[tuple[Ragged, IntArray, npt.NDArray[np.int64]]]:
    """Yield the ranks of some tasks, and every entry once for each system, in its language pair."""
    for tasks, shown in campaign.shown.stretches():
        systems, entry = shown.join(campaign.made_by)
        pair = campaign.task_pair[tasks].astype(np.int64)[shown.owners][entry]
        first, last = campaign.task_start[tasks.start], campaign.task_start[tasks.stop]
        ranks = Ragged(shown.start, campaign.entry_rank[first:last])
        yield ranks, entry, pair * len(campaign.systems) + systems.values


def _references(campaign: Campaign) -> list[Oddity]:
    """Say which names are taken for human references, and what ranks them."""
    names = [name for name in campaign.systems if is_reference(name)]
    if not names:
        return []
    shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    words = (
        f"{shown} has the name of a human reference and is left out of rankings. If it is a system,"
        if len(names) == 1
        else f"{shown} have names of human references and are left out of rankings. If they are "
        "systems,"
    )
    return [Oddity("references", f"{words} choose Rank references too (--references).", len(names))]


def _names_alike(campaign: Campaign) -> list[Oddity]:
    """Return one oddity for systems, or judges, that differ only in case, blanks or accents."""
    oddities = []
    for what, names in (("systems", campaign.systems), ("judges", campaign.judges)):
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(_look(name), []).append(name)
        alike = [group for group in groups.values() if len(group) > 1]
        if alike:
            shown = "; ".join(" and ".join(name[:60] for name in group) for group in alike[:5])
            more = f"; and {len(alike) - 5} more" if len(alike) > 5 else ""
            oddities.append(
                Oddity(
                    "names-alike",
                    f"Some {what} differ only in case, blanks or accents, and "
                    f"count as different ones: {shown}{more}.",
                    len(alike),
                )
            )
    return oddities


def _look(name: str) -> str:
    """Return what two names share that a reader would take for one."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) not in "Cf Mn")


def _first_few(oddities: list[Oddity]) -> list[Oddity]:
    """Keep the first of each kind and tell how many more there are."""
    kept = []
    for kind, group in itertools.groupby(
        sorted(oddities, key=lambda oddity: oddity.kind), key=lambda oddity: oddity.kind
    ):
        same = list(group)
        kept += same[:MAX_SENTENCES]
        rest = len(same) - MAX_SENTENCES
        if rest > 0:
            kept.append(Oddity(kind, f"The same holds for {rest} more language pairs.", rest))
    return kept


def _only_ties(campaign: Campaign) -> list[Oddity]:
    decided = np.zeros(len(campaign.pairs), dtype=np.int64)
    for tasks, ranks in Ragged(campaign.task_start, campaign.entry_rank).stretches():
        known = np.where(ranks.values == UNRANKED, 2**15 - 1, ranks.values).astype(np.int16)
        low = np.minimum.reduceat(known, ranks.start[:-1])
        high = np.maximum.reduceat(ranks.values, ranks.start[:-1])
        pairs = campaign.task_pair[tasks][high > low]
        decided += np.bincount(pairs, minlength=len(campaign.pairs))
    return [
        Oddity(
            "only-ties",
            f"{pair}: every judgment is a tie, so no system can be placed above another.",
        )
        for pair, n in zip(campaign.pairs, decided, strict=True)
        if n == 0
    ]


def _comparison_graph(campaign: Campaign) -> list[Oddity]:
    """Link the systems of each task to its first ranked one and look at what hangs together."""
    nodes = systems_of_pairs(campaign)
    n = len(nodes)
    place = np.zeros(len(campaign.pairs) * len(campaign.systems), dtype=np.int64)
    place[nodes] = np.arange(n)
    found = []
    for ranks, entry, system in _stretches(campaign):
        ranked = ranks.values[entry] != UNRANKED
        node = place[system[ranked]]
        task = ranks.owners[entry][ranked]
        begins = np.ones(len(task), dtype=bool)
        begins[1:] = task[1:] != task[:-1]
        hub = np.flatnonzero(begins)[np.cumsum(begins) - 1]
        found.append(_different(node[hub] * n + node, n * n))
    links = distinct(np.concatenate([np.zeros(0, np.int64), *found]))
    left, right = np.divmod(links, n)
    proper = left != right
    left, right = left[proper], right[proper]
    compared = np.zeros(n, dtype=bool)
    compared[left] = compared[right] = True
    graph = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    return _in_words(campaign, nodes, compared, component)


def _different(values: IntArray, n: int) -> IntArray:
    """Return the different values in order, all of them below ``n``."""
    if n > 4 * len(values):
        return distinct(values)
    is_there = np.zeros(n, dtype=bool)
    is_there[values] = True
    return np.flatnonzero(is_there)


def _in_words(
    campaign: Campaign,
    nodes: IntArray,
    compared: npt.NDArray[np.bool_],
    component: npt.NDArray[np.integer],
) -> list[Oddity]:
    n_systems = len(campaign.systems)
    bounds = np.searchsorted(nodes, np.arange(len(campaign.pairs) + 1) * n_systems)
    oddities = []
    for pair, first, last in zip(campaign.pairs, bounds[:-1], bounds[1:], strict=True):
        own = np.arange(first, last)
        alone = [campaign.systems[nodes[k] % n_systems] for k in own[~compared[own]]]
        if alone:
            oddities.append(
                Oddity(
                    "never-compared",
                    f"{pair}: {', '.join(sorted(alone)[:20])}{', …' if len(alone) > 20 else ''} "
                    f"{'stands' if len(alone) == 1 else 'stand'} in the file but "
                    f"{'was' if len(alone) == 1 else 'were'} never compared, so "
                    f"{'it has' if len(alone) == 1 else 'they have'} no place in a ranking.",
                    len(alone),
                )
            )
        islands = len(np.unique(component[own[compared[own]]]))
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
