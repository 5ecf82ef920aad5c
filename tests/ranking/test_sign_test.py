"""The sign test against scipy's own binomial test, and by its symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from analysis.ranking.significance import clopper_pearson, sign_test, significance_marks

counts = st.integers(0, 3000)


@given(wins=counts, losses=counts)
def test_both_sidednesses_equal_scipys_exact_binomial_test(wins: int, losses: int) -> None:
    if wins + losses == 0:
        expected = {1: 1.0, 2: 1.0}
    else:
        expected = {
            1: binomtest(wins, wins + losses, alternative="greater").pvalue,
            2: binomtest(wins, wins + losses).pvalue,
        }
    for sides in (1, 2):
        assert sign_test(wins, losses, sides) == pytest.approx(expected[sides], rel=1e-9)


@given(wins=counts, losses=counts)
def test_the_two_one_sided_tests_overlap_in_the_observed_outcome_only(
    wins: int, losses: int
) -> None:
    both = sign_test(wins, losses, 1) + sign_test(losses, wins, 1)
    if wins + losses:
        assert both == pytest.approx(1 + binom.pmf(wins, wins + losses, 0.5), rel=1e-9)


def test_one_sided_asks_whether_the_first_system_is_better() -> None:
    assert sign_test(30, 12, 1) < 0.01
    assert sign_test(12, 30, 1) > 0.99
    assert sign_test(30, 12, 2) == sign_test(12, 30, 2) < 0.02


def test_tables_of_any_shape_give_the_single_values() -> None:
    wins = np.array([[0.0, 7.0, 40.0], [3.0, 0.0, 55.0]])
    losses = np.array([1.0, 9.0, 60.0])
    table = sign_test(wins, losses, 1)
    for i in range(2):
        for j in range(3):
            assert table[i, j] == sign_test(wins[i, j], losses[j], 1)


def test_a_mark_holds_at_its_bound_and_not_beyond() -> None:
    p = np.array([[0.01, 0.0101], [0.05, 0.0501], [0.10, 0.1001], [0.0, np.nan]])
    marks = [["‡", "†"], ["†", "*"], ["*", ""], ["‡", ""]]
    assert significance_marks(p).tolist() == marks


@pytest.mark.parametrize(("successes", "trials"), [(0, 9), (1, 9), (9, 9), (37, 90)])
def test_the_exact_interval_of_a_share_is_scipys_also_of_none_and_of_all(
    successes: int, trials: int
) -> None:
    low, high = clopper_pearson(np.array([successes]), np.array([trials]), 0.9)
    expected = binomtest(successes, trials).proportion_ci(0.9, "exact")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))
