"""Head to head as a figure: the scene of `analysis.drawing.matrix` in a page's colors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.colors import Mode
from analysis.comparing.head_to_head import HeadToHead
from analysis.drawing.look import Look
from analysis.drawing.matrix import View, matrix_json, matrix_scene
from analysis.ranking.verdict import Verdict
from dashboard.figures.theme import as_figure


def head_to_head_figure(
    table: HeadToHead,
    predicted: FloatArray,
    view: View,
    *,
    verdict: Verdict | None,
    printed: bool = False,
    title: str,
    names: Mapping[str, str],
    clusters: Sequence[int] | None,
    chosen: tuple[str, str] | None,
    mode: Mode,
) -> go.Figure:
    """Draw one view of the table; a frame around ``chosen`` stays on the page."""
    scene = matrix_scene(
        table, predicted, view, verdict=verdict, names=names, title=title, clusters=clusters,
        printed=printed,
    )  # fmt: skip
    return as_figure(matrix_json(scene, Look(mode=mode), chosen=chosen), mode)
