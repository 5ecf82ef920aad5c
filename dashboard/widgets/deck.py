"""The slides in the page, and the buttons that lead to them."""

from __future__ import annotations

import streamlit as st

from analysis.colors import css_variables
from analysis.reporting.deck.page import CSS, SCRIPT, deck_html
from analysis.reporting.deck.slides import Deck
from dashboard.design import Mode
from dashboard.session import state

KEY = "deck"
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


def show_deck(deck: Deck, *, anonymous: bool, start: int, mode: Mode) -> None:
    """Show the deck, at the slide ``start`` when it comes; keys turn its slides."""
    colors = " ".join(f"--{name}: {ink};" for name, ink in css_variables(mode).items())
    html = f"<style>:host {{ {colors} }} {CSS}</style>{deck_html(deck, anonymous=anonymous)}"

    def open_evidence() -> None:
        page = state.component_value(KEY, "evidence")
        if page:
            state.want_page(str(page))

    st.components.v2.component("podium_deck", js=SCRIPT + _SHOW)(
        key=KEY, data={"html": html, "start": start}, on_evidence_change=open_evidence
    )


def present_button(slide: str, key: str = "") -> None:
    """Offer to present: the page Present opens at this slide."""
    st.button(
        "Present",
        key=f"present.{key or slide}",
        icon=":material/slideshow:",
        type="tertiary",
        help="Open the slides for a meeting at this one",
        on_click=_present,
        args=(slide,),
    )


def _present(slide: str) -> None:
    state.want_slide(slide)
    state.want_page("present")
