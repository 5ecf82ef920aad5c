"""``scores``: estimates of quality, labels, metric scores and search, measured."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.cli.options import add_output, add_seed
from analysis.cli.output import emit
from analysis.errors import ReadingError
from analysis.findings.scores import MEANING, scores_finding, what_best_means
from analysis.scores.reading import Choices, read_scores


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help=MEANING,
    )
    parser.add_argument(
        "--gold", default="", help="name of the column of people's scores or labels"
    )
    parser.add_argument(
        "--low-is-good", action="store_true", help="low scores are good ones, as for TER"
    )
    parser.add_argument(
        "--level", type=float, default=0.95, help="level of intervals (default .95)"
    )
    parser.add_argument("--runs", type=int, default=1000, help="resamples (default 1000)")
    add_seed(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Measure and print, a measure after the other."""
    files = []
    for name in options.files:
        try:
            files.append((Path(name).name, Path(name).read_bytes()))
        except OSError as error:
            raise ReadingError(name, error.strerror or "it cannot be read", "") from None
    board = read_scores(
        files,
        Choices(options.gold, options.low_is_good, options.level, options.runs, options.seed),
    )
    frame = board.to_frame()
    signature = str(board.provenance)
    document = {
        "kind": board.title,
        "units": board.units,
        "n_units": board.n_groups,
        "rows": frame.to_dict("records"),
        "notes": list(board.notes),
        "signature": signature,
    }
    emit(
        options,
        document,
        frame,
        heading=scores_finding(board),
        notes=[what_best_means(board), *board.notes, f"signature: {signature}"],
        signature=signature,
    )
