"""What votes on one question cost: memory grows with the votes, not with their square."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
VOTES, LARGEST = 60_000, 1_000
"""Votes on one question, and the megabytes that a command may take for them."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ru_maxrss is in other units")
@pytest.mark.parametrize(("command", "code"), [("llm-judges", 0), ("batch", 2)])
def test_many_votes_on_one_question_take_little_memory(
    command: str, code: int, tmp_path: Path
) -> None:
    file = tmp_path / "votes.csv"
    names = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]
    rows = [
        f"q,{names[k % 4][0]},{names[k % 4][1]},{('model_a', 'tie', 'model_b')[k % 3]},j{k}"
        for k in range(VOTES)
    ]
    file.write_text("\n".join(["question_id,model_a,model_b,winner,judge", *rows, ""]))
    flags = ["--judge", f"m={file}"] if command == "llm-judges" else ["--tasks", "5"]
    line = [sys.executable, "-m", "analysis", command, str(file), *flags]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, cwd=ROOT) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == code  # no judge of batch has an output left to see
    assert used.ru_maxrss / 1024 < LARGEST
