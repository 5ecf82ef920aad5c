"""How wide text is, so that it can be broken into lines and never runs off a slide."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial

from PIL import ImageFont

from analysis.drawing.files import FONTS
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

    A thin space, as in numbers, is no place to break.

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
