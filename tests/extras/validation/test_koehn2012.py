"""Koehn's studies against his printed figures, and their pieces against hand-made cases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from analysis import published
from analysis.campaign import PairCounts
from analysis.errors import PodiumError
from analysis.extras.validation.simulation import koehn2012
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_cells
from analysis.published import koehn_table1
from analysis.rankers.ratios import Bojar, ExpectedWins

SIZES = list(koehn2012.SIZES)


def test_ranking_error_counts_pairs_in_the_wrong_order_and_equal_scores_by_half() -> None:
    truth = np.array([4.0, 3.0, 2.0, 1.0])
    scores = np.array([[9, 8, 7, 6], [6, 7, 8, 9], [9, 9, 7, 6], [8, 9, 7, 6]], dtype=float)
    errors = koehn2012.ranking_error(scores, truth)
    np.testing.assert_allclose(errors, [0, 1, 0.5 / 6, 1 / 6])


def test_range_quality_finds_true_ranks_outside_of_ranges_and_of_clusters() -> None:
    truth = np.array([9.0, 8.0, 7.0, 6.0])
    scores = np.array([0.9, 0.5, 0.6, 0.1])
    low, high = np.array([1, 3, 2, 4]), np.array([1, 3, 2, 4])
    sure = koehn2012.range_quality(low, high, scores, truth)
    assert (sure.size, sure.violations, sure.clusters, sure.cluster_violations) == (1, 0.5, 4, 0.5)
    low, high = np.array([1, 2, 2, 4]), np.array([1, 3, 3, 4])
    honest = koehn2012.range_quality(low, high, scores, truth)
    assert (honest.size, honest.violations, honest.clusters) == (1.5, 0, 3)
    assert honest.cluster_violations == 0


def test_a_cluster_is_violated_by_a_better_system_below_or_a_worse_one_above() -> None:
    """Koehn 2012, §5.2, system by system; more than those whose rank their cluster cannot have."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        ability, scores = rng.normal(size=6), rng.normal(size=6)
        rank = 1 + (scores > scores[:, None]).sum(axis=1)
        ends = np.cumsum(rng.random(6) < 0.5)[rank - 1]
        low = np.array([rank[ends == e].min() for e in ends])
        high = np.array([rank[ends == e].max() for e in ends])
        violated = 0
        for i in range(6):
            violated += any(
                (ability[j] > ability[i] and ends[j] > ends[i])
                or (ability[j] < ability[i] and ends[j] < ends[i])
                for j in range(6)
            )
        found = koehn2012.range_quality(low, high, scores, ability)
        assert found.cluster_violations == pytest.approx(violated / 6)
    truth = np.array([9.0, 8.0, 7.0])  # the middle one has its rank, but stands between two wrong
    low = high = np.array([3, 2, 1])
    crossed = koehn2012.range_quality(low, high, np.array([0.1, 0.5, 0.9]), truth)
    assert crossed.cluster_violations == 1


def test_significant_share_is_that_of_pairs_a_one_sided_sign_test_tells_apart() -> None:
    # 5:0 is the least one-sided win at .05 (p = 1/32); 4:0 is 1/16; 9:3 is .073, 10:3 is .046.
    wins = np.array([[0, 5, 9, 0], [0, 0, 4, 10], [3, 0, 0, 5], [0, 3, 5, 0]], dtype=float)
    share = koehn2012.significant_share(PairCounts(wins, np.zeros((4, 4))))
    assert share == pytest.approx(2 / 6)


def test_judgments_needed_inverts_a_curve_that_grows_with_the_logarithm() -> None:
    sizes = np.geomspace(100, 100_000, 31)
    curve = 0.3 * np.log10(sizes / 100)
    needed = koehn2012.judgments_needed([0.0, 0.3, 0.45, 0.6, 0.95], sizes.tolist(), curve)
    np.testing.assert_allclose(needed, [100, 1000, 100 * 10**1.5, 10_000, np.nan])


@pytest.mark.parametrize("unit", ["rows", "task"])
def test_resampled_tables_are_as_large_as_the_campaign_and_center_on_it(unit: str) -> None:
    simulation = Simulation(systems=6, radius=3.0)
    rng = np.random.default_rng(1)
    cells = simulate_cells(simulation, np.arange(6.0), 300, rng)
    table = np.bincount(cells.ravel(), minlength=72).astype(float)
    tables = koehn2012._resampled_tables(unit, cells, table, 2000, rng)
    assert (tables.sum(axis=1) == 3000).all()
    assert not tables[:, table == 0].any()
    np.testing.assert_allclose(tables.mean(axis=0), table, atol=5 * np.sqrt(table.max() / 2000))


def test_drawing_tasks_again_leaves_more_doubt_than_drawing_rows() -> None:
    table = koehn2012.study_rank_ranges([5000], ("rows", "task"), experiments=12, resamples=200)
    size = table.set_index("method")["size"]
    assert size["task"] > size["rows"] + 0.4


def test_every_study_gives_the_same_bytes_whatever_the_workers() -> None:
    def studies(workers: int) -> list[np.ndarray]:
        with ThreadPoolExecutor(workers) as executor:
            ranges = koehn2012.study_rank_ranges(
                [1000, 3000], experiments=5, resamples=50, executor=executor
            )
            errors = koehn2012.study_ranking_error([500], experiments=50, executor=executor)
            curve = koehn2012.separation_curve(
                Simulation(), [500], experiments=25, executor=executor
            )
            needed = koehn2012.study_judgments_needed(
                pd.DataFrame({"n": [4, 6], "sd": [8, 8], "share": [0.5, 0.5]}),
                experiments=10,
                limit=5000,
                executor=executor,
            )
        return [t.select_dtypes("number").to_numpy() for t in (ranges, errors, needed)] + [curve]

    for one, three in zip(studies(1), studies(3), strict=True):
        assert one.tobytes() == three.tobytes()


def test_progress_counts_experiments_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    koehn2012.study_ranking_error(
        [500], experiments=45, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (45, 45)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_an_unknown_way_to_rank_ranges_is_refused_with_those_there_are() -> None:
    with pytest.raises(PodiumError, match="pairwise, rows, task"):
        koehn2012.study_rank_ranges([500], ("judges",), experiments=1)  # type: ignore[arg-type]


def test_table_1s_pairwise_column_is_met_to_a_decimal() -> None:
    # Koehn 2012, Table 1, pw_*; 1,000 experiments leave standard errors of .02 in size, .02 in
    # clusters and .001 in violations, the print rounds to a decimal (violations in percent).
    found = koehn2012.study_rank_ranges(methods=("pairwise",), experiments=1000, seed=1)
    printed = koehn_table1()
    np.testing.assert_allclose(found["size"], printed["pw_range"], atol=0.05 + 0.06)
    np.testing.assert_allclose(found["clusters"], printed["pw_clusters"], atol=0.05 + 0.06)
    np.testing.assert_allclose(100 * found["violations"], printed["pw_viol"], atol=0.05 + 0.35)
    np.testing.assert_allclose(
        100 * found["cluster_violations"], printed["pw_cl_viol"], atol=0.05 + 0.1
    )


def test_figure_3s_errors_are_met_but_lopezs_which_is_printed_higher() -> None:
    # Koehn 2012, §4.4, at a spread of 20, within .005 (the standard error is .0015). Lopez is
    # printed 17.6% at 10,000 judgments; 16.1 to 16.6% come out, whatever breaks the ties of his
    # order, so that this one figure is not met.
    found = koehn2012.study_ranking_error(experiments=1000, seed=2)
    error = found.set_index(["method", "judgments"])["error"]
    for (method, size), printed in published.KOEHN_FIGURE3.items():
        if method != "lopez":
            assert error[method, size] == pytest.approx(printed, abs=0.005), method
    assert 0.158 < error["lopez", 10_000] < 0.169 < published.KOEHN_FIGURE3["lopez", 10_000]
    for size in SIZES:
        assert error["lopez", size] > max(error["bojar", size], error["expected-wins", size]) + 0.02


def test_ranking_error_halves_with_the_spread_of_10_that_the_text_names() -> None:
    found = koehn2012.study_ranking_error(
        [10_000, 50_000], (Bojar(), ExpectedWins()), koehn2012.FIFTEEN_SYSTEMS, experiments=1000
    )
    np.testing.assert_allclose(found["error"], [0.0705, 0.0331] * 2, atol=0.003)


@pytest.mark.slow
def test_table_4_is_met_in_all_sixty_cells() -> None:
    # Koehn 2012, Table 4, printed in thousands: the share told apart by the printed number is the
    # share asked for within .045, but for two cells at 50% that are rounded up (about 1,460 to
    # 2,000 and 2,800 to 4,000) and so reach .06 more.
    cells = koehn2012.study_judgments_needed(published.koehn_table4(), experiments=120, seed=3)
    off = (cells["share_reached"] - cells["share"]).abs()
    rounded_up = cells["share"].eq(0.5) & (
        (cells["n"].eq(6) & cells["sd"].eq(10)) | (cells["n"].eq(10) & cells["sd"].eq(8))
    )
    assert off[~rounded_up].max() < 0.045
    assert off.max() < 0.08
    assert off.mean() < 0.015
    within = (cells["needed"] / cells["judgments"]).between(0.65, 1.35)
    assert within.all()


@pytest.mark.slow
def test_tasks_keep_to_the_nominal_level_where_rows_exceed_it() -> None:
    # Rows at 10,000 judgments: 6–7% of the true ranks lie outside of 95% ranges.
    found = koehn2012.study_rank_ranges([10_000], experiments=120, seed=4)
    table = found.set_index("method")
    rows, task = table.loc["rows"], table.loc["task"]
    assert rows["violations"] > 0.05
    assert task["violations"] + 2 * task["violations_error"] < 0.05
    assert task["cluster_violations"] < 0.01 < rows["cluster_violations"]


@pytest.mark.slow
def test_the_bootstraps_trend_is_the_printed_one() -> None:
    # Table 1's bootstrap with 25 of 1,000 left out, as described, gives narrower ranges and more
    # clusters than printed, by its trend: ranges narrow, clusters grow.
    found = koehn2012.study_rank_ranges(methods=("rows",), experiments=30, seed=5)
    np.testing.assert_allclose(found["size"], [3.95, 3.21, 2.88, 2.66, 2.49], atol=0.3)
    np.testing.assert_allclose(found["clusters"], [2.6, 4.2, 5.1, 6.0, 6.6], atol=0.7)
    printed = koehn_table1()
    for ours, theirs in (("size", "bs_range"), ("clusters", "bs_clusters")):
        assert np.corrcoef(found[ours], printed[theirs])[0, 1] > 0.98


@pytest.mark.slow
def test_the_bootstraps_printed_sizes_and_clusters_come_out_with_5_of_1000_left_out() -> None:
    # Koehn 2012, Table 1, bs_*: size 4.6, 3.3, 2.9 and clusters 1.8, 3.9, 5.3 at 10,000, 30,000
    # and 50,000 judgments; .5, .4, .7% violations by cluster. 50 experiments leave standard errors
    # of .1 in size, .2 in clusters and .4 points in violations. Violations by rank range do not
    # come out: 2.3, 1.6 and .9% where 3.4, 2.3 and 2.1% are printed.
    sizes = [10_000, 30_000, 50_000]
    found = koehn2012.study_rank_ranges(sizes, ("rows",), level=0.99, experiments=50, seed=5)
    printed = koehn_table1().set_index("judgments").loc[sizes]
    np.testing.assert_allclose(found["size"], printed["bs_range"], atol=0.4)
    np.testing.assert_allclose(found["clusters"], printed["bs_clusters"], atol=0.6)
    np.testing.assert_allclose(100 * found["cluster_violations"], printed["bs_cl_viol"], atol=1.2)
    assert (100 * found["violations"] < printed["bs_viol"].to_numpy()).all()
