"""Studies as curves: how well models predict after so many judgments, and simulated campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.extras.validation.prediction.findings import GUESSING, curve_title
from analysis.extras.validation.prediction.learning_curves import CurvePoint, LearningCurve
from analysis.extras.validation.simulation.findings import named
from analysis.extras.validation.simulation.spread_fit import SpreadFit
from analysis.wording import thousands
from dashboard.design import Inks, Mode, inks
from dashboard.extras.validation.lines import line_of, lines_figure
from dashboard.figures.collect import Line, draw_line
from dashboard.figures.theme import SMALL, TEMPLATES, finish, name_ends

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
    methods = dict.fromkeys(p.method for p in curve.points)
    ends: dict[int, list[tuple[float, str, str]]] = {1: [], 2: []}
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.1)
    for method in methods:
        points = sorted((p for p in curve.points if p.method == method), key=lambda p: p.size)
        for row, measure in ((1, "accuracy"), (2, "perplexity")):
            line = _draw_curve(figure, points, measure, row, shown[method], mode)
            ends[row].append((line.y[-1], line.name, line.color))
    _draw_guessing(figure, ink)
    for row, own in ends.items():
        name_ends(figure, own, _room(curve, row), PANEL, YAXES[row])
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
    figure: go.Figure, points: Sequence[CurvePoint], measure: str, row: int, name: str, mode: Mode
) -> Line:
    trials = [getattr(p, measure) for p in points]
    low, high = [float(t.min()) for t in trials], [float(t.max()) for t in trials]
    line = line_of(
        points[0].method, name, mode, x=[p.size for p in points],
        y=[float(t.mean()) for t in trials], low=low, high=high,
    )  # fmt: skip
    wording = "{:.1%}" if measure == "accuracy" else "{:.3f}"
    words = [
        f"{thousands(n)} judgments<br>{measure} {wording.format(mean)}, trials "
        f"{wording.format(lo)} to {wording.format(hi)}"
        for n, mean, lo, hi in zip(line.x, line.y, low, high, strict=True)
    ]
    draw_line(figure, line, words, row=row, col=1)
    return line


def _draw_guessing(figure: go.Figure, ink: Inks) -> None:
    figure.add_shape(
        type="line", xref="paper", yref=YAXES[2], x0=0, x1=1, y0=GUESSING, y1=GUESSING,
        line=dict(color=ink.strong_rule, width=1.5, dash="dot"), layer="below",
    )  # fmt: skip
    figure.add_annotation(
        text="guessing 3.00", xref="paper", yref=YAXES[2], x=0, y=GUESSING, xshift=6,
        xanchor="left", yanchor="bottom", showarrow=False, font=dict(size=SMALL, color=ink.quiet),
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


def errors_figure(errors: pd.DataFrame, *, title: str, mode: Mode) -> go.Figure:
    """Draw each method's share of pairs in the wrong order; bands are two standard errors."""
    lines = []
    for method, rows in errors.groupby("method", sort=False):
        name = named(str(method))
        lines.append(line_of(str(method), name, mode, **_banded(rows, "error", "standard_error")))
    return lines_figure(lines, title=title, axis="pairs in the wrong order", mode=mode)


def ranges_figure(quality: pd.DataFrame, *, level: float, title: str, mode: Mode) -> go.Figure:
    """Draw how often each way's rank ranges miss the true rank, beside what the level allows."""
    colors = list(TEMPLATES[mode].layout.colorway)
    looks = {
        "pairwise": ("dot", "diamond"),
        "rows": ("solid", "circle"),
        "task": ("dash", "square"),
    }
    lines = []
    for place, (way, rows) in enumerate(quality.groupby("method", sort=False)):
        dash, symbol = looks[str(way)]
        banded = _banded(rows, "violations", "violations_error")
        lines.append(Line(named(str(way)), colors[place], dash, symbol, **banded))
    figure = lines_figure(
        lines, title=title, axis="true ranks outside the range", mode=mode, least=1.5 * (1 - level)
    )
    ink = inks(mode)
    figure.add_shape(
        type="line", xref="paper", x0=0, x1=1, y0=1 - level, y1=1 - level, layer="below",
        line=dict(color=ink.strong_rule, width=1.5, dash="dot"),
    )  # fmt: skip
    figure.add_annotation(
        text=f"allowed: {1 - level:.3g}".replace("0.", "."), xref="paper", x=0, y=1 - level,
        xshift=6, xanchor="left", yanchor="bottom", showarrow=False,
        font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip
    return figure


def spread_figure(fit: SpreadFit, *, title: str, mode: Mode) -> go.Figure:
    """Draw the share of pairs separated here, and in simulations of the best and other spreads."""
    ink = inks(mode)
    sizes, best = fit.sizes.tolist(), fit.spreads.tolist().index(fit.best)
    others = {k for k in (best - 3, best + 3) if 0 <= k < len(fit.spreads)}
    lines = [
        Line(f"Standard deviation {fit.spreads[k]}", ink.quiet, "dot", "circle-open", sizes,
             fit.simulated[k].tolist())
        for k in sorted(others)
    ]  # fmt: skip
    lines += [
        Line(f"Standard deviation {fit.best}, simulated", ink.accent, "dash", "square", sizes,
             fit.simulated[best].tolist()),
        Line("This campaign", ink.text, "solid", "circle", sizes, fit.observed.tolist()),
    ]  # fmt: skip
    return lines_figure(lines, title=title, axis="pairs separated", mode=mode)


def needed_figure(needed: pd.DataFrame, *, title: str, mode: Mode) -> go.Figure:
    """Draw the share of the pairs that differ significantly after so many judgments, by spread."""
    colors = list(TEMPLATES[mode].layout.colorway)
    lines = [
        Line(f"Standard deviation {spread:g}", colors[k], "solid", "circle",
             rows["needed"].tolist(), rows["share"].tolist())
        for k, (spread, rows) in enumerate(needed.dropna().groupby("sd"))
    ]  # fmt: skip
    return lines_figure(
        lines, title=title, axis="pairs that differ significantly", mode=mode, log=True
    )


def _banded(rows: pd.DataFrame, value: str, error: str) -> dict[str, list[float]]:
    """Return a curve's places with a band of two standard errors, not below zero."""
    y, reach = rows[value], 2 * rows[error]
    return dict(
        x=rows["judgments"].tolist(), y=y.tolist(), low=(y - reach).clip(lower=0).tolist(),
        high=(y + reach).tolist(),
    )  # fmt: skip
