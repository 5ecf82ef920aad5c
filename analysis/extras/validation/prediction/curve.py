"""``curve``: how well models predict after so many judgments."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.campaign import Judgments
from analysis.cli import flags
from analysis.cli.flags import add_preset
from analysis.cli.options import executor, progress_bar, read_campaign, selection, sizes_of
from analysis.cli.output import emit
from analysis.extras.validation.prediction.findings import too_noisy_words, worse_than_guessing
from analysis.extras.validation.prediction.learning_curves import (
    LearningCurve,
    learning_curve,
    mean_curve,
    sizes_within,
    training_pool,
)
from analysis.extras.validation.prediction.splits import (
    DRAWS,
    Protocol,
    Split,
    random_share,
    rare_segments,
)
from analysis.extras.validation.prediction.validate import (
    add_methods,
    models_of,
    protocol_of,
    test_file_split,
    tunings_of,
    with_dev,
)
from analysis.wording import thousands


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    preset = add_preset(parser, words, "curve")
    add_methods(parser, preset)
    usual = Protocol()
    parser.add_argument(
        "--sizes",
        type=sizes_of,
        help="training sizes in judgments, comma-separated "
        f"(default {','.join(str(size) for size in usual.sizes)})",
    )
    parser.add_argument(
        "--trials", type=int, help=(f"random subsets of each size (default {usual.trials})")
    )
    parser.add_argument(
        "--draw",
        choices=tuple(DRAWS),
        help="; ".join(f"{name}: {words}" for name, words in DRAWS.items())
        + f" (default {usual.draw})",
    )
    held_out = parser.add_mutually_exclusive_group()
    held_out.add_argument("--test", metavar="FILE2", help="predict the judgments of this file")
    held_out.add_argument(
        "--hm13", action="store_true", help="predict the rarely judged segments of FILE"
    )
    held_out.add_argument(
        "--hold-out",
        type=float,
        metavar="SHARE",
        help=(
            "predict this random share of FILE's tasks or, from 1 on, this many judgments "
            f"(default {usual.hold_out:g})"
        ),
    )
    parser.add_argument(
        "--all-pairs", action="store_true", help="the mean over every language pair of the file"
    )
    flags.add_selection(parser)
    flags.add_executors(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Train on more and more judgments, and print."""
    models, protocol = models_of(options), protocol_of(options)
    tunings = tunings_of(models, protocol)
    campaign, _ = read_campaign(options)
    pairs = campaign.pairs if options.all_pairs else (campaign.find_pair(options.pair),)
    splits, curves, notes = {}, {}, list[str]()
    sizes = protocol.sizes
    with executor(options) as workers:
        for pair in pairs:
            judgments = campaign.judgments(pair, selection(options))
            splits[pair] = with_dev(options, _split(options, judgments, protocol))
            if not options.all_pairs and protocol.draw in ("row", "task", "own"):
                pool = training_pool(splits[pair], protocol.tuning(), options.seed)
                sizes = sizes_within(pool, protocol.sizes)
                notes += _left_out(protocol.sizes, len(pool))
            with progress_bar(f"Learning curve, {pair}") as progress:
                curves[pair] = learning_curve(
                    splits[pair],
                    models,
                    sizes=sizes,
                    trials=protocol.trials,
                    draw=protocol.draw,
                    tuning=tunings,
                    seed=options.seed,
                    executor=workers,
                    progress=progress,
                )
    curve = mean_curve(curves) if options.all_pairs else curves[pairs[0]]
    n = sum(len(split.held_out) for split in splits.values())
    emit(
        options,
        curve_document(splits, curve, protocol, options.seed),
        curve.to_frame(),
        heading=f"{', '.join(pairs)}: {_headline(curve)}",
        notes=[
            f"Tested on {thousands(n)} judgments, mean of {protocol.trials} samples of each size.",
            *notes,
            *too_noisy_words(curve),
            *curve.notes,
            *worse_than_guessing(curve),
        ],
        first=("method", "size", "accuracy", "accuracy_deviation"),
    )


def _headline(curve: LearningCurve) -> str:
    """Say which method predicts best from the most judgments, and what is possible."""
    frame = curve.to_frame()
    last = frame[frame["size"] == frame["size"].max()].sort_values("accuracy")
    best, worst = last.iloc[-1], last.iloc[0]
    is_flat = len(last) > 1 and best["accuracy"] == worst["accuracy"]
    return (
        f"after {thousands(int(best['size']))} judgments "
        f"{'every method' if is_flat else best['method']} predicts {best['accuracy']:.1%} "
        f"correctly (standard error {100 * curve.test_error:.1f} points); {curve.oracle:.1%} is "
        "possible."
    )


def _left_out(sizes: tuple[int, ...], pool: int) -> list[str]:
    """Say which sizes are larger than what may train."""
    larger = [thousands(size) for size in sizes if size > pool]
    if not larger:
        return []
    what = f"sizes {larger[0]} to {larger[-1]} are" if larger[1:] else f"size {larger[0]} is"
    return [f"The {what} not shown: only {thousands(pool)} judgments may train."]


def _split(options: argparse.Namespace, judgments: Judgments, protocol: Protocol) -> Split:
    if options.test is not None:
        return test_file_split(options, judgments)
    if options.hm13 or (protocol.split == "hm13" and options.hold_out is None):
        return rare_segments(judgments)
    return random_share(judgments, protocol.hold_out, np.random.default_rng(options.seed))


def curve_document(
    splits: Mapping[str, Split], curve: LearningCurve, protocol: Protocol, seed: int
) -> dict[str, Any]:
    """Return a learning curve as the contract of the command line has it."""
    return {
        "lang_pair": ",".join(splits),
        "split": next(iter(splits.values())).name,
        "draw": protocol.draw,
        "trials": protocol.trials,
        "seed": seed,
        "judgments": sum(len(split.held_out) for split in splits.values()),
        "oracle": curve.oracle,
        "test_error": curve.test_error,
        "points": curve.to_frame().to_dict("records"),
        "notes": list(curve.notes),
    }
