"""Hopkins & May, Gaussian, by Laplace: the ordered probit on counts, and what is made of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from analysis.campaign import Judgments, PairCounts
from analysis.errors import PodiumError, UndefinedResultError
from analysis.formats import read_path
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.preferences import OrderedProbit
from analysis.rankers.resampling import resampled_counts

SCALE = math.sqrt(2.5)


def log_posterior(
    abilities: np.ndarray, wins: np.ndarray, ties: np.ndarray, scale: float, d: float, sd: float
) -> float:
    """The model as it is written down, pair by pair."""
    total = norm.logpdf(abilities, scale=sd).sum()
    for i in range(len(abilities)):
        for j in range(len(abilities)):
            gap = abilities[i] - abilities[j]
            if i != j:
                total += wins[i, j] * norm.logsf(d - gap, scale=scale)
            if i < j:
                zone = norm.cdf(d - gap, scale=scale) - norm.cdf(-d - gap, scale=scale)
                total += ties[i, j] * np.log(zone)
    return float(total)


def random_counts(rng: np.random.Generator, k: int, most: int) -> PairCounts:
    wins = rng.integers(0, most, size=(k, k)).astype(float) * rng.random((k, 1)) ** 2
    wins = np.floor(wins) * (1 - np.eye(k))
    ties = np.triu(rng.integers(0, most, size=(k, k)), 1).astype(float)
    return PairCounts(wins, ties + ties.T)


@pytest.mark.parametrize(
    ("scale", "radius", "prior_sd"), [(SCALE, 0.4, 1.0), (0.7, 0.05, 0.3), (3.0, 2.0, 5.0)]
)
def test_the_mode_is_where_an_independent_optimizer_finds_it(
    scale: float, radius: float, prior_sd: float
) -> None:
    counts = random_counts(np.random.default_rng(3), 5, 40)
    mode, precision = OrderedProbit(scale, radius, prior_sd).mode(counts)
    found = minimize(
        lambda x: -log_posterior(x, counts.wins, counts.ties, scale, radius, prior_sd),
        np.zeros(5),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    np.testing.assert_allclose(mode, found.x, atol=1e-5)
    step = 1e-4
    for a in range(5):
        for b in range(5):
            corners = [
                log_posterior(
                    mode + step * (s * np.eye(5)[a] + t * np.eye(5)[b]),
                    counts.wins,
                    counts.ties,
                    scale,
                    radius,
                    prior_sd,
                )
                for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))
            ]
            bend = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * step**2)
            assert precision[a, b] == pytest.approx(-bend, rel=1e-4, abs=2e-4)


def test_tables_of_many_resamples_give_what_each_gives_alone() -> None:
    rng = np.random.default_rng(5)
    single = [random_counts(rng, 4, 30) for _ in range(6)]
    stacked = PairCounts(
        np.stack([c.wins for c in single]).reshape(2, 3, 4, 4),
        np.stack([c.ties for c in single]).reshape(2, 3, 4, 4),
    )
    model = OrderedProbit(SCALE, 0.4, 1.0)
    modes, precisions = model.mode(stacked)
    for place, counts in enumerate(single):
        mode, precision = model.mode(counts)
        np.testing.assert_allclose(modes.reshape(6, 4)[place], mode, atol=1e-9)
        np.testing.assert_allclose(precisions.reshape(6, 4, 4)[place], precision, atol=1e-6)


def test_an_undefeated_system_stays_finite_and_first() -> None:
    wins = np.array([[0.0, 1e5, 1e5], [0, 0, 7], [0, 5, 0]])
    for prior_sd in (0.05, 1.0, 10.0):
        mode, _ = OrderedProbit(SCALE, 0.4, prior_sd).mode(PairCounts(wins, np.zeros((3, 3))))
        assert np.isfinite(mode).all()
        assert mode[0] > mode[1] > mode[2]


def test_a_few_ties_against_a_thousand_losses_still_converge() -> None:
    wins = np.zeros((2, 2))
    ties = np.array([[0.0, 3], [3, 0]])
    wins[0, 1] = 1000
    mode, _ = OrderedProbit(0.1, 0.01, 10.0).mode(PairCounts(wins, ties))
    gradient = [
        log_posterior(mode + step * np.array([1, -1]), wins, ties, 0.1, 0.01, 10.0)
        for step in (-1e-5, 1e-5)
    ]
    assert gradient[0] == pytest.approx(gradient[1], abs=1e-4)


def test_the_spread_is_that_of_centered_abilities_and_shrinks_with_the_root_of_the_data(
    make_campaign: Callable,
) -> None:
    tasks = [("1", "j", {"a": 1, "b": 2, "c": 3}), ("2", "j", {"a": 2, "b": 1, "c": 2})]
    spreads = []
    for times in (200, 800):
        judgments = make_campaign(tasks * times).judgments()
        standings = HopkinsMay().fit(judgments).standings
        spreads.append(standings.spread)
        assert standings.scores.sum() == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(spreads[0] / spreads[1], 2, rtol=0.01)


def test_predictions_are_the_integral_over_the_posterior(make_campaign: Callable) -> None:
    judgments = make_campaign(
        [("1", "j", {"a": 1, "b": 2}), ("2", "j", {"a": 1, "b": 1}), ("3", "j", {"b": 1, "c": 2})]
    ).judgments()
    ranker = HopkinsMay()
    predicted = ranker.preferences(judgments)
    posterior = ranker.abilities(judgments)
    rng = np.random.default_rng(0)
    drawn = rng.multivariate_normal(posterior.mean, posterior.covariance, size=400_000)
    seen = drawn + rng.normal(scale=SCALE / math.sqrt(2), size=drawn.shape)
    gap = seen[:, 0] - seen[:, 2]
    assert predicted.win[0, 2] == pytest.approx((gap > 0.4).mean(), abs=0.004)
    assert predicted.tie[0, 2] == pytest.approx((abs(gap) <= 0.4).mean(), abs=0.004)
    np.testing.assert_allclose(predicted.win + predicted.tie + predicted.loss, 1, atol=1e-12)


def test_a_system_never_compared_has_no_score_and_says_why(make_campaign: Callable) -> None:
    judgments = make_campaign([("1", "j", {"a": 1, "b": 2}), ("2", "j", {"alone": 1})]).judgments()
    standings = HopkinsMay().fit(judgments).standings
    assert np.isnan(standings.scores[judgments.systems.index("alone")])
    assert "alone" in standings.undefined
    assert standings.scores[:1] + standings.scores[2:] == pytest.approx(0, abs=1e-9)


def test_impossible_settings_and_empty_campaigns_are_refused(make_campaign: Callable) -> None:
    with pytest.raises(PodiumError, match="radius"):
        HopkinsMay(radius=0)
    with pytest.raises(PodiumError, match="sigma_obs"):
        HopkinsMay(sigma_obs=-1)
    with pytest.raises(UndefinedResultError, match="needs two"):
        HopkinsMay().fit(make_campaign([("1", "j", {"a": 1})]).judgments())


@pytest.fixture(scope="module")
def wmt13(campaigns_dir: Path) -> Judgments:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    return campaign.judgments()


def test_wmt13_has_the_spread_of_independent_pairs(wmt13: Judgments) -> None:
    """Mean posterior sd .0141 for independent pairs on the full file (METHODS, section 4)."""
    spread = HopkinsMay().fit(wmt13).standings.spread
    assert spread is not None
    assert np.mean(spread) == pytest.approx(0.0141, abs=0.0002)


def test_drawing_rows_again_gives_the_models_own_spread_and_drawing_tasks_more(
    wmt13: Judgments,
) -> None:
    ranker = HopkinsMay()
    spread = ranker.fit(wmt13).standings.spread
    rng = np.random.default_rng(1)
    rows = ranker.scores_from_counts(resampled_counts(wmt13, "judgment", 300, rng)).std(axis=0)
    tasks = ranker.scores_from_counts(resampled_counts(wmt13, "task", 300, rng)).std(axis=0)
    assert spread is not None
    assert np.mean(rows / spread) == pytest.approx(1, abs=0.06)
    assert np.mean(tasks / spread) > 1.3
