"""``validate``: which model to believe, by how well it predicts judgments it has not seen."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np

from analysis.campaign import Judgments
from analysis.cli import flags
from analysis.cli.flags import add_preset, set_ranking
from analysis.cli.options import (
    check_level,
    executor,
    only,
    profile,
    progress_bar,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.extras.validation.prediction.cross_validation import cross_validate
from analysis.extras.validation.prediction.findings import (
    probability_words,
    speaks_for,
    verdict_sentence,
)
from analysis.extras.validation.prediction.paired import (
    PairedComparison,
    accuracy_table,
    compare_paired,
)
from analysis.extras.validation.prediction.predict import (
    MODELS,
    Model,
    keeps_own_radius,
    model_named,
)
from analysis.extras.validation.prediction.radius import GRIDS, TUNE_ON, Tuning
from analysis.extras.validation.prediction.splits import (
    AVERAGES,
    DEFAULT_FOLDS,
    FOLD_UNITS,
    Protocol,
    Split,
    k_fold,
    rare_segments,
    test_file,
    with_dev_file,
)
from analysis.formats import read_path
from analysis.presets import DEFAULT_PRESET, Preset, preset_named
from analysis.rankers import COMPARED_METHODS, RANKERS
from analysis.wording import fixed

DEFAULT_METHODS = ",".join(COMPARED_METHODS)


FIRST = ("method", "accuracy", "perplexity", "accuracy_low", "accuracy_high")
"""Columns that a narrow terminal keeps, the most important first."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    preset = add_preset(parser, words, "validate")
    add_methods(parser, preset)
    parser.add_argument(
        "--folds", type=int, help=f"number of folds (default {DEFAULT_FOLDS}; WMT14 used 100)"
    )
    parser.add_argument(
        "--average",
        choices=tuple(AVERAGES),
        help="accuracy over folds; "
        + "; ".join(f"{name}: {words}" for name, words in AVERAGES.items())
        + f" (default {Protocol().average})",
    )
    held_out = parser.add_mutually_exclusive_group()
    held_out.add_argument(
        "--split",
        choices=(*FOLD_UNITS, "hm13"),
        type=flags.unit_name,
        help=(
            "unit that a fold predicts: whole tasks (default), single judgments, segments, "
            "documents, judges; or, once, the rarely judged segments as Hopkins & May 2013 did"
        ),
    )
    held_out.add_argument(
        "--test", metavar="FILE2", help="predict this file; all selected judgments of FILE train"
    )
    parser.add_argument(
        "--all-pairs",
        action="store_true",
        help="every language pair of the file, as a table of accuracies with the oracle last",
    )
    flags.add_selection(parser)
    parser.add_argument("--runs", type=int, default=1000, help=argparse.SUPPRESS)
    flags.add_scope(parser)
    flags.add_level(parser, "intervals")
    flags.add_executors(parser)
    flags.add_output(parser)
    set_ranking(parser, words, preset)


def add_methods(parser: argparse.ArgumentParser, preset: Preset | None) -> None:
    """Declare which models take part, and how their radii are tuned."""
    known = ", ".join({**RANKERS, **MODELS})
    parser.add_argument(
        "--methods",
        default=",".join(preset.methods) if preset and preset.methods else DEFAULT_METHODS,
        help=f"comma-separated, of {known}; settings after colons, "
        "trueskill:players=3:selection=shuffled (default %(default)s)",
    )
    parser.add_argument(
        "--grid",
        choices=tuple(GRIDS),
        help="; ".join(f"{name}: {grid.title}" for name, grid in GRIDS.items())
        + f" (default {Protocol().grid})",
    )
    parser.add_argument(
        "--tune",
        choices=tuple(TUNE_ON),
        help="; ".join(f"{name}: {words}" for name, words in TUNE_ON.items())
        + " (default train, and none for a model with a given radius)",
    )
    parser.add_argument(
        "--dev",
        metavar="FILE|SHARE",
        help=(
            "the development set of --tune dev: a file of judgments, a share of the training "
            f"judgments, or a number of judgments (default {Protocol().dev:g})"
        ),
    )


def protocol_of(options: argparse.Namespace) -> Protocol:
    """Return how models are asked to predict: as the preset has it, and the flags given."""
    base = Protocol(**(preset_named(options.preset or DEFAULT_PRESET).protocol or {}))
    given = {f.name: getattr(options, f.name, None) for f in dataclasses.fields(base)}
    if options.dev is not None:
        given["dev"] = _amount(options.dev)
        if (options.tune or base.tune) != "dev":
            raise PodiumError("--dev", "nothing is tuned on it", "Add --tune dev.")
    return dataclasses.replace(base, **{k: v for k, v in given.items() if v is not None})


def _amount(text: str) -> float | None:
    """Return a share or a number; None where the text names a file."""
    try:
        return float(text)
    except ValueError:
        return None


def with_dev(options: argparse.Namespace, split: Split) -> Split:
    """Return the split with the development set that --dev names, where that is a file."""
    if options.dev is None or _amount(options.dev) is not None:
        return split
    campaign, _ = read_path(Path(options.dev), mapping=profile(options))
    chosen = dataclasses.replace(selection(options), exclude_systems=(), judges=())
    return with_dev_file(split, campaign.judgments(split.judgments.pair, chosen))


def tunings_of(models: Iterable[str], protocol: Protocol) -> dict[str, Tuning]:
    """Return how each model's radii are chosen: a radius that the user set is not tuned."""
    return {name: protocol.tuning(own_radius=keeps_own_radius(name)) for name in models}


def run(options: argparse.Namespace) -> None:
    """Validate on one language pair, or on all of them."""
    check_level(options)
    only(options, "without --test", options.test is None, "folds")
    models = models_of(options)
    campaign, _ = read_campaign(options)
    chosen = selection(options)
    pairs = campaign.pairs if options.all_pairs else [campaign.find_pair(options.pair)]
    comparisons = {}
    with executor(options) as workers:
        for pair in pairs:
            judgments = campaign.judgments(pair, chosen)
            comparisons[pair] = _validate(options, judgments, models, workers)
    if options.all_pairs:
        emit(
            options,
            [comparison_document(comparison, options.seed) for comparison in comparisons.values()],
            accuracy_table(comparisons).reset_index(names="pair"),
            heading="Accuracy in percent; no model can beat the oracle.",
            decimals=1,
        )
        return
    (comparison,) = comparisons.values()
    emit(
        options,
        comparison_document(comparison, options.seed),
        comparison.to_frame(),
        heading=f"{comparison.split.judgments.pair}: {verdict_sentence(comparison)}",
        notes=_notes(comparison),
        first=FIRST,
        signature=" & ".join(s.score.signature for s in comparison.standings),
    )


def models_of(options: argparse.Namespace) -> dict[str, Model]:
    """Return the models that --methods names, by what it calls them."""
    names = [name.strip() for name in options.methods.split(",")]
    preset = preset_named(options.preset or DEFAULT_PRESET)
    return {name: model_named(name, preset.settings) for name in names}


def _validate(
    options: argparse.Namespace,
    judgments: Judgments,
    models: dict[str, Model],
    workers: Executor | None,
) -> PairedComparison:
    protocol = protocol_of(options)
    split = with_dev(options, _split(options, judgments, protocol))
    tunings = tunings_of(models, protocol)
    scores = []
    for name, model in models.items():
        with progress_bar(f"{judgments.pair}, {model.title}") as progress:
            scores.append(
                cross_validate(
                    split,
                    model,
                    label=name,
                    tuning=tunings[name],
                    average=protocol.average,
                    seed=options.seed,
                    executor=workers,
                    progress=progress,
                )
            )
    return compare_paired(split, scores, level=options.level, scope=options.scope)


def _split(options: argparse.Namespace, judgments: Judgments, protocol: Protocol) -> Split:
    if options.test is not None:
        return test_file_split(options, judgments)
    if protocol.split == "hm13":
        return rare_segments(judgments)
    rng = np.random.default_rng(options.seed)
    return k_fold(judgments, protocol.folds, rng, protocol.split)


def test_file_split(options: argparse.Namespace, judgments: Judgments) -> Split:
    """Return the split that predicts the file --test; the choice of judges is for training only."""
    campaign, _ = read_path(Path(options.test), mapping=profile(options))
    chosen = dataclasses.replace(selection(options), exclude_systems=(), judges=())
    return test_file(judgments, campaign.judgments(judgments.pair, chosen))


test_file_split.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def comparison_document(comparison: PairedComparison, seed: int) -> dict[str, Any]:
    """Return a comparison as the contract of the command line has it; no run was drawn for it."""
    split = comparison.split
    *rows, _ = comparison.to_frame().to_dict("records")
    return {
        "lang_pair": split.judgments.pair,
        "split": split.name,
        "folds": split.n_folds,
        "judgments": len(split.held_out),
        "tasks": split.held_out.n_tasks,
        "runs": 0,
        "level": comparison.level,
        "scope": comparison.scope,
        "seed": seed,
        "verdict": verdict_sentence(comparison),
        "oracle": comparison.oracle,
        "methods": [
            {
                **row,
                "signature": s.score.signature,
                "calibration": s.score.calibration.to_frame().to_dict("records"),
            }
            for row, s in zip(rows, comparison.standings, strict=True)
        ],
        "not_told_apart": list(comparison.not_separated),
        "differences": comparison.differences_frame().to_dict("records"),
        "notes": [*comparison.split.notes, *filter(None, [probability_words(comparison)])],
    }


def _notes(comparison: PairedComparison) -> list[str]:
    """Return what a person should know beside the table."""
    split, best = comparison.split, comparison.standings[0].score.method
    folds = "one fold" if split.n_folds == 1 else f"{split.n_folds} folds"
    notes = [
        f"{len(split.held_out)} judgments of {split.held_out.n_tasks} tasks predicted in {folds}. "
        f"Intervals and tests at the {comparison.level:.0%} level for {speaks_for(comparison)}; "
        f"intervals of differences are {np.sqrt(split.reuse):.2f} times as wide, since folds share "
        "training judgments."
    ]
    alike = comparison.not_separated
    for standing in comparison.standings[1:]:
        other = comparison.difference(best, standing.score.method)
        accuracy = other.accuracy
        notes.append(
            f"{other.second} is {fixed(100 * accuracy.value, 1)} points less accurate than {best} "
            f"({fixed(100 * accuracy.low, 1)} to {fixed(100 * accuracy.high, 1)})"
            + (": not significant." if other.second in alike else ".")
        )
    return [*notes, probability_words(comparison), *comparison.split.notes]
