"""The commands plan, next and simulate keep their contract."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path

import pytest

from analysis.cli import batch as batch_command
from analysis.cli import main
from analysis.formats import read_path
from analysis.formats.writing import write
from tests.building import narrow_win
from tests.command_line import answer, run

SAMPLE = "sample:wmt14-fr-en"


def test_plan_answers_with_goals_costs_and_advice(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--minutes-per-task", "2", "--cost-per-hour", "30", "--share", ".95")
    document = answer(capsys, "plan", SAMPLE, *words)
    assert document["lang_pair"] == "fr-en"
    assert document["judgments"] == 10 * document["tasks"] == 26090
    assert document["advice"].startswith("The goal is reached" if document["stop"] else "Continue")
    assert document["aim"]["wanted"] == 0.95
    assert [g["wanted"] for g in document["goals"] if g["kind"] == "pairs"] == [
        0.5, 0.7, 0.8, 0.9, 0.95,
    ]  # fmt: skip
    neighbors = [g["systems"] for g in document["goals"] if g["kind"] == "neighbors"]
    assert len(neighbors) == 7
    assert all(a[1] == b[0] for a, b in itertools.pairwise(neighbors))
    for goal in document["goals"]:
        if goal["likely"] is not None:
            assert goal["money"] == pytest.approx(goal["likely"] * 2 / 60 * 30)
    assert document["curve"][0]["further_tasks"] == 0
    assert document["back_test"]["trials"] == 20
    assert set(document["variance_from"]) == {"task", "segment", "judge"}
    assert sum(document["variance_from"].values()) == pytest.approx(1)
    assert document["bottleneck"] in document["variance_from"]
    assert document["segments_at_most"] is None
    assert document["curve"][0]["share_low"] == document["curve"][0]["share_high"]


def test_plan_calls_a_narrow_win_narrow_and_does_not_say_stop(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(write(narrow_win(), "arena"))
    document = answer(capsys, "plan", str(path), "--scope", "these")
    assert document["advice"] == "a wins narrowly: more votes would settle it."
    assert not document["stop"]
    assert "a wins narrowly: not without " in run(capsys, "plan", str(path), "--scope", "these")[1]


def test_plan_prints_the_advice_first_and_no_costs_that_nobody_stated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "plan", SAMPLE, "--clusters", "6")
    assert code == 0
    assert out.startswith("Continue with new segments: expect about ")
    assert "until there are 6 clusters; now 3." in out.splitlines()[0]
    assert "money" not in out
    assert (
        "money" in run(capsys, "plan", SAMPLE, "--minutes-per-task", "1", "--cost-per-hour", "1")[1]
    )


def test_plan_asks_for_more_tasks_where_no_new_judges_come_and_at_a_later_look(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("plan", "sample:wmt14-en-fr", "--share", ".7", "--method", "expected-wins")
    free, same, later = (
        answer(capsys, *words, *more)
        for more in ((), ("--new-judges", "0", "--new-segments", "0"), ("--look", "4"))
    )
    assert same["judges_at_most"] == same["units"]["judge"]
    assert same["aim"]["judges"] == same["aim"]["segments"] == 0
    assert free["aim"]["judges"] > 0
    assert same["aim"]["likely"] > 1.2 * free["aim"]["likely"]
    assert later["level"] == pytest.approx(1 - 0.05 * 6 / (4 * math.pi) ** 2)
    assert later["aim"]["likely"] > free["aim"]["likely"]
    assert free["aim"]["now"] == same["aim"]["now"] > later["aim"]["now"]
    told = answer(capsys, "apart", *words[1:2], *words[4:])["pairs"]
    assert free["aim"]["now"] == pytest.approx(sum(p["apart"] for p in told) / len(told))


@pytest.mark.parametrize("ending", ["csv", "xml"])
def test_next_writes_a_batch_and_says_what_it_does_to_results(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"batch.{ending}"
    code, out, err = run(
        capsys, "batch", SAMPLE, "--tasks", "12", "--choose", "active", "-o", str(target)
    )
    assert (code, out) == (0, "")
    assert "Wrote 12 tasks" in err
    assert "over-samples close pairs" in err
    content = target.read_text()
    assert content.count("ranking-task id" if ending == "xml" else "\n") == 12 + (ending == "csv")
    again = run(capsys, "batch", SAMPLE, "-o", str(target))
    assert again[0] == 2
    assert "--force" in again[2]


def test_next_minds_the_tasks_that_have_been_sent_and_not_been_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "batch.csv"
    words = ("batch", SAMPLE, "--tasks", "3", "--choose", "uniform", "--n-way", "4")
    hands = ("--on-segments", "9001-9003", "--assign-to", "ann")
    assert run(capsys, *words, *hands, "-o", str(target))[0] == 0
    assert {t["segment"] for t in answer(capsys, *words, *hands)["tasks"]} == {
        "9001", "9002", "9003",
    }  # fmt: skip
    more = ("--on-segments", "9001-9006", "--assign-to", "ann", "--sent", str(target))
    tasks = answer(capsys, *words, *more)["tasks"]
    assert {t["segment"] for t in tasks} == {"9004", "9005", "9006"}
    broken = tmp_path / "broken.csv"
    broken.write_text("a,b\n1,2\n")
    for name, message in ((broken, "not a file of tasks"), (tmp_path / "none.csv", "No such file")):
        code, _, err = run(capsys, *words, "--sent", str(name))
        assert code == 2
        assert message in err


def test_watching_writes_a_batch_after_every_change_and_outlives_half_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes, target, batches = tmp_path / "votes.csv", tmp_path / "batch.csv", []
    head = "judge,question_id,model_a,model_b,winner\n"
    states = iter([head + "ann,1,a,b,model_a\n", "judge,quest", head + "ann,2,a,c,model_b\n"])
    votes.write_text(head + "ann,1,a,b,tie\n")

    def next_state(_: float) -> None:
        batches.append(target.read_text())
        text = next(states, None)
        if text is None:
            raise KeyboardInterrupt
        votes.write_text(text)

    monkeypatch.setattr(batch_command.time, "sleep", next_state)
    hands = ("--on-segments", "5-9", "--assign-to", "ben", "--tasks", "2")
    code, _, err = run(capsys, "batch", str(votes), *hands, "--watch", "-o", str(target))
    assert code == 0
    assert err.count("Wrote 2 votes") == 3
    looks = re.findall(r"Interim look (\d+): .* at α = ([0-9.]+), which", err)
    assert [number for number, _ in looks] == ["1", "2", "3"]
    assert [float(alpha) for _, alpha in looks] == pytest.approx([0.030, 0.0076, 0.0034], rel=0.02)
    assert "votes.csv" in err
    assert batches[1] == batches[2]  # Half a file changed nothing.
    assert ",c" not in batches[1]
    assert ",c" in batches[3] or "c," in batches[3]
    assert run(capsys, "batch", str(votes), "--watch")[0] == 2


def test_next_deals_the_segments_and_judges_that_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--tasks", "6", "--n-way", "3", "--on-segments", "8-9,12", "--assign-to", "ann,bob")
    document = answer(capsys, "batch", SAMPLE, *words, "--choose", "uniform")
    tasks = document["tasks"]
    assert sorted((t["judge"], t["segment"]) for t in tasks) == [
        (judge, segment) for judge in ("ann", "bob") for segment in ("12", "8", "9")
    ]
    assert all(len(t["systems"]) == 3 for t in tasks)
    assert document["warning"] == ""


def test_simulate_writes_a_campaign_that_the_other_commands_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "campaign.csv"
    words = ("--systems", "7", "--judgments", "3000", "--spread", "2", "--n-way", "6")
    code, out, err = run(capsys, "research", "simulate", *words, "-o", str(target))
    assert (code, out) == (0, "")
    campaign, _ = read_path(target)
    assert (len(campaign.systems), campaign.n_tasks) == (7, 200)
    truth = err[err.index("True abilities: ") + 16 :].rstrip(".\n").split(", ")
    ranked = answer(capsys, "rank", str(target), "--method", "bojar", "--runs", "20")["systems"]
    assert ranked[0]["system"] == truth[0].split()[0]
    assert ranked[-1]["system"] == truth[-1].split()[0]


@pytest.mark.parametrize(
    ("study", "words", "rows", "fields"),
    [
        ("ranking-error", ("--sizes", "500,2000"), 8, {"method", "judgments", "error"}),
        ("rank-ranges", ("--sizes", "500", "--resamples", "50"), 3, {"violations", "clusters"}),
        ("significance", ("--sizes", "500,2000,8000"), 3, {"judgments", "share", "sd"}),
        ("judgments-needed", ("--systems", "4", "--spread", "6"), 4, {"share", "needed"}),
    ],
)
def test_every_study_answers_with_its_table(
    capsys: pytest.CaptureFixture[str],
    study: str,
    words: tuple[str, ...],
    rows: int,
    fields: set[str],
) -> None:
    document = answer(
        capsys, "research", "simulate", "--study", study, "--experiments", "10", *words
    )
    assert document["study"] == study
    assert len(document["rows"]) == rows
    assert fields <= set(document["rows"][0])
    values = [v for row in document["rows"] for v in row.values() if isinstance(v, float)]
    assert all(math.isfinite(v) for v in values)


def test_a_study_of_rank_ranges_has_its_level(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--study", "rank-ranges", "--sizes", "3000", "--experiments", "3")
    rows = [
        answer(capsys, "research", "simulate", *words, "--resamples", "100", "--level", level)[
            "rows"
        ]
        for level in (".95", ".7")
    ]
    sizes = [{row["method"]: row["size"] for row in table} for table in rows]
    assert sizes[0]["pairwise"] == sizes[1]["pairwise"]
    assert sizes[0]["task"] > sizes[1]["task"] + 0.5


def test_the_spread_is_fitted_to_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--study", "spread", "--like", SAMPLE, "--experiments", "3")
    document = answer(capsys, "research", "simulate", *words)
    assert document["systems"] == 8
    assert document["spread"] == int(min(document["misfit"].items(), key=lambda item: item[1])[0])
    assert {"judgments", "observed", "simulated"} == set(document["rows"][0])


def test_a_study_keeps_its_own_spread_unless_another_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = (
        "research",
        "simulate",
        "--study",
        "ranking-error",
        "--sizes",
        "10000",
        "--experiments",
        "30",
    )
    errors = [
        answer(capsys, *words, *more)["rows"]
        for more in ((), ("--spread", "20"), ("--spread", "5"))
    ]
    assert errors[0] == errors[1]
    assert errors[2][0]["error"] < errors[0][0]["error"] - 0.03


def test_the_same_seed_prints_the_same_bytes_and_another_seed_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (
        ("plan", SAMPLE),
        ("batch", SAMPLE, "--tasks", "20"),
        ("research", "simulate", "--study", "significance", "--sizes", "500", "--experiments", "5"),
    ):
        first, again, other = (
            run(capsys, *words, "--json", "--seed", seed)[1] for seed in ("4", "4", "5")
        )
        assert first == again
        assert json.loads(first) != {**json.loads(other), "seed": 4}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("plan", SAMPLE, "--share", "90"), "outside 0–1"),
        (("plan", SAMPLE, "--clusters", "40"), "8 systems cannot form"),
        (("plan", SAMPLE, "--minutes-per-task", "-3"), "not an amount"),
        (("plan", SAMPLE, "--share", ".5", "--clusters", "3"), "not allowed with"),
        (("plan", SAMPLE, "--new-judges", "-2"), "not a whole number"),
        (("plan", SAMPLE, "--look", "0"), "not the number of an interim look"),
        (("plan", "no-such-file.csv"), "no-such-file.csv"),
        (("batch", SAMPLE, "--tasks", "0"), "too few"),
        (("batch", SAMPLE, "--hit-size", "3"), "Add -o OUT.xml"),
        (("batch", SAMPLE, "--hit-size", "-1", "-o", "b.xml"), "Use 1 or more"),
        (("batch", SAMPLE, "--choose", "best"), "uncertainty"),
        (("batch", SAMPLE, "-o", "batch.txt"), "neither .csv nor .xml"),
        (("batch", SAMPLE, "--sent", "b.csv", "-o", "b.csv", "--force"), "it is also an input"),
        (("batch", SAMPLE, "--on-segments", "5-3"), "5-3 goes down"),
        (("batch", SAMPLE, "--assign-to", ","), "none is named"),
        (("batch", SAMPLE, "--seed", "-1"), "not a whole number from 0"),
        (("batch", SAMPLE, "-o", "no/such/folder/batch.csv"), "name another file"),
        (
            ("batch", SAMPLE, "--on-segments", "1", "--assign-to", "ann"),
            "Use --tasks 1, or add segments (--on-segments)",
        ),
        (("simulate",), "--study or -o/--output is missing"),
        (("research", "simulate", "--study", "luck"), "ranking-error"),
        (("research", "simulate", "--study", "significance", "--sizes", "few"), "Use 400,800"),
        (("research", "simulate", "--study", "significance", "--systems", "1"), "from 2 to 200"),
        (
            ("research", "simulate", "--study", "judgments-needed", "--radius", "2"),
            "varies only the number of systems",
        ),
        (("research", "simulate", "--study", "spread"), "which needs it"),
        (("research", "simulate", "--study", "rank-ranges", "--level", "95"), "outside 0–1"),
        (
            ("research", "simulate", "--study", "significance", "--like", SAMPLE),
            "works only with --study spread",
        ),
        (
            ("research", "simulate", "--study", "spread", "--like", SAMPLE, "--radius", "1"),
            "Leave settings",
        ),
        (("research", "simulate", "--judgments", "0", "-o", "never-written.csv"), "too few"),
    ],
)
def test_bad_input_costs_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    try:
        code = main(words)
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert expected in err
    assert err.count("\n") == 1
