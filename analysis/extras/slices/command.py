"""``slices``: standings by part of the campaign side by side, and what differs beyond noise."""

from __future__ import annotations

import argparse

from analysis.cli import flags
from analysis.cli.options import chosen_ranker, only, read_judgments
from analysis.cli.output import emit
from analysis.extras.slices import effects_command
from analysis.extras.slices.by_slice import BySlice, attribute_to_cut, by_slice, cutting
from analysis.extras.slices.findings import slices_finding, slices_words
from analysis.wording import fixed, listed


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument(
        "--by",
        metavar="ATTRIBUTE",
        help="the column to split by, such as domain (default: the first with several values)",
    )
    parser.add_argument(
        "--adjust-for",
        metavar="NAMES",
        help="instead of parts: Bradley–Terry scores adjusted for position and up to two columns "
        "of numbers, comma-separated",
    )
    flags.add_level(parser, "intervals and tests")
    flags.add_scope(parser)
    flags.add_selection(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)


def _systems(found: BySlice) -> list[dict[str, object]]:
    return [
        {
            "system": system,
            "scores": dict(zip(found.parts, found.scores[:, k], strict=True)),
            "half_widths": dict(zip(found.parts, found.half[:, k], strict=True)),
        }
        for k, system in enumerate(found.systems)
    ]


def run(options: argparse.Namespace) -> None:
    """Rank each part and print a row a system and a column a part."""
    only(options, "without --adjust-for", options.adjust_for is None, "by", "method")
    if options.adjust_for is not None:
        effects_command.run(options)
        return
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    attribute = attribute_to_cut(judgments, options.by)
    found = by_slice(
        judgments, attribute, ranker, level=options.level, scope=options.scope, seed=options.seed
    )
    signature = f"{ranker.provenance | judgments.provenance}|by:{attribute.name}"
    others = [one.name for one in cutting(judgments) if one.name != attribute.name]
    told = found.differences_frame()
    frame = found.to_frame()
    for k, part in enumerate(found.parts):
        if options.csv or options.latex:
            frame.insert(2 * k + 2, f"{part}_half_width", found.half[k])
        else:
            both = zip(frame[part], found.half[k], strict=True)
            frame[part] = [f"{fixed(score):>5} ± {fixed(half)}" for score, half in both]
    emit(
        options,
        {
            "lang_pair": judgments.pair,
            "by": attribute.name,
            "method": ranker.name,
            "ranked_by": found.method,
            "level": found.level,
            "parts": [
                {"part": part, "slice": words, "judgments": n}
                for part, words, n in zip(found.parts, found.slices, found.n_judgments, strict=True)
            ],
            "systems": _systems(found),
            "left_out": found.left_out,
            "differences": told.assign(
                told=[one in found.told for one in found.differences]
            ).to_dict("records"),
            "signature": signature,
        },
        frame,
        heading=f"{judgments.pair}: {slices_finding(found, str)}.",
        notes=[
            slices_words(found, str),
            *([f"Other columns to split by: {listed(others, most=10)}."] if others else []),
        ],
        signature=signature,
    )
