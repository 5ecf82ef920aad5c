"""The commands validate and curve keep their contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import answer, run

HEADER = (
    "srclang,trglang,srcIndex,segmentId,judgeID,"
    "system1Id,system1rank,system2Id,system2rank,rankingID"
)
SAMPLE = "sample:wmt14-cs-en"


def write_campaign(path: Path, outcomes: list[tuple[str, int, str, int]]) -> Path:
    """Write one task a pair, every judgment five times on other segments."""
    lines = [
        f"Czech,English,{s},{s},judge{s % 3},{a},{rank_a},{b},{rank_b},{s * 100 + n}"
        for s in range(5)
        for n, (a, rank_a, b, rank_b) in enumerate(outcomes)
    ]
    path.write_text("\n".join([HEADER, *lines, ""]))
    return path


def test_validate_answers_with_the_fields_of_the_contract_best_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--methods", "uniform,expected-wins,trueskill", "--folds", "10")
    document = answer(capsys, "research", "validate", SAMPLE, *words)
    assert (document["lang_pair"], document["folds"], document["judgments"]) == ("cs-en", 10, 21130)
    assert document["tasks"] == 2113
    methods = {entry["method"]: entry for entry in document["methods"]}
    assert set(methods) == {"uniform", "expected-wins", "trueskill"}
    accuracies = [entry["accuracy"] for entry in document["methods"]]
    assert accuracies == sorted(accuracies, reverse=True)
    assert accuracies[0] <= document["oracle"]
    assert methods["uniform"]["perplexity"] == pytest.approx(3)
    assert methods["uniform"]["radius"] is None
    for entry in document["methods"]:
        assert entry["accuracy_low"] < entry["accuracy"] < entry["accuracy_high"]
        assert entry["calibration"]
    assert len(document["differences"]) == 3
    assert document["scope"] == "new"
    assert document["runs"] == 0, "intervals are in closed form"
    assert {"first", "second", "accuracy", "accuracy_low", "accuracy_high"} <= set(
        document["differences"][0]
    )


def test_a_hundred_folds_stay_possible_and_ten_are_the_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("research", "validate", SAMPLE, "--methods", "expected-wins,independent-pairs")
    ten, hundred = (answer(capsys, *words, *more) for more in ((), ("--folds", "100")))
    assert (ten["folds"], hundred["folds"]) == (10, 100)
    for document in (ten, hundred):
        (difference,) = document["differences"]
        told = difference["accuracy_low"] > 0 or difference["accuracy_high"] < 0
        assert told == (not document["not_told_apart"])


def test_intervals_for_these_sentences_and_judges_are_narrower(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = (
        "research",
        "validate",
        SAMPLE,
        "--methods",
        "expected-wins",
        "--folds",
        "3",
        "--target",
    )
    widths = [
        entry["accuracy_high"] - entry["accuracy_low"]
        for target in ("these", "new")
        for entry in answer(capsys, *words, target)["methods"]
    ]
    assert widths[0] < widths[1]


def test_validate_says_in_words_that_two_models_cannot_be_told_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(
        capsys, "validate", SAMPLE, "--methods", "expected-wins,bojar", "--folds", "5"
    )
    assert code == 0
    assert "do not differ significantly: Expected Wins predicts" in out
    assert "tests at the 95% level" in " ".join(out.split())
    assert out.splitlines()[4].startswith("oracle")


def test_all_pairs_are_a_table_with_the_oracle_last(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--methods", "expected-wins,uniform", "--folds", "2", "--runs", "20", "--all-pairs")
    code, out, _ = run(capsys, "research", "validate", SAMPLE, *words, "--csv")
    assert code == 0
    assert out.splitlines()[0] == "pair,expected-wins,uniform,oracle"
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["cs-en", "MEAN"]


def test_a_test_file_is_predicted_from_the_whole_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    train = write_campaign(tmp_path / "train.csv", [("a", 1, "b", 2), ("b", 1, "c", 2)])
    test = write_campaign(tmp_path / "test.csv", [("c", 2, "a", 1), ("a", 2, "b", 1)])
    words = ("--test", str(test), "--methods", "expected-wins", "--runs", "50")
    document = answer(capsys, "research", "validate", str(train), *words)
    assert document["judgments"] == 10
    assert document["methods"][0]["accuracy"] == 0.5
    assert document["oracle"] == 1
    curve = answer(
        capsys, "research", "curve", str(train), *words[:4], "--sizes", "10", "--trials", "2"
    )
    assert [point["accuracy"] for point in curve["points"]] == [0.5]


def test_a_split_by_rows_warns_of_the_leak(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--methods", "bojar", "--folds", "3", "--runs", "20", "--split")
    assert (
        "flatter" in answer(capsys, "research", "validate", SAMPLE, *words, "judgment")["notes"][0]
    )
    assert answer(capsys, "research", "validate", SAMPLE, *words, "segment")["notes"] == []


def test_curve_answers_a_point_for_every_size_and_method(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--methods", "expected-wins,independent-pairs", "--sizes", "200,3200", "--trials", "3")
    document = answer(capsys, "research", "curve", SAMPLE, *words)
    assert [(p["size"], p["method"]) for p in document["points"]] == [
        (size, method) for size in (200, 3200) for method in ("expected-wins", "independent-pairs")
    ]
    perplexity = {(p["size"], p["method"]): p["perplexity"] for p in document["points"]}
    assert perplexity[3200, "independent-pairs"] < perplexity[200, "independent-pairs"]
    assert document["judgments"] == 4230
    assert document["oracle"] > max(p["accuracy"] for p in document["points"])


def test_the_same_seed_prints_the_same_bytes_and_another_seed_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (
        ("validate", "--folds", "4", "--runs", "50"),
        ("curve", "--sizes", "300", "--trials", "2"),
    ):
        line = (
            "research",
            words[0],
            SAMPLE,
            *words[1:],
            "--methods",
            "trueskill",
            "--json",
            "--seed",
        )
        first, again, other = (run(capsys, *line, seed)[1] for seed in ("4", "4", "5"))
        assert first == again
        assert json.loads(first) != {**json.loads(other), "seed": 4}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("research", "validate", SAMPLE, "--methods", "nonsense"), "nonsense"),
        (("research", "validate", SAMPLE, "--methods", "trueskill:players"), "players=VALUE"),
        (
            ("research", "validate", SAMPLE, "--methods", "trueskill:speed=3"),
            "no such hyperparameter",
        ),
        (("research", "validate", SAMPLE, "--folds", "1"), "too few"),
        (("research", "validate", SAMPLE, "--level", "95"), "outside 0–1"),
        (("research", "validate", SAMPLE, "--test", "no-such-file.csv"), "no-such-file.csv"),
        (("research", "curve", SAMPLE, "--sizes", "many"), "whole numbers"),
        (("research", "curve", SAMPLE, "--sizes", "0"), "outside 1–"),
        (("research", "curve", SAMPLE, "--hold-out", "99999"), "or all"),
        (("research", "curve", SAMPLE, "--dev", ".2"), "Add --tune dev"),
        (("research", "validate", SAMPLE, "--tune", "dev", "--dev", "no-such.csv"), "no-such.csv"),
        (
            ("research", "validate", SAMPLE, "--tune", "dev", "--dev", "99999"),
            "cannot be set aside",
        ),
    ],
)
def test_bad_input_costs_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert expected in err
    assert err.count("\n") == 1
