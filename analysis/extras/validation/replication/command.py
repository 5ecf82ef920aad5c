"""``replicate``: published numbers computed again, each with its verdict."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from analysis.cli import flags
from analysis.cli.options import progress_bar
from analysis.cli.output import emit, warn, write_whole
from analysis.errors import unknown
from analysis.extras.validation.replication.findings import (
    replication_explained,
    replication_finding,
    replication_notes,
)
from analysis.extras.validation.replication.registry import REPLICATIONS
from analysis.extras.validation.replication.replication import BASES, Replication
from analysis.extras.validation.replication.running import (
    CAMPAIGNS,
    Outcome,
    campaigns_folder,
    compute,
    record,
    to_frame,
    usual_folder,
)
from analysis.wording import count, listed

MOST_NAMED = 8
"""Numbers that differ and are named one by one to a person."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--quick", action="store_true", help="leave out tables that take more than a few seconds"
    )
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        default=[],
        help=f"one table, shown number by number; may be repeated: {', '.join(REPLICATIONS)}",
    )
    parser.add_argument(
        "--campaigns",
        metavar="FOLDER",
        help=f"the folder of real campaigns, for the tables that need them (default ${CAMPAIGNS})",
    )
    parser.add_argument(
        "--keep",
        metavar="FOLDER",
        help=(
            "folder of the finished parts of slow tables, so that an interrupted run continues "
            "(default: this user's cache)"
        ),
    )
    parser.add_argument(
        "--record", metavar="FILE", help="also write the record that the page Replication shows"
    )
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Compute and print: a line a table, or every number of the tables asked for."""
    wrong = [name for name in options.only if name not in REPLICATIONS]
    if wrong:
        raise unknown("--only", wrong[0], REPLICATIONS)
    chosen = [
        replication
        for replication in REPLICATIONS.values()
        if (replication.name in options.only or not options.only)
        and not (options.quick and replication.slow)
    ]
    warn([_what_runs(chosen)])
    keep = Path(options.keep) if options.keep else usual_folder()
    with progress_bar("Recomputing") as progress:
        outcomes = compute(chosen, campaigns_folder(options.campaigns), keep, progress)
    if options.record:
        write_whole(Path(options.record), record(outcomes).encode())
    frame = to_frame(outcomes)
    notes = replication_notes(outcomes)
    first: tuple[str, ...]
    for_people = not (options.csv or options.latex or options.json)
    if for_people and options.only:
        for outcome in outcomes:
            notes += [f"{outcome.replication.title}.", *replication_explained(outcome.replication)]
            if outcome.replication.command:
                notes.append(f"See also: {outcome.replication.command}")
        shown = frame[["place", "printed", "ours", "difference", "verdict", "reason"]]
        first = ("place", "verdict", "printed", "ours")
    else:
        shown, first = (
            _by_table(outcomes) if for_people else frame,
            ("replication", "numbers", "match"),
        )
        differ = frame[frame["verdict"] == "differs"]
        more = len(differ) - MOST_NAMED if for_people else 0
        differ = differ.head(MOST_NAMED) if for_people else differ
        notes += [
            f"{row.source}, {row.place}: published {row.printed}, ours {_short(row.ours)}. "
            f"{row.reason}".rstrip()
            for row in differ.itertuples()
        ]
        if more > 0:
            notes.append(
                f"{more} more numbers differ: --csv has all, --only NAME those of a table."
            )
    emit(
        options,
        {"finding": replication_finding(outcomes), "numbers": frame.to_dict("records")},
        shown,
        heading=replication_finding(outcomes),
        notes=notes,
        first=first,
    )


def _what_runs(chosen: list[Replication]) -> str:
    """Say at once what is computed, and whether it takes long."""
    n_slow = sum(replication.slow for replication in chosen)
    slow = f"; {n_slow} can take minutes (--quick leaves them out)" if n_slow else ""
    names = listed([replication.name for replication in chosen], most=3)
    return f"Recomputing {count(len(chosen), 'table')}{slow}: {names}."


def _by_table(outcomes: list[Outcome]) -> pd.DataFrame:
    strongest = sorted(outcomes, key=lambda outcome: [*BASES].index(outcome.replication.basis))
    return pd.DataFrame(
        {
            "replication": [outcome.replication.name for outcome in strongest],
            "published": [outcome.replication.title for outcome in strongest],
            "from": [BASES[outcome.replication.basis] for outcome in strongest],
            "numbers": [len(outcome.numbers) for outcome in strongest],
            "match": [outcome.same for outcome in strongest],
            "null": [outcome.null_same for outcome in strongest],
        }
    )


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
