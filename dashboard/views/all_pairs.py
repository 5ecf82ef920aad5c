"""All pairs: every language pair by the same method on one screen, and a table over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from analysis.colors import Mode
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.files import plain_svg, svg_to_pdf, svg_to_png
from analysis.drawing.small_multiples import pair_svg, scale_words, small_multiples_svg
from analysis.escaping import as_html
from analysis.findings.language_pairs import (
    csv_frame,
    headings,
    pair_line,
    pairs_table,
    published_words,
    whole_certainty_words,
    whole_headline,
)
from analysis.languages import language_pair
from analysis.reporting.bundle import printed_pairs, whole_page
from analysis.reporting.csv_table import to_csv
from analysis.wording import capital, count, thousands
from dashboard.compute.rankings import is_whole, whole
from dashboard.registry import sections
from dashboard.session import state
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.tables.standings import pairs_columns
from dashboard.widgets.browser import card, grid, show_markup
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import File, file_downloads, headline, note, show_frame

KEY = "Bands: {levels}; dashes: cluster boundaries. A color is one system in all pictures."
TESTS = (
    "Adjacent pairs are tested with all pairs at once; a winner has a test of its own, and may win "
    "although the second is too close to call."
)


def show() -> None:
    """Show all standings, each as soon as it is there; a click goes to its pair."""
    context = require_campaign()
    with st.container(key="progress"):
        bar = st.empty()
    head = st.empty()
    if any(section.show_pairs(context, head) for section in sections("rule")):
        return
    place = st.empty()
    come: dict[str, PairResult] = {}

    def draw(result: PairResult) -> None:
        come[result.pair] = result
        with place.container():
            show_markup(_cards(context, come))

    if is_whole(context):
        results = whole(context)
    else:
        with head.container():
            _title(context, f"Ranking {count(len(context.campaign.pairs), 'language pair')}")
        results = whole(context, draw, progress_in(bar, "Ranking", unit="language pairs"))
    bar.empty()
    with head.container():
        _title(context, whole_headline(results))
    with place.container():
        whole_of = {result.pair: result for result in results}
        show_markup(_cards(context, whole_of), key="pairs", on_click=_open)
    sure = whole_certainty_words(results)
    official = context.certainty.is_official
    key = KEY.format(levels="clusters" if official else "tiers")
    tests = "" if official else TESTS
    scale = scale_words(results, context.ranker.score_label)
    words = (scale, key, tests, published_words(results), sure)
    note(" ".join(part for part in words if part))
    _show_table(context, results)


def _title(context: ViewContext, sentence: str) -> None:
    headline(context, "All language pairs", sentence, of_pair=False)


def _cards(context: ViewContext, results: Mapping[str, PairResult]) -> str:
    """Return a card for each pair, in the campaign's order; empty where none has come yet."""
    cards = []
    chosen = context.name(context.highlighted) if context.highlighted else ""
    for pair in context.campaign.pairs:
        found = results.get(pair)
        line = "" if found is None else as_html(capital(pair_line(found)))
        picture = "" if found is None else pair_svg(found, chosen)
        cards.append(card(as_html(language_pair(pair)), line, picture, as_html(pair)))
    return grid(context.mode, cards)


def _show_table(context: ViewContext, results: Sequence[PairResult]) -> None:
    def open_row() -> None:
        for row in state.selected_rows("table.pairs"):
            _open(results[row].pair)

    table = pairs_table(results)
    show_frame(
        table.style.format({"judgments": _whole}, na_rep=""),
        pairs_columns(table, headings(results)),
        height="content",
        on_select=open_row,
        selection_mode="single-row",
        key="table.pairs",
    )
    note("Click a language pair, or tick its row, to open its standings.")
    _show_files(context, results)


def _whole(number: object) -> str:
    return "" if number != number else thousands(int(str(number).removesuffix(".0")))


def _show_files(context: ViewContext, results: Sequence[PairResult]) -> None:
    title, ranker, mode = context.label, context.ranker, context.mode

    def picture(mode: Mode = "light") -> str:
        return plain_svg(small_multiples_svg(results), mode=mode)

    files: list[File] = [
        ("CSV", "csv", "text/csv", lambda: to_csv(csv_frame(results))),
        ("LaTeX", "tex", "text/x-tex", lambda: printed_pairs(results, ranker)),
        ("Page", "html", "text/html", lambda: whole_page(title, results, ranker)),
        ("SVG", "svg", "image/svg+xml", lambda: picture(mode)),
        ("PDF", "pdf", "application/pdf", lambda: svg_to_pdf(picture(), title)),
        ("PNG", "png", "image/png", lambda: svg_to_png(picture())),
    ]
    file_downloads(f"{context.stem}-{ranker.name}-all-pairs", files, of_view=False)


def _open(pair: str) -> None:
    """Go to a pair's standings; a callback."""
    if len(require_campaign().campaign.pairs) > 1:
        state.choose_in_callback(state.PAIR, pair)
    state.want_page("result")
