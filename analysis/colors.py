"""The colors that pages, reports, slides and pictures share, in light and in dark.

What is not data has inks; a system has one color everywhere, by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
PAGE_INKS = Inks(
    text="var(--text)", quiet="var(--quiet)", rule="var(--rule)", strong_rule="var(--strong)",
    border="var(--rule)", band="var(--band)", paper="var(--paper)", panel="var(--band)",
    accent="var(--mark)", less="var(--problem)", neutral="var(--many)", nothing="var(--band)",
)  # fmt: skip
"""The colors of a picture that takes them from the page that shows it."""
PROBLEM, WARNING = "#D55E00", "#E69F00"
"""Vermilion and orange of Okabe and Ito, on either paper."""

CIVIDIS = (
    "#00224E", "#123570", "#3B496C", "#575D6D", "#707173",
    "#8A8678", "#A59C74", "#C3B369", "#E1CC55", "#FEE838",
)  # fmt: skip
SEQUENTIAL = tuple((k / (len(CIVIDIS) - 1), color) for k, color in enumerate(CIVIDIS))
"""For amounts."""
SEQUENTIAL_DARK = tuple((k / 4, color) for k, color in enumerate(CIVIDIS[:5]))
"""The same on dark paper under white digits: it ends before its bright colors."""
DIVERGING = (
    (0.0, "#8A3A00"), (0.125, "#B75708"), (0.25, "#DB7F2E"), (0.375, "#F1B17C"),
    (0.48, "#F5EDE6"), (0.52, "#E6EEF5"), (0.625, "#97C0E0"), (0.75, "#5597CB"),
    (0.875, "#2570AC"), (1.0, "#0B4A80"),
)  # fmt: skip
"""Orange for less than half, blue for more; center it on 50% with zmin, zmax."""
DIVERGING_DARK = (
    (0.0, "#B4560A"), (0.25, "#8A4A1C"), (0.42, "#46301F"), (0.5, "#1F252B"), (0.58, "#1E3242"),
    (0.75, "#245478"), (1.0, "#2A75B3"),
)  # fmt: skip
"""The same on dark paper: the middle is near the paper, and white digits are read on all of it."""

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


Systems = Sequence[str] | Mapping[str, int]
"""Names of systems, or their places among the colors where several language pairs share them."""


def _places(systems: Systems) -> Mapping[str, int]:
    if isinstance(systems, Mapping):
        return systems
    first = MAX_COLORED if len(systems) > MAX_COLORED else 0
    return {name: place for place, name in enumerate(sorted(systems), first)}


def system_colors(systems: Systems, mode: Mode) -> dict[str, str]:
    """Return one color per system, by its place; places from 12 on have no color of their own."""
    neutral, palette = INKS[mode].neutral, PALETTE[mode]
    places = _places(systems).items()
    return {name: palette[k] if k < len(palette) else neutral for name, k in places}


def page_colors(systems: Systems) -> dict[str, str]:
    """Return the variables of a page that hold the colors of systems, by name.

    >>> page_colors(["b", "a"])
    {'b': 'var(--s1)', 'a': 'var(--s0)'}
    """
    return {name: f"var(--{system_class(name, systems)})" for name in systems}


def faded(color: str, share: float) -> str:
    """Return a #RRGGBB color, or a page's variable, at that opacity.

    >>> faded("#0072B2", .25), faded("var(--s1)", .25)
    ('rgba(0,114,178,0.25)', 'rgba(var(--s1),0.25)')
    """
    solid = channels(color).replace(" ", "") if color.startswith("#") else color
    return f"rgba({solid},{share:g})"


def system_class(system: str, systems: Systems) -> str:
    """Return the class of a system's marks in a picture.

    >>> system_class("b", ["b", "a"]), system_class("reference", ["b", "a"])
    ('s1', 'many')
    """
    if system not in systems:
        return "many"
    place = _places(systems)[system]
    return f"s{place}" if place < MAX_COLORED else "many"


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
        "band": ink.band, "paper": ink.paper, "mark": ink.accent, "problem": PROBLEM,
        "warning": WARNING, "many": ink.neutral,
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
