"""A line on Result about LLM judges: how those given agree, or that an arena may have some."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.formats.file_names import without_endings
from analysis.wording import listed
from dashboard.extras.llm_judges.compute import has_machines
from dashboard.extras.llm_judges.files import files_of
from dashboard.session import state
from dashboard.session.view import ViewContext


def show(context: ViewContext) -> None:
    """Name the files of LLM judges; without any, offer to add some where agreement is unknown."""
    if files := files_of(context):
        names = listed([without_endings(name) for name, _ in files], 3)
        words = f"See how {names} agree{'s' * (len(files) == 1)} with these votes"
        st.page_link(state.page("agreement"), label=as_markdown(words), icon=":material/handshake:")
        return
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
