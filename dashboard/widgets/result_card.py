"""The card of a result: the finding, the figure, the table, the signature, the downloads.

An error takes its place: what cannot be done, why, and what to do.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from pandas.io.formats.style import Styler

from analysis.drawing.svg import picture_file
from analysis.errors import PodiumError
from analysis.escaping import as_file_name, as_html, as_markdown
from analysis.languages import about
from analysis.ranking.ranking import Ranking
from analysis.reporting.csv_table import csv_file
from analysis.reporting.latex import write_latex
from analysis.reporting.paper_tables import PaperTable, frame_table
from analysis.wording import capital, claim_and_rest
from dashboard import compute
from dashboard.design import faded, inks
from dashboard.figures.theme import alt_text, as_exported, embolden, figure_page
from dashboard.session import state
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.tables.names import FULL, marked, with_short_names
from dashboard.widgets.browser import folded
from dashboard.widgets.deck import note_button, present_button, written_note
from dashboard.widgets.progress import progress_in

File = tuple[str, str, str, Callable[[], str | bytes]]
"""What a button says, the file's ending, its MIME type, and what makes it."""

SIDEBAR, FOLDED, PADDING = 360, 900, 40
"""Pixels of a window that the sidebar and the margins take, those up to which it begins folded, and
the margins alone."""
WHOLE_TABLE = 24
"""Rows of a table that stand on the page without scrolling inside it."""
CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["zoom2d", "pan2d", "select2d", "lasso2d", "autoScale2d", "toImage"],
}
"""A figure's own menu; files of it, without what is selected, are offered below it."""


def headline(
    context: ViewContext,
    page: str,
    sentence: str,
    *,
    of_method: bool = True,
    of_pair: bool = True,
    of_data: bool = True,
) -> None:
    """Begin a page: a quiet line of what this is about, then the finding in one sentence.

    ``of_method`` and ``of_pair`` are False where the page does not depend on the chosen one,
    ``of_data`` where it does not even depend on the campaign.
    """
    criterion = context.campaign.criterion * of_method
    of = about(page, context.pair * of_pair, criterion, context.ranker.title * of_method)
    state.session().finding = (page, sentence)
    sample = " podium-sample" * context.is_sample + " podium-simulated" * context.is_drawn
    sample *= of_data
    st.html(f'<p class="podium-eyebrow{sample}">{as_html(of)}</p>')
    heading(sentence)


def heading(sentence: str) -> None:
    """Write a page's finding as its heading, without a full stop; names stay as they are.

    Of a long one the claim is the heading, and the rest of it stands below.
    """
    short, rest = claim_and_rest(sentence)
    st.markdown(f"# {as_markdown(short)}")
    if rest:
        st.markdown(as_markdown(f"{capital(rest)}."))


def note(text: str) -> None:
    """Write a quiet line: what an interval is made of, what was approximated."""
    if text:
        st.html(f'<p class="podium-note">{as_html(text)}</p>')


def warn(text: str) -> None:
    """Write a line that is not quiet: what forbids to rely on what follows."""
    st.html(f'<div class="podium-finding podium-warning"><p>{as_html(text)}</p></div>')


def show_sentences(sentences: Sequence[str]) -> None:
    """Show sentences as a tight list."""
    items = "".join(f"<li>{as_html(sentence)}</li>" for sentence in sentences)
    st.html(f'<ul class="podium-list">{items}</ul>')


def show_figure(figure: go.Figure, key: str | None = None, **options: Any) -> Any:
    """Show a figure as it was built, with its alt text; ``options`` go to `st.plotly_chart`.

    One that needs room, ``layout.meta.min_width`` pixels, scrolls sideways in a narrow window
    instead of shrinking.
    """
    view = require_campaign()
    if view.highlighted:
        figure = go.Figure(figure)  # drawn figures are shared
        embolden(figure, view.name(view.highlighted))
    width = int((figure.layout.meta or {}).get("min_width", 0))
    name = (key or "preview").removeprefix("figure.")
    wide = f"wide-{name}".replace(".", "-")
    if width:
        st.html(
            f"<style>.st-key-{wide} {{ overflow-x: auto; }} "
            f".st-key-{wide} > div {{ min-width: {width}px; }} "
            f"@media {too_narrow(width)} {{ .st-key-{wide}::before {{ "
            "content: 'Scroll sideways →'; position: sticky; left: 0; font-size: 12px; } }</style>"
        )
    config = {**CONFIG, **options.pop("config", {})}
    with st.container(key=wide) if width and key else contextlib.nullcontext():
        return st.plotly_chart(
            figure, key=key, theme=None, config=config, alt=alt_text(figure) or None, **options
        )


def too_narrow(width: int) -> str:
    """Return in which windows a figure of that width scrolls; the sidebar is folded in small ones.

    >>> too_narrow(600)
    '(max-width: 640px), (min-width: 901px) and (max-width: 960px)'
    """
    folded_ = f"(max-width: {min(width + PADDING, FOLDED)}px)"
    return f"{folded_}, (min-width: {FOLDED + 1}px) and (max-width: {width + SIDEBAR}px)"


def signature(text: str) -> None:
    """Offer what is needed to make the numbers again, behind an icon that copies it."""
    st.html(folded("Signature", text, "what reproduces these numbers"))


def downloads(
    name: str,
    frame: pd.DataFrame | Callable[[], pd.DataFrame] | None = None,
    figure: go.Figure | None = None,
    caption: str = "",
    made_by: str = "",
    *,
    paper: PaperTable | None = None,
    of_view: bool = True,
    presents: bool = True,
) -> None:
    """Offer a table as CSV and LaTeX, a figure as HTML, SVG, PNG and PDF; made when clicked.

    ``name`` says what it is, unique on the page; the file's name tells of which view, too, unless
    ``of_view`` is False.

    A table that takes its time comes as what makes it; ``paper`` is the one for papers.
    ``presents`` is False where the result is not shown here.
    """
    files: list[File] = []
    if frame is not None:
        table = frame if callable(frame) else lambda: frame

        def printed() -> str:
            return write_latex(paper or frame_table(table(), 3, caption, name), [made_by])

        files += [
            ("CSV", "csv", "text/csv", lambda: csv_file(table(), made_by)),
            ("LaTeX", "tex", "text/x-tex", printed),
        ]
    context = require_campaign()
    written = written_note(context, name) if presents else ""
    if written:
        st.html(f'<p class="podium-own-note">{as_html(written)}</p>')
    with st.container(horizontal=True, gap="small"):
        file_downloads(name, files, of_view=of_view)
        if figure is not None:
            with st.container(key=f"figure.files.{name}", width="content"):
                figure_downloads(name, figure, caption or name, of_view=of_view)
        if presents:
            make = None if frame is None else frame if callable(frame) else lambda: frame
            note_button(context, name)
            present_button(context, name, make)


def figure_downloads(name: str, figure: go.Figure, title: str, *, of_view: bool = True) -> None:
    """Offer a figure as a page that can be zoomed, and as pictures for slides and papers."""
    saved = {"format": "png", "filename": require_campaign().file_name(name, ""), "scale": 3}
    config = {"displaylogo": False, "toImageButtonOptions": saved}
    files: list[File] = [
        ("HTML, to zoom", "html", "text/html", lambda: figure_page(figure, title, config)),
        ("SVG", "svg", "image/svg+xml", lambda: picture_file(as_exported(figure), "svg")),
        ("PNG, 300 dpi", "png", "image/png", lambda: picture_file(as_exported(figure), "png")),
        ("PDF", "pdf", "application/pdf", lambda: picture_file(as_exported(figure), "pdf", title)),
    ]
    with st.popover("Figure", icon=":material/download:", type="tertiary"):
        file_downloads(name, files, of_view=of_view, across=False)


def file_downloads(
    name: str, files: Sequence[File], *, of_view: bool = True, across: bool = True
) -> None:
    """Offer files in a row, or in a column, each made when clicked; ``name`` as in `downloads`."""
    stem = require_campaign().file_name(name, "") if of_view else as_file_name(name)
    with st.container(horizontal=across, gap="small", width="content"):
        for label, ending, mime, make in files:
            st.download_button(
                label,
                data=compute.fetched(make, mime, f"{stem}.{ending}"),
                file_name=f"{stem}.{ending}",
                mime=mime,
                key=f"download.{name}.{ending}",
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
            )


def show_frame(
    frame: pd.DataFrame | Styler, columns: Mapping[str, Any] | None = None, **options: Any
) -> Any:
    """Show a table as wide as the page, without numbers of rows; return what is selected in it."""
    return st.dataframe(frame, hide_index=True, width="stretch", column_config=columns, **options)


def highlighted(context: ViewContext, shown: pd.DataFrame | Styler) -> pd.DataFrame | Styler:
    """Return a table on the page with the rows of the highlighted system marked."""
    name = context.name(context.highlighted) if context.highlighted else ""
    return marked(shown, name, faded(inks(context.mode).less, 0.2))


def result_card(
    context: ViewContext,
    name: str,
    *,
    figure: go.Figure | None = None,
    frame: pd.DataFrame | None = None,
    columns: Mapping[str, Any] | None = None,
    formats: Mapping[str, Callable[[float], str]] | None = None,
    texts: Mapping[str, str] | None = None,
    made_by: str = "",
    caption: str = "",
    paper: PaperTable | None = None,
    words: str = "",
    final: bool = True,
) -> None:
    """Show figure, quiet line, table, signature and downloads of one result, in this order.

    ``name`` stands in the names of its downloads, unique on the page; ``columns`` the
    `st.column_config` of the table, ``formats`` how the page writes some of them, ``texts`` what it
    writes in their first row; ``made_by`` the signature where it is not the view's; ``words`` the
    quiet line. A preview (``final=False``) has no keys and no downloads.
    """
    if figure is not None:
        show_figure(figure, key=f"figure.{name}" if final else None)
    if words:
        note(words)
    if frame is not None:
        named = with_short_names(frame, context.short_names)
        shown = named.style.format(dict[str, Any](formats), na_rep="") if formats else named
        for column, text in (texts or {}).items():
            styled = shown if isinstance(shown, Styler) else shown.style
            shown = styled.format(partial(_instead, text), subset=([named.index[0]], [column]))
        columns = {FULL: None, **(columns or {})}
        clicks: dict[str, Any] = {}
        if final and "system" in frame:
            key, systems = f"table.{name}", list(frame["system"])
            clicks = dict(
                key=key, selection_mode="single-cell",
                on_select=lambda: state.highlight_clicked(context, key, systems),
            )  # fmt: skip
        show_frame(
            highlighted(context, shown),
            columns,
            **clicks,
            height="content" if len(frame) <= WHOLE_TABLE else "auto",
            placeholder="",
        )
    if final:
        signature(made_by or context.signature)
        made = made_by or context.signature
        downloads(name, frame, figure, caption, made, paper=paper)


def _instead(text: str, _: object) -> str:
    """Write a text in place of a value."""
    return text


def show_ranking(context: ViewContext, render: Callable[[Ranking, bool], None]) -> Ranking:
    """Show at once what is known, then all of it, in the same place.

    ``render(ranking, final)`` draws everything that depends on the ranking, with keyed widgets
    only where ``final``. Where resampling takes its time, the scores come first.
    """
    with st.container(key="progress"):
        bar = st.empty()
    place = st.empty()

    def draw(ranking: Ranking, final: bool) -> None:
        with place.container():
            render(ranking, final)

    if not compute.is_ranked(context) and compute.takes_time(context):
        draw(compute.preview(context), False)
        compute.ranking(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    bar.empty()
    ranking = compute.ranking(context)
    draw(ranking, True)
    return ranking


def explain(error: PodiumError, page: str = "") -> None:
    """Show an error in its three parts, as the heading of a ``page`` that has no other."""
    if page:
        st.html(f'<p class="podium-eyebrow">{as_html(page)}</p>')
    level = "#" if page else "####"
    st.markdown(f"{level} {as_markdown(error.where)}: {as_markdown(error.got.rstrip('.'))}.")
    if error.remedy:
        st.markdown(as_markdown(error.remedy))
