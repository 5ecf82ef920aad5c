"""Text of a figure as SVG: its few tags, its lines, and where it is anchored."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterator

from analysis.drawing.measuring import text_width
from analysis.escaping import as_html

_TAG = re.compile(r"</?(?:b|i|em|sup|sub|span)\b[^<>]*>|<br */?>")
_SIZE = re.compile(r"font-size: *([\d.]+)px")
_COLOR = re.compile(r"color: *([^;'\"]+)")
LINE = 1.3
"""Lines' distance, in sizes of the letters."""
ANCHOR = {"left": "start", "center": "middle", "right": "end"}


def plain(words: str) -> str:
    """Return the longest line of a text, without tags.

    >>> plain("<b>a</b><br>longer &lt;b&gt;")
    'longer <b>'
    """
    lines = [html.unescape(_TAG.sub("", line)) for line in re.split(r"<br */?>", str(words))]
    return max(lines, key=len, default="")


def n_lines(words: str) -> int:
    return len(re.split(r"<br */?>", str(words)))


def block_height(words: str, size: float) -> float:
    """Return the height of a text's lines."""
    return n_lines(words) * size * LINE


def block_width(words: str, size: float, read: Callable[[str], str] = str) -> float:
    """Return the width of a text's longest line; ``read`` is how it will be read."""
    return text_width(read(plain(words)), size, "<b>" in str(words))


def text(
    words: str,
    x: float,
    y: float,
    *,
    size: float,
    color: str,
    anchor: str = "left",
    valign: str = "middle",
    angle: float = 0.0,
    bold: bool = False,
) -> str:
    """Return text whose block stands at a point: left, center or right, top, middle or bottom."""
    if not str(words):
        return ""
    lines = re.split(r"<br */?>", str(words))
    high = len(lines) * size * LINE
    top = {"top": 0.0, "middle": -high / 2, "bottom": -high}[valign]
    turn = f' transform="rotate({angle:g} {x:.2f} {y:.2f})"' if angle else ""
    drawn = []
    for k, line in enumerate(lines):
        base = y + top + size * LINE * (k + 0.5) + 0.35 * size
        drawn.append(
            f'<text x="{x:.2f}" y="{base:.2f}" font-size="{size:g}" fill="{color}" '
            f'text-anchor="{ANCHOR[anchor]}"{_weight(bold)}{turn}>{"".join(_spans(line, size))}'
            "</text>"
        )
    return "".join(drawn)


def _weight(bold: bool) -> str:
    return ' font-weight="600"' if bold else ""


def _spans(line: str, size: float) -> Iterator[str]:
    """Yield a line with its tags as spans; whatever else looks like a tag is text."""
    at, depth = 0, 0
    for found in _TAG.finditer(line):
        yield as_html(html.unescape(line[at : found.start()]))
        at = found.end()
        if found[0].startswith("</"):
            if depth:
                yield "</tspan>"
                depth -= 1
            continue
        depth += 1
        yield f"<tspan{_style(found[0], size)}>"
    yield as_html(html.unescape(line[at:])) + "</tspan>" * depth


def _style(tag: str, size: float) -> str:
    name = re.sub(r"[^a-z].*", "", tag[1:])
    if name == "b":
        return _weight(True)
    if name in ("i", "em"):
        return ' font-style="italic"'
    if name in ("sup", "sub"):
        shift = "super" if name == "sup" else "sub"
        return f' baseline-shift="{shift}" font-size="{0.7 * size:g}"'
    wanted, color = _SIZE.search(tag), _COLOR.search(tag)
    style = f' font-size="{float(wanted[1]):g}"' if wanted else ""
    return style + (f' fill="{as_html(color[1].strip())}"' if color else "")


def turned_size(words: str, size: float, angle: float) -> tuple[float, float]:
    """Return how wide and high a turned text is.

    >>> turned_size("", 12, 45)
    (11.03, 11.03)
    """
    wide, high = block_width(words, size), block_height(words, size)
    sin, cos = abs(math.sin(math.radians(angle))), abs(math.cos(math.radians(angle)))
    return round(wide * cos + high * sin, 2), round(wide * sin + high * cos, 2)
