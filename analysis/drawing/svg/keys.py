"""The keys of a figure as SVG: its scale of colors and its legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.drawing.svg.axes import write_number
from analysis.drawing.svg.lettering import block_width, text
from analysis.drawing.svg.marks import scaled

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
