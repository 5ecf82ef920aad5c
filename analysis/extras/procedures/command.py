"""What ``rank`` gains: ``--procedure``, the rules of a year's official ranking."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from analysis.campaign import Judgments
from analysis.cli.documents import n_judgments
from analysis.cli.options import read_judgments
from analysis.cli.output import SCHEMA, emit
from analysis.cli.rank import references_left_out
from analysis.extras.procedures.findings import measured_note, official_finding
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.extras.procedures.registry import PROCEDURES, procedure_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare ``--procedure``."""
    parser.add_argument(
        "--procedure",
        metavar="NAME",
        help="rank scores by the rules of an official ranking, in place of a method: "
        + "; ".join(f"{name}: {p.title}" for name, p in PROCEDURES.items()),
    )


def run(options: argparse.Namespace) -> bool:
    """Rank by official rules and print; return whether a procedure was asked for."""
    if options.procedure is None:
        return False
    procedure = procedure_named(options.procedure)
    judgments = read_judgments(options)
    result = procedure.rank(judgments, options.seed)
    emit(
        options,
        procedure_document(judgments, result),
        result.to_frame().drop(columns="se"),
        heading=f"{judgments.pair}: {procedure.title}. {procedure.sentence}",
        notes=[
            official_finding(result),
            procedure.asserts,
            *filter(None, [measured_note(procedure)]),
            procedure.note,
            *result.notes,
            *references_left_out(judgments.references_left_out),
        ],
        signature=result.signature,
    )
    return True


def procedure_document(judgments: Judgments, result: ProcedureResult) -> dict[str, Any]:
    """Return an official ranking with the keys of every ranking; null is what its rule lacks."""
    counts = dict(zip(judgments.systems, n_judgments(judgments), strict=True))
    beaten = np.asarray(result.beats.any(axis=0))
    possible = [result.systems[k] for k in result.order if not beaten[k]]
    n = len(result.systems)
    best = [result.systems[k] for k in result.order if result.beats[k].sum() == n - 1]
    nothing = {"ci_low": None, "ci_high": None, "tier": None}
    return {
        "schema": SCHEMA,
        "lang_pair": judgments.pair,
        "method": "mean",
        "procedure": result.procedure.name,
        "scope": None,
        "level": 1 - result.procedure.threshold,
        "signature": result.signature,
        "judgments": result.n_scores,
        "winner": best[0] if best else None,
        "possible_winners": possible,
        "tiers": None,
        "clusters": result.n_clusters,
        "systems": [
            {**row, **nothing, "judgments": int(counts[row["system"]])}
            for row in result.to_frame().to_dict("records")
        ],
        "pairs": _pairs(result),
    }


def _pairs(result: ProcedureResult) -> list[dict[str, Any]]:
    code = {system: k for k, system in enumerate(result.systems)}
    found = []
    for row in result.pairs_frame().to_dict("records"):
        a, b = code[row["a"]], code[row["b"]]
        found.append(
            {
                "a": row["a"],
                "b": row["b"],
                "difference": float(result.scores[a] - result.scores[b]),
                "se": None,
                "p": row["p"],
                "p_adjusted": row["p"],
                "verdict": "better" if result.beats[a, b] else "open",
                "exploratory": False,
            }
        )
    return found
