"""--preset NAME: one flag sets what belongs together, flags given win, the rest is refused."""

from __future__ import annotations

import pytest

from analysis.presets import PRESETS
from tests.command_line import answer, run

SAMPLE, SMALL = "sample:wmt14-cs-en", "data/examples/hm13-four-systems.csv"

SIGNED = {
    "recommended": ("bradley-terry", ["scope:new", "level:.95"]),
    "quick": ("expected-wins", ["scope:new"]),
    "wmt13": ("expected-wins", ["resample:judgment", "runs:1000"]),
    "wmt14": ("trueskill", ["selection:shuffled", "resample:judgment", "runs:1000"]),
    "wmt15": ("trueskill", ["selection:active", "resample:none", "runs:1000"]),
    "wmt16": ("trueskill", ["selection:active", "resample:judgment", "runs:1000"]),
    "hm13": ("hopkins-may", ["d:.4", "fit:gibbs-items", "it:200", "burn:50", "σa:.5"]),
    "spv14": ("trueskill", ["zone:one-sided", "βN:printed", "ε:.25", "resample:none", "runs:100"]),
    "spv14-reproduced": ("trueskill", ["zone:one-sided", "resample:none", "runs:100"]),
    "k12": ("expected-wins", ["resample:judgment", "runs:1000"]),
    "o16": ("graded-response", ["nodes:21", "quadrature:printed", "τ:1.41421"]),
}


def test_every_preset_is_tested_here() -> None:
    assert set(SIGNED) == set(PRESETS)


@pytest.mark.parametrize("name", SIGNED)
def test_a_preset_sets_method_settings_and_ranges_at_once(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    method, parts = SIGNED[name]
    few = ("--runs", "10") if method == "graded-response" else ()
    document = answer(capsys, "rank", SMALL, "--preset", name, *few)
    assert document["method"] == method
    told = document["signature"].split("|")
    assert [part for part in parts if part not in told] == []


def test_flags_given_win_over_the_preset(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", SMALL, "--preset", "wmt14")
    fewer = answer(capsys, *words, "--runs", "50", "--selection", "active")
    assert fewer["resamples"] == 50
    assert "selection:active" in fewer["signature"]
    task = answer(capsys, *words, "--resample", "task", "--runs", "20")
    assert "resample:task" in task["signature"]
    honest = answer(capsys, *words, "--ranges", "simultaneous", "--method", "expected-wins")
    assert honest["ranges"] == "simultaneous"
    assert "scope:new" in honest["signature"]
    tasks = answer(capsys, "rank", SMALL, "--preset", "quick", "--resample", "task")
    assert "resample:task" in tasks["signature"]


def test_a_method_named_beside_a_preset_has_the_presets_settings_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "rank", SMALL, "--preset", "wmt14", "--method", "hopkins-may")
    assert "|d:.5|" in document["signature"]
    compared = answer(capsys, "compare", SMALL, "--preset", "wmt14", "--runs", "20")
    signed = {entry["method"]: entry["signature"] for entry in compared["methods"]}
    assert list(signed) == ["expected-wins", "hopkins-may", "trueskill"]
    assert "|d:.5|" in signed["hopkins-may"]
    assert "selection:shuffled" in signed["trueskill"]


def test_a_preset_says_how_models_are_asked_to_predict(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("research", "validate", SAMPLE, "--preset", "wmt14", "--methods", "expected-wins")
    published = answer(capsys, *words)
    assert (published["folds"], published["split"]) == (100, "judgment|folds:100")
    assert answer(capsys, *words, "--folds", "5")["folds"] == 5
    assert answer(capsys, *words, "--split", "task", "--folds", "5")["split"] == "task|folds:5"


def test_a_preset_says_how_learning_curves_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("research", "curve", SAMPLE, "--methods", "expected-wins", "--preset")
    published = answer(capsys, *words, "hm13")
    assert published["split"].startswith("hm13")
    assert [p["size"] for p in published["points"]] == [100, 200, 400, 800, 1600, 3200]
    quick = answer(capsys, *words, "quick", "--sizes", "100")
    assert [(p["size"], p["trials"]) for p in quick["points"]] == [(100, 2)]
    assert answer(capsys, *words, "hm13", "--hold-out", ".3", "--sizes", "90")["split"] == (
        "task|share:0.3"
    )


def test_a_preset_says_how_large_a_study_is(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "research",
        "simulate",
        "--preset",
        "k12",
        "--study",
        "ranking-error",
        "--experiments",
        "1",
    )
    rows = answer(capsys, *words, "--systems", "4")["rows"]
    assert rows[0]["judgments"] == 5000


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ("rank", SMALL, "--preset", "wmt99"),
            "'wmt99' is not known. Did you mean wmt16? Choose one of recommended,",
        ),
        (
            ("research", "simulate", "--study", "significance", "--preset", "hm13"),
            "has no settings for simulate",
        ),
        (
            ("research", "simulate", "--study", "significance", "--preset", "k12"),
            "the study significance",
        ),
        (("research", "validate", SAMPLE, "--preset", "wmt15"), "Here choose one of recommended,"),
        (("rank", SMALL, "--pres", "wmt14"), "--preset"),
    ],
)
def test_what_a_preset_does_not_say_is_refused_in_words(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    try:
        code, out, err = run(capsys, *words)
    except SystemExit as stopped:
        code, (out, err) = int(stopped.code or 0), capsys.readouterr()
        expected = "--pres"
    assert (code, out) == (2, "")
    assert expected in err


def test_the_old_name_of_the_recommended_preset_is_the_same_preset(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("rank", SMALL, "--preset")
    assert answer(capsys, *words, "honest") == answer(capsys, *words, "recommended")
    _, out, _ = run(capsys, "rank", "--help", "--wide")
    assert "recommended; quick; wmt13:" in " ".join(out.split())
    assert "honest" not in out
