"""How many more ranking tasks a campaign needs, what they cost, and whether to stop.

A goal is reached by n tasks with the probability that `outlook` gives it: the share of
drawn futures in which it is met at that size. ``likely`` is where this probability passes one half;
``low`` and ``high`` enclose the answer as surely as asked.

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*,
section 6, asks the same of simulated systems; here abilities and spread are those of the campaign.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.next_campaign.evidence import FEWEST_TASKS, Evidence, fit_evidence
from analysis.next_campaign.outlook import Outlook, look_ahead
from analysis.parallel import Progress

GoalKind = Literal["pairs", "clusters", "neighbors"]

HORIZON = 64
"""How many times the tasks at hand are looked ahead; a goal beyond that is called out of reach."""

STEPS_PER_DOUBLING = 3

FEW_TASKS_A_SYSTEM = 25
"""Tasks of a system on average under which the outlook is rough."""

SHARES = (0.5, 0.7, 0.8, 0.9)
"""Shares of system pairs of which a plan always speaks, as Koehn's Table 4 does."""


@dataclass(frozen=True)
class Cost:
    """What a ranking task costs: minutes of a judge's time, and the price of an hour, if known."""

    minutes_per_task: float | None = None
    per_hour: float | None = None

    def __post_init__(self) -> None:
        for what, value in (
            ("Minutes per task", self.minutes_per_task),
            ("Cost per hour", self.per_hour),
        ):
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise PodiumError(what, f"{value:g} is no amount", "Give a number from 0.")

    def hours(self, tasks: float) -> float:
        """Return the hours that some tasks take; nan where no time per task is known."""
        if self.minutes_per_task is None:
            return math.nan
        return tasks * self.minutes_per_task / 60

    def money(self, tasks: float) -> float:
        """Return what some tasks cost, in the user's currency; nan where that is not known."""
        return math.nan if self.per_hour is None else self.hours(tasks) * self.per_hour


@dataclass(frozen=True)
class Goal:
    """Something to find out, and the further tasks it takes: 0 if reached, inf if out of reach.

    ``now`` says how things stand: a share, a number of clusters, or how probable it is, from 0 to
    1, that the neighbors are already told apart (0 or 1).
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


@dataclass(frozen=True, eq=False)
class Plan:
    """What more tasks would bring; ``aim`` is the goal that decides on stopping.

    ``n_groups`` are groups of systems of which no judgment compares one with another.
    """

    pair: str
    outlook: Outlook
    certainty: float
    cost: Cost
    aim: Goal
    goals: tuple[Goal, ...]
    notes: tuple[str, ...]
    n_groups: int = 1

    @property
    def evidence(self) -> Evidence:
        return self.outlook.evidence

    @property
    def stop(self) -> bool:
        return self.aim.reached or (not self.aim.within_reach and self.n_groups == 1)

    def to_frame(self) -> pd.DataFrame:
        """Return a line a goal: further tasks with their interval, judgments, hours and money."""
        per_task = self.evidence.judgments_per_task
        return pd.DataFrame(
            [
                {
                    "goal": goal.label,
                    "now": goal.now,
                    "tasks": goal.likely,
                    "tasks_low": goal.low,
                    "tasks_high": goal.high,
                    "judgments": goal.likely * per_task,
                    "hours": self.cost.hours(goal.likely),
                    "money": self.cost.money(goal.likely),
                }
                for goal in self.goals
            ]
        )

    def curve(self) -> pd.DataFrame:
        """Return by size what to expect: share of pairs told apart and clusters, with intervals."""
        share, clusters = self.outlook.share, self.outlook.clusters
        share_low, share_high = self.outlook.share_interval(self.certainty)
        clusters_low, clusters_high = self.outlook.clusters_interval(self.certainty)
        more = self.outlook.sizes - self.evidence.n_tasks
        return pd.DataFrame(
            {
                "tasks": self.outlook.sizes,
                "further_tasks": more,
                "judgments": self.outlook.sizes * self.evidence.judgments_per_task,
                "share": np.median(share, axis=1),
                "share_low": share_low,
                "share_high": share_high,
                "clusters": np.median(clusters, axis=1),
                "clusters_low": clusters_low,
                "clusters_high": clusters_high,
                "hours": [self.cost.hours(n) for n in more],
                "money": [self.cost.money(n) for n in more],
            }
        )


def plan(
    judgments: Judgments,
    *,
    share: float = 0.9,
    clusters: int | None = None,
    cost: Cost | None = None,
    level: float = 0.95,
    certainty: float = 0.9,
    draws: int = 300,
    seed: int = 0,
    progress: Progress | None = None,
) -> Plan:
    """Say how many more tasks tell systems apart; the aim is ``clusters`` if given, else ``share``.

    ``level`` is that of telling apart, ``certainty`` that of the intervals of the answer. Without
    a stated time per task the campaign's own median is taken, where it has one.
    """
    if draws < 1:
        raise PodiumError("Draws", f"{draws} is too few", "Give 1 or more.")
    evidence = fit_evidence(judgments)
    _check_aim(share, clusters, len(evidence.systems), certainty)
    steps = np.arange(HORIZON.bit_length() * STEPS_PER_DOUBLING - STEPS_PER_DOUBLING + 1)
    sizes = np.ceil(evidence.n_tasks * 2.0 ** (steps / STEPS_PER_DOUBLING))
    outlook = look_ahead(evidence, sizes, draws=draws, level=level, seed=seed, progress=progress)
    by_share = [_share_goal(outlook, x, certainty) for x in sorted({*SHARES, share})]
    by_clusters = _cluster_goals(outlook, clusters, certainty)
    by_neighbors = _neighbor_goals(outlook, certainty)
    aim = next(
        goal
        for goal in (by_clusters if clusters is not None else by_share)
        if goal.wanted == (clusters if clusters is not None else share)
    )
    with_time = _with_usual_time(cost or Cost(), judgments)
    return Plan(
        pair=judgments.pair,
        outlook=outlook,
        certainty=certainty,
        cost=with_time,
        aim=aim,
        goals=(*by_share, *by_clusters, *by_neighbors),
        notes=_notes(judgments, evidence, with_time),
        n_groups=_count_groups(judgments),
    )


def _check_aim(share: float, clusters: int | None, n_systems: int, certainty: float) -> None:
    if not 0 < share <= 1:
        raise PodiumError("Share of pairs", f"{share:g} is outside 0–1", "Give .9 for 90%.")
    if not 0 < certainty < 1:
        raise PodiumError("Certainty", f"{certainty:g} is outside 0–1", "Give .9 for 90%.")
    if clusters is not None and not 1 <= clusters <= n_systems:
        raise PodiumError(
            "Clusters",
            f"{clusters} cannot be made of {n_systems} systems",
            f"Give a number from 1 to {n_systems}.",
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
    label = f"{100 * share:.3g}% of the pairs told apart"
    return Goal("pairs", label, share, float(outlook.share[0, 0]), *times)


def _cluster_goals(outlook: Outlook, wanted: int | None, certainty: float) -> list[Goal]:
    """Return the goals of one, two and three clusters more than now, and of those wanted."""
    now, k = int(outlook.clusters[0, 0]), outlook.apart.shape[-1]
    numbers = {n for n in range(now + 1, now + 4) if n <= k}
    goals = []
    for number in sorted(numbers | ({wanted} if wanted is not None else set())):
        met = (outlook.clusters >= number).mean(axis=1)
        times = needed(met, outlook.sizes, certainty)
        label = "1 cluster" if number == 1 else f"{number} clusters"
        goals.append(Goal("clusters", label, number, float(now), *times))
    return goals


def _neighbor_goals(outlook: Outlook, certainty: float) -> list[Goal]:
    goals = []
    for upper, lower in itertools.pairwise(outlook.evidence.order.tolist()):
        names = (outlook.evidence.systems[upper], outlook.evidence.systems[lower])
        met = outlook.apart[:, upper, lower]
        times = needed(met, outlook.sizes, certainty)
        label = f"{names[0]} and {names[1]} told apart"
        goals.append(Goal("neighbors", label, 1.0, float(met[0]), *times, systems=names))
    return goals


def _with_usual_time(cost: Cost, judgments: Judgments) -> Cost:
    if cost.minutes_per_task is not None:
        return cost
    return Cost(usual_minutes(judgments), cost.per_hour)


def usual_minutes(judgments: Judgments) -> float | None:
    """Return the median minutes of a task, where the file says how long tasks took."""
    seconds = judgments.task_seconds
    if seconds is None or np.isnan(seconds).all():
        return None
    return float(np.nanmedian(seconds)) / 60


def _count_groups(judgments: Judgments) -> int:
    compared = judgments.counts.compared
    met = compared.any(axis=1)
    return int(connected_components(compared[np.ix_(met, met)], directed=False)[0])


def _notes(judgments: Judgments, evidence: Evidence, cost: Cost) -> tuple[str, ...]:
    notes = []
    missing = [name for name in judgments.systems if name not in evidence.systems]
    if missing:
        notes.append(f"Never compared, and left out: {', '.join(missing)}.")
    if evidence.n_tasks < FEWEST_TASKS:
        notes.append(
            f"With so few tasks ({evidence.n_tasks}) nobody can say how far the pairs of one task "
            "depend on each other; the true numbers may be twice these."
        )
    shown = len(judgments.entry_output) / len(evidence.systems)
    if evidence.n_tasks >= FEWEST_TASKS and shown < FEW_TASKS_A_SYSTEM:
        notes.append(
            f"Each system stands in {shown:.0f} tasks on average, too few for a good outlook: how "
            "far apart systems are can be misjudged, so plan again when some more have come in."
        )
    if cost.per_hour is not None and cost.minutes_per_task is None:
        notes.append("Say how many minutes a task takes, and the cost can be told.")
    if len(evidence.systems) < 5:
        notes.append("Few systems: how far apart they are in general is hardly known.")
    return tuple(notes)


def round_up(amount: float) -> int:
    """Round up to two digits that count: nobody plans 2,437 tasks.

    >>> [round_up(amount) for amount in (0, 7.2, 99.5, 2411)]
    [0, 8, 100, 2500]
    """
    if amount <= 0:
        return 0
    unit = 10 ** max(math.floor(math.log10(amount)) - 1, 0)
    return math.ceil(round(amount / unit, 9)) * unit
