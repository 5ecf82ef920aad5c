"""What separates adjacent systems: a table with one row per adjacent pair."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.findings.planning import goals_of, neighbors_title, neighbors_words
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.planning import Plan
from dashboard.session.view import ViewContext
from dashboard.tables.plan import neighbors_screen, neighbors_table, plan_columns
from dashboard.widgets.result_card import downloads, note, show_frame


def show_neighbors(
    context: ViewContext, found: Plan, tested: BackTest | None, made_by: str
) -> None:
    """Show the further tasks that each adjacent pair needs."""
    st.markdown("## Adjacent systems")
    st.markdown(as_markdown(f"{neighbors_title(found, context.name)}."))
    if words := neighbors_words(found, tested, context.name):
        note(words)
    if any(goal.within_reach and not goal.reached for goal in goals_of(found, "neighbors")):
        show_frame(neighbors_screen(found, context.name), plan_columns(found), height="content")
    caption = context.caption("Further judgments for adjacent systems")
    downloads("neighbors", neighbors_table(found), caption=caption, made_by=made_by)
