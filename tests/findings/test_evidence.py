"""Sentences count scores where judges gave scores, and judgments where they compared."""

from __future__ import annotations

from pathlib import Path

from analysis.api import rank
from analysis.campaign import Judgments
from analysis.findings.standings import evidence
from analysis.formats import read_path
from analysis.judges.judge_table import judges
from analysis.next_campaign.choosing_matches import WARNING_SCORES, next_tasks
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import ExpectedWins
from analysis.reporting.deck.assembly import data_title
from analysis.reporting.methods_paragraph import methods_paragraph
from analysis.reporting.paper_tables import ranking_table

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def example(name: str) -> Judgments:
    return read_path(EXAMPLES / name)[0].judgments()


def test_slide_and_paper_count_scores_and_the_preferences_that_follow() -> None:
    judgments = example("scores.csv")
    assert judgments.scores is not None
    n = len(judgments.scores)
    assert evidence(judgments) == f"{n} ratings"
    assert data_title(judgments) == f"{n} ratings by 3 judges compare 3 systems"
    ranking = rank(judgments, "mean")
    text = methods_paragraph(ranking, Mean()).plain
    assert f"3 judges gave {n} ratings (score) to outputs of 3 systems on 12 segments." in text
    assert "Ratings were not standardized; all ratings have the same weight." in text
    assert "pairwise" not in text
    by_pairs = methods_paragraph(rank(judgments, "expected-wins"), ExpectedWins()).plain
    assert f"the better rating wins: {len(judgments)} pairwise judgments" in by_pairs
    table = ranking_table(ranking, {s: s for s in ranking.systems}, "Mean")
    assert f"{n} ratings." in table.caption
    assert evidence(example("arena.csv")) == "60 votes"


def test_scores_do_not_tell_which_side_a_judge_prefers() -> None:
    table = judges(example("scores.csv"))
    assert all(share != share for share in table.left_share)
    assert not any("position" in flags for flags in table.flags)


def test_a_batch_for_scores_says_what_judges_give_and_what_a_mean_needs() -> None:
    assert WARNING_SCORES in next_tasks(example("scores.csv"), 3).warning
    assert WARNING_SCORES not in next_tasks(example("arena.csv"), 3).warning
