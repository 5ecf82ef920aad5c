"""``rank --all-pairs`` ranks all language pairs and writes each as it comes."""

from __future__ import annotations

import json
import shlex
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from analysis.formats.writing import write
from tests.building import CampaignBuilder
from tests.command_line import answer, run
from tests.comparing.test_language_pairs import tasks


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 120, seed=1)
    tasks(builder, "fr-en", "abc", 120, seed=2)
    path = tmp_path_factory.mktemp("whole") / "two.csv"
    path.write_bytes(write(builder.build(), "wmt-2way"))
    return str(path)


def test_the_answer_has_a_line_for_each_pair_with_its_ranking(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(capsys, "rank", file, "--all-pairs", "--method", "expected-wins")
    assert len(found) == 2
    for line in found:
        alone = answer(
            capsys, "rank", file, "--method", "expected-wins", "--lang-pair", line["lang_pair"]
        )
        assert line["ranking"] == alone
        assert line["open"] == len(line["open_neighbors"])
        assert line["leaders"][0] == alone["systems"][0]["system"]


def test_the_folder_holds_every_pair_and_the_whole_and_is_the_same_again(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("rank", file, "--all-pairs", "--method", "expected-wins", "-o")
    one, two = tmp_path / "one", tmp_path / "two"
    assert run(capsys, *words, str(one))[0] == 0
    assert run(capsys, *words, str(two))[0] == 0
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    names = [str(name) for name in files]
    assert {"campaign.csv", "campaign.json", "campaign.tex", "campaign.html"} < {*names}
    assert {"tables.xlsx", "kappa.typ", "cs-en/ranking.tex", "cs-en/standings.png"} < {*names}
    assert len([name for name in names if name.endswith(".json")]) == 4
    for name in names:
        same = (one / name).read_bytes() == (two / name).read_bytes()
        assert same or name == "made.json", name
    table = pd.read_csv(one / "campaign.csv")
    assert len(table) == 2
    assert len(json.loads((one / "campaign.json").read_text())) == 2
    assert "<script" not in (one / "campaign.html").read_text()


def test_a_folder_with_results_is_not_overwritten_unless_told_to(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("rank", file, "--all-pairs", "--method", "expected-wins", "-o", str(tmp_path))
    assert run(capsys, *words)[0] == 0
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "--force" in err
    assert run(capsys, *words, "--force")[0] == 0


def test_the_archive_s_own_command_makes_it_again_byte_for_byte(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("rank", file, "--all-pairs", "--method", "bradley-terry", "--prior=2.5", "--seed", "3")
    assert run(capsys, *words, "-o", "all.zip")[0] == 0
    first = Path("all.zip").read_bytes()
    with zipfile.ZipFile("all.zip") as archive:
        made = json.loads(archive.read("made.json"))
        assert {*made["files"]} < {*archive.namelist()}
    assert made["certainty"]["seed"] == 3
    again = shlex.split(made["command"])
    assert again[0] == "podium"
    assert run(capsys, *again[1:], "--force")[0] == 0
    assert Path("all.zip").read_bytes() == first


def test_one_pair_is_asked_of_another_command(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "rank", file, "--all-pairs", "--lang-pair", "cs-en")
    assert code == 2
    assert "rank" in err


def test_the_old_name_ranks_all_pairs_too(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = (file, "--method", "expected-wins", "--json")
    code, out, err = run(capsys, "campaign", *words)
    assert (code, out) == run(capsys, "rank", *words, "--all-pairs")[:2]
    assert "is now: podium rank --all-pairs" in err
    assert run(capsys, "campaign", *words, "--lang-pair", "cs-en")[0] == 2
