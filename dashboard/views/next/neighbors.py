"""What separates adjacent systems: a figure with one row per adjacent pair."""

from __future__ import annotations

import streamlit as st

from analysis.findings.planning import neighbors_title, neighbors_words
from analysis.names import middle_cut
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.planning import Plan
from analysis.wording import percent
from dashboard import compute
from dashboard.figures.neighbors import neighbors_figure
from dashboard.session.view import ViewContext
from dashboard.tables.plan import neighbors_table
from dashboard.widgets.result_card import downloads, note, show_figure

NAME_WIDTH = 22
"""Letters of a system's name."""


def show_neighbors(
    context: ViewContext, found: Plan, tested: BackTest | None, made_by: str
) -> None:
    """Show the further tasks that each adjacent pair needs."""
    st.markdown("## Adjacent systems")
    figure = compute.drawn(
        context,
        neighbors_figure,
        found,
        names=context.short_names,
        title=neighbors_title(found, lambda s: middle_cut(context.name(s), NAME_WIDTH)),
        mode=context.mode,
    )
    show_figure(figure, "figure.neighbors")
    interval = percent(found.certainty)
    note(f"Dot: median estimate; line: {interval} interval. {neighbors_words(found, tested)}")
    caption = context.caption("Further judgments for adjacent systems")
    downloads("neighbors", neighbors_table(found), figure, caption, made_by)
