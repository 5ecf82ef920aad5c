"""Hopkins & May by sampling, against Laplace, against integration, against its own simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare, kstest, multivariate_normal, truncnorm

from analysis.campaign import Judgments, PairCounts, Selection
from analysis.errors import PodiumError
from analysis.formats import read_path
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.hopkins_may.chains import describe_chain, diagnose
from analysis.rankers.hopkins_may.gibbs import (
    Plate,
    draw_above,
    draw_between,
    draw_with_items,
    draw_with_pairs,
    push_and_average,
)
from tests.building import CampaignBuilder

PLATE = Plate(sigma0=1.0, sigma_a=0.5, sigma_obs=1.0, radius=0.4)


def simulate(
    abilities: np.ndarray,
    n_tasks: int,
    size: int,
    rng: np.random.Generator,
    *,
    shared: bool,
    n_segments: int = 10**9,
    plate: Plate = PLATE,
) -> Judgments:
    """Draw tasks of two outputs each, every ``size`` systems of a segment in all their pairs.

    ``shared``: an output has one quality on its segment; else a fresh one in every pair.
    """
    builder = CampaignBuilder()
    quality: dict[tuple[int, int], float] = {}
    for task in range(n_tasks):
        segment = task % n_segments
        systems = rng.permutation(len(abilities))[:size]
        for a in range(size):
            for b in range(a + 1, size):
                pair = [int(systems[a]), int(systems[b])]
                for s in pair:
                    if not shared or (segment, s) not in quality:
                        quality[segment, s] = rng.normal(abilities[s], plate.sigma_a)
                seen = [rng.normal(quality[segment, s], plate.sigma_obs) for s in pair]
                gap = seen[0] - seen[1]
                ranks = [1, 1] if abs(gap) <= plate.radius else [1 + (gap < 0), 1 + (gap > 0)]
                builder.add_task("x-y", str(segment), "j", [(f"s{s}",) for s in pair], ranks)
    return builder.build().judgments()


@pytest.mark.parametrize("low", [-3.0, 0.0, 0.41, 2.5, 12.0])
def test_a_tail_is_drawn_as_scipy_has_it(low: float) -> None:
    rng = np.random.default_rng(1)
    draws = [draw_above(low, rng) for _ in range(20_000)]
    assert kstest(draws, truncnorm(low, np.inf).cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("low", "high"), [(-0.3, 0.2), (-4, 3), (1.0, 1.3), (0.1, 9.0), (-7.0, -3.0), (-2.0, 0.4)]
)
def test_a_zone_is_drawn_as_scipy_has_it(low: float, high: float) -> None:
    rng = np.random.default_rng(2)
    draws = [draw_between(low, high, rng) for _ in range(20_000)]
    assert kstest(draws, truncnorm(low, high).cdf).pvalue > 1e-3


def test_gibbs_with_pairs_has_the_moments_of_laplace() -> None:
    """METHODS, section 4: centred means within .1 posterior sd, sd within 5%."""
    abilities = np.array([0.6, 0.25, 0.0, -0.1, -0.75])
    judgments = simulate(abilities, 150, 5, np.random.default_rng(4), shared=False)
    laplace = HopkinsMay().fit(judgments).standings
    gibbs = HopkinsMay(inference="gibbs", iterations=6_000, burn_in=200).fit(judgments).standings
    assert laplace.spread is not None
    assert gibbs.spread is not None
    np.testing.assert_allclose((gibbs.scores - laplace.scores) / laplace.spread, 0, atol=0.1)
    np.testing.assert_allclose(gibbs.spread / laplace.spread, 1, atol=0.05)


def task_likelihood(outcomes: list[int], abilities: np.ndarray) -> float:
    """The probability of a task's outcomes for pairs (0,1), (0,2), (1,2), qualities integrated."""
    contrast = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]], dtype=float)
    covariance = PLATE.sigma_a**2 * contrast @ contrast.T + 2 * PLATE.sigma_obs**2 * np.eye(3)
    d = PLATE.radius
    zones = {1: (d, np.inf), 0: (-d, d), -1: (-np.inf, -d)}
    low, high = np.array([zones[o] for o in outcomes]).T
    return float(
        multivariate_normal(contrast @ abilities, covariance).cdf(
            high, lower_limit=low, rng=np.random.default_rng(0)
        )
    )


def test_gibbs_with_items_has_the_moments_of_a_numerical_integral(make_campaign: Callable) -> None:
    """Three systems ranked together: the likelihood is an orthant of a three-dimensional normal."""
    tasks = [({"a": 1, "b": 2, "c": 3}, [1, 1, 1]), ({"a": 1, "b": 1, "c": 2}, [0, 1, 1])]
    tasks += [({"a": 3, "b": 1, "c": 2}, [-1, -1, 1])]
    times = [5, 3, 4]
    judgments = make_campaign(
        [
            (f"{kind}-{n}", "j", ranks)
            for kind, (ranks, _) in enumerate(tasks)
            for n in range(times[kind])
        ]
    ).judgments()
    grid = np.linspace(-2.5, 4.5, 15)
    log = np.zeros((len(grid), len(grid)))
    # The prior of (a - c, b - c) for abilities N(0, 1).
    prior = multivariate_normal(np.zeros(2), np.array([[2.0, 1], [1, 2]]))
    for x, a in enumerate(grid):
        for y, b in enumerate(grid):
            log[x, y] = prior.logpdf([a, b]) + sum(
                n * math.log(max(task_likelihood(outcomes, np.array([a, b, 0.0])), 1e-300))
                for n, (_, outcomes) in zip(times, tasks, strict=True)
            )
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    first = weight.sum(axis=1)
    mean = first @ grid
    sd = math.sqrt(first @ (grid - mean) ** 2)

    draws = draw_with_items(judgments, PLATE, np.zeros(3), 30_000, np.random.default_rng(5))
    gap = draws[200:, 0] - draws[200:, 2]
    assert gap.mean() == pytest.approx(mean, abs=0.05 * sd)
    assert gap.std() == pytest.approx(sd, rel=0.04)


def test_an_output_judged_in_two_rankings_is_one_item(make_campaign: Callable) -> None:
    """The same judgments tell less when they are about the same outputs again."""
    ranks = [{"a": 1, "b": 2}, {"b": 1, "c": 2}, {"a": 1, "c": 2}, {"c": 1, "a": 2}]
    spread = {}
    for n_segments in (2, 400):
        tasks = [(str(t % n_segments), "j", ranks[t // 2 % 4]) for t in range(800)]
        standings = (
            HopkinsMay(inference="gibbs-items", iterations=1500, burn_in=200)
            .fit(make_campaign(tasks).judgments())
            .standings
        )
        assert standings.spread is not None
        spread[n_segments] = standings.spread.mean()
    assert spread[2] > 3 * spread[400]


def test_systems_that_make_the_same_output_are_pulled_together(make_campaign: Callable) -> None:
    tasks = [(str(t), "j", {"a+b": 1 + t % 2, "c": 2 - t % 2}) for t in range(40)]
    tasks += [(str(t), "j", {"a": 1, "b": 2, "c": 2}) for t in range(40, 45)]
    judgments = make_campaign(tasks).judgments(selection=Selection(identical="collapsed"))
    assert judgments.groups
    draws = draw_with_items(judgments, PLATE, np.zeros(3), 4000, np.random.default_rng(0))
    apart = make_campaign(tasks).judgments()
    loose = draw_with_items(
        apart.take_tasks(np.arange(40, 45)), PLATE, np.zeros(3), 4000, np.random.default_rng(0)
    )
    assert np.std(draws[100:, 0] - draws[100:, 1]) < 0.5 * np.std(loose[100:, 0] - loose[100:, 1])


def test_the_procedure_of_spv14_forgets_where_it_started() -> None:
    judgments = simulate(np.array([0.5, 0.0, -0.5]), 200, 3, np.random.default_rng(6), shared=False)
    ends = [
        push_and_average(judgments.counts, PLATE, start, 400, np.random.default_rng(7))[100:].mean(
            0
        )
        for start in (np.zeros(3), np.array([-2.0, 0.0, 2.0]))
    ]
    np.testing.assert_allclose(ends[0], ends[1], atol=0.02)
    assert ends[0][0] > ends[0][1] > ends[0][2]


@pytest.mark.parametrize(
    ("wins", "ties", "expected"),
    [
        ([[0, 1], [0, 0]], 0, [1.0, 0.0]),  # t = 1 is beyond d already: nothing moves
        ([[0, 0], [1, 0]], 0, [0.25, 0.75]),  # the other won: t = -1 is moved to d = .5
        ([[0, 0], [0, 0]], 1, [0.75, 0.25]),  # a tie, t ≥ d: moved to t = d
    ],
)
def test_one_pass_of_spv14_moves_both_qualities_by_half_of_what_they_miss(
    wins: list[list[int]], ties: int, expected: list[float]
) -> None:
    """SPV14, §2.2, where outputs hardly scatter: the judges' noise has no part in it."""
    plate = Plate(sigma0=1.0, sigma_a=1e-9, sigma_obs=5.0, radius=0.5)
    counts = PairCounts(np.array(wins, float), np.array([[0, ties], [ties, 0]], float))
    for mirrored in (False, True):
        order = slice(None, None, -1) if mirrored else slice(None)
        seen = PairCounts(counts.wins[order, order], counts.ties)
        start = np.array([1.0, 0.0])[order]
        moved = push_and_average(seen, plate, start, 1, np.random.default_rng(0))[0]
        np.testing.assert_allclose(moved[order], np.array(expected) - 0.5, atol=1e-7)


def test_the_seed_alone_decides_a_sampler(make_campaign: Callable) -> None:
    judgments = make_campaign(
        [("1", "j", {"a": 1, "b": 2, "c": 2}), ("2", "j", {"a": 2, "b": 1, "c": 3})] * 5
    ).judgments()
    for inference in ("gibbs", "gibbs-items", "spv14"):
        ranker = HopkinsMay(inference=inference)
        scores = [ranker.fit(judgments, seed).standings.scores for seed in (1, 1, 2)]
        assert np.array_equal(scores[0], scores[1])
        assert not np.array_equal(scores[0], scores[2])


def test_a_burn_in_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(PodiumError, match="leave 5 posterior draws"):
        HopkinsMay(inference="gibbs", iterations=100, burn_in=95)


def test_effective_size_of_an_autoregression_is_the_known_one() -> None:
    """An AR(1) chain of coefficient ρ is worth n (1 - ρ) / (1 + ρ) draws."""
    rng = np.random.default_rng(8)
    draws = np.zeros(40_000)
    for t in range(1, len(draws)):
        draws[t] = 0.6 * draws[t - 1] + rng.normal()
    size, rhat = diagnose(draws[:, None])
    assert size == pytest.approx(10_000, rel=0.1)
    assert rhat == pytest.approx(1, abs=0.01)


def test_a_chain_that_drifts_is_said_to_be_worth_little() -> None:
    rng = np.random.default_rng(9)
    rests = rng.normal(size=(4_000, 3))
    drifts = rests + np.array([0.0, 0.0, 1.0]) * np.linspace(0, 5, 4_000)[:, None]
    assert diagnose(drifts)[1] > 1.5
    assert "raise the number of iterations" in describe_chain(drifts)
    assert "raise the number of iterations" not in describe_chain(rests)


def rank_of_truth(draws: np.ndarray, truth: np.ndarray, thin: int) -> np.ndarray:
    """Return each contrast's rank among thinned draws; uniform if the sampler is right."""
    contrasts = draws[thin::thin] - draws[thin::thin].mean(axis=1, keepdims=True)
    return (contrasts < truth - truth.mean()).sum(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_simulation_based_calibration(shared: bool) -> None:
    """Abilities drawn from the prior have uniform ranks among the posterior's draws."""
    rng = np.random.default_rng(9)
    ranks = []
    for _ in range(600):
        truth = rng.normal(scale=PLATE.sigma0, size=3)
        judgments = simulate(truth, 12, 3, rng, shared=shared, n_segments=6)
        n = 8 * 20
        if shared:
            draws = draw_with_items(judgments, PLATE, np.zeros(3), n, rng)
        else:
            draws = draw_with_pairs(judgments.counts, PLATE, np.zeros(3), n, rng)
        ranks.append(rank_of_truth(draws, truth, 8))
    for column in np.array(ranks).T:
        counts = np.bincount(column // 2, minlength=10)
        assert chisquare(counts).pvalue > 1e-3


@pytest.fixture(scope="module")
def wmt13(campaigns_dir: Path) -> Judgments:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    return campaign.judgments()


def test_wmt13_shared_items_have_honest_spread(wmt13: Judgments) -> None:
    """METHODS, section 4: sd .0201 with items where pairs give .0141; means correlate > .998."""
    laplace = HopkinsMay().fit(wmt13).standings
    items = HopkinsMay(inference="gibbs-items").fit(wmt13).standings
    assert items.spread is not None
    assert items.spread.mean() == pytest.approx(0.0201, abs=0.001)
    assert np.corrcoef(items.scores, laplace.scores)[0, 1] > 0.998


def test_wmt13_spv14_has_two_fifths_of_the_scale_and_the_same_order(wmt13: Judgments) -> None:
    """SPV14, §2.2, with its d = .5: .395 of the exact fit's scale, the same order (± .01)."""
    laplace = HopkinsMay(radius=0.5).fit(wmt13).standings
    procedure = HopkinsMay(radius=0.5, inference="spv14").fit(wmt13).standings
    assert procedure.spread is None
    assert procedure.ranked_systems == laplace.ranked_systems
    assert np.corrcoef(laplace.scores, procedure.scores)[0, 1] > 0.9998
    slope = np.polyfit(laplace.scores, procedure.scores, 1)[0]
    assert slope == pytest.approx(0.395, abs=0.01)
