"""A table of colored cells as a scene: head to head, counts, kappas, what survives a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray
from analysis.colors import DIVERGING, DIVERGING_DARK, INKS, SEQUENTIAL, SEQUENTIAL_DARK
from analysis.drawing.look import SELECTION, Look, in_lines
from analysis.drawing.sketch import Part, Sketch
from analysis.drawing.svg.lettering import text_width
from analysis.escaping import as_html
from analysis.names import middle_cut

Scale = Sequence[tuple[float, str]]

NAME_WIDTH, MOST_WITH_ALL_NAMES = 22, 70
HEAD, KEY, BAR = 44, 22, 90
"""Pixels above the names, of the key below the cells, and of a scale of colors."""


@dataclass(frozen=True, eq=False)
class Cells:
    """A scene of cells: one value, one text and the words of the mouse per cell.

    ``values`` are nan where a cell is empty. ``texts`` are written into cells, if there are any,
    else ``bar`` is the scale of colors beside them. ``boundaries`` are the rows, and columns, where
    a cluster begins; ``key`` says what cells and marks are; ``ids`` are what a click reports.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray
    words: Sequence[Sequence[str]]
    low: float
    high: float
    scale: Scale
    title: str
    alt: str
    texts: npt.NDArray[np.str_] | None = None
    bar: Mapping[str, Any] = field(default_factory=dict)
    boundaries: tuple[int, ...] = ()
    key: str = ""
    ids: tuple[str, ...] = ()

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Cells without a value off the diagonal of a square: gray, as nothing was compared."""
        empty = np.isnan(self.values)
        if self.ids or self.rows == self.columns:
            np.fill_diagonal(empty, False)
        return empty


def _key(scene: Cells, look: Look) -> Part:
    """Return the words below the cells, which say what marks mean."""
    return dict(
        text=as_html(scene.key).replace("\n", "<br>"), xref="paper", yref="paper", x=0, y=0,
        xanchor="left", yanchor="top", yshift=-8, showarrow=False, align="left",
        font=dict(size=look.sizes.small, color=look.ink.quiet),
    )  # fmt: skip


def cells_json(
    scene: Cells,
    look: Look,
    *,
    height: float,
    least: float,
    angle: int = -45,
    chosen: tuple[str, str] | None = None,
) -> Part:
    """Return the picture of cells as Plotly JSON; ``chosen`` frames the cell of two ids.

    A cell is ``height`` pixels high and ``least`` wide; names of columns are turned by an angle. A
    heatmap reports no clicks, so where cells have ids, invisible squares over them do.
    """
    (n_rows, n_columns), sizes = scene.values.shape, look.sizes
    sketch = Sketch()
    sketch.add(_traces(scene, look, height))
    _draw_boundaries(sketch, scene, look)
    if chosen is not None and set(chosen) <= set(scene.ids):
        sketch.lay_on(shapes=_frame(*(scene.ids.index(name) for name in chosen)))
    is_square = bool(scene.ids) or scene.rows == scene.columns
    rows = [middle_cut(name, NAME_WIDTH) if is_square else name for name in scene.rows]
    heads = [head if "\n" in head else middle_cut(head, NAME_WIDTH) for head in scene.columns]
    sketch.update_xaxes(
        **_names(heads, look, sizes.small), range=[-0.5, n_columns - 0.5], side="top",
        tickangle=angle, automargin=False,
    )  # fmt: skip
    sketch.update_yaxes(
        **_names(rows, look, sizes.small if is_square else sizes.text), range=[n_rows - 0.5, -0.5],
        ticklabelstandoff=6,
    )  # fmt: skip
    sketch.update_layout(hovermode="closest", hoverdistance=80)
    title = in_lines(scene.title)
    lines = [line for head in heads for line in head.split("\n")]
    widest = max((text_width(line, sizes.small) for line in lines), default=0)
    deep = {
        0: (1 + 4 / 3 * ("\n" in "".join(heads))) * sizes.small + 8,
        -45: 0.74 * widest + 8,
        -90: widest + 8,
    }[angle]
    top = (HEAD + 20 * title.count("\n") if title else 8) + round(deep)
    right = max(0.72 * widest if angle == -45 else 8, BAR if scene.texts is None else 0)
    foot = 12 + (KEY + 16 * scene.key.count("\n") if scene.key else 0) * sizes.small / 12
    sketch.lay_on(notes=[_key(scene, look)] if scene.key else [])
    label = max((text_width(name, sizes.text) for name in rows), default=0)
    return sketch.dressed(
        look.mode,
        title=title,
        alt=scene.alt,
        height=top + height * max(n_rows, 1) + foot,
        min_width=label + right + n_columns * least,
        width=look.sizes.width,
        margin=dict(l=8, r=right, t=top, b=foot),
    )


def _traces(scene: Cells, look: Look, height: float) -> list[Part]:
    n_rows, n_columns = scene.values.shape
    heat: Part = dict(
        type="heatmap", x=list(range(n_columns)), y=list(range(n_rows)), xgap=1, ygap=1
    )
    nothing = look.ink.nothing
    scale = scene.scale
    if look.mode == "dark" and scale == DIVERGING:
        scale = DIVERGING_DARK
    elif look.mode == "dark" and scale == SEQUENTIAL and scene.texts is not None:
        scale = SEQUENTIAL_DARK
    missing: Part = dict(
        z=[[1 if gone else None for gone in row] for row in scene.missing],
        colorscale=[[0, nothing], [1, nothing]],
        showscale=False,
        name="nothing known",
    )
    cells: Part = dict(
        z=[[None if np.isnan(v) else float(v) for v in row] for row in scene.values],
        colorscale=[list(stop) for stop in scale],
        zmin=scene.low,
        zmax=scene.high,
        showscale=scene.texts is None,
        colorbar=dict(thickness=12, outlinewidth=0, len=0.6) | dict(scene.bar),
    )
    if scene.texts is not None:
        texts = dict(
            text=scene.texts.tolist(), texttemplate="%{text}", textfont=dict(size=look.sizes.small)
        )
        cells |= texts
    if scene.ids:
        hidden = dict(hoverinfo="skip")
        return [heat | cells | hidden, _click_targets(scene, height), heat | missing | hidden]
    words = [list(row) for row in scene.words]
    hover: Part = dict(customdata=words, hovertemplate="%{customdata}<extra></extra>")
    return [heat | cells | hover, heat | missing | hover]


def _click_targets(scene: Cells, size: float) -> Part:
    """Return an invisible square for every cell, with what the mouse shows and a click reports."""
    places = [(i, j) for i in range(len(scene.ids)) for j in range(len(scene.ids))]
    return dict(
        x=[j for _, j in places],
        y=[i for i, _ in places],
        mode="markers",
        marker=dict(symbol="square", size=size, opacity=0),
        customdata=[[scene.ids[i], scene.ids[j]] for i, j in places],
        text=[scene.words[i][j] for i, j in places],
        hovertemplate="%{text}<extra></extra>",
    )


def _names(names: Sequence[str], look: Look, size: float) -> Part:
    """Return the ticks of an axis of names; of very many, every few."""
    every = -(-len(names) // MOST_WITH_ALL_NAMES) or 1
    return dict(
        tickmode="array",
        tickvals=list(range(0, len(names), every)),
        ticktext=[as_html(name).replace("\n", "<br>") for name in names[::every]],
        showline=False,
        ticks="",
        fixedrange=True,
        tickfont=dict(size=size, color=look.ink.text),
    )


def _draw_boundaries(sketch: Sketch, scene: Cells, look: Look) -> None:
    """Draw a thin line, down and across, wherever the next cluster begins."""
    rule: Part = dict(type="line", line=dict(color=look.ink.text, width=1.2), opacity=0.8)
    for start in scene.boundaries:
        at, ends = start - 0.5, (-0.5, len(scene.rows) - 0.5)
        down = dict(rule, x0=at, x1=at, y0=ends[0], y1=ends[1])
        sketch.lay_on(shapes=[down, dict(rule, y0=at, y1=at, x0=ends[0], x1=ends[1])])


def _frame(row: int, column: int) -> list[Part]:
    """Return a frame around a cell that is seen on every color."""
    edges: Part = dict(x0=column - 0.5, x1=column + 0.5, y0=row - 0.5, y1=row + 0.5)
    paper, text = INKS["light"].paper, INKS["light"].text
    return [
        dict(edges, type="rect", name=SELECTION, line=dict(color=color, width=width))
        for color, width in ((paper, 6), (text, 2.5))
    ]
