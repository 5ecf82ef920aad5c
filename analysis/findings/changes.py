"""What changes between two answers to one question, in words: "3 clusters become 5; a and b swap".

An answer is an order of systems with, perhaps, clusters and intervals. Two answers may rank
different systems; the order is then compared over those that both rank.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray
from analysis.findings.standings import Name, number_word
from analysis.rankers.ranker import best_first
from analysis.ranking.clusters import clusters_from_radius
from analysis.ranking.ranking import Ranking
from analysis.ranking.significance import BoolArray
from analysis.wording import count, percent, rounded_up


@dataclass(frozen=True, eq=False)
class Answer:
    """Scores of ``systems`` with levels (1 the best, 0 without a rank) and both interval ends.

    ``apart``[K, K] says which two differ significantly, or, if ``is_official``, have separate rank
    ranges. All three may be unknown. ``part`` is what levels are called: tiers, clusters of an
    official procedure, or tie groups, which are gaps in the scores. ``winner`` is None if none can
    be named.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    levels: IntArray | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None
    apart: BoolArray | None = None
    part: str = "cluster"
    winner: str | None = None
    is_official: bool = False

    @classmethod
    def from_ranking(cls, ranking: Ranking) -> Answer:
        """Take scores, intervals, winner, and tiers, or clusters of an official procedure."""
        ranges, verdict = ranking.ranges, ranking.verdict
        return cls(
            ranking.systems,
            ranking.scores,
            None if ranges is None or verdict is None else verdict.tiers,
            None if ranges is None else ranges.ci_low,
            None if ranges is None else ranges.ci_high,
            None if verdict is None else verdict.significant,
            "cluster" if ranking.certainty.is_official else "tier",
            ranking.winner,
            ranking.certainty.is_official,
        )

    @classmethod
    def by_radius(cls, ranking: Ranking, radius: float) -> Answer:
        """Take the partial order of a radius: a new group where the gap to the next is wider."""
        groups = clusters_from_radius(ranking.scores, radius)
        scored = cls.from_ranking(ranking)
        return dataclasses.replace(scored, levels=groups, apart=None, part="tie group")

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
    def n_levels(self) -> int | None:
        return None if self.levels is None else int(self.levels.max(initial=0))

    @property
    def n_apart(self) -> tuple[int, int] | None:
        """How many pairs differ significantly, and of how many; None where that is not known."""
        k = len(self.names)
        return None if self.apart is None else (int(np.triu(self.apart).sum()), k * (k - 1) // 2)

    def score_of(self, system: str) -> float:
        """Return a system's score; nan where it has none or is not here."""
        if system not in self.systems:
            return float("nan")
        return float(self.scores[self.systems.index(system)])

    def level_of(self, system: str) -> int | None:
        """Return a system's level; None where it has none or is not here."""
        if self.levels is None or system not in self.systems:
            return None
        return int(self.levels[self.systems.index(system)]) or None


def radius_headline(answer: Answer, name: Name = str) -> str:
    """Say from which decision radius on the first two systems tie.

    "online-B ties with uedin from a decision radius of 0.0705 on"
    """
    if len(answer.names) < 2:
        return summarize(answer, name)
    first, second = answer.scores[answer.order[:2]]
    both = f"{name(answer.names[0])} ties with {name(answer.names[1])}"
    return f"{both} from a decision radius of {rounded_up(float(first - second))} on"


def summarize(answer: Answer, name: Name = str) -> str:
    """Say an answer by itself: "4 clusters; online-B has the highest score"."""
    if not answer.names:
        return "no system has a score"
    best = f"{name(answer.names[0])} has the highest score"
    return best if answer.n_levels is None else f"{_parts(answer)}; {best}"


def describe(before: Answer, after: Answer, name: Name = str) -> str:
    """Say what changes from one answer to another."""
    common = [s for s in before.names if s in set(after.names)]
    new = [s for s in after.names if s in set(common)]
    winner = _describe_winner(before, after, name)
    levels = _describe_levels(before, after, common, name)
    pairs = _describe_pairs(before, after)
    order = describe_order(common, new, name)
    if not order and not winner and not levels and not pairs:
        n = after.n_levels
        return "no change" + (f", still {_parts(after)}" if n is not None else "")
    if not levels and after.n_levels is not None:
        levels = f"still {_parts(after)}"
    return "; ".join(filter(None, (winner, levels, pairs, order or "the order stays")))


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
        swap = _describe_swaps(others, name, "other adjacent" if lead else "adjacent")
        return "; ".join(part for part in (lead, swap) if part)
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


def shared_places(before: Answer, after: Answer) -> tuple[dict[str, int], dict[str, int]]:
    """Return the places before and now among the systems that both answers rank."""
    shared = {*before.names} & {*after.names}
    orders = ([s for s in one.names if s in shared] for one in (before, after))
    was, now = ({s: place for place, s in enumerate(order, start=1)} for order in orders)
    return was, now


def changes_frame(before: Answer, after: Answer) -> pd.DataFrame:
    """Return a table, best first: place, part and score now and before; <NA> where unknown.

    Places are those among the systems of both answers.
    """
    was, now = shared_places(before, after)
    columns = {
        "place": [now.get(s) for s in after.names],
        "place_before": [was.get(s) for s in after.names],
        after.part: [after.level_of(s) for s in after.names],
        f"{before.part}_before": [before.level_of(s) for s in after.names],
    }
    frame = pd.DataFrame(columns, dtype="Int64")
    frame.insert(0, "system", list(after.names))
    frame["score"] = [after.score_of(s) for s in after.names]
    frame["score_before"] = [before.score_of(s) for s in after.names]
    return frame


def _describe_winner(before: Answer, after: Answer, name: Name) -> str:
    """Say which winner is named now; empty where that stays."""
    if before.winner == after.winner:
        return ""
    return "no winner" if after.winner is None else f"{name(after.winner)} wins"


def _describe_levels(before: Answer, after: Answer, common: Sequence[str], name: Name) -> str:
    """Say how levels change; empty where every system keeps its own."""
    if before.n_levels is None or after.n_levels is None:
        return ""
    if before.n_levels != after.n_levels:
        verb = "becomes" if before.n_levels == 1 else "become"
        return f"{_parts(before)} {verb} {after.n_levels}"
    moved = [s for s in common if before.level_of(s) != after.level_of(s)]
    if not moved:
        return ""
    still = f"still {_parts(after)}"
    if len(moved) == 1:
        old, new = before.level_of(moved[0]), after.level_of(moved[0])
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
    differ = "have separate rank ranges" if after.is_official else "differ significantly"
    return f"{now} of {count(n_pairs, 'pair')} {differ} instead of {was}"


def _describe_swaps(swaps: Sequence[tuple[str, str]], name: Name, which: str) -> str:
    if len(swaps) > 2:
        return f"{number_word(len(swaps))} {which} pairs swap"
    return "; ".join(f"{name(upper)} and {name(lower)} swap" for upper, lower in swaps)


def _single_mover(before: Sequence[str], after: Sequence[str]) -> str | None:
    """Return the one system without which the orders are the same, if there is one."""
    for system in (before[0], after[0], *before):
        if [s for s in before if s != system] == [s for s in after if s != system]:
            return system
    return None


def _parts(answer: Answer) -> str:
    return count(answer.n_levels or 0, answer.part)


def fewer_words(winner: str, wins: Mapping[float, int], n: int, what: str) -> str:
    """Say in how many of ``n`` samples of fewer tasks a system wins; empty where nobody looked.

    "A wins in 10 of 10 samples of 40% of the votes; of 30%, in 7". ``wins`` has the largest share
    first.
    """
    if not wins:
        return ""
    often = list(takewhile(lambda share: wins[share] >= 0.9 * n, wins))
    if not often:
        share = next(iter(wins))
        return f"With {percent(share)} of the {what}, {winner} wins in {wins[share]} of {n} samples"
    least = often[-1]
    words = f"{winner} wins in {wins[least]} of {n} samples of {percent(least)} of the {what}"
    fewer = [share for share in wins if share < least]
    return f"{words}; of {percent(fewer[0])}, in {wins[fewer[0]]}" if fewer else words
