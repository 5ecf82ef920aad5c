"""The command ``machine``: its contract, its refusals, and files of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import main

HEADER = "model_a,model_b,winner,judge,question_id"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["llm-judges", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Votes of people on every second question, and a machine's on all, from both sides."""
    human, machine = [HEADER], [HEADER]
    names = "abc"
    for q in range(90):
        a, b = names[q % 3], names[(q + 1) % 3]
        winner = ("model_a", "model_b", "tie", "model_a")[(q * 7 + q // 9) % 4]
        if q % 2:
            human.append(f"{a},{b},{winner},ann{q % 3},{q}")
        machine.append(f"{b},{a},{'model_b' if q % 5 else 'model_a'},m,{q}")
    paths = tmp_path / "human.csv", tmp_path / "machine.csv"
    for path, rows in zip(paths, (human, machine), strict=True):
        path.write_text("\n".join([*rows, ""]))
    return str(paths[0]), str(paths[1])


def test_a_sample_brings_its_machines_and_the_contract_is_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = run(capsys, "sample:arena-people", "--labels", "1000")
    by_name = {row["judge"]: row for row in answer["judges"]}
    assert list(by_name) == ["gpt-4-0125-preview", "claude-3-opus-20240229", "gpt-3.5-turbo"]
    for row in by_name.values():
        assert {"kappa", "agreement", "decided_agreement", "first_shown", "n"} <= row.keys()
    assert round(by_name["gpt-3.5-turbo"]["first_shown"], 3) == 0.863
    standing = answer["standings"][0]
    assert standing["labels"] == 1000
    assert 0.88 < standing["se_ratio"] < 0.94
    assert len(standing["systems"]) == 20
    first = standing["systems"][0]
    assert first["ci_low"] < first["score"] < first["ci_high"]
    assert {"score_human", "score_llm", "rank_best", "cluster"} <= first.keys()


def test_files_are_named_and_standings_wait_for_a_stated_random_share(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    human, machine = files
    answer = run(capsys, human, "--judge", f"m={machine}")
    (judge,) = answer["judges"]
    assert judge["n"] == 45
    (standing,) = answer["standings"]
    assert "no file states that" in standing["refused"]
    stated = run(capsys, human, "--judge", f"m={machine}", "--random-share")
    assert stated["standings"][0]["items"] == 90
    assert len(stated["standings"][0]["systems"]) == 3


def test_a_table_for_people_says_what_was_found(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    human, machine = files
    assert main(["llm-judges", human, "--judge", f"m={machine}", "--random-share"]) == 0
    printed = capsys.readouterr().out
    assert "kappa_low" in printed
    assert "votes on 90 items have weight" in printed


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no LLM judge is given"),
        (("--judge", "nobody"), "'nobody' is not a judge of"),
        (("--judge", "m="), "is not a name and a file"),
        (("--judge", "m=missing.csv"), "missing.csv"),
    ],
)
def test_what_is_missing_is_told(
    files: tuple[str, str],
    words: tuple[str, ...],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["llm-judges", files[0], *words]) == 2
    assert told in capsys.readouterr().err


def test_a_judge_of_the_file_itself_may_be_the_machine(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    human, machine = (Path(path) for path in files)
    both = human.with_name("both.csv")
    both.write_text(human.read_text() + machine.read_text().split("\n", 1)[1])
    answer = run(capsys, str(both), "--judge", "m")
    assert answer["judges"][0]["n"] == 45
