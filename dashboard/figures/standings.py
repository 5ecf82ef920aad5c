"""The standings as a figure: the scene of `analysis.drawing.standings` in a page's colors."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from analysis.colors import Mode
from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.standings import standings_scene
from analysis.ranking.ranking import Ranking
from dashboard.figures.theme import as_figure


def standings_figure(
    ranking: Ranking,
    *,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    score_label: str,
    mode: Mode,
    with_ranks: bool = True,
    most: int | None = None,
    first: int = 0,
    cut: bool = True,
    narrow: bool = False,
) -> go.Figure:
    """Draw the places from ``first`` to ``most``; ``narrow`` puts all text below the names."""
    scene = standings_scene(
        ranking, names, score_label, with_ranks=with_ranks, rows=slice(first, most), cut=cut
    )
    return as_figure(rows_json(scene, Look(colors, mode, narrow=narrow)), mode)
