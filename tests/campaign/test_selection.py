"""What a selection means: references, patterns of judges, tasks that it empties, its fields."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import SELECTION_FIELDS, Campaign, Selection, is_reference
from analysis.campaign.slices import most_per_judge
from analysis.cli import flags
from analysis.cli.options import selection
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.ranking.verdict import reach_verdict
from tests.building import CampaignBuilder
from tests.tools.audit.measures import FALSE, claims_of, power
from tests.tools.audit.worlds import WORLDS


@pytest.mark.parametrize(
    "name",
    [
        *("ref", "REF", "Ref", "refA", "refB", "ref-A", "ref_1", "ref.A", "ref1", "REFA"),
        *("reference", "Reference-B", "reference-a", "referenceC", "references", "wmt23.refA"),
        *("generaltest2022.liv-en.ref.A.en.txt", "newstest2015.ref.0.de-en", "wmt14.ref"),
        *("newstest2017-deen-ref.en", "newstest2019-de-en-refB", "gold reference"),
        *("WebNLG-2020-reference", "human_references"),
    ],
)
def test_a_human_reference_is_known_by_its_name(name: str) -> None:
    assert is_reference(name)


@pytest.mark.parametrize(
    "name",
    [
        *("REFINE", "REFORMER", "reformer", "ref-net", "Ref2Vec", "refmix1", "prefix", "reflex"),
        *("refined-A", "referee", "no-ref", "ref-en-large", "online-ref", "newstest2015.ref-net.4"),
        *("newstest2015.LIMSI-CNRS.4000.en-fr.txt", "newstest2015.REFORMER.1.de-en", ""),
        *("T5 without reference", "no-reference", "reference-free"),
    ],
)
def test_no_system_is_taken_for_a_reference(name: str) -> None:
    assert not is_reference(name)


def test_references_left_out_are_told_apart_from_systems_left_out(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", "ann", {"a": 2, "ref": 1, "b": 3, "c": 4})])
    judgments = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    assert judgments.left_out == ("c", "ref")
    assert judgments.references_left_out == ("ref",)


def test_people_against_one_system_are_ranked_as_two(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", "ann", {"AI": 2, "Human": 1}), ("2", "bob", {"AI": 1, "c": 2})])
    left = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    assert left.systems == ("AI", "Human")
    assert left.references_left_out == ()
    assert campaign.judgments().systems == ("AI", "c")


def test_tasks_that_the_selection_empties_do_not_count(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign(
        [
            ("1", "ann", {"a": 1, "b": 2}),
            ("2", "bob", {"a": 1, "c": 2}),
            ("3", "cid", {"a": 1, "b": 2, "c": 3}),
        ]
    )
    judgments = campaign.judgments(selection=Selection(exclude_systems=("c",)))
    assert (judgments.n_tasks, len(judgments)) == (2, 2)
    assert [judgments.judges[k] for k in judgments.task_judge] == ["ann", "cid"]
    assert judgments.task.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("left_out", "rest"),
    [
        (("*",), {"ann", "judge1", "judge?"}),
        (("judge?",), {"*", "ann", "judge1"}),
        (("judge[?]",), {"*", "ann", "judge1"}),
        (("judge*",), {"*", "ann"}),
    ],
)
def test_a_judges_name_in_full_is_no_pattern(
    make_campaign: Callable[..., Campaign], left_out: tuple[str, ...], rest: set[str]
) -> None:
    names = ("ann", "*", "judge1", "judge?")
    campaign = make_campaign([("1", name, {"a": 1, "b": 2}) for name in names])
    judgments = campaign.judgments(selection=Selection(exclude_judges=left_out))
    assert {judgments.judges[k] for k in judgments.task_judge} == rest


def test_a_pattern_that_leaves_nobody_out_of_the_question_says_so(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", "ann", {"a": 1, "b": 2})])
    with pytest.raises(PodiumError, match="leaves none of the 1 judges"):
        campaign.judgments(selection=Selection(exclude_judges=("*",)))


def of_outputs(*outputs: tuple[str, ...]) -> Campaign:
    builder = CampaignBuilder()
    builder.add_task("de-en", "1", "ann", outputs, range(1, len(outputs) + 1))
    return builder.build()


def test_a_name_with_a_plus_is_not_an_output_of_two_systems() -> None:
    assert of_outputs(("a+b",), ("c",)).fingerprint != of_outputs(("a", "b"), ("c",)).fingerprint


def test_fingerprints_of_plain_campaigns_stay_what_they_were() -> None:
    assert of_outputs(("a", "b"), ("c",), ("d",)).fingerprint == "175fb80d687c"


def test_a_hundred_and_thirty_ranks_are_kept() -> None:
    systems = [(f"s{k:03}",) for k in range(130)]
    campaign = of_outputs(*systems)
    assert campaign.entry_rank.tolist() == list(range(1, 131))
    counts = campaign.judgments().counts
    assert counts.wins.sum(axis=1).tolist() == list(range(129, -1, -1))
    assert replace(campaign, entry_rank=campaign.entry_rank[::-1].copy()).fingerprint != (
        campaign.fingerprint
    )


def test_small_ranks_take_one_byte() -> None:
    assert of_outputs(("a",), ("b",)).entry_rank.dtype == np.int8


CHANGED = Selection(
    identical="collapsed",
    exclude_systems=("a", "b"),
    judges=("ann",),
    exclude_judges=("bob", "c*"),
    segments=(1, 50),
    references=True,
)


def test_the_signature_has_every_choice_in_its_flags_words() -> None:
    assert CHANGED.signature == (
        "identical:collapsed|exclude-system:a,b|judges:ann|exclude-judges:bob,c*|segments:1-50"
        "|references:yes"
    )
    assert Selection().signature == "identical:expanded"


def test_every_choice_has_a_flag_a_letter_and_a_chip_of_its_own() -> None:
    for own in ("flag", "letter", "name"):
        said = [getattr(chosen, own) for chosen in SELECTION_FIELDS]
        assert all(said)
        assert len(set(said)) == len(said)
    assert all(chosen.chip and chosen.help for chosen in SELECTION_FIELDS)
    silent = [
        chosen.name for chosen in SELECTION_FIELDS if not (chosen.sentence or chosen.left_out)
    ]
    assert silent == ["copies"], "a paper says how many were dropped"


@pytest.mark.parametrize("chosen", [Selection(), CHANGED])
def test_a_selection_comes_back_from_its_own_arguments(chosen: Selection) -> None:
    parser = argparse.ArgumentParser()
    flags.add_selection(parser)
    words = [
        word for field in SELECTION_FIELDS for word in field.arguments(getattr(chosen, field.name))
    ]
    assert selection(parser.parse_args(words)) == chosen


# the share of a judge -----------------------------------------------------------------------------


def of_sizes(make_campaign: Callable[..., Campaign], sizes: dict[str, int]) -> Campaign:
    judges = [judge for judge, n in sizes.items() for _ in range(n)]
    return make_campaign([(str(k), judge, {"a": 1, "b": 2}) for k, judge in enumerate(judges)])


@given(
    sizes=st.lists(st.integers(1, 60), min_size=2, max_size=12),
    percent=st.integers(1, 100),
)
def test_no_judge_has_more_than_the_share_and_one_more_task_each_would_be_too_many(
    sizes: list[int], percent: int
) -> None:
    if len(sizes) * percent < 100:
        with pytest.raises(PodiumError, match="cannot all have at most"):
            most_per_judge(np.array(sizes), percent / 100)
        return
    most = most_per_judge(np.array(sizes), percent / 100)
    kept, more = np.minimum(sizes, most), np.minimum(sizes, most + 1)
    assert kept.max() <= max(percent / 100 * kept.sum(), 1) + 1e-9
    assert (more == kept).all() or more.max() > percent / 100 * more.sum() - 1e-9


def test_only_the_judges_above_the_share_lose_tasks_and_always_the_same_ones(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = of_sizes(make_campaign, {"ann": 60, "bob": 10, "cid": 10, "dan": 10, "eve": 10})
    limited = [campaign.judgments(selection=Selection(judge_share=30)) for _ in range(2)]
    counts = dict(zip(*np.unique(limited[0].task_judge, return_counts=True), strict=True))
    by_name = {campaign.judges[code]: int(n) for code, n in counts.items()}
    assert by_name == {"ann": 17, "bob": 10, "cid": 10, "dan": 10, "eve": 10}
    np.testing.assert_array_equal(limited[0].tasks, limited[1].tasks)
    first_tasks = np.flatnonzero(campaign.task_judge == campaign.judges.index("ann"))[:17]
    assert set(first_tasks) != set(limited[0].tasks[limited[0].task_judge == 0])


@pytest.mark.parametrize("percent", [-5, float("nan"), float("inf"), 10])
def test_a_share_that_the_judges_cannot_keep_is_refused_with_what_to_use(
    make_campaign: Callable[..., Campaign], percent: float
) -> None:
    campaign = of_sizes(make_campaign, {"ann": 6, "bob": 4, "cid": 4})
    with pytest.raises(PodiumError, match="Share of a judge") as raised:
        campaign.judgments(selection=Selection(judge_share=percent))
    assert "Use " in str(raised.value)


@pytest.mark.slow
def test_limiting_a_judge_who_did_most_of_the_work_finds_more_and_claims_hold() -> None:
    """Where one judge did 60% of the work; the audit has 1,000 campaigns of each world."""
    ranker, n = RANKERS["bradley-terry"](), 120
    found = {0: 0.0, 20: 0.0}
    false = 0.0
    for index in range(n):
        known = WORLDS["groups, one judge with 60%"].draw(np.random.default_rng([12, index]))
        for percent in found:
            judgments = known.campaign.judgments(selection=Selection(judge_share=percent))
            verdict = reach_verdict(ranker.fit(judgments, 0))
            found[percent] += power(known, verdict.significant)[0]
            false += claims_of(known, verdict)[FALSE][0] * (percent > 0)
    assert found[20] > 1.25 * found[0]
    assert false / n <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)


def test_a_judge_whom_nobody_is_called_is_not_left_out_in_silence(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([(str(k), "bob", {"a": 1, "b": 2}) for k in range(3)])
    for choice in (Selection(exclude_judges=("bobb",)), Selection(judges=("bob", "bobb"))):
        with pytest.raises(PodiumError, match=r"'bobb' is not known\. Did you mean bob"):
            campaign.judgments(selection=choice)
