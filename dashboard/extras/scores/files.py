"""Where files of estimates, labels and runs come from: a section of Data, kept for this session."""

from __future__ import annotations

import streamlit as st

from analysis.extras.scores.findings import MEANING
from dashboard.compute.contexts import is_example
from dashboard.session import state
from dashboard.session.view import ViewContext

LABEL = "estimates and labels"
MOST_MEGABYTES = 100
HELD = "scores"

Files = tuple[tuple[str, bytes], ...]
"""Names and contents."""


def show(context: ViewContext) -> None:
    """Ask for files of estimates, labels and runs, which are measured by themselves."""
    given = st.file_uploader(
        "Quality estimates, word labels or search results",
        accept_multiple_files=True,
        max_upload_size=MOST_MEGABYTES,
        key="scores.files",
        help=MEANING,
    )
    if given:
        state.hold(HELD)
        state.hold(HELD, [(file.name, file.getvalue()) for file in given])
        if (page := state.page("scores")) is not None:
            st.page_link(page, label="See the results", icon=":material/straighten:")


def is_shown(context: ViewContext) -> bool:
    """Return whether there are files to measure."""
    return bool(state.held(HELD)) or is_example(context.campaign)


def files_of(context: ViewContext) -> Files:
    """Return names and contents of the user's files; none where the example is open."""
    return () if is_example(context.campaign) else state.held(HELD)
