"""The front door: a few functions, fast to import, the same numbers as through the rooms."""

from __future__ import annotations

import dataclasses
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import analysis
from analysis import PodiumError, agreement, compare, plan, rank, read
from analysis.campaign import Selection
from analysis.kernel import choose_kernel_cache, kernel
from analysis.rankers import RANKERS
from analysis.ranking import ranking as room
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
    assert rank(ranked, lang_pair=ranked.pairs[0], resamples=10).standings.method == "bradley-terry"


def test_a_mapping_renames_columns() -> None:
    plain = FIVE_WAY.read_bytes()
    theirs = plain.replace(b"srclang", b"from", 1).replace(b"judgeId", b"who", 1)
    campaign, _ = read(("theirs.csv", theirs), mapping={"from": "srclang", "who": "judgeId"})
    assert campaign.fingerprint == read(FIVE_WAY)[0].fingerprint
    with pytest.raises(PodiumError, match="the column nobody is missing"):
        read(FIVE_WAY, mapping={"nobody": "judgeId"})


@pytest.mark.parametrize("source", ["no-such-file.csv", "a\0b"])
def test_a_file_that_is_not_there_is_told(source: str) -> None:
    with pytest.raises(PodiumError):
        read(source)


def test_rank_is_the_room_s_rank() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    ours = rank(campaign, "bradley-terry", pair, resamples=30, seed=3, ties="davidson")
    ranker = RANKERS["bradley-terry"](ties="davidson")  # type: ignore[call-arg]
    theirs = room.rank(campaign.judgments(pair), ranker, Certainty(runs=30, seed=3))
    assert ours.signature == theirs.signature
    assert ours.to_frame().equals(theirs.to_frame())


def test_to_say_what_is_resampled_asks_for_ranges_as_published() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    ours = rank(campaign, "bojar", pair, unit="segment", scope="these", resamples=30, level=0.9)
    chosen = Certainty("marginal", scope="these", unit="segment", runs=30, level=0.9)
    theirs = room.rank(campaign.judgments(pair), RANKERS["bojar"](), chosen)
    assert "resample:segment|runs:30" in ours.signature
    assert ours.signature == theirs.signature
    assert ours.to_frame().equals(theirs.to_frame())


def test_judgments_that_a_selection_made_are_ranked_as_they_are() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    chosen = campaign.judgments(pair, Selection(exclude_systems=(campaign.systems[0],)))
    assert campaign.systems[0] not in rank(chosen, "bojar", resamples=5).systems


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "best"}, {"resamples": 0}, {"resamples": 10**15}, {"level": 1.5},
        {"lang_pair": "xxx-yyy"}, {"unit": "word"}, {"no_such_setting": 1}, {"level": "95%"},
        {"scope": "knew"},
    ],
)  # fmt: skip
def test_what_a_user_can_mend_is_a_podium_error(wrong: dict[str, object]) -> None:
    campaign, _ = read(FIVE_WAY)
    usual = {"method": "bojar", "lang_pair": campaign.pairs[0], "resamples": 5}
    with pytest.raises(PodiumError):
        rank(campaign, **{**usual, **wrong})  # type: ignore[arg-type]


def test_compare_agreement_and_plan_answer() -> None:
    campaign, _ = read(FIVE_WAY)
    pair = campaign.pairs[0]
    assert compare(campaign, ("bojar", "lopez"), pair, resamples=5).methods == ("bojar", "lopez")
    assert agreement(campaign, pair, resamples=0).strict.inter.comparable >= 0
    assert plan(campaign.judgments(pair), minutes_per_task=2).pair == pair


VOTES = [
    {"model_a": a, "model_b": b, "winner": winner, "judge": f"judge {k % 7}", "question_id": k % 40}
    for k in range(240)
    for a, b, winner in [
        ("x", "y", "model_a" if k % 3 else "model_b"), ("y", "z", "tie" if k % 5 else "model_a"),
    ]
]  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "rows", "text", "bytes", "file"])
def test_a_frame_rows_and_an_open_file_are_the_campaign_of_the_file(
    kind: str, tmp_path: Path
) -> None:
    frame = pd.DataFrame(VOTES)
    path = tmp_path / "votes.csv"
    frame.to_csv(path, index=False)
    source = {
        "pandas": frame,
        "pyarrow": pa.Table.from_pandas(frame),
        "rows": VOTES,
        "text": io.StringIO(path.read_text()),
        "bytes": ("votes.csv", path.read_bytes()),
        "file": io.BytesIO(path.read_bytes()),
    }[kind]
    votes = read(source)
    assert votes.campaign.fingerprint == read(path).campaign.fingerprint
    assert votes.report is not None
    assert votes.report.n_rows == len(VOTES)
    assert rank(frame).to_frame().equals(rank(votes).to_frame())


def test_what_cannot_be_read_is_told_with_what_can_be() -> None:
    with pytest.raises(PodiumError, match="Give a"):
        read(3)
    with pytest.raises(PodiumError, match="Did you mean wmt14-cs-en"):
        read("sample:wmt14-csen")


WMT = "sample:wmt14-cs-en"
SLIPS = [
    "rank(WMT, level='95%')", "rank(WMT, level=95)", "rank(WMT, level=None)",
    "rank(WMT, level=True)", "rank(WMT, scope=3)", "rank(WMT, 5)", "rank(WMT, ['bojar', 'elo'])",
    "rank(WMT, lang_pair=3)", "rank(WMT, lang_pair='de-en')", "rank(WMT, resamples='100')",
    "rank(WMT, resamples=-1)", "rank(WMT, resamples=1.5)", "rank(WMT, seed='a')",
    "rank(WMT, seed=-1)", "rank(WMT, seed=None)", "rank(WMT, unit='rows')", "rank(WMT, 'mean')",
    "rank(WMT, 'trueskill', draw_probability=None)", "rank(WMT, 'trueskill', draw_prob=.3)",
    "rank(WMT, ties='foo')", "rank(WMT, 'uniform')", "rank()", "rank(None)", "rank(3)", "rank([])",
    "rank({})", "rank('')", "rank('sample:')", "rank(pd.DataFrame())", "rank(np.zeros((3, 3)))",
    "rank((WMT, WMT))", "rank((read(WMT), read(WMT)))", "rank([1, 2])", "rank([('x', 'y', 'a')])",
    "rank({'model_a': ['x']})", "rank(pd.Series([1]))", "rank(b'')", "rank(b'abc')",
    "rank(['a.csv', 'b.csv'])", "rank(lambda: 1)", "read()", "read(VOTES, left='model_a')",
    "read(VOTES, mapping=3)", "read(VOTES, mapping='autoo')", "read(VOTES, mapping={'model_a': 3})",
    "read(VOTES, criterion='zz')", "read(VOTES, sheet=3)", "read(WMT, mapping={'a': 'b'})",
    "read(WMT, WMT)", "compare(WMT, 'bojar')", "compare(WMT, ['bojar'])", "compare(WMT, 5)",
    "compare(WMT, [])", "compare(WMT, ['bojar', 'nope'])", "agreement(WMT, resamples='x')",
    "agreement(WMT, level=3)", "agreement(WMT, identical='no')", "plan(WMT, share='90%')",
    "plan(WMT, clusters='3')", "plan(WMT, clusters=99)", "plan(WMT, new_segments='x')",
    "plan(WMT, new_judges=1.5)", "plan(WMT, minutes_per_task='x')", "plan(WMT, cost_per_hour='1€')",
    "rank(WMT, 'bojar').pairs('x')", "rank(WMT, 'bojar').pairs(0)",
    "rank(WMT, 'bojar').plot_methods('elo')",
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_natural_slip_is_a_podium_error_that_names_no_flag(slip: str) -> None:
    with pytest.raises(PodiumError) as told:
        eval(slip)
    assert not re.search(r"--[a-z]", str(told.value))
    assert told.value.remedy


def test_a_ranking_stands_for_its_judgments() -> None:
    chosen = read(WMT).campaign.judgments(selection=Selection(exclude_systems=("CU-MOSES",)))
    first = rank(chosen, "bojar")
    assert "CU-MOSES" not in rank(first, "expected-wins").systems
    kappas = [dataclasses.asdict(agreement(votes, resamples=0)) for votes in (first, chosen)]
    np.testing.assert_equal(*kappas)


def test_a_mapping_renames_the_columns_of_a_frame() -> None:
    theirs = pd.DataFrame(VOTES).rename(columns={"model_a": "left one"})
    renamed = read(theirs, mapping={"left one": "model_a"})
    assert renamed.campaign.fingerprint == read(VOTES).campaign.fingerprint


def test_a_comparison_has_one_row_per_system_that_can_be_joined() -> None:
    frame = compare(WMT, ["bojar", "expected-wins"]).to_frame()
    joined = frame.merge(rank(WMT, "bojar").to_frame(), on="system", validate="one_to_one")
    assert len(joined) == 5
    assert joined.sort_values("score", ascending=False)["bojar"].tolist() == [1, 2, 3, 4, 5]


def test_a_misspelt_argument_is_answered_with_the_one_meant() -> None:
    for wrong, meant in (("metod", "method"), ("langpair", "lang_pair"), ("prioor", "prior")):
        with pytest.raises(PodiumError, match=f"Did you mean {meant}"):
            rank(VOTES, "bradley-terry", **{wrong: 1})  # type: ignore[arg-type]
    with pytest.raises(PodiumError, match="Did you mean bradley-terry"):
        rank(VOTES, "bradley-tery")


def test_a_ranking_has_its_tables_winner_and_pictures() -> None:
    ranking = rank("sample:wmt14-cs-en", "expected-wins")
    assert list(ranking.to_frame()) == [
        "system", "score", "se", "ci_low", "ci_high", "rank_best", "rank_worst", "cluster", "tier",
    ]  # fmt: skip
    pairs = ranking.pairs()
    assert {*pairs} >= {"a", "b", "difference", "se", "p", "p_adjusted", "verdict", "exploratory"}
    assert "equal" in {*ranking.pairs(margin=0.2)["verdict"]}
    assert ranking.winner is None
    assert ranking.possible_winners == ("ONLINE-B", "UEDIN-PHRASE")
    rates = ranking.win_rates()
    assert np.allclose((rates + rates.T).to_numpy()[~np.eye(5, dtype=bool)], 1)
    for figure in (
        ranking.plot(),
        ranking.plot_matrix(),
        ranking.plot_methods(rank("sample:wmt14-cs-en", "bojar")),
    ):
        assert type(figure).__name__ == "Figure"
        assert len(figure.data) > 0


def test_nothing_fills_a_notebook() -> None:
    votes = read("sample:wmt14-cs-en")
    ranking = rank("sample:arena-people", "bradley-terry")
    shown = (
        votes, votes.campaign, votes.campaign.judgments(), ranking, ranking.verdict,
        compare(votes, ["bojar", "expected-wins"]), agreement(votes, resamples=0),
        plan(votes, method="bojar"), read(VOTES).report,
    )  # fmt: skip
    assert [type(one).__name__ for one in shown if len(repr(one)) > 1600] == []
    html = ranking._repr_html_()
    assert html.count("<tr") == 9
    assert "and 12 more" in html


def test_names_in_a_notebook_are_text() -> None:
    votes = [dict(one, model_a=one["model_a"].replace("x", "<script>")) for one in VOTES]
    assert "<script>" not in rank(votes)._repr_html_()


def test_every_name_of_the_door_is_declared_for_types() -> None:
    stub = (ROOT / "analysis" / "__init__.pyi").read_text()
    assert all(f"import {name} as {name}\n" in stub for name in analysis.__all__)
    assert stub.count("import") == len(analysis.__all__)
    with pytest.raises(AttributeError):
        _ = analysis.no_such_name  # type: ignore[attr-defined]


HEAVY = ("numba", "scipy.optimize", "scipy.sparse", "scipy.stats", "scipy.linalg", "arviz_stats",
         "bibtexparser", "rich", "typst", "PIL", "xlsxwriter", "plotly", "streamlit")  # fmt: skip


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        ("import analysis", ("numpy", "pandas", "scipy", "pyarrow", "yaml", *HEAVY)),
        ("from analysis import rank", HEAVY),
    ],
)
def test_an_import_imports_only_what_it_needs(words: str, heavy: tuple[str, ...]) -> None:
    code = f"{words}; import sys; print(*{{*{heavy}}} & {{*sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@kernel
def _twice(number):  # type: ignore[no-untyped-def]
    return 2 * number


@kernel(inline="always")
def _four_times(number):  # type: ignore[no-untyped-def]
    return _twice(_twice(number))


def test_a_kernel_that_calls_another_one_is_compiled_when_it_is_called_and_not_before() -> None:
    assert "compiled" not in vars(_four_times)
    assert _four_times(2.5) == 10.0
    assert _four_times.compiled.signatures


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
