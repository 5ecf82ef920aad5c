"""How figures look: one template in light and dark, one color a system, scales, alt text.

A builder begins with ``figure = go.Figure(...)``, or `sketch.Sketch` where it has many parts, and
ends with ``return finish(figure, mode,
title=…, alt=…, height=…)``. Text from data goes through `typography.as_html`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill

import plotly.graph_objects as go

from analysis.colors import PALETTE
from dashboard.design import DIVERGING, INKS, SEQUENTIAL, Mode, inks
from dashboard.figures.sketch import Part, Sketch
from dashboard.typography import as_html

FONT = '"Source Sans", "Source Sans Pro", "Segoe UI", system-ui, sans-serif'
SMALL, NORMAL, LARGE = 12, 13, 16
"""Font sizes in pixels; nothing in a figure is smaller than 11."""
LABEL_GAP = 17
"""Least distance in pixels of labels in small type, from middle to middle."""


def _template(mode: Mode) -> go.layout.Template:
    ink = INKS[mode]
    axis = dict(
        showgrid=False,
        zeroline=False,
        linecolor=ink.strong_rule,
        gridcolor=ink.rule,
        tickfont=dict(size=SMALL, color=ink.quiet),
        title=dict(font=dict(size=NORMAL, color=ink.quiet), standoff=10),
        automargin=True,
    )
    return go.layout.Template(
        layout=dict(
            font=dict(family=FONT, size=NORMAL, color=ink.text),
            title=dict(font=dict(size=LARGE, color=ink.text), x=0, xanchor="left", pad=dict(l=0)),
            paper_bgcolor=ink.paper,
            plot_bgcolor="rgba(0,0,0,0)",
            colorway=list(PALETTE[mode]),
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
            separators=".\u202f",
        )
    )


TEMPLATES = {mode: _template(mode) for mode in INKS}
"""The Plotly template of all figures, made once: it takes as long as a figure."""


def finish(
    figure: go.Figure | Sketch,
    mode: Mode,
    *,
    alt: str,
    height: int,
    title: str = "",
    **layout: object,
) -> go.Figure:
    """Dress a figure: template, height, a title that says what it shows, and its alt text.

    A title may have several lines. The alt text and the mode travel in
    ``layout.meta``; `widgets.result_card.show_figure` and `figures.page` read them there.
    """
    layout |= dict(template=TEMPLATES[mode], height=height, meta=dict(alt=alt, mode=mode))
    if title:
        text = as_html(title).replace("\n", "<br>")
        # Plotly centers further lines on the first one's place.
        pad = dict(t=8 + 11 * title.count("\n"))
        layout["title"] = dict(text=text, y=1, yref="container", yanchor="top", pad=pad)
    figure.update_layout(**layout)
    return go.Figure(figure.whole()) if isinstance(figure, Sketch) else figure


def lay_on(figure: go.Figure, *, notes: Iterable[Part] = (), shapes: Iterable[Part] = ()) -> None:
    """Add annotations and shapes at once: Plotly copies all there are whenever it adds one."""
    layout = figure.layout
    figure.update_layout(
        annotations=[*layout.annotations, *notes], shapes=[*layout.shapes, *shapes]
    )


def in_lines(title: str, width: int = 64) -> str:
    """Break a title that is too long for a narrow window, at its semicolons first.

    >>> in_lines("online-B leads; five systems share places", 20)
    'online-B leads;\\nfive systems share\\nplaces'
    """
    if len(title) <= width:
        return title
    return "\n".join(fill(part, width) for part in title.replace("; ", ";\n").split("\n"))


def apart(pixels: Sequence[float]) -> list[float]:
    """Return rising places moved apart to `LABEL_GAP`, their middle left where it was.

    >>> apart([0, 100]), apart([50, 50])
    ([0, 100], [41.5, 58.5])
    """
    groups: list[list[float]] = []
    for pixel in pixels:
        groups.append([pixel])
        while len(groups) > 1 and _spread(groups[-2])[-1] + LABEL_GAP > _spread(groups[-1])[0]:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [place for group in groups for place in _spread(group)]


def _spread(group: Sequence[float]) -> list[float]:
    middle = sum(group) / len(group)
    if len(group) == 1:
        return list(group)
    return [middle + (k - (len(group) - 1) / 2) * LABEL_GAP for k in range(len(group))]


def alt_text(figure: go.Figure) -> str:
    """Return the alt text that `finish` put into a figure."""
    return str((figure.layout.meta or {}).get("alt", ""))


def paper(figure: go.Figure) -> str:
    """Return the color behind a figure, by its mode."""
    return inks((figure.layout.meta or {}).get("mode", "light")).paper
