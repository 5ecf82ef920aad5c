"""Accuracy by token: the sort over pairs against naming outcomes one radius after the other."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import FloatArray, PairCounts
from analysis.extras.validation.prediction.radius import (
    DIFFERENCE,
    TOSS,
    WMT14,
    Separation,
    accuracy,
    accuracy_by_radius,
    hit_cells,
    hits,
    likeliest_outcomes,
    oracle_outcomes,
    outcomes_at_radius,
    separations,
    tune_radius,
)
from analysis.ranking.clusters import clusters_from_radius


def random_counts(rng: np.random.Generator, *shape: int) -> PairCounts:
    """Asymmetric tables of small counts, some pairs never met."""
    n = shape[-1]
    cells = rng.poisson(3.0, (*shape[:-1], 2, n, n)) * rng.integers(0, 2, (*shape[:-1], 1, n, n))
    cells = np.where(np.eye(n, dtype=bool), 0, cells).astype(np.float64)
    return PairCounts.from_cells(cells.reshape(*shape[:-1], -1), n)


def count_by_hand(
    scores: FloatArray, counts: PairCounts, radius: float, apart: Separation
) -> float:
    """Accuracy as the papers tell it, judgment kind by judgment kind."""
    clusters = clusters_from_radius(scores, radius)
    right = total = 0.0
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            won, lost, tied = counts.wins[i, j], counts.wins[j, i], counts.ties[i, j]
            if apart == "clusters":
                tie = clusters[i] == clusters[j]
            else:
                tie = abs(scores[i] - scores[j]) <= radius
            right += tied if tie else won if scores[i] > scores[j] else lost
            total += won + lost + tied
    return right / total


@pytest.mark.parametrize("apart", ["difference", "clusters"])
def test_one_sort_gives_the_accuracy_of_every_radius(apart: Separation) -> None:
    rng = np.random.default_rng(4)
    counts = random_counts(rng, 5, 7)
    scores = rng.normal(size=(5, 7)).round(1)
    scores[0, 2] = scores[0, 5]
    radii = np.array([0.0, 0.05, 0.1, 0.35, 0.8, 5.0])
    fast = accuracy_by_radius(separations(scores, apart), counts, radii)
    named = [accuracy(outcomes_at_radius(separations(scores, apart), r), counts) for r in radii]
    slow = [[count_by_hand(scores[f], counts[f], r, apart) for r in radii] for f in range(5)]
    np.testing.assert_allclose(fast, np.stack(named, axis=-1), rtol=1e-12)
    # Sums of tenths are not exact, so radii in between keep the two from differing by rounding.
    off_grid = np.flatnonzero(np.isin(radii, [0.0, 0.05, 0.35, 5.0]))
    np.testing.assert_allclose(fast[:, off_grid], np.array(slow)[:, off_grid], rtol=1e-12)


def test_two_systems_tie_by_gaps_exactly_where_they_share_a_cluster() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        scores, radius = rng.normal(size=9), float(rng.uniform(0, 1))
        clusters = clusters_from_radius(scores, radius)
        named = outcomes_at_radius(separations(scores, "clusters"), radius)
        np.testing.assert_array_equal(named == 0, clusters[:, None] == clusters)
        np.testing.assert_array_equal(named == 1, clusters[:, None] < clusters)


def test_a_chain_of_small_gaps_is_one_cluster_though_its_ends_are_far_apart() -> None:
    scores = np.array([0.0, 0.3, 0.6, 0.9])
    assert outcomes_at_radius(separations(scores, "clusters"), 0.35)[3, 0] == 0
    assert outcomes_at_radius(separations(scores, "difference"), 0.35)[3, 0] == 1


def test_a_system_without_a_score_is_said_to_tie() -> None:
    scores = np.array([0.5, np.nan, 0.1])
    for apart in ("difference", "clusters"):
        named = outcomes_at_radius(separations(scores, apart), 0.0)
        assert named[0, 2] == 1
        assert named[2, 0] == -1
        np.testing.assert_array_equal(named[1], [0, 0, 0])


def test_the_oracle_names_the_most_frequent_outcome_even_where_wins_equal_losses() -> None:
    wins = np.array([[0.0, 3, 1], [3, 0, 4], [2, 0, 0]])
    ties = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    counts = PairCounts(wins, ties)
    assert hits(oracle_outcomes(counts), counts) == 3 + 2 + 4


def test_nothing_beats_the_oracle() -> None:
    rng = np.random.default_rng(0)
    counts = random_counts(rng, 6)
    best = accuracy(oracle_outcomes(counts), counts)
    by_hand = np.triu(np.maximum(np.maximum(counts.wins, counts.losses), counts.ties), 1).sum()
    assert best == by_hand / (counts.compared.sum() / 2)
    for _ in range(200):
        scores = rng.normal(size=6)
        assert accuracy(outcomes_at_radius(separations(scores, "difference"), 0.3), counts) <= best


def test_cells_hit_are_the_judgments_counted_as_hits() -> None:
    rng = np.random.default_rng(2)
    counts = random_counts(rng, 5)
    named = outcomes_at_radius(separations(rng.normal(size=5), "difference"), 0.4)
    upper = np.triu(np.ones((5, 5)), 1)
    tables = np.stack([counts.wins, counts.ties * upper, np.zeros((5, 5))])
    assert (hit_cells(named) * tables.ravel()).sum() == hits(named, counts)
    swapped = np.stack([np.zeros((5, 5)), counts.ties * upper, counts.losses])
    assert (hit_cells(named) * swapped.ravel()).sum() == hits(named, counts)


def test_the_likeliest_outcome_of_equals_is_a_tie_unless_a_tie_is_less_likely() -> None:
    thirds = np.full((2, 2), 1 / 3)
    np.testing.assert_array_equal(likeliest_outcomes(thirds, thirds, thirds), 0)
    win, tie = np.full((2, 2), 0.45), np.full((2, 2), 0.1)
    np.testing.assert_array_equal(likeliest_outcomes(win, tie, win), TOSS)


def test_a_toss_of_a_coin_is_right_half_the_time_whatever_the_systems_are_called() -> None:
    counts = random_counts(np.random.default_rng(6), 5)
    tossed = np.full((5, 5), TOSS, dtype=np.int8)
    decided = np.triu(counts.wins + counts.losses, 1).sum()
    assert hits(tossed, counts) == decided / 2
    upper = np.triu(np.ones((5, 5)), 1)
    tables = np.stack([counts.wins, counts.ties * upper, np.zeros((5, 5))])
    assert (hit_cells(tossed) * tables.ravel()).sum() == decided / 2
    renamed = np.array([3, 0, 4, 1, 2])
    other = PairCounts(counts.wins[np.ix_(renamed, renamed)], counts.ties[np.ix_(renamed, renamed)])
    assert accuracy(tossed, other) == accuracy(tossed, counts)


def test_the_tuned_radius_is_the_smallest_of_the_best_in_every_fold() -> None:
    scores = np.array([[0.0, 0.045, 1.0], [0.0, 0.155, 1.0]])
    wins = np.zeros((2, 3, 3))
    wins[:, 2, :2] = 9
    ties = np.zeros((2, 3, 3))
    ties[:, 0, 1] = ties[:, 1, 0] = 5
    counts = PairCounts(wins, ties)
    np.testing.assert_allclose(tune_radius(scores, counts, WMT14), [0.05, 0.16])
    np.testing.assert_allclose(tune_radius(scores, counts, DIFFERENCE), [0.1, 0.3])
    wins[:, 1, 0] = 6
    np.testing.assert_allclose(tune_radius(scores, PairCounts(wins, ties), WMT14), [0, 0])
