"""The page Methods: what crosses, what of it matters, and the two systems behind a crossing."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.comparing.comparison import Column, Comparison, compare
from analysis.drawing.reordering import crossing, way_lines
from analysis.rankers import COMPARED_METHODS, RANKERS
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import Certainty
from analysis.samples import sample_campaign
from dashboard import compute
from dashboard.compute.contexts import make_context
from dashboard.figures.scenes import reordering_figure
from dashboard.figures.theme import INKS
from dashboard.views.what_if import methods
from tests.opening import open_address

SYSTEMS = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def open_page(**link: str | list[str]) -> AppTest:
    return open_address("what-if", **{"method": ExpectedWins.title, "runs": "100", **link})


def column(method: str, order: str, clusters: Sequence[int]) -> Column:
    places = np.array([SYSTEMS.index(name) for name in order])
    return Column(method, SYSTEMS, places, np.array(clusters, dtype=np.int64))


def three_methods() -> Comparison:
    """Y swaps a and b inside a cluster, z swaps c and d across its line with y."""
    return compare(
        [
            column("x", "abcd", [1, 1, 2, 3]),
            column("y", "bacd", [1, 1, 2, 3]),
            column("z", "badc", [1, 1, 3, 2]),
        ]
    )


def draw(comparison: Comparison, **options: Any) -> Any:
    settings: dict[str, Any] = dict(
        title="t",
        names={},
        colors=dict.fromkeys(SYSTEMS, "#0072B2"),
        official=(),
        chosen=None,
        mode="light",
    )
    return reordering_figure(comparison, **{**settings, **options})


# The figure -------------------------------------------------------------------------------------


def test_only_what_crosses_is_colored_and_only_what_matters_is_solid() -> None:
    comparison = three_methods()
    lines = {(line.column, line.system): line for line in way_lines(comparison)}
    assert [lines[0, name].crosses for name in SYSTEMS] == [True, True, False, False]
    assert not any(lines[0, name].matters for name in SYSTEMS)
    assert [lines[1, name].matters for name in SYSTEMS] == [False, False, True, True]
    drawn = [trace for trace in draw(comparison).data if trace.name in SYSTEMS]
    assert {(trace.name, trace.line.dash) for trace in drawn} == {
        ("a", "dot"), ("b", "dot"), ("c", None), ("d", None),
    }  # fmt: skip


def test_a_dot_stands_where_two_lines_meet_and_names_both() -> None:
    dots = draw(three_methods()).data[-1]
    assert [list(both) for both in dots.customdata] == [["a", "b"], ["c", "d"]]
    assert list(dots.x) == [0.5, 1.5]
    assert list(dots.y) == [1.5, 3.5]
    inside, between = dots.marker.color  # hollow inside a cluster, full between clusters
    assert inside == INKS["light"].paper
    assert between == INKS["light"].text
    share, height = crossing((1, 4), (3, 2))
    assert share == 0.5
    assert height == 2.5


def test_cluster_starts_are_bold_in_every_column() -> None:
    texts = [note.text for note in draw(three_methods()).layout.annotations]
    bold = [text for text in texts if text in {f"<b>{name}</b>" for name in SYSTEMS}]
    assert sorted(bold) == sorted(
        f"<b>{name}</b>" for name in ("a", "c", "d", "b", "c", "d", "b", "c", "d")
    )


def test_official_lines_run_across_all_columns_after_each_cluster_but_the_last() -> None:
    figure = draw(three_methods(), official=(1, 2, 1))
    dashed = [shape for shape in figure.layout.shapes if shape.line.dash == "dash"]
    assert [(line.y0, line.x0, line.x1) for line in dashed] == [(1.5, -0.5, 2.5), (3.5, -0.5, 2.5)]


# The page ---------------------------------------------------------------------------------------


def test_the_sample_shows_the_usual_methods_in_the_order_that_they_give() -> None:
    app = open_page()
    assert not app.exception
    judgments = sample_campaign().judgments()
    orders = app.dataframe[-1].value
    assert len(orders.columns) == 1 + len(COMPARED_METHODS)
    assert orders[ExpectedWins.title].tolist() == list(
        ExpectedWins().fit(judgments).standings.ranked_systems
    )


def test_one_method_is_too_few_and_the_page_says_so() -> None:
    app = open_page()
    app.multiselect(key="methods").set_value([ExpectedWins.title]).run()
    assert not app.exception
    assert any("two or more" in str(words.value) for words in app.markdown)
    app.multiselect(key="methods").set_value([]).run()
    assert not app.exception


def test_the_printed_orders_are_offered_for_english_german_alone() -> None:
    assert "printed" not in {toggle.key for toggle in open_page().toggle}
    app = open_page(campaign="WMT14 English–German")
    app.toggle(key="printed").set_value(True).run()
    assert not app.exception
    assert len(app.dataframe[-1].value.columns) == 1 + len(COMPARED_METHODS) + 3
    assert app.selectbox(key="swap").value is not None


def test_a_linked_swap_shows_its_two_systems() -> None:
    campaign = sample_campaign("wmt14-en-de")
    names = sorted(campaign.systems)
    upper, lower = names.index("RBMT4"), names.index("UEDIN-PHRASE")
    app = open_page(
        campaign="WMT14 English–German",
        printed="true",
        data=campaign.fingerprint,
        swap=f"{upper}-{lower}",
    )
    assert app.selectbox(key="swap").value == ("RBMT4", "UEDIN-PHRASE")
    assert set(app.dataframe[0].value["preferred"]) == {"RBMT4", "UEDIN-PHRASE", "tie"}


def test_the_caption_names_the_methods_without_clusters() -> None:
    """The WMT15 procedure draws the runs of TrueSkill itself; other methods have no clusters."""
    x, y, z = three_methods().columns
    bare = dataclasses.replace(y, clusters=None), dataclasses.replace(z, clusters=None)
    said = methods._words(compare([x, *bare]), None, True, final=True)
    assert "Bold: first system of a cluster. y and z have no clusters here." in said
    assert "every method" in methods._words(three_methods(), None, True, final=True)


def test_a_method_that_samples_gets_fewer_runs_of_its_own_kind() -> None:
    campaign = sample_campaign("wmt14-cs-en")
    context = make_context(
        campaign,
        campaign.pairs[0],
        ExpectedWins(),
        Certainty(runs=2000),
        is_sample=True,
    )
    for ranker in (HopkinsMayCategorical(), GradedResponse()):
        assert methods._view(context, ranker).certainty.runs == 100
    for name, ranker in RANKERS.items():
        if name not in (HopkinsMayCategorical.name, GradedResponse.name):
            assert methods._view(context, ranker()).certainty == context.certainty
    chosen = context.with_ranker(GradedResponse())
    assert methods._view(chosen, GradedResponse()).certainty.runs == 2000


def test_where_too_many_systems_move_only_what_matters_has_a_color() -> None:
    names = tuple(f"s{k:02}" for k in range(16))
    order = np.arange(16)
    swapped = order.reshape(-1, 2)[:, ::-1].ravel()
    clusters = np.repeat(np.arange(1, 9), 2)
    split = clusters + (order == 15)
    comparison = compare([Column("x", names, order, clusters), Column("y", names, swapped, split)])
    figure = draw(comparison, colors=dict.fromkeys(names, "#000000"))
    colors = {trace.name: trace.line.color for trace in figure.data if trace.name in names}
    assert len(colors) == 16
    assert len(set(colors.values())) == 3
    assert colors["s14"] != colors["s15"]
    assert {colors[name] for name in names[:14]} == {colors["s00"]}
