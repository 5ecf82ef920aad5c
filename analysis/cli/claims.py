"""``research claims``: each paper's main sentence, tested on a campaign."""

from __future__ import annotations

import argparse

from analysis.cli import flags
from analysis.cli.options import progress_bar, read_judgments
from analysis.cli.output import ENDS, emit
from analysis.prediction.paper_claims import COVERS, claims_finding, claims_frame, run_claims


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    flags.add_selection(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Test every claim and print one row per claim."""
    judgments = read_judgments(options)
    with progress_bar("Testing claims") as progress:
        tested = run_claims(judgments, options.seed, progress)
    frame = claims_frame(tested).rename(columns=ENDS)
    signature = f"claims|seed:{options.seed}|{judgments.provenance}"
    emit(
        options,
        {"lang_pair": judgments.pair, "claims": frame.to_dict("records"), "signature": signature},
        frame[["paper", "verdict", "value", "ci_low", "ci_high", "power", "claim"]],
        heading=f"{judgments.pair}: {claims_finding(tested)}.",
        notes=[
            *(
                f"{one.claim.paper}: {one.claim.difference} (power {one.claim.if_false})."
                for one in tested
            ),
            *(f"{one.claim.paper}: {one.reason}" for one in tested if one.reason),
            COVERS,
        ],
        signature=signature,
    )
