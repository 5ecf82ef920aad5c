"""Hopkins & May, categorical: against enumeration, against its own simulation, and on WMT13."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from analysis.campaign import Judgments, Selection
from analysis.errors import PodiumError
from analysis.formats import read_path
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical, _Chain
from tests.building import CampaignBuilder

SMALL = HopkinsMayCategorical(levels=3, sigma_obs=0.8, iterations=30_000, burn_in=500)


def seen_probabilities(q: int, levels: int, sd: float) -> list[float]:
    weights = [math.exp(-((v - q) ** 2) / (2 * sd**2)) for v in range(levels)]
    return [w / sum(weights) for w in weights]


def outcome_probability(outcome: int, p: int, q: int, ranker: HopkinsMayCategorical) -> float:
    """The chance of the first output's win, tie or loss (1, 0, -1), by both levels."""
    total = 0.0
    for v, first in enumerate(seen_probabilities(p, ranker.levels, ranker.sigma_obs)):
        for w, second in enumerate(seen_probabilities(q, ranker.levels, ranker.sigma_obs)):
            result = 0 if abs(v - w) <= ranker.radius else (1 if v > w else -1)
            total += first * second * (result == outcome)
    return total


@pytest.mark.parametrize("radius", [0, 2])
def test_outcome_tables_are_the_sum_over_what_is_seen(radius: int) -> None:
    ranker = HopkinsMayCategorical(levels=5, sigma_obs=1.3, radius=radius)
    tables = ranker.outcome_tables()
    for p, q in itertools.product(range(5), repeat=2):
        for outcome in (-1, 0, 1):
            expected = outcome_probability(outcome, p, q, ranker)
            assert tables[outcome + 1, p, q] == pytest.approx(expected, abs=1e-12)


def enumerate_posterior(
    judgments: list[tuple[tuple[str, str], tuple[str, str], int]],
    made_by: dict[tuple[str, str], tuple[int, ...]],
    n_systems: int,
    ranker: HopkinsMayCategorical,
) -> np.ndarray:
    """Sum over all levels of all outputs, abilities integrated out: E[a | judgments]."""
    items = sorted(made_by)
    tables = [
        [[outcome_probability(o, p, q, ranker) for q in range(3)] for p in range(3)]
        for o in (-1, 0, 1)
    ]
    total, mean = 0.0, np.zeros((n_systems, 3))
    for levels in itertools.product(range(3), repeat=len(items)):
        level = dict(zip(items, levels, strict=True))
        counts = np.full((n_systems, 3), ranker.alpha)
        for item, systems in made_by.items():
            for s in systems:
                counts[s, level[item]] += 1
        weight = math.exp(
            sum(math.lgamma(c) for c in counts.ravel())
            - sum(math.lgamma(c) for c in counts.sum(axis=1))
        )
        for first, second, outcome in judgments:
            weight *= tables[outcome + 1][level[first]][level[second]]
        total += weight
        mean += weight * counts / counts.sum(axis=1, keepdims=True)
    return mean / total


def test_the_sampler_has_the_means_of_an_enumeration(make_campaign: Callable) -> None:
    tasks = [
        ("1", {"a": 1, "b": 2}),
        ("1", {"a": 1, "b": 2}),
        ("1", {"b": 1, "a": 1}),
        ("2", {"a": 1, "c": 2}),
        ("2", {"b": 2, "c": 1}),
        ("3", {"b": 1, "a": 1}),
    ]
    judgments = make_campaign([(segment, "j", ranks) for segment, ranks in tasks]).judgments()
    facts, made_by = [], {}
    for segment, ranks in tasks:
        (x, rank_x), (y, rank_y) = ranks.items()
        facts.append(((segment, x), (segment, y), int(np.sign(rank_y - rank_x))))
        made_by |= {(segment, name): ("abc".index(name),) for name in (x, y)}
    expected = enumerate_posterior(facts, made_by, 3, SMALL) @ [1, 2, 3]
    standings = SMALL.fit(judgments).standings
    np.testing.assert_allclose(standings.scores, expected - expected.mean(), atol=0.015)


def test_an_output_of_two_systems_is_a_draw_from_both(make_campaign: Callable) -> None:
    tasks = [("1", "j", {"a+b": 1, "c": 2}), ("2", "j", {"a": 1, "b": 2})]
    judgments = make_campaign(tasks).judgments(selection=Selection(identical="collapsed"))
    expected = enumerate_posterior(
        [(("1", "ab"), ("1", "c"), 1), (("2", "a"), ("2", "b"), 1)],
        {("1", "ab"): (0, 1), ("1", "c"): (2,), ("2", "a"): (0,), ("2", "b"): (1,)},
        3,
        SMALL,
    ) @ [1, 2, 3]
    standings = SMALL.fit(judgments).standings
    np.testing.assert_allclose(standings.scores, expected - expected.mean(), atol=0.015)


def test_a_judgment_of_weight_two_counts_as_two(make_campaign: Callable) -> None:
    once = [
        ("1", "j", {"a": 1, "b": 2}),
        ("2", "j", {"b": 1, "a": 2}),
        ("3", "j", {"b": 1, "a": 1}),
    ]
    ranker = HopkinsMayCategorical()
    means = []
    for tasks, weights in ((once, [3.0, 1.0, 0.0]), ([once[0]] * 3 + [once[1]], [1.0] * 4)):
        chain = _Chain(ranker, make_campaign(tasks).judgments(), np.random.default_rng(3))
        chain.weigh(np.array(weights))
        means.append(chain.centered_levels(chain.run(30_000)).mean(axis=0))
    np.testing.assert_allclose(means[0], means[1], atol=0.06)


def test_predictions_sum_to_one_and_favor_the_better_system(make_campaign: Callable) -> None:
    tasks = [(str(t), "j", {"a": 1 + (t % 4 == 0), "b": 1 + (t % 4 > 1)}) for t in range(60)]
    predicted = HopkinsMayCategorical().preferences(make_campaign(tasks).judgments())
    np.testing.assert_allclose(predicted.win + predicted.tie + predicted.loss, 1, atol=1e-9)
    assert predicted.win[0, 1] > predicted.win[1, 0] > 0
    assert predicted.tie[0, 1] == pytest.approx(0.25, abs=0.12)


def test_resamples_differ_by_their_judgments_and_the_same_seed_gives_the_same(
    make_campaign: Callable,
) -> None:
    tasks = [(str(t), "j", {"a": 1, "b": 1 + t % 3, "c": 2}) for t in range(40)]
    judgments = make_campaign(tasks).judgments()
    ranker = HopkinsMayCategorical(iterations=60, burn_in=20)
    runs = [
        ranker.replicate_scores(judgments, "task", 4, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_a_radius_that_leaves_no_wins_is_refused() -> None:
    with pytest.raises(PodiumError, match="no room for wins"):
        HopkinsMayCategorical(levels=4, radius=3)


@pytest.mark.slow
def test_simulation_based_calibration() -> None:
    """Abilities drawn from the prior have uniform ranks among the posterior's draws."""
    rng = np.random.default_rng(12)
    ranker = HopkinsMayCategorical(levels=4, radius=0)
    tables = ranker.outcome_tables()
    ranks = []
    for _ in range(600):
        truth = rng.dirichlet(np.full(4, ranker.alpha), size=3)
        builder = CampaignBuilder()
        for segment in range(6):
            level = [rng.choice(4, p=ability) for ability in truth]
            for a, b in ((0, 1), (0, 2), (1, 2), (0, 1)):
                outcome = rng.choice(3, p=tables[:, level[a], level[b]]) - 1
                pair = [(f"s{a}",), (f"s{b}",)]
                builder.add_task(
                    "x-y", str(segment), "j", pair, [1 + (outcome < 0), 1 + (outcome > 0)]
                )
        chain = _Chain(ranker, builder.build().judgments(), rng)
        draws = chain.centered_levels(chain.run(20 * 40)[39::40])
        mean = truth @ np.arange(1, 5)
        ranks.append((draws < mean - mean.mean()).sum(axis=0))
    for column in np.array(ranks).T:
        counts = np.bincount(np.minimum(column // 2, 9), minlength=10)
        expected = np.array([2.0] * 9 + [3.0]) / 21 * len(column)
        assert chisquare(counts, expected).pvalue > 1e-3


def test_wmt13_is_ordered_as_by_the_gaussian_model(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    judgments: Judgments = campaign.judgments()
    categorical = HopkinsMayCategorical().fit(judgments).standings
    gaussian = HopkinsMay().fit(judgments).standings
    assert np.corrcoef(categorical.scores, gaussian.scores)[0, 1] > 0.99
