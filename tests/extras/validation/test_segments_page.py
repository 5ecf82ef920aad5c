"""Segments: hardest and easiest in words, as curves, as a table of all."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from analysis.errors import UndefinedResultError
from analysis.extras.validation.segments.findings import segments_finding, telling_segments
from analysis.rankers.graded_response import Difficulties, Sensitivities
from analysis.rankers.graded_response.items import check_segments
from dashboard import compute
from dashboard.extras.validation.segments import section
from dashboard.extras.validation.segments.figures import (
    characteristic_figure,
    information_figure,
    sensitivity_figure,
)
from dashboard.figures.theme import alt_text
from tests.building import CampaignBuilder
from tests.drawing_text import drawn_text
from tests.opening import open_address

FOUND = Difficulties(
    segments=("one", "<b>two</b>", "three"),
    b1=np.array([-0.5, 1.0, -2.0]),
    b2=np.array([0.5, 2.0, -1.0]),
    comparisons=np.array([40, 30, 20]),
    center=0.0,
)


def test_the_finding_names_the_hardest_and_the_easiest_segment() -> None:
    finding = segments_finding(FOUND, "base")
    assert (
        finding
        == "The baseline base is hardest to beat on segment <b>two</b>, easiest on segment three"
    )
    assert telling_segments(FOUND) == ["one", "<b>two</b>"]


def test_a_segment_tells_most_near_its_difficulty_and_names_are_text() -> None:
    figure = information_figure(
        FOUND, ["one", "<b>two</b>"], {"x": 0.3, "y": -1.0, "never met": float("nan")},
        title="t", name=str, mode="light",
    )  # fmt: skip
    curves = [trace for trace in figure.data if trace.mode == "lines"]
    peaks = [trace.x[int(np.argmax(trace.y))] for trace in curves]
    np.testing.assert_allclose(peaks, [0.0, 1.5], atol=0.05)
    assert "<b>two" not in drawn_text(figure)
    assert "never met" not in drawn_text(figure)
    assert "Segment one is most informative at ability" in alt_text(figure)


def test_the_chances_of_a_segment_cross_half_at_its_difficulties() -> None:
    figure = characteristic_figure(FOUND, "one", 2.0, title="t", mode="dark")
    loses, ties, wins = figure.data
    assert np.interp(-0.5, loses.x, loses.y) == pytest.approx(0.5, abs=0.001)
    assert np.interp(0.5, wins.x, wins.y) == pytest.approx(0.5, abs=0.001)
    np.testing.assert_allclose(np.add(loses.y, ties.y) + wins.y, 1)


def test_every_judge_is_a_dot() -> None:
    found = Sensitivities(("a", "b", "c"), np.array([2.0, 1.0, 0.2]), np.array([30, 9, 400]))
    (dots,) = sensitivity_figure(found, title="t", mode="light").data
    assert list(dots.y) == [2.0, 1.0, 0.2]


def test_the_page_shows_all_segments_and_the_curves_of_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())
    app = open_address("validation", study="Segments")
    assert not app.exception
    (frame,) = (f.value for f in app.dataframe if "b1" in f.value)
    hardest = frame["segment"].iloc[0]
    assert f"hardest to beat on segment {hardest}" in app.markdown[0].value
    assert len(app.multiselect(key="segments.shown").value) == 3
    app.multiselect(key="segments.shown").set_value([hardest]).run()
    assert not app.exception
    assert app.selectbox(key="segments.one").options == [hardest]


def test_a_million_judgments_are_fitted_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())
    monkeypatch.setattr(section, "AT_ONCE", 1_000)
    app = open_address("validation", study="Segments")
    assert "judgments are ready to be fitted" in app.markdown[0].value
    assert not app.dataframe
    app.toggle(key="segments.model").set_value(True).run()
    assert not app.exception
    assert "hardest to beat on segment" in app.markdown[0].value


def test_segments_that_were_judged_once_each_have_no_difficulty() -> None:
    builder = CampaignBuilder()
    for task in range(20):
        builder.add_task("all", str(task), "judge", [("a",), ("b",)], [1, 2])
    with pytest.raises(UndefinedResultError, match="20 segments have 20 judgments"):
        check_segments(builder.build().judgments())
    for task in range(20):
        builder.add_task("all", str(task), "other", [("a",), ("b",)], [2, 1])
    check_segments(builder.build().judgments())
