"""How many more ranking tasks a campaign needs, what they cost, and whether to stop.

What is significant at present is what the standings show, by the chosen method; only that decides
on stopping. `goals` says how many more tasks each goal takes.

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*,
section 6, asks the same of simulated systems; here scores and spread are those of the campaign.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.campaign import Judgments
from analysis.errors import PodiumError, UndefinedResultError, control
from analysis.next_campaign.evidence import FEWEST_TASKS
from analysis.next_campaign.goals import Goal, check_aim, chosen_goal, usual_goals
from analysis.next_campaign.outlook import PROPORTIONAL, AtHand, Limits, Outlook, look_ahead
from analysis.parallel import Progress
from analysis.ranking.comparison_checks import Finding, identical_pairs
from analysis.ranking.covariance import Unit
from analysis.ranking.rank_ranges import require_test
from analysis.ranking.verdict import Verdict

HORIZON = 64
"""How many times the tasks at hand are looked ahead; a goal beyond that is called out of reach."""

STEPS_PER_DOUBLING = 3

FEW_TASKS_A_SYSTEM = 25
"""Tasks of a system on average under which the outlook is rough."""

FEWEST_JUDGES = 5
"""Judges up to which the variance between judges is little known."""

BOTTLENECK = 1.5
"""How many times the tasks it takes without new judges, or segments, that are the bottleneck."""

FAR = 10
"""How many times the tasks at hand a goal may take before nearer ones are proposed."""

SECONDS_PER_OUTPUT = 12.0
"""A judge's time for one output of a task: the median of WMT15's language pairs."""

FEWEST_DRAWS, MOST_DRAWS = 60, 300
PAIRS_DRAWN = 3_000_000
"""Pairs of systems in all drawn campaigns together, above which fewer are drawn."""


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
                raise PodiumError(what, f"{value:g} is not an amount", "Use a number from 0.")

    def hours(self, tasks: float) -> float:
        """Return the hours that some tasks take; nan where no time per task is known."""
        if self.minutes_per_task is None:
            return math.nan
        return tasks * self.minutes_per_task / 60

    def money(self, tasks: float) -> float:
        """Return what some tasks cost, in the user's currency; nan where that is not known."""
        return math.nan if self.per_hour is None else self.hours(tasks) * self.per_hour


@dataclass(frozen=True, eq=False)
class Plan:
    """What more tasks would bring; ``aim`` is the goal that decides on stopping.

    ``n_groups`` are groups of systems of which no judgment compares one with another. ``if_same``
    is the aim where there are no new segments, or no new judges, whatever the tasks. ``doubt`` is
    why not to stop although a winner is named.
    """

    pair: str
    outlook: Outlook
    certainty: float
    cost: Cost
    aim: Goal
    goals: tuple[Goal, ...]
    notes: tuple[str, ...]
    if_same: dict[Unit, Goal]
    n_groups: int = 1
    doubt: Finding | None = None

    def __repr__(self) -> str:
        table = self.to_frame().round(1).to_string(index=False, na_rep="–", max_rows=8)
        return f"Plan for {self.pair}:\n{table}"

    @property
    def at_hand(self) -> AtHand:
        return self.outlook.at_hand

    @property
    def stop(self) -> bool:
        """Whether the aim is reached beyond doubt, so that no more tasks are needed."""
        return self.aim.reached and self.doubt is None

    @property
    def is_far(self) -> bool:
        """Whether the aim is out of reach, or is a winner that takes `FAR` times the tasks."""
        is_many = self.aim.likely >= FAR * self.at_hand.n_tasks
        return is_many and (self.aim.kind == "winner" or not self.aim.within_reach)

    @property
    def nearest(self) -> Goal | None:
        """The first open goal of tiers that takes less than `FAR` times the tasks at hand."""
        near = FAR * self.at_hand.n_tasks
        return next((g for g in self.goals if g.kind == "tiers" and 0 < g.likely < near), None)

    @property
    def bottleneck(self) -> Unit:
        """Of what more is needed most: without it the aim takes `BOTTLENECK` times the tasks."""
        if self.aim.reached or not self.aim.within_reach:
            return "task"
        parts = self.outlook.parts
        worst = max(
            self.if_same, key=lambda unit: (self.if_same[unit].likely, parts[unit]), default=None
        )
        if worst is None or self.if_same[worst].likely < BOTTLENECK * max(self.aim.likely, 1):
            return "task"
        return worst

    def needs(self, goal: Goal) -> tuple[float, float, float]:
        """Return a goal's low, likely and high in what the plan counts."""
        low, likely, high = map(self.at_hand.in_units, (goal.low, goal.likely, goal.high))
        return low, likely, high

    @property
    def most(self) -> float:
        """The most that is looked ahead, in what the plan counts."""
        return self.at_hand.in_units((HORIZON - 1) * self.at_hand.n_tasks)

    def more(self, unit: Unit, tasks: float) -> float:
        """Return how many more of a unit come with so many more tasks; 0 if it is not named."""
        n, whole = self.at_hand.units.get(unit, 0), self.at_hand.n_tasks + tasks
        return n * (self.outlook.limits.times(unit, self.at_hand, whole) - 1)

    def to_frame(self) -> pd.DataFrame:
        """Return one line per goal: further tasks with their interval, judgments, hours, money."""
        per_task = self.at_hand.judgments_per_task
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
        """Return by size what to expect: share of pairs and clusters, with intervals."""
        share, clusters, tiers = self.outlook.share, self.outlook.clusters, self.outlook.tiers
        share_low, share_high = self.outlook.share_interval(self.certainty)
        clusters_low, clusters_high = self.outlook.clusters_interval(self.certainty)
        tiers_low, tiers_high = self.outlook.tiers_interval(self.certainty)
        more = self.outlook.sizes - self.at_hand.n_tasks
        return pd.DataFrame(
            {
                "tasks": self.outlook.sizes,
                "further_tasks": more,
                "judgments": self.outlook.sizes * self.at_hand.judgments_per_task,
                "share": np.median(share, axis=1),
                "share_low": share_low,
                "share_high": share_high,
                "tiers": np.quantile(tiers, 0.5, axis=1, method="higher"),
                "tiers_low": tiers_low,
                "tiers_high": tiers_high,
                "clusters": np.quantile(clusters, 0.5, axis=1, method="higher"),
                "clusters_low": clusters_low,
                "clusters_high": clusters_high,
                "hours": [self.cost.hours(n) for n in more],
                "money": [self.cost.money(n) for n in more],
            }
        )


def plan(
    judgments: Judgments,
    verdict: Verdict,
    *,
    share: float | None = None,
    clusters: int | None = None,
    limits: Limits = PROPORTIONAL,
    cost: Cost | None = None,
    certainty: float = 0.9,
    draws: int | None = None,
    seed: int = 0,
    doubt: Finding | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Say how many more tasks reach the aim: ``clusters``, a ``share`` of pairs, else a winner.

    ``verdict`` is what the judgments show by the chosen method, at the level that is wanted;
    ``certainty`` is that of the intervals of the answer. Segments and judges grow with the tasks,
    up to the ``limits``. Without a stated time per task the campaign's own median is taken, where
    it has one. ``draws`` campaigns are drawn: 300, fewer of more than 140 systems. ``doubt`` is
    what result checks say against the winner.
    """
    if draws is not None and draws < 1:
        raise PodiumError("Draws", f"{draws} is too few", "Use 1 or more.")
    require_test(verdict, "Plan")
    if not len(judgments):
        raise UndefinedResultError(
            "Plan",
            "no judgment compares two systems",
            "Podium plans ranking tasks; let judges rate several systems on each screen.",
        )
    at_hand = AtHand.of(judgments, verdict)
    check_aim(share, clusters, len(at_hand.systems), certainty)
    n_draws = draws or _draws_of(len(at_hand.systems))
    steps = np.arange(HORIZON.bit_length() * STEPS_PER_DOUBLING - STEPS_PER_DOUBLING + 1)
    sizes = np.ceil(at_hand.n_tasks * 2.0 ** (steps / STEPS_PER_DOUBLING))

    def look(limits: Limits, progress: Progress | None = None) -> Outlook:
        return look_ahead(
            judgments, verdict, sizes, limits, draws=n_draws, seed=seed, progress=progress
        )

    outlook = look(limits, progress)
    aim = chosen_goal(outlook, share, clusters, certainty)
    with_time = _with_usual_time(cost or Cost(), judgments)
    return Plan(
        pair=judgments.pair,
        outlook=outlook,
        certainty=certainty,
        cost=with_time,
        aim=aim,
        goals=usual_goals(outlook, share, clusters, certainty, _identical(judgments)),
        notes=_notes(judgments, verdict, at_hand, with_time),
        if_same={
            unit: chosen_goal(look(without), share, clusters, certainty)
            for unit, without in _without_new(limits, at_hand).items()
            if outlook.parts[unit] > 0
        },
        n_groups=_count_groups(judgments),
        doubt=doubt if aim.kind == "winner" and aim.reached else None,
    )


def _identical(judgments: Judgments) -> list[tuple[str, str]]:
    """Return the pairs of systems, in both orders, whose outputs are nearly all identical."""
    names = judgments.systems
    return [(names[i], names[j]) for i, j in np.argwhere(identical_pairs(judgments))]


def _draws_of(n_systems: int) -> int:
    """Return how many campaigns are drawn: each one of many systems says much of all pairs.

    >>> [_draws_of(n) for n in (2, 140, 200, 1000)]
    [300, 300, 150, 60]
    """
    n_pairs = max(n_systems * (n_systems - 1) // 2, 1)
    return min(max(PAIRS_DRAWN // n_pairs, FEWEST_DRAWS), MOST_DRAWS)


def _without_new(limits: Limits, at_hand: AtHand) -> dict[Unit, Limits]:
    """Return the same limits without new segments, and without new judges."""
    n = at_hand.units
    return {
        "segment": replace(limits, segments=n.get("segment", math.inf)),
        "judge": replace(limits, judges=n.get("judge", math.inf)),
    }


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


def assumed_minutes(judgments: Judgments) -> float | None:
    """Return the usual minutes of a task, else those of WMT15; None of votes, which are given."""
    usual = usual_minutes(judgments)
    if usual is not None or judgments.are_votes:
        return usual
    return outputs_per_task(judgments) * SECONDS_PER_OUTPUT / 60


def outputs_per_task(judgments: Judgments) -> float:
    """Return how many outputs a task shows on average."""
    return len(judgments.entry_output) / judgments.n_tasks


def minutes_of_task(
    judgments: Judgments, per_unit: float | None = None, outputs: float | None = None
) -> float | None:
    """Return the minutes of a task of so many outputs, by default as many as tasks show here.

    ``per_unit`` are minutes per output, of votes per vote; without them, as `assumed_minutes`.
    """
    usual = assumed_minutes(judgments)
    if judgments.are_votes:
        return usual if per_unit is None else per_unit
    if per_unit is None:
        assert usual is not None
        per_unit = usual / outputs_per_task(judgments)
    return per_unit * (outputs or outputs_per_task(judgments))


def _count_groups(judgments: Judgments) -> int:
    counts = judgments.counts
    return len(np.unique(counts.group[counts.compared.any(axis=1)]))


def _notes(judgments: Judgments, verdict: Verdict, at_hand: AtHand, cost: Cost) -> tuple[str, ...]:
    one = at_hand.counted.removesuffix("s")
    notes = [f"{why} The forecast assumes no new ones." for why in verdict.missing.values()]
    notes += [
        f"The outputs of {first} and {second} are nearly always identical or tied: do not compare "
        "them further."
        for first, second in _identical(judgments)
        if first < second
    ]
    missing = [name for name in judgments.systems if name not in at_hand.systems]
    if missing:
        notes.append(f"Never compared, and left out: {', '.join(missing)}.")
    if at_hand.n_tasks < FEWEST_TASKS:
        notes.append(
            f"With so few {one}s ({at_hand.n_tasks}) their dependence is unknown; the true "
            "numbers may be twice these."
        )
    if 1 < verdict.units.get("judge", 0) <= FEWEST_JUDGES:
        notes.append(
            f"With only {verdict.units['judge']} judges, the variation between judges is poorly "
            "known: in simulations with five judges, the 90% forecast interval covered 87% of "
            "outcomes."
        )
    shown = len(judgments.entry_output) / len(at_hand.systems)
    if at_hand.n_tasks >= FEWEST_TASKS and shown < FEW_TASKS_A_SYSTEM:
        notes.append(
            f"Each system is in {shown:.0f} {one}s on average, too few for a good forecast of the "
            f"differences. Make a new plan when there are more {one}s."
        )
    if cost.per_hour is not None and cost.minutes_per_task is None:
        minutes = control("--minutes-per-task 2", f"the minutes per {one}", "minutes_per_task=2")
        notes.append(f"To see the cost, add {minutes}.")
    if len(at_hand.systems) < 5:
        notes.append("With few systems, the usual size of differences is poorly known.")
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
