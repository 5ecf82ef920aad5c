"""Rank ranges by official rules beside those that hold for all systems at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import plotly.graph_objects as go

from analysis.colors import Inks
from analysis.escaping import as_html
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.names import middle_cut
from analysis.ranking.verdict import Verdict
from analysis.wording import span
from dashboard.design import Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, lay_on

NAME_WIDTH = 22
ROW, HEAD, FOOT = 30, 50, 50
"""Pixels: a row, room above and below the rows."""
APART = 0.16
"""Rows between the middle and each of a system's two lines."""


def _boundaries(result: ProcedureResult, ink: Inks) -> list[dict[str, Any]]:
    """Return a dashed line between every two official clusters."""
    clusters = [result.clusters[int(k)] for k in result.order]
    return [
        dict(
            type="line", xref="paper", x0=0, x1=1, y0=row + 0.5, y1=row + 0.5,
            line=dict(color=ink.strong_rule, width=1, dash="dash"),
        )
        for row, (above, below) in enumerate(itertools.pairwise(clusters))
        if above != below
    ]  # fmt: skip


def _key(meaning: Iterable[tuple[int, str, str]]) -> list[dict[str, Any]]:
    """Return what the lines mean, each text at its height and in its color."""
    return [
        dict(
            x=0, xref="paper", y=1, yref="paper", yanchor="bottom", xanchor="left",
            yshift=shift, text=as_html(text), showarrow=False,
            font=dict(size=SMALL, color=color),
        )
        for shift, text, color in meaning
    ]  # fmt: skip


def official_figure(
    result: ProcedureResult,
    *,
    own: Verdict | None,
    own_title: str,
    names: Mapping[str, str],
    mode: Mode,
) -> go.Figure:
    """Draw two lines a system, in official order; dashed between official clusters."""
    ink = inks(mode)
    order = [int(k) for k in result.order]
    rows = {result.systems[k]: row for row, k in enumerate(order)}
    figure = go.Figure()
    official = {result.systems[k]: (int(result.low[k]), int(result.high[k])) for k in order}
    figure.add_traces(_lines(official, rows, -APART, ink.accent, result.procedure.title, names))
    if own is not None:
        honest = {
            system: (int(low), int(high))
            for system, low, high in zip(own.systems, own.rank_best, own.rank_worst, strict=True)
            if low and system in rows
        }
        figure.add_traces(_lines(honest, rows, APART, ink.quiet, f"Podium, {own_title}", names))
    n = len(order)
    figure.update_xaxes(
        title_text="Rank", range=[0.5, n + 0.5], dtick=1 if n <= 20 else 5, tick0=1,
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(n)),
        ticktext=[
            as_html(middle_cut(names.get(result.systems[k], result.systems[k]), NAME_WIDTH))
            for k in order
        ],
        tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8,
        range=[n - 0.5, -0.5], showline=False, fixedrange=True,
    )  # fmt: skip
    meaning = [(18, f"upper line: {result.procedure.title}", ink.accent)]
    if own is not None:
        meaning.append((0, f"lower line: Podium, {own_title}", ink.quiet))
    lay_on(figure, shapes=_boundaries(result, ink), notes=_key(meaning))
    verdict = "; ".join(f"{system} {span(*ends)}" for system, ends in official.items())
    return finish(
        figure, mode, alt=f"Rank ranges by {result.procedure.title}: {verdict}.",
        height=HEAD + FOOT + ROW * max(n, 2), margin=dict(l=8, r=16, t=HEAD, b=FOOT),
    )  # fmt: skip


def _lines(
    ranges: Mapping[str, tuple[int, int]],
    rows: Mapping[str, int],
    shift: float,
    color: str,
    title: str,
    names: Mapping[str, str],
) -> list[go.Scatter]:
    """Return a line for each range, a dot where it is one rank."""
    look: Part = dict(
        mode="lines+markers", line=dict(color=color, width=4), marker=dict(color=color, size=8),
        hovertemplate="%{text}<extra></extra>", cliponaxis=False,
    )  # fmt: skip
    return [
        go.Scatter(
            x=list(ends),
            y=[rows[system] + shift] * 2,
            text=[
                f"<b>{as_html(names.get(system, system))}</b><br>{as_html(title)}: "
                f"rank {span(*ends)}"
            ] * 2,
            **look,
        )
        for system, ends in ranges.items()
    ]  # fmt: skip
