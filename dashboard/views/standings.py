"""Standings: who stands where, how sure that is, and what can be told apart."""

from __future__ import annotations

from typing import cast

import streamlit as st

from analysis.findings.standings import headline as finding
from analysis.ranking.ranking import Ranking
from dashboard import compute
from dashboard.figures.standings import RankPanel, standings_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.tables.standings import standings_columns, standings_table
from dashboard.widgets.result_card import headline, interval_words, result_card, show_ranking

RANKS_SAY = {
    "box": "Boxes hold half of the ranks, whiskers all of them, the dot is their mean.",
    "strip": "The darker a rank, the more often it was taken.",
}
PANELS = {"box": "Boxes", "strip": "Shares"}


def show() -> None:
    """Show the standings of the chosen method."""
    context = require_campaign()
    controls = st.container()
    with st.expander("Options of this page", icon=":material/tune:"):
        panel = st.segmented_control(
            "Ranks as",
            list(PANELS),
            default="box",
            required=True,
            format_func=lambda option: PANELS[option],
            key="ranks",
            bind="query-params",
        )
        top = st.number_input(
            "Probability of being among the best",
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


def _render(
    context: ViewContext, ranking: Ranking, final: bool, panel: RankPanel, top: int
) -> None:
    headline(context, "Standings", finding(ranking, context.name))
    figure = standings_figure(
        ranking,
        compute.replicates(context) if final else None,
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
        frame=standings_table(ranking, top),
        columns=standings_columns(top),
        made_by=ranking.signature,
        words=f"{interval_words(context, ranking)} {RANKS_SAY[panel] if final else ''}",
        final=final,
        caption=f"Standings, {context.pair_title}, {context.ranker.title}.",
    )
