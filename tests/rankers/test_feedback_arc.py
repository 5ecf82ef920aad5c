"""Lopez and Most Probable Ranking: exact search against trying every order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import NotConvergedError
from analysis.rankers import order_search
from analysis.rankers.feedback_arc import Lopez, MostProbable, OrderRanker
from analysis.rankers.order_search import best_positions, count_best_orders
from analysis.rankers.ratios import ExpectedWins


def counts_of(wins: FloatArray, ties: FloatArray | None = None) -> PairCounts:
    wins = np.asarray(wins, dtype=np.float64)
    return PairCounts(wins, np.zeros_like(wins) if ties is None else ties)


def random_costs(n: int, seed: int, most: int = 30) -> FloatArray:
    """Return costs of a campaign in which nothing but chance decides: cycles everywhere."""
    wins = np.random.default_rng(seed).integers(0, most, size=(n, n)).astype(np.float64)
    return np.maximum(0.0, wins.T - wins)


def order_cost(costs: FloatArray, order: IntArray) -> float:
    """Return what an order, given from the top, costs."""
    return float(np.triu(costs[np.ix_(order, order)], 1).sum())


def by_trying_all(costs: FloatArray, choice: FloatArray) -> tuple[list[int], int]:
    """Return the best order that the tie rule prefers, and the number of best orders."""
    orders = [list(order) for order in itertools.permutations(range(len(costs)))]
    prices = np.array([order_cost(costs, np.array(order)) for order in orders])
    best = [
        order for order, price in zip(orders, prices, strict=True) if price < prices.min() + 1e-9
    ]
    return max(best, key=lambda order: [choice[k] for k in order]), len(best)


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            arrays(np.float64, (n, n), elements=st.integers(0, 4)), st.permutations(range(n))
        )
    )
)
@settings(max_examples=150, derandomize=True)
def test_the_order_and_the_number_of_best_orders_are_those_of_trying_all(
    drawn: tuple[FloatArray, list[int]],
) -> None:
    wins, preferred = drawn
    costs = np.maximum(0.0, wins.T - wins)
    np.fill_diagonal(costs, 0.0)
    choice = np.array(preferred, dtype=np.float64)
    order, n_best = by_trying_all(costs, choice)
    assert np.argsort(best_positions(costs, choice, 1.0)).tolist() == order
    assert count_best_orders(costs) == n_best


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ranker", [Lopez(), MostProbable(), MostProbable(alpha=0.1)])
def test_seven_systems_come_in_the_best_of_all_5040_orders(ranker: OrderRanker, seed: int) -> None:
    counts = counts_of(np.random.default_rng(seed).integers(0, 12, size=(7, 7)) * (1 - np.eye(7)))
    order, _ = by_trying_all(ranker.costs(counts), ExpectedWins().scores_from_counts(counts))
    scores = ranker.scores_from_counts(counts)
    assert scores[order].tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_the_most_probable_order_has_the_greatest_product_of_chances() -> None:
    wins = np.random.default_rng(6).integers(1, 9, size=(6, 6)) * (1 - np.eye(6))
    chance = (wins + 1) / (wins + wins.T + 2)
    products = {
        order: np.prod([chance[i, j] for i, j in itertools.combinations(order, 2)])
        for order in itertools.permutations(range(6))
    }
    scores = MostProbable().scores_from_counts(counts_of(wins))
    found = tuple(np.argsort(-scores).tolist())
    assert products[found] == pytest.approx(max(products.values()), rel=1e-12)


def test_a_large_majority_counts_by_its_size_for_lopez_and_by_its_odds_for_most_probable() -> None:
    wins = np.array([[0, 60, 10], [40, 0, 9], [20, 1, 0]])
    assert np.argsort(-Lopez().scores_from_counts(counts_of(wins))).tolist() == [2, 0, 1]
    wins = np.array([[0, 60, 0], [40, 0, 9], [11, 1, 0]])
    by_size = Lopez().scores_from_counts(counts_of(wins))
    by_odds = MostProbable(alpha=0.1).scores_from_counts(counts_of(wins))
    assert np.argsort(-by_size).tolist() == [2, 0, 1]
    assert np.argsort(-by_odds).tolist() == [1, 2, 0]


@pytest.mark.parametrize(("n", "seed"), [(12, 0), (16, 1), (20, 2), (20, 3)])
def test_subset_search_and_integer_program_find_the_same_cost(n: int, seed: int) -> None:
    costs = random_costs(n, seed)
    searched = np.argsort(best_positions(costs, np.zeros(n), 1.0))
    programmed = order_search._order_by_integer_program(costs, time_limit=60.0)
    assert order_cost(costs, searched) == order_cost(costs, programmed) > 0


def test_more_systems_than_are_searched_go_to_the_integer_program_and_keep_the_rule_elsewhere() -> (
    None
):
    circle = random_costs(24, seed=4)
    costs = np.zeros((27, 27))
    costs[2:26, 2:26] = circle
    costs[2:26, 0] = 7.0  # system 0 beats all of the circle; 0 and 1 never met
    costs[2:26, 1] = 7.0
    costs[26, :26] = 5.0
    choice = np.zeros(27)
    choice[1] = 1.0
    order = np.argsort(best_positions(costs, choice, 60.0))
    assert order[:2].tolist() == [1, 0]
    assert order[-1] == 26
    program = order_search._order_by_integer_program(circle, time_limit=60.0)
    assert order_cost(costs, order) == order_cost(circle, program) > 0


def test_leading_axes_are_replicates() -> None:
    wins = np.random.default_rng(2).integers(0, 9, size=(2, 3, 8, 8)).astype(np.float64)
    stacked = Lopez().scores_from_counts(counts_of(wins))
    for r, s in np.ndindex(2, 3):
        single = Lopez().scores_from_counts(counts_of(wins[r, s]))
        np.testing.assert_array_equal(stacked[r, s], single)


def test_a_cycle_of_three_is_broken_by_expected_wins_and_the_number_of_orders_told() -> None:
    # ada beats bix and bix beats cor by one; cor beats ada by one: three orders cost 1 each.
    wins = np.array([[0, 5, 9], [4, 0, 3], [10, 2, 0]])
    counts = counts_of(wins)
    shares = ExpectedWins().scores_from_counts(counts)
    scores = Lopez().scores_from_counts(counts)
    assert count_best_orders(Lopez().costs(counts)) == 3
    assert np.argmax(scores) == np.argmax(shares)
    (note,) = Lopez()._how_many_are_as_good(counts)
    assert note.startswith("3 orders")


def test_all_orders_are_counted_where_nothing_speaks_for_any() -> None:
    assert count_best_orders(np.zeros((9, 9))) == 362_880
    assert count_best_orders(np.zeros((21, 21))) is None


def test_systems_never_compared_take_no_place() -> None:
    wins = np.zeros((4, 4))
    wins[3, 1] = 2
    scores = Lopez().scores_from_counts(counts_of(wins))
    np.testing.assert_array_equal(scores, [np.nan, 0, np.nan, 1])


def test_ties_alone_are_comparisons_too() -> None:
    scores = Lopez().scores_from_counts(counts_of(np.zeros((2, 2)), ties=1 - np.eye(2)))
    assert sorted(scores.tolist()) == [0, 1]


def test_running_out_of_time_is_an_error_that_gives_the_bound_or_says_there_is_none() -> None:
    wins = np.random.default_rng(0).integers(0, 2, size=(60, 60)).astype(np.float64)
    with pytest.raises(NotConvergedError, match=r"60 systems.*after 0\.01 s") as caught:
        Lopez(time_limit=0.01).scores_from_counts(counts_of(wins * (1 - np.eye(60))))
    assert "time limit" in caught.value.remedy


def test_the_message_names_best_order_bound_and_gap() -> None:
    stopped = scipy.optimize.OptimizeResult(x=np.ones(3), fun=20.0, mip_dual_bound=14.0)
    message = str(order_search._out_of_time(stopped, 100.0, 25, 30.0))
    assert "found one of cost 120; the optimum costs at least 114, a gap of 5%" in message


def test_a_search_among_too_many_systems_is_refused_before_it_begins() -> None:
    n = order_search.MOST_SYSTEMS + 1
    circle = np.zeros((n, n))
    circle[np.arange(n), (np.arange(n) + 1) % n] = 1
    with pytest.raises(NotConvergedError, match=f"{n} systems beat each other") as caught:
        order_search._order_by_integer_program(circle, time_limit=0.01)
    assert caught.value.remedy
