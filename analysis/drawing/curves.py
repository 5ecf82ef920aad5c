"""Curves over the values of a setting, such as the decision radius, below the rows of an answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray
from analysis.colors import Inks
from analysis.drawing.look import NORMAL, SMALL
from analysis.drawing.sketch import Part, Sketch
from analysis.escaping import as_html

NARROW = 0.05
"""Shares of a panel below which two whole percents would be the same."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Something over the values of a setting; ``level`` is a line that it is compared with.

    Above ``top``, if given, the panel ends. A count changes in steps.
    """

    title: str
    values: FloatArray
    is_share: bool = False
    level: float = float("nan")
    level_label: str = ""
    top: float = float("nan")
    is_count: bool = False


@dataclass(frozen=True, eq=False)
class Curves:
    """One or two curves over the same values, with the value now and others worth a mark."""

    x: FloatArray
    x_label: str
    panels: tuple[Curve, ...]
    now: float
    marks: tuple[tuple[float, str], ...]
    x_is_share: bool = False


def draw_curves(figure: Sketch, curves: Curves, ink: Inks) -> None:
    """Draw each curve into its panel, in the second row of a sketch."""
    for column, panel in enumerate(curves.panels, start=1):
        traces: list[Part] = [
            dict(
                x=curves.x,
                y=panel.values,
                mode="lines",
                name=panel.title,
                line=dict(color=ink.accent, width=2, shape="hvh" if panel.is_count else "linear"),
                hovertemplate=f"%{{x:.4~g}}: %{{y:{'.1%' if panel.is_share else '.3f'}}}"
                f"<extra>{as_html(panel.title)}</extra>",
            )
        ]
        if np.isfinite(panel.level):
            _draw_level(figure, panel, column, ink)
        low, high = _panel_range(panel)
        shown = np.clip(panel.values, low, high)
        middle, side = float(np.ptp(shown) / 2 + shown.min()), ""
        for x, label in curves.marks:
            # Every label on the other side than the one before, so that none lie on each other.
            is_low = float(np.interp(x, curves.x, panel.values)) < middle
            is_below = side == "top" if side else is_low
            side = "bottom" if is_below else "top"
            # The first panel names the marks; a second one repeats them where room is short.
            named = label if column == 1 else ""
            traces.append(_mark(curves, panel, x, ink.quiet, named, side, is_now=False))
        traces.append(_mark(curves, panel, curves.now, ink.text, "", "top"))
        figure.add(traces, 2, column)
        share = ".1%" if high - low < NARROW else ".0%"
        figure.update_yaxes(
            2, column, tickformat=share if panel.is_share else "~g", showgrid=True,
            fixedrange=True, range=[low, high], **_few_ticks(panel),
        )  # fmt: skip
        figure.update_xaxes(
            2, column, title=dict(text=as_html(curves.x_label)), fixedrange=True, nticks=5,
            tickformat=".0%" if curves.x_is_share else "~g",
        )  # fmt: skip
        left, top = figure.corner(2, column)
        head: Part = dict(
            text=f"<b>{as_html(panel.title)}</b>", xref="paper", yref="paper", x=left, y=top,
            yshift=30, xanchor="left", showarrow=False, font=dict(size=NORMAL, color=ink.text),
        )  # fmt: skip
        figure.lay_on(notes=[head])


def _draw_level(figure: Sketch, panel: Curve, column: int, ink: Inks) -> None:
    """Draw what a curve is compared with, with its name at the right end."""
    x, y = figure.axes(2, column)
    here: Part = dict(xref=f"{x} domain", yref=y)
    rule = dict(color=ink.strong_rule, width=1, dash="dot")
    line: Part = dict(type="line", x0=0, x1=1, y0=panel.level, y1=panel.level, line=rule)
    name: Part = dict(
        text=as_html(panel.level_label), x=1, y=panel.level, xanchor="right", yanchor="bottom",
        showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip
    figure.lay_on(shapes=[here | line], notes=[here | name])


def _panel_range(panel: Curve) -> list[float]:
    """Leave room above and below, where marks have their names."""
    known = panel.values[np.isfinite(panel.values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if np.isfinite(panel.level):
        low, high = min(low, panel.level), max(high, panel.level)
    high = min(high, panel.top) if np.isfinite(panel.top) else high
    room = 0.18 * (high - low) or 0.5
    return [low - room, high + room]


def _few_ticks(panel: Curve) -> Part:
    """A count has whole numbers on its axis."""
    if not panel.is_count:
        return dict(nticks=5)
    step = max(1, int(np.ceil(np.ptp(panel.values) / 5)))
    return dict(dtick=step, tick0=0)


def _mark(
    curves: Curves,
    panel: Curve,
    x: float,
    color: str,
    label: str,
    side: str,
    is_now: bool = True,
) -> Part:
    """Mark a value on the curve: now as a full dot, others as open ones with their name."""
    y = float(np.interp(x, curves.x, panel.values))
    return dict(
        x=[x],
        y=[y],
        mode="markers+text" if label else "markers",
        text=[as_html(label)],
        textposition=f"{side} {_beside(x, curves.x)}",
        textfont=dict(size=SMALL, color=color),
        cliponaxis=False,
        name=label or ("now" if is_now else "mark"),
        marker=dict(
            size=11, symbol="circle" if is_now else "diamond-open", color=color, line=dict(width=2)
        ),
        hoverinfo="skip",
    )


def _beside(x: float, values: FloatArray) -> str:
    """Keep a label inside the panel."""
    share = (x - values[0]) / ((values[-1] - values[0]) or 1)
    return "right" if share < 0.3 else "left" if share > 0.7 else "center"
