"""How tests call the command line: in this process, with what it printed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command; return its exit code, its answer and what it told beside."""
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Run a command that must succeed; return its JSON."""
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)
