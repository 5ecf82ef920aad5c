"""Standings of parts, or without and with adjustment, side by side, one row per system."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.colors import PALETTE
from analysis.escaping import as_html
from analysis.extras.slices.by_slice import BySlice
from analysis.extras.slices.effects import Style
from analysis.names import middle_cut
from analysis.wording import fixed
from dashboard.design import Mode, inks
from dashboard.figures.theme import finish, in_lines

ROW, HEAD, NAME_WIDTH = 16, 130, 26
MOST = 30
"""Systems that are drawn without and with adjustment: the best."""
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross")


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


def _words(part: str, scores: FloatArray, half: FloatArray, names: Sequence[str]) -> list[str]:
    """Return what a dot says when pointed at, for every system of a part."""
    return [
        f"<b>{as_html(name)}</b><br>{as_html(part)}: {fixed(float(score))} ± {fixed(float(own))}"
        for name, score, own in zip(names, scores, half, strict=True)
    ]


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
    """Draw scores[S, K] of parts and systems with half the widths of their intervals."""
    ink, n = inks(mode), len(parts)
    names = [name(system) for system in systems]
    figure = go.Figure()
    rows = np.arange(len(systems)) * (n + 1.0)
    for part, label in enumerate(parts):
        color, symbol = PALETTE[mode][part % len(PALETTE[mode])], SYMBOLS[part % len(SYMBOLS)]
        symbols = [symbol if is_filled(own, label) else f"{symbol}-open" for own in systems]
        figure.add_scatter(
            x=scores[part],
            y=rows + part,
            mode="markers",
            name=as_html(middle_cut(label, NAME_WIDTH)),
            marker=dict(size=9, color=color, symbol=symbols, line=dict(width=2, color=color)),
            error_x=dict(type="data", array=half[part], color=color, thickness=1.5, width=0),
            text=_words(label, scores[part], half[part], names),
            hovertemplate="%{text}<extra></extra>",
        )
    figure.add_vline(x=0, line=dict(color=ink.rule, width=1))
    figure.update_yaxes(
        tickmode="array",
        tickvals=(rows + (n - 1) / 2).tolist(),
        ticktext=[as_html(middle_cut(own, NAME_WIDTH)) for own in names],
        range=[len(systems) * (n + 1.0) - 1, -1.5],
        fixedrange=True,
    )
    figure.update_xaxes(title_text=axis, showgrid=True, fixedrange=True)
    alt = f"{title}. Scores of {len(systems)} systems: {', '.join(parts)}."
    return finish(
        figure,
        mode,
        title=in_lines(title),
        alt=alt,
        height=HEAD + ROW * len(systems) * (n + 1),
        margin=dict(l=8, r=16, t=84, b=50),
        showlegend=True,
        legend=dict(orientation="h", x=0, y=1, yanchor="bottom", itemclick=False),
    )
