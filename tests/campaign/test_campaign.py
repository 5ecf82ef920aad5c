"""Judgments derived from ranking tasks: every road must give what a reader would by hand."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import (
    LOSS,
    TIE,
    UNRANKED,
    WIN,
    Campaign,
    Identical,
    Incomplete,
    Judgments,
    Selection,
)
from analysis.errors import PodiumError
from tests.building import CampaignBuilder
from tests.strategies import campaigns

Row = tuple[str, str, int, str, str]
IDENTICAL: tuple[Identical, ...] = ("expanded", "collapsed")
INCOMPLETE: tuple[Incomplete, ...] = ("drop-task", "drop-pair")


def rows_of(judgments: Judgments) -> list[Row]:
    """Return left, right, outcome, judge and segment by name."""
    return [
        (
            judgments.output_name(int(left)),
            judgments.output_name(int(right)),
            int(outcome),
            judgments.judges[judgments.task_judge[task]],
            judgments.segments[judgments.task_segment[task]],
        )
        for left, right, outcome, task in zip(
            judgments.left, judgments.right, judgments.outcome, judgments.task, strict=True
        )
    ]


def rows_by_hand(
    campaign: Campaign, pair: str, selection: Selection, incomplete: Incomplete
) -> list[Row]:
    """The readable twin: walk the tasks, leave out what the selection says, pair the rest."""
    groups = campaign.output_groups()
    rows: list[Row] = []
    for t in range(campaign.n_tasks):
        if campaign.pairs[campaign.task_pair[t]] != pair:
            continue
        judge = campaign.judges[campaign.task_judge[t]]
        segment = campaign.segments[campaign.task_segment[t]]
        if selection.judges and judge not in selection.judges:
            continue
        if selection.segments and not (
            selection.segments[0] <= int(segment) <= selection.segments[1]
        ):
            continue
        entries = range(campaign.task_start[t], campaign.task_start[t + 1])
        ranks = [int(campaign.entry_rank[e]) for e in entries]
        if UNRANKED in ranks and incomplete == "drop-task":
            continue
        shown: list[tuple[str, int]] = []
        for entry, rank in zip(entries, ranks, strict=True):
            names = [campaign.systems[s] for s in groups[campaign.entry_output[entry]]]
            names = [name for name in names if name not in selection.exclude_systems]
            if rank == UNRANKED or not names:
                continue
            if selection.identical == "expanded":
                shown += [(name, rank) for name in names]
            else:
                shown.append(("+".join(names), rank))
        for (left, p), (right, q) in itertools.combinations(shown, 2):
            rows.append((left, right, WIN if p < q else TIE if p == q else LOSS, judge, segment))
    return rows


@given(campaigns(), st.data())
def test_pairs_are_those_that_one_would_write_down_by_hand(
    campaign: Campaign, data: st.DataObject
) -> None:
    pair = data.draw(st.sampled_from(campaign.pairs))
    in_pair = {
        campaign.systems[s]
        for t in np.flatnonzero(campaign.task_pair == campaign.pairs.index(pair))
        for e in range(campaign.task_start[t], campaign.task_start[t + 1])
        for s in campaign.output_groups()[campaign.entry_output[e]]
    }
    selection = Selection(
        identical=data.draw(st.sampled_from(IDENTICAL)),
        exclude_systems=tuple(data.draw(st.sets(st.sampled_from(sorted(in_pair)), max_size=2))),
        judges=tuple(data.draw(st.sets(st.sampled_from(campaign.judges), max_size=2))),
        segments=data.draw(st.sampled_from([None, (1, 2), (2, 4)])),
    )
    incomplete = data.draw(st.sampled_from(INCOMPLETE))
    judgments = campaign.judgments(pair, selection, incomplete)
    assert rows_of(judgments) == rows_by_hand(campaign, pair, selection, incomplete)


@given(campaigns(), st.integers(1, 9))
def test_rows_are_the_same_however_many_are_laid_out_at_once(campaign: Campaign, most: int) -> None:
    whole, parts = (campaign.judgments(campaign.pairs[0]) for _ in range(2))
    rows = (whole.left, whole.right, whole.outcome, whole.task)
    with patch("analysis.campaign.judgments.FACTS_AT_ONCE", most):
        own = (parts.left, parts.right, parts.outcome, parts.task)
    for one, other in zip(rows, own, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    rows_by_task = np.bincount(whole.task, minlength=whole.n_tasks)
    np.testing.assert_array_equal(whole.task_rows, rows_by_task)


@given(campaigns(), st.sampled_from(IDENTICAL))
def test_counts_hold_every_fact_about_two_systems_once(
    campaign: Campaign, identical: Identical
) -> None:
    pair = campaign.pairs[0]
    judgments = campaign.judgments(pair, Selection(identical=identical))
    wins: Counter[tuple[str, str]] = Counter()
    ties: Counter[tuple[str, str]] = Counter()
    for left, right, outcome, _, _ in rows_of(judgments):
        for a, b in itertools.product(left.split("+"), right.split("+")):
            if outcome == TIE:
                ties[a, b] += 1
                ties[b, a] += 1
            else:
                wins[(a, b) if outcome == WIN else (b, a)] += 1
    counts, names = judgments.counts, judgments.systems
    for (i, a), (j, b) in itertools.product(enumerate(names), repeat=2):
        assert counts.wins[i, j] == wins[a, b]
        assert counts.losses[j, i] == wins[a, b]
        assert counts.ties[i, j] == ties[a, b]
    assert counts.compared.sum() == 2 * len(judgments.observations)


@given(campaigns(unranked=False))
def test_expanding_adds_only_ties_among_identical_outputs(campaign: Campaign) -> None:
    for pair in campaign.pairs:
        expanded = campaign.judgments(pair, Selection(identical="expanded")).counts
        collapsed = campaign.judgments(pair, Selection(identical="collapsed")).counts
        assert np.array_equal(expanded.wins, collapsed.wins)
        assert (expanded.ties >= collapsed.ties).all()


def test_an_output_without_a_rank_costs_the_task_or_only_its_pairs(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", "ann", {"a": 1, "b": UNRANKED, "c": 2, "d": 2})])
    whole = campaign.judgments(incomplete="drop-task")
    assert (len(whole), whole.incomplete_tasks) == (0, 1)
    pairs = campaign.judgments(incomplete="drop-pair")
    assert [row[:3] for row in rows_of(pairs)] == [
        ("a", "c", WIN),
        ("a", "d", WIN),
        ("c", "d", TIE),
    ]
    assert pairs.incomplete_tasks == 1


def test_references_are_left_out_unless_asked_for(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign([("1", "ann", {"a": 2, "reference": 1, "b": 3})])
    assert [row[:3] for row in rows_of(campaign.judgments())] == [("a", "b", WIN)]
    assert campaign.judgments().left_out == ("reference",)
    assert len(campaign.judgments(selection=Selection(references=True))) == 3


def test_judges_are_chosen_by_pattern(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign(
        [
            ("1", "turker_1", {"a": 1, "b": 2}),
            ("1", "researcher_1", {"a": 2, "b": 1}),
            ("2", "researcher_2", {"a": 2, "b": 1}),
        ]
    )
    researchers = campaign.judgments(selection=Selection(judges=("researcher_*",)))
    assert {row[3] for row in rows_of(researchers)} == {"researcher_1", "researcher_2"}
    others = campaign.judgments(selection=Selection(exclude_judges=("researcher_*",)))
    assert {row[3] for row in rows_of(others)} == {"turker_1"}


@pytest.mark.parametrize(
    ("selection", "got"),
    [
        (Selection(judges=("nobody",)), "'nobody' is not known. Choose one of ann"),
        (Selection(exclude_systems=("z",)), "'z' is not known. Choose one of a, b"),
    ],
)
def test_a_choice_that_fits_nothing_says_so(
    make_campaign: Callable[..., Campaign], selection: Selection, got: str
) -> None:
    campaign = make_campaign([("1", "ann", {"a": 1, "b": 2})])
    with pytest.raises(PodiumError, match=got):
        campaign.judgments(selection=selection)


def test_a_language_pair_is_found_in_any_spelling() -> None:
    builder = CampaignBuilder()
    for pair in ("cze-eng", "English-Czech", "ces-en"):
        builder.add_task(pair, "1", "ann", [("a",), ("b",)], [1, 2])
    campaign = builder.build()
    assert campaign.pairs == ("cze-eng", "English-Czech")
    assert campaign.find_pair("Czech-English") == "cze-eng"
    assert len(campaign.judgments("cs-en")) == 2
    with pytest.raises(PodiumError, match="none is given, and this campaign has 2"):
        campaign.find_pair(None)


def relabeled(campaign: Campaign, rng: np.random.Generator) -> Campaign:
    """The same judgments under vocabularies in another order."""
    n_outputs = len(campaign.output_start) - 1
    systems, judges, segments, outputs = (
        rng.permutation(n)
        for n in (len(campaign.systems), len(campaign.judges), len(campaign.segments), n_outputs)
    )
    groups = campaign.output_groups()
    new_groups = [groups[o] for o in outputs]
    return replace(
        campaign,
        systems=tuple(campaign.systems[k] for k in systems),
        judges=tuple(campaign.judges[k] for k in judges),
        segments=tuple(campaign.segments[k] for k in segments),
        task_judge=np.argsort(judges)[campaign.task_judge],
        task_segment=np.argsort(segments)[campaign.task_segment],
        entry_output=np.argsort(outputs)[campaign.entry_output],
        output_start=np.concatenate([[0], np.cumsum([len(g) for g in new_groups])]),
        output_system=np.argsort(systems)[np.array([s for g in new_groups for s in g])],
    )


@given(campaigns(), st.integers(0, 2**32))
def test_the_fingerprint_sees_names_not_codes(campaign: Campaign, seed: int) -> None:
    other = relabeled(campaign, np.random.default_rng(seed))
    assert other.fingerprint == campaign.fingerprint
    assert rows_of(other.judgments(campaign.pairs[0])) == rows_of(
        campaign.judgments(campaign.pairs[0])
    )


@given(campaigns(unranked=False), st.data())
def test_the_fingerprint_changes_with_one_rank(campaign: Campaign, data: st.DataObject) -> None:
    entry = data.draw(st.integers(0, len(campaign.entry_rank) - 1))
    ranks = campaign.entry_rank.copy()
    ranks[entry] += 1
    assert replace(campaign, entry_rank=ranks).fingerprint != campaign.fingerprint


@given(campaigns(unranked=False), st.data())
def test_tasks_taken_again_bring_their_rows_in_the_order_asked(
    campaign: Campaign, data: st.DataObject
) -> None:
    judgments = campaign.judgments(campaign.pairs[0])
    tasks = data.draw(st.lists(st.integers(0, judgments.n_tasks - 1), max_size=6))
    taken = judgments.take_tasks(np.array(tasks, dtype=np.int64))
    rows = rows_of(judgments)
    expected = [
        row
        for task in tasks
        for row, of in zip(rows, judgments.task.tolist(), strict=True)
        if of == task
    ]
    assert rows_of(taken) == expected
    some = np.flatnonzero(np.arange(len(judgments)) % 2 == 0)
    assert rows_of(judgments.take_rows(some)) == rows[::2]


def test_a_campaign_cannot_be_changed(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign([("1", "ann", {"a": 1, "b": 2})])
    with pytest.raises(ValueError, match="read-only"):
        campaign.entry_rank[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        campaign.judgments().outcome[0] = TIE
