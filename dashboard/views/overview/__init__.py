"""Overview: the finding in one sentence, the standings at a glance, what stands against it."""

from __future__ import annotations

import streamlit as st

from analysis.findings.standings import headline as finding
from analysis.ranking.ranking import Ranking
from dashboard import compute
from dashboard.figures.standings import standings_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.views.overview.preflight import show_preflight
from dashboard.widgets.facts import campaign_facts
from dashboard.widgets.result_card import headline, interval_words, result_card, show_ranking


def show() -> None:
    """Show what an organizer needs to know first."""
    context = require_campaign()
    show_ranking(context, lambda ranking, final: _render(context, ranking, final))
    st.markdown("## Before you trust it")
    show_preflight(context)


def _render(context: ViewContext, ranking: Ranking, final: bool) -> None:
    headline(context, "Overview", finding(ranking, context.name))
    campaign_facts(context)
    result_card(
        context,
        "overview",
        figure=standings_figure(
            ranking,
            compute.replicates(context) if final else None,
            names=context.short_names,
            colors=context.colors,
            score_label=context.ranker.score_label,
            mode=context.mode,
            panel="none",
        ),
        words=interval_words(context, ranking),
        made_by=ranking.signature,
        final=final,
    )
