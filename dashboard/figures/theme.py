"""How figures look: one template in light and dark, one color a system, scales, alt text.

A builder begins with ``figure = go.Figure(...)`` and ends with ``return finish(figure, mode,
title=…, alt=…, height=…)``, or it returns what `analysis.drawing` made ``as_figure``. Text from
data goes through `analysis.escaping.as_html`.

`figure_page` makes a figure a file of its own: one HTML page that contains all it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from analysis.colors import INKS, Mode, faded
from analysis.drawing.cells import NAME_WIDTH
from analysis.drawing.look import LARGE as LARGE
from analysis.drawing.look import NORMAL as NORMAL
from analysis.drawing.look import SELECTION, template
from analysis.drawing.look import SMALL as SMALL
from analysis.drawing.look import in_lines as in_lines
from analysis.drawing.sketch import Part, heading
from analysis.escaping import as_html
from analysis.names import middle_cut

LABEL_GAP = 17
"""Least distance in pixels of labels in small type, from middle to middle."""

TEMPLATES = {mode: go.layout.Template(template(mode)) for mode in INKS}
"""The Plotly template of all figures, made once: it takes as long as a figure."""


def finish(
    figure: go.Figure,
    mode: Mode,
    *,
    alt: str,
    height: int,
    title: str = "",
    **layout: object,
) -> go.Figure:
    """Dress a figure: template, height, a title that says what it shows, and its alt text.

    A title may have several lines. The alt text and the mode travel in
    ``layout.meta``; `widgets.result_card.show_figure` and `figure_page` read them there.
    """
    layout |= dict(template=TEMPLATES[mode], height=height, meta=dict(alt=alt, mode=mode))
    figure.update_layout(**layout, **heading(title))
    return figure


def as_figure(drawing: Mapping[str, Any], mode: Mode) -> go.Figure:
    """Return what `analysis.drawing` made as Plotly's figure."""
    layout = {**drawing["layout"], "template": TEMPLATES[mode]}
    return go.Figure(dict(data=drawing["data"], layout=layout))


def as_exported(figure: go.Figure) -> dict[str, Any]:
    """Return a figure as JSON without what marks a selection on the page."""
    drawing: dict[str, Any] = figure.to_plotly_json()
    layout = drawing["layout"]
    shapes = [shape for shape in layout.get("shapes", ()) if shape.get("name") != SELECTION]
    traces = [trace for trace in drawing["data"] if trace.get("name") != SELECTION]
    return dict(data=traces, layout=layout | dict(shapes=shapes))


def embolden(figure: go.Figure, name: str) -> None:
    """Write a system's name, cut or whole, in bold on the axes of a figure."""
    shown = {as_html(name), as_html(middle_cut(name, NAME_WIDTH))}
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        if axis.ticktext is not None:
            axis.ticktext = [f"<b>{text}</b>" if text in shown else text for text in axis.ticktext]


def lay_on(figure: go.Figure, *, notes: Iterable[Part] = (), shapes: Iterable[Part] = ()) -> None:
    """Add annotations and shapes at once: Plotly copies all there are whenever it adds one."""
    layout = figure.layout
    figure.update_layout(
        annotations=[*layout.annotations, *notes], shapes=[*layout.shapes, *shapes]
    )


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


def name_ends(
    figure: go.Figure,
    ends: Iterable[tuple[float, str, str]],
    reach: Sequence[float],
    pixels: float,
    yaxis: str = "y",
) -> None:
    """Write each name in its color where its curve ends, moved apart where names would overlap.

    ``ends`` are values with name and color, ``reach`` the ends of an axis of so many ``pixels``.
    """
    known = sorted((end for end in ends if end[0] == end[0]), key=lambda end: end[0])
    per_pixel = (reach[1] - reach[0]) / pixels
    heights = [(value - reach[0]) / per_pixel for value, _, _ in known]
    for (value, name, color), height, place in zip(known, heights, apart(heights), strict=True):
        figure.add_annotation(
            text=as_html(name), xref="paper", yref=yaxis, x=1, y=value, ax=26,
            ay=height - place, axref="pixel", ayref="pixel", xanchor="left", showarrow=True,
            arrowhead=0, arrowwidth=1, arrowcolor=faded(color, 0.6), standoff=2,
            font=dict(size=SMALL, color=color), align="left",
        )  # fmt: skip


def alt_text(figure: go.Figure) -> str:
    """Return the alt text that `finish` put into a figure."""
    return str((figure.layout.meta or {}).get("alt", ""))


def paper(figure: go.Figure) -> str:
    """Return the color behind a figure, by its mode."""
    return INKS[(figure.layout.meta or {}).get("mode", "light")].paper


def figure_page(figure: go.Figure, title: str, config: Mapping[str, Any]) -> str:
    """Return a page with the figure, its text for those who cannot see it, and Plotly itself.

    The page is as light or dark as the figure, and loads nothing from anywhere.
    """
    exported = go.Figure(as_exported(figure))
    drawing = exported.to_html(full_html=False, include_plotlyjs=True, config=dict(config))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{as_html(title)}</title>
<style>body {{ margin: 1rem; background: {paper(figure)}; }}</style>
</head>
<body>
<main role="img" aria-label="{as_html(alt_text(figure))}">
{drawing}
</main>
</body>
</html>
"""
