"""Monte Carlo Playoffs against the exact expectation over all brackets."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from analysis.campaign import Campaign, FloatArray, PairCounts
from analysis.rankers.playoffs import Playoffs


def rounds_survived(bracket: tuple[int, ...], n_byes: int, chance: FloatArray) -> FloatArray:
    """Return the expected rounds that each system survives in one bracket, exactly."""
    n_systems = len(chance)
    playing = len(bracket) - n_byes
    first_round = [
        np.bincount([a], [chance[a, b]], n_systems) + np.bincount([b], [chance[b, a]], n_systems)
        for a, b in zip(bracket[:playing:2], bracket[1:playing:2], strict=True)
    ]
    places = first_round + [np.eye(n_systems)[k] for k in bracket[playing:]]
    survived = np.sum(places, axis=0)
    while len(places) > 1:
        places = [
            one * (chance @ other) + other * (chance @ one)
            for one, other in zip(places[::2], places[1::2], strict=True)
        ]
        survived = survived + np.sum(places, axis=0)
    return survived


def expected_shares(chance: FloatArray) -> FloatArray:
    """Average over all orders of the systems."""
    n_systems = len(chance)
    n_rounds = int(np.ceil(np.log2(n_systems)))
    n_byes = 2**n_rounds - n_systems
    brackets = list(itertools.permutations(range(n_systems)))
    return sum(rounds_survived(b, n_byes, chance) for b in brackets) / len(brackets) / n_rounds


def chances_of(counts: PairCounts) -> FloatArray:
    decided = counts.wins + counts.wins.T
    return np.where(decided > 0, counts.wins / np.maximum(decided, 1), 0.5)


@pytest.mark.parametrize("n_systems", [2, 3, 4, 5, 6])
def test_the_mean_over_tournaments_tends_to_that_over_all_brackets(n_systems: int) -> None:
    rng = np.random.default_rng(n_systems)
    wins = rng.integers(0, 9, size=(n_systems, n_systems)) * (1.0 - np.eye(n_systems))
    counts = PairCounts(wins, np.zeros_like(wins))
    played = Playoffs(tournaments=100_000)._play(counts, np.random.default_rng(0))
    np.testing.assert_allclose(played, expected_shares(chances_of(counts)), atol=0.006)


@pytest.mark.parametrize("n_systems", [2, 5, 8, 13])
def test_the_rounds_survived_sum_to_the_places_in_the_bracket(n_systems: int) -> None:
    wins = np.triu(np.ones((n_systems, n_systems)), 1)
    shares = Playoffs(tournaments=50)._play(
        PairCounts(wins, np.zeros_like(wins)), np.random.default_rng(1)
    )
    n_rounds = int(np.ceil(np.log2(n_systems)))
    assert shares.sum() * n_rounds == pytest.approx(2**n_rounds - 1)
    assert shares[0] == 1.0


def test_a_system_that_was_never_compared_does_not_play() -> None:
    wins = np.zeros((4, 4))
    wins[0, 2], wins[2, 3], wins[3, 0] = 4, 3, 2
    shares = Playoffs()._play(PairCounts(wins, np.zeros((4, 4))), np.random.default_rng(1))
    assert np.isnan(shares[1])
    assert np.nansum(shares) * 2 == pytest.approx(3)


def test_another_seed_plays_other_tournaments(make_campaign: Callable[..., Campaign]) -> None:
    tasks = [("1", "ann", {"ada": 1, "bix": 2}), ("2", "ann", {"ada": 2, "bix": 1})]
    judgments = make_campaign(tasks).judgments()
    one, two = (Playoffs().fit(judgments, seed=seed).standings.scores for seed in (1, 2))
    assert (one != two).any()
    np.testing.assert_allclose(one, 0.5, atol=0.07)
