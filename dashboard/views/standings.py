"""Standings: who stands where, how sure that is, and what can be told apart."""

from __future__ import annotations

from typing import cast

import streamlit as st

from analysis.findings.certainty import ranking_words
from analysis.findings.standings import headline as finding
from analysis.ranking.ranking import Ranking
from analysis.reporting.pair_tables import standings_frame
from dashboard import compute
from dashboard.figures.standings import RankPanel, standings_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.tables.standings import standings_columns, standings_formats
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
        show_ranking(
            context,
            lambda ranking, final: _render(
                context, ranking, final, cast(RankPanel, panel), int(top)
            ),
        )


def _ranks_say(ranking: Ranking, panel: RankPanel) -> str:
    """Say what the panel of ranks shows: runs, or draws of abilities."""
    drawn = "runs" if ranking.certainty.is_published else "draws of abilities given these judgments"
    if panel == "strip":
        return f"Lines are rank ranges. The stronger a rank's color, the more {drawn} gave it."
    return f"Lines are rank ranges. Boxes hold half of the {drawn}; the dot is their mean."


def _render(
    context: ViewContext, ranking: Ranking, final: bool, panel: RankPanel, top: int
) -> None:
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
    )
    result_card(
        context,
        "standings",
        figure=figure,
        frame=standings_frame(ranking, top),
        columns=standings_columns(ranking, top),
        formats=standings_formats(ranking, top),
        made_by=ranking.signature,
        words=f"{ranking_words(ranking)} {_ranks_say(ranking, panel) if final else ''}",
        final=final,
        caption=f"Standings, {context.pair_title}, {context.ranker.title}.",
    )
