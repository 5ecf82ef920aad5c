"""The colors that pages, reports, slides and pictures share, in light and in dark.

What is not data has inks; a system has one color everywhere, by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
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

MAX_COLORED = 12
"""Above that many systems color only what is selected or moves."""

# Okabe and Ito without black and yellow, which vanish on one of the two papers; then Tol's muted.
PALETTE: dict[Mode, tuple[str, ...]] = {
    "light": (
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
        "#882255", "#7A6A00", "#332288", "#AA4499", "#117733", "#6B7680",
    ),
    "dark": (
        "#4AA3DF", "#EE7733", "#26B88C", "#DB95BD", "#EDB13B", "#8CCDF2",
        "#D0648F", "#BFAE3E", "#9D92E8", "#D48AD0", "#6CBF7F", "#A7B0B8",
    ),
}  # fmt: skip


def system_colors(systems: Sequence[str], mode: Mode) -> dict[str, str]:
    """Return one color a system, by name and so the same everywhere; one for all above 12."""
    if len(systems) > MAX_COLORED:
        return dict.fromkeys(systems, INKS[mode].neutral)
    return dict(zip(sorted(systems), PALETTE[mode], strict=False))


def system_class(system: str, systems: Sequence[str]) -> str:
    """Return the class of a system's marks in a picture, to which `marks_css` gives its color.

    >>> system_class("b", ["b", "a"]), system_class("reference", ["b", "a"])
    ('s1', 'many')
    """
    if len(systems) > MAX_COLORED or system not in systems:
        return "many"
    return f"s{sorted(systems).index(system)}"


def marks_css(picture: str, strokes: Sequence[str]) -> str:
    """Return the rules that color a picture's marks by system: dots, and what has these classes."""
    rules = []
    for kind in ("many", *(f"s{place}" for place in range(MAX_COLORED))):
        lines = ", ".join(f"{picture} .{kind}.{stroke}" for stroke in strokes)
        rules.append(f"{picture} .{kind}.dot {{ fill: var(--{kind}); }}")
        rules.append(f"{lines} {{ stroke: var(--{kind}); }}")
    return "\n".join(rules) + "\n"


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
        "less": channels(ink.less), "problem": PROBLEM, "warning": WARNING, "many": ink.neutral,
        **{f"s{place}": color for place, color in enumerate(PALETTE[mode])},
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
