"""``judges``: every judge's work, and who deserves a look."""

from __future__ import annotations

import argparse

import pandas as pd

from analysis.campaign import Identical
from analysis.cli.options import (
    add_file,
    add_output,
    add_selection,
    chosen_pairs,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.judges.agreement import judged_once
from analysis.judges.judges import FLAGS, judges

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
    document, frames, raised = [], [], set()
    for pair in chosen_pairs(campaign, options):
        identical: Identical = options.identical or "collapsed"
        judged = judged_once(campaign, pair, selection(options), identical=identical)
        table = judges(judged)
        frame = table.to_frame()
        document.append({"pair": pair, "judges": frame.to_dict(orient="records")})
        frames.append(frame.assign(pair=pair))
        raised |= {flag for flags in table.flags for flag in flags}
    shown = pd.concat(frames, ignore_index=True)
    columns = ["pair", *(name for name in shown.columns if name != "pair")]
    emit(
        options,
        document,
        shown[columns],
        notes=[f"{flag}: {FLAGS[flag]}" for flag in FLAGS if flag in raised],
    )
