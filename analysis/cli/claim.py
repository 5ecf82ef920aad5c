"""``claim``: whether the judgments support that one system is better than another."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli.options import (
    add_certainty,
    add_file,
    add_method,
    add_output,
    add_selection,
    certainty,
    chosen_ranker,
    read_judgments,
    told_apart,
)
from analysis.cli.output import emit
from analysis.comparing.claim import Claim, check_claim
from analysis.comparing.fewest import fewest, smooth_fit
from analysis.comparing.stability import Statement, stability
from analysis.findings.claim import evidence, needed_sentences, verdict
from analysis.rankers import Ranker


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank, and the two systems."""
    add_file(parser)
    parser.add_argument(
        "--better", metavar="NAME", required=True, help="the better system, as claimed"
    )
    parser.add_argument(
        "--worse", metavar="NAME", required=True, help="the worse system, as claimed"
    )
    add_selection(parser)
    add_certainty(parser)
    add_output(parser)
    add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Hold the claim against the judgments and say what speaks for and against it."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    chosen = certainty(options)
    fit = ranker.fit(judgments, chosen.seed)
    told = told_apart(options, fit)
    claim = check_claim(told, options.better, options.worse, len(judgments), chosen.seed)
    said = Statement((claim.better,), (claim.worse,))
    stable = stability(judgments, ranker, told, chosen, statements=[said])
    first, second = _in_order(claim)
    drops = fewest(smooth_fit(fit), first, second)
    sentences = evidence(claim, judgments, ranker.score_label, stable, drops)
    needed = needed_sentences(claim)
    emit(
        options,
        _document(judgments.pair, ranker, claim, sentences),
        claim.to_frame(),
        heading="\n".join([f"{judgments.pair}: {verdict(claim)}, by {ranker.title}.", *sentences]),
        notes=[*needed, f"signature: {told.signature}"],
        signature=told.signature,
    )


def _in_order(claim: Claim) -> tuple[str, str]:
    pair = (claim.better, claim.worse)
    return pair if claim.difference >= 0 else (claim.worse, claim.better)


def _document(pair: str, ranker: Ranker, claim: Claim, sentences: list[str]) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it; null needed: none decides."""
    return {
        "pair": pair,
        "method": ranker.name,
        "signature": claim.told.signature,
        "level": claim.told.level,
        "better": claim.better,
        "worse": claim.worse,
        "verdict": claim.verdict,
        "probability": claim.probability,
        "difference": claim.difference,
        "interval": [claim.low, claim.high],
        "p": claim.p,
        "adjusted_p": claim.adjusted_p,
        "needed": {
            needed.more: {
                "unit": needed.unit,
                "alone": needed.alone,
                "among_all": needed.among_all,
            }
            for needed in claim.needed
        },
        "evidence": sentences,
    }
