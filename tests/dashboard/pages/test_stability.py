"""Stability: the matrix, in the figure and on the page."""

from __future__ import annotations

import threading
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.colors import Mode, channels
from analysis.comparing.stability import APART, ORDER, TURNED, Stability, stability
from analysis.drawing.svg import figure_svg
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.verdict import reach_verdict
from dashboard import compute
from dashboard.design import SURVIVAL
from dashboard.figures.stability import COLORS, SAME, stability_figure
from dashboard.figures.theme import alt_text, as_exported
from tests.building import CampaignBuilder
from tests.drawing_text import drawn_text
from tests.opening import open_address, with_upload

FIRST, LAST = "a<b>x</b>", "$c$ *y*"


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """One is best for sure; the second is above the last only by what judge eve says."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(5)
    for task in range(300):
        judge = ("ann", "bob", "cyd", "eve")[task % 4]
        quality = np.array([3.0, 0.8, 0.0]) if judge == "eve" else np.array([3.0, 0.0, 0.1])
        ranks = np.argsort(np.argsort(-quality - rng.normal(0, 0.8, 3))) + 1
        outputs = [(FIRST,), ("b",), (LAST,)]
        builder.add_task("cs-en", str(task // 4), judge, outputs, ranks.tolist())
    return builder.build()


@pytest.fixture(scope="module")
def stable(campaign: Campaign) -> Stability:
    judgments = campaign.judgments()
    return stability(judgments, ExpectedWins(), reach_verdict(ExpectedWins().fit(judgments)))


def open_stability(campaign: Campaign) -> AppTest:
    return open_address(
        "what-if", with_upload(campaign), method=ExpectedWins.title, survives="true"
    )


def test_the_table_names_systems_as_the_page_does(campaign: Campaign) -> None:
    tables = [one.value for one in open_stability(campaign).dataframe]
    table = next(one for one in tables if {"above", "change"} <= {*one.columns})
    assert len(table)
    named = " + ".join([*table["above"], *table["below"]]).split(" + ")
    assert {*named} <= {*campaign.judgments().short_names.values()}


def words_of(app: AppTest) -> str:
    return "\n".join(str(m.value).replace("\\", "") for m in app.markdown)


def test_a_cell_is_the_worst_state_of_its_kind_of_change(stable: Stability) -> None:
    figure = stability_figure(stable, title="t", name=str, mode="light")
    cells = figure.data[0]
    column = 1 + stable.changes.index("judge")
    assert [row[0] for row in cells.z] == stable.now.tolist()
    assert list(cells.text[0]) == ["winner", *[""] * len(stable.changes)]
    assert cells.z[0][column] == SAME
    assert cells.z[-1][column] == TURNED
    assert cells.text[-1][column] == "reversed in 1 of 4"
    assert "eve" in cells.customdata[-1][column]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_state_has_its_own_color_in_the_matrix_and_its_export(
    stable: Stability, mode: Mode
) -> None:
    figure = stability_figure(stable, title="t", name=str, mode=mode)
    colors = COLORS[mode]
    assert [colors[state] for state in (TURNED, ORDER, APART)] == list(SURVIVAL[mode])
    root = ElementTree.fromstring(figure_svg(as_exported(figure)))
    fills = [r.get("fill", "") for r in root.iter("{http://www.w3.org/2000/svg}rect")]
    wanted = [
        f"rgb({channels(colors[int(z)])})" for row in figure.data[0].z for z in row if z is not None
    ]
    assert {TURNED, APART} < {int(z) for row in figure.data[0].z for z in row if z is not None}
    assert [fill for fill in fills if fill.startswith("rgb")] == wanted
    assert len(set(colors.values())) == 4


def test_names_in_the_matrix_are_text(stable: Stability) -> None:
    figure = stability_figure(stable, title="t", name=str, mode="dark")
    assert FIRST not in drawn_text(figure)
    assert "&lt;b&gt;" in drawn_text(figure)
    assert "adjacent systems and cluster boundaries" in alt_text(figure)


def test_the_page_says_what_is_turned_and_lists_what_is_lost(
    campaign: Campaign, stable: Stability
) -> None:
    app = open_stability(campaign)
    assert not app.exception
    assert not app.error
    assert f"{FIRST} wins in all " in words_of(app)
    frame = next(f.value for f in app.dataframe if "state" in f.value)
    assert len(frame) == np.count_nonzero(stable.is_lost) > 0
    assert (frame["now"] != frame["state"]).all()


def test_a_claim_is_checked_and_its_two_systems_can_be_changed(campaign: Campaign) -> None:
    app = open_stability(campaign)
    assert f"{FIRST} is better than b: supported" in words_of(app)
    app.selectbox(key="claim.first").select("b").run()
    app.selectbox(key="claim.second").select(LAST).run()
    assert not app.exception
    assert f"Not shown: b is not significantly better than {LAST} (adjusted p" in words_of(app)


def test_the_fewest_judgments_are_listed_and_all_neighbors_have_both_numbers(
    campaign: Campaign,
) -> None:
    app = open_stability(campaign)
    every = next(f.value for f in app.dataframe if "drops" in f.value)
    assert every["above"].tolist() == [FIRST, "b"]
    assert (every["flips"] < every["drops"]).all()
    listed = next(f.value for f in app.dataframe if "preferred" in f.value)
    assert len(listed) == every["drops"].iloc[0]
    app.segmented_control(key="handful.deed").select("turn").run()
    listed = next(f.value for f in app.dataframe if "preferred" in f.value)
    assert len(listed) == every["flips"].iloc[0]


def test_a_method_without_derivatives_says_what_stands_in(campaign: Campaign) -> None:
    app = open_address(
        "what-if", with_upload(campaign), method=Lopez.title, runs="50", survives="true"
    )
    assert not app.exception
    assert not app.error
    said = "\n".join(str(part.proto.body) for part in app.get("html"))
    assert "Preview: Bradley–Terry estimates the uncertainty after a change" in said
    assert f"It uses Bradley–Terry, because {Lopez.title} has no derivative" in said
