"""``what-if``: what survives a change of method, judges, systems or segments; a claim checked."""

from __future__ import annotations

import argparse

from analysis.cli import claim, stability
from analysis.cli.options import (
    add_certainty,
    add_file,
    add_method,
    add_output,
    add_selection,
)
from analysis.errors import PodiumError


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank, which methods, and the two systems of a claim."""
    add_file(parser)
    parser.add_argument("--better", metavar="SYSTEM", help="check a claim: the better system")
    parser.add_argument("--worse", metavar="SYSTEM", help="check a claim: the worse system")
    parser.add_argument(
        "--every-method",
        action="store_true",
        help="include the slow methods; another method estimates the uncertainty of their scores",
    )
    add_certainty(parser)
    add_selection(parser)
    add_output(parser)
    add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Check a claim if one is given; else change one thing at a time."""
    if (options.better is None) != (options.worse is None):
        raise PodiumError(
            "--better and --worse", "a claim needs both", "Name the other system as well."
        )
    (stability if options.better is None else claim).run(options)
