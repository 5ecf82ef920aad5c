"""Head to head in words: who beats whom, what is open, and the numbers of two systems."""

from __future__ import annotations

import numpy as np

from analysis.campaign import PairCounts
from analysis.comparing.head_to_head import HeadToHead, head_to_head
from analysis.findings import head_to_head as findings
from analysis.published import wmt14_head_to_head
from analysis.simulation.samples import sample_campaign

SYSTEMS = ("a", "b", "c")


def table(wins: list[list[int]], ties: int = 0, sides: int = 2) -> HeadToHead:
    tied = ties * (1 - np.eye(len(wins)))
    counts = PairCounts(np.array(wins, dtype=float), tied)
    return head_to_head(counts, SYSTEMS[: len(wins)], sides=1 if sides == 1 else 2)


def test_a_system_ahead_of_all_beats_everyone_and_open_pairs_are_counted() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]])
    assert findings.finding(result) == "a beats everyone; 1 of 3 pairs cannot be told apart"


def test_in_a_cycle_nobody_beats_everyone() -> None:
    result = table([[0, 60, 30], [30, 0, 60], [60, 30, 0]])
    assert findings.finding(result) == (
        "Nobody beats everyone; a beats 1 of the 2 it met; all 3 pairs are told apart"
    )


def test_ties_alone_decide_nothing_and_are_no_evidence() -> None:
    result = table([[0, 0], [0, 0]], ties=7)
    assert findings.finding(result) == "No judgment decided between two systems"
    assert findings.pair_sentences(result, "a", "b") == [
        "a and b met 7 times: a was preferred never, b never, and 7 were ties.",
        "Ties alone do not say which one is better.",
    ]


def test_the_numbers_of_two_systems_turn_round_with_them() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]], ties=5)
    one, other = (findings.pair_sentences(result, *pair) for pair in (("b", "c"), ("c", "b")))
    assert one[0] == "b and c met 85 times: b was preferred 41 times, c 39 times, and 5 were ties."
    assert other[0] == (
        "c and b met 85 times: c was preferred 39 times, b 41 times, and 5 were ties."
    )
    assert "b won 51%" in one[1]
    assert "c won 49%" in other[1]
    assert "cannot be told apart" in one[1]
    assert "cannot be told apart" in other[1]


def test_a_one_sided_test_counts_a_pair_once_and_names_its_side() -> None:
    wins = [[0, 60, 70], [30, 0, 41], [20, 39, 0]]
    assert findings.finding(table(wins, sides=1)) == findings.finding(table(wins))
    assert (
        "one-sided, for c being better"
        in findings.pair_sentences(table(wins, sides=1), "c", "a")[1]
    )


def test_the_largest_miss_of_a_method_is_named_with_both_numbers() -> None:
    result = table([[0, 60, 70], [40, 0, 41], [30, 59, 0]])
    predicted = np.array([[np.nan, 0.6, 0.65], [0.4, np.nan, 0.5], [0.35, 0.5, np.nan]])
    assert findings.difference_title(result, predicted, "Elo") == (
        "Elo is off by 4.7 points on average; most on c against b: 59%, 50% expected"
    )


def test_pairs_that_never_met_are_counted_apart() -> None:
    result = table([[0, 5, 0], [6, 0, 3], [0, 3, 0]])
    assert findings.counts_title(result) == "1 of 3 pairs never met; the others met 6 to 11 times"


def test_the_clearest_pair_of_a_sample_is_the_published_one() -> None:
    """WMT14, table 35 (French–English): the largest share of the table, and its two systems."""
    judgments = sample_campaign("wmt14-fr-en").judgments()
    published = wmt14_head_to_head("fr-en")
    i, j = np.unravel_index(np.nanargmax(published.beats), published.beats.shape)
    title = findings.observed_title(head_to_head(judgments.counts, judgments.systems))
    assert title.startswith(f"{published.systems[i]} beats {published.systems[j]} in ")
