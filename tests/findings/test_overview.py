"""What an organizer asks first, in sentences: none says more than the evidence."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.findings.certainty import ranking_words
from analysis.findings.overview import (
    checks_passed,
    trust_state,
)
from analysis.judges.agreement import Rates, agreement
from analysis.judges.kappa import Kappa
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.preflight import dominant_judge, preflight, that_limit
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.result_checks import heavy_pairs_found
from tests.building import CampaignBuilder
from tests.rankers.test_mean import drawn

QUALITY = {"a": 3.0, "b": 1.0, "c": 0.95, "d": -2.0}


def campaign(judges: tuple[str, ...] = ("x", "y", "z"), rare: int = 0) -> Campaign:
    """Four systems, a far ahead, b and c alike; ``rare`` tasks hold c and d without others."""
    builder, rng = CampaignBuilder(), np.random.default_rng(4)
    for task in range(400):
        seen = {name: value + rng.normal(0, 1) for name, value in QUALITY.items()}
        shown = list(seen) if not rare else ["a", "b", "c"] if task % 2 else ["a", "b", "d"]
        if rare and task < rare:
            shown = ["c", "d"]
        places = sorted(shown, key=seen.__getitem__, reverse=True)
        ranks = [places.index(name) + 1 for name in shown]
        judge = judges[task % len(judges)]
        builder.add_task("a-b", str(task % 150), judge, [(name,) for name in shown], ranks)
    return builder.build()


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return campaign().judgments()


@pytest.fixture(scope="module")
def ranking(judgments: Judgments) -> Ranking:
    return rank(judgments, ExpectedWins())


def test_checks_passed_are_those_that_found_nothing(judgments: Judgments) -> None:
    passed = checks_passed(judgments, preflight(judgments))
    assert "A chain of judgments joins all systems." in passed
    assert "No judge outweighs the others: the busiest gave 34% of the judgments." in passed
    alone = campaign(("unknown",)).judgments()
    assert not any("judge outweighs" in words for words in checks_passed(alone, preflight(alone)))


def test_agreement_in_too_few_answers_passes_no_check(judgments: Judgments) -> None:
    found = agreement(judgments, runs=50)
    few = Kappa(9, 10, 0, 20, low=0.5, high=1.0)
    scarce = dataclasses.replace(found, strict=Rates(few, few))
    enough = dataclasses.replace(found, strict=Rates(Kappa(81, 90, 0, 180, low=0.5), few))
    assert not any("chance" in words for words in checks_passed(judgments, (), scarce))
    assert any("chance" in words for words in checks_passed(judgments, (), enough))


def test_the_closed_box_counts_what_the_checks_found(judgments: Judgments) -> None:
    passed = ("a", "b")
    found = [Finding("x", severity, "", "", "") for severity in ("warning", "note", "note")]
    assert trust_state(passed, found) == "2 checks passed, 1 warning, 2 notes"
    assert trust_state(passed[:1], ()) == "1 check passed"


def test_a_judge_who_outvotes_all_others_is_named_with_their_share() -> None:
    builder = CampaignBuilder()
    for k in range(10):
        judge = "busy" if k < 7 else f"other{k}"
        builder.add_task("x-y", str(k), judge, [("a",), ("b",)], [1, 2])
    assert dominant_judge(builder.build().judgments()) == ("busy", 0.7)
    assert dominant_judge(campaign(("j1", "j2")).judgments()) is None
    assert dominant_judge(campaign(("j1",)).judgments()) is None


def test_who_gave_scores_is_told_though_their_preferences_are_one_judges() -> None:
    scored = drawn(np.random.default_rng(1), (3.0, 0.0), segments=12, alone=False).judgments()
    (said,) = (one for one in preflight(campaign(("j1",)).judgments()) if one.kind == "one-judge")
    assert said.finding == "All judgments carry the same judge name, j1."
    assert said not in that_limit([said], scored, Mean())
    one = scored.campaign.judgments(selection=Selection(judges=("j0",)))
    told = [finding.finding for finding in that_limit([said], one, Mean())]
    assert told == ["All ratings carry the same judge name, j0."]


@pytest.mark.parametrize("alone", [True, False])
def test_of_a_mean_of_scores_nothing_is_said_of_decided_comparisons(alone: bool) -> None:
    scored = drawn(np.random.default_rng(1), (3.0, 0.0, -3.0), segments=12, alone=alone).judgments()
    found = that_limit(preflight(scored), scored, Mean())
    assert bool(found) or not alone
    assert not any("decided" in f.finding + f.meaning for f in found)
    passed = checks_passed(scored, found, by_scores=True)
    assert passed[0].startswith("Every system has ")
    assert "of the ratings." in passed[1]
    two = tuple(sorted(scored.campaign.judges)[:2])
    one = scored.campaign.judgments(selection=Selection(judges=two))
    assert one.scores is not None
    share = np.bincount(one.scores.judge).max() / len(one.scores)
    told = [f.finding for f in that_limit(preflight(one), one, Mean())]
    dominant = f"{share:.0%} of the ratings of 2 judges"
    assert any(dominant in words for words in told) == (0.5 < share < 1)
    assert "judgments on average" not in ranking_words(rank(scored, Mean()))
    if alone:
        assert checks_passed(scored, preflight(scored)) == ()
    else:
        assert any(
            "decided" in f.finding for f in that_limit(preflight(scored), scored, ExpectedWins())
        )


def test_judges_who_answer_at_random_do_not_agree() -> None:
    rng, builder = np.random.default_rng(1), CampaignBuilder()
    for task in range(300):
        outputs, ranks = [("a",), ("b",)], [[1, 2], [2, 1]][int(rng.integers(2))]
        builder.add_task("fr-en", str(task % 30), f"judge{task // 30}", outputs, ranks)
    random = builder.build().judgments()
    passed = checks_passed(random, preflight(random), agreement(random, runs=200))
    assert not any("chance" in words for words in passed)


def test_a_pair_that_one_judgment_carries_is_named_with_what_it_moves() -> None:
    few = campaign(rare=1).judgments()
    fit = ExpectedWins().fit(few)
    told = rank(few, ExpectedWins()).verdict
    assert told is not None
    finding = heavy_pairs_found(fit, told)
    assert finding is not None
    assert {"c", "d"} <= set(finding.finding.replace("'s", "").split())
    assert "(here 1)" in finding.meaning
    enough = campaign().judgments()
    told = rank(enough, ExpectedWins()).verdict
    assert told is not None
    assert heavy_pairs_found(ExpectedWins().fit(enough), told) is None
