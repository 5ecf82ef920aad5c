"""A drawing of our own in the page, whose parts can be clicked; and turning the page by code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboard.session import state

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
