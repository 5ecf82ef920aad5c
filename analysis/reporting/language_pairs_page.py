"""A whole campaign as one page: the finding, all standings side by side, the table."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.comparing.language_pairs import PairResult
from analysis.drawing.small_multiples import scale_words, small_multiples_svg
from analysis.findings.language_pairs import (
    HEADINGS,
    pairs_table,
    what_is_open_in,
    who_leads,
    whole_certainty_words,
    whole_headline,
)
from analysis.languages import language_pair
from analysis.rankers import Ranker
from analysis.reporting.document import Block, Picture, Table, Words, html_page
from analysis.reporting.latex import to_latex
from analysis.wording import EN_DASH, count, fixed, thousands

COLUMNS = ("pair", "systems", "judgments", "judges", "kappa", "clusters", "first", "open")
TEXT = (0, 6, 7)
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
        Table(tuple(HEADINGS[name] for name in COLUMNS), tuple(map(_cells, results)), TEXT),
        *(Words(f"{language_pair(r.pair)}: {r.problem}", "quiet") for r in results if r.problem),
        Words("Signatures of the numbers", "h2"),
        Words("\n".join(ranking.signature for ranking in ranked), "pre"),
    ]


def whole_page(title: str, results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return it as one HTML page."""
    return html_page(title, [whole_blocks(title, results, ranker)], wide=True)


def _cells(result: PairResult) -> tuple[str, ...]:
    judgments, ranking = result.judgments, result.ranking
    clusters = None if ranking is None else ranking.n_clusters
    return (
        language_pair(result.pair),
        EN_DASH if judgments is None else thousands(judgments.n_systems),
        EN_DASH if judgments is None else thousands(len(judgments)),
        EN_DASH if result.n_judges is None else thousands(result.n_judges),
        fixed(result.kappa),
        EN_DASH if clusters is None else str(clusters),
        who_leads(result),
        what_is_open_in(result),
    )


def printed_pairs(results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return the table of all language pairs for a paper."""
    return to_latex(
        pairs_table(results).rename(columns=HEADINGS),
        caption=f"Results of {count(len(results), 'language pair')} by {ranker.title}.",
        label="language-pairs",
    )
