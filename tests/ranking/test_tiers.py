"""Tiers and the winner, against brute force over small numbers of systems."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import FloatArray
from analysis.ranking.clusters import tiers_of
from analysis.ranking.significance import BoolArray, benjamini_hochberg, holm
from analysis.ranking.verdict import possible_winners_of, winner_of


def longest_chain_down_to(system: int, better: BoolArray) -> int:
    """Length of the longest chain of significant differences that ends at a system, by trying."""
    others = [k for k in range(len(better)) if k != system]
    return max(
        len(chain) + 1
        for n in range(len(better))
        for chain in itertools.permutations(others, n)
        if all(better[a, b] for a, b in itertools.pairwise((*chain, system)))
    )


@st.composite
def campaigns(draw: st.DrawFn) -> tuple[FloatArray, FloatArray]:
    """Scores of two to five systems, some equal, and p-values of their pairs."""
    k = draw(st.integers(2, 5))
    scores = draw(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9]), min_size=k, max_size=k))
    p = np.full((k, k), np.nan)
    for i, j in itertools.combinations(range(k), 2):
        chance = draw(st.sampled_from([1e-6, 0.004, 0.012, 0.03, 0.2, 1.0]))
        p[i, j] = p[j, i] = 1.0 if scores[i] == scores[j] else chance
    return np.array(scores), p


@given(campaigns())
def test_a_tier_is_the_length_of_the_longest_chain_of_significant_differences(
    made: tuple[FloatArray, FloatArray],
) -> None:
    scores, p = made
    significant = holm(p) <= 0.05
    better = significant & (scores[:, None] > scores)
    wanted = [longest_chain_down_to(k, better) for k in range(len(scores))]
    assert tiers_of(scores, significant).tolist() == wanted


@given(campaigns())
def test_relabeling_the_systems_permutes_tiers_and_winner(
    made: tuple[FloatArray, FloatArray],
) -> None:
    scores, p = made
    turned = np.arange(len(scores))[::-1]
    other = p[np.ix_(turned, turned)]
    tiers = tiers_of(scores[turned], holm(other) <= 0.05)
    assert tiers.tolist() == tiers_of(scores, holm(p) <= 0.05)[turned].tolist()
    winner, again = winner_of(scores, p, 0.95), winner_of(scores[turned], other, 0.95)
    assert winner == (None if again is None else turned[again])


@given(campaigns())
def test_the_winner_beats_every_other_system_by_itself(
    made: tuple[FloatArray, FloatArray],
) -> None:
    scores, p = made
    winner = winner_of(scores, p, 0.95)
    beats = [
        all(p[i, j] <= 0.05 and scores[i] > scores[j] for j in range(len(scores)) if j != i)
        for i in range(len(scores))
    ]
    assert beats == [winner == i for i in range(len(scores))]
    alone = winner_of(scores, holm(p), 0.95)
    assert alone is None or alone == winner, "a winner of the adjusted test is one of the plain one"


def test_systems_without_a_score_have_no_tier_and_do_not_stop_a_winner() -> None:
    scores = np.array([0.2, np.nan, 0.6])
    p = np.full((3, 3), np.nan)
    p[0, 2] = p[2, 0] = 0.01
    assert tiers_of(scores, p <= 0.05).tolist() == [2, 0, 1]
    assert winner_of(scores, p, 0.95) == 2


def test_without_comparison_there_is_no_winner() -> None:
    scores = np.array([0.6, 0.2, 0.1])
    p = np.full((3, 3), np.nan)
    p[0, 1] = p[1, 0] = 0.001
    assert winner_of(scores, p, 0.95) is None
    assert winner_of(np.array([1.0]), np.full((1, 1), np.nan), 0.95) is None


def test_possible_winners_are_the_winner_or_all_whose_range_begins_with_one() -> None:
    scores, best = np.array([0.2, 0.9, 0.8]), np.array([3, 1, 1])
    assert possible_winners_of(scores, best, None) == (1, 2)
    assert possible_winners_of(scores, best, 1) == (1,)


def test_the_exploratory_layer_is_benjamini_and_hochbergs() -> None:
    """The example of their 1995 paper, section 3.2: four of 15 rejected, by Bonferroni three."""
    listed = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
              0.4262, 0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip
    p = np.full((6, 6), np.nan)
    first, second = np.triu_indices(6, 1)
    p[first, second] = p[second, first] = listed
    adjusted = benjamini_hochberg(p)[first, second]
    assert (adjusted <= 0.05).sum() == 4
    assert (holm(p)[first, second] <= 0.05).sum() == 3
    assert adjusted == pytest.approx(
        [min(15 / (r + 1) * listed[r] for r in range(k, 15)) for k in range(15)]
    )
