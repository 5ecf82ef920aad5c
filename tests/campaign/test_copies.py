"""A file saved twice counts once where the user says so."""

from __future__ import annotations

import numpy as np

from analysis.campaign import Campaign, Selection
from analysis.campaign.copies import copied_tasks
from analysis.formats import read_many
from tests.building import CampaignBuilder

ROWS = b"model_a,model_b,winner,judge,question_id\nx,y,model_a,j,1\ny,x,tie,j,2\nx,y,model_b,k,1\n"
UNNAMED = b"model_a,model_b,winner,question_id\nx,y,model_a,1\nx,y,model_a,2\nx,y,model_a,1\n"


def read(*files: bytes) -> Campaign:
    return read_many([(f"{k}.csv", data) for k, data in enumerate(files)])[0]


def test_a_file_twice_without_its_copies_is_the_file_once() -> None:
    once, twice = read(ROWS), read(ROWS, ROWS)
    assert len(twice.judgments()) == 2 * len(once.judgments())
    dropped = twice.judgments(selection=Selection(copies="dropped"))
    assert dropped.counts.wins.tolist() == once.judgments().counts.wins.tolist()
    assert dropped.counts.ties.tolist() == once.judgments().counts.ties.tolist()


def test_equal_answers_are_no_copies_where_nobody_tells_whose_they_are() -> None:
    assert not copied_tasks(read(UNNAMED)).any()


def test_the_order_shown_the_answer_and_the_judge_tell_tasks_apart() -> None:
    builder = CampaignBuilder()
    for judge, shown, ranks in (
        ("j", "ab", [1, 2]), ("j", "ba", [2, 1]), ("j", "ab", [2, 1]), ("k", "ab", [1, 2]),
        ("j", "ab", [1, 2]), ("j", "abc", [1, 2, 2]),
    ):  # fmt: skip
        builder.add_task("de-en", "1", judge, [(name,) for name in shown], ranks)
    builder.add_task("de-en", "2", "j", [("a",), ("b",)], [1, 2])
    assert np.flatnonzero(copied_tasks(builder.build())).tolist() == [4]
