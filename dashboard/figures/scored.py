"""Scores: how each judge used the scale, and how harsh each is."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.judges.scorers import Scorers
from analysis.names import middle_cut
from dashboard.design import Mode, inks
from dashboard.figures.theme import finish
from dashboard.typography import as_html, fixed, thousands

ROW, AROUND, NAME_WIDTH = 24, 120, 22
MOST_JUDGES = 40


def scale_figure(found: Scorers, *, scale: str, title: str, mode: Mode) -> go.Figure:
    """Draw a box for each judge's scores, those with most scores on top; whiskers are 5 and 95%."""
    ink = inks(mode)
    n = min(len(found.judges), MOST_JUDGES)
    quantiles = found.quantiles[:n]
    names = [as_html(middle_cut(name, NAME_WIDTH)) for name in found.judges[:n]]
    hover = [
        f"<b>{name}</b><br>{thousands(int(count))} scores, mean {fixed(mean, 1)}"
        for name, count, mean in zip(names, found.n, found.mean, strict=False)
    ]
    figure = go.Figure(
        go.Box(
            y=list(range(n)),
            lowerfence=quantiles[:, 0],
            q1=quantiles[:, 1],
            median=quantiles[:, 2],
            q3=quantiles[:, 3],
            upperfence=quantiles[:, 4],
            mean=found.mean[:n],
            orientation="h",
            fillcolor=ink.rule,
            line=dict(color=ink.neutral, width=1.5),
            hoverinfo="skip",
            boxpoints=False,
        )
    )
    figure.add_scatter(
        x=found.mean[:n], y=list(range(n)), mode="markers",
        marker=dict(color=ink.text, size=7, symbol="diamond"),
        customdata=hover, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(title_text=as_html(scale), showgrid=True, fixedrange=True)
    figure.update_yaxes(
        tickmode="array", tickvals=list(range(n)), ticktext=names, range=[n - 0.5, -0.5],
        fixedrange=True, showgrid=False,
    )  # fmt: skip
    figure.update_layout(showlegend=False)
    means = found.mean[~np.isnan(found.mean)]
    alt = f"Boxes of the scores of {n} judges; means from {means.min():.1f} to {means.max():.1f}."
    return finish(
        figure, mode, title=title, alt=alt, height=AROUND + ROW * n,
        margin=dict(l=8, r=24, t=56, b=50),
    )  # fmt: skip
