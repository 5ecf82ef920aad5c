"""What methods disagree about, in words; and what was published of the campaign at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from analysis.comparing.comparison import Column, compare, official_clusters, official_orders
from analysis.findings.comparison import disputes, figure_title, finding, moves_frame
from analysis.published import wmt14_orders_en_de, wmt15_rankings
from analysis.samples import sample_campaign

SYSTEMS = ("a", "b", "c", "d")


def column(method: str, order: str, clusters: Sequence[int] | None = None) -> Column:
    """A method's order of a to d; its clusters in the order of the names."""
    places = np.array([SYSTEMS.index(name) for name in order])
    return Column(
        method, SYSTEMS, places, None if clusters is None else np.array(clusters, dtype=np.int64)
    )


def test_equal_orders_agree_whatever_their_clusters() -> None:
    result = compare([column("x", "abcd", [1, 1, 2, 2]), column("y", "abcd", [1, 2, 3, 4])])
    assert finding(result) == "Both methods put the 4 systems in the same order"
    assert figure_title(result) == "The same order by all methods; x separates 2 clusters, y 4"
    assert disputes(result) == ()
    one_alone = compare([column("x", "abcd"), column("y", "abcd", [1, 2, 3, 4])])
    assert figure_title(one_alone) == "The same order by all methods"


def test_what_no_method_tells_apart_is_open_and_not_called_the_same() -> None:
    result = compare([column("x", "abcd", [1, 1, 2, 2]), column("y", "bacd", [1, 1, 2, 2])])
    assert finding(result) == (
        "a or b leads, depending on the method; 2 of 4 systems change places; neither method "
        "finds the swaps significant"
    )
    assert disputes(result)[0].sentence() == (
        "x puts a above b; y does the reverse. Neither method finds their difference significant."
    )
    assert figure_title(result) == "x puts a above b, y below, too close to call"
    assert moves_frame(result)["moves_that_matter"].tolist() == [0, 0]


def test_of_several_methods_none_finds_a_swap_significant() -> None:
    orders = [
        column(name, order, [1, 1, 2, 2])
        for name, order in zip("xyz", ("abcd", "bacd", "abcd"), strict=True)
    ]
    assert finding(compare(orders)) == (
        "a or b leads, depending on the method; 2 of 4 systems change places; no method finds "
        "these swaps significant"
    )


def test_a_winner_by_some_ways_only_leads_the_finding() -> None:
    def named(method: str, winner: str | None, order: str = "abcd") -> Column:
        apart = np.zeros((4, 4), dtype=bool)
        return replace(column(method, order), apart=apart, winner=winner)

    some = [named("x", "a"), named("y", None), named("z", "a", "abdc")]
    said = finding(compare(some), str.upper, "way of averaging")
    assert said.startswith("A wins by 2 of 3 ways of averaging, not by “y”; 2 of 4 systems change ")
    alone = [named("x", "a"), named("y", None)]
    assert finding(compare(alone)) == (
        "a wins only by x; both methods put the 4 systems in the same order"
    )
    assert finding(compare(alone), str, "way of averaging").startswith("a wins only by “x”; ")
    others = [named("x", "a"), named("y", "b", "bacd")]
    assert finding(compare(others)).startswith("a or b wins, depending on the method; ")
    agreed = [named("x", "a"), named("y", "a", "abdc"), column("printed", "abcd")]
    assert finding(compare(agreed)).startswith("The first 2 places are the same by all three ")


def test_an_official_procedure_separates_rank_ranges_and_finds_nothing_significant() -> None:
    def ranged(method: str, order: str, clusters: list[int]) -> Column:
        return replace(column(method, order, clusters), is_official=True)

    neither = compare([ranged("x", "abcd", [1, 1, 2, 2]), ranged("y", "bacd", [1, 1, 2, 2])])
    assert finding(neither).endswith("; no rank ranges separate them")
    one = compare([ranged("x", "abcd", [1, 2, 3, 3]), ranged("y", "bacd", [1, 1, 2, 2])])
    assert finding(one).endswith("; x separates the rank ranges of 1 of 1 swap")
    both = compare([ranged("x", "abcd", [1, 2, 3, 3]), ranged("y", "bacd", [2, 1, 3, 3])])
    sentences = [disputes(found)[0].sentence() for found in (neither, one, both)]
    assert sentences[0].endswith("No rank ranges separate them.")
    assert "x separates their rank ranges; y does not" in sentences[1]
    assert sentences[2].endswith("contradict each other, each by separate rank ranges.")


def test_a_swap_that_one_method_tells_apart_matters_and_comes_first() -> None:
    result = compare(
        [
            column("x", "abcd", [1, 1, 2, 3]),
            column("y", "bacd", [1, 1, 2, 3]),
            column("z", "abdc", [1, 1, 2, 2]),
        ]
    )
    first, second = disputes(result)
    assert (first.upper, first.lower, first.above, first.below) == ("c", "d", ("x", "y"), ("z",))
    assert first.told_by == ("x", "y")
    assert not first.is_contradiction
    assert first.sentence().endswith(
        "x and y find a significant difference; z does not, so the choice of method matters."
    )
    assert second.is_open
    assert second.sentence().endswith("None of the methods finds their difference significant.")
    assert figure_title(result) == "z alone puts d above c"
    assert finding(result).endswith("; x and y find 1 of 2 swaps significant")
    assert moves_frame(result)["moves_that_matter"].tolist() == [0, 0, 2]


def test_methods_that_tell_two_systems_apart_the_other_way_round_contradict_each_other() -> None:
    result = compare([column("x", "abcd", [1, 2, 3, 4]), column("y", "abdc", [1, 2, 4, 3])])
    (dispute,) = disputes(result)
    assert dispute.is_contradiction
    assert dispute.sentence().endswith("x and y contradict each other, each significantly.")
    assert finding(result).endswith("1 in opposite directions")


def test_where_nothing_is_known_of_being_told_apart_no_swap_is_open() -> None:
    result = compare([column("x", "abcd"), column("y", "abdc")])
    assert not disputes(result)[0].is_open
    assert finding(result) == (
        "The first 2 places are the same by both methods; 2 of 4 systems change places; 1 swap in "
        "all"
    )


def test_a_system_that_others_pass_on_both_sides_does_not_change_its_place() -> None:
    result = compare([column("x", "abcd"), column("y", "cbad")])
    assert "; 2 of 4 systems change places; 3 swaps in all" in finding(result)


def test_the_printed_orders_of_table_9_cross_no_official_line() -> None:
    """WMT14, table 9: all that moves between the three methods moves inside a cluster."""
    systems = sample_campaign("wmt14-en-de").systems
    orders = official_orders("eng-deu", systems)
    result = compare(orders)
    printed = wmt14_orders_en_de()
    assert [list(order.names) for order in orders] == [
        printed[name].tolist() for name in ("expected_wins", "hopkins_may", "trueskill")
    ]
    assert len(result.moves_of(orders[1].method)) == 8
    assert all(dispute.is_open for dispute in disputes(result))


@pytest.mark.parametrize("pair", ["cs-en", "en-de", "hi-en"])
def test_official_clusters_hold_every_system_of_the_sample(pair: str) -> None:
    systems = sample_campaign(f"wmt14-{pair}").systems
    official = official_clusters(pair, systems)
    assert official is not None
    assert official.source == "WMT14"
    assert sum(official.sizes(systems)) == len(systems)
    assert sum(official.sizes(systems[1:])) == len(systems) - 1


def test_official_clusters_are_only_for_the_campaign_s_own_systems() -> None:
    wmt15 = wmt15_rankings("fin-eng")["system"].tolist()
    found = official_clusters("fi-en", wmt15)
    assert found is not None
    assert found.source == "WMT15"
    assert official_clusters("fi-en", [*wmt15, "newcomer"]) is None
    assert official_clusters("cs-en", ["gpt", "claude"]) is None
    assert official_orders("de-en", sample_campaign("wmt14-en-de").systems) == ()
