"""What the browser does for a page: drawings that can be clicked, light or dark, copying, printing.

On a narrow screen the sidebar begins folded, since it would take a third of the page, and folds
again when a page is chosen there. A printed page is as wide as on the screen, so that no figure is
drawn anew while it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from analysis.colors import Mode, css_variables
from analysis.escaping import as_html
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


COPY_BUTTONS = """
<script>
  (() => {
    if (window.podiumCopies) return;
    window.podiumCopies = true;
    const fallBack = (text) => {
      // a page that comes neither by TLS nor from this machine has no clipboard of its own
      const area = document.createElement('textarea');
      area.value = text;
      document.body.appendChild(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done ? Promise.resolve() : Promise.reject();
    };
    document.addEventListener('click', (event) => {
      const button = event.target.closest?.('.podium-copy');
      if (!button) return;
      const text = button.parentElement.querySelector('code').textContent;
      const said = button.parentElement.querySelector('.podium-copied');
      const copy = navigator.clipboard ? navigator.clipboard.writeText(text) : fallBack(text);
      copy.then(() => 'Copied', () => 'Open it and copy it by hand').then((words) => {
        said.textContent = words;
        setTimeout(() => { said.textContent = ''; }, 2000);
      });
    });
  })();
</script>
"""
"""Lets every button that `folded` makes copy; it holds nothing from data."""


def folded(title: str, text: str, what: str) -> str:
    """Return a text folded under its title, beside an icon that copies it."""
    return (
        f'<div class="podium-signature"><button type="button" class="podium-copy" '
        f'title="Copy {as_html(what)}" aria-label="Copy {as_html(what)}"></button>'
        f"<details><summary>{as_html(title)}</summary><code>{as_html(text)}</code></details>"
        '<span class="podium-copied" role="status"></span></div>'
    )


KEEP_WIDTH = """
<script>
  (() => {
    if (window.podiumPrints) return;
    window.podiumPrints = true;
    window.addEventListener('beforeprint', () => {
      const block = document.querySelector('.stMainBlockContainer');
      if (!block) return;
      const style = getComputedStyle(block);
      const width =
        block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const root = document.documentElement.style;
      root.setProperty('--podium-width', width + 'px');
      root.setProperty('--podium-zoom', Math.min(1, 1030 / width));
    });
  })();
</script>
"""
"""Tells the rules for print in `design.CSS` how wide the page is; A4 across has 1,030 pixels."""
