"""The command line keeps its contract, and bad input costs one line and exit code 2."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.cli import COMMANDS, main
from analysis.rankers import RANKERS
from tests.command_line import answer, run

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SAMPLE = "sample:wmt14-cs-en"


def test_rank_answers_with_the_fields_of_the_contract_best_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "rank", SAMPLE, "--method", "expected-wins", "--runs", "100")
    assert set(document) == {"pair", "method", "signature", "runs", "level", "judgments", "systems"}
    fields = {"system", "score", "spread", "rank_low", "rank_high", "cluster"}
    assert all(set(system) == fields for system in document["systems"])
    scores = [system["score"] for system in document["systems"]]
    assert scores == sorted(scores, reverse=True)
    assert document["systems"][0]["rank_low"] == 1
    assert document["systems"][-1]["rank_high"] == len(scores)
    assert document["judgments"] == 21130


def test_the_same_seed_prints_the_same_bytes_and_another_seed_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("rank", SAMPLE, "--method", "bojar", "--runs", "60", "--json", "--seed")
    first, again, other = (run(capsys, *words, seed)[1] for seed in ("4", "4", "5"))
    assert first == again != other


@pytest.mark.parametrize("spelling", ["cs-en", "ces-eng", "cze-eng", "Czech-English"])
def test_a_pair_is_found_in_any_spelling(capsys: pytest.CaptureFixture[str], spelling: str) -> None:
    (document,) = answer(capsys, "summary", SAMPLE, "--pair", spelling)
    assert document["systems"] == 5
    assert set(document) == {
        "pair", "rows", "tasks", "judges", "segments", "systems", "ties", "skipped", "duplicates",
        "warnings",
    }  # fmt: skip


def test_csv_and_latex_hold_the_numbers_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", SAMPLE, "--method", "bojar", "--runs", "50")
    document = answer(capsys, *words)
    systems = document["systems"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--csv")[1])))
    latex = run(capsys, *words, "--latex")[1]
    for system, row in zip(systems, rows, strict=True):
        assert row["system"] == system["system"]
        assert float(row["score"]) == pytest.approx(system["score"], abs=1e-12)
        assert int(row["cluster"]) == system["cluster"]
        assert row["signature"] == document["signature"]
        low, high = system["rank_low"], system["rank_high"]
        ranks = str(low) if low == high else f"{low}--{high}"
        assert f"{system['score']:.3f} & {ranks} & {system['system']} " in latex
    assert latex.count(r"\midrule") == max(system["cluster"] for system in systems)


def test_agreement_counts_identical_outputs_once_first_and_as_ties_where_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """JSON without the flag keeps the expanded counts under strict and published."""
    file = str(EXAMPLES / "wmt-5way.csv")
    asked = ("agreement", file, "--pair", "fra-eng", "--runs", "20")
    (neither,), (once,), (as_ties,) = (
        answer(capsys, *asked, *words)
        for words in ([], ["--identical", "collapsed"], ["--identical", "expanded"])
    )
    kinds = ("strict", "published")
    assert {kind: once[kind] for kind in kinds} == {kind: neither["once"][kind] for kind in kinds}
    assert {kind: as_ties[kind] for kind in kinds} == {kind: neither[kind] for kind in kinds}
    assert once["strict"]["inter"]["total"] < as_ties["strict"]["inter"]["total"]
    for measure in once["others"].values():
        assert set(measure) == {"value", "low", "high", "n"}
    assert {"alpha", "ac1", "percent"} <= set(once["others"])
    assert once["others"] == neither["once"]["others"] != neither["others"]
    code, out, _ = run(capsys, *asked)
    assert code == 0
    table = [line.split() for line in out.splitlines() if line.startswith("fra-eng ")]
    assert [row[1] for row in table] == ["once"] * 4 + ["as"] * 4
    assert table[0][4] == f"{once['strict']['inter']['kappa']:.3f}"


def test_agreement_of_a_file_without_identical_outputs_has_no_word_on_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (document,) = answer(capsys, "agreement", SAMPLE, "--runs", "20")
    assert document["once"]["strict"] == document["strict"]
    assert "identical" not in run(capsys, "agreement", SAMPLE, "--runs", "20")[1]


def test_a_system_left_out_is_gone_from_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", SAMPLE, "--method", "bojar", "--runs", "20")
    first = answer(capsys, *words)["systems"][0]["system"]
    left = answer(capsys, *words, "--exclude-system", first)["systems"]
    assert len(left) == 4
    assert first not in [system["system"] for system in left]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rank", SAMPLE, "--method", "guess"], "Choose one of"),
        (["rank", SAMPLE, "--pair", "de-en"], "cs-en"),
        (["rank", SAMPLE, "--level", "95"], "outside 0–1"),
        (["rank", SAMPLE, "--exclude-system", "nobody"], "nobody"),
        (["rank", SAMPLE, "--judges", "nobody*"], "judges"),
        (["rank", "sample:wmt99"], "wmt14-"),
        (["rank", "no-such-file.csv"], "no-such-file.csv"),
        (["rank", "."], "directory"),
        (["rank", SAMPLE, "--runs", "0"], "1 or more"),
        (["rank", SAMPLE, "--cluster", "tcp://127.0.0.1:1"], "--cluster"),
        (["convert", SAMPLE, "--to", "arena", "-o", "/no/such/folder/x.csv"], "/no/such/folder"),
    ],
)
def test_bad_input_costs_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert told in err


@pytest.mark.parametrize("words", [["rank"], ["rank", SAMPLE, "--rnus", "3"], ["sort", "x"], []])
def test_words_the_command_line_does_not_know_cost_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert COMMANDS[command] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("method", RANKERS)
def test_every_method_shows_its_hyperparameters_in_the_help(
    capsys: pytest.CaptureFixture[str], method: str
) -> None:
    from analysis.parameters import hyperparameters

    with pytest.raises(SystemExit):
        main(["rank", "--method", method, "--help"])
    shown = capsys.readouterr().out
    assert all(parameter.flag in shown for parameter in hyperparameters(RANKERS[method]))


def test_what_convert_wrote_ranks_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    assert run(capsys, "convert", SAMPLE, "--to", "wmt-5way", "-o", str(target))[0] == 0
    words = ("--method", "expected-wins", "--runs", "30")
    assert answer(capsys, "rank", str(target), *words) == answer(capsys, "rank", SAMPLE, *words)


def test_convert_does_not_replace_a_file_unasked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "precious.csv"
    target.write_text("precious")
    words = ("convert", SAMPLE, "--to", "arena", "-o", str(target))
    assert run(capsys, *words)[0] == 2
    assert target.read_text() == "precious"
    assert run(capsys, *words, "--force")[0] == 0
    assert target.read_text() != "precious"


def test_a_pipe_that_closes_early_is_no_error() -> None:
    command = f"{sys.executable} -m analysis summary {SAMPLE} | head -1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, cwd=EXAMPLES.parent.parent
    )
    assert done.returncode == 0
    assert done.stderr == ""
