"""Simulated studies: errors of methods, rank ranges that hold, and the spread that fits."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from analysis.findings.simulation import named
from analysis.simulation.spread_fit import SpreadFit
from dashboard.design import Mode, inks
from dashboard.figures.lines import Line, line_of, lines_figure
from dashboard.figures.theme import SMALL, TEMPLATES


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
