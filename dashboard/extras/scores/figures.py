"""Systems by one measure, with intervals; those that may be the best are filled."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Ends, Row, Rows
from analysis.extras.scores.scoreboard import Scoreboard
from analysis.names import middle_cut
from analysis.wording import fixed
from dashboard.design import Mode, inks
from dashboard.figures.theme import as_figure

NAME_WIDTH = 22


def scores_figure(board: Scoreboard, m: int, *, title: str, mode: Mode) -> go.Figure:
    """Draw a row for every system, the best on top."""
    measure = board.measures[m]
    order = [int(s) for s in board.order(m) if not np.isnan(board.values[m, s])]
    rows = [
        Row(
            board.systems[s],
            middle_cut(board.systems[s], NAME_WIDTH),
            float(board.values[m, s]),
            thin=_interval(board, m, s),
            words=_words(board, m, s),
            hollow=not board.may_be_best[m, s],
        )
        for s in order
    ]
    values = "; ".join(f"{row.system} {fixed(row.score, 3)}" for row in rows)
    scene = Rows(
        tuple(rows),
        measure.title + ("" if measure.high_is_good else " (low is good)"),
        f"{title} {measure.title}: {values}.",
        low_is_good=not measure.high_is_good,
    )
    look = Look(dict.fromkeys(board.systems, inks(mode).accent), mode)
    return as_figure(rows_json(scene, look, title=title), mode)


def _interval(board: Scoreboard, m: int, s: int) -> Ends | None:
    known = not np.isnan(board.low[m, s])
    return (float(board.low[m, s]), float(board.high[m, s])) if known else None


def _words(board: Scoreboard, m: int, s: int) -> tuple[str, ...]:
    if np.isnan(board.low[m, s]):
        return (fixed(board.values[m, s], 3),)
    low, high = fixed(board.low[m, s], 3), fixed(board.high[m, s], 3)
    best = "may be the best" if board.may_be_best[m, s] else "significantly worse than another"
    return fixed(board.values[m, s], 3), f"{board.level:.0%} interval {low} to {high}", best
