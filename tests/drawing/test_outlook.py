"""The picture of more judgments: its axis, its band, and the ticks of a color scale."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from analysis.drawing import outlook
from analysis.drawing.look import Look
from analysis.drawing.outlook import MOST_TICKS, STEPS, Growth, outlook_json
from analysis.drawing.svg.frame import _scale_ticks


def drawn(monkeypatch: pytest.MonkeyPatch, tiers: float, goal: str = "tiers") -> dict:
    """The picture of a campaign of 100 tasks whose tiers grow from one to some number."""
    sizes, levels = np.array([100.0, 200.0, 800.0]), np.array([1.0, tiers / 2, tiers])
    low, high = (sizes, levels - 0.5), (sizes, levels + 0.5)
    growth = Growth(100.0, (sizes, levels), low, high, ("now", "then", "later"), ())
    monkeypatch.setattr(outlook, "_growth_of", lambda plan: growth)
    monkeypatch.setattr(outlook, "counted_goal", lambda plan: goal)
    plan = SimpleNamespace(at_hand=SimpleNamespace(counted="tasks"))
    return outlook_json(plan, Look(), title="More")  # type: ignore[arg-type]


@pytest.mark.parametrize("tiers", [2, 8, 12, 40])
def test_an_axis_of_tiers_has_the_finest_step_that_needs_few_ticks(
    monkeypatch: pytest.MonkeyPatch, tiers: int
) -> None:
    axis = drawn(monkeypatch, tiers)["layout"]["yaxis"]
    span = axis["range"][1] - axis["range"][0]
    assert span == pytest.approx(tiers - 1 + 1 + 1.2)
    fine = [step for step in STEPS if span <= MOST_TICKS * step]
    assert axis["dtick"] == fine[0]


def test_an_axis_of_shares_has_a_tick_every_ten_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    axis = drawn(monkeypatch, 0.9, "share")["layout"]["yaxis"]
    assert (axis["dtick"], axis["tickformat"], axis["range"][1]) == (0.1, ".0%", 1.03)


def test_the_band_runs_along_its_upper_end_and_back_along_its_lower_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    band, curve = drawn(monkeypatch, 4)["data"][:2]
    assert band["x"] == [100, 200, 800, 800, 200, 100]
    assert band["y"] == [1.5, 2.5, 4.5, 3.5, 1.5, 0.5]
    assert curve["y"] == [1, 2, 4]


def test_ticks_say_how_many_tasks_come_to_those_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    axis = drawn(monkeypatch, 4)["layout"]["xaxis"]
    assert axis["tickvals"] == [100, 200, 400, 800]
    assert axis["ticktext"] == ["today", "+100", "+300", "+700"]


def test_a_color_scale_without_ticks_of_its_own_has_five_of_three_digits() -> None:
    bar = SimpleNamespace(tickvals=None, ticktext=None, tickformat=None)
    assert [value for value, _ in _scale_ticks(bar, 0.0, 1.0)] == [0, 0.25, 0.5, 0.75, 1]
    assert [words for _, words in _scale_ticks(bar, 0.0, 1 / 3)][-1] == "0.333"
    bar.tickformat = ".0%"
    assert [words for _, words in _scale_ticks(bar, 0.0, 1.0)][1] == "25%"
