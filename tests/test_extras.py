"""An extra can be deleted: without its folders the core works, and nothing mentions the extra."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations, count, permutations
from math import comb
from pathlib import Path

import pytest

from analysis.registry import FOLDER, Extra, manifests
from dashboard.registry import FOLDER as PAGES_FOLDER
from dashboard.registry import Brings

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(p.parent.name for p in (ROOT / "analysis" / "extras").glob("*/__init__.py"))


def without(extras: list[str], to: Path) -> Path:
    """Copy the product without some extras, compiled kernels and all."""
    for top in ("analysis", "dashboard", "tests", "data", ".streamlit"):
        gone = {str(ROOT / top / "extras" / name) for name in extras}
        shutil.copytree(
            ROOT / top,
            to / top,
            ignore=lambda folder, names, gone=gone: [  # type: ignore[misc]
                name for name in names if f"{folder}/{name}" in gone
            ],
        )
    return to


def smoke_of(folder: Path) -> dict[str, str]:
    """Run the core's smoke suite in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.smoke"],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return said


def traces_of(name: str) -> dict[str, str]:
    """Return by what an extra would show: a pattern for each trace, by what it is."""
    extra = dict(zip(NAMES, manifests(FOLDER, "EXTRA"), strict=True))[name]
    assert isinstance(extra, Extra)
    commands = [re.escape(command.name) for command in extra.commands]
    traces = {f"command {word}": rf"(?m)^ +{word}  |podium {word}\b" for word in commands}
    folders = sorted(p.parent.name for p in (ROOT / "dashboard/extras").glob("*/__init__.py"))
    brings = dict(zip(folders, manifests(PAGES_FOLDER, "BRINGS"), strict=True)).get(name)
    if isinstance(brings, Brings):
        traces |= {f"link {p.address}": rf"\b{p.address}\?" for p in brings.pages}
        modules = (importlib.import_module(module) for module in brings.sections.values())
        titles = [title for one in modules if " " in (title := getattr(one, "TITLE", ""))]
        traces |= {f"section {title}": re.escape(title) for title in titles}
    flags = {"procedures": "--procedure", "dask": "--(cluster|dask)"}
    return traces | ({"flag": rf"{flags[name]}\b"} if name in flags else {})


def mentions(said: dict[str, str], names: list[str]) -> list[str]:
    """Return what in the core's help texts, answers and pages mentions one of some extras."""
    return [
        f"{key} mentions {name}: {what}"
        for name in names
        for what, pattern in traces_of(name).items()
        for key, text in said.items()
        if re.search(pattern, text)
    ]


def test_every_extra_is_found_in_both_folders() -> None:
    assert len(NAMES) == len(manifests(FOLDER, "EXTRA")) >= 8
    assert {p.parent.name for p in (ROOT / "dashboard/extras").glob("*/__init__.py")} <= {*NAMES}


def test_the_core_works_without_any_extra_and_mentions_none(tmp_path: Path) -> None:
    said = smoke_of(without(NAMES, tmp_path))
    assert mentions(said, NAMES) == []


def shares() -> list[list[str]]:
    """Return overlapping shares of the extras, each extra in two, no two in the same two.

    So of any two extras a share holds the first without the second: with the second at hand, the
    product must work without the first.
    """
    n = next(n for n in count(2) if comb(n, 2) >= len(NAMES))
    places = list(combinations(range(n), 2))
    return [
        [name for name, own in zip(NAMES, places, strict=False) if place in own]
        for place in range(n)
    ]


def test_of_any_two_extras_a_share_holds_the_first_alone() -> None:
    for one, other in permutations(NAMES, 2):
        assert any(one in share and other not in share for share in shares())


@pytest.mark.slow
@pytest.mark.parametrize("gone", shares(), ids=", ".join)
def test_extras_can_be_deleted_and_the_others_work(gone: list[str], tmp_path: Path) -> None:
    said = smoke_of(without(gone, tmp_path))
    assert mentions(said, gone) == []


def test_a_trace_is_seen() -> None:
    assert mentions({"--help": "  slices   standings by part"}, ["slices"])
    assert mentions({"page what-if": "See Before and after."}, ["snapshots"])
    assert mentions({"rank --help": "[--procedure NAME]"}, ["procedures"])
