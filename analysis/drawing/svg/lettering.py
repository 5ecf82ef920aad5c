"""Text of a figure as SVG: how wide it is, its few tags, its lines, and where it is anchored."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial

from PIL import ImageFont

from analysis.drawing.files import FONTS
from analysis.escaping import as_html
from analysis.names import ELLIPSIS

_UNIT = 100
SLACK = 1.02
"""Room for a typeface that is a little wider."""


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    weight = "Semibold" if bold else "Regular"
    return ImageFont.truetype(str(FONTS / f"SourceSansPro-{weight}.ttf"), _UNIT)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width in pixels; letters as wide as high, which the typeface lacks, count so."""
    narrow = text
    if not text.isascii():
        narrow = "".join(c for c in text if unicodedata.east_asian_width(c) not in "WF")
    wide = len(text) - len(narrow)
    narrow = narrow.replace("\n", " ")  # One line: the library fails on several.
    return SLACK * size * (_font(bold).getlength(narrow) / _UNIT + wide)


def wrapped(
    text: str, size: float, room: float, bold: bool = False, read: Callable[[str], str] = str
) -> list[str]:
    """Break text into lines of at most ``room`` pixels; ``read`` is how it will be read.

    Lines do not break at a thin space, as in numbers.

    >>> wrapped("one two three", 20, 80)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in filter(None, text.replace("\n", " ").split(" ")):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(read(longer), size, bold) <= room:
            lines[-1] = longer
            continue
        lines.append(word)
        while text_width(read(lines[-1]), size, bold) > room and len(lines[-1]) > 1:
            if read(lines[-1]) != lines[-1]:
                break
            most = max(1, _most(len(lines[-1]), room, partial(_start, lines[-1], size, bold)))
            lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return lines


@lru_cache(maxsize=4096)
def cut_to(text: str, size: float, room: float, bold: bool = False) -> str:
    """Cut text in the middle until it fits.

    >>> cut_to("uedin-heafield-unconstrained", 20, 120)
    'uedin…ained'
    """
    if text_width(text, size, bold) <= room:
        return text

    def shorter(kept: int) -> str:
        tail = kept // 2
        return text[: kept - tail] + ELLIPSIS + text[len(text) - tail :]

    return shorter(_most(len(text), room, lambda kept: text_width(shorter(kept), size, bold)))


def cut_apart(name: str, others: Iterable[str], size: float, room: float) -> str:
    """Cut a name in the middle, or at an end if it would look like another one of ``others``.

    >>> cut_apart("llama-3.1-70b-instruct", ["llama-3.1-405b-instruct"], 28, 200)
    '…1-70b-instruct'
    """
    cut = cut_to(name, size, room)
    if cut == name or all(cut_to(other, size, room) != cut for other in others if other != name):
        return cut
    kept = _most(len(name), room, lambda kept: text_width(ELLIPSIS + name[-kept:], size))
    return ELLIPSIS + name[-kept:]


def _start(text: str, size: float, bold: bool, kept: int) -> float:
    return text_width(text[:kept], size, bold)


def _most(n: int, room: float, width: Callable[[int], float]) -> int:
    """Return the most letters under ``n`` that fit, where more of them are wider; 0 for none."""
    return bisect_right(range(1, n), room, key=width)


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
