"""How often every two systems were compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.look import Look
from dashboard.design import Mode, from_paper
from dashboard.figures.theme import as_figure
from dashboard.typography import as_html, count, thousands

CELL, LEAST, MOST_WITH_NUMBERS = 30, 32, 26


def counts_figure(
    compared: FloatArray,
    systems: Sequence[str],
    *,
    names: Mapping[str, str],
    mode: Mode,
    title: str = "",
    write: Callable[[int], str] = lambda n: count(n, "judgment"),
) -> go.Figure:
    """Draw how often systems met, ``compared[K, K]`` in the order given; gray: never.

    ``write`` says what a number in a cell is.
    """
    n = len(systems)
    shown = tuple(names.get(system, system) for system in systems)
    cells = np.where(np.eye(n, dtype=bool) | (compared == 0), np.nan, compared)
    low, high = compared_range(compared)
    texts = [["" if np.isnan(cell) else thousands(int(cell)) for cell in row] for row in cells]
    scene = Cells(
        rows=shown,
        columns=shown,
        values=cells,
        words=[
            [
                as_html(row) if i == j
                else f"{as_html(row)}<br>{as_html(column)}<br>{write(int(compared[i, j]))}"
                for j, column in enumerate(shown)
            ]
            for i, row in enumerate(shown)
        ],
        low=0,
        high=high or 1,
        scale=from_paper(mode),
        title=title,
        alt=f"{title or 'Judgments'}. {n} by {n} systems, from {low} to {high} for each pair.",
        texts=np.array(texts) if n <= MOST_WITH_NUMBERS else None,
    )  # fmt: skip
    height, least = (CELL, LEAST) if n <= MOST_WITH_NUMBERS else (max(1200 // n, 8), 8)
    angle = 0 if n <= 4 else -45
    return as_figure(
        cells_json(scene, Look(mode=mode), height=height, least=least, angle=angle), mode
    )


def compared_range(compared: FloatArray) -> tuple[int, int]:
    """Return the fewest and the most judgments of any two systems."""
    off = compared[~np.eye(len(compared), dtype=bool)]
    return (int(off.min()), int(off.max())) if len(off) else (0, 0)
