"""Tables in the forms that overview papers of campaigns print, in LaTeX, Typst and Markdown.

`official` makes them of results as `PaperTable`, `writers` turns a table into text, `workbook` and
`bundle` gather everything into one file.
"""

from __future__ import annotations

from analysis.reporting.paper.official import (
    head_to_head_table,
    kappa_table,
    ranking_table,
    reordering_table,
)
from analysis.reporting.paper.paper_table import Cell, PaperTable
from analysis.reporting.paper.writers import FORMS, as_latex, as_markdown, as_typst

__all__ = [
    "FORMS",
    "Cell",
    "PaperTable",
    "as_latex",
    "as_markdown",
    "as_typst",
    "head_to_head_table",
    "kappa_table",
    "ranking_table",
    "reordering_table",
]
