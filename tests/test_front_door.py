"""The front door: a few functions, fast to import, the same numbers as through the rooms."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import analysis
from analysis import PodiumError, agreement, apart, compare, plan, rank, read
from analysis.campaign import Selection
from analysis.kernel_cache import choose_kernel_cache
from analysis.rankers import RANKERS
from analysis.ranking import ranking as room
from analysis.ranking.apart import apart as told_apart
from analysis.ranking.certainty import Certainty

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "data" / "examples"
FIVE_WAY = EXAMPLES / "wmt-5way.csv"


def test_a_path_and_its_bytes_are_one_campaign() -> None:
    by_path, _ = read(FIVE_WAY)
    by_bytes, _ = read(("wmt-5way.csv", FIVE_WAY.read_bytes()))
    assert by_path.fingerprint == by_bytes.fingerprint


def test_several_files_are_one_campaign() -> None:
    one, _ = read(FIVE_WAY)
    both, report = read(FIVE_WAY, EXAMPLES / "wmt-2way-collapsed.csv")
    assert both.n_tasks > one.n_tasks
    assert report.n_tasks == both.n_tasks


def test_without_a_name_the_campaign_s_usual_method_ranks() -> None:
    scored, _ = read(EXAMPLES / "scores.csv")
    ranked, _ = read(FIVE_WAY)
    assert rank(scored).standings.method == "mean"
    assert rank(ranked, pair=ranked.pairs[0], runs=10).standings.method == "trueskill"


def test_a_mapping_renames_columns() -> None:
    plain = FIVE_WAY.read_bytes()
    theirs = plain.replace(b"srclang", b"from", 1).replace(b"judgeId", b"who", 1)
    campaign, _ = read(("theirs.csv", theirs), mapping={"from": "srclang", "who": "judgeId"})
    assert campaign.fingerprint == read(FIVE_WAY)[0].fingerprint
    with pytest.raises(PodiumError, match="no column nobody"):
        read(FIVE_WAY, mapping={"nobody": "judgeId"})


@pytest.mark.parametrize("source", ["no-such-file.csv", "a\0b"])
def test_a_file_that_is_not_there_is_told(source: str) -> None:
    with pytest.raises(PodiumError):
        read(source)


def test_rank_is_the_room_s_rank() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    ours = rank(campaign, "bradley-terry", pair, runs=30, seed=3, ties="davidson")
    ranker = RANKERS["bradley-terry"](ties="davidson")  # type: ignore[call-arg]
    theirs = room.rank(campaign.judgments(pair), ranker, Certainty(runs=30, seed=3))
    assert ours.signature == theirs.signature
    assert ours.to_frame().equals(theirs.to_frame())


def test_to_say_what_is_resampled_asks_for_ranges_as_published() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    ours = rank(campaign, "bojar", pair, resample="segment", target="these", runs=30, level=0.9)
    chosen = Certainty("marginal", target="these", unit="segment", runs=30, level=0.9)
    theirs = room.rank(campaign.judgments(pair), RANKERS["bojar"](), chosen)
    assert "resample:segment|runs:30" in ours.signature
    assert ours.signature == theirs.signature
    assert ours.to_frame().equals(theirs.to_frame())


def test_judgments_that_a_selection_made_are_ranked_as_they_are() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    chosen = campaign.judgments(pair, Selection(exclude_systems=(campaign.systems[0],)))
    assert campaign.systems[0] not in rank(chosen, "bojar", runs=5).systems


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "best"}, {"runs": 0}, {"runs": 10**15}, {"level": 1.5}, {"pair": "xxx-yyy"},
        {"resample": "word"}, {"no_such_setting": 1},
    ],
)  # fmt: skip
def test_what_a_user_can_mend_is_a_podium_error(wrong: dict[str, object]) -> None:
    campaign, _ = read(FIVE_WAY)
    usual = {"method": "bojar", "pair": campaign.pairs[0], "runs": 5}
    with pytest.raises(PodiumError):
        rank(campaign, **{**usual, **wrong})  # type: ignore[arg-type]


def test_apart_is_the_room_s_apart() -> None:
    campaign, _ = read(FIVE_WAY)
    judgments = campaign.judgments(campaign.pairs[0])
    ours = apart(campaign, "bradley-terry", judgments.pair, ties="davidson")
    ranker = RANKERS["bradley-terry"](ties="davidson")  # type: ignore[call-arg]
    theirs = told_apart(ranker.fit(judgments))
    assert np.array_equal(ours.p, theirs.p, equal_nan=True)


def test_compare_agreement_and_plan_answer() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    assert compare(campaign, ("bojar", "lopez"), pair, runs=5).methods == ("bojar", "lopez")
    assert agreement(campaign, pair, runs=0).strict.inter.comparable >= 0
    assert plan(campaign.judgments(pair), minutes_per_task=2).pair == pair


def test_every_name_of_the_door_is_declared_for_types() -> None:
    stub = (ROOT / "analysis" / "__init__.pyi").read_text()
    assert all(f"import {name} as {name}\n" in stub for name in analysis.__all__)
    assert stub.count("import") == len(analysis.__all__)
    with pytest.raises(AttributeError):
        _ = analysis.no_such_name  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import analysis, sys; print(*{'numpy', 'pandas', 'scipy', 'numba'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_kernels_get_a_folder_where_none_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "file").write_text("no folder")
    choose_kernel_cache(tmp_path / "file" / "here", tmp_path / "file")
    folder = Path(os.environ.pop("NUMBA_CACHE_DIR"))
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0


def test_kernels_stay_where_they_are_where_it_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    choose_kernel_cache(FIVE_WAY / "here", tmp_path / "not" / "there" / "yet")
    assert "NUMBA_CACHE_DIR" not in os.environ
