"""``next``: which ranking tasks to send out now."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from analysis.cli.options import add_file, add_output, add_selection, read_judgments
from analysis.cli.output import emit, warn
from analysis.errors import PodiumError
from analysis.next_campaign.assignment import segment_names
from analysis.next_campaign.batches import Batch
from analysis.next_campaign.elicitation import METHODS, next_tasks


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    add_file(parser)
    parser.add_argument("--tasks", type=int, default=50, help="how many tasks (default 50)")
    parser.add_argument("--n-way", type=int, help="outputs in a task (default: as most so far)")
    parser.add_argument(
        "--method",
        choices=tuple(METHODS),
        default="uncertainty",
        help="; ".join(f"{name}: {words}" for name, words in METHODS.items())
        + " (default %(default)s)",
    )
    parser.add_argument(
        "--on-segments",
        metavar="NAMES",
        help="segments to use, by comma; 1-3003 is a range (default: those used so far)",
    )
    parser.add_argument(
        "--assign-to",
        metavar="NAMES",
        help="judges who get tasks, by comma (default: those of the judgments)",
    )
    parser.add_argument(
        "--repeat-share",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of tasks that a judge gets again, for agreement with oneself (default 0)",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this .csv or .xml file")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_selection(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Choose tasks; write them to a file, or print them."""
    target = None if options.output is None else _target(options)
    batch = next_tasks(
        read_judgments(options),
        options.tasks,
        options.method,
        options.n_way,
        segments=None if options.on_segments is None else segment_names(options.on_segments),
        judges=None if options.assign_to is None else options.assign_to.split(","),
        seed=options.seed,
        repeat_share=options.repeat_share,
    )
    if target is not None:
        _write(batch, target)
        warn([f"Wrote {len(batch)} tasks to {target}."])
    if target is None or options.json or options.csv or options.latex:
        emit(options, batch_document(batch), _shown(batch))
    if batch.warning and not options.json:
        warn([batch.warning])


def batch_document(batch: Batch) -> dict[str, Any]:
    """Return a batch as the contract of the command line has it."""
    return {
        "pair": batch.pair,
        "method": batch.method,
        "seed": batch.seed,
        "warning": batch.warning,
        "tasks": [
            {
                "segment": task.segment,
                "judge": task.judge,
                "systems": task.systems,
                "repeats": task.repeats,
            }
            for task in batch.tasks
        ],
    }


def _shown(batch: Batch) -> Any:
    frame = batch.to_frame()
    return frame.drop(columns=[name for name in frame.columns if name.endswith("rank")])


def _target(options: argparse.Namespace) -> Path:
    target = Path(options.output)
    if target.suffix.casefold() not in (".csv", ".xml"):
        raise PodiumError(str(target), "its ending is neither .csv nor .xml", "Name it so.")
    if target.exists() and not options.force:
        raise PodiumError(str(target), "it exists already", "Add --force to replace it.")
    return target


def _write(batch: Batch, target: Path) -> None:
    content = batch.to_xml() if target.suffix.casefold() == ".xml" else batch.to_csv()
    try:
        target.write_bytes(content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PodiumError(str(target), reason, "Name another file.") from error
