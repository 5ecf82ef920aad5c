"""Share: slides, report, tables and figures, and what reproduces them, in one place."""

from __future__ import annotations

import streamlit as st

from analysis.findings.result import result_headline
from analysis.ranking.ranking import Ranking
from dashboard.session import opened
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.share.exports import show_exports
from dashboard.views.share.papers import show_archives, show_paper_tables
from dashboard.views.share.report import pair_report, show_report
from dashboard.views.share.reproducing import show_making
from dashboard.views.share.slides import show_slides
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import headline, note, show_ranking

SLIDES, REPORT, PAPER, FILES, AGAIN = (
    "Slides", "Report", "For a paper", "Tables and figures", "Reproduce",
)  # fmt: skip


def show() -> None:
    """Show one kind of what can be carried away; all have the campaign's title."""
    context = require_campaign()
    head = st.empty()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        wanted = choose("Export", (SLIDES, REPORT, PAPER, FILES, AGAIN), "share")
        opened.ask_title(context.campaign)

    def render(ranking: Ranking, final: bool) -> None:
        with head.container():
            headline(context, "Share", result_headline(ranking, context.name))
        if final:
            _show(context, ranking, wanted)
        else:
            note("Exports follow when all resamples are done.")

    show_ranking(context, render)


def _show(context: ViewContext, ranking: Ranking, wanted: str) -> None:
    if wanted == SLIDES:
        show_slides(context)
    elif wanted == REPORT:
        show_report(context, ranking)
    elif wanted == PAPER:
        show_paper_tables(context, ranking)
        st.markdown("## Methods paragraph")
        _show_paragraph(context, ranking)
    elif wanted == FILES:
        show_archives(context, ranking)
        show_exports(context, ranking)
    else:
        show_making(context, ranking)


def _show_paragraph(context: ViewContext, ranking: Ranking) -> None:
    paragraph = pair_report(context, ranking).paragraph
    words = {"Text": paragraph.plain, "LaTeX": paragraph.latex, "BibTeX": paragraph.bibtex}
    form = choose("Form", words, "form", label_visibility="collapsed")
    st.code(words[form], language=None, wrap_lines=True)
    if form == "LaTeX":
        note("This text needs the package natbib; BibTeX has the entries of all its keys.")
