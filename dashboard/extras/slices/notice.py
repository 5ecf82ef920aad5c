"""A line on Result: what a ranking is adjusted for, or where it can be."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.extras.slices.controlled import Controlled
from analysis.extras.slices.controlled.columns import can_be_held, names_of, usually_held
from analysis.extras.slices.effects import uneven_share
from analysis.extras.slices.findings import adjusted_words, can_be_adjusted_words, position_words
from dashboard.extras.slices.style import style_of
from dashboard.session import state
from dashboard.session.view import ViewContext

ADJUSTED = "Read the adjusted ranking"


def show(context: ViewContext) -> None:
    """Say what a ranking with covariates is adjusted for, or that it can be, with a link."""
    columns, room = can_be_held(context.campaign), state.page("breakdown")
    label = "Length and style control"
    if isinstance(context.ranker, Controlled):
        words = adjusted_words(style_of(context, names_of(context.ranker.control)), columns)
    elif (share := uneven_share(context.judgments)) is not None:
        style = style_of(context, usually_held(context.campaign))
        words, label = position_words(share, style, context.name), ADJUSTED
    elif columns and context.judgments.scores is None:
        words = can_be_adjusted_words(columns)
    else:
        return
    icon = ":material/warning:" if label == ADJUSTED else ":material/info:"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"{icon} {as_markdown(words)}", width="stretch")
        if room is not None:
            st.page_link(room, label=label)
