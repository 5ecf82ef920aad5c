"""Bradley–Terry against a general optimizer, closed forms, and simulated truth."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.stats import kendalltau

from analysis.campaign import Campaign, FloatArray, PairCounts
from analysis.errors import NotConvergedError
from analysis.formats import read_path
from analysis.rankers import bradley_terry, warm_newton
from analysis.rankers.bradley_terry import KINDS, BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.resampling import ResamplingUnit, resampled_counts

TIES = ["half", "davidson", "rao-kupper"]


def draw_counts(
    theta: FloatArray, tau: float, ties: str, n: FloatArray, rng: np.random.Generator
) -> PairCounts:
    """Draw outcomes of n[i, j] meetings, i < j, from the model's own chances."""
    k = len(theta)
    wins, tied = np.zeros((k, k)), np.zeros((k, k))
    for i in range(k):
        for j in range(i + 1, k):
            won, lost, drawn = rng.multinomial(n[i, j], chances(theta[i] - theta[j], tau, ties))
            wins[i, j], wins[j, i], tied[i, j], tied[j, i] = won, lost, drawn, drawn
    return PairCounts(wins, tied)


def chances(d: float, tau: float, ties: str) -> list[float]:
    """Return P(win), P(loss), P(tie) as the papers print them, with π = exp θ."""
    pi, pj = np.exp(d), 1.0
    if ties == "davidson":
        nu = np.exp(tau)
        total = pi + pj + nu * np.sqrt(pi * pj)
        return [pi / total, pj / total, nu * np.sqrt(pi * pj) / total]
    kappa = np.exp(tau) if ties == "rao-kupper" else 1.0
    win, loss = pi / (pi + kappa * pj), pj / (pj + kappa * pi)
    return [win, loss, max(0.0, 1 - win - loss)]


def negative_log_posterior(x: FloatArray, counts: PairCounts, ties: str, prior: float) -> float:
    theta, tau = x[:-1], x[-1]
    total = -(theta**2).sum() / (2 * prior**2)
    if ties != "half":
        total -= tau**2 / (2 * prior**2)
    if ties == "rao-kupper":
        total += np.log(tau)
    for i in range(len(theta)):
        for j in range(i + 1, len(theta)):
            win, loss, tie = chances(theta[i] - theta[j], tau, ties)
            drawn = counts.ties[i, j]
            won, lost = counts.wins[i, j], counts.wins[j, i]
            if ties == "half":
                total += (won + drawn / 2) * np.log(win) + (lost + drawn / 2) * np.log(loss)
            else:
                total += won * np.log(win) + lost * np.log(loss) + drawn * np.log(tie)
    return -total


@pytest.fixture(scope="module")
def counts() -> PairCounts:
    rng = np.random.default_rng(3)
    n = rng.integers(5, 80, size=(6, 6))
    return draw_counts(np.array([1.2, 0.6, 0.1, -0.1, -0.5, -1.3]), 0.4, "davidson", n, rng)


@pytest.mark.parametrize("prior", [0.5, 3.0])
@pytest.mark.parametrize("ties", TIES)
def test_newton_meets_a_general_optimizer_of_the_printed_formula(
    counts: PairCounts, ties: str, prior: float
) -> None:
    start = np.append(np.zeros(6), 0.5)
    bounds = [(None, None)] * 6 + [(1e-6 if ties == "rao-kupper" else None, None)]
    found = minimize(
        negative_log_posterior,
        start,
        args=(counts, ties, prior),
        bounds=bounds,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 2000},
    )
    scores = BradleyTerry(ties=ties, prior=prior).scores_from_counts(counts)
    np.testing.assert_allclose(scores, found.x[:-1], atol=2e-5)


@pytest.mark.parametrize("ties", TIES)
def test_gradient_and_information_are_the_derivatives(counts: PairCounts, ties: str) -> None:
    ranker = BradleyTerry(ties=ties)
    x = np.append(np.random.default_rng(1).normal(0, 0.5, 6), 0.7)
    _, gradient, information = ranker._log_posterior(x, counts)
    numeric = approx_fprime(x, lambda y: ranker._log_posterior(y, counts)[0], 1e-7)
    np.testing.assert_allclose(gradient, numeric, atol=1e-3)
    second = [
        approx_fprime(x, lambda y, k=k: ranker._log_posterior(y, counts)[1][k], 1e-7)
        for k in range(7)
    ]
    np.testing.assert_allclose(information, -np.array(second), atol=1e-3)


@pytest.mark.parametrize("ties", TIES)
def test_the_spread_is_that_of_abilities_less_their_mean(counts: PairCounts, ties: str) -> None:
    """By the contrast of one system against the mean, from a numeric second derivative."""
    ranker = BradleyTerry(ties=ties)
    mode = ranker._fit(counts)
    spread = ranker.spread_at_mode(mode, counts)
    hessian = np.array(
        [
            approx_fprime(mode, lambda y, k=k: -ranker._log_posterior(y, counts)[1][k], 1e-6)
            for k in range(7)
        ]
    )
    covariance = np.linalg.inv(hessian)
    contrast = np.append(-np.full(6, 1 / 6), 0.0)
    for k in range(6):
        weights = contrast.copy()
        weights[k] += 1
        assert spread[k] == pytest.approx(np.sqrt(weights @ covariance @ weights), rel=1e-4)


@pytest.mark.parametrize("ties", TIES)
def test_the_spread_is_how_far_estimates_scatter_around_the_truth(ties: str) -> None:
    rng = np.random.default_rng(12)
    theta = np.array([0.8, 0.2, -0.1, -0.9])
    n = np.array([[0, 200, 150, 90], [0, 0, 120, 300], [0, 0, 0, 60], [0, 0, 0, 0]])
    drawn = [draw_counts(theta, 0.5, ties, n, rng) for _ in range(400)]
    stacked = PairCounts(
        np.stack([counts.wins for counts in drawn]), np.stack([counts.ties for counts in drawn])
    )
    ranker = BradleyTerry(ties=ties, prior=10)
    mode = ranker._fit(stacked)
    z = (mode[..., :-1] - theta) / ranker.spread_at_mode(mode, stacked)
    np.testing.assert_allclose(z.std(axis=0), 1, atol=0.12)
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=0.2)


def test_two_systems_without_a_tie_have_the_log_odds_between_them() -> None:
    counts = PairCounts(np.array([[0.0, 300.0], [100.0, 0.0]]), np.zeros((2, 2)))
    first, second = BradleyTerry(ties="half", prior=10).scores_from_counts(counts)
    assert first - second == pytest.approx(np.log(3), abs=1e-3)
    assert first + second == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("ties", TIES)
def test_replicates_together_are_replicates_one_by_one(counts: PairCounts, ties: str) -> None:
    rng = np.random.default_rng(8)
    drawn = rng.poisson(counts.ties, size=(4, 6, 6)).astype(np.float64)
    stacked = PairCounts(
        rng.poisson(counts.wins, size=(4, 6, 6)).astype(np.float64),
        drawn + drawn.swapaxes(1, 2),
    )
    ranker = BradleyTerry(ties=ties)
    together = ranker.scores_from_counts(stacked)
    for r in range(4):
        np.testing.assert_allclose(together[r], ranker.scores_from_counts(stacked[r]), atol=1e-7)


def random_table(k: int, n: int, rng: np.random.Generator) -> FloatArray:
    """A flat table of n votes between systems whose abilities spread by 1."""
    theta = rng.normal(size=k)
    first = rng.integers(k, size=n)
    second = (first + 1 + rng.integers(k - 1, size=n)) % k
    won = rng.random(n) < 1 / (1 + np.exp(theta[second] - theta[first]))
    winner, loser = np.where(won, first, second), np.where(won, second, first)
    cells = winner * k + loser + (rng.random(n) < 0.2) * k * k
    return np.bincount(cells, minlength=2 * k * k).astype(np.float64)


@pytest.mark.parametrize("prior", [0.3, 3.0, 10.0])
@pytest.mark.parametrize("ties", TIES)
def test_a_step_from_the_whole_reaches_the_mode_of_a_full_fit(ties: str, prior: float) -> None:
    """Dense and sparse tables, down to systems that nobody met: the same to 1e-8."""
    rng = np.random.default_rng(7)
    ranker = BradleyTerry(ties=ties, prior=prior)
    for k, n in ((2, 50), (7, 60), (13, 3000), (40, 400), (61, 30_000)):
        table = random_table(k, n, rng)
        whole = PairCounts.from_cells(table, k)
        start = ranker._fit(whole)
        factor = ranker.factor_at(start, whole)
        for _ in range(3):
            drawn = rng.multinomial(n, table / n).astype(np.float64)
            full = ranker._fit(PairCounts.from_cells(drawn, k))
            mode, met = ranker.mode_near(drawn, start, factor)
            np.testing.assert_allclose(mode, full, atol=1e-8)
            compared = PairCounts.from_cells(drawn, k).compared.sum(axis=1)
            np.testing.assert_array_equal(met, compared)


@pytest.mark.parametrize("ties", TIES)
def test_quick_steps_have_the_slopes_and_the_information_of_the_posterior(ties: str) -> None:
    """Two derivations: tile by tile for one table, and in NumPy for many."""
    k, rng = 5, np.random.default_rng(3)
    table, at = random_table(k, 300, rng), np.append(rng.normal(size=k), 0.7)
    ranker = BradleyTerry(ties=ties, prior=3.0)
    _, expected, information = ranker._log_posterior(at, PairCounts.from_cells(table, k))
    wins, tied = table.reshape(2, k, k)
    won, compared, net, met = np.zeros((k, k)), np.zeros((k, k)), np.zeros(k), np.zeros(k)
    # The functions before they are compiled: their callers compile them.
    collect = inspect.unwrap(warm_newton._collect)
    n_ties = collect(wins, tied, KINDS[ties], won, compared, net, met)
    gradient, curved = np.empty(k + 1), np.zeros((k + 1, k + 1))
    if ties == "rao-kupper":
        slopes = inspect.unwrap(warm_newton._threshold_slopes)
        slopes(won, n_ties, at, 1 / 9, True, gradient, curved)
    else:
        slopes = inspect.unwrap(warm_newton._slopes)
        slopes(net, compared, n_ties, at, KINDS[ties], 1 / 9, True, gradient, curved)
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.tril(curved), np.tril(information), rtol=0, atol=1e-12)


@pytest.mark.parametrize("ties", TIES)
def test_few_steps_reach_the_mode_of_a_usual_resample_without_help(
    ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(9)
    table = random_table(30, 20_000, rng)
    ranker = BradleyTerry(ties=ties)
    whole = PairCounts.from_cells(table, 30)
    start = ranker._fit(whole)
    drawn = rng.multinomial(20_000, table / 20_000).astype(np.float64)
    monkeypatch.setattr(bradley_terry, "_newton", None)
    mode, _ = ranker.mode_near(drawn, start, ranker.factor_at(start, whole))
    assert 1e-3 < np.abs(mode - start).max() < 0.5


@pytest.mark.parametrize("unit", ["judgment", "task", "judge", "none"])
def test_resamples_of_a_fit_are_full_fits_of_the_same_draws(
    unit: ResamplingUnit, make_campaign: Callable[..., Campaign]
) -> None:
    rng = np.random.default_rng(3)
    tasks = [
        (str(t % 9), f"j{t % 5}", dict(zip("abcde", rng.integers(1, 4, 5).tolist(), strict=True)))
        for t in range(150)
    ]
    judgments = make_campaign([*tasks, ("x", "j9", {"a": 1, "rare": 2})]).judgments()
    ranker = BradleyTerry()
    warm = ranker.fit(judgments).replicates(unit, 20, np.random.default_rng(2))
    full = ranker.scores_from_counts(
        resampled_counts(judgments, unit, 20, np.random.default_rng(2))
    )
    np.testing.assert_allclose(warm, full, atol=1e-8)
    assert np.isnan(warm).any() == (unit != "none")


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("drawn", [0.0, 1e5])
def test_extreme_counts_stay_finite(ties: str, drawn: float) -> None:
    wins = np.triu(np.full((5, 5), 1e5), 1) if drawn == 0 else np.zeros((5, 5))
    ranker = BradleyTerry(ties=ties, prior=10)
    scores = ranker.scores_from_counts(PairCounts(wins, drawn * (1 - np.eye(5))))
    assert np.isfinite(scores).all()
    assert (np.diff(scores) < 0).all() if drawn == 0 else np.allclose(scores, 0)


@pytest.mark.parametrize(
    ("ties", "pulls"), [("half", True), ("rao-kupper", True), ("davidson", False)]
)
def test_a_tie_pulls_two_systems_together_except_in_davidsons_model(ties: str, pulls: bool) -> None:
    """For two systems alone Davidson's odds are win to loss, whatever the ties."""
    wins = np.array([[0.0, 20.0], [10.0, 0.0]])
    ranker = BradleyTerry(ties=ties, prior=10)
    scores = [
        ranker.scores_from_counts(PairCounts(wins, n * (1 - np.eye(2)))) for n in (0.0, 10.0, 40.0)
    ]
    gaps = [first - second for first, second in scores]
    if pulls:
        assert gaps[0] > 1.15 * gaps[1] > 1.15**2 * gaps[2] > 0
    else:
        np.testing.assert_allclose(gaps, np.log(2), atol=0.01)


def test_not_reaching_the_mode_is_an_error_with_steps_and_change(
    counts: PairCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bradley_terry, "MAX_STEPS", 2)
    with pytest.raises(NotConvergedError, match=r"after 2 Newton steps .* moved by") as caught:
        BradleyTerry().scores_from_counts(counts)
    assert caught.value.remedy


def test_meeting_the_champion_often_does_not_harm_a_system_that_is_just_as_good(
    make_campaign: Callable[..., Campaign],
) -> None:
    """HM13, §3: close1 … close3 are alike, terrific beats all; close1 meets it most often."""
    ability = {"close1": 0.0, "close2": 0.0, "close3": 0.0, "terrific": 2.0}
    meetings = {("close1", "terrific"): 400, ("close1", "close2"): 40, ("close1", "close3"): 40}
    meetings |= {("close2", "close3"): 400, ("close2", "terrific"): 40, ("close3", "terrific"): 40}
    tasks = []
    for (a, b), n in meetings.items():
        won = round(n / (1 + np.exp(ability[b] - ability[a])))
        tasks += [(str(k), "ann", {a: 1 + (k >= won), b: 1 + (k < won)}) for k in range(n)]
    judgments = make_campaign(tasks).judgments()
    standings = BradleyTerry(ties="half", prior=10).fit(judgments).standings
    assert standings.ranked_systems[0] == "terrific"
    assert np.ptp(standings.scores[:3]) < 0.03
    assert standings.scores[3] - standings.scores[:3].mean() == pytest.approx(2.0, abs=0.03)
    counts = judgments.counts
    share_of_wins = counts.wins.sum(axis=1) / counts.compared.sum(axis=1)
    assert share_of_wins[0] < share_of_wins[1:3].min() - 0.2


@pytest.mark.parametrize("ties", TIES)
def test_chances_at_the_mode_are_the_printed_ones(
    ties: str, make_campaign: Callable[..., Campaign]
) -> None:
    rng = np.random.default_rng(2)
    ranks = {0: (1, 2), 1: (1, 1), 2: (2, 1)}
    tasks = []
    for k in range(300):
        a, b = sorted(rng.choice(["ada", "bix", "cor"], size=2, replace=False))
        outcome = rng.choice(3, p=[0.5, 0.2, 0.3])
        tasks.append((str(k), "ann", dict(zip((a, b), ranks[outcome], strict=True))))
    judgments = make_campaign(tasks).judgments()
    ranker = BradleyTerry(ties=ties)
    preferences = ranker.preferences(judgments)
    mode = ranker._fit(judgments.counts)
    for i, j in [(0, 1), (2, 0), (1, 2)]:
        win, loss, tie = chances(mode[i] - mode[j], mode[-1], ties)
        if ties == "half":
            # here the formula gives the expected score, win + tie/2
            assert preferences.win[i, j] + preferences.tie[i, j] / 2 == pytest.approx(win)
        else:
            assert preferences.win[i, j] == pytest.approx(win)
            assert preferences.loss[i, j] == pytest.approx(loss)
            assert preferences.tie[i, j] == pytest.approx(tie)


def test_on_wmt13_the_tie_models_agree_and_follow_expected_wins(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    judgments = campaign.judgments()
    expected = ExpectedWins().fit(judgments).standings.scores
    fits = [BradleyTerry(ties=ties).fit(judgments).standings.scores for ties in TIES]
    for scores in fits:
        assert np.corrcoef(scores, expected)[0, 1] > 0.995
        assert kendalltau(scores, fits[0]).statistic > 0.94
    weak = dataclasses.replace(BradleyTerry(), prior=10.0).fit(judgments).standings.scores
    assert np.abs(weak - fits[1]).max() < 1e-3


def test_on_wmt13_the_analytic_spread_is_that_of_resampled_rows(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    judgments = campaign.judgments()
    ranker = BradleyTerry()
    drawn = resampled_counts(judgments, "judgment", 400, np.random.default_rng(0))
    resampled = ranker.scores_from_counts(drawn).std(axis=0)
    spread = ranker.fit(judgments).standings.spread
    assert spread is not None
    np.testing.assert_allclose(resampled / spread, 1, atol=0.15)
