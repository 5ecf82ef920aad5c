"""Goals of a campaign, and how many more tasks each one takes: 0 where it is reached.

A goal is reached by n tasks with the probability that `outlook` gives it: the share of drawn
futures in which it is met at that size. ``likely`` is where this probability passes one half;
``low`` and ``high`` enclose the answer with the certainty asked for.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.errors import PodiumError, control
from analysis.next_campaign.outlook import Outlook

GoalKind = Literal["pairs", "tiers", "clusters", "winner", "neighbors"]

SHARES = (0.5, 0.7, 0.8, 0.9)
"""Shares of system pairs of which a plan always speaks, as Koehn's Table 4 does."""


@dataclass(frozen=True)
class Goal:
    """Something to find out, and the further tasks it takes: 0 if reached, inf if out of reach.

    ``now`` says how things stand: a share, a number of clusters, or how probable it is, from 0 to
    1, that the neighbors already differ significantly (0 or 1).
    """

    kind: GoalKind
    label: str
    wanted: float
    now: float
    low: float
    likely: float
    high: float
    systems: tuple[str, str] | None = None

    @property
    def reached(self) -> bool:
        return self.now >= self.wanted - 1e-9

    @property
    def within_reach(self) -> bool:
        return math.isfinite(self.likely)


def check_aim(share: float | None, clusters: int | None, n_systems: int, certainty: float) -> None:
    """Refuse a share, a number of clusters or a certainty that no campaign can have."""
    if share is not None and not 0 < share <= 1:
        raise PodiumError(
            control("--share", "Share of pairs"),
            f"{share:g} is outside 0–1",
            f"Use {share / 100 if 1 < share <= 100 else 0.9:g}.",
        )
    if not 0 < certainty < 1:
        where = control("--certainty", "Certainty")
        raise PodiumError(where, f"{certainty:g} is outside 0–1", "Use 0.9 for 90%.")
    if clusters is not None and not 1 <= clusters <= n_systems:
        raise PodiumError(
            "Clusters",
            f"{n_systems} systems cannot form {clusters}",
            f"Use a number from 1 to {n_systems}.",
        )


def chosen_goal(
    outlook: Outlook, share: float | None, clusters: int | None, certainty: float
) -> Goal:
    """Return the goal that decides on stopping: what is asked for, else a winner."""
    if clusters is not None:
        return _cluster_goal(outlook, clusters, certainty)
    if share is not None:
        return _share_goal(outlook, share, certainty)
    return _winner_goal(outlook, certainty)


def usual_goals(
    outlook: Outlook,
    share: float | None,
    clusters: int | None,
    certainty: float,
    identical: list[tuple[str, str]],
) -> tuple[Goal, ...]:
    """Return the usual goals, and the share or number of clusters that is asked for.

    Two neighbors whose outputs are nearly all identical are no goal: nothing separates them.
    """
    shares = sorted({*SHARES, share or SHARES[0]})
    numbers = sorted({*_next_numbers(outlook.clusters), *([] if clusters is None else [clusters])})
    return (
        *(_share_goal(outlook, wanted, certainty) for wanted in shares),
        *(_tier_goal(outlook, wanted, certainty) for wanted in _next_numbers(outlook.tiers)),
        _winner_goal(outlook, certainty),
        *(_cluster_goal(outlook, wanted, certainty) for wanted in numbers),
        *(goal for goal in _neighbor_goals(outlook, certainty) if goal.systems not in identical),
    )


def needed(
    probability: FloatArray, sizes: FloatArray, certainty: float
) -> tuple[float, float, float]:
    """Return the further tasks (low, likely, high) at which a goal's probability passes its marks.

    The marks are (1 - certainty)/2, 1/2 and (1 + certainty)/2. Between two sizes the probability
    is taken to grow with the logarithm of the size; inf says that a mark is not reached.
    """
    reached = np.maximum.accumulate(probability)
    found = []
    for mark in ((1 - certainty) / 2, 0.5, (1 + certainty) / 2):
        at = int(np.searchsorted(reached, mark))
        if at == 0:
            found.append(0.0)
        elif at == len(reached):
            found.append(math.inf)
        else:
            part = (mark - reached[at - 1]) / (reached[at] - reached[at - 1])
            size = sizes[at - 1] * (sizes[at] / sizes[at - 1]) ** part
            found.append(float(np.ceil(size - sizes[0])))
    low, likely, high = found
    return low, likely, high


def _share_goal(outlook: Outlook, share: float, certainty: float) -> Goal:
    met = (outlook.share >= share - 1e-9).mean(axis=1)
    times = needed(met, outlook.sizes, certainty)
    label = f"{100 * share:.3g}% of the pairs significant"
    return Goal("pairs", label, share, float(outlook.share[0, 0]), *times)


def _next_numbers(drawn: IntArray) -> list[int]:
    """Return one, two and three more than now, as far as some drawn campaign has so many."""
    now = int(drawn[0, 0])
    return list(range(now + 1, min(now + 3, int(drawn.max())) + 1))


def _tier_goal(outlook: Outlook, wanted: int, certainty: float) -> Goal:
    times = needed((outlook.tiers >= wanted).mean(axis=1), outlook.sizes, certainty)
    return Goal("tiers", f"{wanted} tiers", wanted, float(outlook.tiers[0, 0]), *times)


def _winner_goal(outlook: Outlook, certainty: float) -> Goal:
    """Return the tasks until a winner is named, if one system is best: equal leaders never part."""
    named = outlook.winner.mean(axis=1)
    times = needed(named, outlook.sizes, certainty)
    return Goal("winner", "a winner named (if one is best)", 1.0, float(named[0]), *times)


def _cluster_goal(outlook: Outlook, wanted: int, certainty: float) -> Goal:
    met = (outlook.clusters >= wanted).mean(axis=1)
    times = needed(met, outlook.sizes, certainty)
    label = "1 cluster" if wanted == 1 else f"{wanted} clusters"
    return Goal("clusters", label, wanted, float(outlook.clusters[0, 0]), *times)


def _neighbor_goals(outlook: Outlook, certainty: float) -> list[Goal]:
    goals = []
    for upper, names in enumerate(itertools.pairwise(outlook.at_hand.systems)):
        met = outlook.apart[:, upper, upper + 1]
        times = needed(met, outlook.sizes, certainty)
        label = f"{names[0]} and {names[1]} significant"
        goals.append(Goal("neighbors", label, 1.0, float(met[0]), *times, systems=names))
    return goals
