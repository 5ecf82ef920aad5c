"""``rank --procedure`` and ``metrics``: the contract of their answers, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.cli import main
from analysis.extras.procedures.registry import PROCEDURES

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SCORES, METRICS = str(EXAMPLES / "scores.csv"), str(EXAMPLES / "metrics" / "metrics.csv")


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


@pytest.mark.parametrize("name", PROCEDURES)
def test_an_official_ranking_adds_mean_z_wins_and_pairs(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = answer(capsys, "rank", SCORES, "--procedure", name)
    assert document["lang_pair"] == "eng-deu"
    assert f"procedure:{name}" in document["signature"]
    systems = document["systems"]
    assert [system["system"] for system in systems] == ["alder", "birch", "cedar"]
    schema = json.loads((EXAMPLES.parents[1] / "docs" / "podium.schema.json").read_text())
    jsonschema.validate(document, schema)
    assert {"mean", "z", "wins"} <= {*systems[0]}
    assert systems[-1]["cluster"] > systems[0]["cluster"]
    assert [(pair["a"], pair["b"]) for pair in document["pairs"]] == [
        ("alder", "birch"), ("alder", "cedar"), ("birch", "cedar"),
    ]  # fmt: skip
    assert all(0 <= pair["p"] <= 1 for pair in document["pairs"])


def test_an_official_ranking_in_words_says_what_its_rule_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rank", SCORES, "--procedure", "wmt24-esa"]) == 0
    printed = capsys.readouterr().out
    assert "By the rules of WMT24" in printed
    assert "domains that favor opposite systems" in printed


def test_all_language_pairs_are_ranked_by_the_procedure_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(SCORES).read_text().splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join([lines[0], *(x.replace("eng-deu", "eng-ces") for x in lines[1:])]))
    words = ("rank", SCORES, str(other), "--procedure", "wmt24-esa")
    alone = {p: answer(capsys, *words, "--lang-pair", p) for p in ("eng-deu", "eng-ces")}
    together: Any = answer(capsys, *words, "--all-pairs")
    assert {one["lang_pair"]: one for one in together} == alone
    assert main([*words, "--all-pairs", "--csv"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].startswith("lang_pair,system,mean,z,wins,")
    assert [printed.count(f"\n{pair},") for pair in alone] == [3, 3]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rank", SCORES, "--procedure", "mqm", "-o", "folder"), "no folder of files"),
        (("rank", SCORES, "--procedure", "wmt20"), "wmt22-appraise"),
        (("rank", "sample:wmt14-cs-en", "--procedure", "mqm"), "rankings"),
        (("metrics", "sample:wmt14-cs-en", METRICS), "rankings"),
        (("metrics", SCORES, "no-such-file.csv"), "Check the path"),
        (("metrics", SCORES, str(EXAMPLES / "scores" / "words.csv")), "names the system"),
        (("metrics", SCORES, METRICS, "--low-is-good", "ter"), "careful, overlap and errors"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    printed = capsys.readouterr().err
    assert told in printed
    assert printed.count("\n") == 1


def test_metrics_give_three_measures_each(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "metrics", SCORES, METRICS, "--low-is-good", "errors")
    metrics = {row["metric"]: row for row in document["metrics"]}
    assert set(metrics) == {"careful", "overlap", "errors"}
    for row in metrics.values():
        for measure in ("pairwise_accuracy", "soft_pairwise_accuracy", "kendall"):
            assert 0 <= row[measure] <= 1
    assert metrics["careful"]["pairwise_accuracy"] == 1.0
    turned = answer(capsys, "metrics", SCORES, METRICS)["metrics"]
    (errors,) = (row for row in turned if row["metric"] == "errors")
    assert errors["pairwise_accuracy"] < metrics["errors"]["pairwise_accuracy"]
