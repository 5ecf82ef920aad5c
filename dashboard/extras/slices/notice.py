"""A line on Result: what a ranking is adjusted for, or where it can be."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.extras.slices.controlled import Controlled
from analysis.extras.slices.controlled.columns import can_be_held, names_of
from analysis.extras.slices.effects import uneven_share
from analysis.extras.slices.findings import adjusted_words, can_be_adjusted_words
from dashboard.extras.slices.style import style_of
from dashboard.session import state
from dashboard.session.view import ViewContext


def show(context: ViewContext) -> None:
    """Say what a ranking with covariates is adjusted for, or that it can be, with a link.

    An uneven share of the output shown first is left to the checks.
    """
    columns, room = can_be_held(context.campaign), state.page("breakdown")
    if isinstance(context.ranker, Controlled):
        words = adjusted_words(style_of(context, names_of(context.ranker.control)), columns)
    elif columns and context.judgments.scores is None and uneven_share(context.judgments) is None:
        words = can_be_adjusted_words(columns)
    else:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/info: {as_markdown(words)}", width="stretch")
        if room is not None:
            st.page_link(room, label="Length and style control")
