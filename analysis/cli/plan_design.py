"""``plan`` without a file: what a campaign that has not begun will show, and its first tasks."""

from __future__ import annotations

import argparse
import dataclasses
import math
from typing import Any

from analysis.cli.flags import whole_number
from analysis.cli.options import chosen_ranker, read_campaign
from analysis.cli.output import emit, new_file, warn, write_whole
from analysis.errors import PodiumError
from analysis.findings.design import design_sentences, prospect_finding
from analysis.next_campaign.design import (
    TYPICAL,
    Components,
    Prospect,
    components_of,
    design,
    first_tasks,
    foresee,
)
from analysis.ranking.verdict import reach_verdict
from analysis.wording import listed

EXAMPLE = "podium plan --effect 0.05 --judges 10 --segments 200"


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
