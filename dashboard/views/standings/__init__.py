"""Standings: who stands where, how sure that is, and what can be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.certainty import ranking_words
from analysis.findings.standings import headline as finding
from analysis.ranking.ranking import Ranking
from analysis.reporting.far_off import far_off_words, systems_off
from analysis.reporting.pair_tables import standings_frame
from dashboard import compute
from dashboard.figures.standings import RankPanel, standings_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.tables.standings import standings_columns, standings_formats
from dashboard.views.standings.official import show_official
from dashboard.widgets.part import choose_axis, choose_part
from dashboard.widgets.result_card import headline, result_card, show_ranking

PANELS = {"box": "Boxes", "strip": "Shades"}


def show() -> None:
    """Show the standings of the chosen method."""
    context = require_campaign()
    controls = st.container()
    with st.expander("Options of this page", icon=":material/tune:"):
        panel = st.segmented_control(
            "Draw ranks as",
            list(PANELS),
            default="box",
            required=True,
            format_func=lambda option: PANELS[option],
            key="ranks",
            bind="query-params",
        )
        top = st.number_input(
            "Chance of being among the best",
            min_value=1,
            max_value=max(1, context.judgments.n_systems),
            value=min(3, max(1, context.judgments.n_systems)),
            key="top",
            bind="query-params",
        )
    with controls:
        head = st.empty()
        fitted = compute.standings(context)
        rows = choose_part(fitted.order.size)
        whole = choose_axis(systems_off(fitted.systems, fitted.scores, fitted.order[rows]))
        look = _Look(cast(RankPanel, panel), int(top), rows, whole)
        show_ranking(context, lambda ranking, final: _render(context, ranking, final, look, head))
    show_official(context)


@dataclass(frozen=True)
class _Look:
    """How the page draws its figure, and for how many places it says a chance."""

    panel: RankPanel
    top: int
    rows: slice
    whole: bool


def _ranks_say(ranking: Ranking, panel: RankPanel) -> str:
    """Say what the panel of ranks shows: runs, or draws of abilities."""
    drawn = "runs" if ranking.certainty.is_published else "draws of abilities given these judgments"
    if panel == "strip":
        return f"Lines are rank ranges. The stronger a rank's color, the more {drawn} gave it."
    return f"Lines are rank ranges. Boxes hold half of the {drawn}; the dot is their mean."


def _render(
    context: ViewContext, ranking: Ranking, final: bool, look: _Look, head: DeltaGenerator
) -> None:
    panel, top, rows = look.panel, look.top, look.rows
    order = ranking.order[rows]
    off = [] if look.whole else systems_off(ranking.systems, ranking.scores, order)
    far = far_off_words([context.name(system) for system in off])
    with head.container():
        headline(context, "Standings", finding(ranking, context.name))
    figure = compute.drawn(
        context,
        standings_figure,
        ranking,
        names=context.short_names,
        colors=context.colors,
        score_label=context.ranker.score_label,
        mode=context.mode,
        panel=panel,
        first=rows.start,
        most=rows.stop,
        cut=not look.whole,
    )
    result_card(
        context,
        "standings",
        figure=figure,
        frame=standings_frame(ranking, top),
        columns=standings_columns(ranking, top),
        formats=standings_formats(ranking, top),
        made_by=ranking.signature,
        words=f"{far}{ranking_words(ranking)} {_ranks_say(ranking, panel) if final else ''}",
        final=final,
        caption=f"Standings, {context.pair_title}, {context.ranker.title}.",
    )
