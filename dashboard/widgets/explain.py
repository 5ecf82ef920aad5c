"""An error in words: what cannot be done, why, and what to do."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from dashboard.typography import as_markdown


def explain(error: PodiumError) -> None:
    """Show an error in its three parts."""
    st.markdown(f"#### {as_markdown(error.where)}: {as_markdown(error.got.rstrip('.'))}.")
    if error.remedy:
        st.markdown(as_markdown(error.remedy))
