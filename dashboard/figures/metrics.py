"""Metrics by how far they order systems as people do; the first group stands out."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.findings.metrics import MEASURES
from analysis.metrics import MetricsBoard
from analysis.names import middle_cut
from dashboard.design import Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, finish, in_lines, lay_on
from dashboard.typography import as_html, fixed

NAME_WIDTH = 30
ROW, HEAD, FOOT = 24, 44, 56
"""Pixels: a row, room above and below the rows."""


def metrics_figure(board: MetricsBoard, *, title: str, mode: Mode) -> go.Figure:
    """Draw a row a metric, the best on top; dashed between groups."""
    ink = inks(mode)
    order = [int(m) for m in board.order]
    values = board.leading[order]
    figure = go.Figure(
        go.Scatter(
            x=values,
            y=list(range(len(order))),
            mode="markers",
            marker=dict(
                size=10,
                color=[ink.accent if board.groups[m] == 1 else ink.paper for m in order],
                line=dict(color=ink.accent, width=2),
            ),
            text=[_words(board, m) for m in order],
            hovertemplate="%{text}<extra></extra>",
            cliponaxis=False,
        )
    )
    known = values[~np.isnan(values)]
    low = float(known.min()) if len(known) else 0.0
    figure.update_xaxes(
        title_text=MEASURES[board.told_by][0], range=[max(0.0, low - 0.05), 1.02],
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[as_html(middle_cut(board.metrics[m], NAME_WIDTH)) for m in order],
        tickfont=dict(size=SMALL if len(order) > 20 else NORMAL, color=ink.text),
        ticklabelstandoff=8, range=[len(order) - 0.5, -0.5], showline=False, showgrid=True,
        fixedrange=True,
    )  # fmt: skip
    changes = [
        row + 0.5
        for row in range(len(order) - 1)
        if board.groups[order[row]] != board.groups[order[row + 1]]
    ]
    lay_on(
        figure,
        shapes=[
            dict(
                type="line", xref="paper", x0=0, x1=1, y0=y, y1=y,
                line=dict(color=ink.strong_rule, width=1, dash="dash"),
            )
            for y in changes
        ],
    )  # fmt: skip
    heading = in_lines(title)
    head = HEAD + 20 * heading.count("\n")
    told = "; ".join(f"{board.metrics[m]} {fixed(board.leading[m], 3)}" for m in order[:20])
    return finish(
        figure, mode, title=heading, alt=f"{title} {MEASURES[board.told_by][0]}: {told}.",
        height=head + FOOT + ROW * max(len(order), 2), margin=dict(l=8, r=24, t=head, b=FOOT),
    )  # fmt: skip


def _words(board: MetricsBoard, m: int) -> str:
    lines = [f"<b>{as_html(board.metrics[m])}</b>"]
    for name, values in (
        ("pairwise_accuracy", board.accuracy),
        ("soft_pairwise_accuracy", board.soft),
        ("kendall", board.kendall),
    ):
        if not np.isnan(values[m]):
            lines.append(f"{MEASURES[name][0]} {fixed(values[m], 3)}")
    if board.groups[m]:
        lines.append(f"group {board.groups[m]}")
    return "<br>".join(lines)
