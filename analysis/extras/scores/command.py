"""``scores``: estimates of quality, labels, metric scores and search, measured."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.cli import flags
from analysis.cli.output import ENDS, emit
from analysis.errors import PodiumError, unknown
from analysis.extras.scores.findings import MEANING, scores_finding, what_best_means
from analysis.extras.scores.reading import Choices, read_scores
from analysis.extras.scores.scoreboard import Scoreboard
from analysis.formats import bytes_of

EXAMPLE = (
    "Give a CSV file with a row per segment, such as document,segment,human,system1,system2 and "
    "doc1,1,0.25,0.39,0.22."
)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    parser.add_argument("files", metavar="FILE", nargs="+", help=MEANING)
    parser.add_argument("--gold", default="", help="name of the column of human scores or labels")
    parser.add_argument(
        "--low-is-good", action="store_true", help="low scores are good, as for TER"
    )
    parser.add_argument(
        "--task",
        metavar="MEASURE",
        help="one measure only: mae, rmse, deltaavg, spearman, pearson, f1, mcc, bleu, ter, "
        "chrf, accuracy, p@5, "
        "ndcg@10, map, … (default all that the files allow)",
    )
    flags.add_level(parser, "intervals")
    flags.add_resamples(parser, "of segments, or of queries")
    parser.add_argument(
        "--baseline",
        default="",
        metavar="SYSTEM",
        help="say which systems are better, worse, or in the gray area (default a system of the "
        "name baseline)",
    )
    flags.add_seed(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Measure and print, a measure after the other."""
    sample = next((name for name in options.files if name.startswith(flags.SAMPLE_PREFIX)), None)
    if sample is not None:
        raise PodiumError(
            sample, "a sample is a campaign of judgments, not a table of scores", EXAMPLE
        )
    files = [(Path(name).name, bytes_of(Path(name))) for name in options.files]
    board = read_scores(
        files,
        Choices(
            options.gold,
            options.low_is_good,
            options.level,
            options.runs,
            options.seed,
            options.baseline,
        ),
    )
    asked = _asked(board, options.task)
    frame = board.to_frame().rename(columns=ENDS)
    frame = frame[frame["measure"].isin([board.measures[m].name for m in asked])]
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
        heading=scores_finding(board, asked[0]),
        notes=[what_best_means(board), *board.notes],
        signature=signature,
        first=("measure", "system", "value", "may_be_best", "ci_low", "ci_high"),
    )


def _asked(board: Scoreboard, task: str | None) -> list[int]:
    """Return which measures --task asks for; ``f1`` is F1 of errors, all classes and each class."""
    names = [measure.name for measure in board.measures]
    if task is None:
        return list(range(len(names)))
    wanted = _plain(task)
    found = [m for m, name in enumerate(names) if _plain(name) == wanted]
    found = found or [
        m for m, name in enumerate(names) if name.startswith("f1_") and wanted == "f1"
    ]
    if not found:
        raise unknown("--task", task, names)
    return found


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c not in "_- ")
