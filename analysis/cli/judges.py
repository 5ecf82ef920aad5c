"""``judges``: every judge's work, and who deserves a look."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

import pandas as pd

from analysis.campaign import SELECTION_FIELDS, Identical
from analysis.cli import flags
from analysis.cli.options import chosen_pairs, read_campaign, selection
from analysis.cli.output import emit
from analysis.errors import UndefinedResultError
from analysis.findings.judges import judges_finding, quality_finding, quality_sentences
from analysis.judges.agreement import judged_once
from analysis.judges.judge_table import JudgeTable, judges
from analysis.judges.judge_verdicts import QUIET, quality_control
from analysis.wording import listed

LEGEND = {
    "inter, intra": "κ with other judges, and with the judge's own earlier answers.",
    "accuracy": "share of decided comparisons that follow the order by all other judges.",
    "left_share": "share of decided comparisons that prefer the output shown first.",
}
MOST_NAMED = 6
"""Judges who need a check and are named with the reason above the table."""

IDENTICAL = (
    "identical outputs: judged once (collapsed, the default here), or a tie among their systems "
    "in every judgment (expanded)"
)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    flags.add_selection(parser, identical=IDENTICAL)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Describe the judges and print, a language pair after the other."""
    campaign, _ = read_campaign(options)
    document: list[dict[str, Any]] = []
    frames, notes, findings = [], list[str](), list[str]()
    for pair in chosen_pairs(campaign, options):
        identical: Identical = options.identical or "collapsed"
        judged = judged_once(campaign, pair, selection(options), identical=identical)
        if judged.n_judges is None:
            raise UndefinedResultError(
                "Judges", "the file names no judges", "Add a column with the judge of each row."
            )
        table = judges(judged)
        frame = table.to_frame()
        quality = quality_control(campaign, pair)
        checks = None if quality is None else quality.to_frame().to_dict(orient="records")
        if quality is not None:
            said = [quality_finding(quality) + ".", *quality_sentences(quality)]
            notes += [f"{pair}: {words}" for words in said]
        document.append(
            {"lang_pair": pair, "quality": checks, "judges": frame.to_dict(orient="records")}
        )
        is_quiet = frame["verdict"].isin(QUIET)
        frame = pd.concat([frame[~is_quiet], frame[is_quiet]])
        frames.append(frame.assign(lang_pair=pair))
        findings += [f"{pair}: {judges_finding(table)}.", *_noticed(table, options.files)]
    shown = pd.concat(frames, ignore_index=True)
    first = ["lang_pair", "judge", "verdict"]
    if not options.csv:
        shown = shown.drop(columns="flags")  # the reason says the same in words
    emit(
        options,
        document,
        shown[[*first, *(name for name in shown.columns if name not in first)]],
        heading="\n".join(findings),
        notes=notes,
        first=("lang_pair", "judge", "verdict", "tasks", "judgments", "accuracy", "inter", "intra"),
        legend=LEGEND,
    )


def _noticed(table: JudgeTable, files: list[str]) -> list[str]:
    """Say why judges need a check, and how to rank without them."""
    if not table.noticed:
        return []
    both = [
        f"{judge} {verdict.name}: {verdict.reason}"
        for judge, verdict in zip(table.judges, table.verdicts, strict=True)
        if judge in table.noticed
    ]
    (chosen,) = (f for f in SELECTION_FIELDS if f.name == "exclude_judges")
    command = shlex.join(["podium", "rank", *files, *chosen.arguments(table.noticed)])
    return [*both[:MOST_NAMED], f"Without {listed(table.noticed, most=3)}: {command}"]
