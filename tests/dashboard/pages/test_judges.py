"""Judges: who deserves a look, in words, in the figure, and what is lost without them."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import UNNAMED_JUDGE, Campaign, Selection
from analysis.findings.judges import figure_title, judge_sentences, judges_finding, without_kappa
from analysis.formats import read
from analysis.judges.judge_table import JudgeTable, judges
from analysis.judges.judge_verdicts import QUIET, UNREMARKABLE, VERDICT_OF_FLAG, VERDICT_WORDS
from analysis.judges.kappa import ENOUGH
from dashboard import compute
from dashboard.figures.judges import judges_figure
from dashboard.figures.theme import alt_text
from dashboard.tables.judgments import counted_column
from dashboard.widgets.questions import JUDGES
from tests.building import CampaignBuilder
from tests.drawing_text import drawn_text
from tests.opening import open_address, with_upload

ODD = "<b>odd</b>"


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Five judges on the same sentences: four see what is there, one turns the ranks round."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(11)
    quality = np.array([3.0, 2.0, 1.0, 0.0])
    for task in range(300):
        judge = ("ann", "bob", "cyd", "dan", ODD)[task % 5]
        sign = -1 if judge == ODD else 1
        seen = sign * quality + rng.normal(0, 1, 4)
        ranks = np.argsort(np.argsort(-seen)) + 1
        shown = rng.permutation(4)
        outputs = [("abcd"[k],) for k in shown]
        builder.add_task("cs-en", str(task // 5), judge, outputs, ranks[shown].tolist())
    return builder.build()


@pytest.fixture(scope="module")
def table(campaign: Campaign) -> JudgeTable:
    return judges(campaign.judgments())


@pytest.fixture
def open_judges(monkeypatch: pytest.MonkeyPatch, campaign: Campaign) -> Callable[..., AppTest]:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())

    def open_(campaign: Campaign = campaign) -> AppTest:
        return open_address("agreement", with_upload(campaign), method="Expected Wins")

    return open_


def words_of(app: AppTest) -> str:
    return "\n".join(str(m.value).replace("\\", "") for m in app.markdown)


def test_the_finding_counts_the_judges_with_a_flag(table: JudgeTable) -> None:
    assert judges_finding(table) == "1 of 5 judges needs a check"
    builder = CampaignBuilder()
    for task in range(12):
        shown, ranks = ([("a",), ("b",)], [1, 2]) if task % 2 else ([("b",), ("a",)], [2, 1])
        builder.add_task("cs-en", str(task), "ann", shown, ranks)
    alone = judges(builder.build().judgments())
    assert judges_finding(alone) == "There is only one judge"


def test_every_verdict_has_words() -> None:
    assert {verdict.name for verdict in VERDICT_OF_FLAG.values()} | set(QUIET) == set(VERDICT_WORDS)


def test_the_figure_labels_flagged_judges_and_nobody_else(table: JudgeTable) -> None:
    figure = judges_figure(table, 0.4, title="t", mode="light")
    flagged = next(t for t in figure.data if t.name == "needs a check")
    others = next(t for t in figure.data if t.name == "unremarkable")
    assert list(flagged.text) == ["&lt;b&gt;odd&lt;/b&gt;"]
    assert flagged.marker.symbol == "diamond"
    assert others.text is None
    assert len(others.x) == 4
    (usual,) = [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert (usual.y0, usual.y1) == (0.4, 0.4)
    calm = [k for k in range(5) if not table.flags[k]]
    assert list(others.x) == [table.judgments[k] for k in calm]
    assert list(others.y) == [table.inter[k] for k in calm]
    k = table.judges.index(ODD)
    assert (flagged.x[0], flagged.y[0]) == (table.judgments[k], table.inter[k])
    assert "<b>odd" not in drawn_text(figure)
    assert ODD in alt_text(figure)


def test_all_judges_are_inside_the_figure(table: JudgeTable) -> None:
    figure = judges_figure(table, 0.4, title="t", mode="dark")
    low, high = figure.layout.yaxis.range
    for trace in figure.data:
        assert low < min(trace.y)
        assert max(trace.y) < high


def lonely() -> JudgeTable:
    """Ann and bob judge the same; eve judges much, and alone."""
    builder = CampaignBuilder()
    for task in range(60):
        builder.add_task(
            "cs-en", str(task // 2), ("ann", "bob")[task % 2], [("a",), ("b",)], [1, 1 + task % 3]
        )
    for task in range(1500):
        builder.add_task("cs-en", f"alone {task}", "eve", [("a",), ("b",)], [1, 2])
    return judges(builder.build().judgments())


def test_a_judge_without_a_kappa_is_named_beside_and_not_drawn_on_its_axis() -> None:
    alone = lonely()
    figure = judges_figure(alone, 0.2, title="t", mode="light")
    assert sum(len(trace.x) for trace in figure.data) == 2
    assert not any(1500 in trace.x for trace in figure.data)
    assert without_kappa(alone).endswith("not in the figure: eve.")
    assert "Not shown, with too few comparisons: 1." in alt_text(figure)


def test_judges_who_all_have_a_kappa_leave_nobody_beside(table: JudgeTable) -> None:
    assert without_kappa(table) == ""


def test_judges_beside_the_figure_are_counted_where_they_are_many() -> None:
    table = dataclasses.replace(lonely(), inter=np.full(3, np.nan))
    assert without_kappa(table, most=1).endswith(f"{table.judges[0]} and 2 more.")


def test_an_axis_over_tenfold_amounts_is_logarithmic_and_holds_all_that_is_drawn() -> None:
    table = lonely()
    figure = judges_figure(
        dataclasses.replace(table, inter=np.array([0.1, 0.2, 0.3])), 0.2, title="t", mode="light"
    )
    assert figure.layout.xaxis.type == "log"
    low, high = figure.layout.xaxis.range
    assert all(low < np.log10(x) < high for trace in figure.data for x in trace.x)


def test_names_of_flagged_judges_near_each_other_stand_apart(table: JudgeTable) -> None:
    """Three diamonds at one place: names above, below and beside, none over another."""
    near = dataclasses.replace(
        table,
        judgments=np.full(5, 300),
        inter=np.array([0.31, 0.31, 0.31, 0.1, 0.5]),
        verdicts=(VERDICT_OF_FLAG["hasty"],) * 3 + (UNREMARKABLE,) * 2,
    )
    flagged = judges_figure(near, 0.3, title="t", mode="light").data[1]
    assert all(flagged.text)
    assert len(set(flagged.textposition)) == 3


def test_a_file_that_names_no_judges_is_said_to_and_nobody_is_flagged(
    open_judges: Callable[..., AppTest],
) -> None:
    builder = CampaignBuilder()
    for task in range(60):
        builder.add_task("cs-en", str(task), UNNAMED_JUDGE, [("a",), ("b",)], [1, 2])
    app = open_judges(builder.build())
    assert not app.exception
    assert "# The file does not name its judges" in words_of(app)
    assert not app.dataframe


def test_the_title_speaks_of_judges_with_enough_answers_only(table: JudgeTable) -> None:
    told = table.inter[table.inter_comparable >= ENOUGH]
    numbers = f"{told.min():.2f} to {told.max():.2f}".replace("-", "−")
    assert figure_title(table).endswith(f"ranges from κ {numbers}")


def test_the_page_says_who_and_why_and_what_changes_without(
    open_judges: Callable[[], AppTest],
) -> None:
    app = open_judges()
    assert not app.exception
    assert "1 of 5 judges needs a check" in words_of(app)
    app.button(key="judges.flagged").click().run()
    assert app.multiselect(key=JUDGES).value == [ODD]
    assert f"Without {ODD}: " in words_of(app)


def test_a_judge_left_out_becomes_a_chip_that_can_be_taken_back(
    open_judges: Callable[[], AppTest],
) -> None:
    app = open_judges()
    app.button(key="judges.flagged").click().run()
    app.button(key="what.everywhere").click().run()
    view = app.session_state["podium"].view
    assert view.selection.exclude_judges == (ODD,)
    assert "No check finds a problem with 4 judges" in words_of(app)
    app.button(key="chip.0").click().run()
    assert app.session_state["podium"].view.selection.exclude_judges == ()


def test_the_table_puts_flagged_judges_first(open_judges: Callable[[], AppTest]) -> None:
    frame = next(f.value for f in open_judges().dataframe if "inter" in f.value)
    assert frame["judge"].iloc[0] == ODD
    assert "seconds" not in frame.columns


def test_a_judge_of_most_judgments_is_named_and_selected_with_one_click(
    open_judges: Callable[..., AppTest],
) -> None:
    builder, rng = CampaignBuilder(), np.random.default_rng(5)
    for task in range(120):
        judge = "busy" if task % 4 else f"judge{task % 3}"
        ranks = (1 + np.argsort(np.argsort(rng.normal(0, 1, 3) - np.arange(3)))).tolist()
        builder.add_task("cs-en", str(task // 4), judge, [("a",), ("b",), ("c",)], ranks)
    app = open_judges(builder.build())
    said = " ".join(str(block.proto.body) for block in app.get("html"))
    assert "busy gave 75% of the judgments: check the result without them." in said
    app.button(key="judges.dominant").click().run()
    assert not app.exception
    assert app.multiselect(key=JUDGES).value == ["busy"]


def test_dots_of_judges_who_cannot_be_checked_are_hollow(table: JudgeTable) -> None:
    unknown = UNREMARKABLE._replace(name="unknown")
    altered = dataclasses.replace(table, verdicts=(unknown, *table.verdicts[1:]))
    symbols = {
        trace.name: trace.marker.symbol
        for trace in judges_figure(altered, 0.4, title="t", mode="light").data
    }
    assert symbols["cannot be checked"] == "circle-open"
    names = {trace.name for trace in judges_figure(table, 0.4, title="t", mode="light").data}
    assert "cannot be checked" not in names


def test_what_a_verdict_means_is_said_once(table: JudgeTable) -> None:
    one = UNREMARKABLE._replace(name="one rating", reason="Gave mostly one rating. 100 in 60%.")
    two = one._replace(reason="Gave mostly one rating. 100 in 70%.")
    altered = dataclasses.replace(table, verdicts=(one, two, *table.verdicts[2:]))
    assert judge_sentences(altered)[:2] == [
        f"{table.judges[0]}: mostly one rating. Gave mostly one rating. 100 in 60%.",
        f"{table.judges[1]}: mostly one rating. 100 in 70%.",
    ]


def test_ratings_have_one_verdict_on_judges_and_one_table() -> None:
    """Nobody rated an output twice: the verdict is the headline, and no list says otherwise."""
    rows = [
        f"{s},{n},{j},{100 if j == 'bob' and n % 5 else (7 * n + 5 * (s == 'a')) % 40}"
        for k, j in enumerate(("ann", "bob", "cid")) for n in range(40 * k, 40 * k + 40)
        for s in "ab"
    ]  # fmt: skip
    campaign = read("\n".join(["system,segment,judge,score", *rows, ""]).encode())[0]
    page = open_address("agreement", with_upload(campaign))
    assert not page.exception
    verdicts = [m.value for m in page.markdown if "needs a check" in m.value]
    assert verdicts == ["# 1 of 3 judges needs a check"]
    tables = [table.value for table in page.dataframe if "judge" in table.value]
    (table,) = (found for found in tables if "verdict" in found)
    assert table["most_used"].max() == 0.8
    assert len([found for found in tables if "favorite" in found]) == 1


def test_pairs_of_outputs_are_not_called_judgments_where_identical_outputs_count_once() -> None:
    builder = CampaignBuilder()
    for task in range(20):
        outputs = [("a", "b"), ("c",)] if task else [("a",), ("b",), ("c",)]
        builder.add_task(
            "cs-en", str(task), f"judge{task % 2}", outputs, [*range(1, len(outputs) + 1)]
        )
    campaign = builder.build()
    shared, plain = (
        counted_column(campaign.judgments(selection=Selection(identical=way)))["label"]
        for way in ("collapsed", "expanded")
    )
    assert (shared, plain) == ("Pairs of outputs", "Judgments")
