"""The slides of a meeting, one message each, and files to carry away."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.reporting.deck.page import deck_file, deck_html, deck_pdf
from analysis.reporting.deck.powerpoint import deck_pptx
from analysis.reporting.deck.slides import Arrangement, Deck, arrange
from dashboard import compute
from dashboard.compute.deck import deck as deck_of
from dashboard.session import decks, state
from dashboard.session.view import ViewContext
from dashboard.widgets.deck import LONGEST_NOTE, show_deck
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import File, file_downloads, note

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
KEYS = (
    "Arrow keys, Page Up and Page Down, Space or a clicker turn the slides. F is full screen. "
    "N hides and shows the systems' names. Click the foot of a slide to open its page."
)


def show_slides(context: ViewContext) -> None:
    """Show the deck, what changes it, and its files."""
    bar = st.empty()
    whole = deck_of(context, progress_in(bar, "Ranking", of=context.certainty.runs))
    bar.empty()
    place = (context.campaign.fingerprint, context.pair)
    wanted, arrangement = decks.take_wanted_slide(), decks.arrangement(place)
    if wanted in arrangement.cut_of(whole):
        arrangement = arrangement.shown(wanted, True, whole)
        decks.hold_arrangement(place, arrangement)
    shown = arrange(whole, arrangement)
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
            keys = [slide.key for slide in shown.slides]
            start = keys.index(wanted) if wanted in keys else 0
            made_of = (context.label, context.ranker, context.certainty, repr(arrangement))
            slides = compute.remember(
                context,
                ("slides", *made_of, anonymous),
                lambda: deck_html(shown, anonymous=anonymous),
            )
            show_deck(slides, start=start, mode=context.mode)
        else:
            note("All slides are hidden. Restore one below.")
    note(KEYS)
    show_arranging(whole, place)


def show_arranging(deck: Deck, place: tuple[str, str]) -> None:
    """Show a row per slide: whether it is shown, up and down, a note."""
    arrangement = decks.arrangement(place)
    slides = arrange(deck, arrangement, with_cut=True).slides
    keys = [slide.key for slide in slides]

    def key_of(what: str, key: str) -> str:
        return f"deck.{what}.{place[1]}.{key}"

    def hold(changed: Arrangement) -> None:
        decks.hold_arrangement(place, changed)

    def show_or_cut(key: str) -> None:
        hold(arrangement.shown(key, bool(state.chosen(key_of("show", key))), deck))

    def move(key: str, step: int) -> None:
        hold(arrangement.moved(key, step, keys))

    def write(key: str) -> None:
        hold(arrangement.noted(key, str(state.chosen(key_of("note", key)) or "")))

    def start_over() -> None:
        hold(Arrangement())
        for key in keys:
            state.choose_in_callback(key_of("show", key), key not in deck.optional)
            state.choose_in_callback(key_of("note", key), "")

    with st.expander("Arrange slides and add notes", icon=":material/view_agenda:"):
        for k, slide in enumerate(slides):
            title, up, down, noted = st.columns([6, 1, 1, 5], vertical_alignment="center")
            title.checkbox(
                f"**{slide.what}** · {as_markdown(deck.plain(slide.title))}",
                value=slide.key not in arrangement.cut_of(deck),
                key=key_of("show", slide.key),
                on_change=show_or_cut,
                args=(slide.key,),
            )
            for column, word, icon, step in (
                (up, "Up", ":material/arrow_upward:", -1),
                (down, "Down", ":material/arrow_downward:", 1),
            ):
                column.button(
                    "",
                    key=key_of(word.lower(), slide.key),
                    icon=icon,
                    help=word,
                    disabled=not 0 <= k + step < len(slides),
                    on_click=move,
                    args=(slide.key, step),
                )
            noted.text_input(
                "Note",
                value=arrangement.notes.get(slide.key, ""),
                key=key_of("note", slide.key),
                placeholder="Note at the foot of the slide",
                label_visibility="collapsed",
                max_chars=LONGEST_NOTE,
                on_change=write,
                args=(slide.key,),
            )
        st.button(
            "Start over",
            key="deck.reset",
            type="tertiary",
            disabled=arrangement == Arrangement(),
            on_click=start_over,
        )
