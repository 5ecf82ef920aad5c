"""Learning curves: how well models predict after so many judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.escaping import as_html
from analysis.findings.held_out import GUESSING, curve_title
from analysis.prediction.learning_curves import CurvePoint, LearningCurve
from analysis.wording import thousands
from dashboard.design import Inks, Mode, faded, inks
from dashboard.figures.model_selection import Mark, method_mark
from dashboard.figures.theme import SMALL, apart, finish

PANEL, LABELS = 250, 190
"""Pixels: height of a panel, room for labels."""
YAXES = {1: "y", 2: "y2"}
"""Plotly's names of the panels."""


def curve_figure(curve: LearningCurve, *, shown: Mapping[str, str], mode: Mode) -> go.Figure:
    """Draw accuracy and, below, perplexity against the number of training judgments.

    Lines are means over the trials, bands reach from the lowest to the highest trial; the dotted
    line below is guessing. ``shown`` names methods.
    """
    ink = inks(mode)
    sizes = sorted({p.size for p in curve.points})
    methods = list(dict.fromkeys(p.method for p in curve.points))
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.1)
    for method in methods:
        points = sorted((p for p in curve.points if p.method == method), key=lambda p: p.size)
        for row, measure in ((1, "accuracy"), (2, "perplexity")):
            _draw_curve(figure, points, measure, row, shown[method], method_mark(method, mode))
    _draw_guessing(figure, ink)
    _label_ends(figure, curve, methods, shown, mode)
    figure.update_xaxes(
        type="log", tickmode="array", tickvals=sizes, showgrid=True, fixedrange=True,
        ticktext=[thousands(size) for size in sizes],
        range=[float(np.log10(sizes[0] * 0.92)), float(np.log10(sizes[-1] * 1.08))],
    )  # fmt: skip
    figure.update_xaxes(title_text="training judgments", row=2)
    figure.update_yaxes(showgrid=True, fixedrange=True, nticks=5, showline=False)
    figure.update_yaxes(title_text="accuracy", tickformat=".0%", row=1, range=_room(curve, 1))
    figure.update_yaxes(title_text="perplexity", tickformat=".2f", row=2, range=_room(curve, 2))
    return finish(
        figure,
        mode,
        title=curve_title(curve),
        alt=_curve_alt(curve, shown),
        height=2 * PANEL + 110,
        margin=dict(l=8, r=LABELS, t=52, b=56),
    )


def _draw_curve(
    figure: go.Figure, points: Sequence[CurvePoint], measure: str, row: int, name: str, mark: Mark
) -> None:
    sizes = [p.size for p in points]
    trials = [getattr(p, measure) for p in points]
    low, high = [float(t.min()) for t in trials], [float(t.max()) for t in trials]
    figure.add_scatter(
        x=[*sizes, *reversed(sizes)], y=[*high, *reversed(low)], fill="toself", mode="none",
        fillcolor=faded(mark.color, 0.14), hoverinfo="skip", row=row, col=1,
    )  # fmt: skip
    wording = "{:.1%}" if measure == "accuracy" else "{:.3f}"
    figure.add_scatter(
        x=sizes,
        y=[float(t.mean()) for t in trials],
        mode="lines+markers",
        name=as_html(name),
        line=dict(color=mark.color, width=2, dash=mark.dash),
        marker=dict(color=mark.color, symbol=mark.symbol, size=8),
        text=[
            f"<b>{as_html(name)}</b><br>{thousands(p.size)} judgments<br>{measure} "
            f"{wording.format(t.mean())}, trials {wording.format(lo)} to {wording.format(hi)}"
            for p, t, lo, hi in zip(points, trials, low, high, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        row=row,
        col=1,
    )


def _draw_guessing(figure: go.Figure, ink: Inks) -> None:
    figure.add_shape(
        type="line", xref="paper", yref=YAXES[2], x0=0, x1=1, y0=GUESSING, y1=GUESSING,
        line=dict(color=ink.strong_rule, width=1.5, dash="dot"), layer="below",
    )  # fmt: skip
    figure.add_annotation(
        text="guessing 3.00", xref="paper", yref=YAXES[2], x=0, y=GUESSING, xshift=6,
        xanchor="left", yanchor="bottom", showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip


def _label_ends(
    figure: go.Figure, curve: LearningCurve, methods: Sequence[str], shown: Mapping[str, str],
    mode: Mode,
) -> None:  # fmt: skip
    """Write each method's name where its curve ends, moved apart where they would overlap."""
    for row, measure in ((1, "accuracy"), (2, "perplexity")):
        low, high = _room(curve, row)
        ends = []
        for method in methods:
            last = max((p for p in curve.points if p.method == method), key=lambda p: p.size)
            ends.append((float(getattr(last, measure).mean()), method))
        ends.sort()
        pixels = [(value - low) / (high - low) * PANEL for value, _ in ends]
        for (value, method), pixel, place in zip(ends, pixels, apart(pixels), strict=True):
            color = method_mark(method, mode).color
            figure.add_annotation(
                text=as_html(shown[method]), xref="paper", yref=YAXES[row], x=1, y=value,
                ax=30, ay=pixel - place, axref="pixel", ayref="pixel", xanchor="left",
                showarrow=True, arrowhead=0, arrowwidth=1, arrowcolor=faded(color, 0.6),
                standoff=2, font=dict(size=SMALL, color=color),
            )  # fmt: skip


def _room(curve: LearningCurve, row: int) -> list[float]:
    """Return a range that holds every trial, and guessing, with a little room."""
    measure, bound = ("accuracy", []) if row == 1 else ("perplexity", [GUESSING])
    values = np.concatenate([*(getattr(p, measure) for p in curve.points), bound])
    low, high = float(values.min()), float(values.max())
    room = 0.08 * (high - low) or 0.05
    return [low - room, high + 2 * room]


def _curve_alt(curve: LearningCurve, shown: Mapping[str, str]) -> str:
    parts = [
        f"{shown[p.method]} after {p.size}: accuracy {p.accuracy.mean():.1%}, "
        f"perplexity {p.perplexity.mean():.2f}"
        for p in curve.points
    ]
    return "Learning curves. " + "; ".join(parts) + "."
