"""What becomes of a ranking when one thing is changed is what ranking what is left would say."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.comparing.stability import (
    APART,
    CHANGES,
    ORDER,
    TURNED,
    UNKNOWN,
    Seen,
    Stability,
    Statement,
    Variant,
    stability,
    statements_of,
    winners_without,
)
from analysis.findings.planning import advise
from analysis.findings.stability import cell_words, finding, one_of_each, sentences, without_words
from analysis.next_campaign.planning import plan
from analysis.rankers import RANKERS, rankers_for
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from analysis.ranking.result_checks import doubt_of_winner
from analysis.ranking.verdict import reach_verdict
from dashboard.tables.plan import plan_screen
from tests.building import CampaignBuilder, narrow_win


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Three systems: a is best for sure; b is above c only by what judge eve says."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(5)
    for task in range(400):
        judge = ("ann", "bob", "cyd", "eve")[task % 4]
        quality = np.array([3.0, 0.8, 0.0]) if judge == "eve" else np.array([3.0, 0.0, 0.1])
        seen = quality + rng.normal(0, 0.8, 3)
        ranks = np.argsort(np.argsort(-seen)) + 1
        builder.add_task("cs-en", str(task // 4), judge, [("a",), ("b",), ("c",)], ranks.tolist())
    return builder.build()


@pytest.fixture(scope="module")
def stable(campaign: Campaign) -> Stability:
    judgments = campaign.judgments()
    return stability(judgments, BradleyTerry(), reach_verdict(BradleyTerry().fit(judgments)))


@pytest.mark.parametrize(
    ("winner", "without", "said"),
    [
        ("a", {"a": "b", "b": "a", "c": "a"}, "a wins whichever other system is left out; "
         "without a, b wins"),
        ("a", {"a": None, "b": "a"}, "a wins whichever other system is left out; "
         "without a, no winner can be named"),
        ("a", {"a": "b", "b": None, "c": None}, "a would not win without b (1 other system "
         "likewise)"),
        (None, {"a": "b", "b": None}, "Without a, b would win"),
        (None, {"a": None, "b": None}, "No winner can be named, whichever system is left out"),
        ("a", {}, ""),
    ],
)  # fmt: skip
def test_leaving_systems_out_one_by_one_is_told_in_a_sentence(
    winner: str | None, without: dict[str, str | None], said: str
) -> None:
    assert without_words(winner, without) == said


def test_who_wins_without_each_system_is_what_a_ranking_without_it_says(
    campaign: Campaign,
) -> None:
    found = winners_without(campaign.judgments(), BradleyTerry(), DEFAULT_CERTAINTY)
    assert found == {"a": None, "b": "a", "c": "a"}


def statement_of(stable: Stability, above: str, below: str) -> int:
    return stable.statements.index(Statement((above,), (below,)))


def test_a_ranking_says_its_neighbors_and_its_lines(stable: Stability) -> None:
    assert stable.statements == (
        Statement(("a",), ()),
        Statement(("a",), ("b",)),
        Statement(("a",), ("b", "c"), is_line=True),
        Statement(("b",), ("c",)),
    )
    assert stable.now.tolist() == [APART, APART, APART, ORDER]


def test_an_order_that_rests_on_one_judge_is_turned_without_that_judge(stable: Stability) -> None:
    k = statement_of(stable, "b", "c")
    assert stable.where(k, "judge", TURNED) == ["eve"]
    assert stable.survives("judge") == [True, True, True, False]
    assert (stable.states == TURNED).any(axis=1).tolist() == [False, False, False, True]
    assert stable.lost(k, "judge") == (1, 4)
    lost = stable.to_frame()
    assert {*lost["kind"]} == {"neighbors"}
    assert "eve" in {*lost.loc[lost["change"] == "judge", "to"]}
    assert "reversed in 1 of 4: eve" in cell_words(stable, k, "judge")


def test_every_kind_of_change_is_looked_at(campaign: Campaign, stable: Stability) -> None:
    assert stable.changes == tuple(CHANGES)
    fast = {
        ranker.title
        for ranker in RANKERS.values()
        if ranker().has_derivative(campaign.judgments()) and ranker is not BradleyTerry
    }
    assert {stable.variants[k].what for k in stable.of("method")} == fast
    assert len(fast) >= 4
    assert len(stable.of("segments")) == 10
    assert len(stable.of("judge")) == 4
    assert len(stable.of("system")) == 3


@pytest.mark.parametrize("judge", ["ann", "eve"])
def test_leaving_out_a_judge_says_what_the_rest_of_the_judges_say(
    campaign: Campaign, stable: Stability, judge: str
) -> None:
    rest = campaign.judgments(selection=Selection(exclude_judges=(judge,)))
    verdict = reach_verdict(BradleyTerry().fit(rest))
    (place,) = (k for k in stable.of("judge") if stable.variants[k].what == judge)
    expected = [statement.state(verdict) for statement in stable.statements]
    assert stable.states[:, place].tolist() == expected


def test_leaving_out_a_system_says_nothing_of_its_own_pairs(
    campaign: Campaign, stable: Stability
) -> None:
    rest = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    verdict = reach_verdict(BradleyTerry().fit(rest))
    (place,) = (k for k in stable.of("system") if stable.variants[k].what == "c")
    assert stable.states[statement_of(stable, "b", "c"), place] == UNKNOWN
    assert stable.states[statement_of(stable, "a", "b"), place] == Statement(("a",), ("b",)).state(
        verdict
    )


def test_leaving_out_a_tenth_says_what_the_other_segments_say(stable: Stability) -> None:
    first = stable.of("segments")[0]
    assert stable.variants[first].what == "segments 0–9"


def test_another_method_is_asked_as_it_is(campaign: Campaign, stable: Stability) -> None:
    verdict = reach_verdict(ExpectedWins().fit(campaign.judgments()))
    (place,) = (k for k in stable.of("method") if stable.variants[k].what == ExpectedWins.title)
    expected = [statement.state(verdict) for statement in stable.statements]
    assert stable.states[:, place].tolist() == expected


def test_a_line_is_turned_where_anybody_below_passes_anybody_above(stable: Stability) -> None:
    line = Statement(("a", "b"), ("c",), is_line=True)
    verdict = stable.base
    assert line.state(verdict) == ORDER
    a, b, c = (verdict.systems.index(name) for name in "abc")
    scores = verdict.scores.copy()
    scores[c] = (scores[a] + scores[b]) / 2
    assert line.state(dataclasses.replace(verdict, scores=scores)) == TURNED


def test_a_winner_is_lost_without_a_winner_and_another_may_lead(stable: Stability) -> None:
    """Only what is weaker than now counts as lost, and a boundary that falls is said so."""
    said, verdict = Statement(("a",), ()), stable.base
    nobody = dataclasses.replace(Seen.of(verdict), winner=None)
    assert [said.state(seen) for seen in (verdict, nobody)] == [APART, ORDER]
    other = dataclasses.replace(nobody, scores=-verdict.scores)
    assert said.state(other) == TURNED
    unranked = dataclasses.replace(nobody, scores=np.full(3, np.nan))
    assert said.state(unranked) == UNKNOWN
    changed = Stability.about(
        verdict,
        [said, Statement(("a",), ("b", "c"), is_line=True)],
        [Variant("judge", "eve"), Variant("judge", "bob")],
        [dataclasses.replace(nobody, clusters=np.ones(3, dtype=np.int64)), Seen.of(verdict)],
    )
    assert changed.is_lost.tolist() == [[True, False], [True, False]]
    assert changed.to_frame()["state"].tolist() == ["no winner", "not separated"]
    assert sentences(changed)[0] == "Lost most often: “a wins”, in 1 of 2 changes."
    assert sentences(changed)[1:] == [
        "The cluster boundary below a is fragile: lost in 1 of 2 cases without one judge.",
        "Without one judge: no adjacent systems change places, but in some of them the winner is "
        "lost.",
    ]


def test_a_line_holds_as_long_as_the_ranking_has_a_boundary_there(stable: Stability) -> None:
    """A boundary has a test of its own: it may stand where no pair differs among all pairs."""
    line, verdict = Statement(("a",), ("b", "c"), is_line=True), stable.base
    nothing = np.zeros_like(verdict.significant)
    assert line.state(dataclasses.replace(verdict, significant=nothing)) == APART
    together = np.ones_like(verdict.clusters)
    assert line.state(dataclasses.replace(verdict, clusters=together)) == ORDER


@pytest.fixture(scope="module")
def by_one_judge() -> Judgments:
    """Two systems: a is better by what judge eve says; by the others it is as good as b."""
    builder, rng = CampaignBuilder(), np.random.default_rng(3)
    for task in range(800):
        judge = ("ann", "bob", "cyd", "eve")[task % 4]
        first = rng.random() < (0.9 if judge == "eve" else 0.5)
        builder.add_task("cs-en", str(task), judge, [("a",), ("b",)], [1, 2] if first else [2, 1])
    return builder.build().judgments()


def test_a_judge_without_whom_nobody_wins_is_named(
    by_one_judge: Judgments, campaign: Campaign
) -> None:
    these = dataclasses.replace(DEFAULT_CERTAINTY, scope="these")
    fit = BradleyTerry().fit(by_one_judge)
    verdict = reach_verdict(fit, scope="these")
    assert verdict.winner == "a"
    found = doubt_of_winner(fit, verdict)
    assert found is not None
    assert (found.kind, found.severity) == ("deciding-judge", "warning")
    assert found.finding == "Without eve (25% of the tasks), a would not win."
    assert found.meaning == (
        "Without as many random tasks it wins in 40 of 40 samples, so the result depends on this "
        "judge."
    )
    changed = stability(by_one_judge, BradleyTerry(), verdict, these)
    assert re.fullmatch(r"No winner in \d+ of \d+ changes: without eve(, .+)?", finding(changed))
    assert any(words.startswith("Lost most often: “a ") for words in sentences(changed))
    fit = BradleyTerry().fit(campaign.judgments())
    assert doubt_of_winner(fit, reach_verdict(fit)) is None


def test_a_judge_is_not_blamed_where_as_many_random_tasks_less_cost_the_winner_as_well() -> None:
    """Four judges of one mind: each decides a narrow win no more than any other tasks do."""
    fit = BradleyTerry().fit(narrow_win().judgments())
    verdict = reach_verdict(fit, scope="these")
    assert verdict.winner == "a"
    found = doubt_of_winner(fit, verdict)
    assert found is not None
    assert re.fullmatch(
        r"a wins narrowly: not without \w+ \(25% of the tasks\).*, nor in \d+ of 40 samples "
        r"without as many random tasks\.",
        found.finding,
    )
    assert "more judgments" in found.remedy
    assert found.kind == "narrow-win"
    planned = plan(fit.judgments, verdict, doubt=found)
    assert advise(planned) == "a wins narrowly: more votes would settle it"
    assert not planned.stop
    rows = plan_screen(planned).set_index("goal")
    won = rows.loc["A winner named (if one is best)"]
    assert (won["now"], won["more"]) == ("narrowly", "")
    assert plan(fit.judgments, verdict, share=0.5, doubt=found).stop


def test_changes_are_named_one_of_each_kind_first_and_a_judge_before_all() -> None:
    ties, more = Variant("ties", "half"), Variant("ties", "ignored")
    system, judge = Variant("system", "a"), Variant("judge", "eve")
    method = Variant("method", "Elo")
    shuffled = [method, ties, more, system, judge]
    assert one_of_each(shuffled) == [judge, ties, system, method, more]


def test_the_headline_names_the_ties_by_their_model(stable: Stability) -> None:
    nobody = dataclasses.replace(Seen.of(stable.base), winner=None)
    places = [stable.variants.index(Variant("ties", "modeled: Rao–Kupper")), stable.of("judge")[0]]
    seen = [nobody if k in places else one for k, one in enumerate(stable.seen)]
    said = finding(dataclasses.replace(stable, seen=tuple(seen)))
    judge = stable.variants[places[1]].what
    assert re.fullmatch(
        rf"No winner in 2 of \d+ changes that keep it: without {judge}, with Rao–Kupper ties", said
    )


def test_the_words_name_who_passes_whom_and_by_what(stable: Stability) -> None:
    assert re.fullmatch(r"a wins in all \d+ changes that keep it", finding(stable))
    (judges,) = (words for words in sentences(stable) if words.startswith("Without one judge"))
    assert judges == (
        "Without one judge (4 tried): 1 of 2 adjacent pairs changes places: b and c, "
        "with eve left out."
    )


def test_statements_of_two_systems_are_one(campaign: Campaign) -> None:
    two = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    verdict = reach_verdict(BradleyTerry().fit(two))
    assert statements_of(verdict) == [Statement(("a",), ()), Statement(("a",), ("b",))]


def test_the_same_choices_give_the_same_states(campaign: Campaign, stable: Stability) -> None:
    judgments = campaign.judgments()
    again = stability(
        judgments, BradleyTerry(), reach_verdict(BradleyTerry().fit(judgments)), DEFAULT_CERTAINTY
    )
    assert again.variants == stable.variants
    assert (again.states == stable.states).all()


def test_slow_methods_are_asked_on_request(campaign: Campaign, stable: Stability) -> None:
    judgments = campaign.judgments()
    verdict = reach_verdict(ExpectedWins().fit(judgments))
    every = stability(judgments, ExpectedWins(), verdict, every_method=True)
    titles = {every.variants[k].what for k in every.of("method")}
    assert titles > {stable.variants[k].what for k in stable.of("method")} - {ExpectedWins.title}
    left_out = len(rankers_for(judgments)) - 1 - len(titles)
    assert left_out == sum("could not be computed" in words for words in every.notes)


def test_other_statements_need_no_new_rankings(stable: Stability) -> None:
    statement = Statement(("a",), ("c",))
    (states,) = stable.of_others(statement).states
    verdict = [statement.state(seen) for seen in stable.seen]
    assert states.tolist() == verdict
    assert stable.of_others(*stable.statements).states.tolist() == stable.states.tolist()


def test_what_a_variant_leaves_in_memory_says_who_is_told_apart(campaign: Campaign) -> None:
    verdict = reach_verdict(BradleyTerry().fit(campaign.judgments()))
    assert (Seen.of(verdict).significant == verdict.significant).all()


def test_a_first_look_leaves_nobody_out_and_says_so(campaign: Campaign) -> None:
    judgments = campaign.judgments()
    verdict = reach_verdict(BradleyTerry().fit(judgments))
    first = stability(judgments, BradleyTerry(), verdict, leave_out=False)
    assert set(first.changes) == {"method", "ties", "scope"}
    assert not first.leaves_out
    assert "No judge, system or segment was left out in this table." in sentences(first)


def test_a_leader_that_one_change_topples_is_said_to_fall_and_how_far(stable: Stability) -> None:
    """Staying ahead of the second is not staying first: here another change puts it last."""
    fallen = dataclasses.replace(stable.seen[0], scores=-stable.seen[0].scores)
    toppled = dataclasses.replace(stable, seen=(fallen, *stable.seen[1:]))
    said = finding(toppled)
    n = len(stable.seen) - sum("a" not in seen.systems for seen in stable.seen)
    assert said.startswith(f"a is first in {n - 1} of {n} changes that keep it; with ")
    assert said.endswith("it ranks 3rd")


def test_a_part_of_the_places_has_their_statements(stable: Stability) -> None:
    first = stable.of_places(slice(0, 1))
    assert first.statements == stable.statements[:3]
    assert first.states.tolist() == stable.states[:3].tolist()
    assert stable.of_places(slice(0, 3)).statements == stable.statements
