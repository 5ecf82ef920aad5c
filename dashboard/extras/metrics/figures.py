"""Metrics by how far they order systems as people do; the first group stands out."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Row, Rows, cuts_of
from analysis.extras.metrics.beside_people import MetricsBoard
from analysis.extras.metrics.findings import MEASURES
from analysis.names import middle_cut
from analysis.wording import fixed
from dashboard.design import Mode, inks
from dashboard.figures.theme import as_figure

NAME_WIDTH = 30


def metrics_figure(board: MetricsBoard, *, title: str, mode: Mode) -> go.Figure:
    """Draw a row a metric, the best on top; dashed between groups."""
    order = [int(m) for m in board.order]
    measure = MEASURES[board.told_by][0]
    rows = [
        Row(
            board.metrics[m],
            middle_cut(board.metrics[m], NAME_WIDTH),
            float(board.leading[m]),
            words=_words(board, m),
            hollow=bool(board.groups[m] != 1),
        )
        for m in order
    ]
    told = "; ".join(f"{row.system} {fixed(row.score, 3)}" for row in rows[:20])
    scene = Rows(
        tuple(rows),
        measure,
        f"{title} {measure}: {told}.",
        cuts=cuts_of([int(board.groups[m]) for m in order]),
    )
    look = Look(dict.fromkeys(board.metrics, inks(mode).accent), mode)
    return as_figure(rows_json(scene, look, title=title), mode)


def _words(board: MetricsBoard, m: int) -> tuple[str, ...]:
    found = (
        ("pairwise_accuracy", board.accuracy),
        ("soft_pairwise_accuracy", board.soft),
        ("kendall", board.kendall),
    )
    lines = [
        f"{MEASURES[name][0]} {fixed(values[m], 3)}"
        for name, values in found
        if not np.isnan(values[m])
    ]
    return (*lines, f"group {board.groups[m]}") if board.groups[m] else tuple(lines)
