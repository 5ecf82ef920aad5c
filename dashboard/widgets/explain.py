"""An error in words: what cannot be done, why, and what to do."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_html, as_markdown


def explain(error: PodiumError, page: str = "") -> None:
    """Show an error in its three parts, as the heading of a ``page`` that has no other."""
    if page:
        st.html(f'<p class="podium-eyebrow">{as_html(page)}</p>')
    level = "#" if page else "####"
    st.markdown(f"{level} {as_markdown(error.where)}: {as_markdown(error.got.rstrip('.'))}.")
    if error.remedy:
        st.markdown(as_markdown(error.remedy))
