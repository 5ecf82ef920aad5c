"""How pictures look: letters, sizes, colors, and the template under Plotly's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

from analysis.colors import (
    DIVERGING,
    INKS,
    PAGE_INKS,
    PALETTE,
    SEQUENTIAL,
    Inks,
    Mode,
)

FONT = '"Source Sans", "Source Sans Pro", "Segoe UI", system-ui, sans-serif'
SMALL, NORMAL, LARGE = 12, 13, 16
"""Font sizes in pixels; nothing in a figure is smaller than 11."""


SELECTION = "selection"
"""The name of what marks a selection on a page, which no export shows."""


@dataclass(frozen=True)
class Sizes:
    """Pixels of a picture's parts; ``name`` is the most letters of a name.

    ``left`` is the room for names and ``width`` the whole picture's; if None, names take what they
    need and the figure is as wide as its page. ``dense`` rows come above ``many`` systems.
    """

    row: float = 30
    dense: float = 22
    many: int = 25
    text: float = NORMAL
    small: float = SMALL
    dot: float = 10
    thin: float = 2
    thick: float = 6
    name: int = 28
    head: float = 34
    foot: float = 48
    left: float | None = None
    width: float | None = None


ON_PAGE = Sizes()
SMALL_MULTIPLE = Sizes(
    row=11, many=10**6, text=11, small=11, dot=6, thin=1.6, thick=3, name=16, head=2, foot=15,
    left=100, width=224,
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """What a scene does not say: colors of systems, light or dark, sizes.

    Without a ``mode`` the inks are the variables of the page that shows the picture. ``narrow``
    moves the columns of text below the names.
    """

    colors: Mapping[str, str] = field(default_factory=dict)
    mode: Mode | None = "light"
    sizes: Sizes = ON_PAGE
    narrow: bool = False

    @property
    def ink(self) -> Inks:
        return PAGE_INKS if self.mode is None else INKS[self.mode]

    def color(self, system: str) -> str:
        return self.colors.get(system, self.ink.neutral)


def template(mode: Mode | None) -> dict[str, Any]:
    """Return the Plotly template of all figures."""
    ink = PAGE_INKS if mode is None else INKS[mode]
    axis = dict(
        showgrid=False,
        zeroline=False,
        linecolor=ink.strong_rule,
        gridcolor=ink.rule,
        tickfont=dict(size=SMALL, color=ink.quiet),
        title=dict(font=dict(size=NORMAL, color=ink.quiet), standoff=10),
        automargin=True,
    )
    return dict(
        layout=dict(
            font=dict(family=FONT, size=NORMAL, color=ink.text),
            title=dict(font=dict(size=LARGE, color=ink.text), x=0, xanchor="left", pad=dict(l=0)),
            paper_bgcolor=ink.paper,
            plot_bgcolor="rgba(0,0,0,0)",
            colorway=list(PALETTE[mode or "light"]),
            colorscale=dict(
                sequential=[list(stop) for stop in SEQUENTIAL],
                diverging=[list(stop) for stop in DIVERGING],
            ),
            xaxis=axis,
            yaxis=axis,
            hoverlabel=dict(
                bgcolor=ink.paper,
                bordercolor=ink.strong_rule,
                font=dict(family=FONT, size=NORMAL, color=ink.text),
                align="left",
            ),
            showlegend=False,
            margin=dict(l=8, r=8, t=8, b=8),
            dragmode=False,
            separators=".,",
        )
    )


def in_lines(title: str, width: int = 72) -> str:
    """Break a title that is too long for a narrow window, at its semicolons first.

    >>> in_lines("online-B leads; five systems share places", 20)
    'online-B leads;\\nfive systems share\\nplaces'
    """
    if len(title) <= width:
        return title
    parts = title.replace("; ", ";\n").split("\n")
    return "\n".join(fill(part, width, break_on_hyphens=False) for part in parts)
