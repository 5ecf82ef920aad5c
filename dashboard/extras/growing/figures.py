"""What campaigns of so many judgments would have said: clusters by size, abilities with bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import plotly.graph_objects as go

from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Row, Rows
from analysis.extras.growing.growing import ClusterGrowth, Trainings
from dashboard.design import Mode, faded
from dashboard.figures.model_selection import method_mark
from dashboard.figures.theme import SMALL, apart, as_figure, finish
from dashboard.typography import as_html, fixed, thousands

PANEL, LABELS = 300, 190


def growth_figure(
    growth: ClusterGrowth, *, shown: Mapping[str, str], title: str, mode: Mode
) -> go.Figure:
    """Draw the mean number of clusters by size; bands reach from the fewest to the most."""
    x = list(growth.sizes)
    means = growth.clusters.mean(axis=2)
    low, high = growth.clusters.min(axis=2), growth.clusters.max(axis=2)
    figure = go.Figure()
    for m, method in enumerate(growth.methods):
        mark, name = method_mark(method, mode), as_html(shown.get(method, method))
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*high[m], *low[m][::-1]], fill="toself", mode="none",
            fillcolor=faded(mark.color, 0.14), hoverinfo="skip",
        )  # fmt: skip
        figure.add_scatter(
            x=x, y=means[m], mode="lines+markers", name=name,
            line=dict(color=mark.color, width=2, dash=mark.dash),
            marker=dict(color=mark.color, symbol=mark.symbol, size=8),
            hovertemplate=f"<b>{name}</b><br>%{{x}} judgments: %{{y:.1f}} clusters<extra></extra>",
        )  # fmt: skip
    top = float(high.max()) + 0.5
    ends = sorted((float(means[m, -1]), method) for m, method in enumerate(growth.methods))
    pixels = [value / top * PANEL for value, _ in ends]
    for (value, method), pixel, place in zip(ends, pixels, apart(pixels), strict=True):
        color = method_mark(method, mode).color
        figure.add_annotation(
            text=as_html(shown.get(method, method)), xref="paper", yref="y", x=1, y=value, ax=26,
            ay=pixel - place, axref="pixel", ayref="pixel", xanchor="left", showarrow=True,
            arrowhead=0, arrowwidth=1, arrowcolor=faded(color, 0.6), standoff=2,
            font=dict(size=SMALL, color=color),
        )  # fmt: skip
    figure.update_yaxes(
        title_text="clusters", range=[0, top], showgrid=True, fixedrange=True, nticks=8,
        tickformat="d",
    )  # fmt: skip
    figure.update_xaxes(
        title_text="judgments", fixedrange=True, tickvals=x, ticktext=[thousands(n) for n in x],
        type="log",
    )  # fmt: skip
    parts = [
        f"{shown.get(method, method)} {means[m, 0]:.1f} to {means[m, -1]:.1f}"
        for m, method in enumerate(growth.methods)
    ]
    alt = f"{title}. Clusters from {x[0]} to {x[-1]} judgments: {'; '.join(parts)}."
    return finish(
        figure, mode, title=title, alt=alt, height=PANEL + 86 + 20 * (1 + title.count("\n")),
        margin=dict(l=8, r=LABELS, t=36 + 20 * (1 + title.count("\n")), b=50),
    )  # fmt: skip


def trainings_figure(
    found: Trainings,
    *,
    title: str,
    label: str,
    name: Callable[[str], str],
    colors: Mapping[str, str],
    mode: Mode,
) -> go.Figure:
    """Draw the mean score of every system, best on top, its bar the deviation over trainings."""
    rows = [
        Row(
            found.systems[k],
            name(found.systems[k]),
            float(found.mean[k]),
            thin=(
                float(found.mean[k] - found.deviation[k]),
                float(found.mean[k] + found.deviation[k]),
            ),
            words=(
                f"mean {fixed(float(found.mean[k]))}",
                f"standard deviation {fixed(float(found.deviation[k]))}",
            ),
        )
        for k in found.order
        if np.isfinite(found.mean[k])
    ]
    parts = [f"{row.system} {', '.join(row.words)}" for row in rows]
    scene = Rows(tuple(rows), label, f"{title}. {'; '.join(parts)}.")
    return as_figure(rows_json(scene, Look(colors, mode), title=title), mode)
