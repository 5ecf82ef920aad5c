"""Light or dark, wide or narrow: what the browser shows, and a new run when that changes.

On a narrow screen the sidebar begins folded, since it would take a third of the page, and folds
again when a page is chosen there.
"""

from __future__ import annotations

import streamlit as st

from dashboard.design import Mode
from dashboard.session import state

_WATCH = """
export default ({ setTriggerValue, data }) => {
  const app = document.querySelector(".stApp");
  let shown = data.mode;
  const tell = () => {
    const now = getComputedStyle(app).colorScheme;
    if (now === shown || !["light", "dark"].includes(now)) return;
    shown = now;
    setTriggerValue("mode", shown);
  };
  const watcher = new MutationObserver(tell);
  watcher.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  tell();
  const window_ = matchMedia("(max-width: 900px)");
  const isFolded = () => document.querySelector(".stSidebar").dataset.collapsed === "true";
  const choices = () => Object.keys(localStorage).filter(k => k.startsWith("stSidebarCollapsed-"));
  const press = (button) => document.querySelector(`[data-testid=${button}`)?.click();
  let folded = false;
  const forget = () => folded && choices().forEach(k => localStorage.removeItem(k));
  const fold = () => {
    // Streamlit folds it below 769 pixels only, and keeps every click for the next visit
    if (window_.matches && !choices().length && !isFolded()) {
      press("stSidebarCollapseButton] button");
      folded = true;
    } else if (!window_.matches && folded) {
      if (isFolded()) press("stExpandSidebarButton]");
      forget();
      folded = false;
    }
  };
  const leave = () => isFolded() && forget();
  const foldAfterLink = (event) => {
    if (!window_.matches || !event.target.closest(".stSidebar a")) return;
    press("stSidebarCollapseButton] button");
    folded = true;
  };
  let narrow = data.narrow;
  const measure = () => {
    fold();
    if (window_.matches === narrow) return;
    narrow = window_.matches;
    setTriggerValue("narrow", narrow ? "yes" : "no");
  };
  window_.addEventListener("change", measure);
  window.addEventListener("pagehide", leave);
  document.addEventListener("click", foldAfterLink);
  measure();
  return () => {
    watcher.disconnect();
    window_.removeEventListener("change", measure);
    window.removeEventListener("pagehide", leave);
    document.removeEventListener("click", foldAfterLink);
  };
};
"""


def browser_mode() -> Mode:
    """Return the browser's mode; figures are drawn in it and for its width, anew on a change.

    What the watcher tells counts more than what Streamlit knows, which learns of a change later.
    """
    told = st.components.v2.component("podium_mode", js=_WATCH)(
        key="mode",
        data={"mode": _known(), "narrow": state.session().is_narrow},
        on_mode_change=lambda: None,
        on_narrow_change=lambda: None,
    )
    if width := getattr(told, "narrow", None):
        state.session().is_narrow = width == "yes"
    changed = getattr(told, "mode", None)
    if changed in ("light", "dark"):
        state.session().mode = changed
    return _known()


def _known() -> Mode:
    return "dark" if (state.session().mode or st.context.theme.type) == "dark" else "light"
