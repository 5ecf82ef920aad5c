"""``simulate``: Koehn's studies on campaigns whose truth is known, or such a campaign as a file."""

from __future__ import annotations

import argparse
import dataclasses
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pandas as pd

from analysis import published
from analysis.cli import flags
from analysis.cli.flags import add_preset
from analysis.cli.options import check_level, executor, only, progress_bar, read_campaign, sizes_of
from analysis.cli.output import emit, new_file, warn, write_whole
from analysis.errors import PodiumError
from analysis.extras.validation.simulation import koehn2012
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.extras.validation.simulation.findings import (
    error_title,
    error_words,
    needed_title,
    needed_words,
    range_words,
    ranges_title,
    spread_title,
    spread_words,
)
from analysis.extras.validation.simulation.spread_fit import EXPERIMENTS, fit_spread
from analysis.formats.writing import write
from analysis.parallel import Progress
from analysis.parameters import from_settings, hyperparameters
from analysis.presets import Preset
from analysis.wording import percent, thousands

STUDIES = {
    "ranking-error": "share of system pairs in the wrong order, by method (Figure 3)",
    "rank-ranges": "size and violations of rank ranges and clusters (Table 1)",
    "significance": "share of system pairs that differ significantly by a sign test (Figure 2)",
    "judgments-needed": "judgments that separate a share of the pairs (Table 4)",
    "spread": (
        "the standard deviation at which simulated campaigns separate pairs as FILE does (Figure 2)"
    ),
}


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags; a simulation's settings are among them."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--study",
        choices=tuple(STUDIES),
        help="; ".join(f"{name}: {words}" for name, words in STUDIES.items()),
    )
    what.add_argument("-o", "--output", metavar="OUT", help="write one campaign to this CSV file")
    parser.add_argument("--like", metavar="FILE", help="the campaign to fit, or sample:NAME")
    parser.add_argument("--pair", help="its language pair, in any spelling: eng-fin")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--judgments", type=int, default=10_000, help="size of the campaign written (10000)"
    )
    parser.add_argument(
        "--sizes",
        default=",".join(map(str, koehn2012.SIZES)),
        help="sizes to study, in judgments, comma-separated (default %(default)s)",
    )
    parser.add_argument(
        "--experiments",
        type=int,
        help="simulated campaigns (default 200; 60 for Table 4, 30 for Figure 2)",
    )
    flags.add_resamples(parser, "of a study")
    flags.add_level(parser, "bootstrapped rank ranges")
    flags.add_seed(parser)
    flags.add_executors(parser)
    flags.add_output(parser)
    flags.add_hyperparameters(parser, Simulation)
    preset = add_preset(parser, words, "simulate")
    if preset is not None:
        parser.set_defaults(**_sizes_of_study(preset, flags.word_after(words, "--study")))


def _sizes_of_study(preset: Preset, study: str | None) -> dict[str, Any]:
    """Return what a preset says of a study, as defaults of the flags."""
    if study is None or study not in preset.studies:
        raise PodiumError(
            f"--preset {preset.name}",
            f"it has no settings for {f'the study {study}' if study else 'one campaign as a file'}",
            f"It is for --study {' and --study '.join(preset.studies)}.",
        )
    said = dict(preset.studies[study])
    if "sizes" in said:
        said["sizes"] = ",".join(map(str, said["sizes"]))
    return said


def run(options: argparse.Namespace) -> None:
    """Run a study and print it, or write a campaign."""
    check_level(options)
    if (options.study == "spread") != (options.like is not None):
        raise PodiumError(
            "--like", "it works only with --study spread, which needs it", "Use both or neither."
        )
    only(options, "with --study", options.study, "experiments", "resamples_given")
    if options.study is None:
        _write_campaign(options)
        return
    if options.study == "spread":
        _print_spread(options)
        return
    with executor(options) as workers, progress_bar("Simulating") as progress:
        frame = _study(options, workers, progress)
    emit(
        options,
        {"study": options.study, "seed": options.seed, "rows": frame.to_dict("records")},
        frame,
        heading=f"{_finding(options, frame)}.",
        notes=[f"Koehn 2012: {STUDIES[options.study]}.", *_columns(options)],
    )


def _finding(options: argparse.Namespace, frame: pd.DataFrame) -> str:
    """Say what a study shows, by its last size."""
    if options.study == "ranking-error":
        return error_title(frame)
    if options.study == "rank-ranges":
        return ranges_title(frame, options.level)
    if options.study == "judgments-needed":
        return needed_title(frame, float(frame["sd"].iloc[-1]))
    last = frame.iloc[-1]
    share, size = percent(float(last["share"])), thousands(int(last["judgments"]))
    return f"After {size} judgments, {share} of the pairs differ significantly by a sign test"


def _columns(options: argparse.Namespace) -> list[str]:
    """Explain the columns of a study, and say how many campaigns it is made of."""
    if options.study == "ranking-error":
        return [error_words(options.experiments or 200)]
    if options.study == "rank-ranges":
        return [
            "size: mean number of ranks in a range. violations: share of systems whose true rank "
            "is outside, with its standard error. rows, task: resampled judgments, or tasks.",
            range_words(options.experiments or 200, options.runs),
        ]
    if options.study == "judgments-needed":
        return [needed_words(options.experiments or 60)]
    return ["share: mean over simulated campaigns, with its standard deviation."]


def _print_spread(options: argparse.Namespace) -> None:
    """Fit the spread to a campaign, and print both curves."""
    if _given(options):
        raise PodiumError(
            "--study spread", "FILE determines what is simulated", "Leave settings out."
        )
    campaign, _ = read_campaign(
        argparse.Namespace(files=options.like, judge_names=False, **vars(options))
    )
    experiments = EXPERIMENTS if options.experiments is None else options.experiments
    if experiments < 1:
        raise PodiumError("--experiments", "there are fewer than one", "Use 1 or more.")
    with executor(options) as workers, progress_bar("Simulating") as progress:
        fit = fit_spread(
            campaign.judgments(options.pair),
            experiments=experiments,
            seed=options.seed,
            executor=workers,
            progress=progress,
        )
    document = {
        "study": options.study,
        "seed": options.seed,
        "spread": fit.best,
        "misfit": dict(zip(fit.spreads.tolist(), fit.misfit.tolist(), strict=True)),
        "systems": fit.simulation.systems,
        "rows": fit.to_frame().to_dict("records"),
    }
    emit(
        options,
        document,
        fit.to_frame(),
        heading=f"{spread_title(fit)}.",
        notes=[spread_words(fit)],
    )


def _study(
    options: argparse.Namespace, workers: Executor | None, progress: Progress | None
) -> pd.DataFrame:
    experiments = 200 if options.experiments is None else options.experiments
    if experiments < 1 or options.runs < 1:
        raise PodiumError("Experiments, resamples", "there are fewer than one", "Use 1 or more.")
    how: dict[str, Any] = dict(seed=options.seed, executor=workers, progress=progress)
    sizes = sorted({*sizes_of(options.sizes)})
    if options.study == "ranking-error":
        simulation = _simulation(options, koehn2012.FIGURE3)
        return koehn2012.study_ranking_error(
            sizes, simulation=simulation, experiments=experiments, **how
        )
    simulation = _simulation(options, koehn2012.FIFTEEN_SYSTEMS)
    if options.study == "rank-ranges":
        how |= dict(resamples=options.runs, level=options.level)
        return koehn2012.study_rank_ranges(
            sizes, simulation=simulation, experiments=experiments, **how
        )
    if options.study == "significance":
        curve = koehn2012.separation_curve(simulation, sizes, experiments=experiments, **how)
        columns = {"judgments": sizes, "share": curve.mean(axis=0), "sd": curve.std(axis=0)}
        return pd.DataFrame(columns)
    cells = _cells(options, simulation)
    return koehn2012.study_judgments_needed(cells, experiments=options.experiments or 60, **how)


def _cells(options: argparse.Namespace, simulation: Simulation) -> pd.DataFrame:
    """Return the cells of Table 4, or those of the one simulation that the flags describe."""
    given = set(_given(options))
    if not given:
        return published.koehn_table4()
    if given - {"systems", "spread"}:
        raise PodiumError(
            "judgments-needed",
            "it varies only the number of systems and their standard deviation",
            "Leave other settings out.",
        )
    shares = sorted(published.koehn_table4()["share"].unique())
    return pd.DataFrame({"n": simulation.systems, "sd": simulation.spread, "share": shares})


def _given(options: argparse.Namespace) -> dict[str, str]:
    """Return the simulation's settings that stand on the command line."""
    named = {p.name: getattr(options, f"hyperparameter_{p.name}") for p in _SETTINGS}
    return {name: value for name, value in named.items() if value is not None}


_SETTINGS = hyperparameters(Simulation)


def _simulation(options: argparse.Namespace, base: Simulation) -> Simulation:
    """Return a study's simulation, with the settings that stand on the command line."""
    given = _given(options)
    parsed = from_settings(Simulation, given)
    return dataclasses.replace(base, **{name: getattr(parsed, name) for name in given})


def _write_campaign(options: argparse.Namespace) -> None:
    target = new_file(options.output, force=options.force)
    if options.judgments < 1:
        raise PodiumError("--judgments", f"{options.judgments} is too few", "Use 1 or more.")
    simulation = _simulation(options, Simulation())
    rng = np.random.default_rng(options.seed)
    ability = simulation.draw_abilities(1, rng)[0]
    campaign = simulate_campaign(simulation, ability, simulation.n_tasks(options.judgments), rng)
    write_whole(target, write(campaign, "wmt-5way"))
    truth = ", ".join(
        f"{name} {value:.2f}"
        for value, name in sorted(zip(ability, campaign.systems, strict=True), reverse=True)
    )
    warn([f"Wrote {campaign.n_tasks} ranking tasks to {target}.", f"True abilities: {truth}."])
