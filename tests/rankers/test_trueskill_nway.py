"""Free-for-all TrueSkill against the `trueskill` package, and how tasks are cut into matches."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import trueskill
from scipy.special import ndtri

from analysis.campaign import Campaign, Selection
from analysis.errors import PodiumError
from analysis.rankers.resampling import ResamplingUnit
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.kernels import play_sequence
from analysis.rankers.trueskill.nway import draw_matches, play_matches
from tests.building import CampaignBuilder


def ranking_tasks(sizes: list[int], n_systems: int = 7, seed: int = 0) -> Campaign:
    """Tasks of these sizes; later systems are better; ranks with ties."""
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    for t, size in enumerate(sizes):
        shown = rng.permutation(n_systems)[:size]
        quality = np.round(shown / 3 + rng.normal(size=size))
        ranks = np.unique(-quality, return_inverse=True)[1] + 1
        outputs = [(f"s{k}",) for k in shown]
        builder.add_task("fr-en", str(t // 3), f"j{t % 5}", outputs, ranks.tolist())
    return builder.build()


@pytest.mark.parametrize(
    ("sigma0", "beta", "tau", "draw_probability"),
    [
        (0.5, 0.5 * 150 / 40, 0.0, 0.25),
        (0.5, 100.0, 0.0, 0.25),
        (0.5, 0.25, 0.01, 0.1),
        (8.0, 4.0, 0.1, 0.5),
        (2.0, 0.3, 0.0, 0.05),
    ],
)
def test_free_for_all_updates_equal_the_trueskill_package(
    sigma0: float, beta: float, tau: float, draw_probability: float
) -> None:
    """150 matches of 2–5 players with ties, the package's own stopping rule included."""
    rng = np.random.default_rng(3)
    package = trueskill.TrueSkill(0.0, sigma0, beta, tau, draw_probability, backend="scipy")
    ratings = [package.create_rating() for _ in range(8)]
    start, players, ranks = [0], [], []
    for _ in range(150):
        who = rng.permutation(8)[: rng.integers(2, 6)]
        quality = np.round(who / 4 + rng.normal(size=len(who)), rng.integers(2))
        rank = np.unique(-quality, return_inverse=True)[1] + 1
        rated = package.rate([(ratings[k],) for k in who], ranks=rank.tolist())
        for k, (rating,) in zip(who, rated, strict=True):
            ratings[k] = rating
        players.extend(who)
        ranks.extend(rank)
        start.append(len(players))
    mu, variance = np.zeros(8), np.full(8, sigma0**2)
    margin = float(ndtri((draw_probability + 1) / 2)) * math.sqrt(2) * beta
    play_matches(
        np.array(start), np.array(players), np.array(ranks), mu, variance, beta, margin, tau
    )
    np.testing.assert_allclose(mu, [r.mu for r in ratings], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(np.sqrt(variance), [r.sigma for r in ratings], rtol=1e-10)


def test_matches_of_two_are_the_two_player_updates() -> None:
    judgments = ranking_tasks([2] * 200).judgments()
    facts = judgments.observations
    beta, margin = 1.25, 0.5
    chain_mu, chain_variance = np.zeros(7), np.full(7, 0.25)
    players = np.stack([facts.left, facts.right], axis=1).ravel().astype(np.int64)
    ranks = np.stack([-facts.outcome, facts.outcome], axis=1).ravel().astype(np.int64)
    start = np.arange(0, 401, 2)
    play_matches(start, players, ranks, chain_mu, chain_variance, beta, margin, 0.0)
    mu, variance = np.zeros(7), np.full(7, 0.25)
    play_sequence(
        facts.left, facts.right, facts.outcome, np.arange(200), mu, variance, beta, margin, 0.0
    )
    np.testing.assert_allclose(chain_mu, mu, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(chain_variance, variance, rtol=1e-11)


@pytest.mark.parametrize(
    ("n_players", "sizes"),
    [
        (2, {2: 2 * 40 + 1 * 20 + 1 * 10}),
        (3, {3: 40 + 20, 2: 40 + 10}),  # 5 = 3 + 2, 3 = 3, 2 = 2
        (4, {4: 40, 3: 20, 2: 10}),  # the fifth output is left out
        (5, {5: 40, 3: 20, 2: 10}),
    ],
)
def test_tasks_are_cut_so_that_no_output_plays_twice(n_players: int, sizes: dict[int, int]) -> None:
    """40 tasks of five outputs, 20 of three, 10 of two, 5 of one."""
    campaign = ranking_tasks([5] * 40 + [3] * 20 + [2] * 10 + [1] * 5)
    judgments = campaign.judgments()
    matches = draw_matches(judgments, n_players, "none", np.random.default_rng(1))
    assert Counter(np.diff(matches.start).tolist()) == sizes
    entries = Counter(
        zip(judgments.entry_output.tolist(), judgments.entry_rank.tolist(), strict=True)
    )
    played = Counter(zip(matches.player.tolist(), matches.rank.tolist(), strict=True))
    assert played <= entries
    for m in range(len(matches)):
        who = matches.player[matches.start[m] : matches.start[m + 1]].tolist()
        assert len(set(who)) == len(who)


def test_whole_tasks_play_as_they_were_ranked_in_random_order() -> None:
    judgments = ranking_tasks([5] * 60).judgments()
    tasks = Counter(
        frozenset(
            zip(
                judgments.entry_output[t * 5 : t * 5 + 5].tolist(),
                judgments.entry_rank[t * 5 : t * 5 + 5].tolist(),
                strict=True,
            )
        )
        for t in range(60)
    )
    matches = draw_matches(judgments, 5, "none", np.random.default_rng(2))
    played = [
        frozenset(
            zip(
                matches.player[m * 5 : m * 5 + 5].tolist(),
                matches.rank[m * 5 : m * 5 + 5].tolist(),
                strict=True,
            )
        )
        for m in range(60)
    ]
    assert Counter(played) == tasks
    assert played != list(tasks.elements())


@pytest.mark.parametrize(("unit", "multiple"), [("task", 1), ("segment", 3), ("judge", 12)])
def test_a_resample_draws_whole_units(unit: ResamplingUnit, multiple: int) -> None:
    """60 tasks with distinct rank patterns: 3 a segment, 12 a judge; a unit's come together."""
    builder = CampaignBuilder()
    for t in range(60):
        outputs = [(f"s{t:02}",), ("base",)]
        builder.add_task("fr-en", str(t // 3), f"j{t % 5}", outputs, [1, 2])
    judgments = builder.build().judgments()
    drawn = draw_matches(judgments, 3, unit, np.random.default_rng(4))
    assert len(drawn) == 60
    times = Counter(judgments.systems[p] for p in drawn.player.tolist())
    label = {"task": lambda t: t, "segment": lambda t: t // 3, "judge": lambda t: t % 5}[unit]
    of_unit: dict[int, set[int]] = {}
    for t in range(60):
        of_unit.setdefault(label(t), set()).add(times[f"s{t:02}"])
    assert all(len(counts) == 1 for counts in of_unit.values())
    assert len(of_unit) == 60 // multiple
    assert max(times[f"s{t:02}"] for t in range(60)) > 1


def test_rows_cannot_be_resampled_for_larger_matches() -> None:
    with pytest.raises(PodiumError, match="Resample ranking tasks"):
        draw_matches(ranking_tasks([5] * 4).judgments(), 3, "judgment", np.random.default_rng(0))


def test_an_output_of_several_systems_plays_for_each_of_them_in_turn() -> None:
    builder = CampaignBuilder()
    for t in range(300):
        builder.add_task("fr-en", str(t), "j", [("a", "b"), ("c",), ("d",)], [1, 2, 3])
    judgments = builder.build().judgments(selection=Selection(identical="collapsed"))
    matches = draw_matches(judgments, 3, "none", np.random.default_rng(5))
    times = Counter(judgments.systems[p] for p in matches.player.tolist())
    assert times["c"] == times["d"] == times["a"] + times["b"] == 300
    assert 110 < times["a"] < 190


@pytest.mark.parametrize("players", [3, 4, 5])
def test_larger_matches_put_the_systems_in_the_true_order(players: int) -> None:
    judgments = ranking_tasks([5] * 800, seed=6).judgments()
    fit = TrueSkill(selection="shuffled", players=players).fit(judgments).standings
    assert fit.ranked_systems == tuple(f"s{k}" for k in range(6, -1, -1))
