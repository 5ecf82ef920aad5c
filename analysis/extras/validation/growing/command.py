"""``grow``: how many clusters, and which abilities, a campaign of so many judgments would have."""

from __future__ import annotations

import argparse

from analysis.campaign import Judgments
from analysis.cli import flags
from analysis.cli.options import executor, only, progress_bar, read_judgments, sizes_of
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.extras.validation.growing.findings import (
    ABILITIES_MADE,
    CLUSTERS_MADE,
    growth_finding,
    trainings_finding,
)
from analysis.extras.validation.growing.growing import (
    CLUSTER_METHODS,
    CLUSTER_RUNS,
    CLUSTER_TRIALS,
    GROWING_SIZES,
    TRAINING_SIZE,
    TRAININGS,
    Trainings,
    cluster_growth,
    train_repeatedly,
)
from analysis.extras.validation.prediction.learning_curves import sizes_within
from analysis.extras.validation.prediction.splits import DRAWS
from analysis.provenance import Provenance
from analysis.rankers import Ranker, ranker_class


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument(
        "--of",
        choices=("clusters", "abilities"),
        default="clusters",
        help=(
            "clusters: how many, by size (Sakaguchi et al. 2014, Figure 8); abilities: their "
            "mean and standard deviation over trainings of one size, and the predicted "
            "probabilities (Hopkins & May 2013, Figure 6) (default %(default)s)"
        ),
    )
    parser.add_argument(
        "--methods",
        help=f"comma-separated (default {','.join(CLUSTER_METHODS)}; abilities hopkins-may)",
    )
    parser.add_argument(
        "--sizes",
        help=(
            f"numbers of judgments, comma-separated (default {','.join(map(str, GROWING_SIZES))}; "
            f"abilities {TRAINING_SIZE})"
        ),
    )
    parser.add_argument(
        "--trials",
        type=int,
        help=f"random subsets of each size (default {CLUSTER_TRIALS}; abilities {TRAININGS})",
    )
    flags.add_resamples(parser, "for clusters", CLUSTER_RUNS)
    flags.add_level(parser, "rank ranges")
    parser.add_argument(
        "--draw",
        choices=tuple(DRAWS),
        default="own",
        help="; ".join(f"{name}: {words}" for name, words in DRAWS.items())
        + " (default %(default)s)",
    )
    flags.add_selection(parser)
    flags.add_executors(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Draw, rank and print."""
    only(options, "with --of clusters", options.of == "clusters", "resamples_given")
    judgments = read_judgments(options)
    if options.trials is None:
        options.trials = CLUSTER_TRIALS if options.of == "clusters" else TRAININGS
    if options.of == "clusters":
        _clusters(options, judgments)
    else:
        _abilities(options, judgments)


def _clusters(options: argparse.Namespace, judgments: Judgments) -> None:
    rankers = _rankers(options.methods or ",".join(CLUSTER_METHODS))
    sizes = sizes_of(options.sizes) if options.sizes else sizes_within(judgments, GROWING_SIZES)
    with executor(options) as workers, progress_bar("Growing") as progress:
        growth = cluster_growth(
            judgments, rankers, sizes=sizes, trials=options.trials, draw=options.draw,
            runs=options.runs, level=options.level, seed=options.seed, executor=workers,
            progress=progress,
        )  # fmt: skip
    frame = growth.to_frame()
    signature = _signature(options, judgments, runs=options.runs)
    emit(
        options,
        {
            "lang_pair": judgments.pair,
            "of": "clusters",
            "points": frame.to_dict("records"),
            "signature": signature,
        },
        frame,
        heading=f"{judgments.pair}: {growth_finding(growth)}.",
        notes=[CLUSTERS_MADE],
        decimals=1,
        signature=signature,
    )


def _abilities(options: argparse.Namespace, judgments: Judgments) -> None:
    rankers = _rankers(options.methods or "hopkins-may")
    sizes = sizes_of(options.sizes or str(TRAINING_SIZE))
    if len(rankers) != 1 or len(sizes) != 1:
        raise PodiumError(
            "--of abilities", "it shows one method at one size", "Give one method and one size."
        )
    ((name, ranker),) = rankers.items()
    with executor(options) as workers, progress_bar("Training") as progress:
        found = train_repeatedly(
            judgments, ranker, size=sizes[0], trainings=options.trials, seed=options.seed,
            executor=workers, progress=progress,
        )  # fmt: skip
    frame = found.to_frame()
    signature = _signature(options, judgments, method=ranker)
    document = {
        "lang_pair": judgments.pair,
        "of": "abilities",
        "method": name,
        "size": found.size,
        "trainings": options.trials,
        "systems": frame.to_dict("records"),
        "predicted": None,
        "signature": signature,
    }
    if found.preferences is not None:
        document["predicted"] = [
            {"row": row, "column": column, "win": win, "tie": tie}
            for i, row in enumerate(found.systems)
            for j, column in enumerate(found.systems)
            if i != j
            for win, tie in [(found.preferences.win[i, j], found.preferences.tie[i, j])]
        ]
    emit(
        options,
        document,
        frame,
        heading=f"{judgments.pair}, {ranker.title}: {trainings_finding(found)}.",
        notes=[_whole(found) if found.is_whole else ABILITIES_MADE],
        signature=signature,
    )


def _whole(found: Trainings) -> str:
    """Say what to do if every training used all judgments."""
    return f"Use --sizes {max(1, found.size // 2)}, for example, or a larger campaign."


def _rankers(names: str) -> dict[str, Ranker]:
    return {name: ranker_class(name)() for name in names.split(",")}


def _signature(
    options: argparse.Namespace,
    judgments: Judgments,
    *,
    method: Ranker | None = None,
    runs: int | None = None,
) -> str:
    drawn = Provenance(
        extra=(("trials", options.trials), ("draw", options.draw)),
        runs=runs,
        seed=options.seed,
        level=None if runs is None else options.level,
    )
    chosen = Provenance() if method is None else method.provenance
    return str(chosen | drawn | judgments.provenance)
