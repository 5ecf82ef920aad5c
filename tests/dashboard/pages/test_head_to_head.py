"""The page Head to head: the right cells, the judgments behind one, the link without names."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, Selection
from analysis.comparing.head_to_head import HeadToHead, head_to_head
from analysis.drawing.matrix import CONFIRMED, EXPLORATORY, View
from analysis.formats import read
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import rank
from analysis.samples import DEFAULT_SAMPLE, sample_campaign
from dashboard import compute
from dashboard.figures.scenes import head_to_head_figure
from dashboard.session import state
from dashboard.session.state import Upload
from tests.opening import open_address, with_upload

FIGURE = "figure.head-to-head"
VERDICT_VIEWS: tuple[View, View] = ("observed", "significance")
HOSTILE = ("<b>x</b>", "a_b", "plain")

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def open_page(session: object = None, **link: str) -> AppTest:
    return open_address(
        "head-to-head", session, **{"method": ExpectedWins.title, "runs": "100", **link}
    )


def sample_table(pair: str = DEFAULT_SAMPLE) -> HeadToHead:
    judgments = sample_campaign(pair).judgments()
    return head_to_head(
        judgments.counts, judgments.systems, ExpectedWins().fit(judgments).standings.order
    )


def draw(view: View, table: HeadToHead, **options: Any) -> Any:
    settings: dict[str, Any] = dict(
        verdict=None,
        title="t",
        names={},
        clusters=None,
        chosen=None,
        mode="light",
    )
    return head_to_head_figure(table, 1 - table.share.T, view, **{**settings, **options})


# The figure -------------------------------------------------------------------------------------


def test_cells_hold_the_row_s_share_with_the_printed_mark_and_no_diagonal() -> None:
    table = sample_table()
    heatmap = draw("observed", table, printed=True).data[0]
    np.testing.assert_allclose(np.array(heatmap.z, dtype=float), table.share)
    assert (heatmap.zmin + heatmap.zmax) / 2 == 0.5
    assert heatmap.text[0][0] == ""
    i, j = 0, len(table.systems) - 1
    assert heatmap.text[i][j] == f"{table.share[i, j]:.0%}".replace("%", "") + table.mark[i, j]
    assert "‡" in heatmap.text[i][j]


def test_confirmed_and_exploratory_pairs_have_different_marks_and_others_none() -> None:
    judgments = sample_campaign().judgments()
    ranking = rank(judgments, ExpectedWins())
    table = head_to_head(judgments.counts, judgments.systems, ranking.order)
    verdict = ranking.verdict
    assert verdict is not None
    observed, judged = (draw(view, table, verdict=verdict).data[0] for view in VERDICT_VIEWS)
    order = ranking.order
    for i in range(len(order)):
        for j in range(len(order)):
            apart = verdict.significant[order[i], order[j]]
            exploratory = verdict.exploratory[order[i], order[j]]
            assert observed.text[i][j].endswith(CONFIRMED) == apart
            assert observed.text[i][j].endswith(EXPLORATORY) == exploratory
            sign = "+" if i < j else "−"
            assert judged.text[i][j] == (
                "" if i == j else sign if apart else EXPLORATORY if exploratory else "·"
            )


def test_a_share_of_few_judgments_is_pale_though_its_number_stands() -> None:
    wins = np.array([[0, 2, 20], [0, 0, 5], [0, 0, 0]], dtype=float)
    heatmap = draw("observed", HeadToHead(("a", "b", "c"), wins, np.zeros((3, 3)))).data[0]
    assert heatmap.text[0][1] == "100"
    assert heatmap.z[0][1] == pytest.approx(0.6)
    assert heatmap.z[1][2] == pytest.approx(0.75)
    assert heatmap.z[0][2] == pytest.approx(1.0)


def test_the_invisible_squares_name_the_cell_that_they_cover() -> None:
    table = sample_table()
    heatmap, squares = draw("significance", table, printed=True).data[:2]
    assert squares.marker.opacity == 0
    assert len(squares.x) == len(table.systems) ** 2
    for x, y, (row, column) in zip(squares.x, squares.y, squares.customdata, strict=True):
        assert (table.systems[y], table.systems[x]) == (row, column)
    assert np.isnan(np.array(heatmap.z, dtype=float)).sum() == len(table.systems)


def test_a_difference_is_centered_and_counts_never_met_are_empty() -> None:
    table = HeadToHead(
        ("a", "b", "c"),
        np.array([[0, 8, 0], [2, 0, 5], [0, 1, 0]], dtype=float),
        np.zeros((3, 3)),
    )
    predicted = np.array([[np.nan, 0.6, 0.7], [0.4, np.nan, 0.9], [0.3, 0.1, np.nan]])
    figure = head_to_head_figure(
        table,
        predicted,
        "difference",
        verdict=None,
        title="t",
        names={},
        clusters=[1, 1, 2],
        chosen=None,
        mode="dark",
    )
    heatmap = figure.data[0]
    assert heatmap.zmin == -heatmap.zmax
    assert list(heatmap.text[0]) == ["", "+20", ""]
    assert heatmap.z[1][2] == pytest.approx(0.6 * (5 / 6 - 0.9))
    assert list(heatmap.text[1]) == ["−20", "", "−7"]
    lines = [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert {(line.x0, line.x1) for line in lines} == {(1.5, 1.5), (-0.5, 2.5)}
    assert list(draw("counts", table).data[0].text[0]) == ["", "10", ""]
    assert "never compared" in figure.data[1].text[2]


def test_a_one_sided_test_still_colors_the_losing_side() -> None:
    counts = sample_campaign("wmt14-cs-en").judgments().counts
    systems = sample_campaign("wmt14-cs-en").judgments().systems
    one, two = (head_to_head(counts, systems, sides=sides) for sides in (1, 2))  # type: ignore[arg-type]
    strength, weaker = (
        np.array(draw("significance", table, printed=True).data[0].z, dtype=float)
        for table in (one, two)
    )
    np.testing.assert_allclose(strength, -strength.T)
    assert (np.nan_to_num(np.abs(strength)) >= np.nan_to_num(np.abs(weaker))).all()


def test_many_systems_leave_the_numbers_to_the_color_bar() -> None:
    n = 40
    rng = np.random.default_rng(1)
    table = HeadToHead(
        tuple(f"s{k:02}" for k in range(n)), rng.integers(1, 9, (n, n)) * 1.0, np.zeros((n, n))
    )
    heatmap = draw("observed", table).data[0]
    assert heatmap.texttemplate is None
    assert heatmap.showscale


# The page ---------------------------------------------------------------------------------------


def test_the_judgments_shown_are_those_of_the_two_systems_picked() -> None:
    app = open_page()
    table = sample_table()
    names = list(table.systems)
    app.selectbox(key="cell.first").set_value(names[3]).run()
    app.selectbox(key="cell.second").set_value(names[5]).run()
    assert not app.exception
    place = sorted(names).index
    assert app.query_params["cell"] == f"{place(names[3])}-{place(names[5])}"
    behind = app.dataframe[0].value
    assert len(behind) == table.compared[3, 5]
    app.text_input(key="search.pair").set_value("tie").run()
    assert len(app.dataframe[0].value) == table.ties[3, 5]


def test_a_link_names_its_cell_by_places_only_of_the_same_data() -> None:
    names = sorted(sample_table().systems)
    fingerprint = sample_campaign().fingerprint
    app = open_page(cell="5-2", data=fingerprint)
    assert (app.selectbox(key="cell.first").value, app.selectbox(key="cell.second").value) == (
        names[5],
        names[2],
    )
    stranger = open_page(cell="5-2", data="0" * 12)
    assert stranger.selectbox(key="cell.first").value == sample_table().systems[0]
    broken = open_page(cell="99-2", data=fingerprint)
    assert not broken.exception
    assert broken.selectbox(key="cell.first").value == sample_table().systems[0]


def test_every_view_has_a_title_of_its_own() -> None:
    titles = set()
    for view in ("observed", "predicted", "difference", "counts", "significance"):
        app = open_page(method="Bradley–Terry")
        app.segmented_control(key="cells").set_value(view).run()
        assert not app.exception
        assert not app.error
        chart = app.get("plotly_chart")[0].proto
        titles.add(chart.alt or chart.spec[:300])
    assert len(titles) == 5


def test_only_a_method_with_chances_predicts_cells() -> None:
    views = open_page(method="Expected Wins").segmented_control(key="cells.observed").options
    assert "Observed" in views
    assert not {"Predicted", "Difference"} & {*views}


def test_leaving_all_systems_but_one_is_told_in_words() -> None:
    campaign = sample_campaign()
    app = open_page()
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(
        exclude_systems=tuple(sorted(campaign.systems)[1:])
    )
    app.run()
    assert not app.exception
    assert not app.dataframe


def test_hostile_names_stay_text(make_campaign: Callable[..., Campaign]) -> None:
    tasks = [
        (str(k), "<i>ann</i>", dict(zip(np.roll(HOSTILE, k), (1, 2, 2 + k % 2), strict=True)))
        for k in range(12)
    ]
    campaign = make_campaign(tasks)
    session = state.Session(upload=Upload(campaign, None, ("x.csv",)))  # type: ignore[arg-type]
    session.wanted[state.CAMPAIGN] = state.UPLOADED
    app = open_page(session)
    assert not app.exception
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    shown = [*spec["layout"]["yaxis"]["ticktext"], *spec["data"][1]["text"]]
    assert "&lt;b&gt;x&lt;/b&gt;" in shown
    assert not any("<b>x</b>" in text for text in shown)
    app.selectbox(key="cell.first").set_value("<b>x</b>").run()
    assert not app.exception


@pytest.mark.parametrize("n_rows", [18, 72])
def test_ratings_are_shown_where_ratings_rank(n_rows: int) -> None:
    rows = (EXAMPLES / "scores.csv").read_bytes().splitlines(keepends=True)
    campaign, _ = read(b"".join(rows[: n_rows + 1]))
    app = open_address("head-to-head", with_upload(campaign), method="Mean score")
    assert not app.exception
    assert not app.error
    words = " ".join(html.proto.body for html in app.get("html"))
    assert "was rated better than" in words
    assert "were compared" not in words
    segments, pairs = app.dataframe[0].value, app.dataframe[1].value
    assert {"segment", "rating", "opponent_rating", "difference"} <= {*segments.columns}
    assert (segments["difference"] == segments["rating"] - segments["opponent_rating"]).all()
    first = pairs.iloc[0]
    assert first["compared"] == len(segments)
    assert first["wins"] == (segments["difference"] > 0).sum()
    assert {"p", "mark", "predicted"}.isdisjoint(pairs.columns)
