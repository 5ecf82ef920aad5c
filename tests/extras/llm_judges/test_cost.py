"""What votes on one question cost: memory grows with the votes, not with their square."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
VOTES, LARGEST = 60_000, 1_000
"""Votes on one question, and the megabytes that a command may take for them."""
RUN = """
import sys
from pathlib import Path
from analysis.cli import main
code = main(sys.argv[1:])
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(status["VmHWM"].split()[0], file=sys.stderr)
sys.exit(code)
"""
"""Runs a command and tells the most memory it held; what a parent learns counts its own too."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
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
    line = [sys.executable, "-c", RUN, command, str(file), *flags]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == code, done.stderr  # no judge of batch has an output left to see
    assert int(done.stderr.split()[-1]) / 1024 < LARGEST
