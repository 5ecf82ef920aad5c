"""Noisy judges: how close each method stays to the gold standard."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.comparing.score_table import column_means
from analysis.extras.noise.noisy_judges import METHODS, NoiseStudy
from analysis.rankers import RANKERS
from dashboard.design import Mode, faded
from dashboard.figures.model_selection import method_mark
from dashboard.figures.theme import SMALL, apart, finish
from dashboard.typography import as_html, percent

PANEL, LABELS = 300, 190
TITLE_LINE = 20


def noise_figure(study: NoiseStudy, *, title: str, mode: Mode) -> go.Figure:
    """Draw correlation with the gold standard against the share of noise, at the largest size.

    Where there is one share, against the number of judgments. Lines are means of the draws, bands
    two standard errors of them.
    """
    by_share = len(study.design.shares) > 1
    x = list(study.design.shares if by_share else study.design.sizes)
    values = study.correlation[:, -1] if by_share else study.correlation[0]
    means = np.stack([column_means(draws) for draws in values])
    squares = np.stack([column_means(draws**2) for draws in values - means[:, None]])
    errors = np.sqrt(squares / max(1, study.design.trials - 1))
    low, high = means - 2 * errors, means + 2 * errors
    figure = go.Figure()
    for m, method in enumerate(METHODS):
        mark, name = method_mark(method, mode), as_html(RANKERS[method].title)
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*high[:, m], *low[::-1, m]], fill="toself", mode="none",
            fillcolor=faded(mark.color, 0.14), hoverinfo="skip",
        )  # fmt: skip
        figure.add_scatter(
            x=x, y=means[:, m], mode="lines+markers", name=name,
            line=dict(color=mark.color, width=2, dash=mark.dash),
            marker=dict(color=mark.color, symbol=mark.symbol, size=8),
            hovertemplate=f"<b>{name}</b><br>correlation %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    least, most = float(np.nanmin(low)), float(np.nanmax(high))
    room = 0.06 * (most - least) or 0.01
    bottom, top = least - room, most + room
    ends = sorted((float(means[-1, m]), method) for m, method in enumerate(METHODS))
    pixels = [(value - bottom) / (top - bottom) * PANEL for value, _ in ends]
    for (value, method), pixel, place in zip(ends, pixels, apart(pixels), strict=True):
        color = method_mark(method, mode).color
        figure.add_annotation(
            text=as_html(RANKERS[method].title), xref="paper", yref="y", x=1, y=value, ax=26,
            ay=pixel - place, axref="pixel", ayref="pixel", xanchor="left", showarrow=True,
            arrowhead=0, arrowwidth=1, arrowcolor=faded(color, 0.6), standoff=2,
            font=dict(size=SMALL, color=color),
        )  # fmt: skip
    figure.update_yaxes(
        title_text="correlation with the gold standard", range=[bottom, top], tickformat=".2f",
        showgrid=True, fixedrange=True, nticks=7,
    )  # fmt: skip
    if by_share:
        figure.update_xaxes(
            title_text="share that is noise", tickformat=".0%", tickvals=x, fixedrange=True
        )
    else:
        figure.update_xaxes(title_text="judgments", type="log", tickvals=x, fixedrange=True)
    parts = [
        f"{RANKERS[method].title} {means[0, m]:.3f} to {means[-1, m]:.3f}"
        for m, method in enumerate(METHODS)
    ]
    alt = f"{title}. Correlation from {percent(study.design.shares[0])} to "
    alt += f"{percent(study.design.shares[-1])} noise: {'; '.join(parts)}."
    top_margin = 36 + TITLE_LINE * (1 + title.count("\n"))
    return finish(
        figure, mode, title=title, alt=alt, height=PANEL + top_margin + 50,
        margin=dict(l=8, r=LABELS, t=top_margin, b=50),
    )  # fmt: skip
