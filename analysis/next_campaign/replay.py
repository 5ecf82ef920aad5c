"""A campaign played again: what if its judgments had been chosen actively, or tasks collected so?

*Replay*: judgments of a campaign at hand are drawn with replacement, actively or uniformly, and
ranked by TrueSkill. Which pairs does the choice turn to at first and at last, and how many clusters
do so many judgments make?

*Collection*: a campaign with the abilities of the one at hand is simulated batch by batch, tasks
being chosen by `analysis.next_campaign.elicitation`.

Reference: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation* (SPV14), §4 and §5, figures 5–7.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.campaign import Campaign, FloatArray, IntArray, Judgments
from analysis.clusters import clusters_from_ranges
from analysis.errors import PodiumError
from analysis.koehn import ranking_error
from analysis.next_campaign.elicitation import Method, choose_systems
from analysis.next_campaign.outlook import Evidence, fit_evidence, look_ahead
from analysis.parallel import Progress, map_items
from analysis.rank_ranges import rank_ranges
from analysis.rankers.ranker import require_judgments
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill_kernels import play_active, play_sequence
from analysis.resampling import Replicates
from analysis.selection.active_draw import choose_rows
from analysis.simulation import rank_by_radius, tabulate_tasks
from analysis.standings import best_first

Choice = Literal["active", "uniform"]
CHOICES: tuple[Choice, ...] = get_args(Choice)


@dataclass(frozen=True, eq=False)
class ChosenPairs:
    """How often every two systems were chosen, best system first, on average over the runs.

    ``first[K, K]`` counts the first fifth of a run's draws, ``last[K, K]`` the last one.
    """

    choice: Choice
    systems: tuple[str, ...]
    first: FloatArray
    last: FloatArray
    draws: int


def chosen_pairs(
    judgments: Judgments,
    choice: Choice = "active",
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
        raise PodiumError("Draws", f"{n_draws} have no fifths", "Give 5 or more.")
    function = partial(_fifths, judgments, choice, n_draws)
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    tables = map_items(function, range(runs), seed=seed, executor=executor, progress=progress)
    first, last = np.mean(tables, axis=0)
    order = best_first(TrueSkill().fit(judgments, seed).scores)
    names = tuple(judgments.systems[k] for k in order)
    block = np.ix_(order, order)
    return ChosenPairs(choice, names, first[block], last[block], n_draws)


def _fifths(
    judgments: Judgments, choice: Choice, n_draws: int, _: int, rng: np.random.Generator
) -> FloatArray:
    if choice == "active":
        rows = choose_rows(judgments, n_draws, rng)
    else:
        rows = rng.integers(len(judgments), size=n_draws)
    fifth = n_draws // 5
    return np.stack([_pair_table(judgments, r) for r in (rows[:fifth], rows[-fifth:])])


def _pair_table(judgments: Judgments, rows: IntArray) -> FloatArray:
    """Count how often rows compare every two systems; a row of several facts counts for each."""
    n = np.bincount(rows, minlength=len(judgments))
    facts, table = judgments.observations, np.zeros((judgments.n_systems, judgments.n_systems))
    np.add.at(table, (facts.left, facts.right), n[facts.row])
    return table + table.T


def clusters_by_size(
    judgments: Judgments,
    sizes: Sequence[int],
    choices: Sequence[Choice] = CHOICES,
    *,
    runs: int = 200,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return the clusters that so many judgments make, drawn actively or uniformly.

    Rank ranges are those of ``runs`` runs of TrueSkill, each on its own draws with replacement from
    the campaign. Columns: choice, judgments, clusters, size (mean number of ranks in a range).
    """
    require_judgments(judgments)
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    items = [(choice, size) for choice in choices for size in sizes]
    rows = map_items(
        partial(_clusters_of, judgments, runs, level),
        items,
        [size for _, size in items],
        seed=seed,
        executor=executor,
        progress=progress,
    )
    return pd.DataFrame(rows, columns=["choice", "judgments", "clusters", "size"])


def _clusters_of(
    judgments: Judgments,
    runs: int,
    level: float,
    item: tuple[Choice, int],
    rng: np.random.Generator,
) -> tuple[Choice, int, int, float]:
    choice, size = item
    scores = np.stack([_skills(judgments, choice, size, rng) for _ in range(runs)])
    ranges = rank_ranges(Replicates(judgments.systems, scores, "rows", 0, ""), level)
    clusters = int(clusters_from_ranges(ranges).max())
    ranked = ranges.low > 0
    width = float((ranges.high - ranges.low + 1)[ranked].mean()) if ranked.any() else np.nan
    return choice, size, clusters, width


def _skills(
    judgments: Judgments, choice: Choice, n_draws: int, rng: np.random.Generator
) -> FloatArray:
    ranker, counts = TrueSkill(), judgments.counts
    beta, margin = ranker.scale(n_draws + 1)
    sigma0 = ranker.sigma0
    if choice == "active":
        mu, _ = play_active(counts.wins, counts.ties, n_draws, sigma0, beta, margin, 0.0, rng)
        return np.asarray(mu)
    facts = judgments.observations
    order = rng.integers(len(facts), size=n_draws)
    mu, variance = np.zeros(judgments.n_systems), np.full(judgments.n_systems, sigma0**2)
    play_sequence(facts.left, facts.right, facts.outcome, order, mu, variance, beta, margin, 0.0)
    never = np.ones(judgments.n_systems, dtype=bool)
    never[facts.left] = never[facts.right] = False
    return np.where(never, np.nan, mu)


@dataclass(frozen=True)
class Collection:
    """A campaign to simulate: ``batches`` of ``batch`` tasks with ``n_way`` outputs, all told."""

    batches: int = 10
    batch: int = 200
    n_way: int = 5


def collect(
    judgments: Judgments,
    methods: Sequence[Method] = ("uniform", "active", "uncertainty"),
    collection: Collection = Collection(),
    *,
    experiments: int = 8,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Simulate how campaigns like this one grow if tasks are chosen by each method.

    The first batch is uniform. Columns: method, tasks, share (of the pairs told apart), clusters,
    error (share of the pairs in the wrong order); means over the experiments.
    """
    evidence = fit_evidence(judgments)
    items = [(method, e) for method in methods for e in range(experiments)]
    tables = map_items(
        partial(_collect_once, evidence, collection),
        items,
        seed=seed,
        executor=executor,
        progress=progress,
    )
    frame = pd.concat(tables).groupby(["method", "tasks"], sort=False).mean()
    return frame.reset_index()


def _collect_once(
    evidence: Evidence,
    collection: Collection,
    item: tuple[Method, int],
    rng: np.random.Generator,
) -> pd.DataFrame:
    method, _ = item
    k = len(evidence.systems)
    n_way = min(collection.n_way, k)
    order = rng.random((collection.batch, k))
    systems = np.argsort(order, axis=1)[:, :n_way]
    quality, rows = np.zeros((0, n_way)), []
    judgments: Judgments | None = None
    for _ in range(collection.batches):
        if judgments is not None:
            chosen = choose_systems(judgments, collection.batch, method, n_way, rng)
            systems = np.concatenate([systems, np.array(chosen)])
        new = systems[len(quality) :]
        noise = rng.standard_normal(new.shape) * np.sqrt(0.5)
        quality = np.concatenate([quality, evidence.abilities[new] + noise])
        judgments = _answered(evidence, systems, quality).judgments()
        rows.append((method, *_standing(evidence, judgments)))
    return pd.DataFrame(rows, columns=["method", "tasks", "share", "clusters", "error"])


def _answered(evidence: Evidence, systems: IntArray, quality: FloatArray) -> Campaign:
    tasks = np.arange(len(systems))
    ranks = rank_by_radius(quality, evidence.radius)
    return tabulate_tasks("all", evidence.systems, systems, tasks, tasks % 40, ranks, "", "")


def _standing(truth: Evidence, judgments: Judgments) -> tuple[int, float, int, float]:
    found = fit_evidence(judgments)
    now = look_ahead(found, np.array([found.n_tasks]), draws=1)
    scores = np.full(len(truth.systems), np.nan)
    scores[[truth.systems.index(name) for name in found.systems]] = found.abilities
    error = float(ranking_error(scores, truth.abilities))
    return found.n_tasks, float(now.share[0, 0]), int(now.clusters[0, 0]), error


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
