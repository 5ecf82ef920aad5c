"""A line on Result of an arena without named judges: LLM judges can be compared with its votes."""

from __future__ import annotations

import streamlit as st

from dashboard.extras.llm_judges.compute import has_machines
from dashboard.session import state
from dashboard.session.view import ViewContext


def show(context: ViewContext) -> None:
    """Offer to add LLM judges where agreement is unknown without them."""
    judgments = context.judgments
    if not judgments.are_votes or judgments.n_judges is not None:
        return
    if context.is_sample or has_machines(context):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = "No judges are named, so their agreement is unknown."
        st.markdown(f":material/info: {words}", width="stretch")
        st.button("Compare LLM judges with these votes", key="machines.ask", on_click=_open_data)


def _open_data() -> None:
    """Turn to Data, where the panel of LLM judges is open from now on."""
    state.hold(state.PANEL_OF_DATA, ("open",))
    state.want_page("data")
