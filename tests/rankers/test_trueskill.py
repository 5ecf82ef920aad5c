"""TrueSkill as a ranker: selection, resampling, the expected run, prediction."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import trueskill
from scipy.stats import norm

from analysis.campaign import LOSS, TIE, Campaign, FloatArray, Judgments, PairCounts, Selection
from analysis.errors import PodiumError
from analysis.rankers.resampling import ResamplingUnit
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.fluid import (
    BoolArray,
    course,
    expected_run,
    selection,
    slopes,
    standardized,
    tie_corrections,
    win_corrections,
)
from analysis.rankers.trueskill.kernels import match_quality, play_active
from analysis.rankers.trueskill.response import slopes_by_mu
from analysis.ranking.certainty import replicate
from tests.building import CampaignBuilder

UNITS: tuple[ResamplingUnit, ...] = ("none", "judgment", "task", "segment", "judge")

GAIN = 14.300
"""What N wins move μ by in all, at the published settings: 40 σ0/√2 · v(0, ε/√2β)."""


def simulate(n_systems: int, n_tasks: int, seed: int, shared: float = 0.0) -> Campaign:
    """Five-way tasks: system k has quality k/3; ranks of rounded qualities, so that ties occur.

    With probability ``shared`` the first two outputs of a task are one, made by both systems.
    """
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    for t in range(n_tasks):
        shown = rng.permutation(n_systems)[:5]
        outputs = [(f"s{k:02}",) for k in shown]
        quality = shown / 3 + rng.normal(size=len(shown))
        if rng.random() < shared:
            outputs[:2] = [tuple(sorted(outputs[0] + outputs[1]))]
            quality = quality[1:]
        ranks = np.unique(-np.round(quality), return_inverse=True)[1] + 1
        builder.add_task("fr-en", str(t // 4), f"j{t % 7}", outputs, ranks.tolist())
    return builder.build()


@pytest.fixture(scope="module")
def eight() -> Judgments:
    return simulate(8, 300, seed=1).judgments()


@pytest.fixture(scope="module")
def three() -> Judgments:
    return simulate(3, 200, seed=2).judgments()


@pytest.mark.parametrize("draw_probability", [0.25, 0.5])
def test_the_expected_run_grows_by_the_published_constant_times_net_wins(
    draw_probability: float,
) -> None:
    """Eight systems that all but tie stay equal, so each of the 28 pairs gets 1/28 of the draws."""
    rng = np.random.default_rng(0)
    compared = 10_000.0
    net = np.triu(rng.integers(-30, 31, size=(8, 8)), 1)
    net = (net - net.T).astype(float)
    wins = np.where(np.eye(8) > 0, 0, (compared / 2 + net) / 2)
    ties = compared - wins - wins.T
    np.fill_diagonal(ties, 0)
    margin = norm.ppf((draw_probability + 1) / 2) * math.sqrt(2)
    n = 100_000
    mu, _ = expected_run(PairCounts(wins, ties), n, 0.5, 0.5 * n / 40, margin * 0.5 * n / 40)
    cut = margin / math.sqrt(2)
    gain = 40 * 0.5 / math.sqrt(2) * norm.pdf(cut) / norm.cdf(-cut)
    if draw_probability == 0.25:
        assert gain == pytest.approx(GAIN, abs=0.0005)
    np.testing.assert_allclose(mu, gain * net.sum(axis=1) / compared / 28, rtol=0.01, atol=2e-5)


def test_the_expected_run_is_the_mean_of_actively_selected_runs(eight: Judgments) -> None:
    expected = TrueSkill().fluid_preview(eight)
    runs = replicate(TrueSkill().fit(eight), runs=1000, unit="none", seed=3)
    error = runs.scores.std(axis=0) / math.sqrt(1000)
    assert (abs(expected.scores - runs.scores.mean(axis=0)) < 0.01 + 4 * error).all()
    assert expected.approximate
    n = len(eight) + 1
    beta, margin = 0.5 * n / 40, norm.ppf(0.625) * math.sqrt(2) * 0.5 * n / 40
    counts = eight.counts
    _, variance = play_active(
        counts.wins, counts.ties, n, 0.5, beta, margin, 0.0, np.random.default_rng(5)
    )
    assert expected.spread is not None
    np.testing.assert_allclose(expected.spread, np.sqrt(variance), rtol=2e-4)


def selected_pairs(mu: FloatArray, met: BoolArray, reduction: FloatArray) -> FloatArray:
    """Return f[i, j], the share of draws that go to the pair {i, j}; it is symmetric."""
    first, second = selection(mu, met, reduction)
    ordered = first[:, None] * second
    return ordered + ordered.T


def test_selection_gives_a_system_far_from_all_others_the_draws_it_needs() -> None:
    """Every variance falls alike: with equal reductions, every system is in as many draws."""
    mu = np.array([-2.0, 0.0, 0.1, 0.2, 0.4, 2.5])
    met = ~np.eye(6, dtype=bool)
    pairs = selected_pairs(mu, met, np.ones((6, 6)))
    assert np.triu(pairs).sum() == pytest.approx(1)
    np.testing.assert_allclose(pairs.sum(axis=1), 2 / 6)
    assert pairs[1, 2] > pairs[0, 5]


def test_selection_never_begins_with_a_hub_that_every_other_draw_meets_anyway() -> None:
    """A star: all judgments are against system 0, which is then in every draw."""
    met = np.zeros((6, 6), dtype=bool)
    met[0, 1:] = met[1:, 0] = True
    pairs = selected_pairs(np.linspace(-1, 1, 6), met, np.ones((6, 6)))
    np.testing.assert_allclose(pairs[0, 1:], 1 / 5)
    assert np.triu(pairs[1:, 1:]).sum() == 0


def test_shuffled_uses_every_judgment_once(eight: Judgments) -> None:
    """Whatever the order: with the published β it hardly matters (sd .0007 here)."""
    runs = replicate(TrueSkill(selection="shuffled").fit(eight), runs=20, unit="none", seed=4)
    assert 0 < runs.scores.std(axis=0).min() < runs.scores.std(axis=0).max() < 0.002
    beta = 0.5 * (len(eight) + 1) / 40
    package = trueskill.TrueSkill(0.0, 0.5, beta, 0.0, 0.25, backend="scipy")
    ratings = [package.create_rating() for _ in range(8)]
    for row in np.random.default_rng(11).permutation(len(eight)):
        i, j, outcome = eight.left[row], eight.right[row], eight.outcome[row]
        winner, loser = (j, i) if outcome == LOSS else (i, j)
        ratings[winner], ratings[loser] = trueskill.rate_1vs1(
            ratings[winner], ratings[loser], drawn=bool(outcome == TIE), env=package
        )
    wanted = [rating.mu for rating in ratings]
    np.testing.assert_allclose(runs.scores, np.tile(wanted, (20, 1)), atol=0.005)


@pytest.mark.parametrize("selection", ["active", "shuffled"])
@pytest.mark.parametrize("unit", UNITS)
def test_the_workers_do_not_change_a_bit(
    eight: Judgments, selection: str, unit: ResamplingUnit
) -> None:
    ranker = TrueSkill(selection=selection)
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as many:
        alone = replicate(ranker.fit(eight), runs=120, unit=unit, seed=6, executor=one)
        shared = replicate(ranker.fit(eight), runs=120, unit=unit, seed=6, executor=many)
    assert alone.scores.tobytes() == shared.scores.tobytes()
    assert len(np.unique(alone.scores[:, 0])) == 120


def test_drawing_rows_before_selecting_doubles_the_variance(eight: Judgments) -> None:
    """Selection draws N of the judgments with replacement, from N drawn so themselves."""
    active, both = (
        replicate(TrueSkill().fit(eight), runs=1500, unit=unit, seed=7).scores.std(axis=0)
        for unit in UNITS[:2]
    )
    assert (both > 1.15 * active).all()
    assert both.mean() / active.mean() == pytest.approx(math.sqrt(2), rel=0.1)


def test_with_few_systems_the_fit_is_a_mean_of_runs_and_says_so(three: Judgments) -> None:
    fit = TrueSkill().fit(three, seed=1).standings
    runs = replicate(TrueSkill().fit(three), runs=1000, unit="none", seed=2)
    error = runs.scores.std(axis=0) / math.sqrt(20)
    assert (abs(fit.scores - runs.scores.mean(axis=0)) < 4 * error).all()
    assert fit.approximate
    assert any("Mean of 20 runs" in note for note in fit.notes)
    assert fit.scores.tobytes() == TrueSkill().fit(three, seed=1).standings.scores.tobytes()
    assert fit.scores.tobytes() != TrueSkill().fit(three, seed=2).standings.scores.tobytes()


def test_a_fixed_beta_gives_the_textbook_scale(eight: Judgments) -> None:
    """With β = σ0/2 the data, not the schedule, set the scale: Thurstone's, in units of β√2.

    Simulated qualities are k/3 apart with unit noise: (k/3)/√2 = Δμ/(√2 β), so Δμ = β k/3.
    """
    fit = TrueSkill(beta=0.25, selection="shuffled", tau=0.0).fit(eight).standings
    slope = np.polyfit(np.arange(8) / 3, fit.scores, 1)[0]
    assert slope == pytest.approx(0.25, rel=0.2)
    assert fit.spread is not None
    assert (fit.spread < 0.06).all()


def test_a_system_never_compared_has_no_skill_and_a_reason(
    make_campaign: Callable[..., Campaign],
) -> None:
    tasks = [("1", "j", {"a": 1, "b": 2, "c": 3, "d": 4, "e": 4}), ("2", "j", {"lonely": 1})]
    judgments = make_campaign(tasks * 20).judgments()
    for ranker in (
        TrueSkill(),
        TrueSkill(selection="shuffled"),
        TrueSkill(selection="shuffled", players=3),
    ):
        fit = ranker.fit(judgments).standings
        assert list(fit.undefined) == ["lonely"]
        assert "never compared" in fit.undefined["lonely"]
        scores = replicate(ranker.fit(judgments), runs=5, unit="task", seed=1).scores
        assert np.isnan(scores[:, 5]).all()
        assert np.isfinite(scores[:, :5]).all()


def test_identical_outputs_count_for_each_system_but_not_against_each_other() -> None:
    """Collapsed, N is the number of rows: fewer than the facts about two systems they stand for."""
    campaign = simulate(6, 300, seed=8, shared=0.5)
    collapsed = campaign.judgments(selection=Selection(identical="collapsed"))
    assert len(collapsed) < len(collapsed.observations)
    expected = TrueSkill().fluid_preview(collapsed)
    runs = replicate(TrueSkill().fit(collapsed), runs=400, unit="none", seed=2).scores
    np.testing.assert_allclose(runs.mean(axis=0), expected.scores, atol=0.06)
    assert expected.ranked_systems == tuple(f"s{k:02}" for k in (5, 4, 3, 2, 1, 0))
    tasks = replicate(TrueSkill().fit(collapsed), runs=100, unit="task", seed=2).scores
    assert np.isfinite(tasks).all()


def test_an_actively_selected_run_has_as_many_draws_as_there_are_rows_and_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collapsed = simulate(6, 300, 8, 0.5).judgments(selection=Selection(identical="collapsed"))
    drawn, engine = [], TrueSkill()._engine

    def play(*settings: Any) -> tuple[FloatArray, FloatArray]:
        drawn.append(settings[2])
        return engine.play_active(*settings)

    monkeypatch.setattr(TrueSkill, "_engine", SimpleNamespace(play_active=play))
    replicate(TrueSkill().fit(collapsed), runs=2, unit="none", seed=2)
    assert drawn == [len(collapsed) + 1] * 2


def test_a_tie_is_predicted_inside_the_radius(eight: Judgments) -> None:
    model = TrueSkill(radius=0.3)
    fit = TrueSkill().fit(eight).standings
    assert fit.spread is not None
    predicted = model.preferences(eight)
    for i, j in ((0, 7), (5, 2), (3, 4)):
        difference = norm(fit.scores[i] - fit.scores[j], math.hypot(fit.spread[i], fit.spread[j]))
        assert predicted.win[i, j] == pytest.approx(difference.sf(0.3))
        assert predicted.tie[i, j] == pytest.approx(difference.cdf(0.3) - difference.cdf(-0.3))
        assert predicted.loss[i, j] == pytest.approx(difference.cdf(-0.3))


def test_the_one_sided_zone_lies_on_the_better_systems_side(eight: Judgments) -> None:
    fit = TrueSkill().fit(eight).standings
    assert fit.spread is not None
    predicted = TrueSkill(radius=0.3, zone="one-sided").preferences(eight)
    better, worse = fit.order[0], fit.order[-1]
    difference = norm(
        fit.scores[better] - fit.scores[worse], math.hypot(fit.spread[better], fit.spread[worse])
    )
    assert predicted.win[better, worse] == pytest.approx(difference.sf(0.3))
    assert predicted.tie[better, worse] == pytest.approx(difference.cdf(0.3) - difference.cdf(0))
    assert predicted.win[worse, better] == pytest.approx(difference.cdf(0))


@pytest.mark.parametrize("zone", ["symmetric", "one-sided"])
@pytest.mark.parametrize(("beta", "radius"), [(0.0, 0.1), (0.01, 0.001)])
def test_no_outcome_is_impossible_and_the_three_sum_to_one(
    eight: Judgments, zone: str, beta: float, radius: float
) -> None:
    """A tiny β lets the model be surer than floating point can tell."""
    predicted = TrueSkill(
        zone=zone, beta=beta, radius=radius, selection="shuffled" if beta else "active"
    ).preferences(eight)
    assert min(predicted.win.min(), predicted.tie.min()) > 0
    np.testing.assert_allclose(predicted.win + predicted.tie + predicted.loss, 1)
    np.testing.assert_array_equal(predicted.tie, predicted.tie.T)


def test_more_than_two_players_cannot_be_selected_actively() -> None:
    with pytest.raises(PodiumError, match="shuffled"):
        TrueSkill(players=3)


def test_beta_and_margin_are_those_printed_or_those_that_reproduce_published_numbers() -> None:
    """SPV14, §3.4: β = .025 |A| σ0² with σ0 = .5, ε = .25; at 6,400 judgments 40, not 80."""
    printed = TrueSkill(beta_rule="printed", epsilon=0.25)
    assert printed.scale(6400) == pytest.approx((0.025 * 6400 * 0.5**2, 0.25))
    assert TrueSkill().scale(6400) == pytest.approx((80, 0.450624 * 80), rel=1e-5)
    assert TrueSkill(beta=2.0, beta_rule="printed").scale(6400)[0] == 2.0


@pytest.mark.parametrize("settings", [{"epsilon": 0.25}, {"beta_rule": "printed"}])
def test_the_expected_run_is_that_of_a_printed_margin_and_of_a_printed_beta(
    eight: Judgments, settings: dict[str, Any]
) -> None:
    ranker = TrueSkill(**settings)
    runs = replicate(ranker.fit(eight), runs=400, unit="none", seed=3)
    error = runs.scores.std(axis=0) / math.sqrt(400)
    expected = ranker.fit(eight).standings.scores
    assert (abs(expected - runs.scores.mean(axis=0)) < 0.01 + 4 * error).all()
    assert not np.allclose(expected, TrueSkill().fit(eight).standings.scores, atol=0.2)


def test_opponents_of_like_quality_are_nearly_any_opponents_at_the_published_beta(
    eight: Judgments,
) -> None:
    """With β = 37 no two skills differ by much: TrueSkill's own quality is above .99 for all."""
    ranker = TrueSkill(opponent="quality")
    fit = ranker.fit(eight).standings
    assert not np.allclose(fit.scores, TrueSkill().fit(eight).standings.scores, atol=0.02)
    beta = ranker.scale(len(eight) + 1)[0]
    quality = match_quality(fit.scores, np.full(8, 0.25), 0, beta)
    assert quality.min() > 0.99


def test_the_signature_names_all_settings() -> None:
    assert TrueSkill().method_signature() == (
        "method:trueskill|selection:active|n:2|σ0:.5|β:0|βN:reproduces|p:.25|ε:0|opponent:skill"
        "|τ:0|r:.1|zone:symmetric|engine:kernels"
    )


def course_readable(
    mu: FloatArray,
    variance: FloatArray,
    met: BoolArray,
    won: FloatArray,
    lost: FloatArray,
    tied: FloatArray,
    beta: float,
    margin: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Do as `course`, table by table."""
    c, t, cut = standardized(mu, variance, beta, margin)
    v_win, w_win = win_corrections(t - cut)
    v_tie, w_tie = tie_corrections(t, cut)
    push = (won * v_win - lost * v_win.T + tied * v_tie) / c
    shrink = (won * w_win + lost * w_win.T + tied * w_tie) / c**2
    mean_variance = variance[met.any(axis=1)].mean()
    return push, shrink, selected_pairs(mu, met, shrink * mean_variance**2)


def _any_pairs(
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray, BoolArray, list[FloatArray]]:
    """Return skills, variances, who met, and shares of wins, losses and ties."""
    k = int(rng.integers(2, 14))
    met = np.triu(rng.random((k, k)) < rng.uniform(0.2, 1), 1)
    met[0, 1] = True
    met |= met.T
    chances = rng.dirichlet([1, 1, 1], (k, k))
    won = np.triu(chances[..., 0], 1) + np.triu(chances[..., 1], 1).T
    tied = np.triu(chances[..., 2], 1)
    shares = [np.where(met, table, 0) for table in (won, won.T, tied + tied.T)]
    mu, variance = rng.normal(0, rng.choice([0.05, 1.5]), k), rng.uniform(0.2, 0.3, k)
    return mu, variance, met, shares


def test_the_fast_course_of_a_run_is_the_readable_one() -> None:
    """Also where pairs never met, and where systems are never the first (rates below zero)."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        mu, variance, met, shares = _any_pairs(rng)
        both = (course(mu, variance, met, *shares, 30.0, 13.0),
                course_readable(mu, variance, met, *shares, 30.0, 13.0))  # fmt: skip
        for fast, readable in zip(*both, strict=True):
            np.testing.assert_allclose(fast, readable, rtol=0, atol=1e-12 * np.abs(readable).max())


@pytest.mark.parametrize(("beta", "margin"), [(30.0, 13.0), (0.5, 0.2)])
def test_the_derivative_of_the_slopes_is_that_of_their_differences(
    beta: float, margin: float
) -> None:
    """Also where systems are never the first, and where two parts meet only each other."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        mu, variance, met, shares = _any_pairs(rng)
        found = slopes_by_mu(mu, variance, met, shares, beta, margin)
        moves = 1e-6 * np.eye(len(mu))
        up, down = (
            np.stack([slopes(mu + move, variance, met, shares, beta, margin)[0] for move in way])
            for way in (moves, -moves)
        )
        expected = (up - down).T / 2e-6
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_a_tie_margin_of_just_the_widest_still_has_an_expected_run() -> None:
    builder = CampaignBuilder()
    for task in range(799):
        first, second = task % 5, (task + 1 + task % 4) % 5
        builder.add_task("fr-en", str(task), "ann", [(f"s{first}",), (f"s{second}",)], (1, 2))
    judgments = builder.build().judgments()
    for epsilon, has_derivative in ((2.8, True), (2.9, False)):
        ranker = TrueSkill(sigma0=0.05, epsilon=epsilon)
        assert ranker.scale(len(judgments) + 1) == (1.0, epsilon)
        assert ranker.has_derivative(judgments) == has_derivative
