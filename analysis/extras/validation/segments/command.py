"""``segments``: how hard each segment is, and what it tells, by the graded response model."""

from __future__ import annotations

import argparse

import pandas as pd

from analysis.cli import flags
from analysis.cli.options import chosen_pairs, parameterized, read_campaign, selection
from analysis.cli.output import emit
from analysis.extras.validation.segments.findings import segments_finding, segments_words
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.graded_response.items import check_segments

MEANING = (
    "b1, b2: the ability at which a system is as likely to lose as not, and to win as not; "
    "difficulty is their mean. information: what one comparison shows of a system's ability."
)
SHOWN = 10
"""Segments that a person's table has at each end; JSON and CSV have all."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: the model's settings are among them."""
    flags.add_file(parser)
    flags.add_selection(parser)
    flags.add_output(parser)
    flags.add_hyperparameters(parser, GradedResponse)


def run(options: argparse.Namespace) -> None:
    """Fit the model and print, a language pair after the other."""
    ranker = parameterized(options, GradedResponse)
    assert isinstance(ranker, GradedResponse)
    campaign, _ = read_campaign(options)
    document, frames, findings, notes = [], [], [], []
    is_for_people = not (options.json or options.csv)
    for pair in chosen_pairs(campaign, options):
        judgments = campaign.judgments(pair, selection(options))
        check_segments(judgments)
        fit = ranker.fit(judgments, options.seed)
        found = fit.difficulties()
        frame = found.to_frame()
        document.append(
            {
                "lang_pair": pair,
                "baseline": fit.baseline,
                "signature": fit.signature,
                "systems": [
                    {"system": system, "ability": ability}
                    for system, ability in zip(
                        fit.standings.systems, fit.standings.scores, strict=True
                    )
                ],
                "segments": frame.to_dict(orient="records"),
                "judges": fit.sensitivities().to_frame().to_dict(orient="records"),
            }
        )
        if is_for_people and len(frame) > 2 * SHOWN:
            between = pd.DataFrame({"segment": ["…"]})
            frame = pd.concat([frame.head(SHOWN), between, frame.tail(SHOWN)])
            notes.append(
                f"{pair}: the {SHOWN} hardest and the {SHOWN} easiest of {len(found.segments)}; "
                "--csv and --json have all."
            )
        n = len(set(judgments.task_segment.tolist()))
        findings.append(f"{pair}: {segments_finding(found, fit.baseline)}.")
        notes.append(f"{pair}: {segments_words(found, fit.baseline, n)}")
        notes.append(f"signature: {fit.signature}")
        frame.insert(0, "lang_pair", pair)
        frames.append(frame)
    emit(
        options,
        document,
        pd.concat(frames, ignore_index=True),
        heading="\n".join(findings),
        notes=[MEANING, *notes],
        first=("lang_pair", "segment", "difficulty"),
    )
