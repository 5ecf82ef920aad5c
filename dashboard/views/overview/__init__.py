"""Overview: who won, how sure that is, what is open and what to do next; then the checks."""

from __future__ import annotations

import streamlit as st

from analysis.findings.certainty import ranking_words
from analysis.findings.overview import how_sure, what_is_open, what_next, who_won
from analysis.findings.standings import standings_title, too_close
from analysis.ranking.ranking import Ranking
from analysis.reporting.far_off import far_off_words, systems_off
from dashboard import compute
from dashboard.figures.standings import standings_figure
from dashboard.session import state
from dashboard.session.view import ViewContext, require_campaign
from dashboard.typography import as_html
from dashboard.widgets.checks import show_preflight, show_trust
from dashboard.widgets.facts import campaign_facts
from dashboard.widgets.part import choose_axis
from dashboard.widgets.result_card import headline, result_card, show_ranking

MOST_ROWS = 16
"""Systems that the figure shows; the page Standings shows all."""


def show() -> None:
    """Show what an organizer needs to know first."""
    context = require_campaign()
    show_ranking(context, lambda ranking, final: _render(context, ranking, final))


def _render(context: ViewContext, ranking: Ranking, final: bool) -> None:
    headline(context, "Overview", standings_title(ranking, context.name))
    _show_answers(context, ranking)
    campaign_facts(context)
    show_trust(context)
    off = systems_off(ranking.systems, ranking.scores, ranking.order[:MOST_ROWS])
    whole = final and choose_axis(off)
    far = "" if whole else far_off_words([context.name(system) for system in off])
    result_card(
        context,
        "overview",
        figure=compute.drawn(
            context,
            standings_figure,
            ranking,
            names=context.short_names,
            colors=context.colors,
            score_label=context.ranker.score_label,
            mode=context.mode,
            panel="none",
            most=MOST_ROWS,
            cut=not whole,
        ),
        words=f"{_cut(ranking)}{far}{ranking_words(ranking)}",
        made_by=ranking.signature,
        final=final,
    )
    if final:
        st.markdown("## Before you trust it")
        show_preflight(context)


def _cut(ranking: Ranking) -> str:
    """Say that the figure does not show all systems."""
    n = len(ranking.systems)
    return f"The first {MOST_ROWS} of {n} systems. " if n > MOST_ROWS else ""


def _show_answers(context: ViewContext, ranking: Ranking) -> None:
    """Show a line for each of an organizer's questions, with the page that has more."""
    if ranking.is_preview:
        return
    settled = ranking.ranges is not None and not too_close(ranking)
    answers = (
        ("Who won", who_won(ranking, context.name), "standings"),
        ("How sure", how_sure(ranking), "head-to-head"),
        ("What is open", what_is_open(ranking, context.name), "plan"),
        ("What next", what_next(ranking), "report" if settled else "collect-next"),
    )
    with st.container(key="answers", gap=None):
        for question, sentence, address in answers:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.html(
                    f'<p class="podium-answer"><b>{as_html(question)}</b>'
                    f"<span>{as_html(sentence)}</span></p>",
                    width="stretch",
                )
                page = state.page(address)
                if page is not None:
                    st.page_link(page, width="content")
