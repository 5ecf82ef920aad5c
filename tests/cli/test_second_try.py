"""What a second new user of the command line met, each as the answer that should have come."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pandas as pd
import pytest

from analysis.cli import main
from analysis.cli.help import what_may_follow
from analysis.cli.output import fitted
from tests.command_line import run

SAMPLE = "sample:wmt14-cs-en"
VOTES = (
    "item,judge,system_a,system_b,winner\n"
    "1,ann,gpt,claude,system_a\n1,bob,gpt,claude,system_b\n2,ann,gpt,llama,system_a\n"
    "2,bob,llama,gpt,system_b\n3,ann,claude,llama,system_a\n3,bob,claude,llama,tie\n"
    "4,cat,claude,llama,system_a\n4,cat,gpt,llama,system_a\n5,cat,gpt,claude,tie\n"
)


@pytest.fixture
def votes(tmp_path: Path) -> str:
    file = tmp_path / "votes.csv"
    file.write_text(VOTES)
    return str(file)


@pytest.mark.parametrize(
    ("words", "columns"),
    [
        (("rank", SAMPLE, "--pairs"), {"a", "b", "verdict", "p_adjusted"}),
        (("what-if", SAMPLE, "--method", "expected-wins"), {"statement", "now", "weakest"}),
        (("agreement", SAMPLE, "--resamples", "20"), {"definition", "kappa", "word"}),
        (("judges", SAMPLE), {"judge", "verdict"}),
        (("plan", SAMPLE, "--method", "bojar"), {"goal", "now", "tasks"}),
    ],
)
def test_a_narrow_terminal_keeps_the_columns_that_answer(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    columns: set[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run(capsys, *words)[1].splitlines()
    assert any(columns <= {*line.split()} for line in lines)
    assert max(map(len, lines)) <= 60


def test_long_names_are_cut_before_a_column_goes_and_stay_different() -> None:
    names = ["a-model-of-many-words-v1", "a-model-of-many-words-v2"]
    frame = pd.DataFrame({"system": names, "score": [0.5, 0.25], "se": [0.1, 0.1]})
    shown, hidden = fitted(frame, 3, 25, ("system", "score"))
    assert list(shown) == ["system", "score"]
    assert hidden == ["se"]
    assert shown["system"].nunique() == 2
    assert shown["system"].str.contains("…").all()
    assert list(fitted(frame, 3, 40, ("system", "score"))[0]["system"]) == names


def test_only_columns_that_are_shown_are_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, votes: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    narrow = run(capsys, "judges", votes)[1]
    assert "left_share:" not in narrow
    monkeypatch.setenv("COLUMNS", "200")
    assert "left_share:" in run(capsys, "judges", SAMPLE)[1]


def test_a_signature_folds_in_a_terminal_and_is_a_column_of_wide_csv_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, votes: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    _, shown, _ = run(capsys, "rank", votes)
    monkeypatch.delenv("COLUMNS")
    _, whole, _ = run(capsys, "rank", votes)
    (signature,) = (line for line in whole.splitlines() if line.startswith("signature:"))
    folded = shown[shown.index("signature:") :].replace("|\n  ", "|").replace("\n  ", " ")
    assert folded.strip() == signature
    assert "signature" not in run(capsys, "rank", votes, "--csv")[1]
    assert "signature" in run(capsys, "rank", votes, "--csv", "--wide")[1].splitlines()[0]


def test_resamples_that_change_nothing_are_noted(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    note = "--resamples has no effect here"
    assert note in run(capsys, "rank", votes, "--resamples", "20")[2]
    assert note not in run(capsys, "rank", votes)[2]
    assert note not in run(capsys, "rank", votes, "--resamples", "20", "--method", "elo")[2]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("rank", "FILE", "--resample", "10"), "Did you mean --resamples 10? "),
        (
            ("research", "simulate", "--like", SAMPLE, "-o", "x.csv"),
            "--like: it works only with --study spread",
        ),
    ],
)
def test_a_wrong_line_is_answered_by_the_right_one(
    capsys: pytest.CaptureFixture[str], votes: str, words: tuple[str, ...], answer: str
) -> None:
    given = [votes if word == "FILE" else word for word in words]
    with contextlib.suppress(SystemExit):
        assert main(given) == 2
    out, err = capsys.readouterr()
    assert not out
    assert answer in err


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("rank", "FILE", "--preset", "fast"), "--preset: 'fast' is not known. Choose one of"),
        (("rank", "FILE", "--exclude-system", "gtp"), "--exclude-system: 'gtp' is not known. Did"),
        (("rank", "FILE", "--exclude-judges", "bobb"), "--exclude-judges: 'bobb' is not known."),
        (("rank", "FILE", "--lang-pair", "de-en"), "--lang-pair: 'de-en' is not known, since"),
        (("plan", "FILE", "--share", "80"), "--share: 80 is outside 0–1. Use 0.8."),
        (("slices", "sample:mqm-ted", "--by", "documnt"), "Did you mean document? "),
        (("research", "noise", "FILE", "--shares", "2"), "--shares: 2 is outside 0–1."),
        (("research", "segments", "FILE", "--baseline", "gtp"), "--baseline: 'gtp' is not known."),
        (("research", "replicate", "--only", "wmt14-kapas"), "Did you mean wmt14-kappas?"),
        (("verify", "FILE"), "it is damaged, or not an archive of podium report --archive"),
        (("FILE",), "it is a file, not a command. Did you mean podium rank"),
        (("summary", "sample:"), "sample:arena-people  20 language models"),
    ],
)
def test_an_error_names_the_flag_and_what_can_be_chosen(
    capsys: pytest.CaptureFixture[str], votes: str, words: tuple[str, ...], answer: str
) -> None:
    code, out, err = run(capsys, *(votes if word == "FILE" else word for word in words))
    assert (code, out) == (2, "")
    assert answer in err


def test_the_lengths_of_a_vote_are_adjusted_for_by_the_name_of_their_columns(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "lengths.csv"
    head, *rows = VOTES.splitlines()
    lengths = [f"{row},{50 + 7 * k},{90 - 5 * k}" for k, row in enumerate(rows)]
    file.write_text("\n".join([f"{head},length_a,length_b", *lengths, *lengths, ""]))
    words = ("slices", str(file), "--json", "--adjust-for")
    by_column = run(capsys, *words, "position,length")
    assert by_column[0] == 0
    assert by_column[1] == run(capsys, *words, "position,characters")[1]


def test_what_was_left_out_is_in_the_report_and_in_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, target = tmp_path / "votes.csv", tmp_path / "report.html"
    file.write_text(VOTES + "6,ann,gpt,claude,alfa\n")
    code, _, err = run(capsys, "report", str(file), "-o", str(target))
    assert code == 0
    assert "Too close to call" in err
    assert err.count("1 vote was left out") == 1
    assert "1 vote was left out" in target.read_text(encoding="utf-8")
    assert json.loads(run(capsys, "rank", str(file), "--json")[1])["left_out"] == 1


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("rank", "votes.csv", "--method", ""), "bojar"),
        (("compare", "votes.csv", "--methods", "bojar,"), "bojar,elo"),
        (("rank", "sample:w"), "sample:wmt14-cs-en"),
        (("rank", "sample", ":", "w"), "wmt14-cs-en"),
    ],
)
def test_methods_and_samples_are_completed(typed: tuple[str, ...], offered: str) -> None:
    assert offered in what_may_follow([*typed])


def test_the_help_of_rank_begins_with_the_method_and_explains_each_if_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, short, _ = run(capsys, "rank", "--help")
    assert short.index("--method NAME") < short.index("--pairs")
    sentence = "The order that contradicts the fewest judgments."
    assert sentence not in short
    assert sentence in run(capsys, "rank", "--help", "--wide")[1]


def test_metrics_can_be_tried_on_a_sample_with_simulated_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "metrics", "sample:mqm-ted", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["metric"].split()[0] for one in found["metrics"]] == ["near", "far", "blind"]
    assert any("simulated" in note for note in found["notes"])
    assert found["grouped_by"] == "soft_pairwise_accuracy"


@pytest.mark.parametrize("command", ["metrics", "scores"])
def test_a_refusal_says_what_a_table_of_scores_looks_like(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    code, _, err = run(capsys, command, SAMPLE)
    assert code == 2
    assert "segment" in err
    assert "system" in err


def test_noise_is_a_table_of_methods_by_noise(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    words = (
        "research",
        "noise",
        votes,
        "--trials",
        "1",
        "--shares",
        "0,.5",
        "--sizes",
        "400",
        "--resamples",
        "2",
    )
    lines = run(capsys, *words)[1].splitlines()
    assert any(line.split() == ["method", "0%", "50%", "lost"] for line in lines)
    assert "ndcg_error" in run(capsys, *words, "--csv")[1].splitlines()[0]


def test_without_items_in_common_agreement_says_so_instead_of_a_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "apart.csv"
    rows = [row for row in VOTES.splitlines() if ",bob," not in row]
    file.write_text("\n".join([*rows, ""]))
    _, out, _ = run(capsys, "agreement", str(file))
    assert "Give some items to two judges." in out
    assert "kappa" not in out


def test_a_table_checked_by_itself_is_no_replication(capsys: pytest.CaptureFixture[str]) -> None:
    head = run(capsys, "research", "replicate", "--only", "wmt14-kappas")[1].partition("place")[0]
    assert "20 " in head
    assert "campaign fitted to these numbers" in head
    assert head.endswith("replicates nothing.\n")


def test_models_worse_than_guessing_are_named_in_one_sentence(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    _, out, _ = run(capsys, "research", "validate", votes, "--folds", "3")
    assert out.count("than guessing: perplexity") <= 2
    assert out.count("may be right all the same") == 1


def test_too_many_tasks_are_refused_with_the_number_that_is_possible(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    code, _, error = run(capsys, "batch", votes)
    found = re.search(r"--tasks: only (\d+) of 50 tasks are possible, .* Use --tasks (\d+)", error)
    assert code == 2
    assert found is not None
    assert found[1] == found[2]
    assert "--on-segments" in error
    assert "--assign-to" in error
    assert run(capsys, "batch", votes, "--tasks", found[1])[0] == 0


def test_a_plan_has_one_bound_and_no_infinite_number(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    code, out, _ = run(capsys, "plan", votes)
    assert code == 0
    assert "more than" not in out.splitlines()[0]
    bounds = set(re.findall(r">([\d,]+)", out))
    assert len(bounds) == 1
    assert "inf" not in run(capsys, "plan", votes, "--csv")[1]


def test_a_claim_that_is_not_shown_is_said_so_first(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    first = run(capsys, "what-if", votes, "--better", "claude", "--worse", "llama")[1]
    said = "Not shown: claude is not significantly better than llama (Bradley–Terry, adjusted p"
    assert said in first.splitlines()[0]
