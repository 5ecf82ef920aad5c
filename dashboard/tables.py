"""Tables for the screen and for export: one frame, with columns formatted for reading."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.campaign import LOSS, TIE, WIN, Judgments
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


def judge_table(judgments: Judgments) -> pd.DataFrame:
    """Return what each judge did: tasks, judgments, share of ties, median time of a task."""
    judge_of_row = judgments.task_judge[judgments.task]
    n = len(judgments.judges)
    tasks = np.bincount(judgments.task_judge, minlength=n)
    rows = np.bincount(judge_of_row, minlength=n)
    ties = np.bincount(judge_of_row, weights=judgments.outcome == TIE, minlength=n)
    kept = np.flatnonzero(tasks)
    frame = pd.DataFrame(
        {
            "judge": [judgments.judges[k] for k in kept],
            "tasks": tasks[kept],
            "judgments": rows[kept],
            "ties": np.round(ties[kept] / np.maximum(rows[kept], 1), 2),
        }
    )
    if judgments.task_seconds is not None:
        seconds = pd.Series(judgments.task_seconds).groupby(judgments.task_judge).median()
        frame["seconds"] = seconds.reindex(kept).to_numpy()
    return frame.sort_values(["tasks", "judge"], ascending=[False, True], ignore_index=True)


def judge_columns() -> dict[str, Any]:
    """Return how the columns of `judge_table` are shown."""
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "tasks": column.NumberColumn("Ranking tasks", format="localized"),
        "judgments": column.NumberColumn("Judgments", format="localized"),
        "ties": column.ProgressColumn("Ties", format="percent", min_value=0, max_value=1),
        "seconds": column.NumberColumn("Median time of a task (s)", format="%.0f"),
    }


def judgment_table(
    judgments: Judgments, wanted: str = "", most: int = 20_000
) -> tuple[pd.DataFrame, int]:
    """Return the first judgments in which a system, judge or segment holds the text, and how many.

    ``wanted`` is looked for in names, whatever the case; a number also finds that segment.
    """
    names = [
        judgments.output_name(code) for code in range(judgments.n_systems + len(judgments.groups))
    ]
    task_judge, task_segment = judgments.task_judge, judgments.task_segment
    rows = np.arange(len(judgments))
    text = wanted.strip().casefold()
    if text:
        hit_name = np.array([text in name.casefold() for name in names], dtype=bool)
        hit_judge = np.array([text in name.casefold() for name in judgments.judges], dtype=bool)
        hit_segment = np.array([text == name.casefold() for name in judgments.segments], dtype=bool)
        task_hit = hit_judge[task_judge] | hit_segment[task_segment]
        rows = np.flatnonzero(
            hit_name[judgments.left] | hit_name[judgments.right] | task_hit[judgments.task]
        )
    shown = rows[:most]
    task = judgments.task[shown]
    preferred = {WIN: "left", TIE: "tie", LOSS: "right"}
    return pd.DataFrame(
        {
            "segment": [judgments.segments[k] for k in task_segment[task]],
            "judge": [judgments.judges[k] for k in task_judge[task]],
            "left": [names[k] for k in judgments.left[shown]],
            "right": [names[k] for k in judgments.right[shown]],
            "preferred": [preferred[int(o)] for o in judgments.outcome[shown]],
        }
    ), len(rows)
