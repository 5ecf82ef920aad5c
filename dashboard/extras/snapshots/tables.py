"""Tables of two snapshots of a campaign."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from analysis.extras.snapshots.snapshots import States

CHANGES = {
    "change": st.column_config.TextColumn("Change", width="large"),
    "upper": st.column_config.TextColumn("Above now"),
    "lower": st.column_config.TextColumn("Below now"),
    "adjusted_p_before": st.column_config.NumberColumn(
        "Adjusted p, before", help="Of the difference, adjusted for all pairs"
    ),
    "adjusted_p_after": st.column_config.NumberColumn("now"),
}


def changed_pairs(states: States, meaning: Mapping[str, str]) -> pd.DataFrame:
    """Return the pairs that changed, the kind of change in words."""
    frame = states.to_frame()
    words = frame.assign(change=[meaning[str(kind)] for kind in frame["change"]])
    return words[["upper", "lower", "change", "adjusted_p_before", "adjusted_p_after"]]
