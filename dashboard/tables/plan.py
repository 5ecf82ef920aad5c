"""Tables of a plan: for the screen with intervals in words, for export in numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.findings.planning import amount, amounts
from analysis.next_campaign.planning import HORIZON, Goal, Plan, round_up
from analysis.wording import EN_DASH, capital, percent, thousands

REACHED, OUT_OF_REACH = "reached", "out of reach"


def plan_table(plan: Plan, currency: str) -> pd.DataFrame:
    """Return a plan's goals in numbers, for export; inf is out of reach."""
    frame = plan.to_frame()
    per_task = plan.at_hand.judgments_per_task
    place = list(frame.columns).index("judgments")
    frame.insert(place + 1, "judgments_low", frame["tasks_low"] * per_task)
    frame.insert(place + 2, "judgments_high", frame["tasks_high"] * per_task)
    return frame.assign(currency=currency)


def plan_screen(plan: Plan, currency: str) -> pd.DataFrame:
    """Return the goals but the neighbors as they are read."""
    goals = [goal for goal in plan.goals if goal.kind != "neighbors"]
    frame = pd.DataFrame([_goal_row(plan, goal, currency) for goal in goals])
    return frame.drop(columns="money") if plan.cost.per_hour is None else frame


def _goal_row(plan: Plan, goal: Goal, currency: str) -> dict[str, str]:
    per_task, most = plan.at_hand.judgments_per_task, plan.at_hand.n_tasks * (HORIZON - 1.0)
    row = {
        "goal": capital(goal.label),
        "now": f"{goal.now:.0f}" if goal.kind in ("clusters", "tiers") else percent(goal.now),
    }
    if goal.reached or goal.likely <= 0:
        nothing = dict.fromkeys(("interval", "tasks", "hours", "money"), "")
        return row | {"judgments": REACHED} | nothing
    within = goal.within_reach
    return row | {
        "judgments": amount(goal.likely * per_task, most * per_task) if within else OUT_OF_REACH,
        "interval": amounts(goal.low * per_task, goal.high * per_task, most * per_task),
        "tasks": amount(goal.likely, most) if within else EN_DASH,
        "hours": rounded(plan.cost.hours(goal.likely)),
        "money": money(plan.cost.money(goal.likely), currency),
    }


def plan_columns(certainty: float) -> dict[str, Any]:
    """Return how the columns of `plan_screen` are shown."""
    return {
        "goal": st.column_config.TextColumn("Goal", width=190),
        "now": _right("Now"),
        "judgments": _right("More judgments", "Median estimate: as likely too many as too few"),
        "interval": _right(f"{percent(certainty)} interval", "Of the further judgments", 180),
        "tasks": _right("More tasks", "Ranking tasks like the present ones"),
        "hours": _right("Hours"),
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


def rounded(number: float) -> str:
    """Write hours to plan with; a dash where they are not known."""
    return thousands(round_up(number)) if math.isfinite(number) else EN_DASH


def money(number: float, currency: str) -> str:
    """Write a price to plan with, the currency as the user wrote it."""
    if not np.isfinite(number):
        return EN_DASH
    words = thousands(round_up(number))
    return f"{currency} {words}".strip()
