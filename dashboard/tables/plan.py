"""Tables of a plan: for the screen with intervals in words, for export in numbers."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import streamlit as st

from analysis.findings.planning import (
    amount,
    amounts,
    failed,
    goals_of,
    now_words,
    tasks_shown,
)
from analysis.findings.standings import Name
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.goals import Goal
from analysis.next_campaign.planning import Plan
from analysis.provenance import Provenance
from analysis.ranking.verdict import Verdict
from analysis.wording import EN_DASH, capital, percent, thousands

REACHED, OUT_OF_REACH, NOT_RELIABLE = "reached", "out of reach", "not reliable"


def plan_table(plan: Plan) -> pd.DataFrame:
    """Return a plan's goals in numbers, for export; inf is out of reach."""
    frame = plan.to_frame()
    per_task = plan.at_hand.judgments_per_task
    place = list(frame.columns).index("judgments")
    frame.insert(place + 1, "judgments_low", frame["tasks_low"] * per_task)
    frame.insert(place + 2, "judgments_high", frame["tasks_high"] * per_task)
    return frame


def plan_signature(plan: Plan, verdict: Verdict, seed: int) -> str:
    """Return what makes the plan's numbers again."""
    cost, limits = plan.cost, plan.outlook.limits
    planned = Provenance(
        extra=(
            ("aim", plan.aim.label),
            *((f"{name}-at-most", n) for name, n in vars(limits).items() if math.isfinite(n)),
            ("minutes-per-task", cost.minutes_per_task),
            ("cost-per-hour", cost.per_hour),
            ("certainty", plan.certainty),
        ),
        seed=seed,
    )
    return str(verdict.provenance | planned)


def plan_screen(plan: Plan, tested: BackTest | None = None) -> pd.DataFrame:
    """Return the goals but the neighbors as they are read; without what a back-test refutes."""
    refuted = [] if tested is None else failed(tested)
    goals = [goal for goal in plan.goals if goal.kind != "neighbors"]
    rows = [
        _goal_row(plan, goal, ("share" if goal.kind == "pairs" else "tiers") in refuted)
        for goal in goals
    ]
    frame = pd.DataFrame(rows)
    unknown = [
        column
        for column, price in (("hours", plan.cost.minutes_per_task), ("money", plan.cost.per_hour))
        if price is None
    ]
    return frame.drop(columns=unknown)


def _goal_row(plan: Plan, goal: Goal, is_refuted: bool) -> dict[str, str]:
    row = {"goal": capital(goal.label), "now": now_words(goal, plan.doubt)}
    if goal.reached or goal.likely <= 0 or is_refuted:
        said = REACHED if goal.reached or goal.likely <= 0 else NOT_RELIABLE
        if goal.kind == "winner" and plan.doubt is not None:
            said = ""
        return row | {"more": said} | dict.fromkeys(("interval", "hours", "money"), "")
    low, likely, high = plan.needs(goal)
    tasks = tasks_shown(plan, goal)
    return row | {
        "more": amount(likely, plan.most) if goal.within_reach else OUT_OF_REACH,
        "interval": amounts(low, high, plan.most),
        "hours": whole(plan.cost.hours(tasks)),
        "money": whole(plan.cost.money(tasks)),
    }


def neighbors_screen(plan: Plan, name: Name = str) -> pd.DataFrame:
    """Return the adjacent pairs as they are read, best first."""
    rows = [
        _goal_row(plan, goal, is_refuted=False)
        | {"goal": " · ".join(map(name, goal.systems or ()))}
        for goal in goals_of(plan, "neighbors")
    ]
    return (
        pd.DataFrame(rows)
        .drop(columns=["hours", "money"])
        .rename(columns={"goal": "pair", "now": "differ"})
    )


def plan_columns(plan: Plan) -> dict[str, Any]:
    """Return how the columns of `plan_screen` are shown."""
    return {
        "goal": st.column_config.TextColumn("Goal", width=190),
        "pair": st.column_config.TextColumn("Adjacent pair", width=300),
        "now": _right("Now"),
        "differ": _right("Significant now"),
        "more": _right(
            f"More {plan.at_hand.counted}",
            "Median estimate: as likely too many as too few. They resemble the present ones.",
        ),
        "interval": _right(f"{percent(plan.certainty)} interval", None, 180),
        "hours": _right(f"Hours, {plan.cost.minutes_per_task or 0:.1f} min each"),
        "money": _right("Cost"),
    }


def _right(title: str, words: str | None = None, width: int | None = None) -> Any:
    return st.column_config.TextColumn(title, help=words, alignment="right", width=width)


def neighbors_table(plan: Plan) -> pd.DataFrame:
    """Return for every two neighbors the further tasks and judgments, for export."""
    per_task = plan.at_hand.judgments_per_task
    rows = [
        {
            "upper": (goal.systems or ("", ""))[0],
            "lower": (goal.systems or ("", ""))[1],
            "told_apart": goal.reached,
            "judgments": goal.likely * per_task,
            "judgments_low": goal.low * per_task,
            "judgments_high": goal.high * per_task,
            "tasks": goal.likely,
        }
        for goal in plan.goals
        if goal.kind == "neighbors"
    ]
    return pd.DataFrame(rows)


def whole(number: float) -> str:
    """Write hours or costs of a rounded number of tasks; a dash if they are unknown."""
    return thousands(math.ceil(number)) if math.isfinite(number) else EN_DASH
