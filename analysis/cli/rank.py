"""``rank``: who won, by one method, or by the rules of a year's official ranking."""

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
    executor,
    progress_bar,
    read_judgments,
)
from analysis.cli.output import emit
from analysis.cli.presets import add_preset, set_ranking
from analysis.findings.certainty import ranking_words
from analysis.findings.procedures import measured_note, official_finding
from analysis.procedures import PROCEDURES, ProcedureResult, procedure_named
from analysis.rankers import DEFAULT_METHOD
from analysis.ranking.ranking import Ranking, rank


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags; a method's hyperparameters are among them once it is named."""
    add_file(parser)
    add_selection(parser)
    add_certainty(parser)
    add_output(parser)
    parser.add_argument(
        "--procedure",
        metavar="NAME",
        help="rank scores by the rules of an official ranking, in place of a method: "
        + "; ".join(f"{name}: {p.title}" for name, p in PROCEDURES.items()),
    )
    preset = add_preset(parser, words, "rank")
    method = add_method(parser, words, (preset and preset.method) or DEFAULT_METHOD)
    set_ranking(parser, words, preset, method)


def run(options: argparse.Namespace) -> None:
    """Rank and print."""
    if options.procedure is not None:
        _run_procedure(options)
        return
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    with executor(options) as workers, progress_bar("Ranking") as progress:
        ranking = rank(
            judgments,
            ranker,
            certainty(options),
            executor=workers,
            progress=progress,
        )
    emit(
        options,
        ranking_document(ranking),
        ranking.to_frame(),
        heading=f"{judgments.pair}: {ranker.title}. {ranker.sentence}",
        notes=ranking_notes(ranking),
        signature=ranking.signature,
    )


def _run_procedure(options: argparse.Namespace) -> None:
    """Rank by official rules and print."""
    procedure = procedure_named(options.procedure)
    judgments = read_judgments(options)
    result = procedure.rank(judgments, options.seed)
    emit(
        options,
        procedure_document(judgments.pair, result),
        result.to_frame().drop(columns="spread"),
        heading=f"{judgments.pair}: {procedure.title}. {procedure.sentence}",
        notes=[
            official_finding(result),
            procedure.asserts,
            *filter(None, [measured_note(procedure)]),
            procedure.note,
            *result.notes,
            *_references_left_out(judgments.references_left_out),
            f"signature: {result.signature}",
        ],
        signature=result.signature,
    )


def procedure_document(pair: str, result: ProcedureResult) -> dict[str, Any]:
    """Return an official ranking as the contract of the command line has it."""
    return {
        "pair": pair,
        "method": result.procedure.name,
        "procedure": result.procedure.name,
        "signature": result.signature,
        "runs": 0,
        "level": 1 - result.procedure.threshold,
        "threshold": result.procedure.threshold,
        "judgments": result.n_scores,
        "systems": result.to_frame().to_dict(orient="records"),
        "pairs": result.pairs_frame().to_dict(orient="records"),
    }


def ranking_document(ranking: Ranking) -> dict[str, Any]:
    """Return a ranking as the contract of the command line has it."""
    return {
        "pair": ranking.judgments.pair,
        "method": ranking.standings.method,
        "signature": ranking.signature,
        "ranges": ranking.certainty.ranges,
        "target": ranking.certainty.target,
        "runs": ranking.runs,
        "level": ranking.level,
        "judgments": len(ranking.judgments),
        "systems": ranking.to_frame().to_dict(orient="records"),
    }


def ranking_notes(ranking: Ranking) -> list[str]:
    """Return what a person should know beside the table."""
    notes = [f"{system}: {reason}" for system, reason in ranking.standings.undefined.items()]
    notes += _references_left_out(ranking.judgments.references_left_out)
    if ranking.ranges is None or not ranking.standings.approximate:
        notes += ranking.standings.notes
    if ranking.ranges is None:
        notes.append(ranking_words(ranking))
    if ranking.apart is not None and not ranking.certainty.is_published:
        notes += ranking.apart.missing.values()
    notes.append(f"signature: {ranking.signature}")
    return notes


def _references_left_out(references: tuple[str, ...]) -> list[str]:
    if not references:
        return []
    return [f"Left out as references: {', '.join(references)}; --references ranks them."]
