"""``effects``: what position, length and other numbers do, and standings with them held even."""

from __future__ import annotations

import argparse

from analysis.cli import flags
from analysis.cli.options import read_judgments
from analysis.cli.output import ENDS, emit
from analysis.extras.slices.controlled.columns import spelled, usually_held
from analysis.extras.slices.effects import style_beside_plain
from analysis.extras.slices.findings import STYLE, style_finding, winner_finding
from analysis.wording import signed

COLUMNS = {
    **ENDS, "even": "adjusted", "place, adjusted": "place_adjusted", "controlled for": "name",
}  # fmt: skip
"""What columns are called in answers."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument(
        "--adjust-for",
        "--held-even",
        dest="adjust_for",
        metavar="NAMES",
        help="see podium slices (default: position and the first column of numbers)",
    )
    flags.add_selection(parser)
    flags.add_level(parser, "intervals and tests")
    flags.add_scope(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Fit with and without, and print the effects and the abilities beside each other."""
    judgments = read_judgments(options)
    names = options.adjust_for or ",".join(usually_held(judgments.campaign))
    names = spelled(judgments.campaign, names)
    style = style_beside_plain(judgments, names, level=options.level, scope=options.scope)
    effects = style.effects.to_frame().rename(columns=COLUMNS)
    frame = style.to_frame().rename(columns=COLUMNS)
    emit(
        options,
        {
            "lang_pair": judgments.pair,
            "level": options.level,
            "effects": effects.to_dict("records"),
            "systems": frame.to_dict("records"),
            "signature": style.signature,
        },
        frame,
        heading=f"{judgments.pair}: {winner_finding(style)}.",
        notes=[
            f"{style_finding(style)}.",
            *(
                f"{row['name']}: {signed(row['effect'], 3)} in log-odds, "
                f"{signed(row['ci_low'], 3)} to {signed(row['ci_high'], 3)}."
                for row in effects.to_dict("records")
            ),
            STYLE,
        ],
        signature=style.signature,
    )
