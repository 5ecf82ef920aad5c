"""What a plan says, in words: whether to stop, what twice the judgments bring, who is alike."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binom

from analysis.campaign import FloatArray
from analysis.findings.standings import Name, number_word
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.new_campaign import MOST, Prospect
from analysis.next_campaign.planning import (
    HORIZON,
    STEPS_PER_DOUBLING,
    Goal,
    GoalKind,
    Plan,
    round_up,
)
from analysis.wording import EN_DASH, count, percent, thousands


def advise(plan: Plan, with_price: bool = True) -> str:
    """Say in one sentence whether to stop or to continue, with what it takes."""
    aim = plan.aim
    if aim.reached:
        return f"Stop: {_state(plan)}, which is what you aimed at."
    if plan.n_groups > 1:
        return (
            f"Compare across first: the systems are {number_word(plan.n_groups)} groups that never "
            f"met, and tasks like these will not tell them apart ({_state(plan)})."
        )
    if not aim.within_reach:
        return (
            f"Stop, or aim lower: even {HORIZON} times the tasks would hardly bring "
            f"{aim.label}, so alike are the systems ({_state(plan)})."
        )
    most = (HORIZON - 1) * plan.evidence.n_tasks
    tasks = f"about {amount(aim.likely, most)} more tasks ({amounts(aim.low, aim.high, most)}"
    price = _price(plan) if with_price else ""
    return f"Continue: {tasks}{price}) should bring {aim.label}; now {_state(plan)}."


def _state(plan: Plan) -> str:
    if plan.aim.kind == "clusters":
        number = int(plan.aim.now)
        return "there is 1 cluster" if number == 1 else f"there are {number} clusters"
    k = len(plan.evidence.systems)
    pairs = k * (k - 1) // 2
    told = round(plan.aim.now * pairs)
    share = f"{100 * plan.aim.now:.3g}%"
    return f"{thousands(told)} of {thousands(pairs)} pairs ({share}) are told apart"


def _price(plan: Plan) -> str:
    hours, money = plan.cost.hours(plan.aim.likely), plan.cost.money(plan.aim.likely)
    words = f"; {count(round_up(hours), 'hour')}" if math.isfinite(hours) else ""
    return words + (f", at a cost of {thousands(round_up(money))}" if math.isfinite(money) else "")


def outlook_title(plan: Plan) -> str:
    """Say what twice the judgments would bring, in the kind of what is aimed at."""
    now, twice = _typical(plan)[[0, STEPS_PER_DOUBLING]]
    if plan.aim.kind == "clusters":
        number = f"{twice:.0f} cluster{'s' * (round(twice) != 1)}"
        return f"Twice the judgments: about {number}, now {now:.0f}"
    pairs = f"about {percent(twice)} of the pairs told apart"
    return f"Twice the judgments: {pairs}, now {percent(now)}"


def _typical(plan: Plan) -> FloatArray:
    """Return the median outlook by size: the share of pairs told apart, or the clusters."""
    drawn = plan.outlook.clusters if plan.aim.kind == "clusters" else plan.outlook.share
    return np.asarray(np.median(drawn, axis=1), dtype=np.float64)


def neighbors_title(plan: Plan, name: Name = str) -> str:
    """Say how many neighbors are told apart already, and which take longest."""
    goals = goals_of(plan, "neighbors")
    told = [goal for goal in goals if goal.reached]
    if len(told) == len(goals):
        return "All neighbors are told apart already" if len(goals) > 1 else "The two are apart"
    far = [goal for goal in goals if not goal.within_reach]
    count = f"{len(told)} of {len(goals)} neighbors are told apart"
    if far:
        alike = "one is" if len(far) == 1 else f"{len(far)} are"
        return f"{count}; {alike} out of reach"
    last = max((goal for goal in goals if not goal.reached), key=lambda goal: goal.likely)
    upper, lower = last.systems or ("", "")
    return f"{count}; {name(upper)} and {name(lower)} take longest"


def prospect_title(prospect: Prospect) -> str:
    """Say what it takes to tell nine pairs of ten apart in a campaign that begins anew."""
    row = prospect.needed([0.9]).iloc[0]
    n = prospect.simulation.systems
    if not math.isfinite(row["needed"]):
        return f"{thousands(MOST)} judgments would not tell 90% of the pairs of {n} systems apart"
    judgments = thousands(round_up(row["needed"]))
    return f"{n} systems take about {judgments} judgments to tell 90% of the pairs apart"


def back_test_words(test: BackTest) -> str:
    """Say how often the outlook held on the campaign itself, and whether that is often enough."""
    held = f"{test.share_held} of {test.trials} times for the pairs told apart"
    if test.clusters_held == test.share_held:
        held += " and for the clusters"
    else:
        held += f" and {test.clusters_held} for the clusters"
    expected = f"{test.certainty * test.trials:.0f} are to be expected"
    sentence = f"Checked on this campaign: from a random fifth of its tasks the outlook held {held}"
    fewest = binom.ppf(0.01, test.trials, test.certainty)
    if min(test.share_held, test.clusters_held) < fewest:
        return f"{sentence}; {expected}, so take it with care."
    return f"{sentence}; {expected}."


def goals_of(plan: Plan, kind: GoalKind) -> tuple[Goal, ...]:
    """Return a plan's goals of one kind, in its order."""
    return tuple(goal for goal in plan.goals if goal.kind == kind)


def amount(number: float, most: float) -> str:
    """Write an amount to plan with; what is not reached is more than ``most``.

    >>> amount(2437, 9e5), amount(0, 9e5), amount(math.inf, 9e5)
    ('2\\u202f500', '0', 'more than 900\\u202f000')
    """
    if not math.isfinite(number):
        return f"more than {thousands(round_up(most))}"
    return thousands(round_up(number))


def amounts(low: float, high: float, most: float) -> str:
    """Write the interval of an amount to plan with.

    >>> amounts(90, 240, 9e5), amounts(90, math.inf, 9e5)
    ('90–240', '90 to more than 900\\u202f000')
    """
    joint = EN_DASH if math.isfinite(high) else " to "
    return f"{amount(low, most)}{joint}{amount(high, most)}"
