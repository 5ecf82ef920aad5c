"""Systems by one measure, with intervals; those that may be the best are filled."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.names import middle_cut
from analysis.scores.scoreboard import Scoreboard
from dashboard.design import Mode, inks
from dashboard.figures.theme import NORMAL, Part, finish, in_lines
from dashboard.typography import as_html, fixed

NAME_WIDTH = 22
ROW, HEAD, FOOT = 30, 44, 56
"""Pixels: a row, room above and below the rows."""


def scores_figure(board: Scoreboard, m: int, *, title: str, mode: Mode) -> go.Figure:
    """Draw a row for every system, the best on top."""
    ink, measure = inks(mode), board.measures[m]
    order = [int(s) for s in board.order(m) if not np.isnan(board.values[m, s])]
    figure = go.Figure()
    look: Part = dict(mode="lines", name="interval", opacity=0.55, hoverinfo="skip")
    look |= dict(line=dict(color=ink.accent, width=3))
    figure.add_traces(
        [
            go.Scatter(x=[board.low[m, s], board.high[m, s]], y=[row] * 2, **look)
            for row, s in enumerate(order)
            if not np.isnan(board.low[m, s])
        ]
    )
    in_front = [bool(board.may_be_best[m, s]) for s in order]
    figure.add_scatter(
        x=[board.values[m, s] for s in order],
        y=list(range(len(order))),
        mode="markers",
        name="value",
        marker=dict(
            size=11,
            color=[ink.accent if best else ink.paper for best in in_front],
            line=dict(color=ink.accent, width=2),
        ),
        text=[_words(board, m, s) for s in order],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )
    ends = np.concatenate([values[m][order] for values in (board.values, board.low, board.high)])
    room = 0.03 * (np.nanmax(ends) - np.nanmin(ends) or 1.0) if len(order) else 0.0
    reach = [np.nanmin(ends) - room, np.nanmax(ends) + room] if len(order) else None
    better = "" if measure.high_is_good else " (low is good)"
    figure.update_xaxes(
        title_text=as_html(measure.title + better), showgrid=True, fixedrange=True,
        range=reach if measure.high_is_good or reach is None else reach[::-1],
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[as_html(middle_cut(board.systems[s], NAME_WIDTH)) for s in order],
        tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8,
        range=[len(order) - 0.5, -0.5], showline=False, showgrid=True, fixedrange=True,
    )  # fmt: skip
    values = "; ".join(f"{board.systems[s]} {fixed(board.values[m, s], 3)}" for s in order)
    heading = in_lines(title)
    head = HEAD + 20 * heading.count("\n")
    return finish(
        figure, mode, title=heading, alt=f"{title} {measure.title}: {values}.",
        height=head + FOOT + ROW * max(len(order), 2), margin=dict(l=8, r=24, t=head, b=FOOT),
    )  # fmt: skip


def _words(board: Scoreboard, m: int, s: int) -> str:
    lines = [f"<b>{as_html(board.systems[s])}</b>", fixed(board.values[m, s], 3)]
    if not np.isnan(board.low[m, s]):
        low, high = fixed(board.low[m, s], 3), fixed(board.high[m, s], 3)
        lines.append(f"{board.level:.0%} interval {low} to {high}")
        lines.append("may be the best" if board.may_be_best[m, s] else "told worse than another")
    return "<br>".join(lines)
