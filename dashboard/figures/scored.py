"""Scores: how each judge used the scale, and how harsh each is."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.escaping import as_html
from analysis.judges.scorers import Scorers
from analysis.names import middle_cut
from analysis.wording import fixed, thousands
from dashboard.design import Mode, inks
from dashboard.figures.theme import finish

ROW, AROUND, NAME_WIDTH = 24, 120, 22
MOST_JUDGES = 40


def scale_figure(found: Scorers, *, scale: str, title: str, mode: Mode) -> go.Figure:
    """Draw a box for each judge's scores, the highest mean on top; whiskers are 5 and 95%.

    Of many judges those with most scores are drawn.
    """
    ink = inks(mode)
    n = min(len(found.judges), MOST_JUDGES)
    order = np.argsort(-found.mean[:n], kind="stable")
    quantiles, means = found.quantiles[order], found.mean[order]
    names = [as_html(middle_cut(found.judges[k], NAME_WIDTH)) for k in order]
    hover = [
        f"<b>{name}</b><br>{thousands(int(count))} scores, mean {fixed(mean, 1)}"
        for name, count, mean in zip(names, found.n[order], means, strict=True)
    ]
    figure = go.Figure(
        go.Box(
            y=list(range(n)),
            lowerfence=quantiles[:, 0],
            q1=quantiles[:, 1],
            median=quantiles[:, 2],
            q3=quantiles[:, 3],
            upperfence=quantiles[:, 4],
            mean=means,
            orientation="h",
            fillcolor=ink.rule,
            line=dict(color=ink.neutral, width=1.5),
            hoverinfo="skip",
            boxpoints=False,
        )
    )
    figure.add_scatter(
        x=means, y=list(range(n)), mode="markers",
        marker=dict(color=ink.text, size=7, symbol="diamond"),
        customdata=hover, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(title_text=as_html(scale), showgrid=True, fixedrange=True)
    figure.update_yaxes(
        tickmode="array", tickvals=list(range(n)), ticktext=names, range=[n - 0.5, -0.5],
        fixedrange=True, showgrid=False,
    )  # fmt: skip
    figure.update_layout(showlegend=False)
    ends = f"{np.nanmin(means):.1f} to {np.nanmax(means):.1f}"
    alt = f"Boxes of the scores of {n} judges; means from {ends}."
    return finish(
        figure, mode, title=title, alt=alt, height=AROUND + ROW * n,
        margin=dict(l=8, r=24, t=56, b=50),
    )  # fmt: skip
