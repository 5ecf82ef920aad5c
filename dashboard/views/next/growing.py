"""As the campaign grows: read its files again."""

from __future__ import annotations

import streamlit as st

from dashboard.widgets.uploads import show_uploader


def show_growing() -> None:
    """Say that a growing campaign may come back here, and take its files."""
    st.markdown("## As the campaign grows")
    st.markdown(
        "Upload the campaign's files here when there are new answers; the next batch appears "
        "above at once. *Stop or continue* asks how often you have looked."
    )
    show_uploader()
