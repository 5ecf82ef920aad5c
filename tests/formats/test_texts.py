"""Texts that a file holds beside its judgments are kept small and found again with their task."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from analysis.campaign.attributes import BLOCK, Texts, joined
from analysis.comparing.two_systems import Shown, judgments_between, texts_behind
from analysis.formats import arena, read_many
from tests.opening import open_address, with_upload

VOTES = [
    {
        "model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j", "question_id": "1",
        "conversation_a": [{"role": "user", "content": "Why?"},
                           {"role": "assistant", "content": "So <b>it</b> is."}],
        "conversation_b": [{"role": "user", "content": "Why?"},
                           {"role": "assistant", "content": "日本"}],
    },
    {"model_a": "y", "model_b": "y", "winner": "tie", "judge": "j", "question_id": "2",
     "conversation_a": [], "conversation_b": []},
    {
        "model_a": "y", "model_b": "x", "winner": "tie", "judge": "k", "question_id": "3",
        "prompt": "How?", "response_a": "Left", "response_b": "Right",
        "conversation_a": "left", "conversation_b": "right",
    },
]  # fmt: skip
CSV = (
    b"model_a,model_b,winner,judge,question_id,prompt,response_a,response_b\n"
    b'x,y,model_a,j,1,Why?,"one, two",three\n'
)
TASK = """<set><HIT source-language="deu" target-language="eng"><ranking-task id="7">
<source>Guten Tag</source><ranking-result user="u" duration="00:00:09">
<translation system="x" rank="1">Good &lt;day&gt;</translation>
<translation system="y,z" rank="2">Hello</translation>
</ranking-result></ranking-task></HIT></set>"""


def test_conversations_of_votes_stand_behind_their_judgments_and_their_systems() -> None:
    campaign, _ = read_many([("a.json", json.dumps(VOTES).encode())])
    judgments = campaign.judgments()
    assert len(judgments_between(judgments, "y", "x")) == 2
    read = texts_behind(judgments, "y", "x", 0)
    assert read is not None
    assert read.first == "user: Why?\n\nassistant: 日本"
    assert read.second == "user: Why?\n\nassistant: So <b>it</b> is."
    assert texts_behind(judgments, "y", "x", 1) == Shown("How?", "left", "right")


def test_a_table_of_votes_and_appraise_keep_texts_too_and_files_without_them_none() -> None:
    votes, _ = read_many([("a.csv", CSV)])
    assert texts_behind(votes.judgments(), "x", "y", 0) == Shown("Why?", "one, two", "three")
    ranked, _ = read_many([("a.xml", TASK.encode())])
    assert texts_behind(ranked.judgments(), "z", "x", 0) == Shown(
        "Guten Tag", "Hello", "Good <day>"
    )
    plain, _ = read_many([("b.csv", CSV.replace(b"response_", b"r_"))])
    assert plain.texts is None
    assert texts_behind(plain.judgments(), "x", "y", 0) is None


def test_texts_change_no_fingerprint_but_by_their_lengths_and_large_files_leave_them_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_texts, _ = read_many([("a.csv", CSV)])
    monkeypatch.setattr(arena, "TEXTS_UP_TO", 10)
    without, _ = read_many([("a.csv", CSV)])
    assert without.texts is None
    assert [one.name for one in with_texts.attributes] == ["characters"]
    assert without.fingerprint == dataclasses.replace(with_texts, attributes=()).fingerprint


def test_texts_of_several_files_keep_their_tasks() -> None:
    parts = [Texts.packed((f"s{p}.{k}", "a") for k in range(BLOCK + 3)) for p in range(2)]
    whole = joined([(BLOCK + 3, parts[0]), (2, None), (BLOCK + 3, parts[1])])
    assert whole is not None
    assert whole.of(BLOCK + 2)[0] == f"s0.{BLOCK + 2}"
    assert whole.of(BLOCK + 3) == ()
    assert whole.of(BLOCK + 5 + 1)[0] == "s1.1"
    assert whole.take(np.array([BLOCK + 5 + BLOCK])).of(0)[0] == f"s1.{BLOCK}"
    assert Texts.packed([("", " ")]) is None


def test_packed_texts_take_a_fraction() -> None:
    sentences = [f"The quick brown fox number {k} jumps over the lazy dog." for k in range(2000)]
    texts = Texts.packed((s, s.upper(), s.lower()) for s in sentences)
    assert texts is not None
    size = sum(3 * len(s) for s in sentences)
    assert sum(map(len, texts.blocks)) < size / 4


def test_the_page_offers_to_read_what_a_judge_read() -> None:
    campaign, _ = read_many([("a.csv", CSV * 1 + b"y,x,tie,k,2,How?,left,right\n")])
    app = open_address("head-to-head", session=with_upload(campaign), method="Expected Wins")
    assert not app.exception
    assert any("Tick a row" in str(block.proto) for block in app.get("html"))
