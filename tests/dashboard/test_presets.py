"""The sidebar's preset sets what belongs together; what differs from it can be set back."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from analysis.presets import OFFICIAL, PRESETS
from analysis.rankers import RANKERS
from dashboard import compute
from dashboard.session.view import ViewContext
from tests.opening import open_address


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def view(app: AppTest) -> ViewContext:
    assert not app.exception
    context: ViewContext = app.session_state["podium"].view
    return context


def undo(app: AppTest) -> list[str]:
    """The labels of what differs from the preset."""
    found = [b.label for b in app.button if (b.key or "").startswith("difference.")]
    return [label.replace("\\", "") for label in found]


def choose(app: AppTest, name: str) -> AppTest:
    return app.selectbox(key="preset").set_value(PRESETS[name].title).run()


def test_a_page_opens_on_the_honest_preset_and_nothing_differs_from_it() -> None:
    app = open_address("data")
    assert view(app).preset.name == "recommended"
    assert undo(app) == []
    app.selectbox(key="method").set_value(RANKERS["bojar"].title).run()
    assert undo(app) == [], "any method may be honest"
    app.radio(key="sure").set_value("published").run()
    assert undo(app) == ["Official procedure, not ranks for new segments and judges"]
    app.button(key="difference.0").click().run()
    assert not view(app).certainty.is_official


@pytest.mark.parametrize("name", OFFICIAL)
def test_a_preset_sets_the_whole_sidebar_so_that_nothing_differs_from_it(name: str) -> None:
    app = choose(open_address("data", method="Elo", sure="These segments and judges"), name)
    context, preset = view(app), PRESETS[name]
    assert undo(app) == []
    if preset.method:
        assert context.ranker == preset.ranker()
    if preset.certainty is not None:
        assert context.certainty == preset.certainty


def test_what_differs_stands_in_chips_and_each_is_set_back() -> None:
    app = choose(open_address("data"), "wmt15")
    app.select_slider(key="runs").set_value(500).run()
    app.selectbox(key="trueskill.selection").set_value("shuffled").run()
    assert undo(app) == [
        "Selection: shuffled, not active",
        "500 resamples, not 1,000",
        "Restore all",
    ]
    app.button(key="difference.0").click().run()
    assert undo(app) == ["500 resamples, not 1,000"]
    app.button(key="difference.0").click().run()
    assert undo(app) == []
    app.selectbox(key="method").set_value(RANKERS["elo"].title).run()
    assert undo(app) == ["Elo, not TrueSkill (from WMT14)"]
    app.button(key="difference.0").click().run()
    assert view(app).ranker == PRESETS["wmt15"].ranker()


def test_a_link_that_names_a_preset_alone_is_set_by_it_and_one_that_says_more_is_believed() -> None:
    app = open_address("data", preset=PRESETS["wmt14"].title)
    assert view(app).ranker == PRESETS["wmt14"].ranker()
    assert view(app).certainty == PRESETS["wmt14"].certainty
    told = open_address("data", preset=PRESETS["wmt14"].title, method="Elo")
    assert view(told).ranker.name == "elo"
    assert "Elo, not TrueSkill (from WMT14)" in undo(told)
    unknown = open_address("data", preset="WMT99")
    assert view(unknown).preset.name == "recommended"
    assert any("WMT99" in warning.value for warning in unknown.warning)
