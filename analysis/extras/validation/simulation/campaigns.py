"""Simulated campaigns with a known truth: abilities, outputs of varying quality, ranking tasks.

A system of ability μ makes outputs of quality q ~ N(μ, spread²). A task shows some systems' outputs
of one segment to a judge, who sees q + N(0, judge noise²) and ranks them; what lies within a radius
of the best of a rank shares that rank. A careless judge ranks as if all systems were equal.

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*,
section 3, with five systems a task, no ties and no judge noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign import Campaign, FloatArray, PairCounts
from analysis.campaign.campaign import tabulate_tasks
from analysis.kernel import kernel
from analysis.parameters import Parameterized, number

Ranks = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Simulation(Parameterized):
    """What a simulated campaign is like; abilities and qualities are in the same, free unit."""

    systems: int = number(15, "Number of systems.", low=2, high=200, symbol="systems")
    ability_range: float = number(
        10.0,
        "Abilities are uniform between 0 and this.",
        low=0.0,
        high=1000.0,
        step=1.0,
        symbol="range",
    )
    spread: float = number(
        10.0,
        "Standard deviation of the quality of one system's outputs.",
        low=0.0,
        high=1000.0,
        step=1.0,
        symbol="spread",
    )
    n_way: int = number(5, "Systems ranked together in a task.", low=2, high=10, symbol="way")
    radius: float = number(
        0.0,
        "Outputs this close to the best of their rank are tied with it.",
        low=0.0,
        high=1000.0,
        step=0.5,
        symbol="radius",
    )
    judge_noise: float = number(
        0.0,
        "Standard deviation of a judge's error, independent each time.",
        low=0.0,
        high=1000.0,
        step=1.0,
        symbol="noise",
    )
    careless: float = number(
        0.0,
        "Share of judges who rank as if all systems were equal.",
        low=0.0,
        high=1.0,
        step=0.05,
        symbol="careless",
    )

    @property
    def pairs_per_task(self) -> int:
        """How many pairwise judgments a task yields."""
        shown = min(self.n_way, self.systems)
        return shown * (shown - 1) // 2

    def draw_abilities(self, experiments: int, rng: np.random.Generator) -> FloatArray:
        """Draw abilities[experiments, K] evenly from 0 to the range."""
        return rng.uniform(0, self.ability_range, (experiments, self.systems))

    def n_tasks(self, judgments: int) -> int:
        """Return the tasks that give a number of pairwise judgments, rounded up."""
        return -(-judgments // self.pairs_per_task)


def simulate_counts(
    simulation: Simulation,
    abilities: FloatArray,
    judgments: int | Sequence[int],
    rng: np.random.Generator,
) -> PairCounts:
    """Return the win and tie tables of many simulated campaigns, outputs drawn anew every time.

    ``abilities[E, K]`` are the experiments' truths. The tables have the leading axes [E], or
    [E, C] where ``judgments`` holds C rising numbers: one campaign, looked at as it grows.
    """
    stages = [judgments] if isinstance(judgments, int) else list(judgments)
    n_tasks = np.array([simulation.n_tasks(stage) for stage in stages])
    k = abilities.shape[-1]
    tables = np.zeros((len(abilities), len(stages), 2 * k * k))
    for e, ability in enumerate(abilities):
        _grow_tables(ability, n_tasks, *_settings(simulation, ability), rng, tables[e])
    counts = PairCounts.from_cells(tables, k)
    if isinstance(judgments, int):
        return PairCounts(counts.wins[:, 0], counts.ties[:, 0])
    return counts


def simulate_cells(
    simulation: Simulation, ability: FloatArray, n_tasks: int, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Return cells[n_tasks, pairs of a task] of one campaign, as `Observations.cells` counts them.

    What a bootstrap over tasks needs: which cell of the flat win and tie tables each pair adds to.
    """
    cells = np.empty((n_tasks, simulation.pairs_per_task), dtype=np.int32)
    _fill_cells(ability, *_settings(simulation, ability), rng, cells)
    return cells


def simulate_campaign(
    simulation: Simulation,
    ability: FloatArray,
    n_tasks: int,
    rng: np.random.Generator,
    n_judges: int = 40,
    n_segments: int = 3000,
) -> Campaign:
    """Return one simulated campaign; an output that is shown again has the quality it had.

    The first judges are the careless ones, as many as make the simulation's share.
    """
    k = len(ability)
    n_way = min(simulation.n_way, k)
    systems = np.argsort(rng.random((n_tasks, k)), axis=1)[:, :n_way].astype(np.int32)
    segment = rng.integers(n_segments, size=n_tasks).astype(np.int32)
    judge = rng.integers(n_judges, size=n_tasks).astype(np.int32)
    items = rng.standard_normal((n_segments, k))
    seen = (
        ability[systems]
        + simulation.spread * items[segment[:, None], systems]
        + simulation.judge_noise * rng.standard_normal(systems.shape)
    )
    _, _, _, _, careless_sd = _settings(simulation, ability)
    careless = judge < round(simulation.careless * n_judges)
    seen[careless] = careless_sd * rng.standard_normal((int(careless.sum()), n_way))
    names = tuple(f"system{number + 1:02d}" for number in range(k))
    ranks = rank_by_radius(seen, simulation.radius)
    return tabulate_tasks(
        "simulated", names, systems, segment, judge, ranks, "Simulated campaign", "simulated"
    )


def rank_by_radius(quality: FloatArray, radius: float) -> Ranks:
    """Rank every row's entries, 1 the best; a rank holds what lies within ``radius`` of its best.

    >>> rank_by_radius(np.array([[.1, .9, .75, .55, .3]]), .2).tolist()
    [[3, 1, 1, 2, 3]]
    """
    order = np.argsort(-quality, axis=1)
    ordered = np.take_along_axis(quality, order, axis=1)
    ranks = np.ones(quality.shape, dtype=np.int8)
    best = ordered[:, 0]
    for place in range(1, quality.shape[1]):
        opens = best - ordered[:, place] > radius
        best = np.where(opens, ordered[:, place], best)
        ranks[:, place] = ranks[:, place - 1] + opens
    np.put_along_axis(ranks, order, ranks.copy(), axis=1)
    return ranks


def _settings(
    simulation: Simulation, ability: FloatArray
) -> tuple[int, float, float, float, float]:
    """Return n-way, radius, share of careless judges, and both kinds of judges' deviations.

    Where outputs are drawn anew, spread and judge noise are one. To a careless judge the systems'
    differences are noise as well.
    """
    deviation = float(np.hypot(simulation.spread, simulation.judge_noise))
    n_way = min(simulation.n_way, len(ability))
    careless_sd = float(np.hypot(deviation, ability.std()))
    return n_way, simulation.radius, simulation.careless, deviation, careless_sd


@kernel
def _grow_tables(  # type: ignore[no-untyped-def]
    ability, n_tasks, n_way, radius, careless, deviation, careless_sd, rng, tables
):
    """Add tasks to a flat table; leave in ``tables[c]`` how it stood after ``n_tasks[c]`` tasks."""
    k = len(ability)
    pool = np.arange(k)
    quality = np.empty(n_way)
    rank = np.empty(n_way, dtype=np.int64)
    done = 0
    for stage in range(len(n_tasks)):
        if stage > 0:
            tables[stage] = tables[stage - 1]
        while done < n_tasks[stage]:
            _judge_task(ability, careless, deviation, careless_sd, radius, rng, pool, quality, rank)
            for a in range(n_way):
                for b in range(a + 1, n_way):
                    tables[stage, _cell(pool[a], pool[b], rank[a], rank[b], k)] += 1.0
            done += 1


@kernel
def _fill_cells(  # type: ignore[no-untyped-def]
    ability, n_way, radius, careless, deviation, careless_sd, rng, cells
):
    """Write down to which cells of the flat table each task's pairs add."""
    k = len(ability)
    pool = np.arange(k)
    quality = np.empty(n_way)
    rank = np.empty(n_way, dtype=np.int64)
    for task in range(len(cells)):
        _judge_task(ability, careless, deviation, careless_sd, radius, rng, pool, quality, rank)
        place = 0
        for a in range(n_way):
            for b in range(a + 1, n_way):
                cells[task, place] = _cell(pool[a], pool[b], rank[a], rank[b], k)
                place += 1


@kernel(inline="always")
def _cell(first, second, rank_first, rank_second, k):  # type: ignore[no-untyped-def]
    """Index of a pair in wins[K, K] followed by ties[K, K], flat."""
    if rank_first < rank_second:
        return first * k + second
    if rank_first > rank_second:
        return second * k + first
    return k * k + first * k + second


@kernel
def _judge_task(  # type: ignore[no-untyped-def]
    ability, careless, deviation, careless_sd, radius, rng, pool, quality, rank
):
    """Draw a task's systems to the front of ``pool`` and rank what a judge sees of them."""
    n_way = len(quality)
    is_careless = careless > 0 and rng.random() < careless
    for a in range(n_way):
        b = a + int(rng.random() * (len(pool) - a))
        pool[a], pool[b] = pool[b], pool[a]
        if is_careless:
            quality[a] = careless_sd * rng.standard_normal()
        else:
            quality[a] = ability[pool[a]] + deviation * rng.standard_normal()
    _rank_entries(quality, radius, rank)


@kernel
def _rank_entries(quality, radius, rank):  # type: ignore[no-untyped-def]
    """Rank one task's entries; what `rank_by_radius` does for many."""
    n = len(quality)
    if radius == 0.0:
        for a in range(n):
            above = 0
            for b in range(n):
                above += quality[b] > quality[a]
            rank[a] = above + 1
        return
    rank[:] = 0
    ranked = 0
    current = 0
    while ranked < n:
        best = -np.inf
        for a in range(n):
            if rank[a] == 0 and quality[a] > best:
                best = quality[a]
        current += 1
        for a in range(n):
            if rank[a] == 0 and best - quality[a] <= radius:
                rank[a] = current
                ranked += 1
