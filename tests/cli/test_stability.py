"""``stability`` and ``claim`` keep their contracts."""

from __future__ import annotations

import itertools

import pytest

from tests.command_line import answer, run

SAMPLE = "sample:wmt14-cs-en"
WORDS = (SAMPLE, "--method", "expected-wins")


def test_stability_answers_with_the_fields_of_the_contract(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "what-if", *WORDS)
    order = [system["system"] for system in answer(capsys, "rank", *WORDS)["systems"]]
    pairs = [(pair["a"], pair["b"]) for pair in document["neighbors"]]
    assert pairs == list(itertools.pairwise(order))
    assert all(0 < pair["flips"] < pair["drops"] for pair in document["neighbors"])
    for pair in document["neighbors"]:
        assert set(pair["survives"]) == {"method", "ties", "scope", "judge", "system", "segments"}
        assert all(kept in (True, False, None) for kept in pair["survives"].values())
    assert document["lines"][0]["above"] == order[: len(document["lines"][0]["above"])]


def test_claim_answers_with_the_fields_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_, last = (s["system"] for s in answer(capsys, "rank", *WORDS)["systems"])
    sure = answer(capsys, "what-if", *WORDS, "--better", first, "--worse", last)
    assert sure["verdict"] == "supported"
    assert sure["interval"][0] > 0
    assert sure["needed"] == {}
    assert answer(capsys, "what-if", *WORDS, "--better", last, "--worse", first)["verdict"] == (
        "contradicted"
    )
    near = answer(capsys, "what-if", *WORDS, "--better", first, "--worse", second)
    assert near["verdict"] == "open"
    assert near["interval"][0] < 0 < near["interval"][1]
    assert set(near["needed"]) == {"judgments", "segments", "judges", "all"}
    assert len(near["evidence"]) >= 4


def test_a_claim_about_nobody_costs_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "what-if", *WORDS, "--better", "nobody", "--worse", "ONLINE-B")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "nobody" in err
