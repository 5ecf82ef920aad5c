"""Degrees of freedom and moderated variances, against Smyth's formulas and against simulation."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from scipy.special import digamma, polygamma

from analysis.rankers import RANKERS
from analysis.ranking.covariance import Unit, UnitCovariance
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import (
    KEPT,
    Differences,
    as_if_equal,
    inverse_trigamma,
    lend_strength,
    moderated,
    quantile,
    two_way,
    two_way_freedom,
)
from analysis.ranking.verdict import reach_verdict
from tests.tools.audit.generator import Nature


def test_the_inverse_of_the_trigamma_function_is_that_of_a_root_finder() -> None:
    for value in np.geomspace(1e-6, 1e6, 25):
        root = scipy.optimize.brentq(lambda x, v=value: polygamma(1, x) - v, 1e-6, 1e9)
        assert inverse_trigamma(float(value)) == pytest.approx(root, rel=1e-6)
    assert np.isinf(inverse_trigamma(0.0))


def moderated_by_the_book(
    variance: np.ndarray, least: np.ndarray, freedom: float
) -> tuple[np.ndarray, float]:
    """Smyth 2004, section 6.2, term by term: e, their mean and variance, d₀, s₀², the mixture."""
    z = [np.log(v / u) for v, u in zip(variance, least, strict=True)]
    e = [one - digamma(freedom / 2) + np.log(freedom / 2) for one in z]
    mean = sum(e) / len(e)
    spread = sum((one - mean) ** 2 for one in e) / (len(e) - 1) - polygamma(1, freedom / 2)
    half = scipy.optimize.brentq(lambda x: polygamma(1, x) - spread, 1e-3, 1e8)
    s0 = np.exp(mean + digamma(half) - np.log(half))
    mixed = [
        (2 * half * s0 * u + freedom * v) / (2 * half + freedom)
        for v, u in zip(variance, least, strict=True)
    ]
    return np.array(mixed), 2 * half + freedom


def test_moderated_variances_are_those_of_smyths_formulas() -> None:
    rng = np.random.default_rng(0)
    least = rng.uniform(0.5, 2, 40)
    variance = least * 3 * 6 / rng.chisquare(6, 40) * rng.chisquare(12, 40) / 12
    found, freedom = moderated(variance, least, 12.0, independent=40)
    wanted, of_wanted = moderated_by_the_book(variance, least, 12.0)
    np.testing.assert_allclose(found, wanted, rtol=1e-8)
    assert freedom == pytest.approx(of_wanted, rel=1e-8)
    assert 14 < freedom < 40
    assert np.log(found / least).var() < np.log(variance / least).var()


def test_variances_that_scatter_no_more_than_chance_are_pooled_and_their_freedom_is_bounded() -> (
    None
):
    variance = np.array([1.0, 1.1, 0.9, 1.05])
    found, freedom = moderated(variance, np.ones(4), 10.0, independent=3)
    assert np.ptp(found) == 0
    assert freedom == 30
    assert found[0] == pytest.approx(1.01, rel=0.15)


def test_one_direction_borrows_nothing() -> None:
    found, freedom = moderated(np.array([2.0]), np.array([1.0]), 7.0, independent=1)
    assert (found.tolist(), freedom) == ([2.0], 7.0)


def test_pooled_variances_are_right_on_average_and_scatter_less() -> None:
    rng = np.random.default_rng(3)
    drawn = rng.chisquare(8, (2000, 30)) / 8
    pooled = np.array([moderated(one, np.ones(30), 8.0, 30)[0].mean() for one in drawn])
    assert pooled.mean() == pytest.approx(1.0, abs=0.02)
    assert pooled.std() < 0.35 * drawn.std()


@pytest.mark.parametrize("judges", [4, 20])
def test_systems_lend_each_other_strength_whatever_the_number_of_judges(judges: int) -> None:
    k = 6
    rng = np.random.default_rng(judges)
    nothing, eye = np.zeros((k, k)), np.eye(k)
    root = rng.normal(size=(k, judges - 1))
    units: dict[Unit, UnitCovariance] = {
        "task": UnitCovariance(eye, 900),
        "segment": UnitCovariance(1.2 * eye, 200),
        "judge": UnitCovariance(2 * root @ root.T / (judges - 1), judges),
    }
    made = Uncertainty(units, {}, nothing, nothing, 0.3 * eye, "by hand")
    pairs = Differences(*np.triu_indices(k, 1))
    found = made.precision(pairs)
    plain = np.sqrt(made.along(pairs))
    assert np.log(found.se).std() < np.log(plain).std()
    assert found.freedom > judges - 1
    alone = made.interval(rng.normal(size=k), np.eye(k)[0] - np.eye(k)[1], 0.9)
    assert alone.se == pytest.approx(found.se[0])
    reach = quantile(0.95, alone.freedom) * alone.se
    assert (alone.high - alone.low) / 2 == pytest.approx(reach)


def test_lent_strength_is_smyths_over_the_systems_and_keeps_the_correlations_of_tasks() -> None:
    rng = np.random.default_rng(2)
    task = np.cov(rng.normal(size=(7, 500)))
    root = np.sqrt(2 * rng.chisquare(5, 7) / 5)
    unit = root[:, None] * np.cov(rng.normal(size=(7, 500))) * root
    found, freedom = lend_strength(unit, task, 5.0)
    variance, shared = moderated(np.diag(unit), np.diag(task), 5.0, 6)
    np.testing.assert_allclose(
        np.diag(found), np.maximum(variance, KEPT / (KEPT + 5) * np.diag(unit))
    )
    assert freedom == shared > 5
    scale = np.sqrt(np.diag(found))
    of_task = task / np.sqrt(np.outer(np.diag(task), np.diag(task)))
    np.testing.assert_allclose(found / np.outer(scale, scale), of_task)


def test_a_system_on_which_judges_differ_keeps_most_of_its_own_variance() -> None:
    unit = np.diag([30.0, 1.0, 1.2, 0.9, 1.1, 1.0])
    found, _ = lend_strength(unit, np.eye(6), 4.0)
    assert found[0, 0] >= KEPT / (KEPT + 4) * 30
    assert found[1:, 1:].max() < 5


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("freedom", [0.00066, 0.1, 0.99])
def test_almost_no_freedom_lends_nothing_and_overflows_nowhere(freedom: float) -> None:
    """A file of scores once had .00066 degrees: the exponential of the mean overflowed."""
    variance, least = np.array([1.0, 2.0, 9.0]), np.ones(3)
    assert moderated(variance, least, freedom, 3) == (variance, freedom)
    assert lend_strength(np.diag(variance), np.eye(3), freedom)[1] == freedom


def test_two_systems_and_systems_that_no_unit_moves_borrow_nothing() -> None:
    two, freedom = lend_strength(np.diag([1.0, 5.0]), np.eye(2), 4.0)
    assert (np.diag(two).tolist(), freedom) == ([1, 5], 4)
    found, _ = lend_strength(np.diag([1.0, 2.0, 0.0, 3.0]), np.diag([1.0, 1.0, 0.0, 1.0]), 4.0)
    assert found[2].tolist() == [0, 0, 0, 0]


def test_the_two_way_freedom_is_that_of_the_only_unit_there_is() -> None:
    assert two_way_freedom(1.0, 1.0, 2.5, np.inf, 6.0) == pytest.approx(6)
    assert two_way_freedom(1.0, 2.5, 1.0, 30.0, np.inf) == pytest.approx(30)


def test_the_two_way_variance_never_falls_below_that_of_a_unit_alone() -> None:
    task, segment, judge = np.random.default_rng(1).gamma(2, size=(3, 500))
    both = two_way(task, segment, judge)
    np.testing.assert_array_equal(both, two_way(task, judge, segment))
    assert (both >= np.maximum(segment, judge)).all()
    inside = (segment > task) & (judge > task)
    np.testing.assert_allclose(both[inside], (segment + judge - task)[inside])


@pytest.mark.parametrize(("won", "n"), [(60, 100), (20, 20), (0, 7)])
def test_the_variance_of_two_shares_if_they_were_equal_is_that_of_the_score_test(
    won: int, n: int
) -> None:
    """With shares smoothed by one win and one loss, z² is the score test's, also of all won."""
    p = (won + 1) / (n + 2)
    share = np.array([won / n, 1 - won / n])
    wald = 4 * p * (1 - p) / n
    found = wald * as_if_equal(share, np.full(2, float(n)))[0, 1]
    assert found == pytest.approx(4 * 0.5 * 0.5 / n)


def test_shares_that_are_equal_vary_as_they_do_and_unknown_ones_change_nothing_else() -> None:
    factor = as_if_equal(np.array([0.3, 0.3, 0.8, np.nan]), np.array([50.0, 50, 50, 0]))
    assert factor[0, 1] == pytest.approx(1)
    assert factor[0, 2] > 1.2
    assert np.isfinite(factor).all()


@pytest.mark.slow
def test_expected_wins_claims_hold_where_ten_segments_move_all_scores() -> None:
    """Shares that are high by chance looked precise: 8.5% of such campaigns had a false claim."""
    nature = Nature((0.0,) * 8, segments=10)
    false, n = 0, 250
    for index in range(n):
        judgments = nature.draw(np.random.default_rng([26, index])).campaign.judgments()
        false += reach_verdict(RANKERS["expected-wins"]().fit(judgments, 0)).significant.any()
    assert false / n <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)
