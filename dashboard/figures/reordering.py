"""Methods side by side as a figure: the scene of `analysis.drawing.reordering` in colors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from analysis.colors import Mode
from analysis.comparing.comparison import Comparison
from analysis.drawing.look import Look
from analysis.drawing.reordering import reordering_json, reordering_scene
from dashboard.figures.theme import as_figure


def reordering_figure(
    comparison: Comparison,
    *,
    title: str,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    official: Sequence[int],
    chosen: tuple[str, str] | None,
    mode: Mode,
    rows: slice = slice(None),
) -> go.Figure:
    """Draw the methods' orders; what marks the ``chosen`` systems stays on the page."""
    scene = reordering_scene(comparison, names, official)
    drawing = reordering_json(scene, Look(colors, mode), title=title, chosen=chosen, rows=rows)
    return as_figure(drawing, mode)
