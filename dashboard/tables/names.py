"""Short names of systems in tables on a page; files keep the names in full."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

COLUMNS = ("system", "row", "column", "above", "below", "preferred", "shown_left", "left", "right")
"""Columns that hold systems' names."""
FULL = "full name"


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
