"""Estimates side by side: every interval is in a row of its system, the truth in all of them."""

from __future__ import annotations

import numpy as np

from dashboard.figures.scenes import Estimates, side_by_side_figure


def test_the_truth_is_a_tick_in_every_row_of_its_system_and_is_explained() -> None:
    scores = np.array([0.5, -0.25])
    estimates = [
        Estimates("few", "#111111", scores, scores - 0.5, scores + 0.5),
        Estimates("many", "#222222", scores / 2, scores / 2 - 0.125, scores / 2 + 0.125),
    ]
    figure = side_by_side_figure(
        ["x", "<y>"], estimates, title="t", axis="ability", alt="a", name=str, mode="light",
        truth=np.array([0.25, np.nan]), truth_label="all votes",
    )  # fmt: skip
    (dots,) = (trace for trace in figure.data if trace.name == "now")
    (ticks,) = (trace for trace in figure.data if trace.name == "before")
    lines = {trace.y[0]: tuple(trace.x) for trace in figure.data if trace.name == "thin"}
    labels = ("x", "few", "many", "&lt;y&gt;", "few", "many")
    assert tuple(figure.layout.yaxis.ticktext) == labels
    assert list(dots.x) == [None, 0.5, 0.25, None, -0.25, -0.125]
    assert lines == {1: (0, 1), 2: (0.125, 0.375), 4: (-0.75, 0.25), 5: (-0.25, 0)}
    assert [(y, x) for y, x in zip(ticks.y, ticks.x, strict=True)] == [(1, 0.25), (2, 0.25)]
    assert figure.layout.xaxis.title.text == "ability; gray tick: all votes"
