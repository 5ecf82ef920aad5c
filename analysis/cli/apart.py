"""``apart``: which systems the judgments tell apart, all pairs, by the one definition."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli.options import (
    add_certainty,
    add_file,
    add_method,
    add_output,
    add_selection,
    chosen_ranker,
    read_judgments,
    told_apart,
)
from analysis.cli.output import emit
from analysis.rankers import Ranker
from analysis.ranking.apart import TARGETS, Apart

DEFINITION = (
    "two-way variance by segments and judges, Holm over all pairs; "
    "a cluster line stands where every pair across it is told apart"
)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank."""
    add_file(parser)
    add_selection(parser)
    add_certainty(parser)
    add_output(parser)
    add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Say of every pair whether it is told apart."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    told = told_apart(options, ranker.fit(judgments, options.seed))
    pairs = told.pairs_frame()
    emit(
        options,
        apart_document(judgments.pair, ranker, told),
        pairs,
        heading=f"{judgments.pair}: {int(pairs['apart'].sum())} of {len(pairs)} pairs are told "
        f"apart at {told.level:.0%}, for {TARGETS[told.target]}, by {ranker.title}.",
        notes=[*told.missing.values(), f"signature: {told.signature}"],
    )


def apart_document(pair: str, ranker: Ranker, told: Apart) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it."""
    return {
        "pair": pair,
        "method": ranker.name,
        "signature": told.signature,
        "definition": DEFINITION,
        "target": told.target,
        "level": told.level,
        "pairs": told.pairs_frame()[["a", "b", "p", "adjusted_p", "apart"]].to_dict("records"),
        "clusters": told.to_frame()[["system", "rank_low", "rank_high", "cluster"]].to_dict(
            "records"
        ),
        "missing": told.missing,
    }
