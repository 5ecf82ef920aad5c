"""What README and documentation show is what Podium does."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import jsonschema
import pytest

from analysis.cli import main
from analysis.cli.commands import listed
from analysis.cli.parser import parser_of
from analysis.formats import FORMATS
from analysis.formats.writing import WRITABLE
from tests.command_line import answer
from tests.docs import methods

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
SCHEMA = json.loads((DOCS / "podium.schema.json").read_text(encoding="utf-8"))


def blocks(text: str, kind: str = "") -> list[str]:
    """Return the code blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.+?)^```", text, re.MULTILINE | re.DOTALL)


def lines_of_podium(text: str) -> list[str]:
    """Return what is to be typed after ``podium``, line by line, without comments."""
    lines = [line for block in blocks(text) for line in block.splitlines()]
    return [
        re.split(r" +#", line)[0].removeprefix("$ ").removeprefix("podium ")
        for line in lines
        if re.match(r"(\$ )?podium ", line)
    ]


def test_the_readme_is_short() -> None:
    assert len(README.encode()) <= 7_000


def test_every_linked_file_exists() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []
    linked = {name: re.findall(r"\]\((?!https?:)([^)#]+)\)", text) for name, text in PAGES.items()}
    assert [(n, t) for n, found in linked.items() for t in found if not (DOCS / t).exists()] == []


@pytest.mark.parametrize("name", ["README.md", *PAGES])
def test_every_command_shown_is_understood(name: str) -> None:
    text = README if name == "README.md" else PAGES[name]
    for line in lines_of_podium(text):
        words = shlex.split(line)
        if words[0].startswith("-") or words[0] == "completion":
            continue
        length = 2 if words[0] == "research" else 1
        command = listed()[" ".join(words[:length])]
        parser_of(command, words[length:]).parse_args(words[length:])


def test_the_python_shown_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = blocks(README, "python")
    monkeypatch.chdir(ROOT)
    exec(source.replace("from podium", "from analysis"), {})
    printed = capsys.readouterr().out
    assert "rank_best" in printed
    assert "method:expected-wins" in printed


def test_the_answer_shown_is_the_answer_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(r"^\$ podium (.+)\n((?:.+\n)+?)```", README, re.MULTILINE)
    assert shown
    for words, expected in shown:
        assert main(words.split()) == 0
        printed = capsys.readouterr().out
        assert [line.rstrip() for line in printed.splitlines()] == expected.splitlines()


def test_every_format_is_listed() -> None:
    text = " ".join(PAGES["formats.md"].split()).casefold()
    assert [one.in_words for one in FORMATS.values() if one.in_words.casefold() not in text] == []
    assert all(f"`{name}`" in text for name in WRITABLE)


def test_the_page_of_methods_is_what_methods_say() -> None:
    """After a change of a method's words: python -m tests.docs.methods."""
    assert PAGES["methods.md"] == methods.as_markdown()


@pytest.mark.slow
def test_the_tutorial_runs_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = {}
    for line in lines_of_podium(PAGES["tutorial.md"]):
        assert main(shlex.split(line)) == 0, line
        printed[line] = capsys.readouterr().out
    assert len(printed) >= 12
    assert "gpt-4 wins; at least" in printed["rank sample:arena-people"]
    by_wins = printed["rank sample:wmt14-cs-en --method expected-wins"]
    assert "ONLINE-B or UEDIN-PHRASE could be best" in by_wins
    assert (tmp_path / "arena.html").stat().st_size > 10_000
    (source,) = blocks(PAGES["tutorial.md"], "python")
    exec(source.replace("from podium", "from analysis"), {})
    assert "('ONLINE-B', 'UEDIN-PHRASE')" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("sample:wmt14-cs-en", "--method", "expected-wins"),
        ("sample:wmt14-cs-en", "--method", "bojar", "--unit", "task", "--resamples", "20"),
        ("sample:wmt14-cs-en", "--method", "bojar", "--equal-within", "0.2"),
        ("data/examples/scores.csv",),
        ("sample:wmt14-cs-en", "--method", "elo", "--resamples", "20"),
    ],
)
def test_json_is_what_the_schema_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(ROOT)
    document = answer(capsys, "rank", *words)
    jsonschema.validate(document, SCHEMA)
    assert {*SCHEMA["required"]} <= document.keys() <= SCHEMA["properties"].keys()
    for key in document:
        assert f"`{key}`" in PAGES["json.md"] or f"`{key}[]`" in PAGES["json.md"]


CLAIM = ("--better", "ONLINE-B", "--worse", "CU-MOSES")
SAMPLE = "sample:wmt14-cs-en"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("summary", ("summary", SAMPLE)),
        ("agreement", ("agreement", SAMPLE, "--resamples", "10")),
        ("judges", ("judges", SAMPLE)),
        ("what_if", ("what-if", SAMPLE, "--method", "bojar")),
        ("claim", ("what-if", SAMPLE, "--method", "bojar", *CLAIM)),
        ("plan", ("plan", SAMPLE, "--method", "bojar")),
        (
            "design",
            ("plan", "--effect", ".1", "--judges", "5", "--segments", "20", "--systems", "4"),
        ),
        ("batch", ("batch", SAMPLE, "--method", "bojar", "--tasks", "2")),
        ("diff", ("diff", SAMPLE, SAMPLE, "--method", "bojar")),
        ("compare", ("compare", SAMPLE, "--methods", "bojar,expected-wins")),
    ],
)
def test_every_command_s_json_is_what_the_schema_and_the_page_say(
    capsys: pytest.CaptureFixture[str], name: str, words: tuple[str, ...]
) -> None:
    document = answer(capsys, *words)
    of_each = document if isinstance(document, list) else [document]
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    for one in of_each:
        jsonschema.validate(one, schema)
        assert sorted(one) == sorted(SCHEMA["$defs"][name]["required"])
    assert all(f"`{key}`" in PAGES["json.md"] for key in of_each[0])
