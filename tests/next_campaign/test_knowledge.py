"""What is known of abilities, what an answer tells, and which lines between clusters are near."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from analysis.campaign import FloatArray, PairCounts
from analysis.next_campaign.evidence import difference_variances
from analysis.next_campaign.knowledge import CLEAR, Knowledge, cluster_weights, line_costs
from analysis.rankers.preferences import OrderedProbit


def small_knowledge() -> Knowledge:
    rng = np.random.default_rng(7)
    root = rng.normal(size=(4, 4))
    precision = root @ root.T * 3 + 8 * np.eye(4)
    return Knowledge(OrderedProbit(1.0, 0.3, 1.0), np.array([0.5, 0.35, 0.1, -0.6]), precision, 2.0)


def test_the_gain_is_the_slope_of_what_is_known_of_the_pairs_that_count() -> None:
    known = small_knowledge()
    gain, h = known.gain(known.mean), known.information
    variance = difference_variances(np.linalg.inv(known.precision))
    weight = np.triu(cluster_weights(known.mean, variance))
    small = 1e-6
    for i, j in itertools.combinations(range(4), 2):
        d = np.eye(4)[i] - np.eye(4)[j]
        told = np.linalg.inv(known.precision + small * np.outer(d, d))
        fall = (weight * np.log(variance / difference_variances(told))).sum()
        slope = gain[i, j] / h[i, j] * (1 + h[i, j] * variance[i, j])
        assert slope == pytest.approx(fall / small, rel=1e-3)
    assert np.isneginf(np.diag(gain)).all()


def test_information_is_fishers() -> None:
    known = small_knowledge()
    model, step = known.model, 1e-5
    for i, j in itertools.permutations(range(4), 2):
        delta = known.mean[i] - known.mean[j]

        def outcomes(difference: float) -> FloatArray:
            win, tie = model.outcome_probabilities(np.array(difference))
            return np.array([float(win), float(tie), float(1 - win - tie)])

        slope = (outcomes(delta + step) - outcomes(delta - step)) / (2 * step)
        fisher = (slope**2 / outcomes(delta)).sum() / known.design_effect
        assert known.information[i, j] == pytest.approx(fisher, rel=1e-6)


def test_a_line_costs_what_the_hardest_pair_across_it_lacks() -> None:
    lacking = np.random.default_rng(2).normal(size=(6, 6))
    expected = [lacking[: i + 1, i + 1 :].max() for i in range(5)]
    assert line_costs(lacking).tolist() == expected


def at(*abilities: float, sd: float) -> FloatArray:
    """Return the weights of systems whose differences are all known up to ``sd``."""
    variance = np.full((len(abilities), len(abilities)), sd**2)
    np.fill_diagonal(variance, 1.0)
    return cluster_weights(np.array(abilities), variance)


def test_the_pair_at_the_line_that_is_nearly_drawn_counts_most() -> None:
    # Lines: far from drawn (a, b), nearly drawn (b, c), drawn (c, d).
    weight = at(0.0, -0.2, -1.8, -9.0, sd=1.0)
    assert np.unravel_index(weight.argmax(), weight.shape) == (1, 2)
    assert weight[1, 2] > 5 * weight[0, 1]
    assert weight[2, 3] < 1e-6
    np.testing.assert_array_equal(weight, weight.T)
    assert not np.diag(weight).any()


def test_weights_do_not_depend_on_the_order_in_which_systems_stand() -> None:
    abilities = np.array([0.0, -0.2, -1.8, -2.2])
    shuffle = np.array([2, 0, 3, 1])
    there = at(*abilities[shuffle], sd=1.0)
    np.testing.assert_allclose(there, at(*abilities, sd=1.0)[np.ix_(shuffle, shuffle)])


def test_where_all_lines_are_drawn_the_least_clear_pair_counts_most() -> None:
    weight = at(0.0, -3.0, -7.0, -10.5, sd=1.0)
    assert np.unravel_index(weight.argmax(), weight.shape) == (0, 1)
    assert CLEAR < 3.0
    assert np.isfinite(at(0.0, -300.0, sd=1.0)).all()


def test_answers_make_abilities_known_and_a_prior_holds_them_together() -> None:
    wins = np.array([[0.0, 30, 40], [10, 0, 30], [5, 10, 0]])
    counts = PairCounts(wins, np.zeros((3, 3)))
    free, held = Knowledge.of(counts, 0.0, 10.0), Knowledge.of(counts, 0.0, 0.1)
    assert free.mean[0] > free.mean[1] > free.mean[2]
    assert np.ptp(held.mean) < np.ptp(free.mean) / 2
    before = difference_variances(np.linalg.inv(free.precision))
    group = free.choose(2, np.random.default_rng(0), times=5)
    after = difference_variances(np.linalg.inv(free.precision))
    assert after[group[0], group[1]] < before[group[0], group[1]]
    many = Knowledge.of(counts, 0.0, 10.0, design_effect=4.0)
    assert np.trace(many.precision) < np.trace(free.precision) / 3


def test_pairs_that_cannot_be_judged_are_not_chosen() -> None:
    possible = np.ones((4, 4), dtype=bool)
    best = frozenset(small_knowledge().choose(2, np.random.default_rng(0)).tolist())
    i, j = best
    possible[i, j] = possible[j, i] = False
    rng = np.random.default_rng(0)
    chosen = small_knowledge().choose(2, rng, possible=possible)
    assert frozenset(chosen.tolist()) != best
