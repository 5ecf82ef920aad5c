"""Curves with bands and their names at the ends: studies by number of judgments, or by noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from analysis.extras.validation.prediction.predict import MODELS
from analysis.rankers import COMPARED_METHODS, RANKERS
from analysis.wording import thousands
from dashboard.design import Mode, inks
from dashboard.figures.collect import Line, draw_line
from dashboard.figures.theme import TEMPLATES, finish, in_lines, name_ends

PANEL, LABELS, FOOT = 300, 190, 50
"""Pixels: height of the panel, room for labels at the right, and below."""
TICKS = 4
"""Most ticks of the judgments, which a narrow window has room for."""

_FIRST = (*COMPARED_METHODS, "bradley-terry")
_ORDER = tuple(dict.fromkeys((*_FIRST, *RANKERS, *MODELS)))
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True)
class Mark:
    """How a method looks in every figure: color, marker and line, each telling enough alone."""

    color: str
    symbol: str
    dash: str


def method_mark(label: str, mode: Mode) -> Mark:
    """Return a method's look, whatever others are shown; one that is not registered stands out."""
    colors = list(TEMPLATES[mode].layout.colorway)
    if label not in _ORDER:
        return Mark(inks(mode).text, "star", "dashdot")
    place = _ORDER.index(label)
    color = colors[place] if place < len(colors) else inks(mode).neutral
    return Mark(color, _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)])


def line_of(method: str, name: str, mode: Mode, **values: Any) -> Line:
    """Return a curve that looks as its method does in all figures."""
    mark = method_mark(method, mode)
    return Line(name, mark.color, mark.dash, mark.symbol, **values)


def lines_figure(
    lines: Sequence[Line],
    *,
    title: str,
    axis: str,
    mode: Mode,
    across: str = "judgments",
    written: Callable[[float], str] = "{:.1%}".format,
    written_across: Callable[[Any], str] = thousands,
    tickformat: str = ".0%",
    from_zero: bool = True,
    least: float = 0.0,
    log: bool = False,
) -> go.Figure:
    """Draw curves; ``axis`` and ``across`` are what is shown upward and across.

    The upward axis begins at zero and reaches ``least`` at least, or shows only what the curves
    need. ``written`` makes a value text.
    """
    figure = go.Figure()
    for line in lines:
        points = zip(line.x, line.y, strict=True)
        draw_line(figure, line, [f"{written_across(n)} {across}: {written(v)}" for n, v in points])
    values = [v for line in lines for v in (*line.y, *line.low, *line.high) if v == v]
    bottom, top = 0.0, max(1.06 * max(values), least) or 1.0
    if not from_zero:
        room = 0.06 * (max(values) - min(values)) or 0.01
        bottom, top = min(values) - room, max(values) + room
    ends = [(line.y[-1], line.name, line.color) for line in lines]
    name_ends(figure, ends, (bottom, top), PANEL)
    x = sorted({n for line in lines for n in line.x})
    shown = x[:: -math.ceil(len(x) / TICKS)][::-1] if across == "judgments" and not log else x
    figure.update_yaxes(
        title_text=axis, range=[bottom, top], showgrid=True, fixedrange=True, nticks=7,
        tickformat=tickformat,
    )  # fmt: skip
    figure.update_xaxes(
        title_text=across, fixedrange=True, tickvals=shown, tickangle=0,
        ticktext=[written_across(n) for n in shown],
        **(dict(type="log") if log else dict(range=[0, x[-1] * 1.02])),
    )  # fmt: skip
    parts = [f"{line.name} {written(line.y[0])} to {written(line.y[-1])}" for line in lines]
    span = f"{written_across(x[0])} to {written_across(x[-1])}"
    head = in_lines(title)
    room_above = 34 + 20 * len(head.split("\n"))
    return finish(
        figure, mode, title=head, alt=f"{title}. From {span} {across}: {'; '.join(parts)}.",
        height=PANEL + FOOT + room_above, margin=dict(l=8, r=LABELS, t=room_above, b=FOOT),
    )  # fmt: skip
