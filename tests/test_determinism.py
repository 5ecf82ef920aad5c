"""The same seed, the same bytes: every command, for 1, 2 and 4 workers and any order of sets.

What rankers give is tested in `tests/ranking/test_same_bytes.py`; here is what people get. And the
dashboard: pages in any order show the same, and what the commands answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import pandas as pd
import pytest

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.cli.commands import listed
from analysis.extras.procedures.registry import PROCEDURES
from analysis.formats import read_path
from analysis.samples import sample_campaign
from dashboard import compute
from dashboard.session import state
from tests.opening import open_address, with_upload

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = "sample:wmt14-cs-en"
QUICK = "expected-wins,bradley-terry,elo"
OUT = "OUT"
"""Stands for a file that a command writes; its bytes count, too."""

ON_CAMPAIGN: dict[str, list[str]] = {
    "summary": [],
    "rank": ["--method", "elo", "--unit", "task", "--resamples", "60"],
    "rank --pairs": ["--method", "playoffs", "--tournaments", "50", "--resamples", "60"],
    "rank --all-pairs": ["--unit", "judgment", "--resamples", "60"],
    "compare": ["--methods", QUICK, "--resamples", "60"],
    "what-if": ["--method", "bradley-terry"],
    "what-if --better ONLINE-B --worse CU-MOSES": ["--method", "elo", "--resamples", "60"],
    "agreement": ["--resamples", "60"],
    "research validate": ["--methods", QUICK, "--folds", "3"],
    "research curve": ["--methods", QUICK, "--sizes", "100,200", "--trials", "2"],
    "research grow": [
        *("--methods", "expected-wins", "--sizes", "100,200", "--trials", "2"),
        *("--runs", "20"),
    ],
    "judges": [],
    "research segments": [],
    "research claims": [],
    "report": ["-o", OUT, "--force", "--method", "elo", "--resamples", "60"],
    "plan": [],
    "batch": ["--tasks", "5"],
    "research noise": ["--shares", "0,.5", "--sizes", "400", "--trials", "2", "--runs", "20"],
    "convert": ["--to", "arena", "-o", OUT, "--force"],
}
"""Words beside the campaign, the seed and the segments, cut down to what takes a moment."""

OF_THEIR_OWN: dict[str, list[str]] = {
    "research simulate": [
        *("--study", "rank-ranges", "--experiments", "3", "--judgments", "500"),
        *("--resamples", "20", "--seed", "11", "--json"),
    ],
    "diff": [
        *(SAMPLE, SAMPLE, "--method", "elo", "--resamples", "60"),
        *("--segments", "1-60", "--seed", "11", "--json"),
    ],
    "slices": ["sample:mqm-ted", "--seed", "11", "--json"],
    "slices --adjust-for position": [
        *("sample:arena-people", "--segments", "1-2000", "--seed", "11", "--json"),
    ],
    "llm-judges": ["sample:arena-people", "--labels", "500", "--seed", "11", "--json"],
    "metrics": [
        *(f"{ROOT}/data/examples/scores.csv", f"{ROOT}/data/examples/metrics/metrics.csv"),
        *("--seed", "11", "--json"),
    ],
    "research replicate": ["--only", "koehn-clusters", "--json"],
}

SCORES = f"{ROOT}/data/examples/scores.csv"

OTHER_WORDS: dict[str, list[str]] = {
    **{f"rank by {name}": ["rank", SCORES, "--procedure", name, "--json"] for name in PROCEDURES},
    "rank by means": ["rank", SCORES, "--method", "mean", "--ranges", "marginal",
                      "--unit", "task", "--resamples", "60", "--seed", "11", "--json"],
    "rank of a slice": ["rank", SCORES, "--slice", "domain=news", "--method", "elo",
                        "--unit", "judgment", "--resamples", "60", "--seed", "11", "--json"],
    "agreement of scores": ["agreement", SCORES, "--resamples", "60", "--seed", "11", "--json"],
    "convert to scores": ["convert", SCORES, "--to", "scores", "-o", OUT, "--force"],
}  # fmt: skip
"""What commands do of another kind when they are asked otherwise, or are given scores."""

EXEMPT = {
    "scores": "reads no judgments; tests/extras/scores asks the same of it",
    "dashboard": "starts a server",
    "verify": "reads archives; tests/cli asks whether the same archive verifies",
}

NO_SEED = {"summary", "convert"}
"""Commands that take no seed, or no segments."""


def words_of(command: str, out: Path) -> list[str]:
    """Return all words of a command."""
    if command in OTHER_WORDS:
        words = OTHER_WORDS[command]
    elif command in OF_THEIR_OWN:
        words = [*command.split(), *OF_THEIR_OWN[command]]
    else:
        words = [*command.split(), SAMPLE, *ON_CAMPAIGN[command]]
        if command not in NO_SEED:
            words += ["--seed", "11", "--segments", "1-60"]
        if OUT not in words:
            words.append("--json")
    return [str(out) if word == OUT else word for word in words]


def digest(command: str, workers: int) -> str:
    """Run a command by so many workers and sum up what it prints and writes."""
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        with mock.patch("os.cpu_count", return_value=workers), contextlib.redirect_stdout(printed):
            code = main(words_of(command, out))
        if code != 0 or not (printed.getvalue() or out.exists()):
            raise AssertionError(f"{command} did not answer")
        written = out.read_bytes() if out.exists() else b""
    told = printed.getvalue().replace(str(folder), "")
    return hashlib.sha256(told.encode() + written).hexdigest()


def digests(workers: int) -> dict[str, str]:
    return {
        command: digest(command, workers) for command in [*ON_CAMPAIGN, *OF_THEIR_OWN, *OTHER_WORDS]
    }


def test_every_command_is_here() -> None:
    named = {name.partition(" --")[0] for name in (*ON_CAMPAIGN, *OF_THEIR_OWN, *EXEMPT)}
    assert named == set(listed())


@pytest.mark.slow
def test_every_commands_bytes_depend_on_the_seed_alone() -> None:
    """By two and four workers here, and by one in a process whose sets have another order."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.test_determinism"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        stdout=subprocess.PIPE,
        text=True,
    )
    two, four = digests(2), digests(4)
    one = json.loads(process.communicate()[0].splitlines()[-1])
    for command, bytes_ in two.items():
        assert bytes_ == four[command], f"{command}: the number of workers shows"
        assert bytes_ == one[command], f"{command}: the order of Python's sets shows"


def test_another_seed_gives_another_answer(capsys: pytest.CaptureFixture[str]) -> None:
    def told_by(words: list[str]) -> dict[str, Any]:
        """Return what a command answers, but its signature, which names the seed."""
        assert main(words) == 0
        found = json.loads(capsys.readouterr().out)
        return {key: value for key, value in found.items() if key != "signature"}

    words = [*words_of("rank", Path("out")), "--ranges", "marginal"]
    other = ["12" if word == "11" else word for word in words]
    assert told_by(words) == told_by(words)
    assert told_by(words) != told_by(other)


# --- pages ---------------------------------------------------------------------------------------

PAGES = ("result", "agreement", "what-if", "next")
OF_SCORES = ("result", "all-pairs", "what-if", "agreement", "breakdown", "data")


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def visited(campaign: Campaign, addresses: tuple[str, ...]) -> dict[str, list[pd.DataFrame]]:
    """Return the tables of pages that one session opens in this order."""
    session = with_upload(campaign)
    tables = {}
    for address in addresses:
        session.wanted[state.CAMPAIGN] = state.UPLOADED  # as the browser's link has it
        app = open_address(address, session)
        assert not app.exception, address
        tables[address] = [table.value for table in app.dataframe]
        session = app.session_state["podium"]
    return tables


def told(*words: str) -> Any:
    """Return the answer of a command for the one language pair."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main([*words, "--json"]) == 0
    found = json.loads(printed.getvalue())
    return found[0] if isinstance(found, list) else found


def same_in_any_order(campaign: Campaign, pages: tuple[str, ...]) -> dict[str, list[pd.DataFrame]]:
    """Return the tables of pages, which are the same there and back."""
    there, back = visited(campaign, pages), visited(campaign, pages[::-1])
    for address in pages:
        assert there[address], address
        for table, again in zip(there[address], back[address], strict=True):
            pd.testing.assert_frame_equal(table, again, check_exact=True)
    return there


def test_pages_of_scores_show_the_same_in_any_order() -> None:
    same_in_any_order(read_path(SCORES)[0], OF_SCORES)


def test_pages_show_the_same_in_any_order_and_what_the_commands_answer() -> None:
    there = same_in_any_order(sample_campaign("wmt14-cs-en"), PAGES)
    ranked = told("rank", SAMPLE)
    shown = there["result"][0]
    assert list(shown["system"]) == [row["system"] for row in ranked["systems"]]
    assert shown["score"].tolist() == [row["score"] for row in ranked["systems"]]
    agreed = told("agreement", SAMPLE)
    app = open_address("agreement", campaign="WMT14 Czech–English", agreement__agreement="true")
    other = next(t.value for t in app.dataframe if "measure" in t.value.columns)
    assert other["low"].tolist() == [measure["ci_low"] for measure in agreed["others"].values()]


if __name__ == "__main__":
    print(json.dumps(digests(1)))
