"""How sensitive judges are under the graded response model."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.rankers.graded_response import Sensitivities
from dashboard.design import Mode, inks
from dashboard.figures.judges import amounts
from dashboard.figures.theme import finish
from dashboard.typography import as_html, fixed, thousands

HEIGHT = 380
TICKS = [m * 10.0**e for e in range(-3, 3) for m in (1, 2, 5)]


def sensitivity_figure(found: Sensitivities, *, title: str, mode: Mode) -> go.Figure:
    """Draw a dot for every judge."""
    ink = inks(mode)
    figure = go.Figure()
    figure.add_scatter(
        x=found.comparisons,
        y=found.sensitivity,
        mode="markers",
        marker=dict(size=9, color=ink.neutral, opacity=0.7),
        text=[
            f"<b>{as_html(name)}</b><br>sensitivity {fixed(float(a))}<br>"
            f"{thousands(int(n))} comparisons with the baseline"
            for name, a, n in zip(found.judges, found.sensitivity, found.comparisons, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )
    low, high = float(found.sensitivity.min()), float(found.sensitivity.max())
    low, high = low / 1.4, high * 1.4
    ticks = [tick for tick in TICKS if low < tick < high]
    figure.update_yaxes(
        title_text="sensitivity a", type="log", range=[np.log10(low), np.log10(high)],
        tickmode="array", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks],
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(
        title_text="comparisons with the baseline", fixedrange=True, **amounts(found.comparisons)
    )
    alt = f"{title}, against the number of comparisons with the baseline."
    return finish(
        figure, mode, title=title, alt=alt, height=HEIGHT, margin=dict(l=8, r=24, t=56, b=50)
    )
