"""The slides of a meeting, one message each, and files to carry away."""

from __future__ import annotations

import streamlit as st

from analysis.reporting.deck.page import deck_file, deck_pdf
from analysis.reporting.deck.powerpoint import deck_pptx
from analysis.reporting.deck.slides import arrange
from dashboard.compute.deck import deck as deck_of
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.views.share.arranging import show_arranging
from dashboard.widgets.deck import show_deck
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import File, file_downloads, note

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
KEYS = (
    "Arrow keys, Page Up and Page Down, Space or a clicker turn the slides. F is full screen. "
    "N hides and shows the systems' names. Click the evidence at the foot of a slide to open its "
    "page."
)


def show_slides(context: ViewContext) -> None:
    """Show the deck, what changes it, and its files."""
    bar = st.empty()
    whole = deck_of(context, progress_in(bar, "Ranking", of=context.certainty.runs))
    bar.empty()
    place = (context.campaign.fingerprint, context.pair)
    shown = arrange(whole, state.arrangement(place))
    top = st.container()
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        anonymous = st.toggle(
            "Hide the systems' names",
            key="anonymous",
            bind="query-params",
            persist_state="session",
            help="Systems get letters at random. N shows the names, in the HTML file as well; PDF "
            "and PowerPoint then have none.",
        )
        files: list[File] = [
            ("Slides as HTML", "html", "text/html", lambda: deck_file(shown, anonymous=anonymous)),
            ("PDF", "pdf", "application/pdf", lambda: deck_pdf(shown, anonymous=anonymous)),
            ("PowerPoint", "pptx", PPTX, lambda: deck_pptx(shown, anonymous=anonymous)),
        ]
        if shown.slides:
            file_downloads("slides", files)
    with top:
        if shown.slides:
            wanted = state.take_wanted_slide()
            keys = [slide.key for slide in shown.slides]
            start = keys.index(wanted) if wanted in keys else 0
            show_deck(shown, anonymous=anonymous, start=start, mode=context.mode)
        else:
            note("Every slide is cut. Bring one back below.")
    note(KEYS)
    show_arranging(whole, place)
