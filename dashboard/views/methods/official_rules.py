"""What the official rankings of scores assert, year by year, and how often each is wrong."""

from __future__ import annotations

import streamlit as st

from analysis.findings.procedures import measured_note
from analysis.procedures import PROCEDURES
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.typography import as_markdown


def show_official_rules(context: ViewContext) -> None:
    """Show the rules of each year, folded away; nothing where judges ranked."""
    if context.judgments.scores is None:
        return
    with st.expander("How campaigns ranked scores, year by year", icon=":material/gavel:"):
        for procedure in PROCEDURES.values():
            parts = (procedure.sentence, procedure.asserts, measured_note(procedure))
            words = " ".join(part for part in parts if part)
            st.markdown(
                f"**{as_markdown(procedure.title)}** ({as_markdown(procedure.citation)}). "
                f"{as_markdown(words)}"
            )
        page = state.page("standings")
        if page is not None:
            st.page_link(page, label="See them on Standings", icon=":material/leaderboard:")
