"""What if: the answer after a change over the one before it, as a figure."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from analysis.colors import Mode
from analysis.drawing.answers import answer_json, answer_scene
from analysis.drawing.curves import Curves
from analysis.drawing.look import Look
from analysis.findings.changes import Answer
from dashboard.figures.theme import as_figure


def answer_figure(
    before: Answer,
    after: Answer,
    *,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    score_label: str,
    mode: Mode,
    title: str,
    curves: Curves | None = None,
    with_ghost: bool = True,
    rows: slice = slice(None),
    cut: bool = True,
) -> go.Figure:
    """Draw `answer_scene`, with the curves below it if there are any."""
    scene = answer_scene(
        before, after, names, score_label, with_ghost=with_ghost, rows=rows, cut=cut
    )
    return as_figure(answer_json(scene, Look(colors, mode), title=title, curves=curves), mode)
