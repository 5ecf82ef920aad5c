"""Resamples: what is drawn together stays together, and the seed alone decides."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import ModuleType

import numpy as np
import pytest
import scipy.stats

from analysis.campaign import Campaign, Judgments, PairCounts, Selection
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.rankers.resampling import (
    BLOCK,
    PART,
    UNITS,
    ResamplingUnit,
    _rows_drawer,
    add_blocks_of_units,
    draw_observations,
    draw_places,
    draw_poisson,
    n_units,
    poisson_tables,
    resampled_counts,
    stacks_of_counts,
    unit_index,
)
from analysis.ranking.certainty import replicate
from tests.building import CampaignBuilder

DRAWN_UNITS: list[ResamplingUnit] = [unit for unit in UNITS if unit != "none"]


def campaign(n_tasks: int = 60, seed: int = 1) -> Campaign:
    """Tasks of unequal sizes by unequal judges, some outputs shared by two systems."""
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    names = ["ant", "bee", "cat", "dog", "elk"]
    for _ in range(n_tasks):
        order = [names[k] for k in rng.permutation(5)[: rng.integers(3, 6)]]
        outputs: list[tuple[str, ...]] = [(name,) for name in order]
        if rng.random() < 0.3:
            outputs = [(order[0], order[1]), *outputs[2:]]
        judge = f"j{int(rng.integers(4) * rng.random())}"
        ranks = rng.integers(1, 4, len(outputs)).tolist()
        builder.add_task("fr-en", str(rng.integers(20)), judge, outputs, ranks)
    return builder.build()


@pytest.fixture(params=["expanded", "collapsed"])
def judgments(request: pytest.FixtureRequest) -> Judgments:
    return campaign().judgments(selection=Selection(identical=request.param, blocks=3))


def counts_of(judgments: Judgments, observations: np.ndarray) -> PairCounts:
    """The readable twin: count the drawn observations one by one."""
    k = judgments.n_systems
    wins, ties = np.zeros((k, k)), np.zeros((k, k))
    facts = judgments.observations
    for o in observations:
        i, j, outcome = facts.left[o], facts.right[o], facts.outcome[o]
        if outcome == 0:
            ties[i, j] += 1
            ties[j, i] += 1
        elif outcome == 1:
            wins[i, j] += 1
        else:
            wins[j, i] += 1
    return PairCounts(wins, ties)


def test_counts_are_those_of_the_observations_one_by_one(judgments: Judgments) -> None:
    twin = counts_of(judgments, np.arange(len(judgments.observations)))
    np.testing.assert_array_equal(judgments.counts.wins, twin.wins)
    np.testing.assert_array_equal(judgments.counts.ties, twin.ties)


@pytest.mark.parametrize("unit", DRAWN_UNITS)
def test_resampled_tables_have_the_mean_and_the_variance_of_drawing_units(
    judgments: Judgments, unit: ResamplingUnit
) -> None:
    rng = np.random.default_rng(5)
    runs = 4000
    tables = resampled_counts(judgments, unit, runs, rng)
    index = unit_index(judgments, unit)
    by_unit = np.stack(
        [
            counts_of(judgments, index.values[index.start[u] : index.start[u + 1]]).wins
            for u in range(len(index))
        ]
    )
    # Rows without two systems (none here) would be units without observations.
    if unit == "judgment":
        assert len(index) == len(judgments)
    variance = len(index) * by_unit.var(axis=0)
    error = np.sqrt(variance / runs)
    assert np.all(np.abs(tables.wins.mean(axis=0) - judgments.counts.wins) <= 5 * error + 1e-9)
    filled = variance > 1
    ratio = tables.wins.var(axis=0)[filled] / variance[filled]
    assert np.all(np.abs(ratio - 1) < 0.2)


@pytest.mark.parametrize(("n", "runs"), [(60, 4000), (256, 3000), (1025, 1500), (2600, 800)])
def test_places_are_draws_with_replacement_from_all_units(n: int, runs: int) -> None:
    """Counts of two neighbors and of a unit of the last, short block: multinomial moments."""
    rng = np.random.default_rng(n)
    times = np.empty((runs, n))
    for r in range(runs):
        sizes, places = draw_places(n, rng)
        assert sizes.sum() == len(places) == n
        unit = np.repeat(np.arange(len(sizes)), sizes) * BLOCK + places
        times[r] = np.bincount(unit, minlength=n)
    assert times.shape[1] == n
    mean, variance = times.mean(axis=0), times.var(axis=0)
    np.testing.assert_allclose(mean, 1, atol=5.5 / np.sqrt(runs))
    assert variance.mean() == pytest.approx(1 - 1 / n, rel=0.02)
    assert variance[-1] == pytest.approx(1, abs=0.25)
    across = [np.cov(times[:, u], times[:, u + 1])[0, 1] for u in range(n - 1)]
    assert np.mean(across) == pytest.approx(-1 / n, abs=6 / np.sqrt(runs * n))


def test_blocks_of_units_add_up_what_was_drawn() -> None:
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 5, 1500)
    start = np.concatenate([[0], np.cumsum(sizes)])
    cells = rng.integers(40, size=start[-1]).astype(np.int32)
    drawn, places = draw_places(len(sizes), rng)
    units = np.repeat(np.arange(len(drawn)), drawn) * BLOCK + places
    expected = np.zeros(40)
    for unit in units:
        np.add.at(expected, cells[start[unit] : start[unit + 1]], 1)
    found = np.zeros(40)
    add_blocks_of_units(start, cells, drawn, places, found)
    np.testing.assert_array_equal(found, expected)


def test_a_word_becomes_the_poisson_number_whose_chances_it_falls_into() -> None:
    """The twin: SciPy's quantile of the word's middle; both neighbors of every bound."""
    guide, bounds = poisson_tables(0.97)
    some = np.array([1, 5, PART], dtype=np.uint8)
    beside = bounds[some].astype(np.int64)[..., None] + np.array([-1, 1])
    words = beside.clip(0, 2**32 - 1).astype(np.uint32).ravel()
    sizes = np.repeat(some, 2 * bounds.shape[1])
    times, total = draw_poisson(sizes, words, guide, bounds)
    assert total == times.sum()
    expected = scipy.stats.poisson.ppf((words + 0.5) / 2**32, 0.97 * sizes)
    is_sure = (words > 0) & (words < 2**32 - 9)  # beyond, chances round to 0 in 32 bits
    np.testing.assert_array_equal(times[is_sure], expected[is_sure])
    assert is_sure.sum() > 100


def test_rows_of_a_kind_are_drawn_with_the_covariance_of_a_multinomial() -> None:
    """Kinds of one row, of some, and of more than a part; each resample has n rows."""
    wins = np.array([[0.0, 700.0, 1.0], [300.0, 0.0, 40.0], [9.0, 30.0, 0.0]])
    ties = np.array([[0.0, 60.0, 2.0], [60.0, 0.0, 5.0], [2.0, 5.0, 0.0]])
    sizes = np.concatenate([wins.ravel(), np.tril(ties).ravel()])
    n, runs, rng = sizes.sum(), 20_000, np.random.default_rng(6)
    draw = _rows_drawer(PairCounts(wins, ties))
    tables = np.zeros((runs, 18))
    for table in tables:
        draw(table, rng)
    assert (tables.sum(axis=1) == n).all()
    chances = sizes / n
    covariance = n * (np.diag(chances) - np.outer(chances, chances))
    scale = np.sqrt(np.diagonal(covariance)) + 1e-9
    assert np.abs((tables.mean(axis=0) - sizes) / scale).max() < 5 / np.sqrt(runs)
    error = np.abs(np.cov(tables.T) - covariance) / np.outer(scale, scale)
    assert error.max() < 8 / np.sqrt(runs)


@pytest.mark.parametrize("few", [1, 10**9])
@pytest.mark.parametrize("unit", DRAWN_UNITS)
def test_many_units_are_drawn_with_the_moments_of_few(
    unit: ResamplingUnit, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.rankers.resampling.FEW", few)
    for kinds in (0, 10**9):
        monkeypatch.setattr("analysis.rankers.resampling.PARTS_TO_A_KIND", kinds)
        test_resampled_tables_have_the_mean_and_the_variance_of_drawing_units(
            campaign().judgments(selection=Selection(blocks=3)), unit
        )


def test_drawing_tasks_varies_more_than_drawing_rows_where_tasks_hold_several() -> None:
    judgments = campaign(400).judgments()
    rng = np.random.default_rng(2)
    spread = {
        unit: resampled_counts(judgments, unit, 500, rng).wins.sum(axis=2).std(axis=0).mean()
        for unit in ("judgment", "task")
    }
    assert spread["task"] > 1.2 * spread["judgment"]


@pytest.mark.parametrize("unit", DRAWN_UNITS)
def test_drawn_observations_are_whole_units(judgments: Judgments, unit: ResamplingUnit) -> None:
    index = unit_index(judgments, unit)
    drawn = draw_observations(index, np.random.default_rng(3))
    times = np.bincount(drawn, minlength=len(judgments.observations))
    for u in range(len(index)):
        members = index.values[index.start[u] : index.start[u + 1]]
        assert len(set(times[members])) == 1
    assert np.array_equal(np.sort(index.values), np.arange(len(judgments.observations)))


@pytest.mark.parametrize("unit", list(UNITS))
def test_the_seed_alone_decides_whatever_the_number_of_workers(
    judgments: Judgments, unit: ResamplingUnit
) -> None:
    ranker = RANKERS["expected-wins"]()
    results = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            again = replicate(ranker.fit(judgments), runs=130, unit=unit, seed=9, executor=executor)
        results.append(again.scores.tobytes())
    assert results[0] == results[1]
    other = replicate(ranker.fit(judgments), runs=130, unit=unit, seed=10)
    assert (other.scores.tobytes() == results[0]) == (unit == "none")


def test_progress_reaches_the_total_and_never_goes_back(judgments: Judgments) -> None:
    seen: list[tuple[int, int]] = []
    ranker = RANKERS["bojar"]()
    replicate(
        ranker.fit(judgments), runs=120, progress=lambda done, total: seen.append((done, total))
    )
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (120, 120)


def test_an_error_in_a_chunk_reaches_the_caller(
    make_campaign: Callable[[Sequence[object]], Campaign],
) -> None:
    judgments = make_campaign([("1", "ann", {"a": 1, "b": 2})]).judgments()
    with pytest.raises(PodiumError, match="resamples"):
        replicate(RANKERS["bojar"]().fit(judgments), runs=0)


@pytest.mark.slow
def test_work_spread_over_processes_gives_the_same_bytes(
    judgments: Judgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cluster's workers get must survive being sent to them."""
    # A page tested before may still stand as the main program, and new processes would run it.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    ranker = RANKERS["trueskill"]()
    here = replicate(ranker.fit(judgments), runs=60, unit="task", seed=3)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        there = replicate(ranker.fit(judgments), runs=60, unit="task", seed=3, executor=executor)
    assert there.scores.tobytes() == here.scores.tobytes()


def test_units_are_counted_as_they_are_drawn() -> None:
    builder = CampaignBuilder()
    for task, (segment, judge) in enumerate((("1", "a"), ("1", "b"), ("2", "a"), ("3", "c"))):
        ranks = [1, 2, 2] if task else [1, 1, 1]
        builder.add_task("x-y", segment, judge, [("p",), ("q",), ("r",)], ranks)
    builder.add_task("x-y", "4", "d", [("p",)], [1])  # compares nothing
    judgments = builder.build().judgments()
    units: tuple[ResamplingUnit, ...] = ("judgment", "task", "segment", "judge", "none")
    assert [n_units(judgments, unit) for unit in units] == [12, 4, 3, 3, 4]


@pytest.mark.parametrize("unit", ["none", "judgment", "task"])
def test_many_systems_are_resampled_in_little_memory_and_alike(
    unit: ResamplingUnit, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgments = campaign().judgments()
    cells = 2 * judgments.n_systems**2
    whole = resampled_counts(judgments, unit, 7, np.random.default_rng(3))
    monkeypatch.setattr("analysis.rankers.resampling.CELLS_AT_ONCE", 3 * cells)
    stacks = list(stacks_of_counts(judgments, unit, 7, np.random.default_rng(3)))
    assert [len(stack.wins) for stack in stacks] == ([7] if unit == "none" else [3, 3, 1])
    np.testing.assert_array_equal(np.concatenate([stack.wins for stack in stacks]), whole.wins)
    np.testing.assert_array_equal(np.concatenate([stack.ties for stack in stacks]), whole.ties)
