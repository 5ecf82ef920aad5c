"""Tables in LaTeX; names from data stay text. It needs booktabs, and graphicx for wide tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.escaping import as_label, as_latex, printable
from analysis.reporting.paper_tables import Cell, PaperTable, frame_table

TEXT_WIDTH = 80
"""Characters of a line that fit a text block; a wider table is scaled down to it."""
PAGES = ((40, ""), (52, r"\footnotesize"), (62, r"\scriptsize"))
"""Rows that fit a page, by the size of the letters; further rows are counted, not printed."""
SHRUNK = r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"
"""Scales a table down to a line where it is wider, and never up."""

_MARKS = {"⋆": r"\star", "∗": r"\ast", "†": r"\dagger", "‡": r"\ddagger"}


def to_latex(
    frame: pd.DataFrame,
    *,
    decimals: int = 3,
    caption: str = "",
    label: str = "",
    comments: Sequence[str] = (),
) -> str:
    r"""Return a table of data for a paper, in the form of `frame_table`.

    >>> print(to_latex(pd.DataFrame({"system": ["a_b"], "score": [.5]})).splitlines()[5])
    a\_b & 0.500 \\
    """
    return write_latex(frame_table(frame, decimals, caption, label), comments)


def write_latex(table: PaperTable, comments: Sequence[str] = ()) -> str:
    """Return a table of a page at most; comments say how it was made, and what packages it needs.

    With a caption it floats, the caption above it. A table wider than a line is scaled down, and
    one longer than a page says how many rows it leaves out.
    """
    turned, wide = table.turned, table.width > TEXT_WIDTH
    heads = [
        rf"\rotatebox{{90}}{{{as_latex(head)}}}" if turned and k else as_latex(head)
        for k, head in enumerate(table.heads)
    ]
    n_rows, most = len(table.rows), PAGES[-1][0]
    kept = n_rows if n_rows <= most else most - 1
    rows: list[str] = []
    for i, row in enumerate(table.rows[:kept]):
        rows += [r"\midrule"] * (i in table.rules) + [_row([_cell(cell) for cell in row])]
    if kept < n_rows:
        more = f"and {n_rows - kept} more rows, all of them in the CSV file"
        rows.append(rf"\multicolumn{{{len(heads)}}}{{l}}{{{more}}} \\")
    size = next((size for rows_, size in PAGES if n_rows <= rows_), PAGES[-1][1])
    lines = [
        *([SHRUNK] if wide else []),
        rf"\begin{{tabular}}{{{table.align}}}",
        r"\toprule",
        _row(heads),
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}" + "}" * wide,
    ]
    if table.caption:
        title = rf"\caption{{{as_latex(table.caption)}}}"
        title += rf"\label{{tab:{as_label(table.name)}}}" if table.name else ""
        note = [r"\par\smallskip", rf"{{\footnotesize {as_latex(table.note)}\par}}"]
        inner = [r"\centering", title, *([size] if size else []), *lines]
        lines = [r"\begin{table}", *inner, *(note if table.note else []), r"\end{table}"]
    elif size:
        lines = [rf"{{{size}", *lines, "}"]
    needed = "booktabs, graphicx" if turned or wide else "booktabs"
    told = [rf"Needs \usepackage{{{needed}}}", *comments]
    remarks = [f"% {printable(line)}" for text in told if text for line in text.splitlines()]
    return "\n".join([*remarks, *lines]) + "\n"


def _row(cells: Sequence[str]) -> str:
    r"""Return cells of LaTeX as a row; a bracket or star would belong to the end of the row before.

    >>> print(_row(["a", "0.5"]), _row(["*a", "0.5"]))
    a & 0.5 \\ {}*a & 0.5 \\
    """
    row = " & ".join(cells)
    return ("{}" if row.lstrip()[:1] in ("[", "*") else "") + row + r" \\"


def _cell(cell: Cell) -> str:
    text = as_latex(cell.text)
    if cell.bold and text:
        text = rf"\textbf{{{text}}}"
    return text + (f"$^{{{_MARKS.get(cell.mark, '')}}}$" if cell.mark else "")
