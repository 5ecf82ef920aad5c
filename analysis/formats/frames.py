"""Frames as tables: pandas, Polars, Arrow, and lists of dictionaries, without a file between."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
from pyarrow import csv

from analysis.errors import ReadingError

_REMEDY = "Give a pandas, Polars or Arrow frame, or a list of dictionaries."


def as_arrow(frame: Any, where: str) -> pa.Table:
    """Return a frame as an Arrow table; fields within fields become columns ``a.b``."""
    try:
        if isinstance(frame, list | tuple):
            table = pa.Table.from_pylist(list(frame))
        elif hasattr(frame, "__arrow_c_stream__"):
            table = pa.table(frame)
        else:
            raise ReadingError(where, f"{type(frame).__name__} is not a table", _REMEDY)
    except (pa.ArrowException, AttributeError, TypeError):
        table = _of_mixed(frame, where)
    while any(pa.types.is_struct(kind) for kind in table.schema.types):
        table = table.flatten()
    return table


def _of_mixed(frame: Any, where: str) -> pa.Table:
    """Return a frame with columns of mixed types as text."""
    try:
        columns = (
            frame if isinstance(frame, dict) else {name: frame[name] for name in frame.columns}
        )
        return pa.table(
            {
                str(name): pa.array(
                    [None if v is None or v != v else str(v) for v in list(values)], pa.string()
                )
                for name, values in columns.items()
            }
        )
    except (AttributeError, TypeError, ValueError, pa.ArrowException):
        raise ReadingError(where, f"{type(frame).__name__} is not a table", _REMEDY) from None


def as_csv(frame: pa.Table) -> bytes:
    """Return a frame as CSV, for a format that reads line by line."""
    text = io.BytesIO()
    csv.write_csv(frame, text)
    return text.getvalue()
