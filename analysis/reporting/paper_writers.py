r"""A paper's table in LaTeX, Typst and Markdown; names from data stay text in all three.

LaTeX needs booktabs, and graphicx for wide tables; Typst needs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from analysis.escaping import as_label, as_latex, as_markdown, as_typst, printable
from analysis.reporting.paper_tables import Cell, PaperTable
from analysis.reporting.tables import TEXT_WIDTH, latex_float

SLANTED = 6
"""Columns of a square table above which its heads are written upright on their side."""
MANY_COLUMNS = 12

_MARKS = {"⋆": r"\star", "∗": r"\ast", "†": r"\dagger", "‡": r"\ddagger"}


def write_latex(table: PaperTable, comments: Sequence[str] = ()) -> str:
    """Return a floating table with the caption above it; comments say how it was made."""
    turned = len(table.heads) > SLANTED and table.align[1:] == "r" * (len(table.heads) - 1)
    heads = [
        rf"\rotatebox{{90}}{{{as_latex(head)}}}" if turned and k else as_latex(head)
        for k, head in enumerate(table.heads)
    ]
    rows = []
    for i, row in enumerate(table.rows):
        if i in table.rules:
            rows.append(r"\midrule")
        rows.append("{}" + " & ".join(map(_latex_cell, row)) + r" \\")
    width = _turned_width(table) if turned else table.width
    return latex_float(
        "{}" + " & ".join(heads) + r" \\",
        rows,
        table.align,
        width=width,
        caption=table.caption,
        label=table.name,
        comments=comments,
        packages=("graphicx",) if turned else (),
    )


def _turned_width(table: PaperTable) -> int:
    first = max(len(row[0]) for row in table.rows)
    others = zip(*(row[1:] for row in table.rows), strict=True)
    return first + 2 + sum(max(map(len, column)) + 2 for column in others)


def _latex_cell(cell: Cell) -> str:
    text = as_latex(cell.text)
    if cell.bold and text:
        text = rf"\textbf{{{text}}}"
    return text + (f"$^{{{_MARKS.get(cell.mark, '')}}}$" if cell.mark else "")


def write_typst(table: PaperTable, comments: Sequence[str] = ()) -> str:
    """Return a figure with a table that Typst sets as it is."""
    remarks = [f"// {printable(line)}" for text in comments for line in text.splitlines() if line]
    turned = len(table.heads) > SLANTED and table.align[1:] == "r" * (len(table.heads) - 1)
    sides = {"l": "left", "c": "center", "r": "right"}
    align = ", ".join(sides[a] for a in table.align)
    heads = [
        f"rotate(-90deg, reflow: true)[{as_typst(head)}]" if turned and k else f"[{as_typst(head)}]"
        for k, head in enumerate(table.heads)
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
        f"  )) <tab-{as_label(table.name)}>]",
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
