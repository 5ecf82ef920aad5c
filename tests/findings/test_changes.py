"""What changes between two answers is said in words that hold."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.findings.changes import (
    Answer,
    changes_frame,
    describe,
    describe_order,
    fewer_words,
    summarize,
)


def answer(order: str, clusters: list[int] | None = None) -> Answer:
    """Systems named by letters, best first; clusters in that order."""
    systems = tuple(sorted(order))
    scores = np.array([float(len(order) - order.index(s)) for s in systems])
    if clusters is None:
        return Answer(systems, scores)
    return Answer(systems, scores, np.array([clusters[order.index(s)] for s in systems]))


def test_clusters_and_a_swap_are_told_in_one_sentence() -> None:
    before = answer("abcde", [1, 1, 1, 2, 3])
    after = answer("acbde", [1, 2, 3, 4, 5])
    assert describe(before, after) == "3 clusters become 5; b and c swap"


def test_the_same_answer_twice_changes_nothing() -> None:
    same = answer("abc", [1, 1, 2])
    assert describe(same, same) == "no change, still 2 clusters"
    assert describe(answer("abc"), answer("abc")) == "no change"


def test_one_cluster_becomes_in_the_singular() -> None:
    words = describe(answer("ab", [1, 1]), answer("ab", [1, 2]))
    assert words == "1 cluster becomes 2; the order stays"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("abcde", "abcde", ""),
        ("abcde", "bacde", "b leads instead of a"),
        ("abcde", "abced", "d and e swap"),
        ("abcde", "adcbe", "b and d swap"),
        ("abcdef", "bacdfe", "b leads instead of a; e and f swap"),
        ("abcde", "acdeb", "b falls from 2 to 5"),
        ("abcde", "aebcd", "e rises from 5 to 2"),
        ("abcde", "eabcd", "e rises from 5 to 1"),
        ("abcde", "bcdea", "a falls from 1 to 5; b leads"),
        ("abcdefgh", "badcfegh", "b leads instead of a; c and d swap; e and f swap"),
        ("abcdefghi", "abdcfehgi", "three adjacent pairs swap"),
        ("abcdefghi", "badcfehgi", "b leads instead of a; three other adjacent pairs swap"),
        ("abcde", "aecbd", "three systems change places, e most (5 → 2)"),
    ],
)
def test_orders_are_told_by_the_shortest_true_words(before: str, after: str, words: str) -> None:
    assert describe_order(before, after) == words


@given(st.permutations("abcdefg"))
def test_words_come_exactly_where_the_order_changes(after: list[str]) -> None:
    assert bool(describe_order("abcdefg", after)) == ("".join(after) != "abcdefg")


@given(st.permutations("abcdef"))
def test_a_new_leader_is_always_named(after: list[str]) -> None:
    words = describe_order("abcdef", after)
    if after[0] != "a":
        assert f"{after[0]} leads" in words or f"{after[0]} rises" in words


def test_a_system_left_out_is_no_change_of_order() -> None:
    before, after = answer("abcd", [1, 2, 3, 4]), answer("acd", [1, 2, 3])
    assert describe(before, after) == "4 clusters become 3; the order stays"


def test_members_that_change_clusters_are_told_though_the_number_stays() -> None:
    before, after = answer("abcd", [1, 1, 2, 2]), answer("abcd", [1, 2, 2, 2])
    assert describe(before, after).startswith("still 2 clusters, but b goes from cluster 1 to 2")


def test_a_summary_names_the_best_and_calls_gaps_groups() -> None:
    assert summarize(answer("bac", [1, 2, 2])) == "2 clusters; b has the highest score"
    groups = dataclasses.replace(answer("bac", [1, 1, 2]), part="group")
    assert summarize(groups) == "2 groups; b has the highest score"
    split = dataclasses.replace(answer("bac", [1, 2, 3]), part="group")
    assert describe(groups, split) == "2 groups become 3; the order stays"
    assert "group" in changes_frame(groups, split)
    nobody = Answer(("a",), np.array([np.nan]), np.array([0]))
    assert summarize(nobody) == "no system has a score"


def test_pairs_told_apart_are_counted_where_clusters_stay() -> None:
    told = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    before = dataclasses.replace(answer("abc", [1, 1, 1]), apart=told)
    after = dataclasses.replace(answer("abc", [1, 1, 1]), apart=np.zeros((3, 3), dtype=bool))
    assert describe(before, after) == (
        "still 1 cluster; 0 of 3 pairs differ significantly instead of 2; the order stays"
    )
    assert describe(before, before) == "no change, still 1 cluster"
    officially = dataclasses.replace(after, is_official=True)
    assert "0 of 3 pairs have separate rank ranges instead of 2" in describe(before, officially)


def test_names_are_written_as_told() -> None:
    assert describe_order("ab", "ba", name=str.upper) == "B leads instead of A"


def test_the_table_holds_both_answers_and_nothing_where_one_has_none() -> None:
    frame = changes_frame(answer("ab", [1, 2]), answer("cba", [1, 1, 2]))
    assert frame["system"].tolist() == ["c", "b", "a"]
    assert frame["place"].isna().tolist() == [True, False, False]
    assert frame["place"].tolist()[1:] == [1, 2]
    assert frame["place_before"].isna().tolist() == [True, False, False]
    assert frame["place_before"].tolist()[1:] == [2, 1]
    assert frame["cluster"].tolist() == [1, 1, 2]
    assert np.isnan(frame["score_before"].iloc[0])


def test_the_least_share_of_which_nearly_all_samples_name_the_winner_is_said() -> None:
    wins = {0.9: 10, 0.8: 9, 0.7: 6, 0.6: 9}
    assert fewer_words("A", wins, 10, "votes") == (
        "A wins in 9 of 10 samples of 80% of the votes; of 70%, in 6"
    )
    assert fewer_words("A", {0.9: 7, 0.8: 10}, 10, "votes") == (
        "With 90% of the votes, A wins in 7 of 10 samples"
    )
    assert (
        fewer_words("A", {0.9: 10}, 10, "votes") == "A wins in 10 of 10 samples of 90% of the votes"
    )
    assert fewer_words("A", {}, 10, "votes") == ""
