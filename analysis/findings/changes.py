"""What changes between two answers to one question, in words: "3 clusters become 5; a and b swap".

An answer is an order of systems with, perhaps, clusters and intervals. Two answers may rank
different systems; the order is then compared over those that both rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray
from analysis.findings.standings import Name, number_word
from analysis.rankers.standings import best_first
from analysis.ranking.clusters import clusters_from_radius
from analysis.ranking.ranking import Ranking
from analysis.ranking.significance import BoolArray
from analysis.wording import count


@dataclass(frozen=True, eq=False)
class Answer:
    """Scores of ``systems`` with clusters (1 the best, 0 without a rank) and both interval ends.

    ``apart``[K, K] says which two differ significantly. All three may be unknown. ``part`` is what
    clusters are called: "group" where they are gaps in the scores, whatever the evidence.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    clusters: IntArray | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None
    apart: BoolArray | None = None
    part: str = "cluster"

    @classmethod
    def from_ranking(cls, ranking: Ranking) -> Answer:
        """Take scores, intervals and clusters of a ranking."""
        ranges, verdict = ranking.ranges, ranking.verdict
        return cls(
            ranking.systems,
            ranking.scores,
            ranking.clusters,
            None if ranges is None else ranges.ci_low,
            None if ranges is None else ranges.ci_high,
            None if verdict is None else verdict.significant,
        )

    @classmethod
    def by_radius(cls, ranking: Ranking, radius: float) -> Answer:
        """Take the partial order of a radius: a new group where the gap to the next is wider."""
        groups = clusters_from_radius(ranking.scores, radius)
        return cls(ranking.systems, ranking.scores, groups, part="group")

    @property
    def order(self) -> IntArray:
        """Indices of the systems with a score, best first."""
        order = best_first(self.scores)
        return order[~np.isnan(self.scores[order])]

    @property
    def names(self) -> tuple[str, ...]:
        """The systems with a score, best first."""
        return tuple(self.systems[k] for k in self.order)

    @property
    def n_clusters(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max(initial=0))

    @property
    def n_apart(self) -> tuple[int, int] | None:
        """How many pairs differ significantly, and of how many; None where that is not known."""
        k = len(self.names)
        return None if self.apart is None else (int(np.triu(self.apart).sum()), k * (k - 1) // 2)

    def cluster_of(self, system: str) -> int | None:
        """Return a system's cluster; None where it has none or is not here."""
        if self.clusters is None or system not in self.systems:
            return None
        return int(self.clusters[self.systems.index(system)]) or None


def summarize(answer: Answer, name: Name = str) -> str:
    """Say an answer by itself: "4 clusters; online-B has the highest score"."""
    if not answer.names:
        return "no system has a score"
    best = f"{name(answer.names[0])} has the highest score"
    return best if answer.n_clusters is None else f"{_parts(answer)}; {best}"


def describe(before: Answer, after: Answer, name: Name = str) -> str:
    """Say what changes from one answer to another."""
    common = [s for s in before.names if s in set(after.names)]
    new = [s for s in after.names if s in set(common)]
    clusters = _describe_clusters(before, after, common, name)
    pairs = _describe_pairs(before, after)
    order = describe_order(common, new, name)
    if not order and not clusters and not pairs:
        n = after.n_clusters
        return "no change" + (f": still {_parts(after)}" if n is not None else "")
    if not clusters and after.n_clusters is not None:
        clusters = f"still {_parts(after)}"
    return "; ".join(part for part in (clusters, pairs, order or "the order stays") if part)


def describe_order(before: Sequence[str], after: Sequence[str], name: Name = str) -> str:
    """Say how an order of the same systems changes; empty where it does not.

    >>> describe_order("abcd", "bacd"), describe_order("abcd", "bcda")
    ('b leads instead of a', 'a falls from 1 to 4; b leads')
    """
    if list(before) == list(after):
        return ""
    place = {system: k for k, system in enumerate(after)}
    shift = {s: place[s] - k for k, s in enumerate(before) if place[s] != k}
    swaps = [
        (before[k], before[k + 1])
        for k in range(len(before) - 1)
        if place[before[k]] == k + 1 and place[before[k + 1]] == k
    ]
    if len(shift) == 2:
        swaps = [(min(shift, key=list(before).index), min(shift, key=place.__getitem__))]
    lead = f"{name(after[0])} leads instead of {name(before[0])}" if after[0] != before[0] else ""
    if 2 * len(swaps) == len(shift):
        others = [pair for pair in swaps if not lead or pair[0] != before[0]]
        return "; ".join(part for part in (lead, _describe_swaps(others, name)) if part)
    mover = _single_mover(before, after)
    if mover is None:
        farthest = max(shift, key=lambda s: abs(shift[s]))
        start = list(before).index(farthest)
        moved = (
            f"{number_word(len(shift))} systems change places, {name(farthest)} most "
            f"({start + 1} → {place[farthest] + 1})"
        )
        return "; ".join(part for part in (lead, moved) if part)
    verb = "falls" if shift[mover] > 0 else "rises"
    words = f"{name(mover)} {verb} from {list(before).index(mover) + 1} to {place[mover] + 1}"
    # A system that rises to the first place leads as a matter of course.
    return words if not lead or place[mover] == 0 else f"{words}; {name(after[0])} leads"


def describe_several(answers: Sequence[Answer], name: Name = str) -> str:
    """Say how far several answers about the same systems agree."""
    leaders = list(dict.fromkeys(a.names[0] for a in answers if a.names))
    orders = {a.names for a in answers}
    sizes = [a.n_clusters for a in answers if a.n_clusters is not None]
    words = "the order stays" if len(orders) == 1 else _describe_places(answers, name)
    if len(leaders) == 1 and len(orders) > 1:
        words += f", but {name(leaders[0])} always leads"
    elif len(leaders) > 1:
        words += f"; {' or '.join(name(s) for s in leaders)} leads"
    if not sizes:
        return words
    low, high = min(sizes), max(sizes)
    return f"{words}; {count(low, 'cluster') if low == high else f'{low} to {high} clusters'}"


def changes_frame(before: Answer, after: Answer) -> pd.DataFrame:
    """Return a table, best first: place, part and score now and before; <NA> where unknown."""
    was = {s: place for place, s in enumerate(before.names, start=1)}
    columns = {
        "place": list(range(1, len(after.names) + 1)),
        "place_before": [was.get(s) for s in after.names],
        after.part: [after.cluster_of(s) for s in after.names],
        f"{after.part}_before": [before.cluster_of(s) for s in after.names],
    }
    frame = pd.DataFrame(columns, dtype="Int64")
    frame.insert(0, "system", list(after.names))
    frame["score"] = [_score(after, s) for s in after.names]
    frame["score_before"] = [_score(before, s) for s in after.names]
    return frame


def _score(answer: Answer, system: str) -> float:
    if system not in answer.systems:
        return float("nan")
    return float(answer.scores[answer.systems.index(system)])


def _describe_places(answers: Sequence[Answer], name: Name) -> str:
    places: dict[str, set[int]] = {}
    for answer in answers:
        for place, system in enumerate(answer.names):
            places.setdefault(system, set()).add(place)
    moving = [system for system, taken in places.items() if len(taken) > 1]
    if len(moving) == 2:
        return f"{name(moving[0])} and {name(moving[1])} swap"
    return f"{number_word(len(moving))} of {number_word(len(places))} systems change places"


def _describe_clusters(before: Answer, after: Answer, common: Sequence[str], name: Name) -> str:
    """Say how clusters change; empty where every system keeps its own."""
    if before.n_clusters is None or after.n_clusters is None:
        return ""
    if before.n_clusters != after.n_clusters:
        verb = "becomes" if before.n_clusters == 1 else "become"
        return f"{_parts(before)} {verb} {after.n_clusters}"
    moved = [s for s in common if before.cluster_of(s) != after.cluster_of(s)]
    if not moved:
        return ""
    still = f"still {_parts(after)}"
    if len(moved) == 1:
        old, new = before.cluster_of(moved[0]), after.cluster_of(moved[0])
        return f"{still}, but {name(moved[0])} goes from {after.part} {old} to {new}"
    return f"{still}, but {number_word(len(moved))} systems change theirs"


def _describe_pairs(before: Answer, after: Answer) -> str:
    """Say how many pairs differ significantly; empty where that stays or is not known."""
    if before.n_apart is None or after.n_apart is None or before.n_apart == after.n_apart:
        return ""
    was = f"{before.n_apart[0]}"
    if before.n_apart[1] != after.n_apart[1]:
        was += f" of {before.n_apart[1]}"
    now, n_pairs = after.n_apart
    return f"{now} of {count(n_pairs, 'pair')} differ significantly instead of {was}"


def _describe_swaps(swaps: Sequence[tuple[str, str]], name: Name) -> str:
    if len(swaps) > 2:
        return f"{number_word(len(swaps))} adjacent pairs swap"
    return "; ".join(f"{name(upper)} and {name(lower)} swap" for upper, lower in swaps)


def _single_mover(before: Sequence[str], after: Sequence[str]) -> str | None:
    """Return the one system without which the orders are the same, if there is one."""
    for system in (before[0], after[0], *before):
        if [s for s in before if s != system] == [s for s in after if s != system]:
            return system
    return None


def _parts(answer: Answer) -> str:
    return count(answer.n_clusters or 0, answer.part)
