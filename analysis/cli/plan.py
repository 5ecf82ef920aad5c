"""``plan``: how many more tasks, at what cost, and whether to stop.

Without a file: what a campaign that has not begun will show, and its first tasks.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
from typing import Any

import pandas as pd

from analysis.cli import flags
from analysis.cli.flags import whole_number
from analysis.cli.options import chosen_ranker, only, progress_bar, read_campaign, read_judgments
from analysis.cli.output import emit, new_file, warn, write_whole
from analysis.errors import PodiumError
from analysis.findings.design import design_sentences, prospect_finding
from analysis.findings.overview import caution_words
from analysis.findings.planning import (
    advise,
    amount,
    back_test_words,
    growth_words,
    neighbors_words,
    now_words,
    variance_words,
)
from analysis.next_campaign.back_test import BackTest, back_test
from analysis.next_campaign.design import (
    TYPICAL,
    Components,
    Prospect,
    components_of,
    design,
    first_tasks,
    foresee,
)
from analysis.next_campaign.goals import Goal
from analysis.next_campaign.outlook import Limits
from analysis.next_campaign.planning import HORIZON, Cost, Plan, plan
from analysis.ranking.interim_looks import level_at_look
from analysis.ranking.result_checks import doubt_of_winner
from analysis.ranking.verdict import reach_verdict
from analysis.wording import listed, thousands

EXAMPLE = "podium plan --effect 0.05 --judges 10 --segments 200"


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser, optional=True)
    aim = parser.add_mutually_exclusive_group()
    aim.add_argument(
        "--share",
        type=float,
        help="goal: this share of the pairs significantly different (default: a winner)",
    )
    aim.add_argument("--clusters", type=int, help="goal: this many clusters")
    parser.add_argument(
        "--new-segments",
        type=flags.whole_number,
        metavar="N",
        help="most new segments; further tasks share them (default: they grow with the tasks)",
    )
    parser.add_argument(
        "--new-judges",
        type=flags.whole_number,
        metavar="N",
        help="most new judges; further tasks share them (default: they grow with the tasks)",
    )
    parser.add_argument(
        "--minutes-per-task",
        type=float,
        metavar="MINUTES",
        help="a judge's time per task (default: the campaign's own median if the file has times)",
    )
    parser.add_argument(
        "--cost-per-hour", type=float, metavar="COST", help="price of one hour of a judge"
    )
    flags.add_level(parser, "tests")
    flags.add_scope(parser)
    flags.add_look(parser)
    parser.add_argument(
        "--certainty", type=float, default=0.9, help="level of the answer's intervals (default 0.9)"
    )
    flags.add_selection(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)
    add_design(parser)


def run(options: argparse.Namespace) -> None:
    """Plan and print; without a file, foresee a campaign that has not begun."""
    of_campaigns = ("share", "clusters", "new_segments", "new_judges", "look")
    only(options, "with a FILE", options.files, *of_campaigns)
    if not options.files:
        run_design(options)
        return
    of_designs = (name for name in vars(options) if name.startswith("design_"))
    only(options, "without a FILE", False, "effect", "like", "hours", "output", *of_designs)
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    level = level_at_look(options.level, options.look)
    with progress_bar("Ranking") as progress:
        fit = ranker.fit(judgments, options.seed)
        verdict = reach_verdict(fit, level=level, scope=options.scope, progress=progress)
    with progress_bar("Computing the forecast") as progress:
        result = plan(
            judgments,
            verdict,
            share=options.share,
            clusters=options.clusters,
            limits=Limits.of_new(verdict, options.new_segments, options.new_judges),
            cost=Cost(options.minutes_per_task, options.cost_per_hour),
            certainty=options.certainty,
            seed=options.seed,
            doubt=doubt_of_winner(fit, verdict),
            progress=progress,
        )
    with progress_bar("Checking the forecast") as progress:
        tested = back_test(
            judgments,
            verdict,
            ranker,
            certainty=options.certainty,
            seed=options.seed,
            progress=progress,
        )
    frame = _columns_with_something(result)
    tasks = "votes" if result.at_hand.counted == "votes" else "tasks"
    notes = [
        caution_words(result.doubt),
        growth_words(result, tested),
        f"Further {tasks}, with their {result.certainty:.0%} interval, rounded; >: more than "
        f"{HORIZON} times the {thousands(result.at_hand.n_tasks)} {tasks} at hand in all.",
        neighbors_words(result, tested),
        variance_words(result),
        back_test_words(tested) if tested else "",
        *result.notes,
    ]
    emit(
        options,
        plan_document(result, tested, verdict.signature),
        frame.replace(math.inf, math.nan)
        if options.csv or options.latex
        else _rounded(result, frame),
        heading=f"{advise(result, tested=tested)}.",
        notes=[note for note in notes if note],
        decimals=2,
        signature=verdict.signature,
        first=("goal", "now", tasks, f"{tasks}_low", f"{tasks}_high", "hours", "money"),
    )


def _columns_with_something(result: Plan) -> pd.DataFrame:
    """Return the table without hours and costs that are not known."""
    frame = result.to_frame()
    if result.cost.minutes_per_task is None:
        frame = frame.drop(columns=["hours", "money"])
    elif result.cost.per_hour is None:
        frame = frame.drop(columns="money")
    if result.at_hand.counted == "ratings":
        frame = frame.rename(columns={"judgments": "ratings"})
    return frame


def _rounded(result: Plan, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table for people: numbers as certain as they are, and what is out of reach."""
    at_hand = result.at_hand
    whole, per_task = (HORIZON - 1) * at_hand.n_tasks, at_hand.judgments_per_task
    of_tasks = dict.fromkeys(("tasks", "tasks_low", "tasks_high"), whole)
    of_judgments = dict.fromkeys(("judgments", "ratings"), whole * per_task)
    shown = frame.assign(now=[now_words(goal, result.doubt) for goal in result.goals])
    priced = {"hours": result.cost.hours(whole), "money": result.cost.money(whole)}
    for name, most in (of_tasks | of_judgments | priced).items():
        if name in frame:
            cells = [amount(n, most, ">") for n in frame[name]]
            shown[name] = [cell.rjust(max(map(len, [name, *cells]))) for cell in cells]
    if at_hand.counted == "votes":
        shown = shown.drop(columns="judgments")
        shown.columns = shown.columns.str.replace("tasks", "votes")
    return shown


def plan_document(result: Plan, tested: BackTest | None, signature: str) -> dict[str, Any]:
    """Return a plan as the contract of the command line has it; null is out of reach."""
    at_hand, limits = result.at_hand, result.outlook.limits
    return {
        "lang_pair": result.pair,
        "signature": signature,
        "stop": result.stop,
        "advice": f"{advise(result, tested=tested)}.",
        "bottleneck": result.bottleneck,
        "largest_source": max(result.outlook.parts, key=lambda one: result.outlook.parts[one]),
        "tasks": at_hand.n_tasks,
        "judgments": at_hand.n_judgments,
        "counted": at_hand.counted,
        "units": at_hand.units,
        "variance_from": result.outlook.parts,
        "segments_at_most": limits.segments,
        "judges_at_most": limits.judges,
        "level": result.outlook.level,
        "certainty": result.certainty,
        "minutes_per_task": result.cost.minutes_per_task,
        "cost_per_hour": result.cost.per_hour,
        "aim": _goal_document(result, result.aim),
        "aim_without_new": {u: _goal_document(result, g) for u, g in result.if_same.items()},
        "goals": [_goal_document(result, goal) for goal in result.goals],
        "curve": result.curve().to_dict("records"),
        "back_test": None if tested is None else dataclasses.asdict(tested),
        "notes": list(result.notes),
    }


def _goal_document(result: Plan, goal: Goal) -> dict[str, Any]:
    return {
        **{"goal" if k == "label" else k: v for k, v in dataclasses.asdict(goal).items()},
        "reached": goal.reached,
        "judgments": goal.likely * result.at_hand.judgments_per_task,
        "segments": result.more("segment", goal.likely),
        "judges": result.more("judge", goal.likely),
        "hours": result.cost.hours(goal.likely),
        "money": result.cost.money(goal.likely),
    }


def add_design(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of a campaign that has not begun; --judges and --segments are numbers."""
    own = parser.add_argument_group(
        "a campaign that has not begun",
        "without a FILE; --judges and --segments give their numbers",
    )
    own.add_argument(
        "--effect", type=float, metavar="D",
        help=(
            "expected difference of adjacent systems: the better one wins 50%% + D of their "
            "decided comparisons (0.05: 55%%); in points if --like gives scores"
        ),
    )  # fmt: skip
    own.add_argument(
        "--like", metavar="FILE",
        help="systems, judges and segments differ as in this campaign (a sample or a file)",
    )  # fmt: skip
    for flag, metavar, words in (
        ("--documents", "N", "number of documents that the segments come from"),
        ("--systems", "K", "number of systems (default 8, or as in --like)"),
        ("--outputs", "M", "outputs per task (default 5)"),
        ("--tasks", "N", "ranking tasks in all (default: each output is judged once)"),
    ):
        own.add_argument(
            flag, type=whole_number, metavar=metavar, dest="design_" + flag[2:], help=words
        )
    own.add_argument("--hours", type=float, metavar="H", help="total hours of all judges")
    own.add_argument("-o", "--output", metavar="OUT.csv", help="write the first tasks here")


def _check_given(options: argparse.Namespace) -> None:
    """Refuse a command line without FILE that lacks a number; name all that are missing."""
    given = {
        "--effect": options.effect is not None or options.like is not None,
        "--judges": bool(options.judges),
        "--segments": bool(options.segments),
    }
    missing = [flag for flag, is_given in given.items() if not is_given]
    if len(missing) == len(given):
        raise PodiumError("FILE", "a file is missing", f"For a new campaign: {EXAMPLE}.")
    if missing:
        raise PodiumError("FILE", f"without it, {listed(missing)} must be given", EXAMPLE + ".")


def _number(options: argparse.Namespace, name: str) -> int:
    """Return how many judges or segments there will be, from the flag that elsewhere names some."""
    text = str(getattr(options, name))
    if not text.isdecimal():
        raise PodiumError(f"--{name}", f"{text!r} is not a number", f"For example: {EXAMPLE}.")
    return int(text)


def run_design(options: argparse.Namespace) -> None:
    """Foresee and print; write the tasks to start with where a file is named."""
    _check_given(options)
    components, systems = _like(options)
    if options.hours is not None and not (math.isfinite(options.hours) and options.hours > 0):
        raise PodiumError("--hours", f"{options.hours:g} is not an amount", "Use 40, for example.")
    planned = design(
        effect=options.effect,
        judges=_number(options, "judges"),
        segments=_number(options, "segments"),
        documents=options.design_documents,
        systems=options.design_systems or systems,
        outputs=options.design_outputs or 5,
        tasks=options.design_tasks,
        hours=options.hours,
        minutes_per_task=options.minutes_per_task,
        components=components,
    )
    prospect = foresee(planned, components, level=options.level, seed=options.seed)
    if options.output is not None:
        batch = first_tasks(planned, options.seed)
        write_whole(new_file(options.output, force=True), batch.to_csv())
        warn([f"Wrote {len(batch)} tasks to {options.output}."])
    document = design_document(
        prospect, options.minutes_per_task, options.cost_per_hour, options.output
    )
    emit(
        options,
        document,
        prospect.curve,
        heading=f"{prospect_finding(prospect)}.",
        notes=design_sentences(prospect, options.minutes_per_task, options.cost_per_hour),
        decimals=2,
        signature=document["signature"],
    )


def _like(options: argparse.Namespace) -> tuple[Components, int]:
    """Return the components, and how many systems there are, of the campaign named by --like."""
    if options.like is None:
        return TYPICAL, 8
    options.files = [options.like]
    campaign, _ = read_campaign(options)
    judgments = campaign.judgments(options.pair)
    ranker = chosen_ranker(options, campaign)
    verdict = reach_verdict(ranker.fit(judgments, options.seed), level=options.level)
    if ranker.name not in ("bradley-terry", "mean"):
        raise PodiumError(
            "--like", f"{ranker.title} has no scale of log-odds or points", "Use bradley-terry."
        )
    return components_of(judgments, verdict, f"{options.like}, {judgments.pair}"), len(
        verdict.systems
    )


def design_document(
    prospect: Prospect,
    minutes_per_task: float | None,
    per_hour: float | None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return what a design promises as the contract of the command line has it."""
    planned, cost = prospect.design, prospect.cost(minutes_per_task, per_hour)
    likely, low, high = prospect.tiers_interval()
    share_low, share_high = prospect.share_interval()
    return {
        "schema": 1,
        "signature": prospect.signature,
        **dataclasses.asdict(planned),
        "judgments": prospect.judgments,
        "level": prospect.level,
        "power": prospect.power,
        "share": {"mean": float(prospect.share.mean()), "low": share_low, "high": share_high},
        "tiers": {"likely": likely, "low": low, "high": high},
        "winner": prospect.winner,
        "winner_is_best": prospect.right_winner,
        "tasks_for_power_80": prospect.needed,
        "se": prospect.se,
        "freedom": prospect.freedom,
        "minutes_per_task": cost.minutes_per_task,
        "hours": cost.hours(planned.tasks),
        "cost": cost.money(planned.tasks),
        "components": dataclasses.asdict(prospect.components),
        "curve": prospect.curve.to_dict("records"),
        "assignment": output,
    }
