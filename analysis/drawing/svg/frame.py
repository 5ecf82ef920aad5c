"""The measures of a figure: its margins, its panels, and the pixel of every place in it.

Its keys stand there too: the scale of colors and the legend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from analysis.colors import INKS
from analysis.drawing.svg.axes import Axis, Part, axes_of, label_width, set_ranges, write_number
from analysis.drawing.svg.lettering import block_height, block_width, text, turned_size
from analysis.drawing.svg.marks import scaled

WIDTH = 1000
"""Pixels of a picture's width, unless its figure says another or needs more."""
STANDOFF, TICK, GAP, BAR = 4, 5, 10, 86
"""Pixels between labels and panel, of a tick, before a title, and beside for a scale of colors."""


class Frame:
    """Where everything of one figure lies; ``read`` is how its text will be read."""

    def __init__(self, figure: Mapping[str, Any], read: Callable[[str], str] = str) -> None:
        self.figure, self.read = Part(figure), read
        self.layout, self.traces = self.figure.layout, self.figure.data or ()
        self.template = self.layout.template.layout
        meta = self.layout.group("meta")
        self.alt = str(meta.alt or "")
        self.width = float(self.layout.width or max(WIDTH, int(meta.min_width or 0)))
        self.height = float(self.layout.height or 450)
        self.ink = str(self.template.font.color or INKS["light"].text)
        self.size = float(self.template.font.size or 12)
        self.paper = str(self.template.paper_bgcolor or INKS["light"].paper)
        self.axes = axes_of(self.figure)
        set_ranges(self.figure, self.axes)
        self._set_margins()

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
        if any(has_scale(trace) for trace in self.traces):
            self.right = max(self.right, BAR) + 8
        self._place()

    def _make_room(self, axis: Axis) -> None:
        words = axis.layout.title.text
        title = block_height(words, self.size) + GAP if words else 0.0
        if axis.letter == "y":
            need = (label_width(axis, self.read) if axis.has_labels else 0.0) + title
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
        pairs = {(t.xaxis or "x", t.yaxis or "y") for t in self.traces} or {("x", "y")}
        for x, y in sorted(pairs):
            yield panel_name(self.axes[x], self.axes[y]), self.axes[x], self.axes[y]

    def _partner(self, axis: Axis) -> Axis:
        """Return the axis that another one stands on."""
        other = "y" if axis.letter == "x" else "x"
        anchor = axis.layout.anchor
        if anchor and anchor != "free" and anchor in self.axes:
            return self.axes[anchor]
        for trace in self.traces:
            if (trace[f"{axis.letter}axis"] or axis.letter) == axis.name:
                return self.axes[trace[f"{other}axis"] or other]
        return self.axes[other]

    def _angle(self, axis: Axis) -> float:
        """Return the angle of the labels: as asked for, otherwise turned where they would touch."""
        asked = axis.layout.tickangle
        if asked is not None:
            return float(asked)
        ticks = axis.ticks()
        if axis.letter == "y" or len(ticks) < 2:
            return 0.0
        room = abs(axis.place[1] - axis.place[0]) / len(ticks)
        return 0.0 if label_width(axis, self.read) < 1.1 * room else -45.0

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

    def _note_place(self, note: Any, letter: str) -> float:
        ref, value = note[f"{letter}ref"], note[letter]
        name = (ref or letter).partition(" ")[0]
        axis = self.axes.get(name)
        if axis is not None and axis.is_log and ref != "paper" and " " not in (ref or ""):
            return axis.pixel(float(value))
        return self._reference(ref, letter, value)


def panel_name(x: Axis, y: Axis) -> str:
    """Name a panel by its place, so that pictures on one page share a name only with the place."""
    return "panel-" + "-".join(f"{end:.0f}" for end in (*x.place, *y.place))


STEPS = 60
"""Rectangles that a scale of colors is drawn with."""


def has_scale(trace: Any) -> bool:
    """Return whether a scale of colors belongs to a trace."""
    return bool(trace.type == "heatmap" and trace.showscale is not False)


def color_scale(
    traces: Sequence[Any], corner: tuple[float, float], inner: float, ink: str
) -> Iterator[str]:
    """Yield the first scale of colors, right of panels that begin at a corner."""
    trace = next((t for t in traces if has_scale(t)), None)
    if trace is None:
        return
    bar, scale = trace.colorbar, trace.colorscale
    low, high = float(trace.zmin or 0), float(1 if trace.zmax is None else trace.zmax)
    length = float(bar.len or 1) * (1 if bar.lenmode == "pixels" else inner)
    above = 0.0 if bar.yanchor == "top" else (inner - length) / 2
    x, top = corner[0], corner[1] + above
    wide = float(bar.thickness or 12)
    for k in range(STEPS):
        value = high - (high - low) * (k + 0.5) / STEPS
        y = top + length * k / STEPS
        yield (
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{wide:g}" '
            f'height="{length / STEPS + 0.5:.2f}" fill="{scaled(scale, value, low, high)}"/>'
        )
    yield text(str(bar.title.text or ""), x, top - 8, valign="bottom", size=12, color=ink)
    for value, words in _scale_ticks(bar, low, high):
        y = top + length * (high - value) / ((high - low) or 1)
        yield text(words, x + wide + 6, y, size=12, color=ink)


def _scale_ticks(bar: Any, low: float, high: float) -> list[tuple[float, str]]:
    if bar.tickvals is not None:
        words = bar.ticktext or [write_number(v, bar.tickformat or "") for v in bar.tickvals]
        return [(float(v), str(t)) for v, t in zip(bar.tickvals, words, strict=True)]
    values = [low + (high - low) * k / 4 for k in range(5)]
    return [(value, write_number(value, bar.tickformat or ".3g")) for value in values]


def legend(
    traces: Sequence[Any],
    asked: Any,
    corner: tuple[float, float],
    width: float,
    ink: str,
    colors: Sequence[str],
) -> Iterator[str]:
    """Yield a legend of the named traces from a corner on, in lines of at most that width."""
    x, y = corner
    size = float(asked.font.size or 12)
    for k, trace in enumerate(traces):
        if not trace.name or trace.showlegend is False:
            continue
        color = trace.line.color or trace.marker.color or colors[k % len(colors)]
        need = block_width(trace.name, size) + 48
        if asked.orientation == "h" and x + need > width:
            x, y = corner[0], y + 1.5 * size
        yield (
            f'<line x1="{x:.2f}" x2="{x + 22:.2f}" y1="{y:.2f}" y2="{y:.2f}" '
            f'stroke="{color}" stroke-width="2"/>'
        )
        yield text(trace.name, x + 28, y, size=size, color=ink)
        if asked.orientation == "h":
            x += need
        else:
            y += 1.5 * size
