"""Checks of a result: what votes that both outputs are bad do to it."""

from __future__ import annotations

from analysis.campaign import Selection
from analysis.formats import read
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.result_checks import limits_of
from analysis.reporting.methods_paragraph import methods_paragraph

RANKER = BradleyTerry()
VOTES = (("a,b,model_a", 12), ("a,b,model_b", 6), ("a,b,tie", 3), ("b,c,model_a", 12),
         ("b,c,model_b", 6), ("a,c,model_a", 12), ("a,c,model_b", 6))  # fmt: skip
"""By them a is better than b, and b better than c."""


def ranked(bad: int, *, dropped: bool = False) -> Ranking:
    """Rank these votes and some that find the outputs of a and c both bad."""
    votes = "".join(f"{vote}\n" * 4 * n for vote, n in (*VOTES, ("a,c,tie (bothbad)", bad)))
    selection = Selection(both_bad="dropped" if dropped else "tie")
    campaign, _ = read(f"model_a,model_b,winner\n{votes}".encode())
    return rank(campaign.judgments(None, selection), RANKER)


def check_of(ranking: Ranking) -> Finding | None:
    return next((one for one in limits_of(ranking, RANKER) if one.kind == "both-bad"), None)


def test_votes_that_both_are_bad_are_counted_and_what_changes_without_them_is_said() -> None:
    every, without = ranked(25), ranked(25, dropped=True)
    assert every.winner is None
    assert without.winner == "a"
    found = check_of(every)
    assert found is not None
    assert found.finding.startswith("100 votes are “both bad” and count as ties (")
    assert found.meaning == "Without them, a wins, with at least 3 tiers instead of 2."
    assert found.severity == "warning"
    assert check_of(without) is None


def test_votes_that_both_are_bad_may_change_nothing() -> None:
    found = check_of(ranked(2))
    assert found is not None
    assert found.severity == "note"
    assert found.meaning == "Without them, a still wins, also with at least 3 tiers."


def test_the_methods_paragraph_says_how_many_ties_mean_that_both_are_bad() -> None:
    said = methods_paragraph(ranked(9), RANKER).plain
    assert "are ties, 75% of which are “both bad” votes." in said
    assert "both bad" not in methods_paragraph(ranked(0), RANKER).plain
