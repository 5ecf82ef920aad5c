"""``metrics``: which automatic metrics order systems and outputs as people do."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from analysis.cli import flags
from analysis.cli.options import read_campaign, selection
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.extras.metrics.beside_people import PeoplesScores, beside_people, simulated_metrics
from analysis.extras.metrics.correlations import correlations
from analysis.extras.metrics.findings import (
    CORRELATIONS,
    MEASURES,
    correlation_finding,
    few_systems_words,
    how_groups_are_made,
    metrics_finding,
    upside_down_words,
)
from analysis.extras.metrics.reading import MEANING, read_metrics
from analysis.formats import bytes_of
from analysis.provenance import Provenance
from analysis.wording import listed


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser, human="human scores")
    parser.add_argument(
        "metrics",
        metavar="METRICS",
        nargs="?",
        help=f"{MEANING} May be left out if HUMAN is such a tree",
    )
    parser.add_argument(
        "--low-is-good",
        metavar="METRIC",
        action="append",
        default=[],
        help="a metric that counts errors, such as TER; may be repeated",
    )
    flags.add_selection(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Measure and print, a metric a row."""
    campaign, _ = read_campaign(options, "human")
    judgments = campaign.judgments(options.pair, selection(options))
    path = Path(options.metrics or options.human)
    if options.metrics is None and judgments.scores and path.name.startswith(flags.SAMPLE_PREFIX):
        file = simulated_metrics(PeoplesScores.of(judgments), options.seed)
    elif options.metrics is None and path.suffix not in (".zip", ".tar", ".gz", ".tgz"):
        example = "For an example: podium metrics sample:mqm-ted."
        raise PodiumError("METRICS", "a file is missing", f"{MEANING} {example}")
    else:
        file = read_metrics(path.name, bytes_of(path), judgments.pair, options.low_is_good)
    measured = correlations(judgments, file.metrics, options.seed)
    if judgments.scores is None and measured[["pearson", "tau"]].isna().all(axis=None):
        raise PodiumError(
            path.name,
            f"it scores none of the outputs that these rankings compare, of "
            f"{listed(judgments.systems, most=3)}",
            "Spell systems and segments as the judgments do.",
        )
    signature, notes = str(judgments.provenance | Provenance(seed=options.seed)), [*file.notes]
    heading, grouped_by = correlation_finding(measured), None
    if judgments.scores is not None:
        board = beside_people(PeoplesScores.of(judgments), file.metrics, options.seed)
        measured = board.to_frame().merge(measured, on="metric")
        signature, heading, grouped_by = board.signature, metrics_finding(board), board.told_by
        notes = [
            *few_systems_words(len(judgments.systems)),
            *filter(None, [how_groups_are_made(board)]), *file.notes, *board.notes,
        ]  # fmt: skip
    emit(
        options,
        {
            "lang_pair": judgments.pair,
            "systems": list(judgments.systems),
            "segments": len(np.unique(judgments.task_segment)),
            "grouped_by": grouped_by,
            "metrics": measured.to_dict("records"),
            "notes": notes,
            "signature": signature,
        },
        measured,
        heading=" ".join([heading, *upside_down_words(measured)]),
        notes=notes,
        signature=signature,
        first=("metric", "pairwise_accuracy", "soft_pairwise_accuracy", "group", "pearson"),
        legend={name: f"{meaning}." for name, (_, meaning) in MEASURES.items()} | CORRELATIONS,
    )
