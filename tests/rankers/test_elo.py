"""Elo against a twin in plain Python, and against Bradley–Terry, to which it tends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.campaign import LOSS, TIE, WIN, Campaign, Judgments
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo, expected_scores

SCORE = {WIN: 1.0, TIE: 0.5, LOSS: 0.0}


def rated_in_order(judgments: Judgments, order: list[int], step: float) -> dict[str, float]:
    """Elo as a book tells it, one judgment after the other."""
    rating = dict.fromkeys(judgments.systems, 1000.0)
    for row in order:
        a = judgments.systems[judgments.left[row]]
        b = judgments.systems[judgments.right[row]]
        expected = 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400))
        change = step * (SCORE[int(judgments.outcome[row])] - expected)
        rating[a] += change
        rating[b] -= change
    return rating


@pytest.fixture(scope="module")
def judgments(make_campaign: Callable[..., Campaign]) -> Judgments:
    rng = np.random.default_rng(4)
    ability = {"ada": 0.9, "bix": 0.2, "cor": 0.0, "dun": -1.1}
    tasks = []
    for k in range(1200):
        a, b = rng.choice(list(ability), size=2, replace=False, p=[0.4, 0.3, 0.2, 0.1])
        seen = ability[a] - ability[b] + rng.logistic()
        ranks = (1, 1) if abs(seen) < 0.3 else (1, 2) if seen > 0 else (2, 1)
        tasks.append((str(k), "ann", dict(zip((a, b), ranks, strict=True))))
    return make_campaign(tasks).judgments()


def test_in_the_files_order_each_judgment_moves_two_ratings_once(judgments: Judgments) -> None:
    standings = Elo(order="file", step=24.0).fit(judgments).standings
    twin = rated_in_order(judgments, list(range(len(judgments))), 24.0)
    np.testing.assert_allclose(standings.scores, [twin[s] for s in standings.systems], atol=1e-9)


@pytest.mark.parametrize("orders", [1, 7])
def test_the_average_is_that_of_equally_spaced_rotations_of_one_shuffle(
    judgments: Judgments, orders: int
) -> None:
    standings = Elo(orders=orders, step=16.0).fit(judgments, seed=3).standings
    shuffle = np.random.default_rng(3).permutation(len(judgments)).tolist()
    twins = []
    for o in range(orders):
        cut = o * len(shuffle) // orders
        twins.append(rated_in_order(judgments, shuffle[cut:] + shuffle[:cut], 16.0))
    means = [np.mean([twin[s] for twin in twins]) for s in standings.systems]
    np.testing.assert_allclose(standings.scores, means, atol=1e-9)


def test_one_win_between_equals_moves_half_the_step(make_campaign: Callable[..., Campaign]) -> None:
    judgments = make_campaign([("1", "ann", {"ada": 1, "bix": 2})]).judgments()
    assert Elo(step=32.0).fit(judgments).standings.scores.tolist() == [1016.0, 984.0]


def test_points_are_neither_made_nor_lost(judgments: Judgments) -> None:
    for ranker in (Elo(), Elo(order="file"), Elo(start=0.0, step=40.0)):
        assert ranker.fit(judgments).standings.scores.mean() == pytest.approx(
            ranker.start, abs=1e-9
        )


def test_the_start_shifts_all_ratings_alike(judgments: Judgments) -> None:
    shifted = (
        Elo(start=1500.0).fit(judgments).standings.scores
        - Elo(start=0.0).fit(judgments).standings.scores
    )
    np.testing.assert_allclose(shifted, 1500.0)


def test_the_last_judgments_count_most_only_in_the_files_order(
    make_campaign: Callable[..., Campaign],
) -> None:
    """ada wins the first hundred, bix the last hundred."""
    tasks = [(str(k), "ann", {"ada": 1 + (k >= 100), "bix": 1 + (k < 100)}) for k in range(200)]
    judgments = make_campaign(tasks).judgments()
    in_order = Elo(order="file", step=32.0).fit(judgments).standings.scores
    averaged = Elo(order="averaged", orders=200, step=32.0).fit(judgments).standings.scores
    assert in_order[1] - in_order[0] > 250
    assert abs(averaged[1] - averaged[0]) < 25


def test_averaging_more_orders_leaves_less_to_chance(judgments: Judgments) -> None:
    few, many = (
        np.std(
            [Elo(orders=orders).fit(judgments, seed).standings.scores for seed in range(25)], axis=0
        )
        for orders in (2, 50)
    )
    assert (many < few / 2).all()


def test_with_small_steps_and_many_judgments_it_tends_to_bradley_terry(
    judgments: Judgments,
) -> None:
    many = judgments.take_rows(np.tile(np.arange(len(judgments)), 60))
    elo = Elo(step=0.5, orders=4).fit(many).standings.scores - 1000
    abilities = (
        BradleyTerry(ties="half", prior=10).fit(judgments).standings.scores * 400 / np.log(10)
    )
    np.testing.assert_allclose(elo, abilities, atol=4)


def test_meeting_the_champion_often_does_little_harm(
    make_campaign: Callable[..., Campaign],
) -> None:
    """HM13, §3: close1 … close3 are alike, terrific beats all; close1 meets it most often."""
    ability = {"close1": 0.0, "close2": 0.0, "close3": 0.0, "terrific": 2.0}
    meetings = {("close1", "terrific"): 1200, ("close1", "close2"): 300, ("close1", "close3"): 300}
    meetings |= {("close2", "close3"): 800, ("close2", "terrific"): 80, ("close3", "terrific"): 80}
    tasks = []
    for (a, b), n in meetings.items():
        won = round(n / (1 + np.exp(ability[b] - ability[a])))
        tasks += [(str(k), "ann", {a: 1 + (k >= won), b: 1 + (k < won)}) for k in range(n)]
    standings = Elo().fit(make_campaign(tasks).judgments()).standings
    assert standings.ranked_systems[0] == "terrific"
    close = standings.scores[:3]
    assert np.ptp(close) < (standings.scores[3] - close.max()) / 5


def test_expected_scores_of_two_sum_to_one_and_400_points_are_ten_to_one() -> None:
    ratings = np.array([1400.0, 1000.0, 1130.0])
    expected = expected_scores(ratings)
    np.testing.assert_allclose(expected + expected.T, 1)
    assert expected[0, 1] / expected[1, 0] == pytest.approx(10)


def test_predicted_wins_and_half_the_ties_are_the_expected_score(judgments: Judgments) -> None:
    preferences = Elo().preferences(judgments, seed=5)
    expected = expected_scores(Elo().fit(judgments, seed=5).standings.scores)
    np.testing.assert_allclose(preferences.win + preferences.tie / 2, expected)
