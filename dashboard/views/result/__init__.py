"""Result: who won, which systems differ significantly, and what limits that."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.drawing.rows import far_off_words, systems_off
from analysis.findings.certainty import few_judges_words, figure_words
from analysis.findings.result import result_headline, winner_words
from analysis.ranking.ranking import Ranking
from analysis.reporting.pair_tables import standings_frame
from analysis.reporting.paper_tables import ranking_caption, ranking_table
from dashboard import compute
from dashboard.figures.scenes import standings_figure
from dashboard.registry import sections
from dashboard.session import state
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.tables.standings import standings_columns, standings_formats, winner_text
from dashboard.views.result.bridge import choose_rule
from dashboard.views.result.criteria import asks_for_all, show_criteria
from dashboard.views.result.welcome import show_welcome
from dashboard.widgets.facts import campaign_facts
from dashboard.widgets.notices import show_checks, show_gravest, show_notices
from dashboard.widgets.questions import choose_axis, choose_part
from dashboard.widgets.result_card import headline, note, result_card, show_ranking

TOP = 3
"""The table says how likely a system is to be among so many."""


def show() -> None:
    """Show the result of the chosen method."""
    context = require_campaign()
    if show_welcome(context):
        return
    head = st.empty()
    if asks_for_all(context):
        show_criteria(context, head)
        campaign_facts(context)
        return
    say_rule = choose_rule(context)
    if any(section.show(context, head) for section in sections("rule")):
        campaign_facts(context)
        return
    show_notices(context)
    for section in sections("notices"):
        section.show(context)
    fitted = compute.standings(context)
    rows = choose_part(fitted.order.size)
    whole = choose_axis(systems_off(fitted.systems, fitted.scores, fitted.order[rows]))
    show_ranking(
        context, lambda ranking, final: _render(context, ranking, final, rows, whole, head)
    )
    say_rule()
    campaign_facts(context)
    show_checks(context)
    for section in sections("result"):
        section.show(context)


def _render(
    context: ViewContext,
    ranking: Ranking,
    final: bool,
    rows: slice,
    whole: bool,
    head: DeltaGenerator,
) -> None:
    off = [] if whole else systems_off(ranking.systems, ranking.scores, ranking.order[rows])
    far = far_off_words([context.name(system) for system in off])
    words = winner_words(ranking.verdict, context.name)
    few = compute.few_judges_of(context, ranking.verdict) if final else None
    _show_head(context, ranking, head, words if few is None else "", final)
    top = min(TOP, max(1, context.judgments.n_systems))
    frame = standings_frame(ranking, top)
    if not final:
        frame = frame.assign(se=None)
    if few is not None:
        frame.insert(2, "tier_these", few.for_these.tiers[ranking.order])
    title, caution = context.ranker.title, compute.caution(context, ranking) if final else ""
    result_card(
        context,
        "standings",
        figure=compute.drawn(
            context,
            standings_figure,
            ranking,
            names=context.short_names,
            colors=context.colors,
            score_label=context.ranker.score_label,
            mode=context.mode,
            first=rows.start,
            most=rows.stop,
            cut=not whole,
            narrow=state.session().is_narrow,
        ),
        frame=frame,
        columns=standings_columns(ranking, top),
        formats=standings_formats(ranking, top),
        texts=winner_text(ranking),
        made_by=ranking.signature,
        words=f"{far}{context.ranker.reading}{figure_words(ranking)}{_color_words(context)}",
        final=final,
        caption=ranking_caption(ranking, title, caution),
        paper=ranking_table(ranking, context.short_names, title, caution),
    )
    if few is not None:
        with st.expander("The winner's test, and what these judges settle"):
            note(f"{words} {few_judges_words(context.judgments, ranking.verdict, context.name)}")


def _show_head(
    context: ViewContext, ranking: Ranking, head: DeltaGenerator, words: str, final: bool
) -> None:
    """Say who won, by which test, and what limits the result most."""
    with head.container():
        headline(context, "Result", result_headline(ranking, context.name))
        note(words)
        if final:
            show_gravest(context)


def _color_words(context: ViewContext) -> str:
    """Say what a color means where some systems have one and some have none."""
    n_colors = len({*context.colors.values()})
    if context.highlighted or not 1 < n_colors < len(context.colors):
        return ""
    return " A color marks the same system in all language pairs."
