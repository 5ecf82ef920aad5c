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
        findings.append(f"{pair}: {judges_finding(table)}.{_without(table)}")
    shown = pd.concat(frames, ignore_index=True)
    first = ["lang_pair", "judge", "verdict"]
    emit(
        options,
        document,
        shown[[*first, *(name for name in shown.columns if name not in first)]],
        heading="\n".join(findings),
        notes=notes,
        least=("lang_pair", "inter_comparable", "intra_comparable", "left_share", "reason"),
    )


def _without(table: JudgeTable) -> str:
    """Say how to leave out the judges who need a check, in every command."""
    if not table.noticed:
        return ""
    (chosen,) = (f for f in SELECTION_FIELDS if f.name == "exclude_judges")
    return " Without them: " + " ".join(map(shlex.quote, chosen.arguments(table.noticed)))
