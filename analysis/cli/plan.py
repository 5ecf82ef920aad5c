"""``plan``: how many more tasks, at what cost, and whether to stop."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from analysis.cli.options import (
    add_file,
    add_output,
    add_selection,
    progress_bar,
    read_judgments,
)
from analysis.cli.output import emit
from analysis.findings.planning import advise, back_test_words
from analysis.next_campaign.back_test import BackTest, back_test
from analysis.next_campaign.planning import HORIZON, Cost, Goal, Plan, plan


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    add_file(parser)
    aim = parser.add_mutually_exclusive_group()
    aim.add_argument(
        "--share", type=float, default=0.9, help="aim: this share of the pairs told apart (.9)"
    )
    aim.add_argument("--clusters", type=int, help="aim: this many clusters")
    parser.add_argument(
        "--minutes-per-task",
        type=float,
        metavar="MINUTES",
        help="a judge's time for a task; the campaign's own median where the file has times",
    )
    parser.add_argument(
        "--cost-per-hour", type=float, metavar="COST", help="price of a judge's hour"
    )
    parser.add_argument("--level", type=float, default=0.95, help="level of telling apart (.95)")
    parser.add_argument(
        "--certainty", type=float, default=0.9, help="how sure the intervals of the answer are (.9)"
    )
    add_selection(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Plan and print."""
    judgments = read_judgments(options)
    sure = {"level": options.level, "certainty": options.certainty, "seed": options.seed}
    with progress_bar("Looking ahead") as progress:
        result = plan(
            judgments,
            share=options.share,
            clusters=options.clusters,
            cost=Cost(options.minutes_per_task, options.cost_per_hour),
            progress=progress,
            **sure,
        )
    with progress_bar("Checking the outlook") as progress:
        tested = back_test(judgments, progress=progress, **sure)
    evidence = result.evidence
    frame = result.to_frame()
    if result.cost.minutes_per_task is None:
        frame = frame.drop(columns=["hours", "money"])
    elif result.cost.per_hour is None:
        frame = frame.drop(columns="money")
    emit(
        options,
        plan_document(result, tested),
        frame,
        heading=advise(result),
        notes=[
            f"Further tasks, with their {result.certainty:.0%} interval; inf: not within "
            f"{HORIZON} times the tasks at hand.",
            f"{evidence.n_tasks} tasks so far; the pairs of one task count as "
            f"{1 / evidence.design_effect:.0%} of as many independent judgments.",
            *([back_test_words(tested)] if tested else []),
            *result.notes,
        ],
        decimals=2,
    )


def plan_document(result: Plan, tested: BackTest | None) -> dict[str, Any]:
    """Return a plan as the contract of the command line has it; null is out of reach."""
    evidence = result.evidence
    return {
        "pair": result.pair,
        "stop": result.stop,
        "advice": advise(result),
        "tasks": evidence.n_tasks,
        "judgments": evidence.n_judgments,
        "design_effect": evidence.design_effect,
        "spread": evidence.spread,
        "level": result.outlook.level,
        "certainty": result.certainty,
        "minutes_per_task": result.cost.minutes_per_task,
        "cost_per_hour": result.cost.per_hour,
        "aim": _goal_document(result, result.aim),
        "goals": [_goal_document(result, goal) for goal in result.goals],
        "curve": result.curve().to_dict("records"),
        "back_test": None if tested is None else dataclasses.asdict(tested),
        "notes": list(result.notes),
    }


def _goal_document(result: Plan, goal: Goal) -> dict[str, Any]:
    return {
        **{"goal" if k == "label" else k: v for k, v in dataclasses.asdict(goal).items()},
        "reached": goal.reached,
        "judgments": goal.likely * result.evidence.judgments_per_task,
        "hours": result.cost.hours(goal.likely),
        "money": result.cost.money(goal.likely),
    }
