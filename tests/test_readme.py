"""The README stays true: what it lists exists, and what it shows is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.cli import COMMANDS, main
from analysis.formats import FORMATS
from analysis.formats.writing import WRITABLE
from analysis.prediction.models import MODELS
from analysis.rankers import RANKERS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_method_is_listed_with_its_sentence_and_none_besides() -> None:
    listed = dict(re.findall(r"^\| `([\w-]+)` \| (.+?) \|", section("Methods"), re.MULTILINE))
    known = {**MODELS, **RANKERS}
    assert listed == {name: method.sentence for name, method in known.items()}


def test_every_command_is_listed_and_none_besides() -> None:
    listed = set(re.findall(r"`([\w-]+)`", section("What it answers").split("```")[0]))
    assert listed == set(COMMANDS)


def test_every_format_is_listed() -> None:
    text = " ".join(section("What it reads").split())
    missing = [f.in_words for f in FORMATS.values() if f.in_words.casefold() not in text.casefold()]
    assert missing == []
    assert re.findall(r"`([\w-]+)`", text) == ["convert", *WRITABLE]


def test_every_linked_file_exists() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_python_shown_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = re.findall(r"^```python\n(.+?)```", README, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(source, {})
    printed = capsys.readouterr().out
    assert "rank_low" in printed
    assert "method:expected-wins" in printed


def test_the_answer_shown_is_the_answer_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(r"^\$ python -m analysis (.+)\n((?:.+\n)+?)```", README, re.MULTILINE)
    assert shown
    for words, answer in shown:
        assert main(words.split()) == 0
        printed = capsys.readouterr().out
        assert [line.rstrip() for line in printed.splitlines()] == answer.splitlines()
