"""``apart``: which systems differ significantly, in its old shape."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from analysis.cli import flags
from analysis.cli.options import chosen_ranker, read_judgments, told_apart
from analysis.cli.output import emit
from analysis.rankers import Ranker
from analysis.ranking.uncertainty import scope_words
from analysis.ranking.verdict import Verdict

DEFINITION = (
    "two-way variance by segments and judges, Holm over all pairs; a cluster ends where every "
    "pair across the boundary differs significantly"
)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank."""
    flags.add_file(parser)
    flags.add_selection(parser)
    flags.add_certainty(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Print the test of every pair."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    verdict = told_apart(options, ranker.fit(judgments, options.seed))
    pairs = verdict.pairs_frame()
    emit(
        options,
        apart_document(judgments.pair, ranker, verdict),
        pairs,
        heading=f"{judgments.pair}: {int((pairs['verdict'] != 'open').sum())} of {len(pairs)} "
        f"pairs differ significantly at {verdict.level:.0%}, for "
        f"{scope_words(verdict.scope, verdict.missing)}, by {ranker.title}.",
        schema=None,
        notes=[*verdict.missing.values(), f"signature: {verdict.signature}"],
    )


def apart_document(pair: str, ranker: Ranker, verdict: Verdict) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it."""
    return {
        "pair": pair,
        "method": ranker.name,
        "signature": verdict.signature,
        "definition": DEFINITION,
        "target": "these" if verdict.scope == "these" else "others",
        "level": verdict.level,
        "pairs": _old_columns(verdict.pairs_frame(), ["a", "b", "p", "adjusted_p", "apart"]),
        "clusters": _old_columns(
            verdict.to_frame(), ["system", "rank_low", "rank_high", "cluster"]
        ),
        "missing": verdict.missing,
    }


OLD_NAMES = {"p_adjusted": "adjusted_p", "rank_best": "rank_low", "rank_worst": "rank_high"}
"""What this command called columns before: its answer keeps its shape."""


def _old_columns(frame: pd.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    if "verdict" in frame:
        frame = frame.assign(apart=frame["verdict"] != "open")
    return frame.rename(columns=OLD_NAMES)[columns].to_dict("records")  # type: ignore[return-value]
