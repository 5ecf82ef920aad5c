"""The slides in the page, and the buttons that lead to them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from analysis.colors import css_variables
from analysis.reporting.deck.page import CSS, SCRIPT
from analysis.reporting.deck.slides import table_slide
from dashboard.design import Mode
from dashboard.session import decks, state
from dashboard.session.view import ViewContext

KEY = "deck"
SLIDES = {
    "overview": "standings",
    "standings": "standings",
    "head-to-head-figure": "matrix",
    "methods": "methods",
    "methods-figure": "methods",
    "agreement": "agreement",
    "what-if-radius": "radius",
    "plan": "next",
}
"""Results that have a slide in every deck, by the name of their downloads."""
LONGEST_NOTE = 240
"""Letters of a note: what fits at the foot of a slide."""
_SHOW = """
export default ({ parentElement, data, setTriggerValue }) => {
  let root = parentElement.querySelector(".podium-deck");
  if (!root) {
    root = document.createElement("div");
    root.className = "podium-deck";
    parentElement.appendChild(root);
  }
  const before = root.querySelector(".deck");
  const at = before ? Number(before.dataset.at) : data.start;
  if (root.shown !== data.html) {
    root.shown = data.html;
    root.innerHTML = data.html;
  }
  root.stop?.();
  root.stop = startDeck(root, at, (page) => setTriggerValue("evidence", page));
  if (!before) root.querySelector(".deck").focus({ preventScroll: true });
  return () => root.stop?.();
};
"""


def show_deck(slides: str, *, start: int, mode: Mode) -> None:
    """Show `deck_html`, at the slide ``start`` when it comes; keys turn its slides."""
    colors = " ".join(f"--{name}: {ink};" for name, ink in css_variables(mode).items())
    html = f"<style>:host {{ {colors} }} {CSS}</style>{slides}"

    def open_evidence() -> None:
        page = state.component_value(KEY, "evidence")
        if page:
            state.want_page(str(page))

    st.components.v2.component("podium_deck", js=SCRIPT + _SHOW)(
        key=KEY, data={"html": html, "start": start}, on_evidence_change=open_evidence
    )


def slide_of(name: str) -> str:
    """Return the key of a result's slide, under which its note is kept, by its downloads' name."""
    return SLIDES.get(name, f"result.{name}")


def note_button(context: ViewContext, name: str) -> None:
    """Offer to write a note on a result: it stands on the slide and in the report as well."""
    place, slide = (context.campaign.fingerprint, context.pair), slide_of(name)
    key = decks.note_key(place, slide, name)

    def write() -> None:
        decks.write_note(place, slide, str(state.chosen(key) or ""))

    with st.popover("Note", icon=":material/edit_note:", type="tertiary"):
        st.text_area(
            "Note",
            value=written_note(context, name),
            key=key,
            max_chars=LONGEST_NOTE,
            placeholder="Shown here, on the slide and in the report",
            on_change=write,
            height=100,
        )


def written_note(context: ViewContext, name: str) -> str:
    """Return the user's note on a result; empty where there is none."""
    place = (context.campaign.fingerprint, context.pair)
    return decks.arrangement(place).notes.get(slide_of(name), "")


def present_button(
    context: ViewContext, name: str, table: Callable[[], pd.DataFrame] | None
) -> None:
    """Offer to present a result: the page Present opens at its slide, which is added if needed."""
    if table is None and name not in SLIDES:
        return  # a slide of its own would be empty
    page, finding = state.session().finding
    address = state.session().address

    def present() -> None:
        slide = slide_of(name)
        if name not in SLIDES and table is not None:
            place = (context.campaign.fingerprint, context.pair)
            added = table_slide(slide, finding, table(), address, page, context.about)
            decks.hold_arrangement(place, decks.arrangement(place).adding(added))
        decks.want_slide(slide)
        state.choose_in_callback("share", "Slides")
        state.want_page("share")

    st.button(
        "Present",
        key=f"present.{name}",
        icon=":material/slideshow:",
        type="tertiary",
        help="Open the slides for a meeting at this result",
        on_click=present,
    )
