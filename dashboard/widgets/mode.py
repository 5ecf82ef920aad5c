"""Light or dark: what the browser shows now, and a new run of the page when that changes."""

from __future__ import annotations

import streamlit as st

from dashboard.design import Mode
from dashboard.session import state

_WATCH = """
export default ({ setTriggerValue }) => {
  const app = document.querySelector(".stApp");
  const mode = () => getComputedStyle(app).colorScheme;
  let shown = mode();
  const watcher = new MutationObserver(() => {
    if (mode() !== shown) {
      shown = mode();
      setTriggerValue("mode", shown);
    }
  });
  watcher.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  return () => watcher.disconnect();
};
"""


def browser_mode() -> Mode:
    """Return the browser's mode; figures are drawn in it, and anew when it changes.

    What the watcher tells counts more than what Streamlit knows, which learns of a change later.
    """
    told = st.components.v2.component("podium_mode", js=_WATCH)(
        key="mode", on_mode_change=lambda: None
    )
    changed = getattr(told, "mode", None)
    if changed in ("light", "dark"):
        state.hold_mode(changed)
    known = state.mode() or st.context.theme.type
    return "dark" if known == "dark" else "light"
