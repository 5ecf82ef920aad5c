"""Judges: who deserves a look, in words, in the figure, and what is lost without them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, CampaignBuilder
from analysis.judges.judges import ENOUGH, JudgeTable, figure_title, judges, judges_finding
from dashboard import compute
from dashboard.figures.judges import judges_figure
from dashboard.figures.theme import alt_text
from dashboard.session import state
from dashboard.widgets.leaving_out import JUDGES

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
def open_judges(monkeypatch: pytest.MonkeyPatch, campaign: Campaign) -> Callable[[], AppTest]:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())

    def open_() -> AppTest:
        app = AppTest.from_string(
            "from dashboard import navigation\nnavigation.run('judges')", default_timeout=60
        )
        upload = state.Upload(campaign, None, ("x.csv",))  # type: ignore[arg-type]
        app.session_state["podium"] = state._Session(
            upload=upload, wanted={state.CAMPAIGN: state.UPLOADED}
        )
        app.query_params["method"] = "Expected Wins"
        return app.run()

    return open_


def words_of(app: AppTest) -> str:
    return "\n".join(str(m.value).replace("\\", "") for m in app.markdown)


def test_the_finding_counts_the_judges_with_a_flag(table: JudgeTable) -> None:
    assert judges_finding(table) == "1 of 5 judges deserves a look"
    builder = CampaignBuilder()
    for task in range(12):
        shown, ranks = ([("a",), ("b",)], [1, 2]) if task % 2 else ([("b",), ("a",)], [2, 1])
        builder.add_task("cs-en", str(task), "ann", shown, ranks)
    alone = judges(builder.build().judgments())
    assert judges_finding(alone) == "There is only one judge"


def test_the_figure_labels_flagged_judges_and_nobody_else(table: JudgeTable) -> None:
    figure = judges_figure(table, 0.4, title="t", mode="light")
    flagged = next(t for t in figure.data if t.name == "flagged")
    others = next(t for t in figure.data if t.name == "no flag")
    assert list(flagged.text) == ["&lt;b&gt;odd&lt;/b&gt;"]
    assert flagged.marker.symbol == "diamond"
    assert others.text is None
    assert len(others.x) == 4
    k = table.judges.index(ODD)
    assert (flagged.x[0], flagged.y[0]) == (table.judgments[k], table.inter[k])
    assert "<b>odd" not in figure.to_json()
    assert ODD in alt_text(figure)


def test_all_judges_are_inside_the_figure(table: JudgeTable) -> None:
    figure = judges_figure(table, 0.4, title="t", mode="dark")
    low, high = figure.layout.yaxis.range
    for trace in figure.data:
        assert low < min(trace.y)
        assert max(trace.y) < high


def test_a_judge_whom_nobody_can_be_compared_with_stands_at_the_foot() -> None:
    builder = CampaignBuilder()
    for task in range(60):
        builder.add_task(
            "cs-en", str(task // 2), ("ann", "bob")[task % 2], [("a",), ("b",)], [1, 1 + task % 3]
        )
    for task in range(1500):
        builder.add_task("cs-en", f"alone {task}", "eve", [("a",), ("b",)], [1, 2])
    alone = judges(builder.build().judgments())
    figure = judges_figure(alone, 0.2, title="t", mode="light")
    points = {(float(x), float(y)) for t in figure.data for x, y in zip(t.x, t.y, strict=True)}
    eve = next(y for x, y in points if x == 1500)
    assert eve < min(y for x, y in points if x != 1500)
    assert any("no kappa can be told" in str(a.text) for a in figure.layout.annotations)
    # Over tenfold as many judgments: a logarithmic axis that holds them all.
    assert figure.layout.xaxis.type == "log"
    low, high = figure.layout.xaxis.range
    assert all(low < np.log10(x) < high for x, _ in points)


def test_the_title_speaks_of_judges_with_enough_answers_only(table: JudgeTable) -> None:
    told = table.inter[table.inter_comparable >= ENOUGH]
    numbers = f"{told.min():.2f} to {told.max():.2f}".replace("-", "−")
    assert numbers in figure_title(table)


def test_the_page_says_who_and_why_and_what_changes_without(
    open_judges: Callable[[], AppTest],
) -> None:
    app = open_judges()
    assert not app.exception
    assert "1 of 5 judges deserves a look" in words_of(app)
    app.button(key="judges.flagged").click().run()
    assert app.multiselect(key=JUDGES).value == [ODD]
    assert f"Without {ODD}: " in words_of(app)


def test_a_judge_left_out_becomes_a_chip_that_can_be_taken_back(
    open_judges: Callable[[], AppTest],
) -> None:
    app = open_judges()
    app.button(key="judges.flagged").click().run()
    app.button(key="what.everywhere").click().run()
    view = app.session_state["podium"].notes["view"]
    assert view.selection.exclude_judges == (ODD,)
    assert "None of 4 judges stands out" in words_of(app)
    app.button(key="chip.0").click().run()
    assert app.session_state["podium"].notes["view"].selection.exclude_judges == ()


def test_the_table_puts_flagged_judges_first(open_judges: Callable[[], AppTest]) -> None:
    frame = next(f.value for f in open_judges().dataframe if "inter" in f.value)
    assert frame["judge"].iloc[0] == ODD
    assert "seconds" not in frame.columns
