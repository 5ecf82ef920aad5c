"""What a new user of the shell meets: findings that are true of few votes, remedies that work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.cli import main
from tests.command_line import answer, run

SAMPLE = "sample:wmt14-cs-en"
VOTES = """item,judge,system_a,system_b,winner
1,ann,gpt,claude,system_a
1,bob,gpt,claude,system_b
2,ann,gpt,llama,system_a
2,bob,llama,gpt,system_b
3,ann,claude,llama,system_a
3,bob,claude,llama,tie
4,cat,claude,llama,system_a
4,cat,gpt,llama,system_a
5,cat,gpt,claude,tie
6,bob,gpt,llama,system_b
7,ann,claude,llama,system_a
8,cat,gpt,claude,system_b
"""


@pytest.fixture
def votes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("votes.csv").write_text(VOTES, encoding="utf-8")
    return "votes.csv"


def test_a_curve_has_no_sizes_beyond_what_may_train(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    words = ("research", "curve", votes, "--methods", "expected-wins,bradley-terry")
    assert {point["size"] for point in answer(capsys, *words)["points"]} == {9}
    shown = run(capsys, *words)[1]
    assert shown.startswith("all: after 9 judgments every method predicts 66.7% correctly")
    assert "The sizes 400 to 6,400 are not shown: only 9 judgments may train." in shown


def test_trainings_on_all_judgments_claim_nothing(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    shown = run(capsys, "research", "grow", votes, "--of", "abilities")[1]
    assert "Each training used all 12 judgments, so the bars show nothing" in shown
    assert "Use --sizes 6, for example" in shown


def test_one_trial_of_noise_calls_no_method_closer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--shares", "0", "--sizes", "400", "--trials", "1", "--runs", "2")
    shown = run(capsys, "research", "noise", SAMPLE, *words)[1]
    assert "One trial gives no standard error, so no method can be called closer" in shown
    assert "Use --trials 3 or more" in shown


def test_two_language_pairs_are_not_two_snapshots(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "diff", SAMPLE, "sample:wmt14-en-cs")
    assert (code, out) == (2, "")
    assert "BEFORE is cs-en, AFTER is en-cs" in err


def test_votes_go_to_standard_output_if_asked(
    capfdbinary: pytest.CaptureFixture[bytes], votes: str
) -> None:
    assert main(["convert", votes, "--to", "arena", "-o", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"model_a,model_b,winner")
    assert err == b"Wrote 12 votes.\n"
    assert not Path("-").exists()


def test_other_files_are_not_written_to_standard_output(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    for words in (("batch", votes), ("report", votes), ("rank", votes), ("research", "simulate")):
        code, _, err = run(capsys, *words, "-o", "-")
        assert code == 2
        assert "standard output is not possible here" in err


def test_a_judge_who_needs_a_check_comes_first_with_the_reason_and_the_remedy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, why, without, _, row, *_ = run(capsys, "judges", "sample:wmt13-fr-en")[1].splitlines()
    assert first == (
        "fr-en: 1 of 41 judges needs a check; 10 (3% of the judgments) cannot be checked."
    )
    assert why.startswith("turker20 adds little: Ties in most comparisons")
    assert without.endswith("podium rank sample:wmt13-fr-en --exclude-judges=turker20")
    assert row.split()[:2] == ["fr-en", "turker20"]


def test_a_file_without_judges_has_none_to_check(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    lines = [line.split(",") for line in VOTES.splitlines()]
    anonymous = "\n".join(",".join([item, *rest]) for item, _, *rest in lines)
    Path("anonymous.csv").write_text(anonymous + "\n", encoding="utf-8")
    for command in ("judges", "agreement"):
        code, _, err = run(capsys, command, "anonymous.csv")
        assert code == 2
        assert "the file names no judges" in err


def test_separate_ratings_have_no_output_that_is_shown_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = run(capsys, "slices", "sample:mqm-ted", "--adjust-for", "position")
    assert code == 2
    assert "rates outputs one by one, so none was shown first" in err


def test_a_metric_that_counts_errors_is_named_with_its_flag(
    capsys: pytest.CaptureFixture[str],
) -> None:
    examples = Path(__file__).parents[2] / "data" / "examples"
    files = (str(examples / "scores.csv"), str(examples / "metrics" / "metrics.csv"))
    upside_down = run(capsys, "metrics", *files)[1].partition("\n")[0]
    assert "errors falls as human scores rise" in upside_down
    assert "--low-is-good errors" in upside_down
    turned = run(capsys, "metrics", *files, "--low-is-good", "errors")[1].partition("\n")[0]
    assert "--low-is-good" not in turned


def test_a_common_leader_that_no_method_proves_is_called_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = run(capsys, "compare", SAMPLE, "--methods", "bojar,expected-wins")[1]
    assert "but by each of them others could be best" in shown.partition("\n")[0]


def test_tier_and_cluster_are_explained_where_they_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    legend = "tier: one below the lowest tier with a significantly better system."
    for sample, method in ((SAMPLE, "expected-wins"), ("sample:wmt13-fr-en", "bradley-terry")):
        words = ("rank", sample, "--method", method)
        systems = answer(capsys, *words)["systems"]
        differ = any(one["tier"] != one["cluster"] for one in systems)
        assert (legend in run(capsys, *words)[1]) == differ


def test_a_plan_shows_no_infinity_and_no_more_digits_than_it_knows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = run(capsys, "plan", SAMPLE, "--method", "bojar")[1]
    rows = shown.splitlines()[2:-4]
    assert "inf" not in " ".join(rows).split()
    assert any(row.split()[-2].startswith(">") for row in rows)


def test_an_unlike_flag_is_not_suggested(capsys: pytest.CaptureFixture[str], votes: str) -> None:
    with pytest.raises(SystemExit):
        main(["what-if", votes, "--claim"])
    assert "Did you mean" not in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["what-if", votes, "--metod", "elo"])
    assert "Did you mean --method?" in capsys.readouterr().err


def test_shared_options_are_named_in_help_and_explained_if_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    short, full = (run(capsys, "rank", "--help", *more)[1] for more in ((), ("--wide",)))
    assert len(short.splitlines()) < len(full.splitlines()) - 20
    assert "--judge-share" in short
    assert "limit each judge to this share" not in short
    assert "limit each judge to this share" in full


@pytest.mark.parametrize("command", ["summary", "judges", "research segments"])
def test_every_object_of_a_list_has_a_schema(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([*command.split(), SAMPLE, "--json"]) == 0
    assert [one["schema"] for one in json.loads(capsys.readouterr().out)] == [1]


def test_a_command_tells_how_many_votes_it_left_out(
    capsys: pytest.CaptureFixture[str], votes: str
) -> None:
    first, *rows = VOTES.splitlines()
    item, judge, left, right, _ = rows[0].split(",")
    typed = ",".join([item, judge, left, right, "typo"])
    Path("typed.csv").write_text("\n".join([first, typed, *rows[1:], ""]), encoding="utf-8")
    for words in (["rank", "typed.csv"], ["rank", "typed.csv", "--json"], ["compare", "typed.csv"]):
        code, _, err = run(capsys, *words)
        assert code == 0
        assert "1 vote was left out because of a winner" in err
    assert not run(capsys, "summary", "typed.csv")[2]


@pytest.mark.parametrize("name", ["lang_pair", "language_pair", "langpair", "language-pair"])
def test_votes_of_two_language_pairs_are_not_ranked_together(
    capsys: pytest.CaptureFixture[str], votes: str, name: str
) -> None:
    first, *rows = VOTES.splitlines()
    told = [f"{row},{('de-en', 'en-de')[k % 2]}" for k, row in enumerate(rows)]
    Path("pairs.csv").write_text("\n".join([f"{first},{name}", *told, ""]), encoding="utf-8")
    code, _, err = run(capsys, "rank", "pairs.csv")
    assert code == 2
    assert "this campaign has 2" in err
