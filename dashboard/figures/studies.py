"""Simulated studies: errors of methods, rank ranges that hold, and the spread that fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from analysis.findings.simulation import named
from analysis.simulation.spread_fit import SpreadFit
from dashboard.design import Mode, faded, inks
from dashboard.figures.model_selection import method_mark
from dashboard.figures.theme import SMALL, TEMPLATES, apart, finish, in_lines
from dashboard.typography import as_html, thousands

PANEL, LABELS, FOOT = 300, 190, 50
"""Pixels: height of the panel, room for labels at the right, and below."""
TICKS = 4
"""Most ticks of the judgments, which a narrow window has room for."""


@dataclass(frozen=True)
class Line:
    """One curve over judgments, with its name at its end; ``half`` reaches to both sides."""

    name: str
    color: str
    dash: str
    symbol: str
    judgments: Sequence[int]
    share: Sequence[float]
    half: Sequence[float] = ()


def errors_figure(errors: pd.DataFrame, *, title: str, mode: Mode) -> go.Figure:
    """Draw each method's share of pairs in the wrong order; bands are two standard errors."""
    lines = []
    for method, rows in errors.groupby("method", sort=False):
        mark = method_mark(str(method), mode)
        half = (2 * rows["standard_error"]).tolist()
        lines.append(
            Line(
                name=named(str(method)),
                color=mark.color,
                dash=mark.dash,
                symbol=mark.symbol,
                judgments=rows["judgments"].tolist(),
                share=rows["error"].tolist(),
                half=half,
            )
        )
    return _draw(lines, title=title, axis="pairs in the wrong order", mode=mode)


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
        half = (2 * rows["violations_error"]).tolist()
        lines.append(
            Line(
                name=named(str(way)),
                color=colors[place],
                dash=dash,
                symbol=symbol,
                judgments=rows["judgments"].tolist(),
                share=rows["violations"].tolist(),
                half=half,
            )
        )
    figure = _draw(
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
        Line(f"Spread {fit.spreads[k]}", ink.quiet, "dot", "circle-open", sizes,
             fit.simulated[k].tolist())
        for k in sorted(others)
    ]  # fmt: skip
    lines += [
        Line(f"Spread {fit.best}, simulated", ink.accent, "dash", "square", sizes,
             fit.simulated[best].tolist()),
        Line("This campaign", ink.text, "solid", "circle", sizes, fit.observed.tolist()),
    ]  # fmt: skip
    return _draw(lines, title=title, axis="pairs separated", mode=mode)


def _draw(
    lines: Sequence[Line], *, title: str, axis: str, mode: Mode, least: float = 0.0
) -> go.Figure:
    figure = go.Figure()
    for line in lines:
        _draw_line(figure, line)
    highest = max(
        s + h for line in lines for s, h in zip(line.share, line.half or [0.0] * 99, strict=False)
    )
    top = max(1.06 * highest, least) or 1.0
    ends = sorted(((line.share[-1], place) for place, line in enumerate(lines)))
    pixels = [share / top * PANEL for share, _ in ends]
    for (share, place), pixel, moved in zip(ends, pixels, apart(pixels), strict=True):
        line = lines[place]
        figure.add_annotation(
            text=as_html(line.name), xref="paper", yref="y", x=1, y=share, ax=26,
            ay=pixel - moved, axref="pixel", ayref="pixel", xanchor="left", showarrow=True,
            arrowhead=0, arrowwidth=1, arrowcolor=faded(line.color, 0.6), standoff=2,
            font=dict(size=SMALL, color=line.color), align="left",
        )  # fmt: skip
    x = sorted({n for line in lines for n in line.judgments})
    shown = x[:: -math.ceil(len(x) / TICKS)][::-1]
    figure.update_yaxes(
        title_text=axis, range=[0, top], showgrid=True, fixedrange=True, tickformat=".0%", nticks=7
    )
    figure.update_xaxes(
        title_text="judgments", fixedrange=True, tickvals=shown,
        ticktext=[thousands(n) for n in shown], range=[0, x[-1] * 1.02],
        tickangle=0,
    )  # fmt: skip
    parts = [f"{line.name} {line.share[0]:.1%} to {line.share[-1]:.1%}" for line in lines]
    alt = f"{title}. From {x[0]} to {x[-1]} judgments: {'; '.join(parts)}."
    head = in_lines(title)
    room = 34 + 20 * len(head.split("\n"))
    return finish(
        figure, mode, title=head, alt=alt, height=PANEL + FOOT + room,
        margin=dict(l=8, r=LABELS, t=room, b=FOOT),
    )  # fmt: skip


def _draw_line(figure: go.Figure, line: Line) -> None:
    x, y = list(line.judgments), list(line.share)
    if line.half:
        high = [s + h for s, h in zip(y, line.half, strict=True)]
        low = [max(0.0, s - h) for s, h in zip(y, line.half, strict=True)]
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*high, *low[::-1]], fill="toself", mode="none",
            fillcolor=faded(line.color, 0.14), hoverinfo="skip",
        )  # fmt: skip
    name = as_html(line.name)
    figure.add_scatter(
        x=x, y=y, mode="lines+markers", name=name,
        line=dict(color=line.color, width=2, dash=line.dash),
        marker=dict(color=line.color, symbol=line.symbol, size=8),
        text=[
            f"<b>{name}</b><br>{thousands(n)} judgments: {s:.1%}" for n, s in zip(x, y, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
