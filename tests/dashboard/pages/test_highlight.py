"""One system, chosen once, stands out in every figure and table, on every page and in the link."""

from __future__ import annotations

import json
import threading
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from dashboard import compute
from dashboard.design import inks
from dashboard.session import state
from dashboard.tables.names import MOST_MARKED, marked
from tests.building import CampaignBuilder
from tests.comparing.test_language_pairs import tasks
from tests.opening import open_address, with_upload


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 160, seed=1)
    return builder.build()


def opened(address: str, campaign: Campaign, **link: str) -> AppTest:
    session = with_upload(campaign)
    session.link = dict(link)
    app = open_address(address, session, method="Expected Wins", **link)
    assert not app.exception
    return app


def labels(app: AppTest) -> set[str]:
    """Return the names on the axes of all figures of a page."""
    layouts = [json.loads(chart.proto.spec)["layout"] for chart in app.get("plotly_chart")]
    axes = [part for layout in layouts for name, part in layout.items() if "axis" in name]
    return {text for axis in axes for text in axis.get("ticktext", ())}


def chosen(app: AppTest) -> Any:
    return next(box for box in app.selectbox if box.label == "Highlight a system")


def test_only_the_highlighted_system_has_a_color_and_its_name_is_bold(campaign: Campaign) -> None:
    app = opened("result", campaign)
    grey = inks("light").neutral
    before = app.get("plotly_chart")[0].proto.spec.count(grey)
    assert {"a", "b", "c", "d"} <= labels(app)
    chosen(app).set_value("cs-en.b").run()
    assert {"a", "<b>b</b>", "c", "d"} <= labels(app)
    assert app.get("plotly_chart")[0].proto.spec.count(grey) > before


@pytest.mark.parametrize("address", ["result", "head-to-head", "what-if", "data"])
def test_the_link_highlights_on_every_page(address: str, campaign: Campaign) -> None:
    app = opened(address, campaign, data=campaign.fingerprint, system="1")
    assert chosen(app).value == "cs-en.b"
    assert app.query_params["system"] in ("1", ["1"])
    if address != "what-if":  # where lines have colors and no axis has names
        assert "<b>b</b>" in labels(app)


def test_a_place_beyond_the_systems_highlights_none(campaign: Campaign) -> None:
    app = opened("result", campaign, data=campaign.fingerprint, system="9")
    assert chosen(app).value is None
    assert "system" not in app.query_params


def test_a_row_that_names_the_system_is_marked_and_a_long_table_is_left_alone() -> None:
    table = pd.DataFrame({"system": ["a", "b"], "score": [1, 2]})
    html = marked(table, "b", "#123456").to_html()
    assert html.count("#123456") == 1
    assert "row1" in html.split("#123456")[0].rsplit("{", 1)[0]
    assert marked(table, "", "#123456") is table
    long = pd.DataFrame({"system": ["a"] * MOST_MARKED, "score": 1})
    assert marked(long, "a", "#123456") is long


def test_a_click_in_the_table_highlights_its_system_until_the_next_one(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("result", campaign)
    view, kept = app.session_state["podium"].view, {}
    monkeypatch.setattr(st, "session_state", kept)
    for cells, found in ([[1, "score"]], "cs-en.c"), ([], None):
        kept["table.standings"] = {"selection": {"cells": cells}}
        state.highlight_clicked(view, "table.standings", ["cs-en.a", "cs-en.c"])
        assert kept[state.highlight_key(view)] == found
