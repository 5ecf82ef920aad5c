"""Writing: what is read back is the same campaign, or the format refuses to hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.campaign import Campaign, Identical, Selection
from analysis.errors import PodiumError
from analysis.formats import read, read_path
from analysis.formats.writing import WRITABLE as EVERY
from analysis.formats.writing import losses, write
from tests.building import CampaignBuilder
from tests.campaign.test_campaign import rows_of
from tests.strategies import AWKWARD, campaigns


def one_task(*names: str, ranks: tuple[int, ...] = (1, 2), pair: str = "fr-en") -> Campaign:
    builder = CampaignBuilder()
    builder.add_task(pair, "1", "ann", [tuple(name.split("&")) for name in names], ranks)
    return builder.build()


WRITABLE = tuple(name for name in EVERY if name != "scores")
"""The formats that hold rankings or votes."""

WMT: tuple[str, ...] = ("wmt-2way", "wmt-5way")


@given(campaigns(max_outputs=7), st.sampled_from(WMT))
def test_what_a_format_does_not_lose_comes_back(campaign: Campaign, to: str) -> None:
    lost = losses(campaign, to)
    if all(size < 2 for size in np.diff(campaign.task_start)) and to == "wmt-2way":
        with pytest.raises(PodiumError, match="contains no pair of outputs"):
            write(campaign, to)
        return
    back, report = read(write(campaign, to))
    assert report.n_left_out == 0
    if not lost:
        assert back.fingerprint == campaign.fingerprint
    for pair in campaign.pairs:
        before = campaign.judgments(pair, Selection(identical="collapsed"), "drop-pair")
        if pair not in back.pairs:
            assert len(before) == 0
            continue
        after = back.judgments(pair, Selection(identical="collapsed"), "drop-pair")
        assert rows_of(after) == rows_of(before)


@given(campaigns(max_outputs=2, groups=False, unranked=False))
def test_votes_keep_who_won_judge_question_and_language(campaign: Campaign) -> None:
    back, _ = read(write(campaign, "arena"))
    assert losses(campaign, "arena") == ()
    again, _ = read(write(back, "arena"))
    assert again.fingerprint == back.fingerprint
    for pair in campaign.pairs:
        if pair in back.pairs:
            assert rows_of(back.judgments(pair)) == rows_of(campaign.judgments(pair))


@given(campaigns(letters=AWKWARD, unranked=False), st.sampled_from(WRITABLE))
@example(one_task("=cmd()", '"quoted", and comma'), "wmt-2way")
@example(one_task("-1", "@sum"), "wmt-5way")
@example(one_task("left", "right", ranks=(2, 1)), "arena")
@example(one_task("model_b", "model_a"), "arena")
@example(one_task("tie", "draw"), "arena")
def test_awkward_names_come_back_or_are_refused(campaign: Campaign, to: str) -> None:
    identical: Identical = "expanded" if to == "arena" else "collapsed"
    try:
        data = write(campaign, to, identical=identical)
    except PodiumError:
        return
    back, report = read(data)
    assert report.n_left_out == 0
    for pair in back.pairs:
        choice = Selection(identical=identical, references=True)
        assert rows_of(back.judgments(pair, choice)) == rows_of(campaign.judgments(pair, choice))


@given(campaigns(), st.sampled_from(WRITABLE))
def test_expanded_files_hold_the_expanded_judgments(campaign: Campaign, to: str) -> None:
    if not any(len(campaign.judgments(pair, incomplete="drop-pair")) for pair in campaign.pairs):
        return
    back, _ = read(write(campaign, to, identical="expanded"))
    for pair in campaign.pairs:
        before = rows_of(campaign.judgments(pair, incomplete="drop-pair"))
        after = rows_of(back.judgments(pair, incomplete="drop-pair")) if pair in back.pairs else []
        assert after == before


@pytest.mark.parametrize(
    ("campaign", "to", "got"),
    [
        (one_task("a+b", "c"), "wmt-2way", "the name would change"),
        (one_task("a+b", "c"), "wmt-5way", "the name would change"),
        (one_task("C++&x", "c"), "wmt-2way", "the name would change"),
        (one_task("a&b", "c"), "arena", "an arena vote is between two systems"),
        (one_task("a\nb", "c"), "arena", "has a line break"),
        (one_task("a", "b", ranks=(1, 9)), "wmt-2way", "rank 9 among 2 outputs"),
        (one_task("a", "a"), "wmt-5way", "contains a system twice"),
        (one_task("a&b", "b"), "wmt-2way", "contains a system twice"),
        (one_task("a", "b", pair="fr-"), "wmt-2way", "has an empty end"),
    ],
)
def test_what_would_come_back_as_something_else_is_refused(
    campaign: Campaign, to: str, got: str
) -> None:
    with pytest.raises(PodiumError, match=got):
        write(campaign, to)


def test_names_with_signs_that_do_not_join_are_written() -> None:
    for to in WRITABLE:
        back, _ = read(write(one_task("C++", "+x"), to))
        assert back.systems == ("C++", "+x")


def test_losses_are_told_beforehand(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign([("1", "ann", {"a+b": 1, "c": 2, "d": 0}), ("2", "ann", {"a+b": 1})])
    assert losses(campaign, "wmt-5way") == ()
    assert losses(campaign, "wmt-2way") == ("1 ranking of a single output.",)
    assert losses(campaign, "arena", identical="expanded") == (
        "Which outputs were identical: they become ties.",
        "Which pairs were ranked together, in 1 ranking.",
        "1 output without a rank.",
    )


def test_real_campaigns_survive_the_way_there_and_back(campaigns_dir: Path) -> None:
    xml, _ = read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")
    assert read(write(xml, "wmt-5way"))[0].fingerprint == xml.fingerprint
    for name in ("wmt13/fr-en.train.csv.gz", "wmt15/wmt15.collapsed.fin-eng.csv.gz"):
        campaign, _ = read_path(campaigns_dir / name)
        for to in ("wmt-2way", "wmt-5way"):
            assert read(write(campaign, to))[0].fingerprint == campaign.fingerprint


EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


@pytest.mark.parametrize(
    "name",
    [
        "scores.csv",
        "wmt-da.csv",
        "webmushra.csv",
        "appraise-scores.csv",
        "mt-metrics-eval.zip",
    ],
)
def test_scores_come_back_as_the_same_campaign(name: str) -> None:
    campaign, _ = read_path(EXAMPLES / name)
    campaign = _without_errors(campaign)
    back, report = read(write(campaign, "scores"))
    assert report.format == "scores"
    assert report.n_left_out == 0
    assert back.fingerprint == campaign.fingerprint
    assert write(back, "scores") == write(campaign, "scores")


def test_scores_of_which_less_is_better_stay_so_with_words_and_numbers_beside_them() -> None:
    lines = [f"{'ab'[k % 2]},{k // 2},{k % 7},lower,{'xy'[k // 20]},{k // 2}" for k in range(40)]
    campaign, _ = read("\n".join(["system,item,score,better,topic,length", *lines]).encode())
    assert campaign.scores is not None
    assert not campaign.scores.scale.higher_is_better
    assert [attribute.name for attribute in campaign.attributes] == ["topic", "length"]
    assert losses(campaign, "scores") == ()
    back, _ = read(write(campaign, "scores"))
    assert back.fingerprint == campaign.fingerprint
    assert rows_of(back.judgments()) == rows_of(campaign.judgments())


def test_what_a_table_of_scores_does_not_hold_is_told() -> None:
    assert any("errors" in loss for loss in losses(read_path(EXAMPLES / "mqm.tsv")[0], "scores"))
    graded, _ = read_path(EXAMPLES / "fastchat-scores.jsonl")
    assert losses(graded, "scores") == ("The attributes prompt.",)


def test_scores_in_records_are_read_as_those_of_a_table(tmp_path: Path) -> None:
    table = pd.read_csv(EXAMPLES / "scores.csv")
    table.to_parquet(tmp_path / "scores.parquet")
    records = table.to_json(orient="records", lines=True).encode()
    campaign, _ = read_path(EXAMPLES / "scores.csv")
    assert read(records)[0].fingerprint == campaign.fingerprint
    assert read_path(tmp_path / "scores.parquet")[0].fingerprint == campaign.fingerprint


@pytest.mark.parametrize(
    ("columns", "got"),
    [("scale\na,1,2,MQM\nb,1,3,ESA", "two scales"), ("better\na,1,2,up", "Use higher or lower")],
)
def test_scores_of_two_meanings_are_refused(columns: str, got: str) -> None:
    with pytest.raises(PodiumError, match=got):
        read(f"system,item,score,{columns}\n".encode())


def test_only_scores_are_written_as_scores() -> None:
    with pytest.raises(PodiumError, match=r"gave no scores.*wmt-5way"):
        write(one_task("a", "b"), "scores")


def _without_errors(campaign: Campaign) -> Campaign:
    assert campaign.scores is not None
    return replace(campaign, scores=replace(campaign.scores, errors=None))
