"""Simulated campaigns against what their truth implies, and the kernels against readable twins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from analysis.campaign import FloatArray, PairCounts
from analysis.errors import PodiumError
from analysis.extras.validation.simulation.campaigns import (
    Simulation,
    _rank_entries,
    rank_by_radius,
    simulate_campaign,
    simulate_cells,
    simulate_counts,
)
from analysis.judges.agreement import agreement

ABILITY = np.array([0.0, 1.0, 2.5, 6.0, 9.0])


def assert_shares(counts: PairCounts, expected: FloatArray) -> None:
    """Hold each pair's share of decided wins against its probability, at four standard errors."""
    decided = counts.wins + counts.losses
    first, second = np.triu_indices(counts.n_systems, 1)
    n, p = decided[first, second], expected[first, second]
    z = (counts.wins[first, second] - n * p) / np.sqrt(n * p * (1 - p))
    assert np.abs(z).max() < 4


@pytest.mark.parametrize("radius", [0.0, 0.3, 1.5])
def test_the_kernel_ranks_entries_as_the_readable_ranking_does(radius: float) -> None:
    rng = np.random.default_rng(1)
    quality = np.round(rng.standard_normal((500, 5)), 1)  # Rounded, so that some are equal.
    rank = np.empty(5, dtype=np.int64)
    for row, expected in zip(quality, rank_by_radius(quality, radius), strict=True):
        _rank_entries(row, radius, rank)
        np.testing.assert_array_equal(
            np.sign(rank - rank[:, None]), np.sign(expected - expected[:, None])
        )


@pytest.mark.parametrize("n_way", [2, 3, 5])
def test_a_system_wins_as_often_as_two_normal_qualities_say(n_way: int) -> None:
    simulation = Simulation(systems=5, spread=4.0, judge_noise=3.0, n_way=n_way)
    counts = simulate_counts(simulation, ABILITY[None], 100_000, np.random.default_rng(2))[0]
    assert_shares(counts, norm.cdf((ABILITY[:, None] - ABILITY) / (5.0 * np.sqrt(2))))
    assert not counts.ties.any()


def test_a_campaign_task_by_task_has_the_same_shares_as_the_counts_drawn_at_once() -> None:
    simulation = Simulation(systems=5, spread=5.0, radius=2.0, n_way=4, careless=0.2)
    n_tasks = 20_000
    campaign = simulate_campaign(
        simulation, ABILITY, n_tasks, np.random.default_rng(3), n_judges=50, n_segments=100_000
    ).judgments()
    counts = simulate_counts(simulation, ABILITY[None], 60 * n_tasks, np.random.default_rng(4))[0]
    assert len(campaign) == 6 * n_tasks
    assert counts.compared.sum() / 2 == 10 * 6 * n_tasks
    decided = counts.wins + counts.losses
    assert_shares(campaign.counts, np.where(decided > 0, counts.wins / np.maximum(decided, 1), 0.5))
    ties = counts.ties.sum() / counts.compared.sum()
    assert campaign.n_ties / len(campaign) == pytest.approx(ties, abs=4 * np.sqrt(0.25 / 40_000))


def test_two_equal_systems_tie_as_often_as_their_difference_is_within_the_radius() -> None:
    simulation = Simulation(systems=2, spread=3.0, radius=1.0, n_way=2)
    counts = simulate_counts(simulation, np.zeros((1, 2)), 100_000, np.random.default_rng(5))[0]
    expected = 2 * norm.cdf(1.0 / (3.0 * np.sqrt(2))) - 1
    assert counts.ties[0, 1] / 100_000 == pytest.approx(expected, abs=0.006)


def test_careless_judges_see_no_difference_between_systems() -> None:
    simulation = Simulation(systems=5, spread=0.5, careless=1.0)
    counts = simulate_counts(simulation, ABILITY[None], 50_000, np.random.default_rng(6))[0]
    assert_shares(counts, np.full((5, 5), 0.5))


def test_a_growing_campaign_keeps_what_it_had() -> None:
    simulation = Simulation(systems=6)
    rng = np.random.default_rng(7)
    counts = simulate_counts(simulation, simulation.draw_abilities(3, rng), [100, 101, 5000], rng)
    np.testing.assert_array_equal(counts.wins.sum(axis=(-2, -1)), [[100, 110, 5000]] * 3)
    assert (np.diff(counts.wins, axis=1) >= 0).all()


def test_cells_of_a_campaign_add_up_to_the_tables_of_the_same_draws() -> None:
    simulation = Simulation(systems=5, radius=3.0)
    cells = simulate_cells(simulation, ABILITY, 400, np.random.default_rng(8))
    counts = simulate_counts(simulation, ABILITY[None], 4000, np.random.default_rng(8))[0]
    added = PairCounts.from_cells(np.bincount(cells.ravel(), minlength=50).astype(float), 5)
    np.testing.assert_array_equal(added.wins, counts.wins)
    np.testing.assert_array_equal(added.ties, counts.ties)
    assert counts.ties.any()


def test_judges_without_noise_agree_on_outputs_that_they_see_again() -> None:
    def strict_inter(noise: float) -> float:
        simulation = Simulation(systems=5, spread=5.0, judge_noise=noise)
        rng = np.random.default_rng(9)
        campaign = simulate_campaign(simulation, ABILITY, 400, rng, n_segments=100)
        return agreement(campaign.judgments()).strict.inter.kappa

    assert strict_inter(0.0) == 1.0
    assert 0.2 < strict_inter(5.0) < 0.8


def test_a_task_never_shows_more_systems_than_there_are() -> None:
    simulation = Simulation(systems=3, n_way=5)
    campaign = simulate_campaign(simulation, ABILITY[:3], 10, np.random.default_rng(10))
    assert len(campaign.judgments()) == 30
    assert simulation.n_tasks(31) == 11


def test_the_same_seed_gives_the_same_campaign_and_another_seed_another() -> None:
    def fingerprint(seed: int) -> str:
        rng = np.random.default_rng(seed)
        return simulate_campaign(Simulation(systems=5), ABILITY, 100, rng).fingerprint

    assert fingerprint(1) == fingerprint(1) != fingerprint(2)


@pytest.mark.parametrize("setting", [{"spread": -1.0}, {"n_way": 1}, {"careless": 1.1}])
def test_an_impossible_simulation_is_refused(setting: dict[str, float]) -> None:
    with pytest.raises(PodiumError, match="not possible"):
        Simulation(**setting)
