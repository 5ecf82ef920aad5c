"""Rank ranges over runs, and by pairwise sign tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from analysis.campaign import FloatArray, PairCounts
from analysis.errors import PodiumError
from analysis.provenance import Provenance
from analysis.ranking.certainty import Replicates
from analysis.ranking.rank_ranges import left_out_at_each_end, pairwise_rank_ranges, rank_ranges


def replicates(scores: FloatArray) -> Replicates:
    systems = tuple(f"s{k}" for k in range(scores.shape[1]))
    return Replicates(systems, scores, unit="none", seed=0, provenance=Provenance())


def as_published(scores: FloatArray, level: float) -> list[tuple[int, int]]:
    """Rank each run's systems 1..K; sort a system's ranks; leave out the same number at each end.

    How many: the largest whole number that is at most R (1 - level) / 2.
    """
    runs, n_systems = scores.shape
    ranks: list[list[int]] = [[] for _ in range(n_systems)]
    for run in scores:
        for place, k in enumerate(sorted(range(n_systems), key=lambda k: -run[k]), start=1):
            ranks[k].append(place)
    left_out = 0
    while left_out + 1 <= runs * (1 - level) / 2 + 1e-9:
        left_out += 1
    return [(sorted(r)[left_out], sorted(r)[runs - 1 - left_out]) for r in ranks]


@pytest.mark.parametrize("level", [0.95, 0.9, 0.5, 1.0])
@pytest.mark.parametrize("runs", [100, 101, 1000])
def test_ranges_without_equal_scores_are_the_published_ones(runs: int, level: float) -> None:
    rng = np.random.default_rng(runs)
    scores = np.linspace(0, 2, 7) ** 2 + rng.normal(size=(runs, 7))
    ranges = rank_ranges(replicates(scores), level)
    assert list(zip(ranges.rank_best, ranges.rank_worst, strict=True)) == as_published(
        scores, level
    )


def test_as_many_runs_are_left_out_as_each_paper_left_out() -> None:
    """SPV14, §6: the top 2 and the bottom 2 of 100; K12, §5.1 and WMT14, §3.5: 25 of 1,000."""
    assert [left_out_at_each_end(runs, 0.95) for runs in (100, 1000)] == [2, 25]


def test_a_range_at_level_one_leaves_nothing_out() -> None:
    scores = np.tile([3.0, 2.0, 1.0], (40, 1))
    scores[7] = [1.0, 2.0, 3.0]
    ranges = rank_ranges(replicates(scores), level=1.0)
    assert ranges.rank_best.tolist() == [1, 2, 1]
    assert ranges.rank_worst.tolist() == [3, 2, 3]
    assert rank_ranges(replicates(scores), 0.95).rank_worst.tolist() == [1, 2, 3]


def test_one_run_alone_gives_each_system_its_rank() -> None:
    ranges = rank_ranges(replicates(np.array([[0.1, 0.9, 0.5]])))
    assert ranges.rank_best.tolist() == ranges.rank_worst.tolist() == [3, 1, 2]


def test_systems_with_equal_scores_share_their_ranks() -> None:
    ranges = rank_ranges(replicates(np.tile([0.2, 0.7, 0.7, 0.7, 0.9], (10, 1))))
    assert ranges.rank_best.tolist() == [5, 2, 2, 2, 1]
    assert ranges.rank_worst.tolist() == [5, 4, 4, 4, 1]
    assert ranges.ranks[0].tolist() == [5, 3, 3, 3, 1]


def test_a_system_without_a_score_has_no_rank_and_takes_none() -> None:
    scores = np.array([[0.2, np.nan, 0.7], [0.3, 0.9, 0.6]])
    ranges = rank_ranges(replicates(scores), level=1.0)
    assert ranges.rank_best[1] == ranges.rank_worst[1] == 0
    assert np.isnan([ranges.mean[1], ranges.share_in_top(1)[1]]).all()
    assert ranges.rank_worst.tolist() == [3, 0, 2]
    assert ranges.to_frame()["system"].tolist() == ["s2", "s0", "s1"]


def test_the_range_of_the_score_leaves_out_as_many_runs_as_that_of_the_rank() -> None:
    scores = np.stack([np.arange(100.0), np.full(100, -1.0)], axis=1)
    ranges = rank_ranges(replicates(scores), 0.95)
    assert (ranges.ci_low[0], ranges.ci_high[0]) == (2.0, 97.0)


def test_the_probability_of_the_top_counts_runs() -> None:
    scores = np.array([[3, 2, 1], [3, 1, 2], [1, 3, 2], [3, 2, 1]], float)
    ranges = rank_ranges(replicates(scores))
    assert ranges.share_in_top(1).tolist() == [0.75, 0.25, 0]
    assert ranges.share_in_top(2).tolist() == [0.75, 0.75, 0.5]


@pytest.mark.parametrize("level", [95, 0, -0.1, 1.001])
def test_a_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(PodiumError, match=r"not between 0 and 1\. Use 0\.95"):
        left_out_at_each_end(100, level)


counts_of_four = st.lists(st.integers(0, 40), min_size=16, max_size=16).map(
    lambda cells: np.array(cells, float).reshape(4, 4) * (1 - np.eye(4))
)


@given(wins=counts_of_four)
def test_pairwise_ranges_count_the_systems_significantly_better_and_those_in_doubt(
    wins: FloatArray,
) -> None:
    """Tail sums of the binomial distribution, system by system, as Koehn describes it."""
    low, high = pairwise_rank_ranges(PairCounts(wins, np.ones((4, 4)) - np.eye(4)))
    for i in range(4):
        w = e = 0
        for j in set(range(4)) - {i}:
            decided = wins[i, j] + wins[j, i]
            if binom.sf(wins[j, i] - 1, decided, 0.5) <= 0.05:
                w += 1
            elif binom.sf(wins[i, j] - 1, decided, 0.5) > 0.05:
                e += 1
        assert (low[i], high[i]) == (w + 1, w + 1 + e)


def test_pairwise_ranges_use_one_sided_tests() -> None:
    """9 of 12: p = .073 one-sided; 10 of 12: .019; 5 of 5: .031, .063 two-sided."""
    wins = np.array([[0, 5, 9], [0, 0, 10], [3, 2, 0]], float)
    low, high = pairwise_rank_ranges(PairCounts(wins, np.zeros((3, 3))))
    assert list(zip(low, high, strict=True)) == [(1, 2), (2, 2), (2, 3)]


def test_pairwise_ranges_of_replicates_are_those_of_each() -> None:
    rng = np.random.default_rng(2)
    wins = rng.poisson(12, size=(5, 6, 6)) * (1.0 + np.arange(6)[:, None] / 4) * (1 - np.eye(6))
    wins = np.round(wins)
    batch = PairCounts(wins, np.zeros_like(wins))
    low, high = pairwise_rank_ranges(batch)
    for r in range(5):
        one_low, one_high = pairwise_rank_ranges(batch[r])
        assert low[r].tolist() == one_low.tolist()
        assert high[r].tolist() == one_high.tolist()
    assert len({tuple(row) for row in low}) > 1


def test_a_system_never_compared_neither_has_a_pairwise_rank_nor_widens_others() -> None:
    wins = np.zeros((3, 3))
    wins[0, 2] = 20
    low, high = pairwise_rank_ranges(PairCounts(wins, np.zeros((3, 3))))
    assert low.tolist() == [1, 0, 2]
    assert high.tolist() == [1, 0, 2]


def test_a_p_value_by_which_both_could_be_better_is_refused() -> None:
    with pytest.raises(PodiumError, match=r"not between 0 and 0\.5"):
        pairwise_rank_ranges(PairCounts(np.zeros((2, 2)), np.zeros((2, 2))), p=0.6)
