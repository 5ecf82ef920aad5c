"""A whole figure as SVG: its margins, grid, traces, axes, shapes, notes and scale of colors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from analysis.colors import INKS
from analysis.drawing.files import FAMILY, svg_to_pdf, svg_to_png
from analysis.drawing.svg.axes import Axis
from analysis.drawing.svg.frame import GAP, STANDOFF, TICK, Frame, color_scale, legend, panel_name
from analysis.drawing.svg.lettering import block_height, block_width, text, turned_size
from analysis.drawing.svg.marks import DASH, draw
from analysis.escaping import as_html


def picture_file(figure: Mapping[str, Any], form: str, title: str = "") -> bytes:
    """Return a figure as ``svg``, ``png`` (300 dots an inch) or ``pdf``."""
    svg = figure_svg(figure)
    if form == "svg":
        return svg.encode()
    return svg_to_pdf(svg, title) if form == "pdf" else svg_to_png(svg)


def figure_svg(figure: Mapping[str, Any]) -> str:
    """Return a figure, Plotly JSON, as an SVG that stands alone, with its paper.

    The same figure gives the same bytes. A figure without a mode, whose colors are the variables of
    a page, has no paper of its own.
    """
    return _Picture(figure).svg()


def svg_body(figure: Mapping[str, Any], read: Callable[[str], str] = str) -> str:
    """Return a figure's drawing to stand in another SVG; ``read`` is how text will be read."""
    return _Picture(figure, read).body()


class _Picture(Frame):
    """What is drawn of one figure."""

    def svg(self) -> str:
        wide, high = f"{self.width:g}", f"{self.height:g}"
        stands_alone = "var(" not in self.paper
        paper = f'<rect width="{wide}" height="{high}" fill="{self.paper}"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
            f'width="{wide}" height="{high}" role="img" aria-label="{as_html(self.alt)}" '
            f"font-family=\"'{FAMILY}', sans-serif\">\n"
            f"{paper if stands_alone else ''}{self.body()}\n</svg>\n"
        )

    def body(self) -> str:
        clip = "".join(
            f'<clipPath id="{name}"><rect x="{min(x.place):.2f}" y="{min(y.place):.2f}" '
            f'width="{abs(x.place[1] - x.place[0]):.2f}" '
            f'height="{abs(y.place[1] - y.place[0]):.2f}"/></clipPath>'
            for name, x, y in self._panels()
        )
        parts = [
            f"<defs>{clip}</defs>" if clip else "",
            *self._backgrounds(),
            *self._shapes("below"),
            *self._grid(),
            *self._traces(),
            *self._axis_words(),
            *self._shapes("above"),
            *self._keys(),
            *self._notes(),
            *self._title(),
        ]
        # Colors that let others through are two attributes in SVG 1.1, which all programs read.
        return _FADED.sub(_opaque, "\n".join(part for part in parts if part))

    def _keys(self) -> Iterator[str]:
        inner = self.height - self.top - self.bottom
        corner = (self.width - self.right + 16, self.top)
        yield from color_scale(self.traces, corner, inner, self.ink)
        if self.layout.showlegend:
            asked = self.layout.legend
            x = self._reference("paper", "x", 1.02 if asked.x is None else asked.x)
            y = self._reference("paper", "y", 1 if asked.y is None else asked.y)
            colors = self.template.colorway or (INKS["light"].accent,)
            yield from legend(self.traces, asked, (x, y), self.width, self.ink, colors)

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
        for k, trace in enumerate(self.traces):
            x, y = self.axes[trace.xaxis or "x"], self.axes[trace.yaxis or "y"]
            drawn = "".join(draw(trace, x, y, colors[k % len(colors)], self.ink, self.paper))
            is_free = getattr(trace, "cliponaxis", None) is False or "text" in str(
                getattr(trace, "mode", "")
            )
            clip = "" if is_free else f' clip-path="url(#{panel_name(x, y)})"'
            yield f"<g{clip}>{drawn}</g>"

    # Axes -------------------------------------------------------------------------------------

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

    def _shapes(self, layer: str) -> Iterator[str]:
        for shape in self.layout.shapes or ():
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
        for note in self.layout.annotations or ():
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
                yield self._under(note, x, y, size, anchor, valign)
            yield text(note.text, x, y, size=size, color=color, anchor=anchor, valign=valign,
                       angle=float(note.textangle or 0))  # fmt: skip

    def _under(self, note: Any, x: float, y: float, size: float, anchor: str, valign: str) -> str:
        """Return the ground of a note's words."""
        pad = float(note.borderpad or 1)
        wide, high = block_width(note.text, size, self.read), block_height(note.text, size)
        left = {"left": x, "center": x - wide / 2, "right": x - wide}[anchor]
        top = {"top": y, "middle": y - high / 2, "bottom": y - high}[valign]
        return (
            f'<rect x="{left - pad:.2f}" y="{top - pad:.2f}" width="{wide + 2 * pad:.2f}" '
            f'height="{high + 2 * pad:.2f}" fill="{note.bgcolor}"/>'
        )

    def _title(self) -> Iterator[str]:
        title = self.layout.title
        if title.text:
            usual = self.template.title.font
            size = float(title.font.size or usual.size or 16)
            color = str(title.font.color or usual.color or self.ink)
            yield text(title.text, 8, 8, size=size, color=color, valign="top")


_FADED = re.compile(r'(fill|stroke)="rgba\((var\([^)"]*\)|[^()"]*), ?([\d.]+)\)"')


def _opaque(found: re.Match[str]) -> str:
    kind, color, share = found.groups()
    solid = color if color.startswith("var(") else f"rgb({color})"
    return f'{kind}="{solid}" {kind}-opacity="{share}"'


def _anchor(asked: str | None, ref: str | None, value: Any, ends: tuple[str, str, str]) -> str:
    """Return where a note is held; on the paper that follows from its place, as Plotly has it."""
    if asked and asked != "auto":
        return asked
    if ref != "paper" and " domain" not in str(ref or ""):
        return ends[1]
    return ends[0] if float(value) <= 1 / 3 else ends[2] if float(value) >= 2 / 3 else ends[1]


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
