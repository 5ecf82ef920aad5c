"""Tables for spreadsheets (CSV); a name from data stays text and runs as no formula."""

from __future__ import annotations

import pandas as pd

from analysis.escaping import as_cell


def to_csv(frame: pd.DataFrame, signature: str = "") -> str:
    """Return CSV that a spreadsheet opens without running a name as a formula.

    The signature is a last column, the same in every row: all readers take a column, few a
    comment, and rows that are sorted, filtered or copied elsewhere keep it.

    >>> to_csv(pd.DataFrame({"system": ["=1+1"], "score": [-.5]})).splitlines()[1]
    "'=1+1,-0.5"
    """
    safe = frame.assign(signature=signature) if signature else frame.copy()
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [as_cell(v) if isinstance(v, str) else v for v in safe[name]]
    safe.columns = [as_cell(str(name)) for name in safe.columns]
    return safe.to_csv(index=False, lineterminator="\n")


def csv_file(frame: pd.DataFrame, signature: str = "") -> bytes:
    """Return CSV as a file; it begins with the mark by which spreadsheets know UTF-8."""
    return to_csv(frame, signature).encode("utf-8-sig")
