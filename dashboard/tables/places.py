"""Tables of places before and after a change."""

from __future__ import annotations

import streamlit as st


def place_columns(part: str = "cluster") -> dict[str, object]:
    """Return how the columns of `changes_frame` are shown; ``part`` is what clusters are called."""
    column = st.column_config
    return {
        "system": column.TextColumn("System", width=280),
        "place": column.NumberColumn("Place", format="%d"),
        "place_before": column.NumberColumn("before", format="%d"),
        part: column.NumberColumn(part.capitalize(), format="%d"),
        f"{part}_before": column.NumberColumn("before", format="%d"),
        "score": column.NumberColumn("Score", format="%.3f"),
        "score_before": column.NumberColumn("before", format="%.3f"),
    }
