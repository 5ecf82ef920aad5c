"""``stability`` and ``claim`` keep their contracts."""

from __future__ import annotations

import itertools

import pytest

from tests.command_line import answer

SAMPLE = "sample:wmt14-cs-en"
WORDS = (SAMPLE, "--method", "expected-wins")


def test_stability_answers_with_the_fields_of_the_contract(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "stability", *WORDS)
    order = [system["system"] for system in answer(capsys, "rank", *WORDS)["systems"]]
    pairs = [(pair["a"], pair["b"]) for pair in document["neighbors"]]
    assert pairs == list(itertools.pairwise(order))
    for pair in document["neighbors"]:
        assert set(pair["survives"]) == {"method", "ties", "target", "judge", "system", "segments"}
        assert all(kept in (True, False, None) for kept in pair["survives"].values())
    assert document["lines"][0]["above"] == order[: len(document["lines"][0]["above"])]
