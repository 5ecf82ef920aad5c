"""Judges' sensitivity and side bias by judge-aware Bradley–Terry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from analysis.findings.traits import WEAK, one_sided, records
from dashboard.design import ODD, Mode, faded, inks
from dashboard.figures.theme import SMALL, finish
from dashboard.typography import as_html, fixed, thousands

HEIGHT = 420
MOST_NAMED = 8
Z95 = 1.96


def traits_figure(traits: pd.DataFrame, *, title: str, mode: Mode) -> go.Figure:
    """Draw a dot for every judge, with both intervals; a diamond for those who stand out."""
    ink = inks(mode)
    odd = (traits["sensitivity"] < WEAK) | traits["judge"].isin(one_sided(traits)["judge"])
    figure = go.Figure()
    figure.add_hline(y=0, line=dict(color=ink.strong_rule, width=1))
    figure.add_vline(x=50, line=dict(color=ink.strong_rule, width=1, dash="dash"))
    for chosen, name, color, marker in (
        (~odd, "as usual", ink.neutral, dict(size=9, opacity=0.8)),
        (odd, "stands out", ODD[mode], dict(size=11, symbol="diamond")),
    ):
        some, pale = traits[chosen], faded(color, 0.35)
        middle, low, high = (
            100 * some[column]
            for column in ("prefers_first", "prefers_first_low", "prefers_first_high")
        )
        figure.add_scatter(
            x=middle,
            y=some["sensitivity"],
            error_x=dict(array=high - middle, arrayminus=middle - low, color=pale, thickness=1,
                         width=0, symmetric=False),
            error_y=dict(array=Z95 * some["sensitivity_sd"], color=pale, thickness=1, width=0),
            mode="markers",
            name=name,
            marker=dict(marker, color=color),
            text=[_hover(row) for row in records(some)],
            hovertemplate="%{text}<extra></extra>",
            cliponaxis=False,
        )  # fmt: skip
    _name(figure, traits[odd], ink.quiet)
    figure.update_yaxes(
        title_text="sensitivity (1: the average judge)", showgrid=True, fixedrange=True
    )
    figure.update_xaxes(
        title_text="prefers the output shown first, of two equals", ticksuffix="%",
        fixedrange=True,
    )  # fmt: skip
    named = ", ".join(traits.loc[odd, "judge"]) or "nobody"
    return finish(
        figure, mode, title=title, height=HEIGHT, margin=dict(l=8, r=24, t=56, b=50),
        alt=f"{title}. Against it, how often each judge prefers the output shown first. "
        f"Standing out: {named}.",
    )  # fmt: skip


def _hover(row: dict[str, Any]) -> str:
    return (
        f"<b>{as_html(row['judge'])}</b><br>{thousands(int(row['judgments']))} judgments<br>"
        f"sensitivity {fixed(row['sensitivity'])} ± {fixed(Z95 * row['sensitivity_sd'])}<br>"
        f"prefers the first: {row['prefers_first']:.0%} ({row['prefers_first_low']:.0%}–"
        f"{row['prefers_first_high']:.0%})<br>drawn to the usual judge: {row['shrinkage']:.0%}"
    )


def _name(figure: go.Figure, odd: pd.DataFrame, color: str) -> None:
    """Write the names of those farthest out beside their diamonds."""
    rows = records(odd)
    rows.sort(key=lambda row: -np.hypot(row["sensitivity"] - 1, 8 * (row["prefers_first"] - 0.5)))
    for row in rows[:MOST_NAMED]:
        figure.add_annotation(
            x=100 * row["prefers_first"], y=row["sensitivity"], text=as_html(row["judge"]),
            showarrow=False, xanchor="left", xshift=8, yshift=8,
            font=dict(size=SMALL, color=color),
        )  # fmt: skip
