"""What a plan says, in words: whether to stop, what twice the judgments bring, who is equal."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.special import bdtr

from analysis.findings.standings import Name, number_word
from analysis.next_campaign.back_test import PART, BackTest
from analysis.next_campaign.evidence import FEWEST_TASKS
from analysis.next_campaign.goals import Goal, GoalKind
from analysis.next_campaign.planning import HORIZON, STEPS_PER_DOUBLING, Plan, round_up
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.covariance import Unit
from analysis.wording import EN_DASH, count, listed, percent, thousands

NEW: tuple[Unit, ...] = ("segment", "judge")


def _unit(plan: Plan, unit: Unit) -> str:
    """Return what a unit is called: a document stands in for the segment where documents count."""
    return plan.at_hand.source if unit == "segment" else unit


def _same(plan: Plan, unit: Unit) -> str:
    """Say "on the same 40 documents" or "by the same 5 judges"."""
    how = "by" if unit == "judge" else "on"
    return f"{how} the same {count(plan.at_hand.units[unit], _unit(plan, unit))}"


def advise(
    plan: Plan,
    with_price: bool = True,
    with_interval: bool = True,
    tested: BackTest | None = None,
    name: Name = str,
) -> str:
    """Say in one sentence whether to stop or to continue, with what it takes.

    To stop is advised only where the aim is reached by the judgments at hand. A forecast that its
    back-test refutes is not told. A price comes with the interval.
    """
    aim, counted = plan.aim, plan.at_hand.counted
    low, likely, high = plan.needs(aim)
    if aim.reached and plan.doubt is not None:
        wins = f"{name(plan.at_hand.systems[0])} wins"
        if plan.doubt.kind == "narrow-win":
            return f"{wins} narrowly: more {counted} would settle it"
        return f"{wins}, but not without one judge: check this judge's work first"
    if aim.reached:
        return f"The goal is reached: {_state(plan, name)}"
    if plan.n_groups > 1:
        return (
            f"First compare systems across groups: {number_word(plan.n_groups)} groups have never "
            f"met, and more {counted} like these will not separate them; now {_state(plan, name)}"
        )
    if is_refuted(plan, tested):
        return f"No reliable forecast: it failed its back-test; now {_now(plan)}"
    if plan.is_far:
        wanted = aim.label.removesuffix(" significant")
        lead = f"Now {_now(plan)}: {wanted}"
        if aim.kind == "winner":
            lead = "No winner yet: naming one"
        if not aim.within_reach:
            return f"{lead} will probably need {amount(likely, plan.most)} more {counted}"
        perhaps = "" if math.isfinite(high) else ", perhaps far more"
        return f"{lead} will need about {amount(likely, plan.most)} more {counted}{perhaps}"
    bottleneck = f" with new {_unit(plan, plan.bottleneck)}s" if plan.bottleneck in NEW else ""
    lead = f"Continue{bottleneck}"
    interval = f"{100 * plan.certainty:.3g}% interval {amounts(low, high, plan.most, '>')}"
    price = _price(plan) if with_price else ""
    details = f" ({interval}{price})" if with_interval else ""
    return (
        f"{lead}: expect about {amount(likely, plan.most)} more {counted}{details} until "
        f"{_until(aim)}; now {_now(plan)}"
    )


def growth_words(plan: Plan, tested: BackTest | None = None) -> str:
    """Say what comes with the tasks of the answer, and how many it takes without that.

    If the aim is reached, or far, say what is open and which goal is the nearest. Empty where there
    is nothing to add.
    """
    aim, counted = plan.aim, plan.at_hand.counted
    if is_refuted(plan, tested):
        return ""
    if aim.reached or plan.is_far:
        if plan.nearest is None or aim.kind != "winner":
            return ""
        adjacent = goals_of(plan, "neighbors")
        still_open = sum(not goal.reached for goal in adjacent)
        wanted, likely = number_word(int(plan.nearest.wanted)), plan.needs(plan.nearest)[1]
        return (
            f"{thousands(still_open)} of {count(len(adjacent), 'adjacent pair')} "
            f"{'is' if still_open == 1 else 'are'} not separated; reaching {wanted} tiers needs "
            f"about {amount(likely, math.inf)} more {counted}."
        )
    more = {unit: round_up(plan.more(unit, aim.likely)) for unit in NEW}
    coming = [count(n, f"more {_unit(plan, unit)}") for unit, n in more.items() if n]
    sentences = [f"This assumes {listed(coming)}."] if coming else []
    for unit, goal in plan.if_same.items():
        same = _same(plan, unit)
        if not goal.within_reach:
            many = f"{HORIZON} times as many {counted} {same}"
            sentences.append(f"Even {many} would probably not be enough.")
        elif goal.likely > 1.05 * aim.likely:
            needed = amount(plan.needs(goal)[1], plan.most)
            sentences.append(f"If all are {same}, expect about {needed} more {counted}.")
        elif more[unit]:
            sentences.append(f"About as many {counted} {same} would be enough.")
    return " ".join(sentences)


def band_words(plan: Plan) -> str:
    """Say why the forecast's interval begins below the present number; empty where it does not."""
    kind = counted_goal(plan)
    low = plan.curve()[f"{kind}_low"].to_numpy()
    if low.min() >= low[0]:
        return ""
    return (
        "The band falls below today's number, since a pair that is barely significant today may "
        "not stay so."
    )


def variance_words(plan: Plan) -> str:
    """Say what most of the variance of the open pairs comes from; empty where no pair is open."""
    parts = plan.outlook.parts
    if not any(parts.values()):
        return ""
    counted, source = plan.at_hand.counted, f"{plan.at_hand.source}s"
    names = {"task": counted, "segment": source, "judge": "judges"}
    most = max(parts, key=lambda unit: parts[unit])
    return (
        f"The number of {names[most]} is the largest source of uncertainty: "
        f"{percent(parts[most])} of the variance of the undecided pairs."
    )


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


def _state(plan: Plan, name: Name) -> str:
    if plan.aim.kind == "winner":
        reached = plan.aim.reached
        return f"{name(plan.at_hand.systems[0])} wins" if reached else "no winner is named"
    if plan.aim.kind == "clusters":
        number = int(plan.aim.now)
        return "there is 1 cluster" if number == 1 else f"there are {number} clusters"
    return f"{_now(plan)} pairs ({100 * plan.aim.now:.3g}%) differ significantly"


def _price(plan: Plan) -> str:
    tasks = tasks_shown(plan, plan.aim)
    hours, money = plan.cost.hours(tasks), plan.cost.money(tasks)
    words = f"; {count(math.ceil(hours), 'hour')}" if math.isfinite(hours) else ""
    return words + (f", at a cost of {thousands(math.ceil(money))}" if math.isfinite(money) else "")


def tasks_shown(plan: Plan, goal: Goal) -> float:
    """Return the tasks of a goal as they are written: hours and money follow from these."""
    if not goal.within_reach:
        return math.inf
    return round_up(plan.needs(goal)[1]) / plan.at_hand.in_units(1)


def outlook_title(plan: Plan) -> str:
    """Say what twice the judgments would bring, in the kind of what is aimed at."""
    kind = counted_goal(plan)
    now, twice = plan.curve()[kind].to_numpy()[[0, STEPS_PER_DOUBLING]]
    if kind != "share":
        number = count(round(float(twice)), kind.removesuffix("s"))
        return f"Twice the {plan.at_hand.counted}: about {number}, now {now:.0f}"
    pairs = f"about {percent(twice)} of the pairs differ significantly"
    return f"Twice the {plan.at_hand.counted}: {pairs}, now {percent(now)}"


def counted_goal(plan: Plan) -> Literal["share", "tiers", "clusters"]:
    """Return what the forecast of an aim counts by size; for a winner that is the tiers."""
    if plan.aim.kind == "clusters":
        return "clusters"
    return "share" if plan.aim.kind == "pairs" else "tiers"


def neighbors_title(plan: Plan, name: Name = str) -> str:
    """Say how many neighbors already differ significantly, and which take longest."""
    goals = goals_of(plan, "neighbors")
    if not goals:
        return "No adjacent pair is worth comparing further"
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
        alike = "one" if len(far) == 1 else thousands(len(far))
        return f"{count}; {alike} probably not even by {HORIZON} times the {plan.at_hand.counted}"
    last = max((goal for goal in goals if not goal.reached), key=lambda goal: goal.likely)
    upper, lower = last.systems or ("", "")
    return f"{count}; {name(upper)} and {name(lower)} need the most {plan.at_hand.counted}"


def neighbors_words(plan: Plan, tested: BackTest | None = None, name: Name = str) -> str:
    """Say why claims need fewer tasks than pairs, and whether pairs can be forecast."""
    goals, (winner,) = goals_of(plan, "neighbors"), goals_of(plan, "winner")
    still_open = [goal.systems for goal in goals if not goal.reached and goal.systems is not None]
    said = []
    if still_open:
        said.append(
            "Adjacent systems are tested with all pairs at once; a winner and cluster boundaries "
            f"have tests of their own, which need fewer {plan.at_hand.counted}."
        )
    if winner.reached and still_open and still_open[0][0] == plan.at_hand.systems[0]:
        best, second = map(name, still_open[0])
        said.append(f"So {best} wins, though among all pairs {second} is not separated from it.")
    if tested is not None and "share" in failed(tested):
        said.append("The forecast of pairs failed its back-test: take these numbers as rough.")
    return " ".join(said)


def is_refuted(plan: Plan, tested: BackTest | None) -> bool:
    """Return whether a back-test refutes the forecast of the aim; a winner's is that of tiers."""
    kind = "share" if plan.aim.kind == "pairs" else "tiers"
    return tested is not None and kind in failed(tested)


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
    if not test.is_telling:
        return (
            "Back-test: no two systems differ significantly yet, so this campaign cannot show "
            "whether the forecast is right."
        )
    expected = f"{test.certainty * test.trials:.0f} expected"
    names = {"share": "significant pairs", "tiers": "tiers"}
    poor = [names[what] for what in failed(test)]
    warning = f"Do not rely on the forecast of the {' or of the '.join(poor)}. " if poor else ""
    return (
        f"{warning}Back-test: forecasting from a random fifth of the campaign, the number of "
        f"significant pairs lay within its {test.certainty:.0%} interval in {test.share_held} of "
        f"{test.trials} trials, and that of tiers in {test.tiers_held} of {test.trials} "
        f"({expected})."
    )


def now_words(goal: Goal, doubt: Finding | None = None) -> str:
    """Say how a goal stands: a share, a number, or whether a claim is significant already.

    ``doubt`` is that of the winner.
    """
    if goal.kind == "pairs":
        return percent(goal.now)
    if goal.kind == "winner" and goal.reached and doubt is not None:
        return "narrowly" if doubt.kind == "narrow-win" else "with one judge"
    return f"{goal.now:.0f}" if goal.wanted > 1 else ("yes" if goal.reached else "no")


def goals_of(plan: Plan, kind: GoalKind) -> tuple[Goal, ...]:
    """Return a plan's goals of one kind, in its order."""
    return tuple(goal for goal in plan.goals if goal.kind == kind)


def amount(number: float, most: float, over: str = "more than ") -> str:
    """Write an amount to plan with; what is not reached is more than ``most``, or ``over`` it.

    >>> amount(2437, 9e5), amount(0, 9e5), amount(math.inf, 9e5)
    ('2,500', '0', 'more than 900,000')
    """
    if not math.isfinite(number):
        return f"{over}{thousands(round_up(most))}"
    return thousands(round_up(number))


def amounts(low: float, high: float, most: float, over: str = "more than ") -> str:
    """Write the interval of an amount to plan with.

    >>> amounts(90, 240, 9e5), amounts(90, math.inf, 9e5), amounts(math.inf, math.inf, 9e5)
    ('90–240', '90 to more than 900,000', 'more than 900,000')
    """
    if not math.isfinite(low):
        return amount(low, most, over)
    joint = EN_DASH if math.isfinite(high) else " to "
    return f"{amount(low, most)}{joint}{amount(high, most, over)}"
