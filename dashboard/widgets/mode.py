"""Light or dark: what the browser shows now, and a new run of the page when that changes."""

from __future__ import annotations

import streamlit as st

from dashboard.design import Mode

_WATCH = """
export default ({ setTriggerValue }) => {
  const app = document.querySelector(".stApp");
  const mode = () => getComputedStyle(app).colorScheme;
  let shown = mode();
  const watcher = new MutationObserver(() => {
    if (mode() !== shown) {
      shown = mode();
      setTriggerValue("mode", shown);
      // A run that began before the browser told the server of the change shows the old mode.
      setTimeout(() => setTriggerValue("mode", shown), 500);
    }
  });
  watcher.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  return () => watcher.disconnect();
};
"""


def browser_mode() -> Mode:
    """Return the browser's mode; figures are drawn in it, and anew when it changes."""
    st.components.v2.component("podium_mode", js=_WATCH)(key="mode", on_mode_change=lambda: None)
    return "dark" if st.context.theme.type == "dark" else "light"
