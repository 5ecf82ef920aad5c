"""``noise``: how close methods stay to the gold standard where judges answer at random."""

from __future__ import annotations

import argparse

import pandas as pd

from analysis.cli import flags
from analysis.cli.options import (
    executor,
    numbers,
    parameterized,
    progress_bar,
    read_judgments,
    sizes_of,
)
from analysis.cli.output import emit
from analysis.extras.validation.noise.findings import (
    PRINTED,
    beside_print,
    metric_finding,
    missing_words,
    noise_finding,
)
from analysis.extras.validation.noise.noisy_judges import (
    GAIN,
    NOISES,
    SHARES,
    SIZES,
    NoiseDesign,
    study_noise,
)
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.graded_response.graded_response import parse_metric_scores


def _add_sizes(parser: argparse.ArgumentParser) -> None:
    """Declare how much is drawn, and how often."""
    parser.add_argument(
        "--shares",
        default=",".join(f"{share:g}" for share in SHARES),
        help="shares that are noise, comma-separated (default %(default)s)",
    )
    parser.add_argument(
        "--sizes",
        default=str(SIZES[-1]),
        help="judgments to learn from, comma-separated (default %(default)s; Figure 3 has "
        f"{','.join(map(str, SIZES))})",
    )
    parser.add_argument(
        "--trials",
        type=int,
        default=5,
        help="random subsets of each share and size (default %(default)s; the paper has 100)",
    )
    flags.add_resamples(parser, "behind the gold standard", 100)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    parser.add_argument(
        "--noise",
        choices=tuple(NOISES),
        default="judges",
        help="; ".join(f"{name}: {words}" for name, words in NOISES.items())
        + " (default %(default)s)",
    )
    parser.add_argument(
        "--ties",
        type=float,
        default=1 / 3,
        help=(
            "share of ties among the random answers (default a third, as in the paper; ranks of "
            "1 to 5 give 0.2)"
        ),
    )
    _add_sizes(parser)
    parser.add_argument(
        "--by-baseline",
        action="store_true",
        help="show the graded response model by baseline (Figure 3); --metric-scores adds the "
        "metric's scores (Figure 4)",
    )
    flags.add_selection(parser)
    flags.add_executors(parser)
    flags.add_output(parser)
    flags.add_hyperparameters(parser, GradedResponse)


CELLS = (
    "Cells: mean correlation with the gold standard by share of noise; --csv has standard errors "
    "and nDCG."
)


def _by_noise(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row per method and size, one column per share of noise, and what noise costs."""
    index = ["method", "size"] if len({*frame["size"]}) > 1 else ["method"]
    table = frame.pivot_table("correlation", index, "noise", sort=False)
    table.columns = pd.Index([f"{share:.0%}" for share in table.columns])
    if table.shape[1] > 1:
        table["lost"] = table.iloc[:, 0] - table.iloc[:, -1]
    return table.reset_index()


def _design(options: argparse.Namespace) -> NoiseDesign:
    graded = parameterized(options, GradedResponse)
    assert isinstance(graded, GradedResponse)
    return NoiseDesign(
        noise=options.noise,
        ties=options.ties,
        shares=numbers("--shares", options.shares, float),
        sizes=sizes_of(options.sizes),
        trials=options.trials,
        gold_runs=options.runs,
        graded=graded,
    )


def run(options: argparse.Namespace) -> None:
    """Make noise, rank, compare, and print."""
    design = _design(options)
    judgments = read_judgments(options)
    with executor(options) as workers, progress_bar("Noise") as progress:
        study = study_noise(
            judgments, design, seed=options.seed, executor=workers, progress=progress
        )
    metric = parse_metric_scores(design.graded.metric_scores) or None
    frame, baselines, beside = study.to_frame(), study.baselines_frame(metric), beside_print(study)
    last = baselines.tail(len(study.baselines))
    signature = str(design.provenance | judgments.provenance)
    emit(
        options,
        {
            "lang_pair": judgments.pair,
            "noise": design.noise,
            "gain": GAIN,
            "gold": [
                {"system": system, "score": score}
                for system, score in zip(study.systems, study.gold, strict=True)
            ],
            "rows": frame.to_dict("records"),
            "baselines": baselines.to_dict("records"),
            "beside_print": beside.to_dict("records"),
            "printed": PRINTED,
            "seed": options.seed,
            "signature": signature,
        },
        baselines if options.by_baseline else frame if options.csv else _by_noise(frame),
        heading=f"{judgments.pair}: {noise_finding(study)}.",
        notes=[
            line
            for line in (
                "Use --trials 3 or more to compare methods." if options.trials < 2 else "",
                "" if options.by_baseline else CELLS,
                missing_words(study),
                "" if metric is None else f"{metric_finding(last)}.",
                f"nDCG: {GAIN}. Noise: {NOISES[design.noise]}.",
                f"Published values: {PRINTED} (--json has both).",
            )
            if line
        ],
        signature=signature,
    )
