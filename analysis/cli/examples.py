"""``examples``: small worked examples from the papers."""

from __future__ import annotations

import argparse

import pandas as pd

from analysis.cli.options import add_output
from analysis.cli.output import emit, text_table
from analysis.errors import PodiumError
from analysis.findings.examples import EXAMPLES


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one of them (default: all)")
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Work through the examples and print them; CSV and LaTeX take one by its name."""
    examples = [make() for make in EXAMPLES]
    names = [example.name for example in examples]
    if options.name is not None:
        if options.name not in names:
            raise PodiumError("Example", f"{options.name!r} is not one", f"Give {names}.")
        examples = [example for example in examples if example.name == options.name]
    elif options.csv or options.latex:
        raise PodiumError("Examples", "a table holds one", f"Name one of {', '.join(names)}.")
    document = [
        {
            "name": example.name,
            "title": example.title,
            "source": example.source,
            "point": example.point,
            "sentences": example.sentences,
            "rows": example.table.to_dict("records"),
        }
        for example in examples
    ]
    *before, last = examples
    above = [
        f"{example.title} ({example.name})\n{example.source}\n{example.point}\n"
        f"{text_table(_short(example.table), 3)}\n{' '.join(example.sentences)}\n"
        for example in before
    ]
    emit(
        options,
        document,
        last.table if options.csv or options.latex else _short(last.table),
        heading="\n".join([*above, f"{last.title} ({last.name})", last.source, last.point]),
        notes=[" ".join(last.sentences)],
    )


def _short(table: pd.DataFrame, most: int = 21) -> pd.DataFrame:
    """Return every k-th row of a long table, for a terminal."""
    return table.iloc[:: max(1, -(-len(table) // most))]
