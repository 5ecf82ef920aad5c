"""Table of judges: how much each one did."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.campaign import TIE, Judgments


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
        "tasks": column.Column("Ranking tasks"),
        "judgments": column.Column("Judgments"),
        "ties": column.ProgressColumn("Ties", format="percent", min_value=0, max_value=1),
        "seconds": column.NumberColumn("Median time of a task (s)", format="%.0f"),
    }
