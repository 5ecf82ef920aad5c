"""Koehn's studies: how many judgments it takes to rank systems, and how far to trust the ranking.

Every study draws campaigns whose truth is known (`campaigns`) and looks at what
can be concluded from them. Sizes are numbers of pairwise judgments.

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*.
Some settings are not what its text says, but what its numbers need: the σ² of Table 4 are standard
deviations, its sign test is one-sided, and the errors of Figure 3 come out at a spread of 20. There
Lopez errs in 16.1 to 16.6% at 10,000 judgments, whatever breaks ties of his order, where 17.6% is
printed. Table 1's bootstrap comes out in size and clusters when 5 of 1,000 resamples are left out
at each end (level .99) instead of the 25 that the text names.

Slips of its formulas are mended: loss(j, k) is win(k, j), not one minus it (eq. 3); violations are
max(0, loss - win); Expected Wins divides by the number of opponents (eq. 4), a ranking's error by
its n(n-1)/2 pairs (eq. 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import PodiumError
from analysis.extras.validation.simulation.campaigns import (
    Simulation,
    simulate_cells,
    simulate_counts,
)
from analysis.parallel import Progress, map_chunks, map_items
from analysis.provenance import Provenance
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.ranker import CountRanker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.rankers.resampling import add_drawn_units
from analysis.ranking.certainty import Replicates
from analysis.ranking.clusters import clusters_from_ends
from analysis.ranking.rank_ranges import pairwise_rank_ranges, rank_ranges
from analysis.ranking.significance import sign_test

SIGNIFICANT = 0.05
"""Two systems differ significantly where a one-sided sign test gives at most this."""

FIFTEEN_SYSTEMS = Simulation(systems=15, spread=10.0)
FIGURE3 = Simulation(systems=15, spread=20.0)
SIZES = (10_000, 20_000, 30_000, 40_000, 50_000)

RangeMethod = Literal["pairwise", "rows", "task"]
RANGE_METHODS: tuple[RangeMethod, ...] = get_args(RangeMethod)

COUNT_RANKERS: tuple[CountRanker, ...] = (OrigWMT(), Bojar(), ExpectedWins(), Lopez())


def ranking_error(scores: FloatArray, abilities: FloatArray) -> FloatArray:
    """Return the share of the n(n-1)/2 system pairs in the wrong order; equal scores count half.

    >>> float(ranking_error(np.array([.7, .2, .4]), np.array([9., 5., 1.])))
    0.3333333333333333
    """
    first, second = np.triu_indices(abilities.shape[-1], 1)
    truth = np.sign(abilities[..., first] - abilities[..., second])
    found = np.sign(scores[..., first] - scores[..., second])
    return np.asarray((1 - truth * found).mean(axis=-1) / 2)


def significant_share(counts: PairCounts) -> FloatArray:
    """Return the share of system pairs that differ by the sign test."""
    n = counts.n_systems
    better = sign_test(counts.wins, counts.losses, sides=1) <= SIGNIFICANT
    return np.asarray(better.sum(axis=(-2, -1)) / (n * (n - 1) / 2))


def study_ranking_error(
    sizes: Sequence[int] = SIZES,
    rankers: Sequence[CountRanker] = COUNT_RANKERS,
    simulation: Simulation = FIGURE3,
    *,
    experiments: int = 200,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return each method's mean ranking error by size, with its standard error (Figure 3)."""
    function = partial(_ranking_errors, simulation, tuple(sizes), tuple(rankers))
    chunks = map_chunks(
        function, experiments, seed=seed, chunk=20, executor=executor, progress=progress
    )
    errors = np.concatenate(chunks)
    return pd.DataFrame(
        {
            "method": np.repeat([ranker.name for ranker in rankers], len(sizes)),
            "judgments": np.tile(sizes, len(rankers)),
            "error": errors.mean(axis=0).ravel(),
            "standard_error": (errors.std(axis=0) / np.sqrt(experiments)).ravel(),
        }
    )


def _ranking_errors(
    simulation: Simulation,
    sizes: tuple[int, ...],
    rankers: tuple[CountRanker, ...],
    n: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return errors[n, methods, sizes] of ``n`` experiments."""
    abilities = simulation.draw_abilities(n, rng)
    counts = simulate_counts(simulation, abilities, sizes, rng)
    errors = [
        ranking_error(ranker.scores_from_counts(counts), abilities[:, None]) for ranker in rankers
    ]
    return np.stack(errors, axis=1)


def separation_curve(
    simulation: Simulation,
    sizes: Sequence[int],
    *,
    experiments: int = 60,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Return shares[experiments, sizes] of the system pairs that differ (Figure 2)."""
    function = partial(separations, simulation, tuple(sizes))
    chunks = map_chunks(
        function, experiments, seed=seed, chunk=10, executor=executor, progress=progress
    )
    return np.concatenate(chunks)


def separations(
    simulation: Simulation, sizes: tuple[int, ...], n: int, rng: np.random.Generator
) -> FloatArray:
    """Return shares[n, sizes] of the pairs that differ in ``n`` simulated campaigns."""
    abilities = simulation.draw_abilities(n, rng)
    return significant_share(simulate_counts(simulation, abilities, sizes, rng))


def judgments_needed(
    shares: Sequence[float], sizes: Sequence[int], curve: FloatArray
) -> FloatArray:
    """Return the sizes at which a mean curve first reaches some shares; nan past its end.

    Between two sizes the share is taken to grow with the logarithm of the size.
    """
    reached = np.maximum.accumulate(curve)
    needed = np.exp(np.interp(shares, reached, np.log(sizes), right=np.nan))
    return np.where(np.asarray(shares) <= reached[0], sizes[0], needed)


def study_judgments_needed(
    cells: pd.DataFrame,
    *,
    experiments: int = 60,
    limit: int = 1_000_000,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return Table 4 simulated: cells with columns n, sd, share and, where known, ``judgments``.

    Adds ``needed``, the judgments at which that share of the pairs differs on average, and,
    where ``judgments`` are given, ``share_reached``, the share that differs by that many.
    """
    each = cells[["n", "sd"]].drop_duplicates().to_numpy()
    settings = [(int(n), float(sd)) for n, sd in sorted(each.tolist())]
    function = partial(_cells_of_one_setting, experiments, limit, cells)
    tables = map_items(
        function, settings, [n for n, _ in settings], seed=seed, executor=executor,
        progress=progress,
    )  # fmt: skip
    return pd.concat(tables, ignore_index=True)


def _cells_of_one_setting(
    experiments: int,
    limit: int,
    cells: pd.DataFrame,
    setting: tuple[int, float],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Grow the experiments of one number of systems and one spread, to all sizes of interest."""
    simulation = Simulation(systems=setting[0], spread=setting[1])
    cells = cells[(cells["n"] == simulation.systems) & (cells["sd"] == simulation.spread)]
    known = cells["judgments"].to_numpy() if "judgments" in cells else np.zeros(0, dtype=np.int64)
    sizes = np.unique(np.geomspace(200, limit, 75).astype(np.int64))
    curve = separations(simulation, tuple(sizes.tolist()), experiments, rng).mean(axis=0)
    result = cells.assign(needed=judgments_needed(cells["share"].to_list(), sizes.tolist(), curve))
    if len(known):
        result["share_reached"] = np.interp(np.log(known), np.log(sizes), curve)
    return result


@dataclass(frozen=True, eq=False)
class RangeQuality:
    """How wide and how right rank ranges and clusters are; each array has one value per experiment.

    ``size`` is the mean number of ranks in a range, ``violations`` the share of systems
    whose true rank is outside, ``clusters`` their number, ``cluster_violations`` the share of
    systems with a truly better one in a lower cluster or a truly worse one in a higher cluster
    (§5.2).
    """

    size: FloatArray
    violations: FloatArray
    clusters: FloatArray
    cluster_violations: FloatArray


def range_quality(
    low: IntArray, high: IntArray, scores: FloatArray, abilities: FloatArray
) -> RangeQuality:
    """Hold rank ranges [..., K] and the clusters they make against the true ranks."""
    n = abilities.shape[-1]
    truth = 1 + (abilities[..., None, :] > abilities[..., :, None]).sum(axis=-1)
    clusters = clusters_from_ends(low, high, scores)
    lower = clusters[..., None, :] > clusters[..., :, None]
    better = truth[..., None, :] < truth[..., :, None]
    misplaced = better & lower
    violated = (misplaced | misplaced.swapaxes(-1, -2)).any(axis=-1)
    return RangeQuality(
        size=(high - low + 1).mean(axis=-1),
        violations=((truth < low) | (truth > high)).sum(axis=-1) / n,
        clusters=clusters.max(axis=-1).astype(np.float64),
        cluster_violations=violated.sum(axis=-1) / n,
    )


def study_rank_ranges(
    sizes: Sequence[int] = SIZES,
    methods: Sequence[RangeMethod] = RANGE_METHODS,
    simulation: Simulation = FIFTEEN_SYSTEMS,
    *,
    experiments: int = 200,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return size and violations of rank ranges and clusters, by method and size (Table 1).

    Methods are ``pairwise`` (sign tests), and bootstraps of Expected Wins over ``rows`` or over
    whole ranking tasks (``task``). Violations are shares; a range at .95 may have .05 of them.
    """
    function = partial(_range_qualities, simulation, tuple(sizes), tuple(methods), resamples, level)
    chunks = map_chunks(
        function, experiments, seed=seed, chunk=2, executor=executor, progress=progress
    )
    qualities = np.concatenate(chunks)
    means, deviations = qualities.mean(axis=0), qualities.std(axis=0)
    index = pd.MultiIndex.from_product([methods, sizes], names=["method", "judgments"])
    names = ["size", "violations", "clusters", "cluster_violations"]
    table = pd.DataFrame(means.reshape(-1, 4), index=index, columns=names)
    errors = (deviations / np.sqrt(experiments)).reshape(-1, 4)
    return table.assign(violations_error=errors[:, 1]).reset_index()


def _range_qualities(
    simulation: Simulation,
    sizes: tuple[int, ...],
    methods: tuple[RangeMethod, ...],
    resamples: int,
    level: float,
    n: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return qualities[n, methods, sizes, 4] of ``n`` experiments, each a growing campaign."""
    result = np.empty((n, len(methods), len(sizes), 4))
    for e, ability in enumerate(simulation.draw_abilities(n, rng)):
        all_cells = simulate_cells(simulation, ability, simulation.n_tasks(max(sizes)), rng)
        for s, size in enumerate(sizes):
            cells = all_cells[: simulation.n_tasks(size)]
            for m, method in enumerate(methods):
                low, high, scores = _ranges_by(method, cells, len(ability), resamples, level, rng)
                quality = range_quality(low, high, scores, ability)
                result[e, m, s] = list(vars(quality).values())
    return result


def _ranges_by(
    method: RangeMethod,
    cells: npt.NDArray[np.int32],
    k: int,
    resamples: int,
    level: float,
    rng: np.random.Generator,
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the ends of the rank ranges and the scores that order the systems."""
    table = np.bincount(cells.ravel(), minlength=2 * k * k).astype(np.float64)
    if method == "pairwise":
        counts = PairCounts.from_cells(table, k)
        return *pairwise_rank_ranges(counts, SIGNIFICANT), ExpectedWins().scores_from_counts(counts)
    tables = _resampled_tables(method, cells, table, resamples, rng)
    scores = ExpectedWins().scores_from_counts(PairCounts.from_cells(tables, k))
    names = tuple(map(str, range(k)))
    ranges = rank_ranges(Replicates(names, scores, "task", 0, Provenance()), level)
    return ranges.rank_best, ranges.rank_worst, ranges.mean


def _resampled_tables(
    method: RangeMethod,
    cells: npt.NDArray[np.int32],
    table: FloatArray,
    resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw a campaign's rows or tasks again, as many as there are, many times over."""
    tables = np.zeros((resamples, len(table)))
    if method == "rows":  # Rows of one cell are alike, so their numbers are multinomial.
        filled = np.flatnonzero(table)
        drawn = rng.multinomial(cells.size, table[filled] / cells.size, size=resamples)
        tables[:, filled] = drawn
    elif method == "task":
        start = np.arange(len(cells) + 1) * cells.shape[1]
        add_drawn_units(start, cells.ravel(), tables, rng)
    else:
        raise PodiumError(
            "Rank ranges", f"{method!r} is not known", f"Choose one of {', '.join(RANGE_METHODS)}."
        )
    return tables
