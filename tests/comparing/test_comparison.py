"""Methods side by side: WMT14's Table 9, and tau, moves and swaps by brute force."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.comparing.comparison import Column, compare
from analysis.errors import PodiumError
from analysis.rankers.ranker import best_first

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
SYSTEMS = ("a", "b", "c", "d", "e", "f")


def column(method: str, order: str, clusters: list[int] | None = None) -> Column:
    indices = np.array([SYSTEMS.index(name) for name in order])
    return Column(method, SYSTEMS, indices, None if clusters is None else np.array(clusters))


def table_9() -> list[Column]:
    """Bojar et al. 2014, Table 9, English-German, with the official clusters on the first."""
    orders = pd.read_csv(PUBLISHED / "wmt14_table9_orders_en-de.csv")
    official = pd.read_csv(PUBLISHED / "wmt14_clusters_derived.csv")
    official = official[official["language_pair"] == "English-German"].set_index("system")
    systems = tuple(sorted(orders["expected_wins"]))
    columns = []
    for method in ("trueskill", "expected_wins", "hopkins_may"):
        order = np.array([systems.index(name) for name in orders[method]])
        clusters = official.loc[list(systems), "cluster"].to_numpy()
        columns.append(Column(method, systems, order, clusters if method == "trueskill" else None))
    return columns


def test_no_move_of_wmt14s_table_9_crosses_an_official_cluster() -> None:
    result = compare(table_9())
    moved = {method: len(result.moves_of(method)) for method in result.methods}
    # read off the printed table: against TrueSkill, Expected Wins moves UEDIN-STANFORD and
    # PROMT-HYBRID; Hopkins and May moves ONLINE-A, UEDIN-STANFORD, PROMT-RULE and two couples
    assert moved == {"trueskill": 0, "expected_wins": 2, "hopkins_may": 7}
    assert all(move.is_open for move in result.moves)
    assert all(s.is_open for s in result.swaps if s.methods[0] == "trueskill")
    # no clusters are known for the other two: nothing is called harmless
    others = [s for s in result.swaps if s.methods == ("expected_wins", "hopkins_may")]
    assert others
    assert not any(s.is_open for s in others)


def test_the_reordering_table_holds_each_methods_order() -> None:
    columns = table_9()
    frame = compare(columns).side_by_side()
    for each in columns:
        assert tuple(frame[each.method]) == each.names
    assert list(frame.index) == list(range(1, 19))


orders = st.permutations(SYSTEMS).map("".join)


@given(first=orders, second=orders, third=orders)
def test_tau_is_symmetric_and_counts_the_swapped_pairs(first: str, second: str, third: str) -> None:
    result = compare([column(m, o) for m, o in zip("xyz", (first, second, third), strict=True)])
    assert np.array_equal(result.tau, result.tau.T)
    for (a, x), (b, y) in itertools.combinations(enumerate((first, second, third)), 2):
        swapped = {(i, j) for i, j in itertools.combinations(x, 2) if y.index(i) > y.index(j)}
        found = {(s.upper, s.lower) for s in result.swaps if s.methods == ("xyz"[a], "xyz"[b])}
        assert found == swapped
        assert result.tau[a, b] == pytest.approx(1 - 2 * len(swapped) / 15)


@given(first=orders, second=orders)
def test_a_move_is_a_changed_place_and_nothing_else(first: str, second: str) -> None:
    moves = compare([column("x", first), column("y", second)]).moves
    assert {m.system: m.place for m in moves} == {
        name: second.index(name) + 1 for name in SYSTEMS if first.index(name) != second.index(name)
    }


def test_a_printed_swap_is_open_only_where_no_line_of_either_separates_the_two() -> None:
    first = column("x", "abcdef", [1, 1, 1, 2, 2, 3])
    second = column("y", "bacedf", [1, 1, 2, 3, 3, 4])
    third = column("z", "acbdfe", [1, 1, 2, 2, 3, 3])
    swaps = {
        (s.methods, s.upper + s.lower): s.is_open for s in compare([first, second, third]).swaps
    }
    assert swaps[("x", "y"), "ab"]
    assert swaps[("x", "y"), "de"]
    assert not swaps[("x", "z"), "bc"]
    assert not swaps[("x", "z"), "ef"]


def test_a_system_that_crosses_one_cluster_line_has_moved_in_earnest() -> None:
    first = column("x", "abcdef", [1, 1, 1, 1, 2, 2])
    second = column("y", "bacedf", [1, 1, 1, 1, 1, 2])
    moves = {m.system: m.is_open for m in compare([first, second]).moves}
    assert moves == {"a": True, "b": True, "d": False, "e": False}


def scored(method: str, scores: list[float]) -> Column:
    """A column whose scores are known; systems without one are not in its order."""
    order = best_first(np.array(scores))
    return Column(
        method, SYSTEMS, order[~np.isnan(np.array(scores)[order])], None, np.array(scores)
    )


def test_equal_scores_enter_tau_b_as_ties() -> None:
    first = scored("x", [6, 5, 4, 3, 2, 1])
    second = scored("y", [9, 9, 5, 5, 2, 2])
    # 12 concordant pairs, 3 tied in y: 12 / sqrt(15 * 12)
    assert compare([first, second]).tau[0, 1] == pytest.approx(12 / np.sqrt(15 * 12))


def test_a_method_known_by_its_order_alone_is_compared_with_one_known_by_scores() -> None:
    known = scored("x", [6, 5, 4, 3, 2, 1])
    assert compare([known, column("y", "abcdfe")]).tau[0, 1] == pytest.approx(13 / 15)
    assert compare([column("y", "fedcba"), known]).tau[0, 1] == pytest.approx(-1)


def test_a_system_without_a_score_in_one_method_is_left_out_of_all() -> None:
    first = scored("x", [6, 5, 4, 3, 2, 1])
    second = scored("y", [1, np.nan, 2, 3, 4, 5])
    result = compare([first, second])
    assert result.left_out == ("b",)
    assert result.systems == ("a", "c", "d", "e", "f")
    assert result.tau[0, 1] == pytest.approx(-1)
    assert list(result.side_by_side()["y"]) == ["f", "e", "d", "c", "a"]


def test_one_method_twice_and_nothing_in_common_are_refused() -> None:
    with pytest.raises(PodiumError, match="two or more different"):
        compare([column("x", "abcdef"), column("x", "abcdef")])
    with pytest.raises(PodiumError, match="only 1 systems"):
        compare([column("x", "abc"), column("y", "cde")])


def test_a_swap_is_open_where_neither_tells_apart_whatever_the_clusters() -> None:
    order = np.arange(6)
    swapped = np.array([1, 0, 2, 4, 3, 5])
    told, nothing = np.zeros((6, 6), dtype=bool), np.zeros((6, 6), dtype=bool)
    told[3, 4] = told[4, 3] = True
    lines = np.arange(1, 7)
    first = Column("x", SYSTEMS, order, lines, apart=told)
    second = Column("y", SYSTEMS, swapped, lines, apart=nothing)
    swaps = {s.upper + s.lower: s for s in compare([first, second]).swaps}
    assert swaps["ab"].is_open
    assert swaps["ab"].told_by == ()
    assert not swaps["de"].is_open
    assert swaps["de"].told_by == ("x",)
    assert {m.system: m.is_open for m in compare([first, second]).moves} == {
        "a": True, "b": True, "d": False, "e": False,
    }  # fmt: skip
