"""The two-player update against the `trueskill` package, and the kernels against their twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trueskill
from scipy.special import ndtr, ndtri

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, PairCounts
from analysis.rankers.trueskill.kernels import (
    match_quality,
    play_active,
    play_active_readable,
    play_by_quality,
    play_sequence,
    update_pair_readable,
)
from analysis.rankers.trueskill.package import PACKAGE
from analysis.rankers.trueskill.trueskill import KERNELS

Facts = tuple[IntArray, IntArray, IntArray]


def margin_of(draw_probability: float, beta: float) -> float:
    return float(ndtri((draw_probability + 1) / 2)) * math.sqrt(2) * beta


def random_facts(n_systems: int, n: int, seed: int) -> Facts:
    """Facts with a bias: system k beats those before it more often than not."""
    rng = np.random.default_rng(seed)
    left = rng.integers(n_systems, size=n)
    right = (left + rng.integers(1, n_systems, size=n)) % n_systems
    lead = (left - right) / n_systems + rng.normal(size=n)
    return left, right, np.where(abs(lead) < 0.4, TIE, np.sign(lead)).astype(np.int8)


def with_package(
    facts: Facts, n_systems: int, sigma0: float, beta: float, tau: float, draw_probability: float
) -> tuple[FloatArray, FloatArray]:
    package = trueskill.TrueSkill(0.0, sigma0, beta, tau, draw_probability, backend="scipy")
    ratings = [package.create_rating() for _ in range(n_systems)]
    for left, right, outcome in zip(*facts, strict=True):
        i, j = (right, left) if outcome == LOSS else (left, right)
        ratings[i], ratings[j] = trueskill.rate_1vs1(
            ratings[i], ratings[j], drawn=bool(outcome == TIE), env=package
        )
    return np.array([r.mu for r in ratings]), np.array([r.sigma**2 for r in ratings])


@pytest.mark.parametrize(
    ("sigma0", "beta", "tau", "draw_probability"),
    [
        (0.5, 0.5 * 400 / 40, 0.0, 0.25),  # as published, with 399 judgments
        (0.5, 395.0, 0.0, 0.25),
        (0.5, 0.25, 0.01, 0.1),
        (8.0, 4.0, 0.1, 0.6),
        (2.0, 0.3, 0.0, 0.05),
    ],
)
def test_two_player_updates_equal_the_trueskill_package(
    sigma0: float, beta: float, tau: float, draw_probability: float
) -> None:
    facts = random_facts(6, 400, seed=3)
    wanted_mu, wanted_variance = with_package(facts, 6, sigma0, beta, tau, draw_probability)
    margin = margin_of(draw_probability, beta)

    readable_mu, readable_variance = np.zeros(6), np.full(6, sigma0**2)
    for left, right, outcome in zip(*facts, strict=True):
        update_pair_readable(
            readable_mu, readable_variance, left, right, outcome, beta, margin, tau
        )
    fast_mu, fast_variance = np.zeros(6), np.full(6, sigma0**2)
    play_sequence(*facts, np.arange(400), fast_mu, fast_variance, beta, margin, tau)

    for mu, variance in ((readable_mu, readable_variance), (fast_mu, fast_variance)):
        np.testing.assert_allclose(mu, wanted_mu, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(variance, wanted_variance, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("outcome", [LOSS, TIE])
@pytest.mark.parametrize("far", [29.9, 30.1, 45.0, 200.0])
def test_an_upset_in_the_far_tail_pulls_the_two_together_and_no_further(
    outcome: int, far: float
) -> None:
    """There Φ is 0 in floating point; the cut distribution is all but a point at the cut."""
    beta, margin = 0.1, 0.05
    c = math.sqrt(0.02 + 2 * beta**2)
    after = []
    for lead in (far * c, far * c * (1 + 1e-9)):
        mu, variance = np.array([lead, 0.0]), np.full(2, 0.01)
        play_sequence(
            np.array([0]), np.array([1]), np.array([outcome], np.int8), np.array([0]),
            mu, variance, beta, margin, 0.0,
        )  # fmt: skip
        readable_mu, readable_variance = np.array([lead, 0.0]), np.full(2, 0.01)
        update_pair_readable(readable_mu, readable_variance, 0, 1, outcome, beta, margin, 0.0)
        np.testing.assert_allclose(mu, readable_mu, rtol=1e-12)
        np.testing.assert_allclose(variance, readable_variance, rtol=1e-10)
        after.append(mu[0] - mu[1])
    cut = margin if outcome == TIE else -margin
    moved = 2 * 0.01 / c * (far - cut / c)  # all of the lead beyond the cut, but for about 1/far
    assert after[0] == pytest.approx(far * c - moved, abs=2 * 0.01 / c * 1.5 / far)
    assert after[1] == pytest.approx(after[0], rel=1e-6)
    assert 0 < variance[0] < 0.01


def test_the_tail_expansion_joins_the_exact_formula_without_a_step() -> None:
    """On either side of the point where the formula changes, the update is the same."""
    for outcome in (LOSS, TIE):
        results = []
        for t in (29.9999999, 30.0000001):
            mu, variance = np.array([t, 0.0]), np.full(2, 0.5)
            margin = 1e-12 if outcome == LOSS else 0.3
            shift = 0.0 if outcome == LOSS else 0.3
            mu[0] += shift
            play_sequence(
                np.array([0]), np.array([1]), np.array([outcome], np.int8), np.array([0]),
                mu, variance, 1e-9, margin, 0.0,
            )  # fmt: skip
            results.append([*mu, *variance])
        np.testing.assert_allclose(results[0], results[1], rtol=1e-7, atol=3e-7)


def biased_counts(n_systems: int, n: int, seed: int) -> PairCounts:
    left, right, outcome = random_facts(n_systems, n, seed)
    wins, ties = np.zeros((n_systems, n_systems)), np.zeros((n_systems, n_systems))
    np.add.at(wins, (left[outcome == WIN], right[outcome == WIN]), 1)
    np.add.at(wins, (right[outcome == LOSS], left[outcome == LOSS]), 1)
    np.add.at(ties, (left[outcome == TIE], right[outcome == TIE]), 1)
    return PairCounts(wins, ties + ties.T)


@pytest.mark.parametrize(("beta", "tau"), [(0.5 * 800 / 40, 0.0), (0.5, 0.02)])
def test_active_selection_equals_its_readable_twin(beta: float, tau: float) -> None:
    counts = biased_counts(7, 800, seed=5)
    margin = margin_of(0.25, beta)
    fast = play_active(
        counts.wins, counts.ties, 800, 0.5, beta, margin, tau, np.random.default_rng(9)
    )
    readable = play_active_readable(counts, 800, 0.5, beta, margin, tau, np.random.default_rng(9))
    np.testing.assert_allclose(fast, readable, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("beta", "tau"), [(0.5 * 800 / 40, 0.0), (0.5, 0.02)])
def test_selection_by_match_quality_equals_its_readable_twin(beta: float, tau: float) -> None:
    counts = biased_counts(7, 800, seed=5)
    settings = (800, 0.5, beta, margin_of(0.25, beta), tau)
    fast = play_by_quality(counts.wins, counts.ties, *settings, np.random.default_rng(9))
    readable = play_active_readable(
        counts, *settings, np.random.default_rng(9), nearness=match_quality
    )
    np.testing.assert_allclose(fast, readable, rtol=1e-9, atol=1e-9)
    other = play_active(counts.wins, counts.ties, *settings, np.random.default_rng(9))
    assert not np.allclose(fast[0], other[0])


def test_the_package_as_engine_gives_the_numbers_of_a_loop_over_the_package() -> None:
    """Equal to 1e-12, and within 1e-7 of the kernels, whose Φ is SciPy's."""
    rng = np.random.default_rng(5)
    left, outcome = rng.integers(6, size=400), rng.integers(-1, 2, size=400)
    right = (left + 1 + rng.integers(5, size=400)) % 6
    beta, margin = 5.0, 0.4506 * 5.0
    draw_probability = 2 * float(ndtr(margin / (math.sqrt(2) * beta))) - 1
    package = trueskill.TrueSkill(0.0, 0.5, beta, 0.0, draw_probability)
    ratings = [package.create_rating() for _ in range(6)]
    for i, j, won in zip(left, right, outcome, strict=True):
        a, b = (i, j) if won >= 0 else (j, i)
        ratings[a], ratings[b] = trueskill.rate_1vs1(
            ratings[a], ratings[b], drawn=bool(won == 0), env=package
        )
    by_engine = {}
    for name, engine in (("package", PACKAGE), ("kernels", KERNELS)):
        mu, variance = np.zeros(6), np.full(6, 0.25)
        order = np.arange(400)
        engine.play_sequence(left, right, outcome, order, mu, variance, beta, margin, 0.0)
        by_engine[name] = mu
    own = [rating.mu for rating in ratings]
    np.testing.assert_allclose(by_engine["package"], own, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(by_engine["package"], by_engine["kernels"], atol=1e-7)


def test_match_quality_is_that_of_the_trueskill_package() -> None:
    """SPV14, §2.4: √(2β²/c²) exp(-(μa - μb)²/2c²), c² = 2β² + σa² + σb²."""
    mu, variance, beta = np.array([0.3, -0.4, 1.5]), np.array([0.2, 0.05, 0.4]), 0.7
    package = trueskill.TrueSkill(beta=beta, backend="scipy")
    sides = [package.create_rating(m, v**0.5) for m, v in zip(mu, variance, strict=True)]
    for a in range(3):
        expected = [trueskill.quality_1vs1(sides[a], sides[b], env=package) for b in range(3)]
        np.testing.assert_allclose(match_quality(mu, variance, a, beta), expected, rtol=1e-12)


def test_active_selection_leaves_out_a_system_never_compared() -> None:
    """Its variance would stay the largest for ever, and every draw would choose it."""
    counts = biased_counts(5, 300, seed=6)
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    others = np.array([0, 1, 2, 4, 5])
    wins[np.ix_(others, others)], ties[np.ix_(others, others)] = counts.wins, counts.ties
    mu, variance = play_active(wins, ties, 300, 0.5, 3.75, 1.7, 0.0, np.random.default_rng(1))
    assert np.isnan([mu[3], variance[3]]).all()
    alone = play_active(
        counts.wins, counts.ties, 300, 0.5, 3.75, 1.7, 0.0, np.random.default_rng(1)
    )
    np.testing.assert_array_equal(mu[others], alone[0])


def test_active_selection_never_pairs_systems_that_were_not_compared() -> None:
    """Two groups that never met: the skills of each sum to zero, as only its members gain."""
    wins = np.zeros((6, 6))
    wins[0, 1], wins[1, 2], wins[0, 2], wins[3, 4], wins[4, 5] = 9, 8, 7, 30, 10
    mu, _ = play_active(
        wins, np.zeros((6, 6)), 500, 0.5, 500.0, 225.0, 0.0, np.random.default_rng(4)
    )
    assert mu[0] > mu[1] > mu[2]
    np.testing.assert_allclose([mu[:3].sum(), mu[3:].sum()], 0, atol=1e-5)
