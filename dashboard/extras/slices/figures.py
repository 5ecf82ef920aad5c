"""Standings of the parts of a campaign side by side, one row a system."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from analysis.colors import PALETTE
from analysis.escaping import as_html
from analysis.extras.slices.by_slice import BySlice
from analysis.names import middle_cut
from analysis.wording import fixed
from dashboard.design import Mode, inks
from dashboard.figures.theme import finish, in_lines

ROW, HEAD, NAME_WIDTH = 16, 130, 26
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross")


def _words(found: BySlice, part: int, name: Callable[[str], str]) -> list[str]:
    """Return what a dot says when pointed at, for every system of a part."""
    numbers = zip(found.systems, found.scores[part], found.half[part], strict=True)
    return [
        f"<b>{as_html(name(system))}</b><br>{as_html(found.parts[part])}: "
        f"{fixed(float(score))} ± {fixed(float(half))}"
        for system, score, half in numbers
    ]


def slices_figure(
    found: BySlice, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw each system's score in every part with its interval; filled where it differs."""
    ink, n = inks(mode), len(found.parts)
    told = {(one.system, part) for one in found.told for part in (one.more, one.less)}
    figure = go.Figure()
    rows = np.arange(len(found.systems)) * (n + 1.0)
    for part, label in enumerate(found.parts):
        color = PALETTE[mode][part % len(PALETTE[mode])]
        symbol = SYMBOLS[part % len(SYMBOLS)]
        filled = [(system, label) in told for system in found.systems]
        figure.add_scatter(
            x=found.scores[part],
            y=rows + part,
            mode="markers",
            name=as_html(middle_cut(label, NAME_WIDTH)),
            marker=dict(
                size=9,
                color=color,
                symbol=[symbol if full else f"{symbol}-open" for full in filled],
                line=dict(width=2, color=color),
            ),
            error_x=dict(type="data", array=found.half[part], color=color, thickness=1.5, width=0),
            text=_words(found, part, name),
            hovertemplate="%{text}<extra></extra>",
        )
    figure.add_vline(x=0, line=dict(color=ink.rule, width=1))
    figure.update_yaxes(
        tickmode="array",
        tickvals=(rows + (n - 1) / 2).tolist(),
        ticktext=[as_html(middle_cut(name(system), NAME_WIDTH)) for system in found.systems],
        range=[len(found.systems) * (n + 1.0) - 1, -1.5],
        fixedrange=True,
    )
    figure.update_xaxes(
        title_text="score minus the mean of the part", showgrid=True, fixedrange=True
    )
    alt = f"{title}. Scores of {len(found.systems)} systems in the parts {', '.join(found.parts)}."
    return finish(
        figure,
        mode,
        title=in_lines(title),
        alt=alt,
        height=HEAD + ROW * len(found.systems) * (n + 1),
        margin=dict(l=8, r=16, t=84, b=50),
        showlegend=True,
        legend=dict(orientation="h", x=0, y=1, yanchor="bottom", itemclick=False),
    )
