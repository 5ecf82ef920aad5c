"""Small files and flags of an attack that ended in a traceback, a warning or a refusal: no more."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.cli import main

ARENA = str(Path(__file__).parents[2] / "data" / "examples" / "arena.csv")
EFFORT = ("--trials", "2", "--runs", "5")


def votes(names: tuple[str, ...], n: int = 60) -> str:
    """Return votes in which the earlier of two names wins more often."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["question_id", "model_a", "model_b", "winner", "judge"])
    for k in range(n):
        a, b = names[k % len(names)], names[(k + 1 + k // 9 % 2) % len(names)]
        winner = ("model_a", "tie", "model_b")[(k * k + k // 4) % 3]
        writer.writerow([f"q{k}", a, b, winner, f"j{k % 3}"])
    return text.getvalue()


COMMENTS = "system,segment,judge,score,comment\n" + "".join(
    f'{name},{k},j,{(37 * k + 9 * (name == "a")) % 101},"l1\nl2"\n'
    for k in range(9)
    for name in "ab"
)
ALL_TIES = "".join(
    f'<ranking-result source-language="en" id="none" target-language="en"><ranking-item id="{k}" '
    'doc-id="none" duration="00:00:30.8" user="u">'
    + "".join(f'<translation system="s{(k + s) % 5}" rank="2"/>' for s in range(4))
    + "</ranking-item></ranking-result>"
    for k in range(12)
)
FILES = {
    "matrix.csv": "ties,oak,elm,ash,fir\noak,,12,9,7\nelm,12,,15,14\nash,9,15,,17\nfir,7,14,17,\n",
    "comments.csv": COMMENTS,
    "ties.xml": f"<appraise-results>{ALL_TIES}</appraise-results>",
    "beside.csv": "model_a,model_b,wins_a,wins_b,ties\na,b,3000,0,0\na,c,0,3000,0\n",
    "two.csv": votes(("fox", "owl")),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds the files, and in which commands run."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("research grow two.csv --of clusters --exclude-system owl --methods expected-wins "
         "--sizes 10", 2),
        ("research noise matrix.csv --noise labels --shares 1 --sizes 10", 0),
        ("plan ties.xml --method trueskill", 2),
        ("rank ties.xml --method hopkins-may --pairs", 0),
        ("summary comments.csv", 0),
        ("rank comments.csv", 0),
        ("llm-judges beside.csv --judge m=beside.csv", 0),
        (f"plan {ARENA} --method trueskill --engine package --selection shuffled", 0),
    ],
)  # fmt: skip
def test_what_was_attacked_answers_or_is_refused_in_words(
    line: str, code: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = line.split()
    assert main([*words, *(EFFORT if words[0] == "research" else ())]) == code, line
    out, err = capsys.readouterr()
    assert not {"nan", "Traceback", "Warning"} & {*out.split(), *err.split()}
    refusals = [line for line in err.splitlines() if line.startswith("podium ")]
    assert (refusals and len(refusals[0]) < 500) if code else out


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\uffff"])
def test_names_that_no_xml_holds_still_give_an_archive(name: str, folder: Path) -> None:
    (folder / "x.csv").write_text(votes((name, "b", "c")), encoding="utf-8")
    words = ["--all-pairs", "--method", "expected-wins", "--runs", "20", "-o", "x.zip"]
    assert main(["rank", "x.csv", *words]) == 0
    with zipfile.ZipFile("x.zip") as archive:
        (picture,) = (one for one in archive.namelist() if one.endswith("/standings.svg"))
        assert ElementTree.fromstring(archive.read(picture)).tag.endswith("svg")


def test_a_number_too_large_is_not_told_as_memory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def overflow(*_: object) -> int:
        raise OverflowError

    monkeypatch.setattr("analysis.cli._run", overflow)
    assert main(["rank", ARENA]) == 2
    assert capsys.readouterr().err == "podium rank: a number is too large to compute with.\n"
