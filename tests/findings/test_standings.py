"""Findings in words, on rankings whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import CampaignBuilder, Judgments
from analysis.findings.standings import (
    headline,
    leaders,
    neighbors,
    not_told_apart,
    standings_title,
)
from analysis.provenance import Provenance
from analysis.rankers.draws import ResamplingUnit, n_units
from analysis.rankers.standings import Standings
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.clusters import clusters_from_ranges
from analysis.ranking.rank_ranges import rank_ranges
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.replicates import Replicates

LEVEL = 0.95


def judgments_of(systems: tuple[str, ...]) -> Judgments:
    builder = CampaignBuilder()
    builder.add_task("a-b", "1", "j", [(s,) for s in systems], list(range(1, len(systems) + 1)))
    return builder.build().judgments()


def ranking_of(scores: np.ndarray, systems: tuple[str, ...]) -> Ranking:
    """A ranking whose runs are given: scores[R, K]."""
    replicates = Replicates(systems, scores, "task", 0, Provenance())
    ranges = rank_ranges(replicates, LEVEL)
    standings = Standings(systems, scores.mean(axis=0), None, "m", "", 1)
    return Ranking(
        judgments_of(systems),
        standings,
        len(scores),
        LEVEL,
        "",
        ranges,
        clusters_from_ranges(ranges),
    )


@pytest.fixture
def one_leads_two_share() -> Ranking:
    """a always first; b above c in 60% of the runs; d always last."""
    runs = np.tile([9.0, 5.0, 4.0, 1.0], (100, 1))
    runs[:40, [1, 2]] = [4.0, 5.0]
    return ranking_of(runs, ("a", "b", "c", "d"))


def test_the_headline_counts_clusters_leader_and_open_neighbors(
    one_leads_two_share: Ranking,
) -> None:
    expected = "3 clusters; a leads; 1 of 3 neighbors cannot be told apart yet"
    assert headline(one_leads_two_share) == expected


def test_the_title_tells_the_largest_group_below_the_lead(one_leads_two_share: Ranking) -> None:
    assert standings_title(one_leads_two_share) == "a leads; two systems share places 2–3"


def test_a_long_title_leaves_the_second_half_out(one_leads_two_share: Ranking) -> None:
    assert standings_title(one_leads_two_share, lambda name: name * 40) == f"{'a' * 40} leads"


def test_names_are_written_as_asked(one_leads_two_share: Ranking) -> None:
    assert "A leads" in headline(one_leads_two_share, str.upper)


def test_neighbors_carry_the_share_of_runs_in_their_order(one_leads_two_share: Ranking) -> None:
    assert [pair.share for pair in neighbors(one_leads_two_share)] == pytest.approx([1, 0.6, 1])
    (open_one,) = not_told_apart(one_leads_two_share)
    assert (open_one.upper, open_one.lower) == ("b", "c")


@pytest.mark.parametrize(("swapped", "n_open"), [(4, 0), (5, 0), (6, 1)])
def test_neighbors_are_told_apart_from_the_level_on(swapped: int, n_open: int) -> None:
    runs = np.tile([2.0, 1.0], (100, 1))
    runs[:swapped] = [1.0, 2.0]
    assert len(not_told_apart(ranking_of(runs, ("a", "b")))) == n_open


def test_equal_scores_in_every_run_are_told_apart_by_nobody() -> None:
    runs = np.tile([1.0, 1.0, 0.0], (50, 1))
    ranking = ranking_of(runs, ("a", "b", "c"))
    assert [pair.share for pair in neighbors(ranking)] == [0.5, 1.0]
    assert leaders(ranking) == ("a", "b")
    assert "a and b share the lead" in headline(ranking)


def test_many_leaders_are_counted_not_listed() -> None:
    runs = np.random.default_rng(0).normal(size=(200, 5))
    text = headline(ranking_of(runs, tuple("abcde")))
    assert "1 cluster;" in text
    assert "and four others share the lead" in text
    assert "4 of 4 neighbors" in text
    assert standings_title(ranking_of(runs, tuple("abcde"))) == "five systems share places 1–5"


def test_a_clear_order_says_so() -> None:
    runs = np.tile([3.0, 2.0, 1.0], (50, 1))
    ranking = ranking_of(runs, ("a", "b", "c"))
    assert headline(ranking) == "3 clusters; a leads; all neighbors are told apart"
    assert standings_title(ranking) == "a leads; every place is clear"


def test_without_runs_the_headline_claims_no_certainty() -> None:
    systems = ("a", "b")
    standings = Standings(systems, np.array([2.0, 1.0]), None, "m", "", 1)
    ranking = Ranking(judgments_of(systems), standings, 0, LEVEL, Provenance(), None, None)
    assert "cluster" not in headline(ranking)
    assert headline(ranking).startswith("a leads by its score")
    assert neighbors(ranking) == ()


def test_runs_that_all_say_the_same_claim_no_certainty() -> None:
    systems = ("a", "b")
    for scores, lead in (([2.0, 1.0], "a leads by its score"), ([1.0, 1.0], "All systems have")):
        standings = Standings(systems, np.array(scores), None, "m", "", 1)
        ranking = Ranking(
            judgments_of(systems), standings, 200, LEVEL, Provenance(), None, None, unit="task"
        )
        assert headline(ranking).startswith(lead)
        assert "too few judgments differ" in headline(ranking)
        assert standings_title(ranking).startswith(lead)


@pytest.mark.parametrize("unit", ["task", "rows", "segment", "judge", "none"])
def test_one_task_has_no_rank_ranges_however_it_is_drawn_again(unit: ResamplingUnit) -> None:
    one = judgments_of(("a", "b", "c"))
    found = rank(one, TrueSkill(), runs=20, unit=unit)
    if unit == "rows":
        assert found.ranges is not None  # three rows can be drawn in many ways
    else:
        assert found.ranges is None
        assert found.clusters is None
    assert n_units(one, unit) == (3 if unit == "rows" else 1)


def test_a_system_without_a_score_has_no_neighbors() -> None:
    runs = np.tile([3.0, np.nan, 1.0], (50, 1))
    ranking = ranking_of(runs, ("a", "b", "c"))
    assert [(pair.upper, pair.lower) for pair in neighbors(ranking)] == [("a", "c")]
