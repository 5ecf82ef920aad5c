"""Rank ranges by official rules beside those that hold for all systems at once."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from analysis.drawing.look import SMALL, Look, Sizes
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Ghost, Row, Rows, cuts_of
from analysis.escaping import as_html
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.ranking.verdict import Verdict
from analysis.wording import span
from dashboard.design import Mode, inks
from dashboard.figures.theme import as_figure, lay_on

SIZES = Sizes(head=50)


def official_figure(
    result: ProcedureResult,
    *,
    own: Verdict | None,
    own_title: str,
    names: Mapping[str, str],
    mode: Mode,
) -> go.Figure:
    """Draw a row per system, in official order; dashed between official clusters.

    A dot is a system's rank, its line the official rank range, and a gray bar ``own`` range.
    """
    ink, order = inks(mode), result.order.tolist()
    ghosts = {} if own is None else _ghosts(own, f"Podium, {own_title}")
    official = {result.systems[k]: (int(result.low[k]), int(result.high[k])) for k in order}
    rows = [
        Row(
            system, names.get(system, system), place, thin=ends, ghost=ghosts.get(system),
            words=(f"{result.procedure.title}: rank {span(*ends)}",),
        )
        for place, (system, ends) in enumerate(official.items(), 1)
    ]  # fmt: skip
    told = "; ".join(f"{system} {span(*ends)}" for system, ends in official.items())
    scene = Rows(
        tuple(rows),
        "rank",
        alt=f"Rank ranges by {result.procedure.title}: {told}.",
        cuts=cuts_of([int(result.clusters[k]) for k in order]),
        axis=(0.5, len(rows) + 0.5),
    )
    look = Look(dict.fromkeys(result.systems, ink.accent), mode, SIZES)
    figure = as_figure(rows_json(scene, look), mode)
    meaning = [(18, f"line: {result.procedure.title}", ink.accent)]
    meaning += [(0, f"gray bar: Podium, {own_title}", ink.quiet)] if ghosts else []
    notes = [
        dict(
            x=0, xref="paper", y=1, yref="paper", yanchor="bottom", xanchor="left", yshift=shift,
            text=as_html(text), showarrow=False, font=dict(size=SMALL, color=color),
        )
        for shift, text, color in meaning
    ]  # fmt: skip
    lay_on(figure, notes=notes)
    return figure


def _ghosts(own: Verdict, title: str) -> dict[str, Ghost]:
    """Return each system's rank and rank range by a verdict."""
    ranked = [k for k in own.order.tolist() if own.rank_best[k]]
    ends = {k: (int(own.rank_best[k]), int(own.rank_worst[k])) for k in ranked}
    return {
        own.systems[k]: Ghost(place, ends[k], f"{title}: rank {span(*ends[k])}")
        for place, k in enumerate(ranked, 1)
    }
