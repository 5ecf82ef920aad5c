"""Clusters by rank ranges (Koehn 2012, eq. 6) and by gaps in the scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import FloatArray
from analysis.ranking.clusters import clusters_from_radius
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges


def ranges_of(mean: list[float], low: list[int], high: list[int]) -> RankRanges:
    """Rank ranges as given; what clusters do not read is left empty."""
    score: FloatArray = np.array(mean, float)
    nothing = np.zeros(len(mean))
    return RankRanges(
        systems=tuple(f"s{k}" for k in range(len(mean))),
        level=0.95,
        mean=score,
        se=nothing,
        ci_low=score,
        ci_high=score,
        half_low=score,
        half_high=score,
        rank_best=np.array(low),
        rank_worst=np.array(high),
        ranks=nothing[None],
    )


def test_a_line_stands_where_no_range_reaches_across() -> None:
    """1 | 2–3 3–4 2–4 | 5: the third range alone holds the middle together."""
    ranges = ranges_of([5, 4, 3, 2, 1], [1, 2, 3, 2, 5], [1, 3, 4, 4, 5])
    assert clusters_from_ranges(ranges).tolist() == [1, 2, 2, 2, 3]


def test_a_low_system_whose_range_reaches_far_up_joins_all_above_it() -> None:
    """Neighbours do not overlap (1–1, 2–2, 3–3), but the last system's range is 1–4."""
    ranges = ranges_of([4, 3, 2, 1], [1, 2, 3, 1], [1, 2, 3, 4])
    assert clusters_from_ranges(ranges).tolist() == [1, 1, 1, 1]


def test_ranges_that_touch_make_no_line() -> None:
    assert clusters_from_ranges(ranges_of([2, 1], [1, 1], [1, 2])).tolist() == [1, 1]
    assert clusters_from_ranges(ranges_of([3, 2, 1], [1, 2, 2], [2, 2, 3])).tolist() == [1, 1, 1]


def test_the_order_of_the_systems_does_not_matter_and_those_without_rank_are_in_no_cluster() -> (
    None
):
    ranges = ranges_of([1, 5, np.nan, 3], [3, 1, 0, 2], [3, 1, 0, 2])
    assert clusters_from_ranges(ranges).tolist() == [3, 1, 0, 2]


@given(data=st.data(), n=st.integers(1, 6))
def test_clusters_are_the_finest_cut_that_no_range_crosses(data: st.DataObject, n: int) -> None:
    """Brute force: of all cuts of the order into runs, the valid one with most parts.

    A cut is valid if every range above a line ends before every range below it begins.
    """
    ends = [sorted(data.draw(st.tuples(st.integers(1, n), st.integers(1, n)))) for _ in range(n)]
    low, high = [e[0] for e in ends], [e[1] for e in ends]
    best: tuple[int, ...] = ()
    for n_lines in range(n):
        for lines in itertools.combinations(range(1, n), n_lines):
            if all(max(high[:line]) < min(low[line:]) for line in lines):
                best = lines
    wanted = [1 + sum(k >= line for line in best) for k in range(n)]
    ranges = ranges_of([float(n - k) for k in range(n)], low, high)
    assert clusters_from_ranges(ranges).tolist() == wanted


@pytest.mark.parametrize(
    ("radius", "wanted"),
    [
        (0.0, [4, 1, 3, 2, 0]),
        (0.1, [3, 1, 2, 2, 0]),
        (0.25, [2, 1, 1, 1, 0]),
        (0.3, [1, 1, 1, 1, 0]),
    ],
)
def test_a_gap_wider_than_the_radius_starts_a_cluster(radius: float, wanted: list[int]) -> None:
    """Gaps .25 exactly (binary fractions), .0625 and .28125, walking down."""
    scores = np.array([0.15625, 0.75, 0.4375, 0.5, np.nan])
    assert clusters_from_radius(scores, radius).tolist() == wanted


def test_radius_clusters_chain_neighbours_however_far_the_ends_are_apart() -> None:
    assert clusters_from_radius(np.linspace(0, 1, 11), 0.11).tolist() == [1] * 11
