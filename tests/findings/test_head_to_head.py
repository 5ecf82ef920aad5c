"""What is said of two systems and of all pairs, and which differ significantly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.campaign import PairCounts
from analysis.comparing.head_to_head import HeadToHead, head_to_head
from analysis.findings import head_to_head as findings
from analysis.findings.result import winner_words
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.covariance import UnitCovariance
from analysis.ranking.ranking import rank
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.verdict import Verdict, verdict_on
from analysis.samples import sample_campaign
from analysis.wording import claim
from tests.building import CampaignBuilder

SYSTEMS = ("a", "b", "c")


def table(wins: list[list[int]], ties: int = 0, sides: int = 2) -> HeadToHead:
    tied = ties * (1 - np.eye(len(wins)))
    counts = PairCounts(np.array(wins, dtype=float), tied)
    return head_to_head(counts, SYSTEMS[: len(wins)], sides=1 if sides == 1 else 2)


def told_of(table: HeadToHead, scores: list[float], sd: float) -> Verdict:
    """What differs significantly of scores whose differences all have one standard deviation."""
    k = len(scores)
    nothing = np.zeros((k, k))
    covariance = UnitCovariance(sd**2 / 2 * np.eye(k), 10**9)
    uncertainty = Uncertainty({"task": covariance}, {}, nothing, nothing, nothing, "by hand")
    builder = CampaignBuilder()
    for t in range(3):
        builder.add_task("fr-en", str(t), "ann", [(s,) for s in table.systems], [1] * k)
    judgments = builder.build().judgments()
    return verdict_on(judgments, np.array(scores), uncertainty, scope="these")


def test_predictions_further_from_even_than_what_was_observed_are_called_extreme() -> None:
    result = table([[0, 60, 60], [40, 0, 60], [40, 40, 0]])
    bold = np.where(result.share > 0.5, 0.75, 0.25)
    assert findings.extreme_words(result, bold) == (
        "Predictions are too extreme: 15.0 points further from 50% than the observed shares on "
        "average. "
    )
    assert findings.extreme_words(result, result.share) == ""
    assert findings.extreme_words(table([[0, 2], [1, 0]]), np.array([[0, 0.9], [0.1, 0]])) == ""


def test_the_finding_counts_what_is_told_apart_and_not_who_won_more_often() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]])
    clear = told_of(result, [0.7, 0.5, 0.3], 0.05)
    assert findings.finding(result, clear) == (
        "a is significantly better than all 2 others; all 3 pairs differ significantly"
    )
    some = told_of(result, [0.6, 0.55, 0.3], 0.06)
    assert findings.finding(result, some) == (
        "a is significantly better than 1 of the 2 others; 2 of 3 pairs differ significantly"
    )
    nothing = told_of(result, [0.6, 0.5, 0.4], 1.0)
    assert findings.finding(result, nothing) == (
        "None of the 3 system pairs differs significantly yet"
    )
    assert findings.finding(result, None).startswith("a has the highest score")


def test_the_finding_says_that_a_winner_beats_all_though_not_all_among_all_pairs() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]])
    wins = told_of(result, [0.6, 0.48, 0.47], 0.06)
    assert wins.winner == "a"
    assert findings.finding(result, wins) == (
        "a beats all 2 others; none of them also if all 3 pairs are tested at once; "
        "0 pairs differ significantly"
    )
    one = told_of(result, [0.6, 0.48, 0.4], 0.06)
    assert claim(findings.finding(result, one, lambda name: "uedin")) == (
        "uedin beats all 2 others"
    )


def test_the_title_is_the_share_of_the_best_two_and_whether_they_differ() -> None:
    result = table([[0, 52, 70], [48, 0, 61], [20, 39, 0]])
    some = told_of(result, [0.6, 0.55, 0.3], 0.06)
    assert findings.observed_title(result, some) == (
        "a won 52% against b, ties aside; not separated"
    )
    clear = told_of(result, [0.7, 0.5, 0.3], 0.05)
    assert findings.observed_title(result, clear) == (
        "a won 52% against b, ties aside; they differ significantly"
    )


def test_of_ratings_the_share_is_of_the_segments_where_they_differ() -> None:
    """Of 207 segments, a is better on 82, b on 72, and 53 ratings are equal: 40% of all."""
    rated = replace(table([[0, 82], [72, 0]], ties=53), of_ratings=True)
    assert findings.observed_title(rated, None) == (
        "a was rated better than b on 53% of the segments where the ratings differ"
    )


def test_a_pair_that_met_twice_makes_no_title() -> None:
    result = table([[0, 2, 2], [0, 0, 6], [0, 3, 0]])
    nothing = told_of(result, [0.6, 0.5, 0.4], 1.0)
    assert findings.observed_title(result, nothing) == (
        "a and b were compared fewer than 10 times, ties aside"
    )


def test_the_first_pair_that_met_often_makes_the_title() -> None:
    result = table([[0, 2, 7], [0, 0, 61], [3, 39, 0]])
    assert result.first_pair == (0, 2)
    assert findings.observed_title(result, None) == "a won 70% against c, ties aside"


def test_the_verdict_tells_difference_interval_and_adjusted_p() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]])
    verdict = told_of(result, [0.6, 0.55, 0.3], 0.06)
    assert findings.pair_sentence(verdict, "c", "a", "Expected Wins") == (
        "By Expected Wins, a scores 0.30 more than c (95% interval of this difference alone 0.18 "
        "to 0.42). Adjusted for all 3 pairs, p < 0.001: the two differ significantly."
    )
    assert "p = 0.40: the two are not separated" in findings.pair_sentence(verdict, "a", "b", "x")


def test_ties_alone_decide_nothing_and_are_no_evidence() -> None:
    result = table([[0, 0], [0, 0]], ties=7)
    assert findings.observed_title(result, None) == "All judgments are ties"
    assert findings.pair_sentences(result, "a", "b") == [
        "a and b were compared 7 times: a was never preferred, b never, and 7 were ties.",
        "Ties alone do not show which one is better.",
    ]


def test_the_numbers_of_two_systems_turn_round_with_them() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]], ties=5)
    one, other = (findings.pair_sentences(result, *pair) for pair in (("b", "c"), ("c", "b")))
    assert (
        one[0]
        == "b and c were compared 85 times: b was preferred 41 times, c 39 times, and 5 were ties."
    )
    assert other[0] == (
        "c and b were compared 85 times: c was preferred 39 times, b 41 times, and 5 were ties."
    )
    assert "b won 51%" in one[1]
    assert "c won 49%" in other[1]


def test_few_decided_judgments_are_not_made_a_percentage() -> None:
    result = table([[0, 2], [0, 0]])
    assert findings.pair_sentences(result, "a", "b") == [
        "a and b were compared 2 times: a was preferred 2 times, b never, and 0 were ties.",
        "Decided only 2 times: too few to conclude more.",
    ]


def test_the_sign_test_names_its_side_and_what_it_supposes() -> None:
    wins = [[0, 60, 70], [30, 0, 41], [20, 39, 0]]
    one = findings.sign_test_sentence(table(wins, sides=1), "c", "a")
    assert "one-sided, for c being better" in one
    assert "every judgment as independent" in one
    assert findings.sign_test_title(table(wins, sides=1)) == findings.sign_test_title(table(wins))
    assert findings.sign_test_title(table(wins)).startswith("2 of 3 pairs differ at p ≤ 0.05")
    assert findings.sign_test_sentence(table([[0, 0], [0, 0]], ties=3), "a", "b") == ""


def test_the_largest_miss_of_a_method_is_named_with_both_numbers() -> None:
    result = table([[0, 60, 70], [40, 0, 41], [30, 59, 0]])
    predicted = np.array([[np.nan, 0.6, 0.65], [0.4, np.nan, 0.5], [0.35, 0.5, np.nan]])
    assert findings.difference_title(result, predicted, "Elo") == (
        "Elo is off by 4.7 points on average; most for c vs. b: 59%, 50% expected"
    )


def test_pairs_that_never_met_are_counted_apart() -> None:
    result = table([[0, 5, 0], [6, 0, 3], [0, 3, 0]])
    assert (
        findings.counts_title(result)
        == "1 of 3 pairs were never compared; the others 6 to 11 times"
    )


def test_the_title_of_a_sample_says_of_the_best_two_what_its_ranking_says() -> None:
    judgments = sample_campaign("wmt14-fr-en").judgments()
    ranking = rank(judgments, ExpectedWins())
    result = head_to_head(judgments.counts, judgments.systems, ranking.order)
    title = findings.observed_title(result, ranking.verdict)
    assert ranking.verdict is not None
    i, j = ranking.order[:2]
    assert title.endswith("not separated") == (not ranking.verdict.significant[i, j])
    assert title.startswith(f"{judgments.systems[i]} won ")


def test_a_winner_with_a_rank_range_beyond_one_has_the_test_that_names_it() -> None:
    result = table([[0, 60, 70], [30, 0, 41], [20, 39, 0]])
    verdict = told_of(result, [0.7, 0.58, 0.57], 0.055)
    assert verdict.winner == "a"
    p = verdict.p[0, 1]
    assert winner_words(verdict) == (
        f"Tested as the winner against each other system: p = {p:.3f} (closest: b). The rank range "
        "1–3 answers a stricter question, all 3 pairs at once."
    )
    assert (
        f"not separated among all pairs, but a is better in the winner's own test (p = {p:.3f})."
    ) in findings.pair_sentence(verdict, "b", "a", "x")
    assert winner_words(told_of(result, [0.7, 0.5, 0.3], 0.05)) == ""
    assert winner_words(told_of(result, [0.6, 0.55, 0.3], 0.06)) == ""
    assert winner_words(None) == ""
