"""The command line keeps its contract, and bad input costs one line and exit code 2."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.formats.writing import write
from analysis.judges.judge_verdicts import QUIET
from analysis.rankers import RANKERS
from tests.building import CampaignBuilder
from tests.command_line import answer, run

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SAMPLE = "sample:wmt14-cs-en"


def test_rank_answers_with_the_fields_of_the_contract_best_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "rank", SAMPLE, "--method", "expected-wins", "--runs", "100")
    assert set(document) == {
        "schema", "lang_pair", "method", "procedure", "scope", "level", "signature", "ranges",
        "resamples", "judgments", "winner", "possible_winners", "tiers", "clusters", "systems",
        "equal_within", "pairs", "these_judges", "skipped", "left_out",
    }  # fmt: skip
    fields = {
        "system", "score", "se", "ci_low", "ci_high", "rank_best", "rank_worst", "cluster",
        "tier", "judgments",
    }  # fmt: skip
    assert all(set(system) == fields for system in document["systems"])
    scores = [system["score"] for system in document["systems"]]
    assert scores == sorted(scores, reverse=True)
    assert document["systems"][0]["rank_best"] == 1
    assert document["systems"][-1]["rank_worst"] == len(scores)
    assert document["judgments"] == 21130


def test_the_same_seed_prints_the_same_bytes_and_another_seed_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("rank", SAMPLE, "--method", "bojar", "--resample", "task", "--runs", "60", "--json")
    first, again, other = (run(capsys, *words, "--seed", seed)[1] for seed in ("4", "4", "5"))
    assert first == again != other


def test_marginal_ranges_are_asked_for_by_name_or_by_what_is_resampled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows are what was published; they are drawn unless another unit is named."""
    words = ("rank", SAMPLE, "--method", "bojar", "--runs", "80")
    named = answer(capsys, *words, "--ranges", "marginal")
    by_unit = answer(capsys, *words, "--unit", "judgment")
    tasks = answer(capsys, *words, "--resample", "task", "--ranges", "marginal")
    usual = answer(capsys, *words)
    assert named == by_unit
    assert [d["ranges"] for d in (usual, named, tasks)] == ["simultaneous", "marginal", "marginal"]
    assert "resample:judgment|runs:80|" in named["signature"]
    assert "resample:task|runs:80|" in tasks["signature"]
    assert "resample" not in usual["signature"]
    assert usual == answer(capsys, *words, "--ranges", "simultaneous")
    spreads = [sum(s["se"] for s in d["systems"]) for d in (named, tasks, usual)]
    assert spreads[0] < spreads[1] < spreads[2]


def test_the_target_is_told_and_these_sentences_and_judges_are_known_better(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("rank", SAMPLE, "--method", "bojar")
    others, these = (answer(capsys, *words, *more) for more in ((), ("--target", "these")))
    assert (others["scope"], these["scope"]) == ("new", "these")
    assert "scope:these" in these["signature"]
    for wide, narrow in zip(others["systems"], these["systems"], strict=True):
        assert (wide["system"], wide["score"]) == (narrow["system"], narrow["score"])
        assert narrow["se"] < wide["se"]


def test_pairs_by_an_official_procedure_have_separate_rank_ranges_and_no_p(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = ("rank", "sample:wmt14-cs-en", "--preset", "wmt16", "--resamples", "60")
    words = (*one, "--pairs")
    assert "tier" not in run(capsys, *one)[1], "an official procedure has clusters alone"
    _, out, _ = run(capsys, *words)
    assert "of 10 pairs of systems have separate rank ranges at 95%." in out
    assert "significan" not in out
    _, table, _ = run(capsys, *words, "--csv")
    assert table.splitlines()[0] == "a,b,difference,verdict"


def test_compare_takes_the_same_flags(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("compare", SAMPLE, "--methods", "bojar,expected-wins", "--runs", "30")
    for more, told in (((), "scope:new"), (("--resample", "segment"), "resample:segment")):
        methods = answer(capsys, *words, *more)["methods"]
        assert [method["method"] for method in methods] == ["bojar", "expected-wins"]
        assert all(told in method["signature"] for method in methods)
        ranked = answer(capsys, "rank", SAMPLE, "--method", "bojar", "--runs", "30", *more)
        lines = [place["cluster"] for place in methods[0]["order"]]
        assert lines == [system["cluster"] for system in ranked["systems"]]


def test_one_task_has_no_ranges_and_that_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    votes = tmp_path / "votes.json"
    votes.write_text('[{"model_a": "x", "model_b": "y", "winner": "model_a"}]')
    words = ("rank", str(votes), "--method", "bojar", "--runs", "20")
    for more, told in (
        ((), "not enough data to estimate the uncertainty"),
        (("--resample", "task"), "not enough data to estimate the uncertainty"),
    ):
        assert told in run(capsys, *words, *more)[1]
        systems = answer(capsys, *words, *more)["systems"]
        assert {system["rank_best"] for system in systems} == {None}
    same = run(capsys, "rank", SAMPLE, "--method", "bojar", "--resample", "none", "--runs", "3")
    assert "The resamples do not differ" in same[1]


def test_apart_answers_with_every_pair_and_the_clusters_of_rank(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = (SAMPLE, "--method", "bojar", "--level", "0.9")
    document = answer(capsys, "apart", *words)
    assert set(document) == {
        "pair", "method", "signature", "definition", "target", "level", "pairs", "clusters",
        "missing",
    }  # fmt: skip
    ranked = answer(capsys, "rank", *words)
    systems = [system["system"] for system in ranked["systems"]]
    assert [(p["a"], p["b"]) for p in document["pairs"]] == list(combinations(systems, 2))
    assert all(set(p) == {"a", "b", "p", "adjusted_p", "apart"} for p in document["pairs"])
    assert all(p["apart"] is (p["adjusted_p"] <= 0.1) for p in document["pairs"])
    assert {p["apart"] for p in document["pairs"]} == {True, False}
    fields = {"system": "system", "rank_low": "rank_best", "rank_high": "rank_worst"}
    fields["cluster"] = "cluster"
    assert document["clusters"] == [
        {old: s[new] for old, new in fields.items()} for s in ranked["systems"]
    ]
    assert document["signature"] == ranked["signature"]
    assert document["missing"] == {}


def test_apart_says_how_many_pairs_and_what_the_file_does_not_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, out, _ = run(capsys, "apart", SAMPLE, "--method", "bojar")
    told = sum(" better " in line for line in out.splitlines())
    assert f"{told} of 10 pairs differ significantly at 95%" in out
    assert "for new segments and judges" in out
    votes = tmp_path / "votes.json"
    votes.write_text(
        json.dumps([{"model_a": "x", "model_b": "y", "winner": f"model_{w}"} for w in "aaaaab"])
    )
    words = ("apart", str(votes), "--method", "bojar")
    missing = answer(capsys, *words)["missing"]
    assert missing["judge"] == "The file names no judges."
    assert missing["judge"] in run(capsys, *words)[1]
    assert "for new segments, but these judges only" in run(capsys, *words)[1]
    of_pairs = run(capsys, "rank", str(votes), "--method", "bojar", "--pairs")[1]
    assert "for new prompts, but these judges only" in " ".join(of_pairs.split())
    assert "new segments" not in of_pairs


def test_apart_of_a_method_without_a_derivative_is_resampled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("apart", SAMPLE, "--method", "elo", "--runs", "20", "--seed")
    first, again, other = (answer(capsys, *words, seed) for seed in ("1", "1", "2"))
    assert first == again != other
    assert "variance:resampled|runs:20|seed:1" in first["signature"]
    code, _, err = run(capsys, "apart", SAMPLE, "--method", "elo", "--runs", "1")
    assert code == 2
    assert "2 or more" in err


@pytest.mark.parametrize("spelling", ["cs-en", "ces-eng", "cze-eng", "Czech-English"])
def test_a_pair_is_found_in_any_spelling(capsys: pytest.CaptureFixture[str], spelling: str) -> None:
    (document,) = answer(capsys, "summary", SAMPLE, "--pair", spelling)
    assert document["systems"] == 5
    assert set(document) == {
        "schema", "lang_pair", "rows", "tasks", "judges", "segments", "documents", "systems",
        "ties", "criteria", "skipped", "duplicates", "warnings", "kind", "format", "files",
        "scores", "left_out",
    }  # fmt: skip


def test_csv_and_latex_hold_the_numbers_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", SAMPLE, "--method", "bojar", "--runs", "50")
    document = answer(capsys, *words)
    systems = document["systems"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--csv", "--wide")[1])))
    latex = run(capsys, *words, "--latex")[1]
    for system, row in zip(systems, rows, strict=True):
        assert row["system"] == system["system"]
        assert float(row["score"]) == pytest.approx(system["score"], abs=1e-12)
        assert int(row["cluster"]) == system["cluster"]
        assert row["signature"] == document["signature"]
        low, high = system["rank_best"], system["rank_worst"]
        ranks = str(low) if low == high else f"{low}--{high}"
        interval = f"{system['ci_low']:.3f} to {system['ci_high']:.3f}"
        cells = (system["tier"], f"{system['score']:.3f}", interval, ranks, system["system"])
        assert " & ".join(map(str, cells)) + " " in latex
    assert latex.count(r"\midrule") == max(system["tier"] for system in systems)


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
    kinds = ("strict", "wmt")
    assert {kind: once[kind] for kind in kinds} == {kind: neither["once"][kind] for kind in kinds}
    assert {kind: as_ties[kind] for kind in kinds} == {kind: neither[kind] for kind in kinds}
    assert once["strict"]["inter"]["total"] < as_ties["strict"]["inter"]["total"]
    for measure in once["others"].values():
        assert set(measure) == {"value", "ci_low", "ci_high", "ci_low_new", "ci_high_new", "n"}
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
        (["rank", SAMPLE, "--runs", "0"], "Use 1 to 1000000"),
        (["rank", SAMPLE, "--ranges", "simultaneous", "--resample", "task"], "--ranges marginal"),
        (["apart", SAMPLE, "--level", "95"], "outside 0–1"),
        (["apart", SAMPLE, "--method", "guess"], "Choose one of"),
        (["rank", SAMPLE, "--cluster", "tcp://127.0.0.1:1"], "no scheduler answers"),
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


@pytest.mark.parametrize("words", [["rank"], ["rank", SAMPLE, "--rnus", "3"], ["sort", "x"]])
def test_words_the_command_line_does_not_know_cost_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("method", RANKERS)
def test_every_method_shows_its_hyperparameters_in_the_help(
    capsys: pytest.CaptureFixture[str], method: str
) -> None:
    from analysis.parameters import hyperparameters

    assert main(["rank", "--method", method, "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(parameter.flag in shown for parameter in hyperparameters(RANKERS[method]))


def test_what_convert_wrote_ranks_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    assert run(capsys, "convert", SAMPLE, "--to", "wmt-5way", "-o", str(target))[0] == 0
    words = ("--method", "expected-wins", "--resample", "task", "--runs", "30")
    written, sample = (answer(capsys, "rank", f, *words) for f in (str(target), SAMPLE))
    assert written["systems"] == sample["systems"]
    assert written["signature"] == sample["signature"]


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


def test_judges_have_one_verdict_each_and_those_to_look_at_can_be_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (answer,) = json.loads(run(capsys, "judges", SAMPLE, "--json")[1])
    assert all(judge["verdict"] and judge["reason"] for judge in answer["judges"])
    _, out, _ = run(capsys, "judges", SAMPLE)
    noticed = [j for j in answer["judges"] if j["verdict"] not in QUIET]
    n = len(answer["judges"])
    flagged = f"{len(noticed)} of {n} judges" if noticed else f"No check finds a problem with {n}"
    assert flagged in out
    assert ("podium rank " + SAMPLE + " --exclude-judges" in out) == bool(noticed)


def test_segments_are_listed_hardest_first_with_what_they_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["research", "segments", SAMPLE, "--baseline", "ONLINE-B", "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["baseline"] == "ONLINE-B"
    assert {row["system"] for row in answer["systems"]} >= {"ONLINE-A", "ONLINE-B"}
    difficulty = [row["difficulty"] for row in answer["segments"]]
    assert difficulty == sorted(difficulty, reverse=True)
    assert all(0 < row["information"] < 0.34 for row in answer["segments"])
    assert main(["research", "segments", SAMPLE]) == 0
    out = capsys.readouterr().out
    assert "is hardest to beat on segment" in out
    assert len(out.splitlines()) < 30


def test_noise_prints_means_and_holds_the_paper_beside_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [
        "research",
        "noise",
        SAMPLE,
        "--shares",
        "0,.5",
        "--sizes",
        "400",
        "--trials",
        "3",
        "--runs",
        "5",
    ]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["rows"]) == 8
    assert {row["printed_graded_response"] for row in answer["beside_print"]} >= {0.929, 0.807}
    assert len(answer["baselines"]) == 2 * 5, "shares of noise × systems as the baseline"
    assert main(["research", "noise", SAMPLE, "--shares", "much"]) == 2
    assert "'much' is not a list of numbers" in capsys.readouterr().err


def test_grow_counts_clusters_by_size_and_gives_abilities_with_their_deviation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [
        "research",
        "grow",
        SAMPLE,
        "--methods",
        "expected-wins",
        "--sizes",
        "200,4000",
        "--trials",
        "2",
    ]
    assert main([*words, "--runs", "20", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert [point["size"] for point in points] == [200, 4000]
    assert main(["research", "grow", SAMPLE, "--of", "abilities", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["size"] == 1600
    assert len(answer["predicted"]) == 5 * 4
    assert all(row["deviation"] > 0 for row in answer["systems"])


def test_agreement_of_several_pairs_ends_with_their_plain_mean(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    builder = CampaignBuilder()
    for task in range(40):
        for pair, last in (("a-b", 1 + task % 2), ("c-d", 1 + task % 3 // 2)):
            for judge in "xy":
                ranks = [1, 2] if judge == "x" or last == 1 else [2, 1]
                builder.add_task(pair, str(task), judge, [("one",), ("two",)], ranks)
    path = tmp_path / "two-pairs.csv"
    path.write_bytes(write(builder.build(), "wmt-5way"))
    assert main(["agreement", str(path), "--runs", "10", "--json"]) == 0
    kappas = [row["strict"]["inter"]["kappa"] for row in json.loads(capsys.readouterr().out)]
    assert len(kappas) == 2
    assert main(["agreement", str(path), "--runs", "10"]) == 0
    out = capsys.readouterr().out
    assert f"MEAN of 2 language pairs, with equal weight: strict inter {sum(kappas) / 2:.3f}" in out


def test_a_file_of_metric_scores_chooses_the_baseline(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scores = tmp_path / "bleu.csv"
    scores.write_text("system,BLEU\nclose1,20.5\nclose2,19\nclose3,26\nterrific,29\n")
    words = ["rank", "data/examples/hm13-four-systems.csv", "--method", "graded-response"]
    words += ["--quadrature", "printed", "--runs", "2", "--json", "--metric-scores"]
    assert main([*words, str(scores)]) == 0
    signature = json.loads(capsys.readouterr().out)["signature"]
    assert "metric:close1=20.5,close2=19,close3=26,terrific=29" in signature
    assert main([*words, str(tmp_path / "none.csv")]) == 2
    assert "it contains no table" in capsys.readouterr().err


def test_a_margin_in_percent_is_a_win_probability(capsys: pytest.CaptureFixture[str]) -> None:
    """55% are odds of 11 to 9; Elo's 400 points are odds of ten to one."""
    words = ["rank", "sample:wmt14-cs-en", "--equal-within", "5%", "--json"]
    for method, margin in (
        ("bradley-terry", math.log(11 / 9)),
        ("elo", 400 * math.log10(11 / 9)),
    ):
        assert main([*words, "--method", method, "--resamples", "50"]) == 0
        assert json.loads(capsys.readouterr().out)["equal_within"] == pytest.approx(margin)
    for method in ("expected-wins", "bradley-terry --ties rao-kupper"):
        assert main([*words, "--method", *method.split()]) == 2
        assert "no formula from scores to win probabilities" in capsys.readouterr().err
    assert main(["rank", "sample:wmt14-cs-en", "--equal-within", "much"]) == 2


def test_the_cheapest_system_that_is_not_worse_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ONLINE-B is best, UEDIN-PHRASE may be .07 worse; the cheap ones are worse for certain."""
    costs, votes = tmp_path / "costs.csv", tmp_path / "votes.csv"
    costs.write_text(
        "system,price\nONLINE-B,9\nUEDIN-PHRASE,5\nUEDIN-SYNTAX,2\nONLINE-A,1\nCU-MOSES,.5\n"
    )
    assert main(["convert", "sample:wmt14-cs-en", "--to", "wmt-2way", "-o", str(votes)]) == 0
    words = ["rank", str(votes), str(costs), "--method", "expected-wins", "--cost", "price"]
    capsys.readouterr()
    for margin, system in (("0.08", "UEDIN-PHRASE"), ("0.01", "ONLINE-B"), ("0.5", "CU-MOSES")):
        assert main([*words, "--equal-within", margin, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["cheapest"] == system
    assert main(words) == 2
    assert "--equal-within" in capsys.readouterr().err
