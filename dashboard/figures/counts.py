"""How often every two systems were compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.names import middle_cut
from dashboard.design import Mode, from_paper, inks
from dashboard.figures.theme import LABEL_GAP, SMALL, finish
from dashboard.typography import as_html, thousands

CELL, NAME_WIDTH, MOST_WITH_NUMBERS = 30, 20, 20
LETTER = 7
"""Pixels that a letter or digit of small type takes, rather more than less."""


def counts_figure(
    compared: FloatArray,
    systems: Sequence[str],
    *,
    names: Mapping[str, str],
    mode: Mode,
) -> go.Figure:
    """Draw the judgments of every pair of systems, ``compared[K, K]`` in the order given."""
    n = len(systems)
    shown = [as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in systems]
    cells = np.where(np.eye(n, dtype=bool) | (compared == 0), np.nan, compared)
    with_numbers = n <= MOST_WITH_NUMBERS
    figure = go.Figure(
        go.Heatmap(
            z=cells,
            x=list(range(n)),
            y=list(range(n)),
            colorscale=from_paper(mode),
            zmin=0,
            zmax=compared_range(compared)[1] or 1,
            xgap=1,
            ygap=1,
            texttemplate="%{z:.0f}" if with_numbers else None,
            textfont=dict(size=SMALL),
            showscale=not with_numbers,
            colorbar=dict(title=dict(text="judgments"), thickness=12, outlinewidth=0),
            customdata=_hover(compared, systems),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    ticks = dict(
        tickmode="array", tickvals=list(range(n)), ticktext=shown, showline=False, ticks=""
    )
    figure.update_xaxes(**ticks, side="top", tickangle=_angle(n), fixedrange=True)
    figure.update_yaxes(**ticks, range=[n - 0.5, -0.5], fixedrange=True)
    figure.update_layout(plot_bgcolor=inks(mode).nothing)
    low, high = compared_range(compared)
    digits = len(thousands(high)) + 1
    cell = max(LETTER * digits, LABEL_GAP) if with_numbers else LABEL_GAP
    figure = finish(
        figure,
        mode,
        alt=f"Judgments of each pair of {n} systems: from {low} to {high}.",
        height=150 + CELL * n,
        margin=dict(l=8, r=56 if with_numbers else 8, t=8, b=8),
    )
    longest = max(map(len, shown), default=0)
    figure.layout.meta["min_width"] = LETTER * longest + 80 + cell * n
    return figure


def _angle(n: int) -> int:
    """Turn the names over the columns the more, the more there are."""
    if n <= 6:
        return 0
    return -45 if n <= MOST_WITH_NUMBERS else -90


def compared_range(compared: FloatArray) -> tuple[int, int]:
    """Return the fewest and the most judgments of any two systems."""
    off = compared[~np.eye(len(compared), dtype=bool)]
    return (int(off.min()), int(off.max())) if len(off) else (0, 0)


def _hover(compared: FloatArray, systems: Sequence[str]) -> list[list[str]]:
    return [
        [
            f"{as_html(row)}<br>{as_html(column)}<br>{thousands(int(compared[i, j]))} judgments"
            if i != j
            else as_html(row)
            for j, column in enumerate(systems)
        ]
        for i, row in enumerate(systems)
    ]
