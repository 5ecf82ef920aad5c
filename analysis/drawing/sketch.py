"""A figure while it is drawn: the plain parts of Plotly JSON, without Plotly.

Plotly's own figure checks and copies all its parts with every trace, note or axis that it is
given: ten to fifty times what making the whole at once takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.colors import Mode
from analysis.drawing.look import template
from analysis.escaping import as_html

Part = dict[str, Any]
"""A trace, a shape or a note, as Plotly takes them."""


class Sketch:
    """Traces, notes, shapes and axes of one or several panels.

    ``widths`` holds a row of panels each, from the top, with their shares of the width; ``heights``
    the rows' shares of the height; gaps are shares of the whole. Rows and columns count from 1.
    """

    def __init__(
        self,
        widths: Sequence[Sequence[float]] = ((1.0,),),
        heights: Sequence[float] = (1.0,),
        *,
        gap: float = 0.0,
        row_gap: float = 0.0,
    ) -> None:
        self._layout: Part = {}
        self._panels: dict[tuple[int, int], str] = {}
        self._traces: list[Part] = []
        self._notes: list[Part] = []
        self._shapes: list[Part] = []
        for row, (bottom, top) in enumerate(_parts(heights[::-1], row_gap)[::-1], start=1):
            for column, domain in enumerate(_parts(widths[row - 1], gap), start=1):
                number = "" if not self._panels else str(len(self._panels) + 1)
                self._panels[row, column] = number
                self._layout[f"xaxis{number}"] = dict(domain=domain, anchor=f"y{number}")
                self._layout[f"yaxis{number}"] = dict(domain=[bottom, top], anchor=f"x{number}")

    def add(self, traces: Iterable[Part], row: int = 1, column: int = 1) -> None:
        """Add traces, each with its type (a scatter where it names none), to a panel."""
        number = self._panels[row, column]
        axes = dict(xaxis=f"x{number}", yaxis=f"y{number}")
        self._traces += [{"type": "scatter", **trace, **axes} for trace in traces]

    def lay_on(
        self,
        *,
        notes: Iterable[Part] = (),
        shapes: Iterable[Part] = (),
    ) -> None:
        """Add annotations and shapes, which name their axes themselves."""
        self._notes += notes
        self._shapes += shapes

    def update_layout(self, **layout: object) -> None:
        """Set parts of the layout."""
        self._layout |= layout

    def update_xaxes(self, row: int | None = None, column: int | None = None, **axis: Any) -> None:
        """Set something of the horizontal axes of all panels, of a row or of a column."""
        for number in self._within(row, column):
            self._layout[f"xaxis{number}"] |= axis

    def update_yaxes(self, row: int | None = None, column: int | None = None, **axis: Any) -> None:
        """Set something of the vertical axes of all panels, of a row or of a column."""
        for number in self._within(row, column):
            self._layout[f"yaxis{number}"] |= axis

    def axes(self, row: int = 1, column: int = 1) -> tuple[str, str]:
        """Return what notes and shapes call the axes of a panel."""
        number = self._panels[row, column]
        return f"x{number}", f"y{number}"

    def corner(self, row: int = 1, column: int = 1) -> tuple[float, float]:
        """Return where a panel's upper left corner lies, as shares of the figure."""
        number = self._panels[row, column]
        return self._layout[f"xaxis{number}"]["domain"][0], self._layout[f"yaxis{number}"][
            "domain"
        ][1]

    def dressed(
        self,
        mode: Mode | None,
        *,
        alt: str,
        height: float,
        title: str = "",
        min_width: float = 0,
        width: float | None = None,
        **layout: object,
    ) -> Part:
        """Return the figure as Plotly JSON, with its template, its title and its alt text.

        Windows narrower than ``min_width`` pixels scroll. Without a ``mode`` the colors are the
        variables of a page.
        """
        meta = dict(alt=alt, mode=mode, min_width=round(min_width))
        dress = dict(template=template(mode), height=round(height), meta=meta) | heading(title)
        dress |= {} if width is None else dict(width=width)
        laid_on = dict(annotations=self._notes, shapes=self._shapes)
        return dict(data=self._traces, layout={**self._layout, **laid_on, **dress, **layout})

    def _within(self, row: int | None, column: int | None) -> Iterator[str]:
        for (r, c), number in self._panels.items():
            if row in (None, r) and column in (None, c):
                yield number


def heading(title: str) -> Part:
    """Return a layout's title of one or several lines; nothing for none."""
    if not title:
        return {}
    # Plotly centers further lines on the first one's place.
    pad = dict(t=8 + 11 * title.count("\n"))
    text = as_html(title).replace("\n", "<br>")
    return dict(title=dict(text=text, y=1, yref="container", yanchor="top", pad=pad))


def _parts(shares: Sequence[float], gap: float) -> list[list[float]]:
    """Return where parts of the given shares begin and end, with gaps between.

    >>> _parts([1, 3], 0.2)
    [[0.0, 0.2], [0.4, 1.0]]
    """
    room = (1 - gap * (len(shares) - 1)) / sum(shares)
    ends: list[list[float]] = []
    start = 0.0
    for share in shares:
        ends.append([round(start, 9), round(start + share * room, 9)])
        start += share * room + gap
    return ends
