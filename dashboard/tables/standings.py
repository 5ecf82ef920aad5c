"""Table of the standings, on the page and in files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.ranking.ranking import Ranking


def standings_table(ranking: Ranking, top: int = 3) -> pd.DataFrame:
    """Return cluster, system, score, its interval, rank range and probabilities, best first."""
    frame = ranking.to_frame()
    order = ranking.order
    ranges = ranking.ranges
    nothing = np.full(len(order), np.nan)
    frame.insert(3, "score_low", nothing if ranges is None else ranges.score_low[order])
    frame.insert(4, "score_high", nothing if ranges is None else ranges.score_high[order])
    frame["p_first"] = nothing if ranges is None else ranges.probability_of_top(1)[order]
    if top > 1:
        frame[f"p_top_{top}"] = nothing if ranges is None else ranges.probability_of_top(top)[order]
    columns = ["cluster", "system", *(c for c in frame.columns if c not in ("cluster", "system"))]
    return frame[columns]


def standings_columns(top: int = 3) -> dict[str, Any]:
    """Return how the columns of `standings_table` are shown."""
    column = st.column_config
    return {
        "cluster": column.NumberColumn("Cluster", width="small"),
        "system": column.TextColumn("System", width=280),
        "score": column.NumberColumn("Score", format="%.3f"),
        "score_low": column.NumberColumn("from", format="%.3f"),
        "score_high": column.NumberColumn("to", format="%.3f"),
        "spread": column.NumberColumn(
            "Spread", format="%.3f", help="Standard deviation of the score over the runs"
        ),
        "rank_low": column.NumberColumn("Best rank", format="%d"),
        "rank_high": column.NumberColumn("Worst rank", format="%d"),
        "p_first": column.NumberColumn("First", format="percent", help="Share of the runs"),
        f"p_top_{top}": column.NumberColumn(
            f"Top {top}", format="percent", help=f"Share of the runs among the best {top}"
        ),
    }
