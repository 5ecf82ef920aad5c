"""Tables of two states of a campaign."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from analysis.comparing.states import States

CHANGES = {
    "change": st.column_config.TextColumn("What changed", width="large"),
    "upper": st.column_config.TextColumn("Above now"),
    "lower": st.column_config.TextColumn("Below now"),
    "adjusted_p_before": st.column_config.NumberColumn(
        "Adjusted p, before", help="Of their difference, for all pairs at once"
    ),
    "adjusted_p_after": st.column_config.NumberColumn("now"),
}


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


def changed_pairs(states: States, meaning: Mapping[str, str]) -> pd.DataFrame:
    """Return the pairs that changed, the kind of change in words."""
    frame = states.to_frame()
    words = frame.assign(change=[meaning[str(kind)] for kind in frame["change"]])
    return words[["upper", "lower", "change", "adjusted_p_before", "adjusted_p_after"]]
