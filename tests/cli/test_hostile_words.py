"""Words and settings that ended in a traceback once."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli import main

ARENA = str(Path(__file__).parents[2] / "data" / "examples" / "arena.csv")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rank", ARENA, "--judges=--"], "--judges: got '--'"),
        (["rank", ARENA, "--exclude-judges=--"], "--exclude-judges: got '--'"),
        (["summary", ARENA, "--pair=--"], "--pair: got '--'"),
    ],
)
def test_two_dashes_are_no_value(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_an_absurd_tie_margin_ranks_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rank", ARENA, "--method", "trueskill", "--epsilon", "1000"]) == 0
    assert "trueskill" in capsys.readouterr().out.lower()
