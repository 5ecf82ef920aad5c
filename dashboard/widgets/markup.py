"""A drawing of our own in the page, whose parts can be clicked; and turning the page by code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from analysis.colors import Mode, css_variables
from dashboard.session import state

CARDS = """
.grid { display: grid; gap: .5rem .6rem; font: 400 .82rem/1.3 "Source Sans", sans-serif;
  grid-template-columns: repeat(auto-fill, minmax(238px, 1fr)); color: var(--text); }
.card { all: unset; box-sizing: border-box; display: flex; flex-direction: column;
  border-radius: 8px; padding: .15rem .35rem; border: 1px solid transparent; }
button.card { cursor: pointer; }
button.card:hover, button.card:focus-visible { border-color: var(--strong); }
.card b { font-size: .95rem; font-weight: 600; }
.card span { color: var(--quiet); margin-bottom: .15rem; }
.card svg { width: 100%; height: auto; max-width: 300px; overflow: visible;
  font-family: "Source Sans", sans-serif; }
"""
_SHOW = """
export default ({ parentElement, data, setTriggerValue }) => {
  let root = parentElement.querySelector(".podium-markup");
  if (!root) {
    root = document.createElement("div");
    root.className = "podium-markup";
    parentElement.appendChild(root);
  }
  root.innerHTML = data.html;
  root.onclick = (event) => {
    const part = event.target.closest("[data-value]");
    if (part) setTriggerValue("clicked", part.dataset.value);
  };
};
"""
_GO = """
export default ({ data }) => {
  const links = document.querySelectorAll('[data-testid="stPageLink-NavLink"]');
  for (const link of links)
    if (new URL(link.href).pathname.endsWith("/" + data.to)) return void link.click();
};
"""


def card(title: str, line: str, picture: str, value: str | None = None) -> str:
    """Return a small picture under a title and a line; with a ``value`` it can be clicked."""
    tag, told = ("div", "") if value is None else ("button", f' data-value="{value}"')
    return f'<{tag} class="card"{told}><b>{title}</b><span>{line}</span>{picture}</{tag}>'


def grid(mode: Mode, cards: Iterable[str]) -> str:
    """Return cards side by side in the colors of a mode, for `show_markup`."""
    colors = " ".join(f"--{name}: {ink};" for name, ink in css_variables(mode).items())
    style = f"<style>:host {{ {colors} }} {CARDS}</style>"
    return f'{style}<div class="grid">{"".join(cards)}</div>'


def show_markup(html: str, *, key: str = "", on_click: Callable[[str], None] | None = None) -> None:
    """Show HTML in which text from data is escaped already; Streamlit's own would drop pictures.

    A click into an element with ``data-value`` calls ``on_click`` with it, before the next run.
    """

    def clicked() -> None:
        value = state.component_value(key, "clicked")
        if value is not None and on_click is not None:
            on_click(str(value))

    mount = st.components.v2.component("podium_markup", js=_SHOW)
    keyed: dict[str, Any] = dict(key=key, on_clicked_change=clicked) if key else {}
    mount(data={"html": html}, **keyed)


def turn_page(current: str, earlier: Mapping[str, str]) -> None:
    """Turn to the page that a callback asked for; only the browser can, and keep the session.

    ``earlier`` are addresses of earlier versions, each with the page that it leads to.
    """
    wanted = state.take_wanted_page()
    wanted = earlier.get(wanted, wanted)
    if wanted and wanted != current:
        st.components.v2.component("podium_go", js=_GO)(key=f"go.{wanted}", data={"to": wanted})
