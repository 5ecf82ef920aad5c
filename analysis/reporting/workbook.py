"""Tables as one XLSX workbook, a sheet a table; the same tables give the same bytes."""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Iterable

import pandas as pd
import xlsxwriter

LONGEST_TITLE = 31
"""Characters that a spreadsheet allows in a sheet's name."""
WIDEST = 40
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")
_MADE = datetime.datetime(2000, 1, 1)


def workbook(sheets: Iterable[tuple[str, pd.DataFrame, str]]) -> bytes:
    """Return a workbook of (title, table, signature); a signature stands below its table.

    Text from data is text: no cell becomes a formula, a number or a link. What is not defined is
    an empty cell.
    """
    target = io.BytesIO()
    with xlsxwriter.Workbook(
        target,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    ) as book:
        book.set_properties({"created": _MADE, "title": "Podium"})
        bold = book.add_format({"bold": True, "bottom": 1})
        taken: set[str] = set()
        for title, frame, signature in sheets:
            sheet = book.add_worksheet(_sheet_name(title, taken))
            for column, name in enumerate(frame.columns):
                sheet.write_string(0, column, str(name), bold)
                values = [_plain(value) for value in frame.iloc[:, column]]
                for row, value in enumerate(values, 1):
                    if isinstance(value, str):
                        sheet.write_string(row, column, value)
                    elif value is not None:
                        sheet.write(row, column, value)
                longest = max(map(len, map(str, (name, *values))))
                sheet.set_column(column, column, min(longest, WIDEST) + 2)
            sheet.freeze_panes(1, 0)
            if signature:
                sheet.write_string(len(frame) + 2, 0, signature)
    return target.getvalue()


def _plain(value: object) -> str | float | bool | None:
    """Return a cell's value as a spreadsheet knows it."""
    if value is None or value is pd.NA:
        return None
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return float(value) if math.isfinite(value) else None
    return str(value)


def _sheet_name(title: str, taken: set[str]) -> str:
    """Return a sheet's name that spreadsheets allow and no other sheet has."""
    name = _FORBIDDEN.sub(" ", title).strip()[:LONGEST_TITLE] or "Table"
    unique, k = name, 2
    while unique.casefold() in taken:
        unique = f"{name[: LONGEST_TITLE - len(str(k)) - 1]} {k}"
        k += 1
    taken.add(unique.casefold())
    return unique
