"""Choosing what to collect: which pairs a batch asks for, which ones a replay chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.escaping import as_html
from analysis.findings.batches import CHOSEN
from analysis.next_campaign.choosing_matches import Method
from analysis.wording import count, thousands
from dashboard.design import Mode, faded, inks
from dashboard.figures.scenes import counts_figure
from dashboard.figures.theme import finish, name_ends

TITLE_WIDTH, MOST_WITH_NUMBERS = 66, 26
HEAD, PANEL, LABELS = 52, 190, 164


@dataclass(frozen=True)
class Line:
    """One curve with its name at its end; a band from ``low`` to ``high`` if they are given."""

    name: str
    color: str
    dash: str
    symbol: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def batch_figure(
    compared: pd.DataFrame, *, names: Mapping[str, str], title: str, mode: Mode
) -> go.Figure:
    """Draw how often a batch compares every two systems, in the order of the table.

    Of many systems, those alone are drawn that the batch asks about.
    """
    if len(compared) > MOST_WITH_NUMBERS:
        asked = np.flatnonzero(compared.to_numpy().any(axis=0))
        compared = compared.iloc[asked, asked]
    systems = [str(system) for system in compared.index]
    return counts_figure(
        compared.to_numpy(dtype=np.float64), systems, names=names, mode=mode,
        title=title, write=lambda n: count(n, "comparison"),
    )  # fmt: skip


def replay_figure(table: pd.DataFrame, *, title: str, mode: Mode) -> go.Figure:
    """Draw clusters and significant pairs by judgments, however chosen."""
    ink = inks(mode)
    looks: dict[Method, tuple[str, str, str]] = {
        "uncertainty": (ink.accent, "solid", "circle"),
        "active": (ink.text, "dash", "square"),
        "uniform": (ink.quiet, "dot", "diamond"),
    }
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, measure in ((1, "clusters"), (2, "share")):
        reach, ends = (0.0, 1.1 * float(table[measure].max()) or 1.0), []
        for method, look in looks.items():
            group = table[table["method"] == method]
            line = Line(CHOSEN[method], *look, group["judgments"].tolist(), group[measure].tolist())
            draw_line(figure, line, _replay_words(group), row=row, col=1)
            ends.append((line.y[-1], line.name, line.color))
        name_ends(figure, ends, reach, PANEL, "y" if row == 1 else "y2")
        figure.update_yaxes(range=reach, row=row)
    sizes = sorted(set(table["judgments"].tolist()))
    figure.update_xaxes(
        type="log", tickvals=sizes, ticktext=[thousands(int(n)) for n in sizes], tickangle=0,
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(title_text="judgments", row=2)
    figure.update_yaxes(fixedrange=True, showgrid=True, showline=False)
    figure.update_yaxes(title_text="clusters", tickformat="d", nticks=6, row=1)
    figure.update_yaxes(title_text="significant pairs", tickformat=".0%", nticks=6, row=2)
    words = "; ".join(
        f"{row.method} {row.judgments}: {row.clusters:.1f} clusters" for row in table.itertuples()
    )
    return finish(
        figure, mode, title=fill(title, TITLE_WIDTH), alt=f"{title}. {words}.",
        height=HEAD + 2 * PANEL + 60, margin=dict(l=8, r=LABELS, t=HEAD, b=56),
    )  # fmt: skip


def _replay_words(group: pd.DataFrame) -> list[str]:
    return [
        f"{thousands(int(n))} judgments<br>{clusters:.1f} clusters and "
        f"{share:.0%} of the pairs significant on average"
        for n, clusters, share in zip(
            group["judgments"], group["clusters"], group["share"], strict=True
        )
    ]


def draw_line(figure: go.Figure, line: Line, words: Sequence[str], **panel: int) -> None:
    """Draw a curve over its band; ``words`` say what each point is."""
    x, y = list(line.x), list(line.y)
    if len(line.low):
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*line.high, *list(line.low)[::-1]], fill="toself", mode="none",
            fillcolor=faded(line.color, 0.14), hoverinfo="skip", **panel,
        )  # fmt: skip
    name = as_html(line.name)
    figure.add_scatter(
        x=x, y=y, mode="lines+markers", name=name,
        line=dict(color=line.color, width=2, dash=line.dash),
        marker=dict(color=line.color, symbol=line.symbol, size=8),
        text=[f"<b>{name}</b><br>{said}" for said in words],
        hovertemplate="%{text}<extra></extra>", **panel,
    )  # fmt: skip
