"""Curves of a worked example, a panel each."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.colors import PALETTE
from analysis.findings.examples import Example
from dashboard.design import Mode
from dashboard.figures.theme import SMALL, finish

LABELS = {
    "c0.8": "TrueSkill, c = .8",
    "c0.3": "TrueSkill, c = .3",
    "loss": "Hopkins & May, d − t",
}
DASHES = ("solid", "dash", "dot")


def example_figure(example: Example, *, mode: Mode) -> go.Figure:
    """Draw an example's curves over its table's first column."""
    x = example.table.columns[0]
    figure = make_subplots(
        rows=1, cols=len(example.curves), horizontal_spacing=0.09,
        subplot_titles=list(example.curves),
    )  # fmt: skip
    figure.update_annotations(font_size=SMALL)
    for panel, columns in enumerate(example.curves.values(), start=1):
        for k, column in enumerate(columns):
            figure.add_scatter(
                x=example.table[x], y=example.table[column], mode="lines",
                name=LABELS[column.split("_")[-1]], legendgroup=str(k), showlegend=panel == 1,
                line=dict(color=PALETTE[mode][k], width=2.5, dash=DASHES[k]),
                hovertemplate="%{x:.2f}: %{y:.2f}<extra></extra>", row=1, col=panel,
            )  # fmt: skip
    figure.update_xaxes(
        title_text="difference t of the means before", showgrid=True, fixedrange=True
    )
    figure.update_yaxes(showgrid=True, fixedrange=True)
    figure.update_yaxes(title_text="push", col=1)
    return finish(
        figure, mode, title=example.title, alt=f"{example.title}. {example.point}", height=440,
        margin=dict(l=8, r=16, t=92, b=90), showlegend=True,
        legend=dict(orientation="h", y=-0.28, x=0, font=dict(size=SMALL)),
    )  # fmt: skip
