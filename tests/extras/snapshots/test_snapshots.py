"""Two states of a campaign: what is beyond noise, and which ranking tasks came or went."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from analysis.campaign import Campaign, IntArray, Judgments
from analysis.comparing.what_if import first_tasks, tasks_after
from analysis.drawing.answers import answer_scene, boundaries_gone
from analysis.errors import PodiumError
from analysis.extras.snapshots.check import UNCHANGED
from analysis.extras.snapshots.findings import meaning, states_headline, states_sentences
from analysis.extras.snapshots.moves import moves_between, sorted_by
from analysis.extras.snapshots.snapshots import compare_states, count_tasks
from analysis.findings.changes import Answer, changes_frame
from analysis.formats import read
from analysis.rankers import ranker_class
from analysis.ranking.certainty import AS_PUBLISHED
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.result_checks import checks_of_extras, findings_of_extras
from tests.building import CampaignBuilder
from tests.tools.audit.generator import draw
from tests.tools.audit.worlds import WORLDS

STRENGTH = {"a": 1.5, "b": 0.5, "c": 0.45, "d": -1.5}


def campaign(strength: dict[str, float], n_tasks: int, seed: int) -> Campaign:
    """Return rankings of all systems by ten judges, noisy qualities around ``strength``."""
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    names = list(strength)
    for t in range(n_tasks):
        quality = np.array(list(strength.values())) + rng.normal(size=len(names))
        ranks = np.argsort(np.argsort(-quality)) + 1
        outputs = [(name,) for name in names]
        builder.add_task("fr-en", str(t % 60), f"judge{t % 10}", outputs, ranks.tolist())
    return builder.build()


def ranked(judgments: Judgments, method: str = "expected-wins") -> Ranking:
    return rank(judgments, ranker_class(method)())


@pytest.fixture(scope="module")
def whole() -> Judgments:
    return campaign(STRENGTH, 400, seed=1).judgments()


def test_tasks_of_a_part_are_all_in_the_whole(whole: Judgments) -> None:
    part = whole.take_tasks(np.arange(150))
    counted = count_tasks(part, whole)
    assert (counted.kept, counted.added, counted.removed) == (150, 250, 0)
    turned = count_tasks(whole, part)
    assert (turned.kept, turned.added, turned.removed) == (150, 0, 250)


def test_a_task_that_stands_twice_is_counted_twice(whole: Judgments) -> None:
    twice = whole.take_tasks(np.array([0, 0, 1]))
    counted = count_tasks(whole.take_tasks(np.array([0, 1])), twice)
    assert (counted.kept, counted.added) == (2, 1)


def test_the_same_answer_by_another_judge_is_another_task() -> None:
    def by(judge: str) -> Judgments:
        builder = CampaignBuilder()
        builder.add_task("fr-en", "1", judge, [("a",), ("b",)], [1, 2])
        return builder.build().judgments()

    assert count_tasks(by("one"), by("one")).kept == 1
    assert count_tasks(by("one"), by("other")).kept == 0


def test_growing_settles_pairs_and_turns_none(whole: Judgments) -> None:
    states = compare_states(ranked(whole.take_tasks(np.arange(8))), ranked(whole))
    settled = {(c.upper, c.lower) for c in states.of("settled")}
    assert states.of("turned") == ()
    assert ("a", "c") in settled
    assert all(c.p_after <= 0.05 < c.p_before for c in states.of("settled"))
    assert "significant" in states_headline(states)


def test_the_same_state_twice_changes_nothing(whole: Judgments) -> None:
    states = compare_states(ranked(whole), ranked(whole))
    assert states.changes == ()
    assert states_headline(states) == (
        "a still wins; the same pairs differ significantly"
        if states.after.winner
        else "a still has the highest score; the same pairs differ significantly"
    )
    assert "The systems in both have the same order." in states_sentences(states)


def test_systems_that_are_better_in_one_state_and_worse_in_the_other_are_turned() -> None:
    turned = dict(zip("abcd", reversed(STRENGTH.values()), strict=True))
    one, other = campaign(STRENGTH, 400, 1).judgments(), campaign(turned, 400, 2).judgments()
    states = compare_states(ranked(one), ranked(other))
    assert {(c.upper, c.lower) for c in states.of("turned")} >= {("d", "a")}
    assert any("95% by itself" in sentence for sentence in states_sentences(states))


def test_a_swap_that_neither_state_tells_apart_may_be_noise() -> None:
    near = {"a": 0.05, "b": 0.0, "c": -2.0}
    found = [
        compare_states(
            ranked(campaign(near, 30, seed).judgments()),
            ranked(campaign(near, 30, seed + 100).judgments()),
        )
        for seed in range(6)
    ]
    swaps = [states.of("swapped") for states in found]
    assert any(swaps)
    assert not any(states.of("turned") for states in found)
    assert all({c.upper, c.lower} == {"a", "b"} for changes in swaps for c in changes)


def test_all_swaps_are_said_to_be_noise_where_they_may_be() -> None:
    near = {"a": 0.1, "b": 0.05, "c": 0.0, "d": -0.05}
    states = next(
        found
        for seed in range(20)
        if len(
            (
                found := compare_states(
                    ranked(campaign(near, 30, seed).judgments()),
                    ranked(campaign(near, 30, seed + 100).judgments()),
                )
            ).of("swapped")
        )
        > 1
        and not found.of("turned")
    )
    n = len(states.of("swapped"))
    assert any(said.endswith(f"All {n} swaps may be noise.") for said in states_sentences(states))


def test_systems_that_came_and_went_are_named() -> None:
    one = campaign({"a": 1.0, "b": 0.0, "c": -1.0}, 100, 1).judgments()
    other = campaign({"b": 1.0, "c": 0.0, "d": -1.0}, 100, 2).judgments()
    states = compare_states(ranked(one), ranked(other))
    assert (states.common, states.new, states.gone) == (("b", "c"), ("d",), ("a",))
    said = " ".join(states_sentences(states))
    assert "1 system is new: d." in said
    assert "Systems no longer there: a." in said


@pytest.mark.parametrize("method", ["bradley-terry", "elo", "expected-wins"])
def test_scores_of_different_systems_are_compared_with_one_zero(method: str) -> None:
    """Newcomers below all others raise the abilities of the rest, who are no better than before."""
    old = campaign({"a": 1.0, "b": 0.0, "c": -1.0}, 300, 1).judgments()
    grown = campaign({"a": 1.0, "b": 0.0, "c": -1.0, "d": -3.0, "e": -3.5}, 300, 1).judgments()
    states = compare_states(ranked(old, method), ranked(grown, method))
    was, now = states.answers()
    raw = dict(zip(states.before.systems, states.before.scores, strict=True))
    means = [np.mean([one.score_of(s) for s in "abc"]) for one in (was, now)]
    if method == "expected-wins":
        assert {s: was.score_of(s) for s in "abc"} == raw
    else:
        assert means[0] == pytest.approx(means[1])
        assert was.score_of("a") - was.score_of("b") == pytest.approx(raw["a"] - raw["b"])
        assert was.high is not None
        assert was.low is not None
        assert (was.low < was.scores).all()
        assert (was.scores < was.high).all()
    assert now.scores.tolist() == states.after.scores.tolist()
    said = " ".join(states_sentences(states))
    assert "2 systems are new: d and e." in said
    assert "Places are among the 3 systems in both" in said
    assert ("mean score" in said) is (method != "expected-wins")


def test_places_are_among_the_systems_in_both_and_newcomers_are_marked() -> None:
    old = campaign({"a": 1.0, "b": 0.0, "c": -1.0}, 300, 1).judgments()
    grown = campaign({"n": 3.0, "a": 1.0, "b": 0.0, "c": -1.0}, 300, 1).judgments()
    was, now = compare_states(ranked(old), ranked(grown)).answers()
    frame = changes_frame(was, now)
    assert frame["system"].tolist() == ["n", "a", "b", "c"]
    assert frame["place"].isna().tolist() == [True, False, False, False]
    assert frame["place"].tolist()[1:] == frame["place_before"].tolist()[1:] == [1, 2, 3]
    scene = answer_scene(was, now, {}, "score")
    assert [(row.cells[0].now, row.cells[0].was) for row in scene.rows] == [
        ("new", ""), ("1", ""), ("2", ""), ("3", ""),
    ]  # fmt: skip


def test_a_system_that_nobody_had_judged_yet_is_new() -> None:
    """The first part of a campaign knows the names of all its systems."""
    builder = CampaignBuilder()
    for k in range(80):
        names = "abc" if k < 40 else "abcd"
        ranks = [1, 2, 3, 4] if k % 3 else [2, 1, 4, 3]
        outputs = [(name,) for name in names]
        builder.add_task("fr-en", str(k), f"judge{k % 5}", outputs, ranks[: len(names)])
    grown = builder.build().judgments()
    early = ranked(grown.take_tasks(np.arange(40)), "bradley-terry")
    states = compare_states(early, ranked(grown, "bradley-terry"))
    assert early.systems == states.after.systems
    assert "shared pair" in states_headline(states)
    assert (states.new, states.gone) == (("d",), ())
    was, now = states.answers()
    assert np.mean([was.score_of(s) - now.score_of(s) for s in "abc"]) == pytest.approx(0)


def grown_campaign(later: dict[str, float], *, apart: bool = False) -> Judgments:
    """Return 400 tasks with the usual strengths, then 400 with others, ``apart`` on others."""
    builder = CampaignBuilder()
    for strength, seed in ((STRENGTH, 1), (later, 2)):
        rng = np.random.default_rng(seed)
        for t in range(400):
            quality = np.array(list(strength.values())) + rng.normal(size=len(strength))
            ranks = np.argsort(np.argsort(-quality)) + 1
            outputs = [(name,) for name in strength]
            segment = str(t + 400 * (apart and seed == 2))
            builder.add_task("fr-en", segment, f"judge{t % 40}", outputs, ranks.tolist())
    return builder.build().judgments()


@pytest.mark.parametrize("method", ["bradley-terry", "expected-wins", "elo"])
def test_a_system_that_fell_in_the_rest_of_the_file_leads_the_finding(method: str) -> None:
    """The whole contains the first part, which hides half of the fall."""
    grown = grown_campaign({**STRENGTH, "b": -0.6})
    first = grown.take_tasks(np.arange(400))
    states = compare_states(ranked(first, method), ranked(grown, method), ranker_class(method)())
    assert states.moves is not None
    worst = states.moves.significant[0]
    assert (worst.system, worst.change < 0) == ("b", True)
    said = " ".join(states_sentences(states))
    assert "b lost" in said
    assert "since the first half" in said
    assert "since the first half" in states_headline(states)
    assert "not evidence" not in said


def test_without_a_change_no_system_is_called_changed() -> None:
    grown = grown_campaign(STRENGTH)
    first = grown.take_tasks(np.arange(200))
    states = compare_states(ranked(first), ranked(grown), ranker_class("expected-wins")())
    assert "since the first" not in states_headline(states)
    assert "No system changed significantly since the first 25% of the tasks." in (
        states_sentences(states)
    )


def test_changes_are_tested_only_if_the_earlier_judgments_are_the_first_ones() -> None:
    grown, ranker = grown_campaign({**STRENGTH, "b": -0.6}), ranker_class("expected-wins")()
    last = ranked(grown.take_tasks(np.arange(400, 800)))
    assert compare_states(last, ranked(grown), ranker).moves is None
    assert compare_states(ranked(grown), ranked(grown), ranker).moves is None


def test_two_files_of_other_votes_are_tested_for_changes() -> None:
    ranker = ranker_class("expected-wins")()
    grown = grown_campaign({**STRENGTH, "b": -0.6}, apart=True)
    parts = grown.take_tasks(np.arange(400)), grown.take_tasks(np.arange(400, 800))
    states = compare_states(*map(ranked, parts), ranker)
    assert states.moves is not None
    assert not states.same_items
    said = "4 systems changed significantly compared with the other file"
    assert states_headline(states) == said
    assert states_sentences(states)[0].startswith("b lost 0.")
    assert "tested for new segments and judges." in " ".join(states_sentences(states))
    assert "not evidence" not in " ".join(states_sentences(states))


def test_two_files_with_many_common_votes_are_not_tested() -> None:
    grown, ranker = grown_campaign(STRENGTH), ranker_class("expected-wins")()
    some, others = grown.take_tasks(np.arange(500)), grown.take_tasks(np.arange(300, 800))
    assert compare_states(ranked(some), ranked(others), ranker).moves is None


def test_files_of_votes_on_the_same_items_are_compared_as_judges() -> None:
    def votes(seed: int) -> Ranking:
        rng = np.random.default_rng(seed)
        pairs = [rng.permutation(list("abcd"))[:2] for rng in [np.random.default_rng(3)] * 200]
        rows = [f"q{k},{a},{b},model_{rng.choice(list('ab'))}" for k, (a, b) in enumerate(pairs)]
        text = "\n".join(["question_id,model_a,model_b,winner", *rows])
        return ranked(read(text.encode())[0].judgments())

    states = compare_states(votes(1), votes(2), ranker_class("expected-wins")())
    said = "Both files have votes on the same prompts"
    assert states_headline(states) == f"{said}; compare them as judges"
    assert states.moves is None
    assert states_sentences(states)[0].startswith(said)
    assert "Open both files together" in states_sentences(states)[0]


def test_a_check_names_the_systems_that_changed_from_the_first_half_to_the_second() -> None:
    ranker = ranker_class("expected-wins")()
    grown = grown_campaign({**STRENGTH, "b": -0.6})
    found = checks_of_extras(grown, ranker)
    (changed,) = findings_of_extras(found)
    assert changed.finding.startswith("b lost 0.")
    assert "since the first half of the file" in changed.finding
    assert (changed.severity, changed.room, changed.question) == (
        "note", "what-if", "Before and after",
    )  # fmt: skip
    assert UNCHANGED in checks_of_extras(grown_campaign(STRENGTH), ranker)
    assert checks_of_extras(grown.take_tasks(np.arange(90)), ranker) == ()
    assert checks_of_extras(grown, ranker, AS_PUBLISHED) == ()


@pytest.mark.parametrize(
    ("by", "codes"),
    [
        ("judge", lambda j: j.task_judge),
        ("segment", lambda j: j.task_segment),
        ("winner", lambda j: j.entry_output[np.flatnonzero(j.entry_rank == 1)]),
    ],
)
def test_the_order_of_a_sorted_file_is_not_taken_for_time(
    by: str, codes: Callable[[Judgments], IntArray]
) -> None:
    grown, ranker = grown_campaign({**STRENGTH, "b": -0.6}), ranker_class("bradley-terry")()
    assert sorted_by(grown) == ""
    ordered = grown.take_tasks(np.argsort(codes(grown), kind="stable"))
    assert sorted_by(ordered) == by
    assert checks_of_extras(ordered, ranker) == ()
    first = ordered.take_tasks(np.arange(400))
    said = " ".join(states_sentences(compare_states(ranked(first), ranked(ordered), ranker)))
    other = f"The file is sorted by {by}: a change may show other {by}s, not a change over time."
    assert (other in said) == ("since the first" in said)


def test_segments_that_rise_with_one_task_each_are_sorted_and_votes_are_not() -> None:
    builder = CampaignBuilder()
    votes = CampaignBuilder()
    for t in range(60):
        builder.add_task("fr-en", f"s{t}", "ann", [("a",), ("b",), ("c",)], [1, 2, 3])
        votes.add_task("fr-en", f"s{t}", "ann", [("ab"[t % 2],), ("c",)], [1 + t % 3 // 2, 1])
    assert sorted_by(builder.build().judgments()) == "segment"
    some = votes.build().judgments()
    assert sorted_by(some) == ""
    by_system = np.argsort(some.entry_output[some.task_start[:-1]], kind="stable")
    assert sorted_by(some.take_tasks(by_system)) == "system"
    assert sorted_by(builder.build().judgments().take_tasks(np.arange(0))) == ""


@pytest.mark.parametrize("later", [1, 49])
def test_a_rest_of_few_tasks_is_not_tested_for_changes(later: int, whole: Judgments) -> None:
    first = whole.take_tasks(np.arange(whole.n_tasks - later))
    states = compare_states(ranked(first), ranked(whole), ranker_class("expected-wins")())
    assert states.moves is None


@pytest.mark.parametrize("later", [STRENGTH, {**STRENGTH, "a": -1.6}])
def test_an_official_procedure_speaks_of_rank_ranges_and_tests_nothing(
    later: dict[str, float],
) -> None:
    grown, ranker = grown_campaign(later), ranker_class("expected-wins")()
    chosen = dataclasses.replace(AS_PUBLISHED, runs=60)
    parts = (grown.take_tasks(np.arange(30)), grown)
    states = compare_states(*(rank(part, ranker, chosen) for part in parts), ranker)
    assert states.changes
    assert states.moves is None
    assert list(states.to_frame()) == ["change", "upper", "lower"]
    said = " ".join([states_headline(states), *states_sentences(states), *meaning(states).values()])
    assert "separate rank ranges" in states_headline(states)
    assert "significan" not in said
    assert "too close to call" not in said


@pytest.mark.slow
def test_systems_that_did_not_change_are_called_changed_in_at_most_five_percent() -> None:
    """Judges have tastes and segments favor systems; both parts share them, or none does."""
    campaigns, ranker, wrong = 200, ranker_class("bradley-terry")(), np.zeros(2)
    for seed in range(campaigns):
        rng = np.random.default_rng((7, seed))
        judgments = draw(WORLDS["groups"], rng).campaign.judgments()
        by_judge = np.argsort(judgments.task_judge, kind="stable")
        for k, order in enumerate((np.arange(judgments.n_tasks), by_judge)):
            half = judgments.n_tasks // 2
            parts = (judgments.take_tasks(np.sort(tasks)) for tasks in (order[:half], order[half:]))
            moves = moves_between(*parts, ranker, judgments.systems, 0.95)
            assert moves is not None
            wrong[k] += bool(moves.significant)
    most = 0.05 + 2 * np.sqrt(0.05 * 0.95 / campaigns)
    assert (wrong / campaigns <= most).all()


def test_states_without_common_systems_are_refused(whole: Judgments) -> None:
    other = campaign({"x": 1.0, "y": 0.0}, 50, 1).judgments()
    with pytest.raises(PodiumError, match="0 systems in common"):
        compare_states(ranked(whole), ranked(other))


def test_two_methods_are_no_two_states(whole: Judgments) -> None:
    with pytest.raises(PodiumError, match="same method"):
        compare_states(ranked(whole), ranked(whole, "bradley-terry"))


def test_a_campaign_of_ratings_counts_ratings() -> None:
    rows = [f"{s},{system},j{s % 3},{50 + 10 * (system == 'a') + 7 * s % 30}"
            for s in range(40) for system in "abc"]  # fmt: skip
    text = "\n".join(["segment,system,judge,score", *rows])
    judgments = read(text.encode())[0].judgments()
    part = judgments.take_tasks(np.arange(judgments.n_tasks // 2))
    states = compare_states(ranked(part, "mean"), ranked(judgments, "mean"), ranker_class("mean")())
    said = " ".join(states_sentences(states))
    assert "60 ratings in both, 60 ratings only now, 0 ratings only before." in said
    assert "task" not in said
    assert (states.tasks.kept, states.tasks.added) == (20, 20)


def test_ratings_sorted_by_system_are_split_by_segments_and_the_page_says_so() -> None:
    rows = [f"{s},{system},j{s % 3},{60 + 7 * s % 30 + s % (3 + len(system))}"
            for system, n in (("a", 90), ("bb", 120), ("ccc", 120)) for s in range(n)]  # fmt: skip
    text = "\n".join(["segment,system,judge,score", *rows])
    judgments, ranker = read(text.encode())[0].judgments(), ranker_class("mean")()
    parts = [first_tasks(judgments, 0.5), tasks_after(judgments, 0.5)]
    assert sorted_by(judgments) == "system"
    assert all(part.systems == judgments.systems for part in parts)
    states = compare_states(*(ranked(part, "mean") for part in parts), ranker, 0.5)
    said = " ".join(states_sentences(states))
    assert "Its segments are split in order of appearance" in said
    assert "may show other systems" not in said


def test_boundaries_are_called_dotted_only_where_some_are_gone() -> None:
    def answer(*levels: int) -> Answer:
        return Answer(("a", "b", "c"), np.array([2.0, 1.0, 0.0]), np.array(levels))

    assert boundaries_gone(answer(1, 1, 1), answer(1, 1, 1)) == ()
    assert boundaries_gone(answer(1, 2, 2), answer(1, 1, 1)) == ((1, "dot"),)
