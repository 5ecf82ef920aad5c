"""Table of judges: how much each one did."""

from __future__ import annotations

from typing import Any

import streamlit as st


def judge_columns() -> dict[str, Any]:
    """Return how the columns of `judges_frame` are shown."""
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "tasks": column.Column("Ranking tasks"),
        "judgments": column.Column("Judgments"),
        "ties": column.ProgressColumn("Ties", format="percent", min_value=0, max_value=1),
        "seconds": column.NumberColumn("Median time of a task (s)", format="%.0f"),
    }
