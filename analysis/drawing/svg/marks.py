"""The traces of a figure as SVG: lines, markers, areas, bars, boxes, cells."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from analysis.colors import INKS
from analysis.drawing.svg.axes import Axis, as_list, error_sizes, write_number
from analysis.drawing.svg.lettering import text

DASH = {"dash": (4.5, 4.5), "dot": (1.5, 1.5), "dashdot": (4.5, 2, 1.5, 2), "longdash": (7, 5)}
"""Dashes, in widths of the line."""
MARKER, LINE_WIDTH = 6.0, 2.0
"""Plotly's own size of a marker and width of a line."""


def draw(trace: Any, x: Axis, y: Axis, fallback: str, ink: str, paper: str) -> Iterator[str]:
    """Yield a trace; ``fallback`` is its color where it names none, ``ink`` that of its text."""
    if trace.visible is False or trace.visible == "legendonly":
        return
    faint = "" if trace.opacity is None else f' opacity="{trace.opacity:g}"'
    drawn = {"scatter": _scatter, "bar": _bar, "box": _box, "heatmap": _heatmap}[trace.type]
    yield f"<g{faint}>"
    yield from drawn(trace, x, y, fallback, ink, paper)
    yield "</g>"


def stroke(line: Any, color: str, width: float | None = None) -> str:
    """Return the attributes of a line."""
    wide = width if width is not None else LINE_WIDTH if line.width is None else float(line.width)
    words = f'stroke="{line.color or color}" stroke-width="{wide:g}" fill="none"'
    dash = getattr(line, "dash", None)
    if dash and dash != "solid":
        parts = DASH.get(dash) or [float(p) / wide for p in re.findall(r"[\d.]+", dash)]
        words += f' stroke-dasharray="{" ".join(f"{part * wide:g}" for part in parts)}"'
    return words


def _points(trace: Any, x: Axis, y: Axis) -> list[tuple[float, float]]:
    xs, ys = as_list(trace.x), as_list(trace.y)
    xs = xs or list(range(len(ys)))
    ys = ys or list(range(len(xs)))
    return [(x.at(a), y.at(b)) for a, b in zip(xs, ys, strict=True)]


def _scatter(trace: Any, x: Axis, y: Axis, fallback: str, ink: str, paper: str) -> Iterator[str]:
    points = _points(trace, x, y)
    mode = trace.mode if trace.mode is not None else "lines+markers"
    color = trace.line.color or (
        trace.marker.color if isinstance(trace.marker.color, str) else fallback
    )
    if trace.fill == "toself" and points:
        yield from _area(trace, points, color)
    if "lines" in mode:
        for run in _runs(points):
            if len(run) > 1:
                way = _way(run, trace.line.shape or "linear")
                yield f'<path d="{way}" {stroke(trace.line, color)}/>'
    yield from _errors(trace, points, x, y, color)
    if "markers" in mode:
        yield from _markers(trace.marker, points, color, paper)
    if "text" in mode:
        yield from _texts(trace, points, ink)


def _runs(points: Sequence[tuple[float, float]]) -> Iterator[list[tuple[float, float]]]:
    """Yield the unbroken parts of a line."""
    run: list[tuple[float, float]] = []
    for point in points:
        if math.isnan(point[0]) or math.isnan(point[1]):
            yield run
            run = []
        else:
            run.append(point)
    yield run


def _way(run: Sequence[tuple[float, float]], shape: str) -> str:
    parts = [f"M{run[0][0]:.2f} {run[0][1]:.2f}"]
    for (x0, _), (x1, y1) in itertools.pairwise(run):
        if shape == "hvh":
            middle = (x0 + x1) / 2
            parts.append(f"H{middle:.2f}V{y1:.2f}H{x1:.2f}")
        elif shape == "hv":
            parts.append(f"H{x1:.2f}V{y1:.2f}")
        elif shape == "vh":
            parts.append(f"V{y1:.2f}H{x1:.2f}")
        else:
            parts.append(f"L{x1:.2f} {y1:.2f}")
    return "".join(parts)


def _area(trace: Any, points: Sequence[tuple[float, float]], color: str) -> Iterator[str]:
    known = [p for p in points if not (math.isnan(p[0]) or math.isnan(p[1]))]
    corners = " ".join(f"{a:.2f},{b:.2f}" for a, b in known)
    faint = "" if trace.fillcolor else ' fill-opacity=".5"'
    yield f'<polygon points="{corners}" fill="{trace.fillcolor or color}"{faint}/>'


def _errors(
    trace: Any, points: Sequence[tuple[float, float]], x: Axis, y: Axis, color: str
) -> Iterator[str]:
    for axis, bars in ((x, trace.error_x), (y, trace.error_y)):
        if bars.array is None or bars.visible is False:
            continue
        values = [axis.number(v) for v in as_list(trace[axis.letter]) or range(len(points))]
        up, down = error_sizes(bars, len(values))
        wide = 2.0 if bars.thickness is None else float(bars.thickness)
        cap = 4.0 if bars.width is None else float(bars.width)
        ink = f'stroke="{bars.color or color}" stroke-width="{wide:g}"'
        for (px, py), value, plus, minus in zip(points, values, up, down, strict=True):
            if any(map(math.isnan, (px, py, plus, minus))):
                continue
            a, b = axis.pixel(value - minus), axis.pixel(value + plus)
            for x0, y0, x1, y1 in _bar_with_caps(axis.letter, px, py, a, b, cap):
                yield f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" {ink}/>'


def _bar_with_caps(
    letter: str, px: float, py: float, a: float, b: float, cap: float
) -> Iterator[tuple[float, float, float, float]]:
    if letter == "x":
        yield a, py, b, py
        if cap:
            yield a, py - cap, a, py + cap
            yield b, py - cap, b, py + cap
    else:
        yield px, a, px, b
        if cap:
            yield px - cap, a, px + cap, a
            yield px - cap, b, px + cap, b


def each(value: Any, k: int, default: Any) -> Any:
    """Return a setting of the k-th point: its own where there is a list."""
    if isinstance(value, (list, tuple, np.ndarray, dict)):
        value = as_list(value)
        value = value[k] if k < len(value) else None
    return default if value is None else value


def _markers(
    marker: Any, points: Sequence[tuple[float, float]], color: str, paper: str
) -> Iterator[str]:
    for k, (px, py) in enumerate(points):
        opacity = float(each(marker.opacity, k, 1.0))
        if math.isnan(px) or math.isnan(py) or not opacity:
            continue
        fill = each(marker.color, k, color)
        if not isinstance(fill, str):
            fill = scaled(marker.colorscale, float(fill), marker.cmin, marker.cmax)
        edge = each(marker.line.color, k, fill if isinstance(fill, str) else color)
        wide = float(each(marker.line.width, k, 0.0))
        symbol = str(each(marker.symbol, k, "circle"))
        half = float(each(marker.size, k, MARKER)) / 2
        is_open = symbol.endswith("-open") or symbol.startswith("line-")
        if is_open:
            wide = wide or 1.0
            edge = each(marker.line.color, k, fill) if symbol.startswith("line-") else fill
        paint = f'fill="{"none" if is_open else fill}"'
        if wide:
            paint += f' stroke="{edge}" stroke-width="{wide:g}"'
        if opacity != 1:
            paint += f' opacity="{opacity:g}"'
        yield _symbol(symbol.removesuffix("-open"), px, py, half, paint)


def _symbol(name: str, x: float, y: float, r: float, paint: str) -> str:
    if name == "circle":
        return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:g}" {paint}/>'
    if name == "square":
        return (
            f'<rect x="{x - r:.2f}" y="{y - r:.2f}" width="{2 * r:g}" height="{2 * r:g}" {paint}/>'
        )
    d = 1.3 * r
    corners = {
        "diamond": [(0, -d), (d, 0), (0, d), (-d, 0)],
        "triangle-right": [(-0.58 * d, -d), (d, 0), (-0.58 * d, d)],
        "triangle-left": [(0.58 * d, -d), (-d, 0), (0.58 * d, d)],
        "triangle-up": [(-d, 0.58 * d), (0, -d), (d, 0.58 * d)],
        "triangle-down": [(-d, -0.58 * d), (0, d), (d, -0.58 * d)],
    }.get(name)
    if corners is not None:
        written = " ".join(f"{x + a:.2f},{y + b:.2f}" for a, b in corners)
        return f'<polygon points="{written}" {paint}/>'
    s = r / math.sqrt(2)
    ways = {
        "line-ns": f"M{x:.2f} {y - 1.4 * r:.2f}V{y + 1.4 * r:.2f}",
        "line-ew": f"M{x - 1.4 * r:.2f} {y:.2f}H{x + 1.4 * r:.2f}",
        "cross": f"M{x:.2f} {y - r:.2f}V{y + r:.2f}M{x - r:.2f} {y:.2f}H{x + r:.2f}",
        "x": f"M{x - s:.2f} {y - s:.2f}l{2 * s:.2f} {2 * s:.2f}M{x + s:.2f} {y - s:.2f}"
        f"l{-2 * s:.2f} {2 * s:.2f}",
    }
    return f'<path d="{ways.get(name, ways["cross"])}" {paint}/>'


def _texts(trace: Any, points: Sequence[tuple[float, float]], ink: str) -> Iterator[str]:
    for k, (px, py) in enumerate(points):
        words = each(trace.text, k, "")
        if not words or math.isnan(px) or math.isnan(py):
            continue
        place = str(each(trace.textposition, k, "middle center"))
        size = float(each(trace.textfont.size, k, 12))
        half = (
            float(each(trace.marker.size, k, MARKER)) / 2 if "markers" in (trace.mode or "") else 0
        )
        down = "top" in place, "bottom" in place
        aside = {True: half + 4, False: 0.0}
        dx = aside["right" in place] - aside["left" in place]
        dy = aside[down[1]] - aside[down[0]]
        yield text(
            str(words), px + dx, py + dy, size=size,
            color=str(each(trace.textfont.color, k, ink)),
            anchor="left" if "right" in place else "right" if "left" in place else "center",
            valign="bottom" if down[0] else "top" if down[1] else "middle",
        )  # fmt: skip


def _bar(trace: Any, x: Axis, y: Axis, fallback: str, ink: str, paper: str) -> Iterator[str]:
    lies = trace.orientation == "h"
    along, across = (x, y) if lies else (y, x)
    lengths, places = as_list(trace[along.letter]), as_list(trace[across.letter])
    for k, (length, place) in enumerate(zip(lengths, places, strict=True)):
        base = float(each(trace.base, k, 0.0))
        wide = float(each(trace.width, k, 0.8))
        a, b = along.pixel(base), along.pixel(base + float(length or 0))
        middle = across.number(place)
        c, d = across.pixel(middle - wide / 2), across.pixel(middle + wide / 2)
        left, top, width, high = (
            (min(a, b), min(c, d), abs(b - a), abs(d - c))
            if lies
            else (min(c, d), min(a, b), abs(d - c), abs(b - a))
        )
        edge = float(each(trace.marker.line.width, k, 0.0))
        drawn = f' stroke="{each(trace.marker.line.color, k, "none")}" stroke-width="{edge:g}"'
        yield (
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{high:.2f}" '
            f'fill="{each(trace.marker.color, k, fallback)}"{drawn if edge else ""}/>'
        )


def _box(trace: Any, x: Axis, y: Axis, fallback: str, ink: str, paper: str) -> Iterator[str]:
    lies = trace.orientation == "h"
    along, across = (x, y) if lies else (y, x)
    wide = 0.5 if not trace.width else float(trace.width)
    line = stroke(trace.line, fallback).replace(' fill="none"', "")
    for k, place in enumerate(as_list(trace[across.letter])):
        q1, median, q3 = (along.at(as_list(trace[name])[k]) for name in ("q1", "median", "q3"))
        low = along.at(each(trace.lowerfence, k, each(trace.q1, k, 0)))
        high = along.at(each(trace.upperfence, k, each(trace.q3, k, 0)))
        c = across.pixel(across.number(place) - wide / 2)
        d = across.pixel(across.number(place) + wide / 2)
        middle, cap = (c + d) / 2, abs(d - c) * (trace.whiskerwidth or 0.5) / 2

        def bar(a0: float, c0: float, a1: float, c1: float) -> str:
            x0, y0, x1, y1 = (a0, c0, a1, c1) if lies else (c0, a0, c1, a1)
            return f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" {line}/>'

        left, top = (min(q1, q3), min(c, d)) if lies else (min(c, d), min(q1, q3))
        size = (abs(q3 - q1), abs(d - c)) if lies else (abs(d - c), abs(q3 - q1))
        yield (
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{size[0]:.2f}" height="{size[1]:.2f}" '
            f'fill="{trace.fillcolor or "none"}" {line}/>'
        )
        yield bar(median, c, median, d)
        yield bar(low, middle, q1, middle) + bar(q3, middle, high, middle)
        yield bar(low, middle - cap, low, middle + cap) + bar(
            high, middle - cap, high, middle + cap
        )


def _heatmap(trace: Any, x: Axis, y: Axis, fallback: str, ink: str, paper: str) -> Iterator[str]:
    z = np.array(
        [[np.nan if v is None else v for v in row] for row in as_list(trace.z)], dtype=float
    )
    rows, columns = z.shape
    xs = as_list(trace.x) or list(range(columns))
    ys = as_list(trace.y) or list(range(rows))
    wide = abs(x.pixel(1) - x.pixel(0)) - float(trace.xgap or 0)
    high = abs(y.pixel(1) - y.pixel(0)) - float(trace.ygap or 0)
    low = float(np.nanmin(z)) if trace.zmin is None and np.isfinite(z).any() else trace.zmin
    top = float(np.nanmax(z)) if trace.zmax is None and np.isfinite(z).any() else trace.zmax
    size = float(trace.textfont.size or 12)
    for i in range(rows):
        for j in range(columns):
            if np.isnan(z[i, j]):
                continue
            cx, cy = x.at(xs[j]), y.at(ys[i])
            fill = scaled(trace.colorscale, z[i, j], low, top)
            yield (
                f'<rect x="{cx - wide / 2:.2f}" y="{cy - high / 2:.2f}" width="{wide:.2f}" '
                f'height="{high:.2f}" fill="{fill}"/>'
            )
            words = _cell(trace, i, j, z[i, j])
            if words:
                color = trace.textfont.color or contrast(fill)
                yield text(words, cx, cy, size=size, color=str(color), anchor="center")


def _cell(trace: Any, i: int, j: int, value: float) -> str:
    template = trace.texttemplate
    if not template:
        return ""
    words = "" if trace.text is None else str(as_list(trace.text)[i][j] or "")
    found = re.fullmatch(r"%\{z:(.*)\}", template)
    return write_number(value, found[1]) if found else template.replace("%{text}", words)


def scaled(scale: Any, value: float, low: float | None, high: float | None) -> str:
    """Return the color of a value on a scale of stops.

    >>> scaled(((0, "rgb(0, 0, 0)"), (1, "rgb(255, 255, 255)")), 5, 0, 10)
    'rgb(128, 128, 128)'
    """
    low, high = float(low or 0), float(1 if high is None else high)
    share = min(max((value - low) / ((high - low) or 1), 0.0), 1.0)
    if scale[0][1] == scale[-1][1]:
        return str(scale[0][1])
    stops = [(float(stop), channels(color)) for stop, color in scale]
    for (a, one), (b, other) in itertools.pairwise(stops):
        if share <= b:
            part = (share - a) / ((b - a) or 1)
            mixed = [round(p + part * (q - p) + 1e-9) for p, q in zip(one, other, strict=True)]
            return f"rgb({', '.join(map(str, mixed))})"
    return f"rgb({', '.join(map(str, stops[-1][1]))})"


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of a color as the builders write them."""
    if color.startswith("#"):
        return tuple(int(color[k : k + 2], 16) for k in (1, 3, 5))  # type: ignore[return-value]
    found = [float(part) for part in re.findall(r"[\d.]+", color)][:3]
    return tuple(round(part) for part in found)  # type: ignore[return-value]


def contrast(fill: str) -> str:
    """Return dark or light letters, whichever is read on this color."""
    red, green, blue = channels(fill)
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 140
    return INKS["light"].paper if dark else INKS["light"].text
