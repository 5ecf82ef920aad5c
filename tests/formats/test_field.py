"""Published results of unseen files come out, and every file of the field opens right or not."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis.campaign import Selection
from tests.tools.field import EXPECTED, OPENED_AT_LEAST, Opened, opened

FIELD = Path(os.environ.get("PODIUM_CAMPAIGNS", "")) / "field"

pytestmark = pytest.mark.skipif(
    not os.environ.get("PODIUM_CAMPAIGNS") or not FIELD.exists(),
    reason="set PODIUM_CAMPAIGNS to a folder with field/ (msparity2018, mteb-arena, …)",
)


def read(name: str):
    return analysis.read(FIELD / name, mapping="auto")


@cache
def by_guess(name: str) -> Opened | str:
    return opened(FIELD / name, "auto")


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_is_read_right_or_refused(name):
    found = by_guess(name)
    assert found == EXPECTED[name] or isinstance(found, str)


def test_most_files_with_judgments_open():
    readable = [name for name, expected in EXPECTED.items() if expected is not None]
    right = [name for name in readable if isinstance(by_guess(name), Opened)]
    assert len(right) >= OPENED_AT_LEAST * len(readable), set(readable) - set(right)


def test_bradley_terry_orders_the_retrieval_arena_as_its_leaderboard_does():
    campaign, _ = read("mteb-arena/clean_battle_retrieval.json")
    published = pd.read_csv(FIELD / "mteb-arena/retrieval_leaderboard.csv")
    ranking = analysis.rank(campaign, "bradley-terry", ties="half")
    assert [ranking.systems[k] for k in ranking.order] == published["key"].tolist()
    elo = published["Arena Elo rating (full)"]
    gap = float(np.ptp(ranking.scores))
    assert gap == pytest.approx((elo.max() - elo.min()) * np.log(10) / 400, abs=0.002)


def test_paragraphs_beat_sentences_in_129_of_180_literary_passages():
    campaign, report = read("literary2023/all_annotations_v1.json")
    n = {("para", "sent"): 0, ("sent", "para"): 0}
    for pair in campaign.pairs:
        judgments = campaign.judgments(pair)
        for a, one in enumerate(judgments.systems):
            for b, other in enumerate(judgments.systems):
                if (one, other) in n:
                    n[one, other] += int(judgments.counts.wins[a, b])
    assert n == {("para", "sent"): 129, ("sent", "para"): 51}
    assert (report.n_rows, report.n_left_out) == (540, 0)


def test_112_of_113_copilot_votes_are_read_and_the_stray_line_is_reported():
    campaign, report = read("copilot-arena/copilot_arena_examples_v1.csv")
    assert (campaign.n_tasks, report.n_rows, report.n_left_out) == (112, 113, 1)
    assert "1 field where the header has 7" in " ".join(report.sentences())


def test_means_of_judgments_that_are_no_controls_are_those_of_the_human_parity_data():
    name = "msparity2018/Translator-HumanParityData-Meta1-Subset1.csv"
    campaign, report = read(name)
    data = pd.read_csv(FIELD / name)
    kept = data[data["Type"] == "TGT"]
    expected = kept.groupby("SystemID")["Score"].mean()
    judgments = campaign.judgments(selection=Selection(references=True))
    scores = judgments.scores
    means = {
        system: scores.value[scores.system == k].mean()
        for k, system in enumerate(judgments.systems)
    }
    assert means == pytest.approx(dict(expected))
    assert (len(campaign.judges), report.n_left_out) == (45, len(data) - len(kept))


def test_a_slice_of_a_column_that_differs_within_a_screen_is_the_filtered_table():
    from analysis.campaign import Selection

    campaign, _ = read("slice-bug.csv")
    data = pd.read_csv(FIELD / "slice-bug.csv")
    judgments = campaign.judgments(selection=Selection(slices=("kind=x",)))
    ranking = analysis.rank(judgments, "mean")
    expected = data[data["kind"] == "x"].groupby("system")["score"].mean()
    means = dict(zip(ranking.systems, ranking.scores, strict=True))
    assert means == pytest.approx(dict(expected))


def test_no_vote_of_the_song_contest_is_lost():
    campaign, report = read("eurovision/votes.csv")
    assert (len(campaign.scores), report.n_left_out) == (24_437, 0)
    assert campaign.attribute("round").names == ("Final", "SF0", "SF1", "SF2")
