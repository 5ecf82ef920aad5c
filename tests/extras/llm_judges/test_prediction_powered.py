"""Prediction-powered standings: closed forms against brute force, coverage, and refusals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from analysis.campaign import Campaign, FloatArray, Selection
from analysis.errors import PodiumError
from analysis.extras.llm_judges.beside import Beside, lay_beside
from analysis.extras.llm_judges.clustered import Part, gram
from analysis.extras.llm_judges.prediction_powered import (
    added_by_rows,
    covers,
    draw_votes,
    machine_alone,
    prediction_powered,
    score_votes,
)
from analysis.extras.llm_judges.random_share import check_share, require_random_share
from analysis.extras.llm_judges.statistics import STATISTICS, statistic
from analysis.samples import machine_judges, sample_campaign
from tests.building import CampaignBuilder

PAPER = (
    "RWKV-4-Raven-14B", "alpaca-13b", "chatglm-6b", "claude-instant-v1", "claude-v1",
    "fastchat-t5-3b", "gpt-3.5-turbo", "gpt-4", "koala-13b", "oasst-pythia-12b", "palm-2",
    "vicuna-13b",
)  # fmt: skip
"""The twelve models of Chatzi et al. 2024."""

ALONE = {"gpt-4-0125-preview": 3, "claude-3-opus-20240229": 5, "gpt-3.5-turbo": 2}
"""Of twelve scores by people, how many the interval of the machine alone holds."""


def arena(judge: str) -> Beside:
    people = sample_campaign("arena-people")
    others = tuple(s for s in people.systems if s not in PAPER)
    machine = machine_judges("arena-people")[judge]
    return lay_beside(people, machine, judge, selection=Selection(exclude_systems=others))


def campaigns(
    rng: np.random.Generator, n: int, systems: str = "abcd", per: int = 2
) -> tuple[Campaign, Campaign]:
    """People and a machine on n questions; both see the same quality, the machine likes the left.

    A question leans to one side of the alphabet, so that its votes are not independent.
    """
    people, machine = CampaignBuilder(), CampaignBuilder()
    ability = np.linspace(1, -1, len(systems))
    for q in range(n):
        lean = rng.normal(0, 1)
        for _ in range(per):
            i, j = rng.choice(len(systems), 2, replace=False)
            gap = ability[i] - ability[j] + lean * np.sign(j - i) + rng.logistic(0, 0.5)
            seen = gap + rng.logistic(0, 0.5)
            own = gap + 0.6 + rng.logistic(0, 0.5)
            for builder, value, judge in ((people, seen, f"p{q % 7}"), (machine, own, "m")):
                ranks = [1, 1] if abs(value) < 0.2 else [1, 2] if value > 0 else [2, 1]
                outputs = [(systems[i],), (systems[j],)]
                builder.add_task("all", str(q), judge, outputs, ranks)
    return people.build(), machine.build()


@pytest.mark.parametrize("judge", ALONE)
def test_the_machine_alone_is_sure_of_its_own_answer_not_of_people_s(judge: str) -> None:
    found = arena(judge)
    method = statistic("win-share")
    truth = score_votes(method, found.people).scores
    told = machine_alone(found, method).verdict
    assert (len(found.people), covers(told, truth).size) == (14_947, 12)
    assert covers(told, truth).sum() == ALONE[judge]


def test_few_votes_of_people_and_many_of_a_machine_cover_people_s_score() -> None:
    found = arena("gpt-4-0125-preview")
    method = statistic("win-share")
    truth = score_votes(method, found.people).scores
    alone = machine_alone(found, method)
    results = [
        prediction_powered(draw_votes(found, 1000, seed), method, alone=alone) for seed in range(8)
    ]
    assert np.mean([covers(r.powered, truth).mean() for r in results]) > 0.85
    assert np.mean([r.se_ratio for r in results]) == pytest.approx(0.914, abs=0.02)
    assert np.mean([r.weight for r in results]) == pytest.approx(0.435, abs=0.06)
    assert {r.n_all for r in results} == {14_942}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["win-share", "bradley-terry"])
def test_the_variance_is_that_of_the_whole_estimate_over_resampled_questions(name: str) -> None:
    people, machine = campaigns(np.random.default_rng(5), 500)
    found = draw_votes(lay_beside(people, machine, "m"), 300, 1)
    method = statistic(name)
    result = prediction_powered(found, method, scope="these")
    rng = np.random.default_rng(6)
    segments = np.unique(found.machine_segment)
    drawn = []
    for _ in range(300):
        again = rng.choice(segments, len(segments))
        rows, own = (
            np.concatenate([np.flatnonzero(column == s) for s in again])
            for column in (found.people_segment, found.machine_segment)
        )
        labeled = own[np.isin(found.machine_segment[own], found.people_segment)]
        by_people = method.fit(found.people.take_rows(rows)).standings.scores
        on_same = method.fit(found.machine.take_rows(labeled)).standings.scores
        on_all = method.fit(found.machine.take_rows(own)).standings.scores
        drawn.append(by_people + result.weight * (on_all - on_same))
    by_segment = result.powered.uncertainty.units["segment"].matrix
    assert np.sqrt(np.diag(by_segment)) == pytest.approx(np.std(drawn, axis=0), rel=0.15)


def gram_readable(parts: Sequence[Part], unit: str) -> FloatArray:
    """Do as `gram`, the slow way: one dense vector a group."""
    groups = sorted({int(g) for part in parts for g in part.groups[unit]})
    vectors = []
    for group in groups:
        vector = []
        for part in parts:
            own, added = part.groups[unit], part.added.toarray()
            mine = own == group
            share, n = mine.mean(), len(set(own.tolist()))
            scale = 0.0 if share == 1 else (1 - 1 / n) / (1 - share)
            vector.append(scale * added[mine].sum(axis=0))
        vectors.append(np.concatenate(vector))
    stacked = np.array(vectors)
    stacked -= stacked.mean(axis=0)
    return np.asarray(stacked.T @ stacked)


@pytest.mark.parametrize("unit", ["task", "segment", "judge"])
def test_sums_over_groups_are_those_of_the_slow_way(unit: str) -> None:
    people, machine = campaigns(np.random.default_rng(1), 30)
    found = draw_votes(lay_beside(people, machine, "m"), 20, 1)
    method = statistic("bradley-terry")
    parts = []
    for judgments, item, segment in (
        (found.people, found.people_item, found.people_segment),
        (found.machine, found.machine_item, found.machine_segment),
    ):
        influence = method.fit(judgments).influence()
        assert influence is not None
        added = added_by_rows(influence, judgments)
        parts.append(Part(added, {"task": item, "segment": segment, "judge": segment % 3}))
    fast, slow = gram(parts, unit), gram_readable(parts, unit)  # type: ignore[arg-type]
    assert np.abs(slow).max() > 0
    assert fast == pytest.approx(slow, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("name", STATISTICS)
def test_what_a_vote_adds_is_what_leaving_it_out_takes_away(name: str) -> None:
    people, machine = campaigns(np.random.default_rng(2), 200)
    found = lay_beside(people, machine, "m")
    method = statistic(name)
    votes = score_votes(method, found.people)
    row = 17
    others = np.delete(np.arange(len(found.people)), row)
    without = method.fit(found.people.take_rows(others)).standings.scores
    added = votes.added[[row]].toarray()[0] @ votes.mixing.T
    assert np.abs(added).max() > 1e-4
    assert added == pytest.approx(votes.scores - without, abs=5e-3 * np.abs(added).max() + 2e-4)


def test_a_machine_that_tosses_coins_gets_no_weight_and_does_no_harm() -> None:
    rng = np.random.default_rng(9)
    people, machine = campaigns(rng, 900)
    coins = CampaignBuilder()
    for t in range(machine.n_tasks):
        ranks = [1, 2] if rng.random() < 0.5 else [2, 1]
        segment = machine.segments[machine.task_segment[t]]
        coins.add_task("all", segment, "m", machine.task_outputs(t), ranks)
    found = draw_votes(lay_beside(people, coins.build(), "m"), 400, 1)
    result = prediction_powered(found, statistic("win-share"))
    assert result.weight < 0.15
    assert result.se_ratio == pytest.approx(1, abs=0.02)


def test_a_machine_that_votes_as_people_do_is_worth_as_many_people() -> None:
    people, _ = campaigns(np.random.default_rng(9), 900)
    found = draw_votes(lay_beside(people, people, "m"), 450, 1)
    result = prediction_powered(found, statistic("win-share"), scope="these")
    assert result.weight > 0.9
    everything = score_votes(statistic("win-share"), people.judgments()).scores
    assert result.powered.scores == pytest.approx(everything, abs=0.02)
    assert result.gain > 2.5


def test_the_same_seed_draws_the_same_votes_and_another_one_others() -> None:
    people, machine = campaigns(np.random.default_rng(3), 60)
    found = lay_beside(people, machine, "m")
    first, again, other = (draw_votes(found, 40, seed) for seed in (1, 1, 2))
    assert 40 <= len(first.people) <= 41  # a question's votes come together
    assert (first.people_item == again.people_item).all()
    assert not np.array_equal(first.people_item, other.people_item)
    with pytest.raises(PodiumError, match="cannot be sampled"):
        draw_votes(found, 10_000)


# When there are no such standings


def test_a_random_share_of_questions_looks_like_one_and_an_easy_one_does_not() -> None:
    found = arena("gpt-4-0125-preview")
    assert check_share(draw_votes(found, 1000, 3)).is_random
    ties = np.flatnonzero(found.machine.outcome != 0)[:1000]
    rows = np.flatnonzero(np.isin(found.people_item, found.machine_item[ties]))
    assert not check_share(found.with_people(rows)).is_random


def test_chance_finds_a_random_share_special_as_seldom_as_it_says() -> None:
    people, machine = campaigns(np.random.default_rng(4), 120)
    found = lay_beside(people, machine, "m")
    p = [check_share(draw_votes(found, 60, seed), seed).p for seed in range(40)]
    assert 0.3 < np.mean(p) < 0.7
    assert np.mean(np.array(p) < 0.2) < 0.4


def test_standings_are_refused_where_nothing_is_known_of_the_share() -> None:
    people, machine = campaigns(np.random.default_rng(4), 120)
    found = lay_beside(people, machine, "m")
    with pytest.raises(PodiumError, match="its votes add nothing"):
        require_random_share(found, stated=True)
    drawn = draw_votes(found, 100, 2)
    with pytest.raises(PodiumError, match="no file states that"):
        require_random_share(drawn, stated=False)
    assert require_random_share(drawn, stated=True).is_random


def test_standings_are_refused_where_the_share_is_not_random_whatever_is_stated() -> None:
    found = arena("gpt-4-0125-preview")
    first = np.flatnonzero(found.people.left == 0)
    with pytest.raises(PodiumError, match="are not a random sample"):
        require_random_share(found.with_people(first), stated=True)


def test_a_method_without_a_closed_form_is_refused() -> None:
    with pytest.raises(PodiumError, match="has no prediction-powered form"):
        statistic("lopez")
