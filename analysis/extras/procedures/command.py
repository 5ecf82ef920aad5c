"""What ``rank`` gains: ``--procedure``, the rules of a year's official ranking."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from analysis.campaign import Judgments
from analysis.cli.documents import n_judgments
from analysis.cli.options import read_campaign, read_judgments, selection
from analysis.cli.output import SCHEMA, emit
from analysis.cli.rank import references_left_out
from analysis.errors import PodiumError
from analysis.extras.procedures.findings import measured_note, official_finding
from analysis.extras.procedures.procedure import ProcedureResult, official_pairs
from analysis.extras.procedures.registry import PROCEDURES, procedure_named
from analysis.wording import count


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
    if options.output is not None:
        raise PodiumError(
            "--procedure",
            "it writes no folder of files",
            "Leave out -o; --csv > FILE keeps a table.",
        )
    if not options.all_pairs:
        judgments = read_judgments(options)
        result = procedure.rank(judgments, options.seed)
        document: Any = procedure_document(judgments, result)
        frame, of, found = result.to_frame().drop(columns="se"), judgments.pair, [result]
        left_out = judgments.references_left_out
        words = official_finding(result)
    else:
        campaign, _ = read_campaign(options)
        judged = [campaign.judgments(pair, selection(options)) for pair in campaign.pairs]
        found = [procedure.rank(one, options.seed) for one in judged]
        document = [*map(procedure_document, judged, found)]
        frame = official_pairs(dict(zip(campaign.pairs, found, strict=True)))
        of = count(len(found), "language pair")
        left_out = tuple(sorted({name for one in judged for name in one.references_left_out}))
        words = ""
    notes = [words, procedure.asserts, measured_note(procedure), procedure.note]
    emit(
        options,
        document,
        frame,
        heading=f"{of}: {procedure.title}. {procedure.sentence}",
        notes=[
            *filter(None, notes),
            *dict.fromkeys(note for result in found for note in result.notes),
            *references_left_out(left_out),
        ],
        signature=" & ".join(result.signature for result in found),
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
