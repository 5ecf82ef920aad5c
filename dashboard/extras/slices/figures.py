"""Standings of parts, or without and with adjustment, side by side: rows of each system."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.colors import PALETTE
from analysis.drawing.look import Look, Sizes
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Row, Rows
from analysis.extras.slices.by_slice import BySlice
from analysis.extras.slices.effects import Style
from analysis.wording import fixed
from dashboard.design import Mode
from dashboard.figures.theme import as_figure

SIZES = Sizes(row=20, dense=18, dot=9)
MOST = 30
"""Systems that are drawn without and with adjustment: the best."""


def slices_figure(
    found: BySlice, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw each system's score in every part with its interval; filled where it differs."""
    differs = {(one.system, part) for one in found.told for part in (one.more, one.less)}
    return _side_by_side(
        found.systems, found.parts, found.scores, found.half, title=title, name=name, mode=mode,
        is_filled=lambda system, part: (system, part) in differs,
        axis="score minus the mean of the part",
    )  # fmt: skip


def style_figure(found: Style, *, title: str, name: Callable[[str], str], mode: Mode) -> go.Figure:
    """Draw each system's ability without and with adjustment."""
    parts, places = ("as judged", "adjusted"), slice(0, MOST)
    scores, half = np.stack([found.plain, found.even]), np.stack([found.plain_half, found.half])
    return _side_by_side(
        found.systems[places], parts, scores[:, places], half[:, places],
        title=title, name=name, mode=mode,
        is_filled=lambda system, part: part == parts[1], axis="ability (log-odds) minus the mean",
    )  # fmt: skip


def _side_by_side(
    systems: Sequence[str],
    parts: Sequence[str],
    scores: FloatArray,
    half: FloatArray,
    *,
    title: str,
    axis: str,
    name: Callable[[str], str],
    mode: Mode,
    is_filled: Callable[[str, str], bool],
) -> go.Figure:
    """Draw scores[S, K] of parts and systems with half the widths of their intervals.

    Each system has a shaded row with its name and below it a row per part.
    """
    rows: list[Row] = []
    for system, own, reach in zip(systems, scores.T.tolist(), half.T.tolist(), strict=True):
        rows.append(Row(system, name(system), np.nan))
        rows += [
            Row(
                part, part, score, thin=(score - most, score + most),
                words=(name(system), f"{fixed(score)} ± {fixed(most)}"),
                hollow=not is_filled(system, part),
            )
            for part, score, most in zip(parts, own, reach, strict=True)
        ]  # fmt: skip
    heads = range(0, len(rows), 1 + len(parts))
    alt = f"{title}. Scores of {len(systems)} systems: {', '.join(parts)}."
    bands = tuple((row, row + 1) for row in heads)
    scene = Rows(tuple(rows), axis, alt=alt, bands=bands)
    palette = PALETTE[mode]
    colors = {part: palette[k % len(palette)] for k, part in enumerate(parts)}
    return as_figure(rows_json(scene, Look(colors, mode, SIZES), title=title), mode)
