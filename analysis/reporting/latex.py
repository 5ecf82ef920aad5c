"""Tables in LaTeX; names from data stay text. It needs booktabs, and graphicx for wide tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.escaping import as_label, as_latex, printable
from analysis.names import short_names
from analysis.reporting.paper_tables import Cell, PaperTable
from analysis.wording import as_score, interval, is_p_value, p_number, thousands

TEXT_WIDTH = 80
"""Characters of a line that fit a text block; a wider table is scaled down to it."""
PAGES = ((40, ""), (52, r"\footnotesize"), (62, r"\scriptsize"))
"""Rows that fit a page, by the size of the letters; further rows are counted, not printed."""
SHRUNK = r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"
"""Scales a table down to a line where it is wider, and never up."""
NAMED = frozenset(("system", "row", "column", "upper", "lower", "better", "worse", "a", "b"))
"""Columns of systems' names."""

_WMT_FORM = ("score", "rank_best", "rank_worst", "system", "cluster")
SLANTED = 6
"""Columns of a square table above which its heads are written upright on their side."""

_MARKS = {"⋆": r"\star", "∗": r"\ast", "†": r"\dagger", "‡": r"\ddagger"}


def to_latex(
    frame: pd.DataFrame,
    *,
    decimals: int = 3,
    caption: str = "",
    label: str = "",
    comments: Sequence[str] = (),
) -> str:
    r"""Return a table for a paper; a comment in it says which packages it needs.

    With a caption it floats, the caption above. Standings have the form of WMT's tables: score,
    range of ranks, name, and a line between clusters. The heads of a square table are its rows'
    numbers. Systems have their short names. A table wider than a line is scaled down, and one
    longer than a page says how many rows it leaves out.

    >>> print(to_latex(pd.DataFrame({"system": ["a_b"], "score": [.5]})).splitlines()[5])
    a\_b & 0.500 \\
    """
    frame, starts = _paper_form(frame)
    columns = [_text_cells(frame.iloc[:, k], decimals) for k in range(frame.shape[1])]
    cells = [list(row) for row in zip(*columns, strict=True)]
    heads = [str(name) for name in frame.columns]
    widths = [max(map(len, column)) + 2 for column in zip(heads, *cells, strict=True)]
    alignment = "".join(
        "r" if pd.api.types.is_numeric_dtype(frame.iloc[:, k]) else "l" for k in range(len(heads))
    )
    rows: list[str] = []
    for row, starts_cluster in zip(cells, starts, strict=True):
        rows += [r"\midrule"] * bool(starts_cluster and rows) + [_latex_row(row)]
    return latex_float(
        _latex_row(heads),
        rows,
        alignment,
        width=sum(widths),
        caption=caption,
        label=label,
        comments=comments,
    )


def latex_float(
    heads: str,
    rows: Sequence[str],
    alignment: str,
    *,
    width: int,
    caption: str = "",
    label: str = "",
    comments: Sequence[str] = (),
    packages: Sequence[str] = (),
    note: str = "",
) -> str:
    """Return rows of LaTeX as a table of a page at most: scaled to a line where it is wide.

    A ``note`` stands small below a table that floats. ``width`` is the characters of its widest
    line. With a caption it floats. ``packages`` are those that its cells need.
    """
    needed = ["booktabs", *packages]
    n_rows = sum(row != r"\midrule" for row in rows)
    size = next((size for most, size in PAGES if n_rows <= most), PAGES[-1][1])
    lines = [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        heads,
        r"\midrule",
        *_on_one_page(rows, len(alignment)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if width > TEXT_WIDTH:
        needed.append("graphicx")
        lines = [SHRUNK, *lines[:-1], lines[-1] + "}"]
    if caption:
        title = rf"\caption{{{as_latex(caption)}}}"
        title += rf"\label{{tab:{as_label(label)}}}" if label else ""
        below = [r"\par\smallskip", rf"{{\footnotesize {as_latex(note)}\par}}"] if note else []
        inner = [r"\centering", title, *([size] if size else []), *lines, *below]
        lines = [r"\begin{table}", *inner, r"\end{table}"]
    elif size:
        lines = [rf"{{{size}", *lines, "}"]
    told = [f"Needs \\usepackage{{{', '.join(dict.fromkeys(needed))}}}", *comments]
    remarks = [f"% {printable(line)}" for text in told if text for line in text.splitlines()]
    return "\n".join([*remarks, *lines]) + "\n"


def _on_one_page(rows: Sequence[str], n_columns: int) -> list[str]:
    """Return the rows that fit a page, and how many more there are."""
    places = [k for k, row in enumerate(rows) if row != r"\midrule"]
    most = PAGES[-1][0]
    if len(places) <= most:
        return list(rows)
    more = f"and {len(places) - most + 1} more rows, all of them in the CSV file"
    words = rf"\multicolumn{{{n_columns}}}{{l}}{{{more}}} \\"
    return [*rows[: places[most - 1]], words]


def _paper_form(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[bool]]:
    """Return a table as papers have it, and which rows begin a cluster."""
    whole = [False] * len(frame)
    if {*_WMT_FORM} <= {*frame.columns}:
        return _standings(frame), list(frame["cluster"].ne(frame["cluster"].shift()).fillna(False))
    names = [str(name) for name in frame.iloc[:, 0]] if frame.shape[1] else []
    if len(names) > 1 and [str(name) for name in frame.columns[1:]] == names:
        shown = frame.copy()
        short = short_names(names)
        first = [f"{k} {short[name]}" for k, name in enumerate(names, 1)]
        shown.isetitem(0, np.array(first, dtype=object))
        shown.columns = [str(frame.columns[0]), *map(str, range(1, len(names) + 1))]
        return shown, whole
    shown = _with_short_names(frame)
    words = [str(name).replace("_", " ") for name in frame.columns]
    return shown.set_axis(words, axis=1), [False] * len(shown)


def _with_short_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with short names of systems; of two orders of a pair the first one."""
    columns = [name for name in frame.columns if name in NAMED]
    if not all(pd.api.types.is_string_dtype(frame[name]) for name in columns):
        return frame
    if {"row", "column"} <= {*columns}:
        pairs = [frozenset(both) for both in zip(frame["row"], frame["column"], strict=True)]
        frame = frame[~pd.Series(pairs, index=frame.index, dtype=object).duplicated()]
    systems = {str(name) for column in columns for name in frame[column] if not pd.isna(name)}
    short = short_names(sorted(systems))
    return frame.assign(**{name: frame[name].map(lambda s: short.get(s, s)) for name in columns})


def _standings(frame: pd.DataFrame) -> pd.DataFrame:
    """Return standings as score, range of ranks, short name, and what else there is."""
    short = short_names(list(frame["system"]))
    ranges = [
        "–" if pd.isna(low) else str(low) if low == high else f"{low}–{high}"
        for low, high in zip(frame["rank_best"], frame["rank_worst"], strict=True)
    ]
    return pd.DataFrame(
        {
            **({"tier": frame["tier"]} if "tier" in frame else {}),
            "score": frame["score"],
            **({"CI": _intervals(frame)} if {"tier", "ci_low", "ci_high"} <= {*frame} else {}),
            "range": ranges,
            "system": [short[name] for name in frame["system"]],
        }
    )


def _intervals(frame: pd.DataFrame) -> list[str]:
    write = as_score(frame["score"])
    return [interval(*ends, write) for ends in zip(frame["ci_low"], frame["ci_high"], strict=True)]


def _latex_row(cells: Sequence[str]) -> str:
    return latex_row([as_latex(cell) for cell in cells])


def latex_row(cells: Sequence[str]) -> str:
    r"""Return cells of LaTeX as a row; a bracket or star would belong to the end of the row before.

    >>> print(latex_row(["a", "0.5"]), latex_row(["*a", "0.5"]))
    a & 0.5 \\ {}*a & 0.5 \\
    """
    row = " & ".join(cells)
    return ("{}" if row.lstrip()[:1] in ("[", "*") else "") + row + r" \\"


def _text_cells(column: pd.Series, decimals: int) -> list[str]:
    if is_p_value(column.name):
        return [p_number(float(value)) for value in column]
    if column.name == "score" and pd.api.types.is_float_dtype(column):
        return [as_score(column)(float(value)) for value in column]
    return [_text_cell(value, decimals) for value in column]


def _text_cell(value: object, decimals: int) -> str:
    if value is pd.NA or value is None or value != value:
        return "–"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return thousands(int(value)).replace("-", "−")
    if isinstance(value, float):
        return f"{value:.{decimals}f}".replace("-", "−")
    return str(value)


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
        rows.append(latex_row([_latex_cell(cell) for cell in row]))
    width = _turned_width(table) if turned else table.width
    return latex_float(
        latex_row(heads),
        rows,
        table.align,
        width=width,
        caption=table.caption,
        label=table.name,
        comments=comments,
        packages=("graphicx",) if turned else (),
        note=table.note,
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
