"""Practically equal, and the cheapest system that is not worse than the best."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.errors import PodiumError
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.equivalence import (
    cheapest_not_worse,
    equal_within,
    not_worse_than_the_best,
    simultaneous_intervals,
)
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.samples import sample_campaign

SAMPLE = reach_verdict(ExpectedWins().fit(sample_campaign("wmt14-cs-en").judgments()))


def verdict_of(scores: list[float], se: float, freedom: float = np.inf) -> Verdict:
    """A verdict on independent scores, all pairs equally precise; the rest is not looked at."""
    k = len(scores)
    values, errors = np.array(scores), np.full((k, k), se)
    p = np.ones((k, k))
    np.fill_diagonal(p, np.nan)
    names = tuple("abcdefgh"[:k])
    return dataclasses.replace(
        SAMPLE, systems=names, scores=values, se_of_difference=errors, p=p, p_adjusted=p,
        freedom=freedom, significant=np.zeros((k, k), dtype=bool),
        exploratory=np.zeros((k, k), dtype=bool),
    )  # fmt: skip


def test_a_pair_is_equal_where_both_one_sided_tests_reject() -> None:
    """Two one-sided tests of one pair, by the book: p = P(T ≥ (m - |d|)/se), at half of α."""
    for distance in (0.0, 0.3, 1.0):
        for margin in (1.0, 2.0, 3.0, 4.0):
            frame = equal_within(verdict_of([distance, 0.0], 1.0, freedom=9), margin)
            p = student.sf(margin - distance, 9)
            assert (frame["verdict"] == "equal").all() == (p < 0.025), (distance, margin)


def test_simultaneous_intervals_are_wider_than_that_of_one_pair() -> None:
    low, high = simultaneous_intervals(SAMPLE)
    names = SAMPLE.systems
    for i in range(len(names)):
        for j in range(len(names)):
            if i != j:
                alone = SAMPLE.interval_of_difference(names[i], names[j])
                assert low[i, j] < alone.low < alone.estimate < alone.high < high[i, j]


def test_a_wider_margin_makes_more_pairs_equal_and_never_fewer() -> None:
    equal = [
        set(map(tuple, frame.loc[frame["verdict"] == "equal", ["a", "b"]].to_numpy()))
        for frame in (equal_within(SAMPLE, margin) for margin in (0.001, 0.05, 0.1, 0.5))
    ]
    assert not equal[0]
    assert all(small <= large for small, large in itertools.pairwise(equal))
    assert len(equal[-1]) == 10


def test_a_margin_of_nothing_is_refused() -> None:
    for margin in (0.0, -1.0, float("nan")):
        with pytest.raises(PodiumError, match="Margin"):
            equal_within(SAMPLE, margin)


def test_the_cheapest_system_within_the_margin_of_the_best_is_named() -> None:
    close = verdict_of([1.0, 0.95, 0.2], 0.1)
    costs = {"a": 30.0, "b": 5.0, "c": 1.0}
    assert cheapest_not_worse(close, 0.5, costs) == "b"
    assert cheapest_not_worse(close, 2.0, costs) == "c"
    assert cheapest_not_worse(close, 0.01, costs) is None
    assert cheapest_not_worse(close, 0.5, {"a": 30.0, "c": 1.0}) == "a"


def test_not_worse_needs_the_test_against_every_other_system() -> None:
    close = verdict_of([1.0, 0.95, 0.2], 0.1)
    p = not_worse_than_the_best(close, 0.5)
    alone = [student.cdf((1.0 - own - 0.5) / 0.1, np.inf) for own in (0.95, 0.95, 0.2)]
    assert p[2] == pytest.approx(alone[2])
    assert p[1] == pytest.approx(2 * alone[1], rel=1e-6)
    assert p[0] <= p[1] <= p[2]
