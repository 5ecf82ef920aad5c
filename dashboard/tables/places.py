"""Tables of places before and after a change."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from analysis.findings.changes import Answer
from analysis.wording import as_score, capital


def place_columns(before: Answer, after: Answer) -> dict[str, object]:
    """Return how the columns of `changes_frame` are shown."""
    column = st.column_config
    was = "before" if before.part == after.part else f"{capital(before.part)} before"
    return {
        "system": column.TextColumn("System", width=280),
        "place": column.NumberColumn("Place", format="%d"),
        "place_before": column.NumberColumn("before", format="%d"),
        after.part: column.NumberColumn(capital(after.part), format="%d"),
        f"{before.part}_before": column.NumberColumn(was, format="%d"),
        "score": column.NumberColumn("Score"),
        "score_before": column.NumberColumn("before"),
    }


def place_formats(after: Answer) -> dict[str, Callable[[float], str]]:
    """Return how the scores of `changes_frame` are written."""
    return dict.fromkeys(("score", "score_before"), as_score(after.scores))
