"""``convert``: write a campaign in another format."""

from __future__ import annotations

import argparse
import sys

import numpy as np

from analysis.cli import flags
from analysis.cli.options import read_campaign
from analysis.cli.output import new_file, warn, write_whole
from analysis.formats.writing import WRITABLE, losses, write
from analysis.wording import count


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument("--to", choices=WRITABLE, required=True, help="the format to write")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="the file to write, - for standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--identical",
        choices=("expanded", "collapsed"),
        default="collapsed",
        help=(
            "write systems with identical output separately (expanded) or as a+b (collapsed, the "
            "default, which reads back as the same campaign)"
        ),
    )


def run(options: argparse.Namespace) -> None:
    """Read, write, and say what was written."""
    to_output = options.output == "-"
    target = None if to_output else new_file(options.output, force=options.force)
    campaign, _ = read_campaign(options)
    content = write(campaign, options.to, identical=options.identical)
    if target is None:
        sys.stdout.buffer.write(content)
    else:
        write_whole(target, content)
    lost = losses(campaign, options.to, identical=options.identical)
    is_votes = bool((np.diff(campaign.task_start) == 2).all())
    wrote = count(campaign.n_tasks, "vote" if is_votes else "ranking task")
    if options.to == "scores" and campaign.scores is not None:
        wrote = count(len(campaign.scores), "score")
    warn(
        [
            f"Wrote {wrote}." if target is None else f"Wrote {wrote} to {target}.",
            *(f"Lost in {options.to}: {loss}" for loss in lost),
        ]
    )
