"""What a plan says, in words: whether to stop, what twice the judgments bring, who is equal."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.special import bdtr

from analysis.findings.standings import Name, number_word
from analysis.next_campaign.back_test import PART, BackTest
from analysis.next_campaign.evidence import FEWEST_TASKS
from analysis.next_campaign.planning import (
    HORIZON,
    STEPS_PER_DOUBLING,
    Goal,
    GoalKind,
    Plan,
    round_up,
)
from analysis.ranking.covariance import Unit
from analysis.wording import EN_DASH, capital, count, listed, percent, thousands

NEW: tuple[Unit, ...] = ("segment", "judge")


def _unit(plan: Plan, unit: Unit) -> str:
    """Return what a unit is called: a document stands in for the segment where documents count."""
    return plan.at_hand.source if unit == "segment" else unit


def _same(plan: Plan, unit: Unit) -> str:
    """Say "on the same 40 documents" or "by the same 5 judges"."""
    how = "by" if unit == "judge" else "on"
    return f"{how} the same {count(plan.at_hand.units[unit], _unit(plan, unit))}"


def advise(plan: Plan, with_price: bool = True, with_interval: bool = True) -> str:
    """Say in one sentence whether to stop or to continue, with what it takes.

    To stop is advised only where the aim is reached by the judgments at hand. If the aim is far,
    the next tiers are advised. A price comes with the interval.
    """
    aim, n_tasks = plan.aim, plan.at_hand.n_tasks
    nearest = plan.nearest
    nearer = (
        f"{capital(number_word(int(nearest.wanted)))} tiers need about "
        f"{amount(nearest.likely, math.inf)} more {_tasks(plan)}"
        if nearest
        else ""
    )
    if aim.reached:
        more = f"; {nearer[0].lower()}{nearer[1:]}" if nearer else ""
        return f"Stop: {_state(plan)}{more if aim.kind == 'winner' else ', the goal is reached'}"
    if plan.n_groups > 1:
        return (
            f"First compare systems across groups: {number_word(plan.n_groups)} groups have never "
            f"met, and more {_tasks(plan)} like these will not separate them; now {_state(plan)}"
        )
    if plan.is_far:
        times = n_tasks + aim.likely
        needs = (
            f"needs about {times / n_tasks:.0f} times this campaign"
            if aim.within_reach
            else f"would probably need more than {HORIZON} times this campaign"
        )
        said = f"{_aim_words(aim)} {needs}"
        return f"{nearer}; {said[0].lower()}{said[1:]}" if nearer else f"{said}; now {_now(plan)}"
    most = (HORIZON - 1) * n_tasks
    bottleneck = f" with new {_unit(plan, plan.bottleneck)}s" if plan.bottleneck in NEW else ""
    lead = f"Continue{bottleneck}"
    interval = f"{100 * plan.certainty:.3g}% interval {amounts(aim.low, aim.high, most)}"
    price = _price(plan) if with_price else ""
    details = f" ({interval}{price})" if with_interval else ""
    return (
        f"{lead}: expect about {amount(aim.likely, most)} more {_tasks(plan)}{details} until "
        f"{_until(aim)}; now {_now(plan)}"
    )


def _tasks(plan: Plan) -> str:
    """Return what tasks are called: votes, if a task is a single pairwise judgment."""
    return "votes" if plan.at_hand.judgments_per_task == 1 else "tasks"


def growth_words(plan: Plan) -> str:
    """Say what comes with the tasks of the answer, and how many it takes without that.

    Empty where there is nothing to add: the aim is reached, or far.
    """
    aim = plan.aim
    if aim.reached or plan.is_far:
        return ""
    more = {unit: round_up(plan.more(unit, aim.likely)) for unit in NEW}
    coming = [count(n, f"more {_unit(plan, unit)}") for unit, n in more.items() if n]
    sentences = [f"This assumes {listed(coming)}."] if coming else []
    most = (HORIZON - 1) * plan.at_hand.n_tasks
    for unit, goal in plan.if_same.items():
        same = _same(plan, unit)
        if not goal.within_reach:
            many = f"{HORIZON} times as many {_tasks(plan)} {same}"
            sentences.append(f"Even {many} would probably not be enough.")
        elif goal.likely > 1.05 * aim.likely:
            sentences.append(
                f"If all are {same}, expect about {amount(goal.likely, most)} more {_tasks(plan)}."
            )
        elif more[unit]:
            sentences.append(f"About as many {_tasks(plan)} {same} would be enough.")
    return " ".join(sentences)


def variance_words(plan: Plan) -> str:
    """Say what most of the variance of the open pairs comes from; empty where no pair is open."""
    parts = plan.outlook.parts
    if not any(parts.values()):
        return ""
    names = {"task": _tasks(plan), "segment": f"{plan.at_hand.source}s", "judge": "judges"}
    most = max(parts, key=lambda unit: parts[unit])
    return (
        f"{percent(parts[most])} of the variance of the undecided pairs comes from {names[most]}."
    )


def _aim_words(aim: Goal) -> str:
    return "A winner" if aim.kind == "winner" else f"The aim ({aim.label})"


def _until(aim: Goal) -> str:
    if aim.kind == "winner":
        return "a winner is named"
    if aim.kind == "clusters":
        return "there is 1 cluster" if aim.wanted == 1 else f"there are {aim.label}"
    return f"{100 * aim.wanted:.3g}% of the pairs differ significantly"


def _now(plan: Plan) -> str:
    if plan.aim.kind == "winner":
        return "no winner is named"
    if plan.aim.kind == "clusters":
        return f"{plan.aim.now:.0f}"
    k = len(plan.at_hand.systems)
    pairs = k * (k - 1) // 2
    return f"{thousands(round(plan.aim.now * pairs))} of {thousands(pairs)}"


def _state(plan: Plan) -> str:
    if plan.aim.kind == "winner":
        return "a winner is named"
    if plan.aim.kind == "clusters":
        number = int(plan.aim.now)
        return "there is 1 cluster" if number == 1 else f"there are {number} clusters"
    return f"{_now(plan)} pairs ({100 * plan.aim.now:.3g}%) differ significantly"


def _price(plan: Plan) -> str:
    hours, money = plan.cost.hours(plan.aim.likely), plan.cost.money(plan.aim.likely)
    words = f"; {count(round_up(hours), 'hour')}" if math.isfinite(hours) else ""
    return words + (f", at a cost of {thousands(round_up(money))}" if math.isfinite(money) else "")


def outlook_title(plan: Plan) -> str:
    """Say what twice the judgments would bring, in the kind of what is aimed at."""
    kind = counted_goal(plan)
    now, twice = np.median(getattr(plan.outlook, kind), axis=1)[[0, STEPS_PER_DOUBLING]]
    if kind != "share":
        number = count(round(float(twice)), kind.removesuffix("s"))
        return f"Twice the judgments: about {number}, now {now:.0f}"
    pairs = f"about {percent(twice)} of the pairs significant"
    return f"Twice the judgments: {pairs}, now {percent(now)}"


def counted_goal(plan: Plan) -> Literal["share", "tiers", "clusters"]:
    """Return what the forecast of an aim counts by size; for a winner that is the tiers."""
    if plan.aim.kind == "clusters":
        return "clusters"
    return "share" if plan.aim.kind == "pairs" else "tiers"


def neighbors_title(plan: Plan, name: Name = str) -> str:
    """Say how many neighbors already differ significantly, and which take longest."""
    goals = goals_of(plan, "neighbors")
    told = [goal for goal in goals if goal.reached]
    if len(told) == len(goals):
        return (
            "All adjacent pairs already differ significantly"
            if len(goals) > 1
            else "The two already differ significantly"
        )
    far = [goal for goal in goals if not goal.within_reach]
    count = f"{len(told)} of {len(goals)} adjacent pairs differ significantly"
    if far:
        alike = "one is" if len(far) == 1 else f"{len(far)} are"
        return f"{count}; {alike} out of reach"
    last = max((goal for goal in goals if not goal.reached), key=lambda goal: goal.likely)
    upper, lower = last.systems or ("", "")
    return f"{count}; {name(upper)} and {name(lower)} need the most judgments"


def neighbors_words(plan: Plan) -> str:
    """Say how to read the figure of neighbors, and why they take more than a winner."""
    words = (
        f"Dot: median estimate; line: {percent(plan.certainty)} interval; arrow: beyond the chart. "
        "All pairs are tested together here, which takes more judgments than to name the winner."
    )
    if all(goal.within_reach for goal in goals_of(plan, "neighbors")):
        return words
    more = f"even {HORIZON} times as many judgments would probably not separate them."
    return f"{words} Out of reach: {more}"


def failed(test: BackTest) -> list[Literal["share", "tiers"]]:
    """Return which forecasts held less often than chance allows at 1%."""
    chances = bdtr(np.arange(test.trials + 1), test.trials, test.certainty)
    fewest = int(np.argmax(chances >= 0.01))
    held: dict[Literal["share", "tiers"], int] = {
        "share": test.share_held,
        "tiers": test.tiers_held,
    }
    return [what for what, times in held.items() if times < fewest]


def back_test_words(test: BackTest | None) -> str:
    """Say how often the forecast held on the campaign itself, and whether that is enough."""
    if test is None:
        few = PART * FEWEST_TASKS
        return f"With fewer than {few} tasks the forecast cannot be checked on the campaign."
    expected = f"{test.certainty * test.trials:.0f} expected"
    names = {"share": "significant pairs", "tiers": "tiers"}
    poor = [names[what] for what in failed(test)]
    sentence = (
        "Back-test: forecasting from a random fifth of the tasks, the predicted number of "
        f"significant pairs was right in {test.share_held} of {test.trials} trials, and the "
        f"number of tiers in {test.tiers_held} of {test.trials} ({expected})"
    )
    if not poor:
        return f"{sentence}."
    return f"{sentence}: do not rely on the forecast of the {' or of the '.join(poor)}."


def goals_of(plan: Plan, kind: GoalKind) -> tuple[Goal, ...]:
    """Return a plan's goals of one kind, in its order."""
    return tuple(goal for goal in plan.goals if goal.kind == kind)


def amount(number: float, most: float) -> str:
    """Write an amount to plan with; what is not reached is more than ``most``.

    >>> amount(2437, 9e5), amount(0, 9e5), amount(math.inf, 9e5)
    ('2,500', '0', 'more than 900,000')
    """
    if not math.isfinite(number):
        return f"more than {thousands(round_up(most))}"
    return thousands(round_up(number))


def amounts(low: float, high: float, most: float) -> str:
    """Write the interval of an amount to plan with.

    >>> amounts(90, 240, 9e5), amounts(90, math.inf, 9e5)
    ('90–240', '90 to more than 900,000')
    """
    joint = EN_DASH if math.isfinite(high) else " to "
    return f"{amount(low, most)}{joint}{amount(high, most)}"
