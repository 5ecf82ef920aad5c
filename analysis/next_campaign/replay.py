"""A campaign played again: what if its judgments had been chosen?

Judgments of a campaign at hand are drawn with replacement, two systems at a time, as each method
of `choosing_matches` chooses them. Which pairs does the choice turn to at first and at last, and
how many clusters do so many judgments make?

Reference: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation* (SPV14), §2.4 and §5, figures 5–7.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts
from analysis.errors import PodiumError, control
from analysis.next_campaign.choosing_matches import METHODS, Method, check_method
from analysis.next_campaign.evidence import fit_independent, pairs_apart, told_apart
from analysis.next_campaign.knowledge import Knowledge
from analysis.parallel import Progress, map_items
from analysis.rankers.ranker import best_first, require_judgments
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.active_draw import choose_facts

REFITS_PER_DOUBLING, PARTS = 4, 20
"""A replay looks at the answers so often, and chooses this many pairs from look to look."""

LEVEL = 0.95
"""At which pairs count as separated and are not asked for any more."""


@dataclass(frozen=True, eq=False)
class ChosenPairs:
    """How often every two systems were chosen, best system first, on average over the runs.

    ``first[K, K]`` counts the first fifth of a run's draws, ``last[K, K]`` the last one.
    """

    method: Method
    systems: tuple[str, ...]
    first: FloatArray
    last: FloatArray
    draws: int


def chosen_pairs(
    judgments: Judgments,
    method: Method = "active",
    *,
    n_draws: int | None = None,
    runs: int = 20,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ChosenPairs:
    """Return which pairs are chosen at first and at last (SPV14, figures 5–7).

    ``n_draws`` are a run's draws; as many as there are judgments where not given.
    """
    require_judgments(judgments)
    n_draws = len(judgments) if n_draws is None else n_draws
    if n_draws < 5:
        raise PodiumError("Draws", f"{n_draws} cannot be split into fifths", "Use 5 or more.")
    _check_runs(runs)
    fifth = n_draws // 5
    function = partial(_fifths, judgments, method, (fifth, n_draws - fifth, n_draws))
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    tables = map_items(function, range(runs), seed=seed, executor=executor, progress=progress)
    first, last = np.mean(tables, axis=0)
    order = best_first(TrueSkill().fit(judgments, seed).standings.scores)
    names = tuple(judgments.systems[k] for k in order)
    block = np.ix_(order, order)
    return ChosenPairs(method, names, first[block], last[block], n_draws)


def _fifths(
    judgments: Judgments, method: Method, sizes: tuple[int, ...], _: int, rng: np.random.Generator
) -> FloatArray:
    first, before_last, whole = draw_tables(judgments, method, sizes, rng).compared
    return np.stack([first, whole - before_last])


def _check_runs(runs: int) -> None:
    if runs < 1:
        raise PodiumError(
            control("--resamples", "Resamples"), f"{runs} is too few", "Use 1 or more."
        )


def draw_tables(
    judgments: Judgments, method: Method, sizes: Sequence[int], rng: np.random.Generator
) -> PairCounts:
    """Draw from a campaign's answers as a method chooses; return the tables [S, K, K] by size."""
    check_method(method)
    if not sizes or min(sizes) < 1:
        raise PodiumError("Sizes", f"{list(sizes)} is not possible", "Use numbers from 1.")
    facts, k = judgments.observations, judgments.n_systems
    if method == "uncertainty":
        return _draw_by_knowledge(judgments, sizes, rng)
    if method == "active":
        drawn = choose_facts(judgments, max(sizes), rng, TrueSkill())
    else:
        drawn = rng.integers(len(facts), size=max(sizes))
    cells = facts.cells(k)[drawn]
    tables = np.stack([np.bincount(cells[:size], minlength=2 * k * k) for size in sizes])
    return PairCounts.from_cells(tables.astype(np.float64), k)


def _draw_by_knowledge(
    judgments: Judgments, sizes: Sequence[int], rng: np.random.Generator
) -> PairCounts:
    """Look at the answers as they grow; in between, choose by what they will tell."""
    k, pool = judgments.n_systems, judgments.counts
    wins, ties, reached = np.zeros((k, k)), np.zeros((k, k)), 0
    tables = {}
    for size in _stages(sizes, k):
        left = size - reached
        if reached:
            counts = PairCounts(wins, ties)
            found = fit_independent(judgments.systems, counts)
            told = np.zeros((k, k), dtype=np.bool_)
            met = [judgments.systems.index(name) for name in found.systems]
            told[np.ix_(met, met)] = pairs_apart(found)
            known = Knowledge.of(counts, found.radius, found.spread)
            known = known.knowing(told, (1 - LEVEL) / (k - 1))
            asked = _ask(known, pool.compared > 0, left, rng)
        else:
            asked = _at_random(pool.compared, left, rng)
        won, lost, tied = _answers(pool, asked, rng)
        wins, ties = wins + won + lost.T, ties + tied + tied.T
        reached = size
        tables[size] = np.stack([wins, ties])
    both = np.stack([tables[size] for size in sizes])
    return PairCounts(both[:, 0], both[:, 1])


def _stages(sizes: Sequence[int], n_systems: int) -> list[int]:
    """Return at which sizes to look: those asked for, and a few to every doubling."""
    most, first = max(sizes), min(4 * n_systems, min(sizes))
    steps = int(np.log2(most / first) * REFITS_PER_DOUBLING)
    between = np.geomspace(first, most, steps + 2).astype(int).tolist()
    return sorted({*between, *sizes})


def _ask(
    known: Knowledge, possible: npt.NDArray[np.bool_], draws: int, rng: np.random.Generator
) -> IntArray:
    """Return how often to draw each pair, asked[i, j] with i < j."""
    asked = np.zeros(possible.shape, dtype=np.int64)
    times = -(-draws // PARTS)
    while draws > 0:
        times = min(times, draws)
        pair = np.sort(known.choose(2, rng, times, possible))
        asked[pair[0], pair[1]] += times
        draws -= times
    return asked


def _at_random(compared: FloatArray, draws: int, rng: np.random.Generator) -> IntArray:
    share = np.triu(compared) / np.triu(compared).sum()
    return rng.multinomial(draws, share.ravel()).reshape(compared.shape)


def _answers(
    pool: PairCounts, asked: IntArray, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray]:
    """Draw answers with replacement; return how often i won, j won and both tied, [i, j], i < j."""
    outcomes = np.stack([pool.wins, pool.losses, pool.ties], axis=-1)
    share = outcomes / np.maximum(outcomes.sum(axis=-1, keepdims=True), 1)
    won, lost, tied = np.zeros((3, *asked.shape), dtype=np.int64)
    for i, j in np.argwhere(asked):
        won[i, j], lost[i, j], tied[i, j] = rng.multinomial(asked[i, j], share[i, j])
    return won, lost, tied


def clusters_by_size(
    judgments: Judgments,
    sizes: Sequence[int],
    methods: Sequence[Method] = tuple(METHODS),
    *,
    runs: int = 50,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return what so many judgments tell, drawn as each method chooses; means over the runs.

    Columns: method, judgments, clusters, share (of the pairs that differ), at this ``level``, by an
    ordered probit whose answers are independent.
    """
    require_judgments(judgments)
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    _check_runs(runs)
    items = [(method, run) for run in range(runs) for method in methods]
    function = partial(_grow_once, judgments, tuple(sizes), level)
    tables = map_items(function, items, seed=seed, executor=executor, progress=progress)
    frame = pd.DataFrame(
        [row for table in tables for row in table],
        columns=["method", "judgments", "clusters", "share"],
    )
    return frame.groupby(["method", "judgments"], sort=False).mean().reset_index()


def _grow_once(
    judgments: Judgments,
    sizes: tuple[int, ...],
    level: float,
    item: tuple[Method, int],
    rng: np.random.Generator,
) -> list[tuple[Method, int, float, float]]:
    method, _ = item
    tables = draw_tables(judgments, method, sizes, rng)
    rows = []
    for place, size in enumerate(sizes):
        clusters, share = told_apart(fit_independent(judgments.systems, tables[place]), level)
        rows.append((method, size, float(clusters.max()), share))
    return rows


def saving(
    sizes: Sequence[float], reached: FloatArray, sizes_less: Sequence[float], less: FloatArray
) -> float:
    """Return by which factor fewer judgments the first curve needs, over all that both reach.

    Both curves grow with the logarithm of their sizes; the factor is the geometric mean of
    size_less(y) / size(y) over the levels y that both pass. nan where they share none.
    """
    a, b = np.maximum.accumulate(reached), np.maximum.accumulate(less)
    low, high = max(a[0], b[0]), min(a[-1], b[-1])
    levels = np.linspace(low, high, 52)[1:-1]
    if high <= low:
        return float("nan")
    logs = [
        np.interp(levels, *_strictly(curve, np.log(size)))
        for curve, size in ((a, sizes), (b, sizes_less))
    ]
    return float(np.exp(np.mean(logs[1] - logs[0])))


def _strictly(curve: FloatArray, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Keep the first size at which a running maximum takes each value."""
    values, first = np.unique(curve, return_index=True)
    return values, logs[first]
