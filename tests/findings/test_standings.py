"""Findings in words, on rankings whose scores and their deviations are given."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import Judgments
from analysis.findings.result import result_headline
from analysis.findings.standings import neighbors, too_close
from analysis.provenance import Provenance
from analysis.rankers.ranker import Fit, Standings
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.resampling import ResamplingUnit, n_units
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty, Replicates
from analysis.ranking.covariance import UnitCovariance
from analysis.ranking.ranking import Ranking, assemble_ranking, rank
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.verdict import verdict_on
from tests.building import CampaignBuilder

NAMES = "abcdefghijklmnop"


def judgments_of(*groups: str) -> Judgments:
    """One task a group of systems: all of a group meet."""
    builder = CampaignBuilder()
    for group in groups:
        builder.add_task("x-y", "1", "j", [(s,) for s in group], list(range(1, len(group) + 1)))
    return builder.build().judgments()


def ranking_of(
    scores: list[float],
    sd: float | list[float] = 1.0,
    *groups: str,
    certainty: Certainty = DEFAULT_CERTAINTY,
    runs: np.ndarray | None = None,
) -> Ranking:
    """A ranking of a, b, c … whose scores are independent, with standard deviations ``sd``."""
    judgments = judgments_of(*(groups or (NAMES[: len(scores)],)))
    values, k = np.array(scores), len(scores)
    nothing, own = np.zeros((k, k)), np.diag(np.broadcast_to(np.square(sd), k).astype(float))
    known = Uncertainty(
        {"task": UnitCovariance(own, 10**9)}, {}, nothing, nothing, nothing, "by hand"
    )
    standings = Standings(judgments.systems, values, None, "m", "", 1)
    fit = Fit(ExpectedWins(), judgments, 0, standings)
    drawn = None
    if runs is not None:
        drawn = Replicates(judgments.systems, runs, "judgment", 0, Provenance())
    return assemble_ranking(fit, certainty, verdict_on(judgments, values, known), drawn)


def preview_of(scores: list[float]) -> Ranking:
    return dataclasses.replace(ranking_of(scores), verdict=None, ranges=None, clusters=None)


# Who wins ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([30, 20, 10], "a wins; at least 3 tiers"),
        ([20, 10], "a wins; at least 2 tiers"),
        ([30, 29.5, 10, 0], "Too close to call: a or b could be best"),
        ([30, 29.5, 29, 0], "Too close to call: a and two others could be best"),
        # each is close to the next one; the ends differ, and no boundary lies between
        ([9, 6, 3, 0], "a wins; at least 2 tiers"),
        ([8, 6, 4, 2], "Too close to call: a or b could be best"),
        ([1.2, 1], "Too close to call: a or b could be best"),
        ([1.2, 1, 0.9], "Too close to call: any of the 3 systems could be best"),
        ([30, np.nan, 10], "a wins; at least 2 tiers"),
        ([2, 2, 2], "All systems have the same score"),
    ],
)
def test_the_headline_names_the_winner_or_who_could_be_best(
    scores: list[float], words: str
) -> None:
    assert result_headline(ranking_of(scores)) == words


def test_a_best_one_that_is_hardly_known_does_not_win() -> None:
    """One judgment puts a first; b and c are well known and differ."""
    ranking = ranking_of([30, 20, 10], [50, 1, 1])
    assert result_headline(ranking) == "Too close to call: a or b could be best"


def test_equal_scores_do_not_differ() -> None:
    ranking = ranking_of([2, 2, 0], 0.01)
    assert [pair.p for pair in neighbors(ranking)] == [1, pytest.approx(0)]
    assert result_headline(ranking) == "Too close to call: a or b could be best"


@pytest.mark.parametrize("scores", [[9, 8, 7, 0], [9, 8, 0, 0], [9, 8, 7]])
def test_an_official_procedure_speaks_by_its_own_rule_alone(scores: list[float]) -> None:
    """The resamples put a first and the others below each time, near or far."""
    runs = np.array([scores] * 100) + 1e-3 * np.arange(100)[:, None]
    ranking = ranking_of(scores, certainty=Certainty("marginal", runs=100), runs=runs)
    clusters = len(set(scores))
    assert result_headline(ranking) == f"a wins; {clusters} clusters"
    assert len(too_close(ranking)) == len(scores) - clusters


# What cannot be said ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([2.0, 1.0], "a has the highest score; computing intervals"),
        ([1.0, 2.0, 2.0], "Two systems have the highest score; computing intervals"),
        ([1.0, 1.0], "All systems have the same score"),
        ([0.0] + [1.0] * 11, "11 systems have the highest score; computing intervals"),
        ([np.nan, np.nan], "No system has a score"),
    ],
)
def test_a_preview_says_the_best_score_and_claims_nothing(scores: list[float], words: str) -> None:
    preview = preview_of(scores)
    assert result_headline(preview) == words
    assert neighbors(preview) == ()


def test_without_resamples_the_headline_says_what_would_tell() -> None:
    builder = CampaignBuilder()
    for segment in "12":
        builder.add_task("x-y", segment, "j", [("a",), ("b",)], [1, 2])
    once = Certainty("marginal", unit="none", runs=5)
    ranking = rank(builder.build().judgments(), ExpectedWins(), once)
    assert result_headline(ranking) == "a has the highest score; resampling shows its uncertainty"
    assert neighbors(ranking) == ()


@pytest.mark.parametrize("unit", ["task", "judgment", "segment", "judge", "none"])
def test_one_task_has_no_rank_ranges_however_it_is_drawn_again(unit: ResamplingUnit) -> None:
    one = judgments_of("abc")
    found = rank(one, TrueSkill(), Certainty("marginal", unit=unit, runs=20))
    if unit == "judgment":
        assert found.ranges is not None  # three rows can be drawn in many ways
    else:
        assert found.ranges is None
        assert found.clusters is None
        assert result_headline(found) == "Only 3 judgments: too few to rank"
        assert np.isnan(found.se).all()
    assert n_units(one, unit) == (3 if unit == "judgment" else 1)


def test_one_task_tells_nothing_apart_by_the_definition_either() -> None:
    found = rank(judgments_of("abc"), TrueSkill())
    assert result_headline(found) == "Only 3 judgments: too few to rank"
    assert np.isnan(found.se).all()


# Neighbors, names, length ------------------------------------------------------------------------


def test_neighbors_carry_the_difference_and_p_adjusted_for_all_pairs() -> None:
    ranking = ranking_of([30, 29.5, 10])
    verdict = ranking.verdict
    assert verdict is not None
    near, far = neighbors(ranking)
    assert (near.upper, near.lower, near.difference, near.apart) == ("a", "b", 0.5, False)
    assert (far.upper, far.lower, far.difference, far.apart) == ("b", "c", 19.5, True)
    assert near.p == verdict.p_adjusted[0, 1]
    assert too_close(ranking) == (near,)


@pytest.mark.parametrize(("distance", "close"), [(1.95, 1), (1.97, 0)])
def test_neighbors_are_told_apart_from_the_level_on(distance: float, close: int) -> None:
    """Two systems are one pair, so that Holm asks for 1.96 deviations at 95%."""
    assert len(too_close(ranking_of([distance, 0], np.sqrt(0.5)))) == close


def test_a_system_without_a_score_has_no_neighbors() -> None:
    ranking = ranking_of([30, np.nan, 10])
    assert [(pair.upper, pair.lower) for pair in neighbors(ranking)] == [("a", "c")]


def test_neighbors_that_never_met_have_no_p_and_are_too_close() -> None:
    ranking = ranking_of([40, 30, 20, 10], 1, "ac", "bd")
    assert np.isnan([pair.p for pair in neighbors(ranking)]).tolist() == [True] * 3
    assert len(too_close(ranking)) == 3


def test_names_are_written_as_asked_and_cut_in_the_middle() -> None:
    assert result_headline(ranking_of([20, 10]), str.upper) == "A wins; at least 2 tiers"
    long = result_headline(ranking_of([20, 10]), lambda name: "x" * 30 + name + "y" * 30)
    assert long.startswith("x" * 10)
    assert len(long) < 85
