"""``agreement``: how far judges agree with each other (inter) and with themselves (intra)."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from analysis.cli.options import (
    add_file,
    add_output,
    add_selection,
    check_level,
    chosen_pairs,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.judges.agreement import Kappa, agreement, landis_koch


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    add_file(parser)
    add_selection(parser)
    parser.add_argument("--runs", type=int, default=1000, help="resamples of segments")
    parser.add_argument("--level", type=float, default=0.95, help="level of the intervals")
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Compute and print, a language pair after the other."""
    check_level(options)
    campaign, _ = read_campaign(options)
    document, rows = [], []
    for pair in chosen_pairs(campaign, options):
        judgments = campaign.judgments(pair, selection(options), incomplete="drop-pair")
        result = agreement(judgments, runs=options.runs, level=options.level, seed=options.seed)
        entry: dict[str, Any] = {"pair": pair}
        for definition in ("strict", "published"):
            rates = getattr(result, definition)
            entry[definition] = {}
            for kind in ("inter", "intra"):
                kappa: Kappa = getattr(rates, kind)
                entry[definition][kind] = kappa_document(kappa, interval=definition == "strict")
                rows.append(_row(pair, definition, kind, kappa))
        document.append(entry)
    emit(
        options,
        document,
        pd.DataFrame(rows),
        heading="Strict: different judges only, (A, B) and (B, A) are one item. "
        "Published: as the WMT tables were made.",
        notes=(
            "low to high: other sentences, these judges; others_low to others_high: other "
            "judges too.",
        ),
    )


def kappa_document(kappa: Kappa, *, interval: bool) -> dict[str, Any]:
    """Return one kappa as the contract of the command line has it."""
    names = ["agree", "comparable", "ties", "total", "p_agree", "p_chance", "kappa"]
    if interval:
        names += ["low", "high", "others_low", "others_high"]
    return {name: getattr(kappa, name) for name in names}


def _row(pair: str, definition: str, kind: str, kappa: Kappa) -> dict[str, Any]:
    return {
        "pair": pair,
        "definition": definition,
        "kind": kind,
        "kappa": kappa.kappa,
        "low": kappa.low,
        "high": kappa.high,
        "others_low": kappa.others_low,
        "others_high": kappa.others_high,
        "word": landis_koch(kappa.kappa),
        "agree": kappa.agree,
        "comparable": kappa.comparable,
    }
