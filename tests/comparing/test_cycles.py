"""Cycles of three are found where they are, and as strong as their weakest link."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import PairCounts
from analysis.comparing.head_to_head import count_cycles, cycles
from analysis.findings.stability import cycle_sentences
from analysis.samples import sample_campaign

NAMES = ("rock", "paper", "scissors", "well")


def table(**shares: float) -> PairCounts:
    wins = np.zeros((4, 4))
    for pair, share in shares.items():
        i, j = (NAMES.index(name) for name in pair.split("_"))
        wins[i, j], wins[j, i] = 100 * share, 100 * (1 - share)
    return PairCounts(wins, np.zeros((4, 4)))


def test_a_circle_is_as_strong_as_its_weakest_link() -> None:
    counts = table(paper_rock=0.9, scissors_paper=0.7, rock_scissors=0.8, well_rock=0.9)
    (found,) = cycles(counts, NAMES)
    assert found.systems == ("rock", "scissors", "paper")
    assert found.strength == pytest.approx(0.7)
    assert found.p == pytest.approx(3.9e-5, rel=0.05)
    assert (
        "rock beats scissors, scissors beats paper, paper beats rock"
        in (cycle_sentences(1, found)[0])
    )


def test_an_order_and_an_even_pair_make_no_circle() -> None:
    assert cycles(table(rock_paper=0.6, paper_scissors=0.6, rock_scissors=0.7), NAMES) == ()
    assert cycles(table(rock_paper=0.6, paper_scissors=0.6, scissors_rock=0.5), NAMES) == ()
    assert "There are no cycles" in cycle_sentences(0, None)[0]


def test_the_strongest_comes_first() -> None:
    judgments = sample_campaign("wmt14-ru-en").judgments()
    found = cycles(judgments.counts, judgments.systems)
    strengths = [cycle.strength for cycle in found]
    assert strengths == sorted(strengths, reverse=True)
    assert all(strength > 0.5 for strength in strengths)
    assert count_cycles(judgments.counts, judgments.systems) == (len(found), found[0])


def test_of_equally_strong_circles_the_first_by_name_counts_as_the_strongest() -> None:
    """A small campaign in which chance decides: many circles, most as strong as others."""
    wins = np.random.default_rng(0).integers(0, 3, (12, 12)).astype(float)
    np.fill_diagonal(wins, 0)
    counts, names = PairCounts(wins, np.zeros((12, 12))), tuple("lkjihgfedcba")
    found = cycles(counts, names)
    assert found[0].strength == found[1].strength
    assert count_cycles(counts, names) == (len(found), found[0])
    beats = wins > wins.T
    assert len(found) == np.trace(np.linalg.matrix_power(beats.astype(int), 3)) / 3
