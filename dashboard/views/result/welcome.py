"""The first minute: what Podium is, that this is a sample, and where files go."""

from __future__ import annotations

import streamlit as st

from analysis.shipped import DATA
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.uploader import show_uploader

EXAMPLE = DATA / "examples" / "wmt-5way.csv"
WORDS = (
    "**Podium shows who won an evaluation campaign, and how certain that is.** You see a sample. "
    "Drop your own files here: rankings (WMT, Appraise), votes (arenas), scores (DA, ESA, MQM), "
    "as CSV, Excel, JSON, XML or Parquet. They stay in this session."
)


def show_welcome(context: ViewContext) -> bool:
    """Show it above a sample; nothing above a user's own campaign.

    Return whether a file waits for its columns, so that a sample's result would be in the way.
    """
    if not context.is_sample:
        return False
    with st.container(border=True, key="welcome"):
        words, files = st.columns([5, 4], gap="medium", vertical_alignment="center")
        with words:
            st.markdown(WORDS)
            st.download_button(
                "Download an example file",
                data=compute.fetched(EXAMPLE.read_bytes, "text/csv", EXAMPLE.name),
                file_name=EXAMPLE.name,
                mime="text/csv",
                key="download.example",
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
            )
        below = st.container()
        with files:
            return show_uploader(below, level="#")
