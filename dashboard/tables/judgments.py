"""Tables of single judgments, of files, and of agreement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.campaign import LOSS, TIE, WIN, Judgments

SHARES = {
    "file": st.column_config.TextColumn("File"),
    "pair": st.column_config.TextColumn("Pair"),
    "judgments": st.column_config.NumberColumn("Tasks", width=80),
    "judges": st.column_config.NumberColumn("Judges", width=70),
    "systems": st.column_config.NumberColumn("Systems", width=70),
    "skipped": st.column_config.NumberColumn(
        "Skipped", width=70, help="Tasks that judges skipped."
    ),
    "left_out": st.column_config.NumberColumn(
        "Left out", width=70, help="Rows left out; without a language pair if it is unknown."
    ),
}
"""The columns of the judgments of each file."""


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


def score_table(judgments: Judgments) -> pd.DataFrame:
    """Return the scores that count, one a row, with their places where the file names them."""
    scores = judgments.scores
    if scores is None:
        return pd.DataFrame()
    frame = pd.DataFrame(
        {
            "segment": [judgments.segments[k] for k in scores.segment],
            "judge": [judgments.judges[k] for k in scores.judge],
            "system": [judgments.systems[k] for k in scores.system],
            "score": scores.value,
        }
    )
    if scores.document is not None:
        frame["document"] = [scores.documents[k] for k in scores.document]
    if scores.domain is not None:
        frame["domain"] = [scores.domains[k] for k in scores.domain]
    return frame


def pair_columns() -> dict[str, Any]:
    """Return the columns of kappas by language pair."""
    column = st.column_config
    return {
        "pair": column.TextColumn("Pair"),
        "who": column.TextColumn("Judges with"),
        "kappa": column.NumberColumn("κ strict", format="%.3f"),
        "low": column.NumberColumn("from", format="%.3f", help="For these judges"),
        "high": column.NumberColumn("to", format="%.3f", help="For these judges"),
        "others_low": column.NumberColumn("new judges: from", format="%.3f", help="For new judges"),
        "others_high": column.NumberColumn("new judges: to", format="%.3f", help="For new judges"),
        "word": column.TextColumn("In a word", help="Landis and Koch 1977"),
        "as_published": column.NumberColumn("κ, the WMT way", format="%.3f"),
        "comparable": column.Column("Compared", help="Pairs of answers to the same question"),
    }


def measure_columns() -> dict[str, Any]:
    """Return the columns of other measures."""
    column = st.column_config
    return {
        "measure": column.TextColumn("Measure"),
        "value": column.NumberColumn("Value", format="%.3f"),
        "low": column.NumberColumn("from", format="%.3f", help="For these judges"),
        "high": column.NumberColumn("to", format="%.3f", help="For these judges"),
        "others_low": column.NumberColumn("new judges: from", format="%.3f", help="For new judges"),
        "others_high": column.NumberColumn("new judges: to", format="%.3f", help="For new judges"),
        "n": column.Column("Items"),
    }


def counted_column(judgments: Judgments) -> Any:
    """Return the column of what a judge compared; Result counts systems, not outputs."""
    if not judgments.groups:
        return st.column_config.Column("Votes" if judgments.are_votes else "Judgments")
    return st.column_config.Column(
        "Pairs of outputs",
        help="Identical outputs count once here, so these are fewer than the judgments of Result",
    )


def judge_columns(judgments: Judgments) -> dict[str, Any]:
    """Return the columns of kappas by judge."""
    column = st.column_config
    compared = "Pairs of answers to the same question"
    return {
        "judge": column.TextColumn("Judge"),
        "judgments": counted_column(judgments),
        "with_others": column.NumberColumn("κ with the others", format="%.2f"),
        "others_word": column.TextColumn("In a word"),
        "others_compared": column.Column("Compared", help=compared),
        "with_oneself": column.NumberColumn("κ with themselves", format="%.2f"),
        "oneself_word": column.TextColumn("In a word"),
        "oneself_compared": column.Column("Compared", help=compared),
    }
