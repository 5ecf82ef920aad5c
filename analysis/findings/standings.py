"""Findings in words: who leads, how many clusters, which neighbors cannot be told apart yet.

Two neighbors of the standings are told apart where the upper one stands above the lower one in at
least ``level`` of the runs: one-sided, since the standings say which one to expect above.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.ranking.rank_ranges import RankRanges
from analysis.ranking.ranking import Ranking

Name = Callable[[str], str]
"""How a system's name is written in a sentence."""

LONGEST_TITLE = 64
"""Letters that fit into one line over a figure of half a screen."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Neighbors:
    """Two systems next to each other, and how often the upper one stood above over the runs."""

    upper: str
    lower: str
    share: float


def neighbors(ranking: Ranking) -> tuple[Neighbors, ...]:
    """Return all systems next to each other, best first; none where the runs did not differ."""
    if ranking.ranges is None:
        return ()
    ranks = ranking.ranges.ranks
    ranked = [k for k in ranking.order if not np.isnan(ranking.scores[k])]
    return tuple(
        Neighbors(ranking.systems[upper], ranking.systems[lower], _share_above(ranks, upper, lower))
        for upper, lower in itertools.pairwise(ranked)
    )


def not_told_apart(ranking: Ranking) -> tuple[Neighbors, ...]:
    """Return the neighbors whose order is still open at the ranking's level."""
    return tuple(pair for pair in neighbors(ranking) if pair.share < ranking.level)


def leaders(ranking: Ranking) -> tuple[str, ...]:
    """Return the systems that share the best cluster, best first; one where there are none."""
    order = [k for k in ranking.order if not np.isnan(ranking.scores[k])]
    if ranking.clusters is not None:
        clusters = ranking.clusters
        order = [k for k in order if clusters[k] == 1]
    else:
        order = order[:1]
    return tuple(ranking.systems[k] for k in order)


def headline(ranking: Ranking, name: Name = str) -> str:
    """Say the finding of a campaign in one sentence.

    "4 clusters; online-B leads; 3 of 12 neighbors cannot be told apart yet"
    """
    lead = _lead(ranking, name)
    if ranking.ranges is None:
        if not ranking.runs or ranking.can_tell:
            return f"{lead}; how sure that is, resampling tells"
        return f"{lead}; too few judgments differ to say how sure that is"
    all_neighbors, open_ones = neighbors(ranking), not_told_apart(ranking)
    n_clusters = ranking.n_clusters or 0
    clusters = "1 cluster" if n_clusters == 1 else f"{n_clusters} clusters"
    return f"{clusters}; {lead}; {_open_neighbors(len(open_ones), len(all_neighbors))}"


def standings_title(ranking: Ranking, name: Name = str) -> str:
    """Say what the standings figure shows: the lead, and the largest group that shares places.

    "online-B leads; five systems share places 2–6". Short enough for a narrow figure.
    """
    lead = _lead(ranking, name)
    ranges, clusters = ranking.ranges, ranking.clusters
    if ranges is None or clusters is None:
        return lead
    groups = [np.flatnonzero(clusters == c) for c in range(1, int(clusters.max(initial=0)) + 1)]
    shared = [_shared_places(ranges, group) for group in groups]
    if len(groups) > 0 and len(groups[0]) > 2:
        return shared[0]
    others = [k for k in range(1, len(groups)) if len(groups[k]) > 1]
    if not others:
        return lead if len(groups) == 1 or len(groups[0]) > 1 else f"{lead}; every place is clear"
    title = f"{lead}; {shared[max(others, key=lambda k: len(groups[k]))]}"
    return title if len(title) <= LONGEST_TITLE else lead


def number_word(n: int) -> str:
    """Write small numbers as words.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _lead(ranking: Ranking, name: Name) -> str:
    first = leaders(ranking)
    if not first:
        return "no system has a score"
    if ranking.clusters is None:
        best = np.flatnonzero(ranking.scores == np.nanmax(ranking.scores))
        if len(best) == len(ranking.systems) > 1:
            return "All systems have the same score"
        if len(best) > 1:
            return f"{number_word(len(best))} systems have the best score".capitalize()
        return f"{name(first[0])} leads by its score"
    if len(first) == 1:
        return f"{name(first[0])} leads"
    if len(first) == 2:
        return f"{name(first[0])} and {name(first[1])} share the lead"
    return f"{name(first[0])} and {number_word(len(first) - 1)} others share the lead"


def _shared_places(ranges: RankRanges, group: IntArray) -> str:
    low, high = int(ranges.low[group].min()), int(ranges.high[group].max())
    return f"{number_word(len(group))} systems share places {low}–{high}"


def _open_neighbors(n_open: int, n_all: int) -> str:
    if not n_all:
        return "there is nobody to compare with"
    if not n_open:
        return "all neighbors are told apart" if n_all > 1 else "the two are told apart"
    if n_all == 1:
        return "the two cannot be told apart yet"
    return f"{n_open} of {n_all} neighbors cannot be told apart yet"


def _share_above(ranks: FloatArray, upper: int, lower: int) -> float:
    """Return in which share of the runs one stood above the other; equal ranks count half."""
    above = (ranks[:, upper] < ranks[:, lower]).mean()
    equal = (ranks[:, upper] == ranks[:, lower]).mean()
    return float(above + equal / 2)
