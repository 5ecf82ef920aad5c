"""The axes of a figure: which values they hold, where these stand, and what is written there.

`Part` reads Plotly JSON by names: what a figure does not say is None, or an empty part of its own.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.colors import INKS
from analysis.drawing.svg.lettering import block_width

ROOM = 0.055
"""Share of the values' span that an axis leaves free at either end, as Plotly does."""
SMALL = 12
TICK_ROOM = {"x": 90, "y": 42}
"""Pixels for each tick where nobody says how many there are."""


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers at even distances that enclose both ends.

    >>> round_ticks(-.31, .42)
    [-0.4, -0.2, 0.0, 0.2, 0.4, 0.6]
    """
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** np.floor(np.log10(span / most))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
        if last - first < most:
            break
    return [round(float(k * step), 10) for k in np.arange(first, max(last, first + 1) + 1)]


@dataclass
class Axis:
    """One axis; ``place`` are its pixels, first end first. ``words`` are categories, if any."""

    name: str
    layout: Part
    default: Part
    words: list[str] = field(default_factory=list)
    low: float = 0.0
    high: float = 1.0
    place: tuple[float, float] = (0.0, 1.0)

    @property
    def letter(self) -> str:
        return self.name[0]

    @property
    def is_log(self) -> bool:
        return bool(self.layout.type == "log")

    @property
    def domain(self) -> tuple[float, float]:
        return tuple(self.layout.domain or (0.0, 1.0))

    @property
    def is_shown(self) -> bool:
        return self.layout.visible is not False

    @property
    def has_labels(self) -> bool:
        return self.is_shown and self.layout.showticklabels is not False

    @property
    def side(self) -> str:
        return str(self.layout.side or ("bottom" if self.letter == "x" else "left"))

    @property
    def size(self) -> float:
        """The size of its letters."""
        return float(self.layout.tickfont.size or self.default.tickfont.size or SMALL)

    @property
    def color(self) -> str:
        return str(self.layout.tickfont.color or self.default.tickfont.color or INKS["light"].quiet)

    def said(self, name: str) -> Any:
        """Return a setting: the axis' own, else the template's."""
        own = self.layout[name]
        return self.default[name] if own is None else own

    def number(self, value: Any) -> float:
        """Return a value as the axis counts: categories from 0, logarithms to base 10."""
        if isinstance(value, str):
            if value in self.words:
                return float(self.words.index(value))
            try:
                value = float(value)
            except ValueError:
                return math.nan
        if value is None:
            return math.nan
        number = float(value)
        if not self.is_log:
            return number
        return math.log10(number) if number > 0 else math.nan

    def at(self, value: Any) -> float:
        """Return the pixel of a value."""
        return self.pixel(self.number(value))

    def pixel(self, number: float) -> float:
        first, last = self.place
        return first + (last - first) * (number - self.low) / ((self.high - self.low) or 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the ticks within the axis: the number of each, and its words."""
        low, high = sorted((self.low, self.high))
        slack = 1e-9 * (high - low)
        return [tick for tick in self._ticks() if low - slack <= tick[0] <= high + slack]

    def _ticks(self) -> list[tuple[float, str]]:
        lay = self.layout
        if lay.tickvals is not None:
            values = [self.number(value) for value in lay.tickvals]
            if lay.ticktext is not None:
                return list(zip(values, map(str, lay.ticktext), strict=False))
            return [(v, self._write(10**v if self.is_log else v)) for v in values]
        if self.words:
            return [(float(k), word) for k, word in enumerate(self.words)]
        if self.is_log:
            return self._log_ticks()
        if lay.dtick:
            start = float(lay.tick0 or 0)
            step = float(lay.dtick)
            low, high = sorted((self.low, self.high))
            first = math.ceil((low - start) / step - 1e-9)
            last = math.floor((high - start) / step + 1e-9)
            return [(v, self._write(v)) for v in (start + k * step for k in range(first, last + 1))]
        room = abs(self.place[1] - self.place[0]) / TICK_ROOM[self.letter]
        most = lay.nticks or max(2, int(room))
        low, high = sorted((self.low, self.high))
        values = round_ticks(low, high, int(most))
        return [(value, self._write(value)) for value in values]

    def _log_ticks(self) -> list[tuple[float, str]]:
        low, high = sorted((self.low, self.high))
        powers = range(math.floor(low), math.ceil(high) + 1)
        wide = high - low > 2
        steps = (1,) if wide else (1, 2, 5)
        values = [step * 10.0**power for power in powers for step in steps]
        return [(math.log10(value), self._write(value)) for value in values]

    def _write(self, value: float) -> str:
        lay = self.layout
        words = write_number(value, str(lay.tickformat or ""))
        return f"{lay.tickprefix or ''}{words}{lay.ticksuffix or ''}"


def write_number(value: float, form: str) -> str:
    """Write a number in a format of D3, of those that the builders use.

    >>> write_number(.5, ".0%"), write_number(.5, "+.0%"), write_number(-2, "~g")
    ('50%', '+50%', '−2')
    """
    found = re.fullmatch(r"(\+?)(~?)(?:\.(\d+))?(~?)([%fgd]?)", form)
    sign, places, kind = ("", None, "") if found is None else (found[1], found[3], found[5])
    if kind == "%":
        words = f"{100 * value:{sign}.{places or 0}f}%"
    elif kind == "f":
        words = f"{value:{sign}.{places or 0}f}"
    elif kind == "d" or (abs(value) >= 1000 and value == round(value)):
        words = f"{round(value):{sign},}"
    else:
        words = f"{value:{sign}.{places or 6}g}"
    return words.replace("-", "−")


def axes_of(figure: Part) -> dict[str, Axis]:
    """Return the figure's axes by the names that traces use: x, y, x2, y2."""
    names = {"x", "y"}
    for trace in figure.data or ():
        names |= {trace.xaxis or "x", trace.yaxis or "y"}
    for key in figure.layout:
        found = re.fullmatch(r"([xy])axis(\d*)", key)
        if found:
            names.add(found[1] + found[2])
    template = figure.layout.template.layout
    return {
        name: Axis(
            name,
            figure.layout.group(f"{name[0]}axis{name[1:]}"),
            template.group(f"{name[0]}axis"),
            words=_categories(figure, name),
        )
        for name in sorted(names)
    }


def _categories(figure: Part, name: str) -> list[str]:
    """Return the words along an axis, in the order in which traces bring them."""
    lay = figure.layout.group(f"{name[0]}axis{name[1:]}")
    if lay.type in ("log", "linear"):
        return []
    if lay.categoryarray is not None:
        return [str(word) for word in lay.categoryarray]
    words: dict[str, None] = {}
    for trace in figure.data or ():
        if (trace[f"{name[0]}axis"] or name[0]) == name and trace[name[0]] is not None:
            values = as_list(trace[name[0]])
            if any(isinstance(value, str) for value in values):
                words |= dict.fromkeys(str(value) for value in values if value is not None)
    return list(words)


def set_ranges(figure: Part, axes: dict[str, Axis]) -> None:
    """Set the ends of each axis: what the builder said, else what the traces need."""
    for axis in axes.values():
        if axis.layout.range is not None:
            axis.low, axis.high = map(float, axis.layout.range)
            continue
        known = np.array([v for v in _values(figure, axis) if math.isfinite(v)])
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        if any(t.type == "heatmap" for t in _on(figure, axis)):
            low, high = low - 0.5, high + 0.5
        elif axis.words:
            low, high = -0.5, len(axis.words) - 0.5
        else:
            room = ROOM * (high - low) or 0.5
            low, high = low - room, high + room
        if axis.layout.rangemode == "tozero":
            low, high = min(low, 0.0), max(high, 0.0)
        axis.low, axis.high = (high, low) if axis.layout.autorange == "reversed" else (low, high)


def _on(figure: Part, axis: Axis) -> list[Any]:
    key = f"{axis.letter}axis"
    return [t for t in figure.data or () if (t[key] or axis.letter) == axis.name]


def _values(figure: Part, axis: Axis) -> Iterable[float]:
    """Yield every number that the traces put on an axis."""
    letter = axis.letter
    for trace in _on(figure, axis):
        if trace.type == "box":
            lies = (trace.orientation == "h") == (letter == "x")
            names = ("q1", "q3", "median", "lowerfence", "upperfence") if lies else (letter,)
            for name in names:
                yield from (axis.number(v) for v in as_list(trace[name]))
            continue
        values = [axis.number(v) for v in as_list(trace[letter])]
        if trace.type == "heatmap" and not values:
            shape = np.shape(np.asarray(as_list(trace.z), dtype=object))
            values = [float(k) for k in range(shape[1] if letter == "x" else shape[0])]
        yield from values
        if trace.type == "bar":
            if (trace.orientation == "h") == (letter == "x"):
                base = as_list(trace.base) or [0.0]
                yield from (float(b) for b in base)
                if len(base) == len(values):
                    yield from (b + v for b, v in zip(base, values, strict=True))
            else:
                wide = trace.width if isinstance(trace.width, (int, float)) else 0.8
                yield from (v + side * wide / 2 for v in values for side in (-1, 1))
        if trace.type == "scatter":
            yield from _error_ends(trace, axis, values)


def _error_ends(trace: Any, axis: Axis, values: Sequence[float]) -> Iterable[float]:
    bars = trace[f"error_{axis.letter}"]
    for value, up, down in zip(values, *error_sizes(bars, len(values)), strict=True):
        yield value + up
        yield value - down


def error_sizes(bars: Any, n: int) -> tuple[list[float], list[float]]:
    """Return how far error bars reach up and down; nothing where there are none."""
    if bars.array is None:
        return [math.nan] * n, [math.nan] * n
    up = [math.nan if v is None else float(v) for v in as_list(bars.array)]
    if bars.arrayminus is None:
        return up, up
    return up, [math.nan if v is None else float(v) for v in as_list(bars.arrayminus)]


def as_list(value: Any) -> list[Any]:
    """Return a trace's values as a list, also where Plotly holds them packed.

    >>> as_list(None), as_list(3), as_list({"dtype": "i1", "bdata": "AQI="})
    ([], [3], [1, 2])
    """
    if value is None:
        return []
    if isinstance(value, dict):
        packed = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        shape = [int(part) for part in str(value.get("shape", packed.size)).split(",")]
        return list(packed.reshape(shape).tolist())
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    return list(value) if isinstance(value, (list, tuple)) else [value]


def label_width(axis: Axis, read: Callable[[str], str] = str) -> float:
    """Return the room that the widest label of an axis takes."""
    return max((block_width(words, axis.size, read) for _, words in axis.ticks()), default=0.0)


GROUPS = frozenset(
    (
        "layout", "template", "margin", "font", "title", "textfont", "tickfont", "marker", "line",
        "colorbar", "legend", "error_x", "error_y",
    )
)  # fmt: skip
"""Names that stand for parts with parts, so that they can be read where nothing was said."""


class Part:
    """A dictionary of Plotly JSON: ``part.line.color`` is None if no color was given."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def __getitem__(self, name: str) -> Any:
        value = self._data.get(name)
        if value is None:
            return Part({}) if name in GROUPS else None
        if isinstance(value, Mapping) and "bdata" not in value:
            return Part(value)
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            return [Part(one) for one in value]
        return value

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def group(self, name: str) -> Part:
        """Return a part that may be missing, such as an axis."""
        return Part(self._data.get(name) or {})
