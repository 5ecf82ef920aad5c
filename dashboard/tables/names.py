"""How tables on a page show names, places and p-values; files keep names and p-values in full.

Systems have short names. P-values are shown as papers write them, and sorted as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from analysis.findings.changes import Answer
from analysis.wording import as_score, capital, is_p_value, p_number

COLUMNS = ("system", "row", "column", "above", "below", "preferred", "shown_left", "left", "right",
           "a", "b", "upper", "lower")  # fmt: skip
"""Columns that hold systems' names."""
FULL = "full name"


MOST_MARKED = 50_000
"""Cells of a table whose rows can be marked: each is sent with its own color."""


def marked(shown: pd.DataFrame | Styler, name: str, color: str) -> pd.DataFrame | Styler:
    """Return a table with a color behind what names a system; as it is without a name.

    That is a row of a table with a column of systems, else a cell.
    """
    style: Any = shown if isinstance(shown, Styler) else shown.style
    if not name or style.data.size > MOST_MARKED:
        return shown
    columns = [column for column in COLUMNS if column in style.data]

    def row_style(row: pd.Series) -> list[str]:
        is_of = any(row[column] == name for column in columns)
        return [f"background-color: {color}" if is_of or cell == name else "" for cell in row]

    styled: Styler = style.apply(row_style, axis=1)
    return styled


def with_short_names(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Return a table with short names; where they differ, the full name of its system is last.

    >>> table = pd.DataFrame({"system": ["news.a.1"], "score": [2]})
    >>> with_short_names(table, {"news.a.1": "a"}).to_dict("records")
    [{'system': 'a', 'score': 2, 'full name': 'news.a.1'}]
    """
    if all(name == short for name, short in names.items()):
        return frame
    columns = [column for column in COLUMNS if column in frame]
    shown = frame.assign(**{
        column: [names.get(value, value) for value in frame[column]] for column in columns
    })  # fmt: skip
    if "system" in columns and FULL not in shown:
        shown[FULL] = frame["system"].to_numpy()
    return shown


MOST_CELLS = 60_000
"""Cells past which a table is shown without a style, which the browser takes long to lay out."""


def with_p_values(frame: pd.DataFrame) -> pd.DataFrame | Styler:
    """Return a table for `st.dataframe` in which no p-value shows as 0."""
    columns = [name for name in frame if is_p_value(name)]
    if not columns or frame.size > MOST_CELLS:
        return frame
    return frame.style.format(_shown, subset=columns)


def _shown(p: Any) -> str:
    return p_number(float(p))


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
