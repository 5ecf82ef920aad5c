"""Calibration: does what a model calls 70% happen in 70% of the judgments?"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.escaping import as_html
from analysis.findings.held_out import calibration_title
from analysis.prediction.paired import Standing
from analysis.wording import thousands
from dashboard.design import Mode, inks
from dashboard.figures.model_selection import method_mark
from dashboard.figures.theme import NORMAL, finish

FACET, TITLE, FACETS_A_ROW, NAME_WIDTH = 220, 64, 3, 17
"""Pixels of a panel and of its title, panels side by side, letters in a line of the title."""


def calibration_figure(standings: Sequence[Standing], *, mode: Mode) -> go.Figure:
    """Draw one panel per model: how often predictions came true at each stated probability.

    On the diagonal the stated probabilities are right; bars show how many predictions there are.
    """
    ink, n = inks(mode), len(standings)
    columns = min(n, FACETS_A_ROW)
    rows = -(-n // columns)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        subplot_titles=[_facet_title(s) for s in standings],
        horizontal_spacing=0.09,
        vertical_spacing=TITLE / (TITLE + FACET) / max(1, rows - 1) if rows > 1 else 0,
        shared_yaxes=True,
    )
    figure.update_annotations(font=dict(size=NORMAL, color=ink.text))
    for k, standing in enumerate(standings):
        _draw_calibration(figure, standing, k // columns + 1, k % columns + 1, mode)
    axis = dict(range=[0, 1], tickformat=".0%", tickvals=[0, 0.5, 1], fixedrange=True)
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis, showgrid=True)
    figure.update_xaxes(title_text="stated probability", row=rows)
    figure.update_yaxes(title_text="share that won", col=1)
    return finish(
        figure,
        mode,
        title=calibration_title(standings),
        alt=_calibration_alt(standings),
        height=40 + 52 + (FACET + TITLE) * rows,
        margin=dict(l=8, r=16, t=40 + TITLE, b=52),
    )


def _facet_title(standing: Standing) -> str:
    """Name the model in short lines, as panels are narrow on a narrow screen."""
    lines = textwrap.wrap(standing.score.shown, NAME_WIDTH)
    error = f"off by {100 * standing.score.calibration.error:.1f} points"
    return "<br>".join([*(as_html(line) for line in lines), error])


def _draw_calibration(
    figure: go.Figure, standing: Standing, row: int, column: int, mode: Mode
) -> None:
    ink, mark = inks(mode), method_mark(standing.score.method, mode)
    c = standing.score.calibration
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip", row=row, col=column,
        line=dict(color=ink.strong_rule, width=1, dash="dash"),
    )  # fmt: skip
    figure.add_bar(
        x=(c.bin_low + c.bin_high) / 2,
        y=0.18 * c.judgments / c.judgments.max(),
        width=0.09,
        marker=dict(color=ink.rule, line=dict(width=0)),
        hoverinfo="skip",
        row=row,
        col=column,
    )
    figure.add_scatter(
        x=c.predicted,
        y=c.observed,
        mode="markers",
        marker=dict(color=mark.color, symbol=mark.symbol, size=8),
        error_y=dict(
            array=c.high - c.observed, arrayminus=c.observed - c.low, thickness=1.5, width=3,
            color=mark.color,
        ),
        text=[
            f"stated {p:.0%}, came true {o:.0%}<br>{c.level:.0%} interval {lo:.0%} to {hi:.0%}"
            f"<br>{thousands(int(k))} predictions"
            for p, o, lo, hi, k in zip(
                c.predicted, c.observed, c.low, c.high, c.judgments, strict=True
            )
        ],
        hovertemplate="%{text}<extra></extra>",
        row=row,
        col=column,
    )  # fmt: skip


def _calibration_alt(standings: Sequence[Standing]) -> str:
    parts = []
    for s in standings:
        c = s.score.calibration
        pairs = ", ".join(
            f"{o:.0%} came true at {p:.0%}" for p, o in zip(c.predicted, c.observed, strict=True)
        )
        parts.append(f"{s.score.shown}: {pairs}")
    return "Predicted and observed probabilities. " + "; ".join(parts) + "."
