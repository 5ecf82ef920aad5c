"""``judges``: every judge's work, and who deserves a look."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

import pandas as pd

from analysis.campaign import SELECTION_FIELDS, Identical
from analysis.cli.options import (
    add_file,
    add_output,
    add_selection,
    chosen_pairs,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.findings.quality import quality_finding, quality_sentences
from analysis.judges.agreement import judged_once
from analysis.judges.judges import JudgeTable, judges, judges_finding
from analysis.judges.quality import quality_control

IDENTICAL = (
    "identical outputs: judged once (collapsed, the default here), or a tie among their systems "
    "in every judgment (expanded)"
)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    add_file(parser)
    add_selection(parser, identical=IDENTICAL)
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Describe the judges and print, a language pair after the other."""
    campaign, _ = read_campaign(options)
    document: list[dict[str, Any]] = []
    frames, notes = [], list[str]()
    for pair in chosen_pairs(campaign, options):
        identical: Identical = options.identical or "collapsed"
        judged = judged_once(campaign, pair, selection(options), identical=identical)
        table = judges(judged)
        frame = table.to_frame()
        answer: dict[str, Any] = {"lang_pair": pair}
        answer["quality"] = None
        quality = quality_control(campaign, pair)
        if quality is not None:
            answer["quality"] = quality.to_frame().to_dict(orient="records")
            said = [quality_finding(quality) + ".", *quality_sentences(quality)]
            notes += [f"{pair}: {words}" for words in said]
        document.append({**answer, "judges": frame.to_dict(orient="records")})
        frames.append(frame.assign(lang_pair=pair))
        notes += _verdict_notes(pair, table)
    shown = pd.concat(frames, ignore_index=True)
    columns = ["lang_pair", *(name for name in shown.columns if name != "lang_pair")]
    emit(
        options,
        document,
        shown[columns],
        notes=notes,
    )


def _verdict_notes(pair: str, table: JudgeTable) -> list[str]:
    """Say how many judges deserve a look, and how to leave these out of every command."""
    notes = [f"{pair}: {judges_finding(table)}."]
    if table.noticed:
        (chosen,) = (f for f in SELECTION_FIELDS if f.name == "exclude_judges")
        words = " ".join(map(shlex.quote, chosen.arguments(table.noticed)))
        notes.append(f"Without them: {words}")
    return notes
