"""A whole campaign as one HTML page: the finding, all standings side by side, the table.

It loads nothing; names from data are text.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.colors import COLORS_CSS
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.small_multiples import scale_words, small_multiples_svg
from analysis.findings.certainty import certainty_words
from analysis.findings.language_pairs import what_is_open_in, who_leads, whole_headline
from analysis.rankers import Ranker
from analysis.reporting.report import CSS as PAGE_CSS
from analysis.wording import EN_DASH, as_html, fixed, language_pair, thousands

HEADS = (
    "Language pair", "Systems", "Judgments", "Judges", "κ, strict", "Clusters", "First",
    "Neighbors too close to call",
)  # fmt: skip
TEXT = (0, 6, 7)
"""Columns of words."""


def whole_page(title: str, results: Sequence[PairResult], ranker: Ranker) -> str:
    """Return the page; the same results give the same bytes."""
    ranked = [result.ranking for result in results if result.ranking is not None]
    sure = certainty_words(ranked[0].certainty) if ranked else ""
    about = f"{title} · {ranker.title}"
    words = f"{scale_words(results, ranker.score_label)} {sure}"
    problems = "".join(
        f'<p class="quiet">{as_html(f"{language_pair(r.pair)}: {r.problem}")}</p>\n'
        for r in results
        if r.problem
    )
    made = "\n".join(ranking.signature for ranking in ranked)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{as_html(title)}</title>\n<style>{COLORS_CSS}{PAGE_CSS}"
        "body { max-width: 72rem; }</style>\n"
        f'</head>\n<body>\n<main>\n<p class="quiet">{as_html(about)}</p>\n'
        f"<h1>{as_html(whole_headline(results))}</h1>\n{small_multiples_svg(results)}\n"
        f'<p class="quiet">{as_html(words)}</p>\n{_table(results)}{problems}'
        f"<h2>The same numbers again</h2>\n<pre>{as_html(made)}</pre>\n"
        "</main>\n</body>\n</html>\n"
    )


def _table(results: Sequence[PairResult]) -> str:
    heads = "".join(
        f'<th scope="col"{"" if place in TEXT else _NUMBER}>{head}</th>'
        for place, head in enumerate(HEADS)
    )
    rows = []
    for result in results:
        cells = _cells(result)
        rest = "".join(
            f"<td{'' if place in TEXT else _NUMBER}>{as_html(cell)}</td>"
            for place, cell in enumerate(cells)
            if place
        )
        rows.append(f'<tr><th scope="row">{as_html(cells[0])}</th>{rest}</tr>\n')
    return (
        f'<div class="scroll"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


_NUMBER = ' class="number"'


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
