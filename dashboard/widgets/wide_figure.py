"""A figure that needs room: in a narrow window it scrolls sideways instead of shrinking."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dashboard.widgets.result_card import show_figure


def show_wide_figure(figure: go.Figure, key: str | None = None, **options: Any) -> Any:
    """Show a figure at least as wide as its builder's ``layout.meta.min_width`` in pixels."""
    width = int((figure.layout.meta or {}).get("min_width", 0))
    st.html(
        "<style>.st-key-wide { overflow-x: auto; } "
        f".st-key-wide > div {{ min-width: {width}px; }}</style>"
    )
    with st.container(key="wide" if key else None):
        return show_figure(figure, key=key, **options)
