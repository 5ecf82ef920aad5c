"""``judges``: every judge's work, and who deserves a look."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

import pandas as pd

from analysis.campaign import SELECTION_FIELDS, Campaign, Identical
from analysis.cli.options import (
    add_file,
    add_hyperparameters,
    add_output,
    add_selection,
    chosen_pairs,
    parameterized,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.findings.items import below_words
from analysis.findings.quality import quality_finding, quality_sentences
from analysis.findings.traits import shrinkage_words, traits_sentences
from analysis.judges.agreement import judged_once
from analysis.judges.judges import FLAGS, judges
from analysis.judges.quality import quality_control
from analysis.rankers.graded_response import GradedResponse, Sensitivities
from analysis.rankers.judge_aware import JudgeAware

IDENTICAL = (
    "identical outputs: judged once (collapsed, the default here), or a tie among their systems "
    "in every judgment (expanded)"
)

TRAITS = {
    "sensitivity": "sensitivity_bt",
    "sensitivity_sd": "sensitivity_bt_sd",
    "prefers_first": "prefers_first",
    "prefers_first_low": "prefers_first_low",
    "prefers_first_high": "prefers_first_high",
    "tying": "tying",
    "shrinkage": "shrinkage",
}
"""What judge-aware Bradley–Terry says of a judge, and the names it goes by here."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    add_file(parser)
    add_selection(parser, identical=IDENTICAL)
    parser.add_argument(
        "--below",
        type=float,
        metavar="A",
        help="name the judges of a sensitivity below A, and how to leave them out",
    )
    add_output(parser)
    add_hyperparameters(parser, GradedResponse)


def run(options: argparse.Namespace) -> None:
    """Describe the judges and print, a language pair after the other."""
    campaign, _ = read_campaign(options)
    document: list[dict[str, Any]] = []
    frames, raised, notes = [], set[str](), list[str]()
    for pair in chosen_pairs(campaign, options):
        identical: Identical = options.identical or "collapsed"
        judged = judged_once(campaign, pair, selection(options), identical=identical)
        table = judges(judged)
        frame = table.to_frame()
        answer: dict[str, Any] = {"pair": pair, "baseline": None}
        frame["sensitivity"] = float("nan")
        try:
            baseline, found = _sensitivities(campaign, pair, options)
        except PodiumError as error:
            notes.append(f"{pair}: no sensitivities: {error}")
        else:
            answer["baseline"] = baseline
            frame["sensitivity"] = frame["judge"].map(
                dict(zip(found.judges, found.sensitivity, strict=True))
            )
            if options.below is not None:
                below = found.below(options.below)
                answer["below"] = below
                notes += [f"{pair}: {below_words(found, options.below)}", *_leaving_out(below)]
        frame, about = _with_traits(frame, campaign, pair, options)
        notes += [f"{pair}: {words}" for words in about]
        answer["quality"] = None
        quality = quality_control(campaign, pair)
        if quality is not None:
            answer["quality"] = quality.to_frame().to_dict(orient="records")
            said = [quality_finding(quality) + ".", *quality_sentences(quality)]
            notes += [f"{pair}: {words}" for words in said]
        document.append({**answer, "judges": frame.to_dict(orient="records")})
        frames.append(frame.assign(pair=pair))
        raised |= {flag for flags in table.flags for flag in flags}
    shown = pd.concat(frames, ignore_index=True)
    columns = ["pair", *(name for name in shown.columns if name != "pair")]
    emit(
        options,
        document,
        shown[columns],
        notes=[*notes, *(f"{flag}: {FLAGS[flag]}" for flag in FLAGS if flag in raised)],
    )


def _with_traits(
    frame: pd.DataFrame, campaign: Campaign, pair: str, options: argparse.Namespace
) -> tuple[pd.DataFrame, list[str]]:
    """Add what judge-aware Bradley–Terry says of each judge; return what is to be said of it.

    It is about sides of the display, which scores do not tell.
    """
    if campaign.scores is not None:
        return frame.reindex(columns=[*frame.columns, *TRAITS.values()]), []
    try:
        fit = JudgeAware().fit(campaign.judgments(pair, selection(options)), options.seed)
    except PodiumError as error:
        return frame.reindex(columns=[*frame.columns, *TRAITS.values()]), [f"no traits: {error}"]
    traits = fit.traits()
    renamed = traits[["judge", *TRAITS]].rename(columns=TRAITS)
    said = [*traits_sentences(traits), shrinkage_words(traits)]
    return frame.merge(renamed, on="judge", how="left"), said


def _sensitivities(
    campaign: Campaign, pair: str, options: argparse.Namespace
) -> tuple[str, Sensitivities]:
    """Return the graded response model's baseline and what it says of the judges."""
    ranker = parameterized(options, GradedResponse)
    assert isinstance(ranker, GradedResponse)
    fit = ranker.fit(campaign.judgments(pair, selection(options)), options.seed)
    return fit.baseline, fit.sensitivities()


def _leaving_out(judges: tuple[str, ...]) -> list[str]:
    """Return how to go on without some judges, as flags of every command."""
    (chosen,) = (f for f in SELECTION_FIELDS if f.name == "exclude_judges")
    words = " ".join(map(shlex.quote, chosen.arguments(judges)))
    return [f"Without them: {words}"] if judges else []
