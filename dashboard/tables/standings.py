"""Table of the standings, on the page and in files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.ranking.ranking import Ranking
from dashboard.typography import chance, percent


def standings_table(ranking: Ranking, top: int = 3) -> pd.DataFrame:
    """Return cluster, system, score, its interval, rank range and chances, best first.

    Chances are probabilities, ``p_first``, or shares of the runs, ``share_first``.
    """
    frame = ranking.to_frame()
    order = ranking.order
    ranges = ranking.ranges
    nothing = np.full(len(order), np.nan)
    frame.insert(3, "score_low", nothing if ranges is None else ranges.score_low[order])
    frame.insert(4, "score_high", nothing if ranges is None else ranges.score_high[order])
    for k, column in _chances(ranking, top).items():
        frame[column] = nothing if ranges is None else ranges.probability_of_top(k)[order]
    columns = ["cluster", "system", *(c for c in frame.columns if c not in ("cluster", "system"))]
    return frame[columns]


def standings_columns(ranking: Ranking, top: int = 3) -> dict[str, Any]:
    """Return how the columns of `standings_table` are shown."""
    column = st.column_config
    published = ranking.certainty.is_published
    level = f"{ranking.level:.0%}"
    shown = {
        "cluster": column.NumberColumn(
            "Cluster",
            width="small",
            help="The rank ranges of two clusters do not overlap."
            if published
            else "Between two clusters every pair of systems is told apart.",
        ),
        "system": column.TextColumn("System", width=280),
        "score": column.NumberColumn("Score", format="%.3f"),
        "score_low": column.NumberColumn(
            f"{level} from", format="%.3f", help=f"Lower end of the score's {level} interval"
        ),
        "score_high": column.NumberColumn(
            "to", format="%.3f", help=f"Upper end of the score's {level} interval"
        ),
        "spread": column.NumberColumn(
            "Std. dev.",
            format="%.3f",
            help="Standard deviation of the score over the runs"
            if published
            else "Standard deviation of the score",
        ),
        "rank_low": column.NumberColumn("Best rank", format="%d", help=_rank_help(ranking)),
        "rank_high": column.NumberColumn("Worst rank", format="%d", help=_rank_help(ranking)),
    }
    for k, name in _chances(ranking, top).items():
        place = "first" if k == 1 else f"among the best {k}"
        short = "first" if k == 1 else f"top {k}"
        shown[name] = column.Column(
            f"Runs {short}" if published else f"P({short})",
            help=f"Share of the runs in which the system is {place}; this is no probability"
            if published
            else f"Probability that the system is {place}, given these judgments",
        )
    return shown


def standings_formats(ranking: Ranking, top: int = 3) -> dict[str, Callable[[float], str]]:
    """Return how chances are written on the page."""
    write = percent if ranking.certainty.is_published else chance
    return dict.fromkeys(_chances(ranking, top).values(), write)


def _chances(ranking: Ranking, top: int) -> dict[int, str]:
    """Return the columns of being among the best k, by k."""
    kind = "share" if ranking.certainty.is_published else "p"
    return {1: f"{kind}_first"} | ({top: f"{kind}_top_{top}"} if top > 1 else {})


def _rank_help(ranking: Ranking) -> str:
    if ranking.certainty.is_published:
        return f"The range holds {ranking.level:.0%} of the ranks over the runs."
    return (
        "A system ranks after those told better and before those told worse. The ranges hold "
        f"for all systems at once at {ranking.level:.0%}."
    )
