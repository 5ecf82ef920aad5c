"""A paper's table in Typst, Markdown and XLSX; names from data stay text in all of them.

Typst needs no package. A workbook has one sheet per table; the same tables give the same bytes.
LaTeX is `analysis.reporting.latex`.
"""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd
import xlsxwriter

from analysis.escaping import as_label, as_markdown, as_typst, printable
from analysis.reporting.latex import TEXT_WIDTH, write_latex
from analysis.reporting.paper_tables import Cell, PaperTable

MANY_COLUMNS = 12


def write_typst(table: PaperTable, comments: Sequence[str] = ()) -> str:
    """Return a figure with a table that Typst sets as it is."""
    remarks = [f"// {printable(line)}" for text in comments for line in text.splitlines() if line]
    sides = {"l": "left", "c": "center", "r": "right"}
    align = ", ".join(sides[a] for a in table.align)
    heads = [
        f"rotate(-90deg, reflow: true)[{text}]" if table.turned and k else f"[{text}]"
        for k, text in enumerate(map(as_typst, table.heads))
    ]
    body = []
    for i, row in enumerate(table.rows):
        if i in table.rules:
            body.append("    table.hline(stroke: .5pt),")
        body.append("    " + ", ".join(f"[{typst_cell(cell)}]" for cell in row) + ",")
    small = "" if table.width <= TEXT_WIDTH else "#set text(size: 7pt)\n"
    lines = [
        *remarks,
        f"#[{small}#figure(",
        f"  caption: figure.caption(position: top)[{as_typst(table.caption)}],",
        f"  table(columns: {len(table.heads)}, align: ({align},), stroke: none,",
        f"    inset: {'2pt' if len(table.heads) > MANY_COLUMNS else '4pt'},",
        "    table.hline(),",
        f"    table.header({', '.join(heads)}),",
        "    table.hline(stroke: .5pt),",
        *body,
        "    table.hline(),",
        f"  )) <tab-{as_label(table.name)}>"
        + (f"\n#text(size: 8pt)[{as_typst(table.note)}]]" if table.note else "]"),
    ]
    return "\n".join(lines) + "\n"


def typst_cell(cell: Cell) -> str:
    text = as_typst(cell.text)
    if cell.bold and text:
        text = f"#strong[{text}]"
    return text + (f"#super[{cell.mark}]" if cell.mark else "")


def write_markdown(table: PaperTable, comments: Sequence[str] = ()) -> str:
    """Return a table for a README or an issue; its rules are empty rows."""
    marks = {"l": ":--", "c": ":-:", "r": "--:"}
    lines = [
        as_markdown(table.caption),
        "",
        _markdown_row(map(as_markdown, table.heads)),
        _markdown_row(marks[a] for a in table.align),
    ]
    for i, row in enumerate(table.rows):
        if i in table.rules:
            lines.append(_markdown_row("" for _ in row))
        lines.append(_markdown_row(map(_markdown_cell, row)))
    lines += ["", as_markdown(table.note)] if table.note else []
    told = [f"<!-- {printable(text).replace('--', '- -')} -->" for text in comments if text]
    return "\n".join([*lines, *(["", *told] if told else [])]) + "\n"


def _markdown_cell(cell: Cell) -> str:
    text = as_markdown(cell.text)
    return (f"**{text}**" if cell.bold and text else text) + cell.mark


def _markdown_row(texts: Iterable[str]) -> str:
    return "| " + " | ".join(texts) + " |"


FORMS: Mapping[str, tuple[str, Callable[[PaperTable, Sequence[str]], str]]] = {
    "LaTeX": ("tex", write_latex),
    "Typst": ("typ", write_typst),
    "Markdown": ("md", write_markdown),
}
"""The languages of paper tables: a file's ending, and what writes it."""


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
