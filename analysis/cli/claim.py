"""``claim``: whether the judgments support that one system is better than another."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli.options import (
    certainty,
    chosen_ranker,
    read_judgments,
    told_apart,
)
from analysis.cli.output import emit
from analysis.comparing.claim import Claim, check_claim
from analysis.comparing.fewest import fewest, smooth_fit
from analysis.comparing.stability import Statement, stability
from analysis.findings.claim import answer_words, evidence, needed_sentences
from analysis.rankers import Ranker


def run(options: argparse.Namespace) -> None:
    """Hold the claim against the judgments and say what speaks for and against it."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    chosen = certainty(options)
    fit = ranker.fit(judgments, chosen.seed)
    verdict = told_apart(options, fit)
    claim = check_claim(verdict, options.better, options.worse, len(judgments))
    said = Statement((claim.better,), (claim.worse,))
    stable = stability(judgments, ranker, verdict, chosen, statements=[said])
    first, second = _in_order(claim)
    drops = fewest(smooth_fit(fit), first, second)
    sentences = evidence(claim, judgments, ranker.score_label, stable, drops)
    needed = needed_sentences(claim)
    emit(
        options,
        _document(judgments.pair, ranker, claim, sentences),
        claim.to_frame(),
        heading="\n".join(
            [f"{judgments.pair}: {answer_words(claim)}, by {ranker.title}.", *sentences]
        ),
        notes=[*needed, f"signature: {verdict.signature}"],
        signature=verdict.signature,
    )


def _in_order(claim: Claim) -> tuple[str, str]:
    pair = (claim.better, claim.worse)
    return pair if claim.difference >= 0 else (claim.worse, claim.better)


def _document(pair: str, ranker: Ranker, claim: Claim, sentences: list[str]) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it; null needed: none decides."""
    return {
        "lang_pair": pair,
        "method": ranker.name,
        "signature": claim.verdict.signature,
        "level": claim.verdict.level,
        "better": claim.better,
        "worse": claim.worse,
        "verdict": claim.answer,
        "difference": claim.difference,
        "interval": [claim.low, claim.high],
        "p": claim.p,
        "p_adjusted": claim.p_adjusted,
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
