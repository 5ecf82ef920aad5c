"""Choosing what to collect: which pairs a batch asks for, which ones a replay chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.campaign import FloatArray
from analysis.findings.batches import CHOSEN
from analysis.names import middle_cut
from analysis.next_campaign.elicitation import Method
from analysis.next_campaign.replay import ChosenPairs
from dashboard.design import Inks, Mode, from_paper, inks
from dashboard.figures.scenes import counts_figure
from dashboard.figures.theme import NORMAL, SMALL, apart, finish
from dashboard.typography import as_html, count, thousands

NAME_WIDTH, TITLE_WIDTH, MOST_WITH_NUMBERS, MOST_SIDE_BY_SIDE = 20, 66, 26, 12
MOST_WITH_ALL_NAMES = 40
LETTER, HEAD, PANEL, LABELS = 6.3, 52, 190, 148


def batch_figure(
    compared: pd.DataFrame, *, names: Mapping[str, str], title: str, mode: Mode
) -> go.Figure:
    """Draw how often a batch compares every two systems, in the order of the table.

    Of many systems those alone are drawn that the batch asks about.
    """
    if len(compared) > MOST_WITH_NUMBERS:
        asked = np.flatnonzero(compared.to_numpy().any(axis=0))
        compared = compared.iloc[asked, asked]
    systems = [str(system) for system in compared.index]
    return counts_figure(
        compared.to_numpy(dtype=np.float64), systems, names=names, mode=mode,
        title=title, write=lambda n: count(n, "comparison"),
    )  # fmt: skip


def fifths_figure(
    chosen: ChosenPairs, *, names: Mapping[str, str], title: str, mode: Mode
) -> go.Figure:
    """Draw side by side which pairs were chosen in the first and last fifth, in percent."""
    systems, n = chosen.systems, len(chosen.systems)
    figure = make_subplots(
        rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.04,
        subplot_titles=["First fifth", "Last fifth"],
    )  # fmt: skip
    tables = [200 * table / table.sum() for table in (chosen.first, chosen.last)]
    met = np.concatenate([table[~np.eye(n, dtype=bool)] for table in tables])
    with_numbers = n <= MOST_SIDE_BY_SIDE
    for column, table in enumerate(tables, start=1):
        trace = _heatmap(
            table, systems, names, met, mode, with_numbers, "% of choices",
            lambda number: f"{number:.1f}% of the choices",
        )  # fmt: skip
        trace.update(showscale=not with_numbers and column == 2)
        figure.add_trace(trace, row=1, col=column)
    _dress_names(figure, systems, names, inks(mode))
    shown = [as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in systems]
    rows = [f"{name}  {place}" for place, name in enumerate(shown, start=1)]
    figure.update_yaxes(ticktext=rows[:: _every(n)])
    every = 1 if n <= MOST_SIDE_BY_SIDE else -(-n // 8)
    figure.update_xaxes(
        tickvals=list(range(0, n, every)), ticktext=[str(k + 1) for k in range(0, n, every)],
        tickangle=0,
    )  # fmt: skip
    figure.update_annotations(
        xanchor="left", yshift=20, font=dict(size=NORMAL, color=inks(mode).text)
    )
    for column in (1, 2):
        figure.layout.annotations[column - 1].x = figure.get_subplot(1, column).xaxis.domain[0]
    return finish(
        figure, mode, title=fill(title, TITLE_WIDTH),
        alt=f"{title}. Two heatmaps of {n} systems in standings order.",
        height=HEAD + 52 + _cell(n) * n, margin=dict(l=8, r=8, t=HEAD + 44, b=8),
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
        for method, (color, dash, symbol) in looks.items():
            group = table[table["method"] == method]
            figure.add_scatter(
                x=group["judgments"], y=group[measure], mode="lines+markers", name=method,
                line=dict(color=color, width=2.5, dash=dash),
                marker=dict(color=color, symbol=symbol, size=8),
                text=_replay_words(CHOSEN[method], group), hovertemplate="%{text}<extra></extra>",
                row=row, col=1,
            )  # fmt: skip
        _name_lines(figure, table, measure, row, {m: look[0] for m, look in looks.items()})
    sizes = sorted(set(table["judgments"].tolist()))
    figure.update_xaxes(
        type="log", tickvals=sizes, ticktext=[thousands(int(n)) for n in sizes], tickangle=0,
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(title_text="judgments", row=2)
    figure.update_yaxes(fixedrange=True, showgrid=True, showline=False)
    figure.update_yaxes(title_text="clusters", tickformat="d", nticks=6, row=1)
    figure.update_yaxes(
        title_text="pairs that differ significantly", tickformat=".0%", nticks=6, row=2
    )
    words = "; ".join(
        f"{row.method} {row.judgments}: {row.clusters:.1f} clusters" for row in table.itertuples()
    )
    return finish(
        figure, mode, title=fill(title, TITLE_WIDTH), alt=f"{title}. {words}.",
        height=HEAD + 2 * PANEL + 60, margin=dict(l=8, r=LABELS, t=HEAD, b=56),
    )  # fmt: skip


def _name_lines(
    figure: go.Figure, table: pd.DataFrame, measure: str, row: int, colors: Mapping[Method, str]
) -> None:
    """Write each line's name where it ends, the names apart where lines end at one height."""
    top = 1.1 * float(table[measure].max()) or 1.0
    figure.update_yaxes(range=[0, top], row=row)
    ends = sorted((float(table.loc[table["method"] == m, measure].iloc[-1]), m) for m in colors)
    places = apart([end / top * PANEL for end, _ in ends])
    for (_, method), place in zip(ends, places, strict=True):
        figure.add_annotation(
            xref="paper", x=1, yref="y" if row == 1 else "y2", y=place / PANEL * top,
            text=CHOSEN[method], xanchor="left", xshift=10, showarrow=False,
            font=dict(size=SMALL, color=colors[method]),
        )  # fmt: skip


def _replay_words(chosen: str, group: pd.DataFrame) -> list[str]:
    return [
        f"<b>{chosen}</b><br>{thousands(int(n))} judgments<br>"
        f"{clusters:.1f} clusters and {share:.0%} of the pairs that differ significantly on average"
        for n, clusters, share in zip(
            group["judgments"], group["clusters"], group["share"], strict=True
        )
    ]


def _heatmap(
    table: FloatArray,
    systems: Sequence[str],
    names: Mapping[str, str],
    scale: FloatArray,
    mode: Mode,
    with_numbers: bool,
    unit: str,
    words: Callable[[float], str],
) -> go.Heatmap:
    """Return the cells of a square table; gray where two never met, nothing on the diagonal.

    Colors reach from the least to the most of ``scale``; ``words`` say what a number means.
    """
    n = len(systems)
    return go.Heatmap(
        z=np.where(np.eye(n, dtype=bool) | (table == 0), np.nan, table),
        x=list(range(n)),
        y=list(range(n)),
        colorscale=from_paper(mode),
        zmin=float(scale.min()),
        zmax=float(scale.max()) or 1.0,
        xgap=1,
        ygap=1,
        texttemplate="%{z:.0f}" if with_numbers else None,
        textfont=dict(size=SMALL),
        showscale=not with_numbers,
        colorbar=dict(title=dict(text=unit), thickness=12, outlinewidth=0),
        hoverongaps=True,
        customdata=[
            [
                _cell_words(row, column, names, words(table[i, j]))
                for j, column in enumerate(systems)
            ]
            for i, row in enumerate(systems)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _cell_words(row: str, column: str, names: Mapping[str, str], words: str) -> str:
    if row == column:
        return as_html(names.get(row, row))
    return f"{as_html(names.get(row, row))}<br>{as_html(names.get(column, column))}<br>{words}"


def _dress_names(
    figure: go.Figure, systems: Sequence[str], names: Mapping[str, str], ink: Inks
) -> None:
    n = len(systems)
    shown = [as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in systems]
    ticks = dict(
        tickmode="array", tickvals=list(range(0, n, _every(n))), ticktext=shown[:: _every(n)],
        showline=False, ticks="", fixedrange=True, tickfont=dict(size=SMALL, color=ink.text),
    )  # fmt: skip
    figure.update_xaxes(**ticks, range=[-0.5, n - 0.5], side="top", tickangle=-45, automargin=False)
    figure.update_yaxes(**ticks, range=[n - 0.5, -0.5], ticklabelstandoff=6)
    figure.update_layout(plot_bgcolor=ink.nothing)


def _cell(n: int) -> int:
    """Return the height of a row in pixels: that of a name while there is room for all."""
    return 30 if n <= MOST_WITH_NUMBERS else max(1200 // n, 5)


def _every(n: int) -> int:
    """Return of how many systems one is named at the sides."""
    return -(-n // MOST_WITH_ALL_NAMES)
