"""A whole campaign as one page: the finding, all standings side by side, the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.comparing.language_pairs import PairResult
from analysis.drawing.small_multiples import scale_words, small_multiples_svg
from analysis.findings.language_pairs import (
    headings,
    pairs_table,
    whole_certainty_words,
    whole_headline,
)
from analysis.rankers import Ranker
from analysis.reporting.document import Block, Picture, Table, Words, html_page
from analysis.reporting.latex import to_latex
from analysis.wording import EN_DASH, count, fixed, thousands

TEXT = ("pair", "first", "open")
"""Columns of words."""


def whole_blocks(title: str, results: Sequence[PairResult], ranker: Ranker) -> list[Block]:
    """Return what is said of a whole campaign: finding, all standings, table."""
    ranked = [result.ranking for result in results if result.ranking is not None]
    sure = whole_certainty_words(results)
    return [
        Words(f"{title} · {ranker.title}", "quiet"),
        Words(whole_headline(results), "h1"),
        Picture(small_multiples_svg(results)),
        Words(f"{scale_words(results, ranker.score_label)} {sure}", "quiet"),
        _table(results),
        Words("Signatures of the numbers", "h2"),
        Words("\n".join(ranking.signature for ranking in ranked), "pre"),
    ]


def whole_page(title: str, results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return it as one HTML page."""
    return html_page(title, [whole_blocks(title, results, ranker)], wide=True)


def _table(results: Sequence[PairResult]) -> Table:
    table, named = pairs_table(results), headings(results)
    names = [str(name) for name in table]
    rows = [tuple(_cell(name, row[name]) for name in names) for row in table.to_dict("records")]
    words = tuple(k for k, name in enumerate(names) if name in TEXT)
    return Table(tuple(named[name] for name in names), tuple(rows), words)


def _cell(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return EN_DASH
    return fixed(value) if name == "kappa" else thousands(value)


def printed_pairs(results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return the table of all language pairs for a paper."""
    return to_latex(
        pairs_table(results).rename(columns=headings(results)),
        caption=f"Results of {count(len(results), 'language pair')} by {ranker.title}.",
        label="language-pairs",
    )
