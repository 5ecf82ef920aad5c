"""The few colors that a report and a page share: what is not data, in light and in dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mode = Literal["light", "dark"]


@dataclass(frozen=True)
class Inks:
    """Colors of everything that is not data, as #RRGGBB."""

    text: str
    quiet: str
    """Text that steps back: axes, notes."""
    rule: str
    strong_rule: str
    border: str
    """Around what can be typed into or pressed."""
    band: str
    paper: str
    panel: str
    """The paper of what stands beside the page."""
    accent: str
    less: str
    """The accent's counterpart, for shares under a half."""
    neutral: str
    """What marks a system where colors would be too many."""
    nothing: str
    """Cells where nothing was compared."""


INKS: dict[Mode, Inks] = {
    "light": Inks(
        text="#1B2229", quiet="#5A6672", rule="#E3E7EB", strong_rule="#97A1AB", border="#DDE2E7",
        band="#F4F6F8", paper="#FFFFFF", panel="#F6F8F9", accent="#1B5E9B", less="#B75708",
        neutral="#52708C", nothing="#EBEEF0",
    ),
    "dark": Inks(
        text="#E4E8EC", quiet="#A3AEB9", rule="#2A3138", strong_rule="#6C7782", border="#303840",
        band="#191F25", paper="#12161A", panel="#171C21", accent="#6FB1EA", less="#EE8C46",
        neutral="#8FB0CC", nothing="#262D33",
    ),
}  # fmt: skip
PROBLEM, WARNING = "#D55E00", "#E69F00"
"""Vermilion and orange of Okabe and Ito, on either paper."""


def channels(color: str) -> str:
    """Return red, green and blue of a #RRGGBB color as CSS lists them.

    >>> channels("#1B5E9B")
    '27, 94, 155'
    """
    return ", ".join(str(int(color[k : k + 2], 16)) for k in (1, 3, 5))


def css_variables(mode: Mode) -> dict[str, str]:
    """Return the colors that reports, slides and pictures ask for by name in their CSS."""
    ink = INKS[mode]
    return {
        "text": ink.text, "quiet": ink.quiet, "rule": ink.rule, "strong": ink.strong_rule,
        "band": ink.band, "paper": ink.paper, "mark": ink.accent, "more": channels(ink.accent),
        "less": channels(ink.less), "problem": PROBLEM, "warning": WARNING,
    }  # fmt: skip


COLORS_CSS = "\n".join(
    (
        ":root { color-scheme: light dark; %s }",
        "@media (prefers-color-scheme: dark) { :root { %s } }\n",
    )
) % tuple(
    " ".join(f"--{name}: {color};" for name, color in css_variables(mode).items()) for mode in INKS
)
"""Rules that give a page these colors, as light or dark as its reader's machine."""
