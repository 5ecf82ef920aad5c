"""A whole figure as SVG: its margins, grid, traces, axes, shapes, notes and scale of colors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from analysis.reporting.drawing import FAMILY, svg_to_pdf, svg_to_png
from analysis.wording import as_html
from dashboard.design import INKS
from dashboard.figures.theme import alt_text, paper
from dashboard.figures.vector.axes import Axis, axes_of, label_width, set_ranges, write_number
from dashboard.figures.vector.lettering import (
    block_height,
    block_width,
    plain,
    text,
    turned_size,
)
from dashboard.figures.vector.marks import DASH, draw, scaled

WIDTH = 1000
"""Pixels of a picture's width, unless its figure needs more."""
STANDOFF, TICK, GAP, BAR = 4, 5, 10, 86
"""Pixels between labels and panel, of a tick, before a title, and beside for a scale of colors."""


def picture_file(figure: go.Figure, form: str, title: str = "") -> bytes:
    """Return a figure as ``svg``, ``png`` (300 dots an inch) or ``pdf``."""
    svg = figure_svg(figure)
    if form == "svg":
        return svg.encode()
    return svg_to_pdf(svg, title) if form == "pdf" else svg_to_png(svg)


def figure_svg(figure: go.Figure) -> str:
    """Return a figure as an SVG that stands alone; the same figure gives the same bytes."""
    return _Picture(figure).svg()


class _Picture:
    """The measures of one figure, and what is drawn by them."""

    def __init__(self, figure: go.Figure) -> None:
        self.figure, self.layout = figure, figure.layout
        self.template = figure.layout.template.layout
        meta = figure.layout.meta or {}
        self.width = max(WIDTH, int(meta.get("min_width", 0)))
        self.height = float(figure.layout.height or 450)
        self.ink = str(self.template.font.color or INKS["light"].text)
        self.size = float(self.template.font.size or 12)
        self.paper = paper(figure)
        self.axes = axes_of(figure)
        set_ranges(figure, self.axes)
        self.left = self.top = self.right = self.bottom = 0.0
        self._set_margins()

    def svg(self) -> str:
        label = as_html(alt_text(self.figure))
        wide, high = f"{self.width:g}", f"{self.height:g}"
        clip = "".join(
            f'<clipPath id="{name}"><rect x="{min(x.place):.2f}" y="{min(y.place):.2f}" '
            f'width="{abs(x.place[1] - x.place[0]):.2f}" '
            f'height="{abs(y.place[1] - y.place[0]):.2f}"/></clipPath>'
            for name, x, y in self._panels()
        )
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
            f'width="{wide}" height="{high}" role="img" aria-label="{label}" '
            f"font-family=\"'{FAMILY}', sans-serif\">",
            f"<defs>{clip}</defs>",
            f'<rect width="{wide}" height="{high}" fill="{self.paper}"/>',
            *self._backgrounds(),
            *self._shapes("below"),
            *self._grid(),
            *self._traces(),
            *self._axis_words(),
            *self._shapes("above"),
            *self._color_scale(),
            *self._notes(),
            *self._legend(),
            *self._title(),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    # Measures ---------------------------------------------------------------------------------

    def _set_margins(self) -> None:
        """Set the margins: those asked for, or more where labels need more; then all places."""
        given, usual = self.layout.margin, self.template.margin

        def margin(side: str) -> float:
            own = given[side]
            return float(own if own is not None else usual[side] if usual[side] is not None else 8)

        self.left, self.right, self.top, self.bottom = (margin(side) for side in "lrtb")
        self._place()
        for axis in self.axes.values():
            if axis.is_shown and axis.said("automargin"):
                self._make_room(axis)
        if any(_has_scale(trace) for trace in self.figure.data):
            self.right = max(self.right, BAR) + 8
        self._place()

    def _make_room(self, axis: Axis) -> None:
        words = axis.layout.title.text
        title = block_height(words, self.size) + GAP if words else 0.0
        if axis.letter == "y":
            need = (label_width(axis, plain) if axis.has_labels else 0.0) + title
            need += STANDOFF + float(axis.layout.ticklabelstandoff or 0) + 8
            begins = self._partner(axis).domain[0] == self._first_panel()
            if axis.side == "left" and begins:
                self.left = max(self.left, need)
            elif axis.side == "right":
                self.right = max(self.right, need)
            return
        angle = self._angle(axis)
        high_label = max(
            (turned_size(t, axis.size, angle)[1] for _, t in axis.ticks()), default=0.0
        )
        need = (high_label if axis.has_labels else 0.0) + title + STANDOFF + 4
        if axis.side == "bottom":
            self.bottom = max(self.bottom, need)
        else:
            self.top = max(self.top, need)

    def _first_panel(self) -> float:
        """Return where the first panel begins; a y axis further right has no margin."""
        return min(axis.domain[0] for axis in self.axes.values() if axis.letter == "x")

    def _place(self) -> None:
        inner = (self.width - self.left - self.right, self.height - self.top - self.bottom)
        for axis in self.axes.values():
            low, high = axis.domain
            if axis.letter == "x":
                axis.place = (self.left + inner[0] * low, self.left + inner[0] * high)
            else:
                foot = self.height - self.bottom
                axis.place = (foot - inner[1] * low, foot - inner[1] * high)

    def _panels(self) -> Iterator[tuple[str, Axis, Axis]]:
        """Yield each pair of axes that traces share."""
        pairs = {(t.xaxis or "x", t.yaxis or "y") for t in self.figure.data} or {("x", "y")}
        for x, y in sorted(pairs):
            yield f"panel-{x}{y}", self.axes[x], self.axes[y]

    def _partner(self, axis: Axis) -> Axis:
        """Return the axis that another one stands on."""
        other = "y" if axis.letter == "x" else "x"
        anchor = axis.layout.anchor
        if anchor and anchor != "free" and anchor in self.axes:
            return self.axes[anchor]
        for trace in self.figure.data:
            if (trace[f"{axis.letter}axis"] or axis.letter) == axis.name:
                return self.axes[trace[f"{other}axis"] or other]
        return self.axes[other]

    # Panels -----------------------------------------------------------------------------------

    def _backgrounds(self) -> Iterator[str]:
        color = self.layout.plot_bgcolor
        if color and not color.replace(" ", "").startswith("rgba(0,0,0,0"):
            for _, x, y in self._panels():
                yield _rect(*x.place, *y.place, f'fill="{color}"')

    def _grid(self) -> Iterator[str]:
        for axis in self.axes.values():
            if not axis.is_shown:
                continue
            across = self._partner(axis).place
            if axis.said("showgrid"):
                color = axis.said("gridcolor") or INKS["light"].rule
                for value, _ in axis.ticks():
                    yield _line(axis, axis.pixel(value), across, f'stroke="{color}"')
            if axis.said("showline"):
                color = axis.said("linecolor") or self.ink
                yield self._base_line(axis, across, f'stroke="{color}"')
            if axis.said("zeroline"):
                color = axis.said("zerolinecolor") or axis.said("gridcolor") or INKS["light"].rule
                yield _line(axis, axis.pixel(0), across, f'stroke="{color}"')

    def _base_line(self, axis: Axis, across: tuple[float, float], ink: str) -> str:
        at = across[1] if axis.side in ("top", "right") else across[0]
        a, b = axis.place
        if axis.letter == "x":
            return f'<line x1="{a:.2f}" x2="{b:.2f}" y1="{at:.2f}" y2="{at:.2f}" {ink}/>'
        return f'<line x1="{at:.2f}" x2="{at:.2f}" y1="{a:.2f}" y2="{b:.2f}" {ink}/>'

    def _traces(self) -> Iterator[str]:
        colors = list(self.template.colorway or (INKS["light"].accent,))
        for k, trace in enumerate(self.figure.data):
            x, y = self.axes[trace.xaxis or "x"], self.axes[trace.yaxis or "y"]
            drawn = "".join(draw(trace, x, y, colors[k % len(colors)], self.ink, self.paper))
            is_free = getattr(trace, "cliponaxis", None) is False or "text" in str(
                getattr(trace, "mode", "")
            )
            clip = "" if is_free else f' clip-path="url(#panel-{x.name}{y.name})"'
            yield f"<g{clip}>{drawn}</g>"

    # Axes -------------------------------------------------------------------------------------

    def _angle(self, axis: Axis) -> float:
        """Return how far labels are turned: as asked for, else where they would touch."""
        asked = axis.layout.tickangle
        if asked is not None:
            return float(asked)
        ticks = axis.ticks()
        if axis.letter == "y" or len(ticks) < 2:
            return 0.0
        room = abs(axis.place[1] - axis.place[0]) / len(ticks)
        return 0.0 if label_width(axis, plain) < 1.1 * room else -45.0

    def _axis_words(self) -> Iterator[str]:
        for axis in self.axes.values():
            if not axis.is_shown:
                continue
            across = self._partner(axis).place
            far = axis.side in ("top", "right")
            edge = across[1] if far else across[0]
            out = -1 if axis.side in ("top", "left") else 1
            depth = 0.0
            if axis.has_labels:
                angle = self._angle(axis)
                gap = STANDOFF + float(axis.layout.ticklabelstandoff or 0)
                if axis.layout.ticks == "outside":
                    gap += TICK
                for value, words in axis.ticks():
                    yield self._tick(axis, axis.pixel(value), edge + out * gap, words, angle, out)
                    wide, high = turned_size(words, axis.size, angle)
                    depth = max(depth, (high if axis.letter == "x" else wide) + gap)
            yield self._axis_title(axis, edge + out * depth, out)

    def _tick(self, axis: Axis, at: float, edge: float, words: str, angle: float, out: int) -> str:
        style: dict[str, Any] = dict(size=axis.size, color=axis.color)
        if axis.letter == "y":
            return text(words, edge, at, anchor="right" if out < 0 else "left", **style)
        if not angle:
            return text(words, at, edge, anchor="center",
                        valign="bottom" if out < 0 else "top", **style)  # fmt: skip
        half = axis.size * 0.6
        anchor = "left" if (out < 0) == (angle < 0) else "right"
        return text(words, at, edge + out * half, anchor=anchor, angle=angle, **style)

    def _axis_title(self, axis: Axis, edge: float, out: int) -> str:
        title = axis.layout.title
        if not title.text:
            return ""
        usual = axis.default.title
        style: dict[str, Any] = dict(
            size=float(title.font.size or usual.font.size or self.size),
            color=str(title.font.color or usual.font.color or self.ink),
        )
        middle = sum(axis.place) / 2
        if axis.letter == "x":
            return text(title.text, middle, edge + out * GAP / 2, anchor="center",
                        valign="bottom" if out < 0 else "top", **style)  # fmt: skip
        high = block_height(title.text, style["size"])
        at = edge + out * (GAP / 2 + high / 2)
        return text(title.text, at, middle, anchor="center", angle=-90, **style)

    # Shapes, notes, title ---------------------------------------------------------------------

    def _reference(self, ref: str | None, letter: str, value: Any) -> float:
        """Return the pixel of a place that is given on an axis, in its domain or on the paper."""
        ref = ref or letter
        if ref == "paper":
            if letter == "x":
                return self.left + (self.width - self.left - self.right) * float(value)
            return self.height - self.bottom - (self.height - self.top - self.bottom) * float(value)
        name, _, domain = ref.partition(" ")
        axis = self.axes[name]
        if domain:
            return axis.place[0] + (axis.place[1] - axis.place[0]) * float(value)
        # On a logarithmic axis, shapes have values and notes have exponents.
        return axis.at(value)

    def _is_outside(self, ref: str | None, letter: str, a: float, b: float) -> bool:
        """Return whether all of something stands beyond the ends of its axis."""
        axis = self.axes.get(ref or letter)
        if axis is None:
            return False
        low, high = sorted(axis.place)
        return max(a, b) < low - 1 or min(a, b) > high + 1

    def _shapes(self, layer: str) -> Iterator[str]:
        for shape in self.layout.shapes:
            if (shape.layer or "above") != layer or shape.visible is False:
                continue
            x0, x1 = (self._reference(shape.xref, "x", v) for v in (shape.x0, shape.x1))
            y0, y1 = (self._reference(shape.yref, "y", v) for v in (shape.y0, shape.y1))
            if self._is_outside(shape.xref, "x", x0, x1) or self._is_outside(
                shape.yref, "y", y0, y1
            ):
                continue
            wide = 2.0 if shape.line.width is None else float(shape.line.width)
            paint = ""
            if wide:
                paint = f'stroke="{shape.line.color or self.ink}" stroke-width="{wide:g}"'
                parts = DASH.get(shape.line.dash or "")
                if parts:
                    paint += f' stroke-dasharray="{" ".join(f"{p * wide:g}" for p in parts)}"'
            if shape.opacity is not None:
                paint += f' opacity="{shape.opacity:g}"'
            if shape.type == "line":
                yield (f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" {paint}/>')
            else:
                yield _rect(x0, x1, y0, y1, f'fill="{shape.fillcolor or "none"}" {paint}')

    def _notes(self) -> Iterator[str]:
        for note in self.layout.annotations:
            if note.visible is False or not note.text:
                continue
            x = self._note_place(note, "x")
            y = self._note_place(note, "y")
            if self._is_outside(note.xref, "x", x, x) or self._is_outside(note.yref, "y", y, y):
                continue
            x, y = x + float(note.xshift or 0), y - float(note.yshift or 0)
            size = float(note.font.size or self.size)
            color = str(note.font.color or self.ink)
            anchor = _anchor(note.xanchor, note.xref, note.x, ("left", "center", "right"))
            valign = _anchor(note.yanchor, note.yref, note.y, ("bottom", "middle", "top"))
            if note.showarrow is not False:
                tip = x, y
                if note.axref == "pixel" or note.ax is not None:
                    x, y = x + float(note.ax or 0), y + float(note.ay or 0)
                line = note.arrowcolor or color
                wide = float(note.arrowwidth or 1)
                yield (
                    f'<line x1="{tip[0]:.2f}" y1="{tip[1]:.2f}" x2="{x:.2f}" y2="{y:.2f}" '
                    f'stroke="{line}" stroke-width="{wide:g}"/>'
                )
                valign = "middle"
                x += 3 if anchor == "left" else 0
            if note.bgcolor:
                yield _under(note, x, y, size, anchor, valign)
            yield text(note.text, x, y, size=size, color=color, anchor=anchor, valign=valign,
                       angle=float(note.textangle or 0))  # fmt: skip

    def _note_place(self, note: Any, letter: str) -> float:
        ref, value = note[f"{letter}ref"], note[letter]
        name = (ref or letter).partition(" ")[0]
        axis = self.axes.get(name)
        if axis is not None and axis.is_log and ref != "paper" and " " not in (ref or ""):
            return axis.pixel(float(value))
        return self._reference(ref, letter, value)

    def _title(self) -> Iterator[str]:
        title = self.layout.title
        if title.text:
            usual = self.template.title.font
            size = float(title.font.size or usual.size or 16)
            color = str(title.font.color or usual.color or self.ink)
            yield text(title.text, 8, 8, size=size, color=color, valign="top")

    # Scales and legends -----------------------------------------------------------------------

    def _color_scale(self) -> Iterator[str]:
        trace = next((t for t in self.figure.data if _has_scale(t)), None)
        if trace is None:
            return
        bar, scale = trace.colorbar, trace.colorscale
        low, high = float(trace.zmin or 0), float(1 if trace.zmax is None else trace.zmax)
        inner = self.height - self.top - self.bottom
        length = float(bar.len or 1) * (1 if bar.lenmode == "pixels" else inner)
        above = 0.0 if bar.yanchor == "top" else (inner - length) / 2
        x, top = self.width - self.right + 16, self.top + above
        wide, steps = float(bar.thickness or 12), 60
        for k in range(steps):
            value = high - (high - low) * (k + 0.5) / steps
            y = top + length * k / steps
            yield (
                f'<rect x="{x:.2f}" y="{y:.2f}" width="{wide:g}" '
                f'height="{length / steps + 0.5:.2f}" fill="{scaled(scale, value, low, high)}"/>'
            )
        quiet: dict[str, Any] = dict(size=12, color=self.ink)
        yield text(str(bar.title.text or ""), x, top - 8, valign="bottom", **quiet)
        for value, words in _scale_ticks(bar, low, high):
            y = top + length * (high - value) / ((high - low) or 1)
            yield text(words, x + wide + 6, y, **quiet)

    def _legend(self) -> Iterator[str]:
        if not self.layout.showlegend:
            return
        named = [
            (k, t) for k, t in enumerate(self.figure.data) if t.name and t.showlegend is not False
        ]
        legend, colors = self.layout.legend, list(self.template.colorway or (INKS["light"].accent,))
        x = self._reference("paper", "x", legend.x if legend.x is not None else 1.02)
        y = self._reference("paper", "y", legend.y if legend.y is not None else 1)
        size = float(legend.font.size or 12)
        start = x
        for k, trace in named:
            color = trace.line.color or trace.marker.color or colors[k % len(colors)]
            need = block_width(trace.name, size) + 48
            if legend.orientation == "h" and x + need > self.width:
                x, y = start, y + 1.5 * size
            yield (
                f'<line x1="{x:.2f}" x2="{x + 22:.2f}" y1="{y:.2f}" y2="{y:.2f}" '
                f'stroke="{color}" stroke-width="2"/>'
            )
            yield text(trace.name, x + 28, y, size=size, color=self.ink)
            if legend.orientation == "h":
                x += need
            else:
                y += 1.5 * size


def _has_scale(trace: Any) -> bool:
    return bool(trace.type == "heatmap" and trace.showscale is not False)


def _scale_ticks(bar: Any, low: float, high: float) -> list[tuple[float, str]]:
    if bar.tickvals is not None:
        words = bar.ticktext or [write_number(v, bar.tickformat or "") for v in bar.tickvals]
        return [(float(v), str(t)) for v, t in zip(bar.tickvals, words, strict=True)]
    values = [low + (high - low) * k / 4 for k in range(5)]
    return [(value, write_number(value, bar.tickformat or ".3g")) for value in values]


def _anchor(asked: str | None, ref: str | None, value: Any, ends: tuple[str, str, str]) -> str:
    """Return where a note is held; on the paper that follows from its place, as Plotly has it."""
    if asked and asked != "auto":
        return asked
    if ref != "paper" and " domain" not in str(ref or ""):
        return ends[1]
    return ends[0] if float(value) <= 1 / 3 else ends[2] if float(value) >= 2 / 3 else ends[1]


def _under(note: Any, x: float, y: float, size: float, anchor: str, valign: str) -> str:
    """Return the ground of a note's words."""
    pad = float(note.borderpad or 1)
    wide, high = block_width(note.text, size), block_height(note.text, size)
    left = {"left": x, "center": x - wide / 2, "right": x - wide}[anchor]
    top = {"top": y, "middle": y - high / 2, "bottom": y - high}[valign]
    return (
        f'<rect x="{left - pad:.2f}" y="{top - pad:.2f}" width="{wide + 2 * pad:.2f}" '
        f'height="{high + 2 * pad:.2f}" fill="{note.bgcolor}"/>'
    )


def _rect(x0: float, x1: float, y0: float, y1: float, paint: str) -> str:
    return (
        f'<rect x="{min(x0, x1):.2f}" y="{min(y0, y1):.2f}" width="{abs(x1 - x0):.2f}" '
        f'height="{abs(y1 - y0):.2f}" {re.sub(" +$", "", paint)}/>'
    )


def _line(axis: Axis, at: float, across: tuple[float, float], ink: str) -> str:
    a, b = across
    if axis.letter == "x":
        return f'<line x1="{at:.2f}" x2="{at:.2f}" y1="{a:.2f}" y2="{b:.2f}" {ink}/>'
    return f'<line x1="{a:.2f}" x2="{b:.2f}" y1="{at:.2f}" y2="{at:.2f}" {ink}/>'
