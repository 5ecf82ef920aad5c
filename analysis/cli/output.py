"""Tables for people, and JSON, CSV and LaTeX for machines and papers."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.reporting.tables import to_csv, to_latex


def emit(
    options: argparse.Namespace,
    document: object,
    frame: pd.DataFrame,
    *,
    heading: str = "",
    notes: Sequence[str] = (),
    decimals: int = 3,
) -> None:
    """Print an answer in the form that the flags ask for; notes go to people only."""
    if options.json:
        print(json.dumps(plain(document), ensure_ascii=False, indent=2))
    elif options.csv:
        print(to_csv(frame), end="")
    elif options.latex:
        print(to_latex(frame, decimals=decimals, comments=(heading, *notes)), end="")
    else:
        if heading:
            print(heading)
        print(text_table(frame, decimals))
        for note in notes:
            print(note)


def plain(value: Any) -> Any:
    """Turn results into what JSON knows; a number that is not defined becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def text_table(frame: pd.DataFrame, decimals: int = 3) -> str:
    """Lay a table out for a terminal: words to the left, numbers to the right."""
    columns = [
        [str(name), *(_cell(value, decimals) for value in frame[name])] for name in frame.columns
    ]
    widths = [max(len(cell) for cell in column) for column in columns]
    is_number = [pd.api.types.is_numeric_dtype(frame[name]) for name in frame.columns]
    lines = []
    for row in zip(*columns, strict=True):
        cells = [
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, is_number, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cell(value: object, decimals: int) -> str:
    if value is pd.NA or value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return str(value)


def warn(lines: Sequence[str]) -> None:
    """Tell a person what to know beside the answer, without disturbing machines."""
    for line in lines:
        print(line, file=sys.stderr)
