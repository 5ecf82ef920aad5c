"""Draws of true scores: shrunk where scores are near, and as variable as scores are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from analysis.campaign import Judgments
from analysis.next_campaign.truths import (
    BURN_IN,
    THINNED,
    Contrasts,
    _gibbs,
    draw_truths,
    spread_weights,
    two_way_covariance,
)
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.variance import Differences
from analysis.ranking.verdict import reach_verdict
from analysis.samples import sample_campaign


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt14-fr-en").judgments()


def draw_abilities(
    estimate: np.ndarray, covariance: np.ndarray, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw true scores where the covariance is known for sure: of centered scores."""
    k = len(estimate)
    center = np.eye(k) - 1 / k
    return draw_truths(estimate, center @ covariance @ center, np.inf, draws, rng).theta


def test_a_wide_field_is_believed_and_a_narrow_one_drawn_together() -> None:
    rng = np.random.default_rng(0)
    sure = draw_abilities(np.array([3.0, 1, -1, -3]), 0.01 * np.eye(4), 2000, rng)
    np.testing.assert_allclose(sure.mean(axis=0), [3, 1, -1, -3], atol=0.03)
    np.testing.assert_allclose(sure[:, 0].std(), np.sqrt(0.01 * 3 / 4), rtol=0.1)
    near = np.array([0.1, 0.05, -0.05, -0.1])
    vague = draw_abilities(near, np.eye(4), 4000, rng)
    lead = (vague[:, 0] > vague[:, 3]).mean()
    assert 0.5 < lead < norm.cdf(0.2 / np.sqrt(2))


def test_the_covariance_varies_along_differences_as_told_apart_says(judgments: Judgments) -> None:
    result = reach_verdict(ExpectedWins().fit(judgments))
    covariance = two_way_covariance(result.uncertainty, "new", np.arange(8))
    own = np.diag(covariance)
    sd = np.sqrt((own[:, None] + own - 2 * covariance)[np.triu_indices(8, 1)])
    ratio = sd / np.sqrt(result.uncertainty.along(Differences(*np.triu_indices(8, 1))))
    # One matrix has to serve all pairs, whose variances have floors of their own.
    assert np.median(np.abs(ratio - 1)) < 0.03
    assert np.abs(ratio - 1).max() < 0.15
    assert np.linalg.eigvalsh(covariance).min() > -1e-12


def test_one_system_far_behind_says_little_of_how_far_apart_the_others_are() -> None:
    """Seven near systems, with errors of 1, stay near: a normal prior would leave them 1 apart."""
    near = np.array([0.6, 0.4, 0.2, 0.0, -0.2, -0.4, -0.6])
    far = np.append(near, -30.0)
    rng = np.random.default_rng(5)

    def spread_of_near(scores: np.ndarray) -> float:
        drawn = draw_abilities(scores - scores.mean(), np.eye(len(scores)), 1500, rng)[:, :7]
        return float(np.std(drawn - drawn.mean(axis=1, keepdims=True), axis=1).mean())

    alone, beside = spread_of_near(near), spread_of_near(far)
    assert 0 < alone < beside < 0.6


def test_few_degrees_of_freedom_make_the_variances_differ_from_draw_to_draw() -> None:
    rng = np.random.default_rng(6)
    scores, covariance = np.linspace(-1, 1, 5), 0.1 * (np.eye(5) - 0.2)
    known = draw_truths(scores, covariance, np.inf, 300, rng)
    guessed = draw_truths(scores, covariance, 4.0, 300, rng)
    assert (known.scale == 1).all()
    assert np.log(guessed.scale).std() > 0.3
    again = draw_truths(scores, covariance, 4.0, 300, np.random.default_rng(9))
    same = draw_truths(scores, covariance, 4.0, 300, np.random.default_rng(9))
    assert again.theta.tobytes() == same.theta.tobytes()


def test_where_scores_say_nothing_of_their_spread_each_spread_is_as_likely() -> None:
    """On a grid whose steps grow with the spread, a spread's weight is its step."""
    spreads = np.geomspace(0.1, 10, 40)
    vague = Contrasts(np.eye(3), np.full(3, 1e12), np.zeros(3))
    weights = spread_weights(vague, spreads)
    np.testing.assert_allclose(weights, spreads / spreads.sum(), rtol=1e-6)


def test_variances_of_very_different_sizes_are_inverted_without_losing_a_direction() -> None:
    rng = np.random.default_rng(0)
    turned = np.linalg.qr(rng.standard_normal((11, 11)))[0]
    covariance = (turned * np.geomspace(1e-11, 400, 11)) @ turned.T
    covariance = (covariance + covariance.T) / 2
    drawn = draw_truths(rng.standard_normal(11), covariance, np.inf, 20, rng)
    assert np.isfinite(drawn.theta).all()


def readable(
    scores: np.ndarray, precision: np.ndarray, freedom: float, grid: np.ndarray, draws: int
) -> np.ndarray:
    """Draw true scores as the module's first page says, by matrices and Cauchy's tails."""
    rng, k, tau, scale, width = (
        np.random.default_rng(3),
        len(scores),
        2.0,
        1.0,
        np.ones(len(scores)),
    )

    def choose(logs: np.ndarray) -> float:
        shares = np.cumsum(np.exp(logs - logs.max()))
        return float(grid[np.searchsorted(shares, rng.random() * shares[-1])])

    kept = []
    for _ in range(BURN_IN + draws * THINNED):
        inner = precision / scale + np.diag(1 / (tau**2 * width))
        noise = np.linalg.solve(np.linalg.cholesky(inner).T, rng.standard_normal(k))
        theta = np.linalg.solve(inner, precision @ scores / scale) + noise
        rate = (1 + theta**2 / tau**2) / 2
        width = rate / rng.standard_gamma(1.0, k)
        sizes = (theta**2 / width).sum()
        tau = choose(np.log(grid) / 2 - k * np.log(grid) - sizes / (2 * grid**2))
        eta = theta / tau
        far = scores - grid[:, None] * eta
        tau = choose(np.log(grid) / 2 - np.einsum("gi,ij,gj->g", far, precision, far) / (2 * scale))
        theta = tau * eta
        far = scores - theta
        scale = (freedom + far @ precision @ far) / 2 / rng.standard_gamma((freedom + k - 1) / 2)
        kept.append(theta - theta.mean())
    return np.array(kept[BURN_IN::THINNED])


def test_the_kernel_draws_what_the_readable_sampler_draws() -> None:
    rng = np.random.default_rng(8)
    noise = rng.standard_normal((6, 30))
    scores, precision = rng.standard_normal(6), noise @ noise.T
    grid = np.geomspace(0.02, 10, 40)
    theta, _ = _gibbs(scores, precision, 5.0, 1.0, 4.0, grid, 60, np.random.default_rng(3))
    np.testing.assert_allclose(theta, readable(scores, precision, 5.0, grid, 60), atol=1e-9)
