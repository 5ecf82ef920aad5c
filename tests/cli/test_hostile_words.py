"""Words and settings that ended in a traceback once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import main
from analysis.extras.metrics.correlations import system_level
from analysis.extras.metrics.reading import Metric
from analysis.extras.validation.noise import noisy_judges
from analysis.formats import budgets
from analysis.next_campaign.knowledge import cluster_weights
from analysis.next_campaign.truths import draw_truths
from analysis.rankers.graded_response.likelihood import Parameters
from analysis.rankers.trueskill import TrueSkill
from analysis.samples import sample_campaign

ROOT = Path(__file__).parents[2]
ARENA = str(ROOT / "data" / "examples" / "arena.csv")
SCORES = str(ROOT / "data" / "examples" / "scores.csv")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rank", ARENA, "--judges=--"], "--judges: got '--'"),
        (["rank", ARENA, "--exclude-judges=--"], "--exclude-judges: got '--'"),
        (["summary", ARENA, "--pair=--"], "--pair: got '--'"),
    ],
)
def test_two_dashes_are_no_value(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_an_absurd_tie_margin_ranks_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rank", ARENA, "--method", "trueskill", "--epsilon", "1000"]) == 0
    assert "trueskill" in capsys.readouterr().out.lower()


def test_messages_never_go_to_standard_output_where_the_other_is_closed() -> None:
    line = [sys.executable, "-m", "analysis", "rank", "nosuch.csv"]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *line]
    done = subprocess.run(closed, stdout=subprocess.PIPE, cwd=ROOT, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (2, b"")


def test_pairs_are_listed_where_no_two_systems_were_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("system,segment,judge,score\na,1,j,50\na,2,j,60\n")
    words = ["rank", str(file), "--method", "mean", "--pairs", "--json"]
    assert main(words) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_judgments_without_variance_give_no_outlook_and_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "same.csv"
    rows = [f"{name},{segment},j,50" for name in "ab" for segment in range(6)]
    file.write_text("\n".join(["system,segment,judge,score", *rows, ""]))
    assert main(["plan", str(file), "--method", "mean"]) == 2
    assert "leave no variance to learn from" in capsys.readouterr().err


def test_a_covariance_that_rounding_made_singular_still_gives_truths() -> None:
    covariance = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]) - 1e-9
    drawn = draw_truths(np.array([0.5, -0.5, 0.0]), covariance, 9.0, 20, np.random.default_rng(1))
    assert np.isfinite(drawn.theta).all()


def test_the_package_as_engine_resamples_with_the_kernels() -> None:
    judgments = sample_campaign("wmt14-hi-en").judgments()
    by_engine = [
        TrueSkill(selection="shuffled", engine=engine).replicate_scores(
            judgments, "judgment", 20, np.random.default_rng(3)
        )
        for engine in ("package", "kernels")
    ]
    np.testing.assert_array_equal(*by_engine)


@pytest.mark.parametrize("sizes", ["9" * 25, "0", "4,-1", "x"])
def test_a_size_that_no_campaign_has_is_refused(
    sizes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("curve", "grow", "noise"):
        assert main(["research", name, ARENA, f"--sizes={sizes}", "--trials", "1"]) == 2
        assert "--sizes" in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /dev/zero")
@pytest.mark.parametrize("words", [["scores", "/dev/zero"], ["metrics", SCORES, "/dev/zero"]])
def test_a_stream_without_an_end_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "max_bytes", lambda: 10**7)
    assert main(words) == 2
    assert "/dev/zero" in capsys.readouterr().err


def test_a_system_in_no_resample_has_no_gold_score(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.array([[1.0, np.nan, np.nan], [3.0, 4.0, np.nan]])
    monkeypatch.setattr(noisy_judges, "map_chunks", lambda *_, **__: [drawn])
    judgments = sample_campaign("wmt14-hi-en").judgments()
    np.testing.assert_array_equal(noisy_judges.gold_standard(judgments, 2), [2.0, 4.0, np.nan])


def test_a_batch_of_systems_that_all_tied_is_answered_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ties.csv"
    rows = [f"q{k},a,b,tie,j{k % 2}" for k in range(12)]
    file.write_text("\n".join(["question_id,model_a,model_b,winner,judge", *rows, ""]))
    words = ["batch", str(file), "--method", "expected-wins", "--tasks", "5", "--json"]
    assert main(words) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_systems_that_need_nothing_more_are_chosen_among_evenly() -> None:
    """Where the next lines cost nothing, every pair counts, and nothing is divided by nothing."""
    with np.errstate(all="raise"):
        weight = cluster_weights(np.zeros(2), np.ones((2, 2)), apart=np.ones((2, 2), dtype=bool))
    assert np.isfinite(weight).all()
    assert weight.max() == 1


def test_judgments_of_an_output_that_two_systems_made_count_for_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = ROOT / "data" / "examples" / "appraise.xml"
    words = ["rank", str(file), "--all-pairs", "--identical", "collapsed", "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    pairs = answer["pairs"] if isinstance(answer, dict) else answer
    systems = pairs[0]["ranking"]["systems"]
    assert len(systems) == pairs[0]["systems"] == 6
    assert all(row["judgments"] > 0 for row in systems)


def test_a_step_far_beyond_all_sensitivities_overflows_nothing() -> None:
    with np.errstate(all="raise"):
        far = Parameters.from_vector(np.array([800.0, -900.0, 0.0, 0.0]), 2)
    assert np.isfinite(far.a).all()
    assert (far.a > 0).all()


def test_scores_that_differ_by_less_than_a_square_can_hold_correlate_with_nothing() -> None:
    metric = Metric("odd", {"a": 0.0, "b": 1e-320, "c": 0.0, "d": 0.0})
    r, drawn = system_level(metric, "abcd", np.arange(4.0), np.zeros((0, 4)))
    assert np.isnan(r)
    assert not len(drawn)


def test_claims_about_no_judgments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["research", "claims", ARENA]
    for name in ("basil", "cobalt", "drift"):
        words += ["--exclude-system", name]
    assert main(words) == 2
    assert "needs two" in capsys.readouterr().err


def test_nothing_is_chosen_from_no_judgments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The kernel read beyond its end, which ended the process."""
    file = tmp_path / "two.csv"
    rows = [f"{k},ann,owl,fox,owl" for k in range(9)]
    file.write_text("\n".join(["item,judge,system_a,system_b,winner", *rows, ""]))
    words = ["research", "grow", str(file), "--of", "clusters", "--sizes", "4", "--trials", "1"]
    assert main([*words, "--runs", "1", "--draw", "active", "--exclude-system", "owl"]) == 2
    assert "podium research grow" in capsys.readouterr().err


def test_a_folder_is_no_file_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("/", str(tmp_path)):
        assert main(["convert", ARENA, "--to", "scores", "-o", folder, "--force"]) == 2
        assert capsys.readouterr().err.startswith("podium convert")
