"""As the campaign grows: read its files again, and what looking again and again costs."""

from __future__ import annotations

import streamlit as st

from analysis.findings.batches import look_words
from analysis.ranking.interim_looks import at_look
from analysis.ranking.verdict import Verdict
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note
from dashboard.widgets.uploads import show_uploader

MOST_LOOKS = 1000


def show_growing(context: ViewContext, verdict: Verdict) -> None:
    """Say that a growing campaign may come back here, take its files, and count the looks."""
    st.markdown("## As the campaign grows")
    st.markdown(
        "Upload the campaign's files here when there are new answers; the next batch appears "
        "above at once."
    )
    show_uploader()
    if verdict.by_ranges:  # looks spend the error of a test
        return
    look = st.number_input(
        "How often have you tested so far?", min_value=1, max_value=MOST_LOOKS, value=None, step=1,
        key="next.look", bind="query-params", width=260, placeholder="once",
        help=(
            "If you look repeatedly and stop when two systems differ significantly, false claims "
            "become more frequent. Enter the number of looks with this one (interim looks), and "
            "Podium keeps the error over all of them at its level."
        ),
    )  # fmt: skip
    if look is not None:
        note(look_words(verdict, at_look(context.judgments, verdict, int(look)), int(look)))
