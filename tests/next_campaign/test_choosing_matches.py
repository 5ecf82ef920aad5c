"""Next tasks: what is chosen, who gets it, what is written, and what adaptive choice does."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from xml.etree import ElementTree

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.campaign.campaign import tabulate_tasks
from analysis.errors import PodiumError
from analysis.extras.validation.simulation.campaigns import rank_by_radius
from analysis.formats import read, read_many
from analysis.next_campaign.assignment import unanswered
from analysis.next_campaign.batch import Batch, Task, read_tasks
from analysis.next_campaign.choosing_matches import (
    METHODS,
    WARNING,
    WARNING_UNNAMED,
    Method,
    next_tasks,
    usual_outputs,
)
from analysis.next_campaign.evidence import fit_evidence
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ranker import Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.verdict import reach_verdict
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder

HandMade = tuple[str, str, dict[str, int]]
Make = Callable[[Sequence[HandMade]], Campaign]


@pytest.fixture(scope="module")
def sample() -> Judgments:
    return sample_campaign("wmt14-fr-en").judgments()


def seen_by(judgments: Judgments) -> set[tuple[str, str]]:
    return {
        (judgments.judges[j], judgments.segments[s])
        for j, s in zip(judgments.task_judge, judgments.task_segment, strict=True)
    }


@pytest.mark.parametrize("method", METHODS)
def test_no_judge_gets_a_segment_again_and_work_and_segments_are_balanced(
    sample: Judgments, method: Method
) -> None:
    batch = next_tasks(sample, 200, method, seed=3)
    given = [(task.judge, task.segment) for task in batch.tasks]
    assert len(set(given)) == len(batch) == 200
    assert not set(given) & seen_by(sample)
    load = Counter(task.judge for task in batch.tasks)
    assert set(load) == {sample.judges[j] for j in np.unique(sample.task_judge)}
    assert max(load.values()) - min(load.values()) <= 1
    before = Counter(sample.segments[s] for s in sample.task_segment)
    after = before + Counter(task.segment for task in batch.tasks)
    least = min(before.values())
    assert all(before[task.segment] <= least + 1 for task in batch.tasks)
    assert sum(n == least for n in after.values()) < sum(n == least for n in before.values())
    assert all(len(set(task.systems)) == 5 for task in batch.tasks)


def test_a_judge_who_has_seen_all_segments_gets_outputs_not_seen_or_nothing(
    make_campaign: Make,
) -> None:
    tasks: list[HandMade] = [
        (s, "ann", {"a": 1, "b": 2, "c": 3} if s == "1" else {"c": 1, "d": 2, "e": 3})
        for s in ("1", "2")
    ]
    judgments = make_campaign(tasks).judgments()
    batch = next_tasks(judgments, 1, "uniform", n_way=2, seed=5)
    (task,) = batch.tasks
    shown = {"1": {"a", "b", "c"}, "2": {"c", "d", "e"}}[task.segment]
    assert not shown & set(task.systems)
    with pytest.raises(
        PodiumError, match=r"none of 40 tasks are possible.* Add segments or judges"
    ):
        next_tasks(judgments, 40, "uniform", n_way=2)
    fresh = next_tasks(judgments, 40, "uniform", n_way=2, segments=[str(s) for s in range(3, 60)])
    assert len({task.segment for task in fresh.tasks}) == 40


@pytest.mark.parametrize("method", METHODS)
def test_tasks_sent_count_as_seen_until_they_are_answered(
    sample: Judgments, method: Method
) -> None:
    first = next_tasks(sample, 40, method, seed=1)
    second = next_tasks(sample, 40, method, seed=1, sent=first.tasks)
    both = [(task.judge, task.segment) for task in (*first.tasks, *second.tasks)]
    assert len(set(both)) == 80
    load = Counter(judge for judge, _ in both)
    assert max(load.values()) - min(load.values()) <= 1


def test_an_answered_task_is_no_longer_out(make_campaign: Make) -> None:
    tasks: list[HandMade] = [("1", "ann", {"a": 1, "b": 2, "c": 2}), ("2", "ben", {"a": 1, "c": 2})]
    judgments = make_campaign(tasks).judgments()
    answered = Task("1", "ann", ("c", "a", "b"))
    others = [
        Task("1", "ben", ("a", "b")),
        Task("2", "ben", ("a", "b")),
        Task("3", "ann", ("a", "b")),
    ]
    assert unanswered(judgments, [answered, *others]) == others


def test_repeated_tasks_are_out_until_they_are_done_a_second_time(make_campaign: Make) -> None:
    tasks: list[HandMade] = [(str(s), "ann", {"a": 1, "b": 2, "c": 2}) for s in range(6)]
    judgments = make_campaign(tasks).judgments()
    hands = {"repeat_share": 1.0, "n_way": 3}
    first = next_tasks(judgments, 4, seed=1, **hands)  # type: ignore[arg-type]
    assert unanswered(judgments, first.tasks) == list(first.tasks)
    read_back = read_tasks(first.to_csv(), "batch.csv", "fr-en")
    assert read_back == first.tasks
    second = next_tasks(judgments, 4, seed=1, sent=read_back, segments=["9", "10"], **hands)  # type: ignore[arg-type]
    again = {task.segment for task in second.tasks if task.repeats}
    assert len(again) == 2
    assert not again & {task.segment for task in first.tasks}
    done = [(t.segment, t.judge, dict.fromkeys(t.systems, 1)) for t in first.tasks]
    later = make_campaign([*tasks, *done]).judgments()
    assert unanswered(later, first.tasks) == []
    third = next_tasks(later, 6, segments=["9", "10", "11", "12"], **hands)  # type: ignore[arg-type]
    assert {task.segment for task in third.tasks if task.repeats} == again


def test_what_a_selection_leaves_out_was_seen_all_the_same(make_campaign: Make) -> None:
    tasks: list[HandMade] = [
        ("1", "ann", {"a": 1, "b": 2, "c": 0}),  # c was shown and left without a rank
        ("2", "ann", {"a": 1, "b": 2, "c": 2}),
        ("3", "ben", {"a": 1, "b": 2, "c": 2}),
    ]
    campaign = make_campaign(tasks)
    for selection in (Selection(), Selection(exclude_judges=("ann",)), Selection(segments=(3, 3))):
        judgments = campaign.judgments(selection=selection)
        batch = next_tasks(judgments, 1, n_way=3, segments=["1", "2", "3"], judges=["ann"])
        assert [task.segment for task in batch.tasks] == ["3"]
    judgments = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    sent = Task("9", "ann", ("c", "x"))
    assert unanswered(judgments, [sent]) == [sent]
    batch = next_tasks(judgments, 1, segments=["9", "10"], judges=["ann"], sent=[sent])
    assert batch.tasks[0].segment == "10"


def test_outputs_that_anybody_showed_to_be_one_are_shown_to_nobody_twice(
    make_campaign: Make,
) -> None:
    tasks: list[HandMade] = [("1", "ann", {"a+b": 1, "c": 2}), ("2", "ann", {"c": 1, "d": 2})]
    judgments = make_campaign(tasks).judgments()
    dealt = 0
    for seed in range(60):
        try:
            batch = next_tasks(judgments, 3, "uniform", 2, ["1", "7"], ["ben"], seed=seed)
        except PodiumError:
            continue  # what is left does not go round
        dealt += 1
        shown = [s for task in batch.tasks if task.segment == "1" for s in task.systems]
        assert len(set(shown)) == len(shown)
        assert not {"a", "b"} <= set(shown)
    assert dealt > 5
    sent = Task("1", "ann", ("b", "c"))
    assert unanswered(judgments, [sent]) == []


def test_another_pair_s_tasks_are_another_matter(make_campaign: Make) -> None:
    builder = CampaignBuilder()
    for s in range(4):
        for pair in ("fr-en", "de-en"):
            judge = "ann" if pair == "de-en" else "ben"
            builder.add_task(pair, str(s), judge, [("a",), ("b",), ("c",)], [1, 2, 3])
    for _ in range(3):
        builder.add_task("de-en", "0", "eve", [("a",), ("b",)], [1, 2])
    judgments = builder.build().judgments("fr-en")
    batch = next_tasks(judgments, 4, "uniform", 2, judges=["ann"])
    assert sorted(task.segment for task in batch.tasks) == ["0", "1", "2", "3"]


def test_active_choice_expects_the_answers_that_are_out(sample: Judgments) -> None:
    few = sample.take_tasks(np.arange(20))
    first = next_tasks(few, 1, "active", n_way=2, seed=3)
    again = next_tasks(few, 1, "active", n_way=2, seed=3, sent=first.tasks * 30)
    assert first.tasks[0].systems != again.tasks[0].systems


def test_repeated_tasks_show_their_outputs_in_a_new_order(sample: Judgments) -> None:
    orders = set()
    for seed in range(12):
        (task,) = next_tasks(sample, 1, repeat_share=1.0, seed=seed).tasks
        start = sample.task_start
        t = next(
            t
            for t in range(sample.n_tasks)
            if (sample.judges[sample.task_judge[t]], sample.segments[sample.task_segment[t]])
            == (task.judge, task.segment)
            and {sample.systems[o] for o in sample.entry_output[start[t] : start[t + 1]]}
            == set(task.systems)
        )
        before = tuple(sample.systems[o] for o in sample.entry_output[start[t] : start[t + 1]])
        orders.add(task.systems == before)
    assert False in orders


def test_a_newcomer_comes_back_from_a_batch_in_xml_by_name_in_any_order() -> None:
    votes = b"question_id,judge,model_a,model_b,winner\n1,ann,a,b,model_a\n2,ben,b,a,tie\n"
    xml = b"""<r><HIT source-language="" target-language=""><ranking-task id="1">
        <ranking-result user="alice"><translation system="a" rank="1"/>
        <translation system="b" rank="2"/></ranking-result></ranking-task></HIT></r>"""
    for name, content in (("a.csv", votes), ("a.xml", xml)):
        judgments = read_many([(name, content)])[0].judgments()
        batch = next_tasks(judgments, 2, segments=["7", "8"], judges=["zoe", judgments.judges[0]])
        answers = batch.to_xml().replace(b" />", b' rank="1" />')
        files = [(name, content), ("b.xml", answers)]
        for order in (files, files[::-1]):
            both = read_many(order)[0]
            assert set(both.judges) == {*judgments.judges, "zoe"}
            assert unanswered(both.judgments(), batch.tasks) == []


def test_a_hit_holds_three_tasks_of_one_judge_as_at_wmt14(sample: Judgments) -> None:
    """WMT14, §3.1: three ranking tasks make a HIT; what comes back is the same without HITs."""
    batch = next_tasks(sample, 20, judges=["ann", "ben"])
    hits = ElementTree.fromstring(batch.to_xml(3)).findall("HIT")
    held = [len(hit.findall("ranking-task")) for hit in hits]
    judges = [{r.get("user") for r in hit.iter("ranking-result")} for hit in hits]
    assert sum(held) == 20
    assert max(held) == 3
    assert all(len(who) == 1 for who in judges)
    per_judge = Counter(task.judge for task in batch.tasks)
    assert len(hits) == sum(-(-n // 3) for n in per_judge.values())
    whole = [t.get("id") for t in ElementTree.fromstring(batch.to_xml()).iter("ranking-task")]
    assert [t.get("id") for hit in hits for t in hit.iter("ranking-task")] == whole


def test_without_judges_nobody_can_say_what_is_answered() -> None:
    votes = "question_id,model_a,model_b,winner\n1,a,b,model_a\n2,b,c,tie\n"
    judgments = read(votes.encode(), name="votes.csv")[0].judgments()
    batch = next_tasks(judgments, 2)
    with pytest.raises(PodiumError, match="they name no judges"):
        next_tasks(judgments, 2, sent=batch.tasks)


def test_a_batch_comes_back_as_the_same_judges_and_pair_whatever_the_form() -> None:
    xml = (
        '<r><HIT hit-id="1" source-language="fra" target-language="eng">'
        + "".join(
            f'<ranking-task id="{s}"><ranking-result user="{user}">'
            '<translation system="a" rank="1"/><translation system="b" rank="2"/>'
            "</ranking-result></ranking-task>"
            for s, user in enumerate(("alice", "bob", "alice"))
        )
        + "</HIT></r>"
    ).encode()
    votes = b"question_id,judge,model_a,model_b,winner\n1,ann,a,b,model_a\n2,ben,b,a,tie\n"
    for name, content in (("a.xml", xml), ("a.csv", votes)):
        campaign, _ = read_many([(name, content)])
        judgments = campaign.judgments()
        batch = next_tasks(judgments, 2, segments=["7", "8"])
        answers = batch.to_xml().replace(b" />", b' rank="1" />')
        filled = batch.to_csv().replace(b",,\n", b",1,2\n")
        for form, answer in (("b.xml", answers), ("b.csv", filled)):
            both, _ = read_many([(name, content), (form, answer)])
            assert both.pairs == campaign.pairs
            assert set(both.judges) == set(campaign.judges)
            assert unanswered(both.judgments(), batch.tasks) == []


def test_the_signature_tells_batches_apart(sample: Judgments) -> None:
    names = [str(n) for n in range(9000, 9050)]
    first = next_tasks(sample, 4)
    others = [
        next_tasks(sample, 4, n_way=2),
        next_tasks(sample, 4, repeat_share=0.5),
        next_tasks(sample, 4, segments=names),
        next_tasks(sample, 4, segments=names[1:]),
        next_tasks(sample, 4, judges=["ann"]),
        next_tasks(sample, 4, sent=first.tasks),
        next_tasks(sample, 4, seed=1),
        next_tasks(sample, 4, top=3),
    ]
    signatures = [batch.signature for batch in (first, *others)]
    assert len(set(signatures)) == len(signatures)
    assert first.signature.startswith(
        "choose:uncertainty|top:0|tasks:4|n-way:5|repeat-share:0|seed"
    )


def test_what_was_asked_is_not_asked_as_often_again(sample: Judgments) -> None:
    few = sample.take_tasks(np.arange(0, sample.n_tasks, 40))
    first = next_tasks(few, 60, n_way=2)
    counts = first.pair_counts(few.systems).to_numpy()
    again = next_tasks(few, 60, n_way=2, sent=first.tasks).pair_counts(few.systems).to_numpy()
    asked = np.unravel_index(counts.argmax(), counts.shape)
    assert again[asked] < counts[asked]


def test_a_batch_is_read_back_whether_filled_in_or_not(sample: Judgments) -> None:
    batch = next_tasks(sample, 6, n_way=3, seed=2)
    for content in (batch.to_csv(), batch.to_csv().replace(b",,,", b",1,2,3")):
        assert read_tasks(content, "batch.csv", "fr-en") == batch.tasks
        assert read_tasks(content, "batch.csv", "French-English") == batch.tasks
        with pytest.raises(PodiumError, match="are of fr-en, not de-en"):
            read_tasks(content, "batch.csv", "de-en")
    for content in (b"", b"segmentId,judgeId,system1Id\n1,ann,a\n", b"\xff\xfe", b"rank\n"):
        with pytest.raises(PodiumError, match="not a file of tasks"):
            read_tasks(content, "batch.csv", "fr-en")


def test_repeated_tasks_are_earlier_ones_of_the_same_judge(sample: Judgments) -> None:
    batch = next_tasks(sample, 100, repeat_share=0.2, seed=1)
    start, done = sample.task_start, set()
    for t in range(sample.n_tasks):
        shown = frozenset(sample.systems[o] for o in sample.entry_output[start[t] : start[t + 1]])
        judge, segment = (
            sample.judges[sample.task_judge[t]],
            sample.segments[sample.task_segment[t]],
        )
        done.add((judge, segment, shown))
    again = [task for task in batch.tasks if task.repeats]
    assert len(again) == 20
    assert all((t.judge, t.segment, frozenset(t.systems)) in done for t in again)
    new = [task for task in batch.tasks if not task.repeats]
    assert not {(task.judge, task.segment) for task in new} & seen_by(sample)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_chooses_the_same_and_another_seed_does_not(
    sample: Judgments, method: Method
) -> None:
    first, again, other = (next_tasks(sample, 30, method, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def fill_in(batch: Batch, form: str) -> bytes:
    """Give every output the rank of its place in the display, counted from the end."""
    if form == "xml":
        lines, place = [], 0
        for line in batch.to_xml().decode().splitlines():
            place = place + 1 if "<translation" in line else 0
            lines.append(line.replace(" />", f' rank="{5 - place + 1}" />'))
        return "\n".join(lines).encode()
    rows = list(csv.DictReader(io.StringIO(batch.to_csv().decode())))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows([row | {f"system{k}rank": str(6 - k) for k in range(1, 6)} for row in rows])
    return text.getvalue().encode()


@pytest.mark.parametrize("form", ["csv", "xml"])
def test_a_batch_that_is_filled_in_reads_back_as_its_tasks(sample: Judgments, form: str) -> None:
    batch = next_tasks(sample, 25, seed=4)
    campaign, _ = read(fill_in(batch, form), name=f"batch.{form}", judge_names=True)
    back = campaign.judgments("fr-en")
    start, found = back.task_start, []
    for t in range(back.n_tasks):
        entries = slice(start[t], start[t + 1])
        assert back.entry_rank[entries].tolist() == [5, 4, 3, 2, 1]
        systems = tuple(back.systems[o] for o in back.entry_output[entries])
        judge, segment = back.judges[back.task_judge[t]], back.segments[back.task_segment[t]]
        found.append(Task(segment, judge, systems))
    assert sorted(found, key=str) == sorted(batch.tasks, key=str)


def test_names_that_would_come_back_as_others_are_refused() -> None:
    plus = Batch("fr-en", "uniform", 0, (Task("1", "ann", ("a+b", "c")),))
    comma = Batch("fr-en", "uniform", 0, (Task("1", "ann", ("a,b", "c")),))
    with pytest.raises(PodiumError, match="or write XML"):
        plus.to_csv()
    with pytest.raises(PodiumError, match="or write CSV"):
        comma.to_xml()
    assert b'system="a+b"' in plus.to_xml()
    assert b'"a,b"' in comma.to_csv()
    broken = Batch("fr-en", "uniform", 0, (Task("1\n2", "ann", ("a", "b")),))
    with pytest.raises(PodiumError, match="line break"):
        broken.to_csv()


def test_what_is_open_is_asked_and_what_is_clear_is_not(make_campaign: Make) -> None:
    tasks: list[HandMade] = []
    for s in range(60):
        a, b = (1, 2) if s % 2 else (2, 1)
        tasks.append((str(s), f"judge{s % 4}", {"a": a, "b": b, "last": 4, "third": 3}))
    judgments = make_campaign(tasks).judgments()
    batch = next_tasks(judgments, 10, "uncertainty", n_way=2, segments=list("uvwxyz"))
    assert {frozenset(task.systems) for task in batch.tasks} == {frozenset({"a", "b"})}


@pytest.mark.parametrize("ranker", [ExpectedWins(), TrueSkill(), BradleyTerry()])
def test_pairs_that_are_told_apart_are_not_asked_for_again(
    sample: Judgments, ranker: Ranker
) -> None:
    verdict = reach_verdict(ranker.fit(sample))
    counts = (
        next_tasks(sample, 60, n_way=2, verdict=verdict).pair_counts(verdict.systems).to_numpy()
    )
    assert verdict.significant.any()
    assert not counts[verdict.significant].any()
    wide = next_tasks(sample, 60, n_way=5, verdict=verdict).pair_counts(verdict.systems).to_numpy()
    open_share = (wide * ~verdict.significant).sum() / wide.sum()
    assert open_share > (~verdict.significant & ~np.eye(8, dtype=bool)).sum() / 56
    everything = dataclasses.replace(verdict, significant=~np.eye(8, dtype=bool))
    assert len(next_tasks(sample, 10, verdict=everything)) == 10


def evenly_spaced(gap: float, n_tasks: int) -> Judgments:
    """Return votes on eight systems whose abilities lie so far apart, a judge's noise being 1."""
    rng = np.random.default_rng(4)
    systems = np.argsort(rng.random((n_tasks, 8)), axis=1)[:, :2].astype(np.int32)
    seen = -gap * systems + rng.normal(0, np.sqrt(0.5), systems.shape)
    number = np.arange(n_tasks)
    names = tuple(f"s{k}" for k in range(8))
    ranks = rank_by_radius(seen, 0.2)
    return tabulate_tasks("all", names, systems, number, number % 40, ranks, "", "").judgments()


def test_a_batch_is_spread_over_the_boundaries_that_may_be_the_next() -> None:
    """Formerly all of it went to the pair whose difference seemed largest."""
    judgments = evenly_spaced(0.15, 1500)
    verdict = reach_verdict(BradleyTerry().fit(judgments))
    batch = next_tasks(
        judgments, 50, segments=[str(k) for k in range(9000, 9100)], verdict=verdict, top=0
    )
    counts = np.triu(batch.pair_counts(verdict.systems).to_numpy())
    assert counts.sum() == 50
    assert np.count_nonzero(counts) >= 4
    assert counts.max() <= 35


def test_tasks_for_a_winner_compare_systems_that_may_be_the_best() -> None:
    judgments = evenly_spaced(0.15, 1500)
    verdict = reach_verdict(BradleyTerry().fit(judgments))
    assert verdict.winner is None
    names = tuple(verdict.systems[k] for k in verdict.order)
    segments = [str(k) for k in range(9000, 9100)]
    batch = next_tasks(judgments, 50, segments=segments, verdict=verdict)
    assert batch.top == 1
    assert "top:1" in batch.signature
    assert 0 < batch.needed < np.inf
    may_win = {names.index(name) for name in verdict.possible_winners}
    counts = batch.pair_counts(names).to_numpy()
    asked = np.argwhere(np.triu(counts))
    assert all({int(i), int(j)} & may_win for i, j in asked)
    assert counts[0].sum() > 25
    top3 = next_tasks(judgments, 50, segments=segments, verdict=verdict, top=3)
    across = top3.pair_counts(names).to_numpy()[:3, 3:].sum()
    assert across > 40
    named = dataclasses.replace(verdict, possible_winners=("s0",))
    assert next_tasks(judgments, 5, segments=segments, verdict=named).top == 0


def test_systems_whose_outputs_are_identical_are_not_compared_further(make_campaign: Make) -> None:
    rng = np.random.default_rng(0)
    tasks: list[HandMade] = []
    for s in range(120):
        ranks = rng.permutation(3) + 1
        tasks.append((str(s), f"j{s % 5}", {"a+b": ranks[0], "c": ranks[1], "d": ranks[2]}))
    judgments = make_campaign(tasks).judgments()
    verdict = reach_verdict(BradleyTerry().fit(judgments))
    batch = next_tasks(
        judgments, 40, n_way=2, segments=[str(k) for k in range(200, 300)], verdict=verdict
    )
    assert batch.pair_counts(tuple("abcd")).loc["a", "b"] == 0


@pytest.mark.parametrize("method", ["active", "uncertainty"])
def test_a_newcomer_is_asked_about_first(sample: Judgments, method: Method) -> None:
    few = sample.take_tasks(np.arange(300))
    kit = few.systems.index("KIT")
    without = [
        t
        for t in range(few.n_tasks)
        if kit not in few.entry_output[few.task_start[t] : few.task_start[t + 1]]
    ]
    newcomer = few.take_tasks(np.array(without))
    batch = next_tasks(newcomer, 5, method, n_way=3)
    assert all("KIT" in task.systems for task in batch.tasks)


def test_uniform_tasks_show_all_pairs_about_equally_often(sample: Judgments) -> None:
    counts = next_tasks(sample, 1400, "uniform").pair_counts(sample.systems).to_numpy()
    first, second = np.triu_indices(8, 1)
    assert counts.sum() == 1400 * 20
    np.testing.assert_allclose(counts[first, second], 500, atol=75)


def test_before_any_judgment_segments_and_judges_must_be_named(sample: Judgments) -> None:
    empty = sample.take_tasks(np.zeros(0, dtype=int))
    for method in METHODS:
        batch = next_tasks(empty, 20, method, segments=["1", "2", "3"], judges=list("abcdefgh"))
        assert len(batch) == 20
        assert {name for task in batch.tasks for name in task.systems} == set(sample.systems)
    with pytest.raises(PodiumError, match="Name some segments"):
        next_tasks(empty, 5)


def test_identical_outputs_are_repeated_by_one_of_their_systems(make_campaign: Make) -> None:
    tasks: list[HandMade] = [(str(s), "ann", {"a+b": 1, "c": 2}) for s in range(4)]
    judgments = make_campaign(tasks).judgments(selection=Selection(identical="collapsed"))
    batch = next_tasks(judgments, 2, repeat_share=1.0, n_way=2)
    assert all(task.repeats and set(task.systems) == {"a", "c"} for task in batch.tasks)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"n_tasks": 0}, "too few"),
        ({"n_way": 1}, "outside 2–10"),
        ({"method": "best"}, "Choose one of uncertainty, active, uniform"),
        ({"repeat_share": 2.0}, "outside 0–1"),
        ({"top": 8}, "Use a number from 0 to 7"),
        ({"segments": []}, "none is named"),
        ({"judges": [" ", ""]}, "none is named"),
    ],
)
def test_impossible_batches_are_refused(
    sample: Judgments, settings: dict[str, object], expected: str
) -> None:
    with pytest.raises(PodiumError, match=expected):
        next_tasks(sample, **{"n_tasks": 5, **settings})  # type: ignore[arg-type]


def test_only_adaptive_batches_carry_the_warning(sample: Judgments) -> None:
    assert next_tasks(sample, 2, "uniform").warning == ""
    assert next_tasks(sample, 2, "active").warning == WARNING


def test_a_campaign_without_judges_gets_tasks_and_is_told_what_to_mind() -> None:
    votes = "model_a,model_b,winner\na,b,model_a\nb,c,tie\nc,a,model_b\nb,a,model_b\n"
    campaign, _ = read(votes.encode(), name="votes.csv")
    batch = next_tasks(campaign.judgments(), 12, "uniform", n_way=2)
    assert batch.warning == WARNING_UNNAMED
    assert set(Counter(task.segment for task in batch.tasks).values()) == {3}
    named = next_tasks(campaign.judgments(), 2, "uniform", n_way=2, judges=["ann"])
    assert named.warning == ""
    again = next_tasks(campaign.judgments(), 4, "uniform", n_way=2, repeat_share=0.5)
    assert not any(task.repeats for task in again.tasks)


def test_a_task_shows_as_many_outputs_as_most_so_far(
    sample: Judgments, make_campaign: Make
) -> None:
    assert usual_outputs(sample) == 5
    assert usual_outputs(sample.take_tasks(np.zeros(0, dtype=int))) == 5
    tasks: list[HandMade] = [(str(s), "ann", {"a": 1, "b": 2, "c": 3}) for s in range(3)]
    tasks += [("x", "ann", {"a": 1, "b": 2}), ("y", "ann", {"a": 1})]
    judgments = make_campaign(tasks).judgments()
    assert usual_outputs(judgments) == 3
    batch = next_tasks(judgments, 2, judges=["ben"])
    assert all(len(task.systems) == 3 for task in batch.tasks)


def test_the_warning_is_true_of_agreement_and_of_pooled_win_ratios(sample: Judgments) -> None:
    # Honest judges, of the campaign's abilities, do each task eight times; a third of the tasks is
    # uniform, so that all systems meet. Ranges of scores, best minus worst, are compared.
    evidence, rng = fit_evidence(sample), np.random.default_rng(3)
    first, second = np.triu_indices(5, 1)
    agree, spread = {}, {}
    for method in ("uniform", "uncertainty"):
        tasks = (*next_tasks(sample, 400, "uniform").tasks, *next_tasks(sample, 800, method).tasks)
        shown = np.array([[evidence.systems.index(s) for s in t.systems] for t in tasks])
        number, labels, ranges = np.arange(len(tasks)), [], []
        for _ in range(8):
            seen = evidence.abilities[shown] + rng.normal(0, np.sqrt(0.5), shown.shape)
            ranks = rank_by_radius(seen, evidence.radius)
            labels.append(np.sign(ranks[400:, second] - ranks[400:, first]))
            judged = tabulate_tasks(
                "fr-en", evidence.systems, shown, number, number % 50, ranks, "", ""
            ).judgments()
            scores = (Bojar().fit(judged).standings.scores, fit_evidence(judged).abilities)
            ranges.append([np.ptp(score) for score in scores])
        agree[method] = np.mean([a == b for a, b in itertools.combinations(labels, 2)])
        spread[method] = np.mean(ranges, axis=0)
    assert agree["uncertainty"] < agree["uniform"] - 0.02
    bojar, abilities = spread["uncertainty"] / spread["uniform"]
    assert bojar < 0.87
    assert abilities == pytest.approx(1, abs=0.07)
