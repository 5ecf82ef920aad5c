"""``batch``: which ranking tasks to send out now."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.campaign import UNNAMED_JUDGE, Judgments
from analysis.cli import flags
from analysis.cli.options import read_judgments
from analysis.cli.output import emit, new_file, warn, write_whole
from analysis.errors import PodiumError, UndefinedResultError
from analysis.findings.batches import batch_headline, batch_words, look_words
from analysis.formats import bytes_of
from analysis.next_campaign.assignment import segment_names
from analysis.next_campaign.batch import Batch, Task, read_tasks
from analysis.next_campaign.choosing_matches import METHODS, next_tasks
from analysis.rankers import DEFAULT_METHOD, RANKERS, default_method, ranker_class
from analysis.rankers.mean import Mean
from analysis.ranking.interim_looks import Looks
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.wording import count

PAUSE = 0.2
"""Seconds between two looks at the files that are watched."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument(
        "--method",
        metavar="NAME",
        help=(
            "ranking method; systems that differ significantly by it get no tasks: "
            f"{', '.join(RANKERS)} (default {DEFAULT_METHOD}; for scores {Mean.name})"
        ),
    )
    parser.add_argument(
        "--rank-by", dest="method", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )
    flags.add_scope(parser)
    flags.add_level(parser, "tests")
    parser.add_argument("--tasks", type=int, default=50, help="how many tasks (default 50)")
    parser.add_argument("--n-way", type=int, help="outputs per task (default: as in most tasks)")
    parser.add_argument(
        "--choose",
        choices=tuple(METHODS),
        default="uncertainty",
        help="; ".join(f"{name}: {words}" for name, words in METHODS.items())
        + " (default %(default)s)",
    )
    parser.add_argument(
        "--top",
        type=int,
        metavar="K",
        help="separate the best K systems from the others; 1: the winner, 0: neighbors anywhere "
        "(default: 1 until a winner is named, then 0)",
    )
    parser.add_argument(
        "--on-segments",
        metavar="NAMES",
        help="segments to use, comma-separated; 1-3003 is a range (default: those used so far)",
    )
    parser.add_argument(
        "--assign-to",
        metavar="NAMES",
        help="judges who get tasks, comma-separated (default: those of the judgments)",
    )
    parser.add_argument(
        "--repeat-share",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of tasks that a judge gets twice, for intra-judge agreement (default 0)",
    )
    parser.add_argument(
        "--sent",
        action="append",
        default=[],
        metavar="BATCH",
        help="a .csv of tasks that were sent out; unanswered ones count as asked",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this .csv or .xml file")
    parser.add_argument(
        "--hit-size",
        type=int,
        default=0,
        metavar="N",
        help=(
            "most tasks per HIT of the .xml file (default: all of a judge's). WMT14 put 3 into "
            "one and asked each team for 100 HITs for every system"
        ),
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--watch",
        action="store_true",
        help=(
            "keep running and rewrite OUT whenever FILE or a BATCH changes. Each change of FILE "
            "counts as one interim look; look k uses 6/(π²k²) of α, so the error over all looks "
            "stays at 1 − LEVEL"
        ),
    )
    flags.add_selection(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Choose tasks; write them to a file, or print them."""
    target = None if options.output is None else _target(options)
    if options.hit_size < 0:
        raise PodiumError("--hit-size", f"{options.hit_size} is too few", "Use 1 or more.")
    if options.hit_size and (target is None or target.suffix.casefold() != ".xml"):
        raise PodiumError("--hit-size", "only an .xml file has HITs", "Add -o OUT.xml.")
    if options.watch:
        if target is None or options.files[0].startswith(flags.SAMPLE_PREFIX):
            raise PodiumError(
                "--watch", "it needs a file to watch and a file to write", "Add -o OUT."
            )
        if options.json or options.csv or options.latex:
            raise PodiumError("--watch", "it prints no answer", "Leave out --json and --csv.")
        _watch(options, target)
        return
    judgments = read_judgments(options)
    verdict = _verdict(options, judgments)
    batch = _choose(options, judgments, _all_sent(options, judgments.pair), verdict)
    if target is not None:
        _write(batch, target, options.hit_size)
        warn([f"Wrote {count(len(batch), batch.one)} to {target}."])
    compared = batch.pair_counts(_best_first(judgments, verdict))
    if target is None or options.json or options.csv or options.latex:
        emit(
            options,
            batch_document(batch),
            _shown(batch, for_people=not (options.csv or options.latex)),
            heading=f"{batch_headline(batch, compared)}.",
            notes=[words] if (words := batch_words(batch, compared)) else [],
            signature=batch.signature,
            first=("segmentId", "judgeId", "system1Id", "system2Id"),
        )
    if batch.warning and not options.json:
        warn([batch.warning])


def _verdict(options: argparse.Namespace, judgments: Judgments) -> Verdict | None:
    """Return the verdict of the ranking method; None before there is anything to rank."""
    ranker = ranker_class(options.method or default_method(judgments))()
    try:
        return reach_verdict(
            ranker.fit(judgments, options.seed), level=options.level, scope=options.scope
        )
    except UndefinedResultError:
        return None


def _best_first(judgments: Judgments, verdict: Verdict | None) -> tuple[str, ...]:
    systems = judgments.systems
    return systems if verdict is None else tuple(systems[k] for k in verdict.order)


def _choose(
    options: argparse.Namespace, judgments: Judgments, sent: Sequence[Task], verdict: Verdict | None
) -> Batch:
    return next_tasks(
        judgments,
        options.tasks,
        options.choose,
        options.n_way,
        segments=None if options.on_segments is None else segment_names(options.on_segments),
        judges=None if options.assign_to is None else options.assign_to.split(","),
        seed=options.seed,
        repeat_share=options.repeat_share,
        sent=sent,
        verdict=verdict,
        top=options.top,
    )


def _all_sent(options: argparse.Namespace, pair: str) -> list[Task]:
    paths = [Path(name) for name in options.sent]
    return [task for path in paths for task in read_tasks(bytes_of(path), path.name, pair)]


def _watch(options: argparse.Namespace, target: Path) -> None:
    """Write a batch now and after every change, until the user interrupts."""
    paths, seen, looks = [*map(Path, options.files), *map(Path, options.sent)], None, Looks()
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            stamp = [_stamp(path) for path in paths]
            if stamp != seen:
                seen = stamp
                warn(_renew(options, target, looks))
            time.sleep(PAUSE)


def _renew(options: argparse.Namespace, target: Path, looks: Looks) -> list[str]:
    """Write the batch that is due now; return what came of it, and what this look tells apart.

    A file that cannot be read, being half written perhaps, leaves the last batch as it is. Where
    no tasks are left to be dealt, OUT is taken away: its tasks may have been done.
    """
    began = time.perf_counter()
    try:
        judgments = read_judgments(options)
        sent = _all_sent(options, judgments.pair)
    except PodiumError as error:
        return [str(error)]
    verdict = _verdict(options, judgments)
    now = None if verdict is None else looks.take(judgments, verdict)
    try:
        batch = _choose(options, judgments, sent, now)
    except PodiumError as error:
        with contextlib.suppress(OSError):
            target.unlink(missing_ok=True)
        return [str(error)]
    try:
        _write(batch, target, options.hit_size)
    except PodiumError as error:
        return [str(error)]
    took = time.perf_counter() - began
    wrote = f"Wrote {count(len(batch), batch.one)} to {target} in {took:.2f} s."
    if verdict is None or now is None:
        return [wrote]
    return [wrote, look_words(verdict, now, looks.number, len(looks.claims))]


def _stamp(path: Path) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_mtime_ns, found.st_size
    return None


def batch_document(batch: Batch) -> dict[str, Any]:
    """Return a batch as the contract of the command line has it."""
    return {
        "lang_pair": batch.pair,
        "choose": batch.method,
        "top": batch.top,
        "needed": batch.needed,
        "seed": batch.seed,
        "signature": batch.signature,
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


def _shown(batch: Batch, *, for_people: bool) -> Any:
    """Return the tasks without the ranks to fill in; for people also without what is unknown."""
    frame = batch.to_frame()
    left_out = [name for name in frame.columns if name.endswith("rank")]
    if for_people:
        left_out += [name for name in frame.columns if set(frame[name]) <= {"", UNNAMED_JUDGE}]
    return frame.drop(columns=left_out)


def _target(options: argparse.Namespace) -> Path:
    target = new_file(options.output, force=options.force)
    if target.suffix.casefold() not in (".csv", ".xml"):
        raise PodiumError(
            str(target), "its ending is neither .csv nor .xml", "Use one of these endings."
        )
    if any(target.resolve() == Path(name).resolve() for name in (*options.files, *options.sent)):
        raise PodiumError(str(target), "it is also an input", "Write to another file.")
    return target


def _write(batch: Batch, target: Path, hit_size: int) -> None:
    is_xml = target.suffix.casefold() == ".xml"
    write_whole(target, batch.to_xml(hit_size) if is_xml else batch.to_csv())
