"""Several files on the command line are one campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli.commands import listed
from analysis.cli.parser import parser_of
from analysis.formats import read_path
from tests.command_line import answer, run

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
FIVE_WAY = "segmentId,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"


@pytest.fixture
def halves(tmp_path: Path) -> list[str]:
    """A campaign in two files."""
    paths = []
    for k, rows in enumerate((["1,ann,a,b,c,1,2,3", "2,ann,b,c,a,2,3,1"], ["3,bob,a,b,c,1,1,2"])):
        path = tmp_path / f"part{k}.csv"
        path.write_text(FIVE_WAY + "\n".join(rows) + "\n")
        paths.append(str(path))
    return paths


def test_several_files_are_one_campaign(
    capsys: pytest.CaptureFixture[str], halves: list[str]
) -> None:
    (document,) = answer(capsys, "summary", *halves)
    assert (document["tasks"], document["judges"]) == (3, 2)
    together = answer(capsys, "rank", *halves, "--method", "bojar")
    assert together["judgments"] == 9
    assert read_path(*halves)[0].fingerprint in together["signature"]


def test_a_sample_is_read_alone(capsys: pytest.CaptureFixture[str], halves: list[str]) -> None:
    code, _, error = run(capsys, "summary", halves[0], "sample:wmt14-cs-en")
    assert code == 2
    assert "a campaign of its own" in error


def test_a_file_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], halves: list[str]
) -> None:
    code, _, error = run(capsys, "summary", halves[0], "nowhere.csv")
    assert code == 2
    assert "nowhere.csv" in error


@pytest.mark.parametrize(
    "name",
    sorted(
        {*listed()}
        - {"diff", "dashboard", "llm-judges", "metrics", "scores", "verify"}
        - {"research replicate", "research simulate"}
    ),
)
def test_every_command_takes_several_files(name: str) -> None:
    """Those left out have files of several kinds, or none."""
    parser = parser_of(listed()[name], [])
    files = next(action for action in parser._actions if action.dest == "files")
    assert files.nargs in ("+", "*")
