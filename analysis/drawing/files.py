"""SVGs as files that need no page around them: plain SVG, PNG at 300 dots an inch, PDF.

A picture's colors are classes over the variables of a page. Here they become colors, and the
letters those of one typeface that Podium carries, so that a file looks the same everywhere. The
typesetter Typst turns SVG into PDF and PNG in this process, without a browser, and lays out the
pages of a deck; it comes as one wheel and needs nothing of the system.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Literal

import typst

from analysis.colors import Mode, css_variables
from analysis.shipped import DATA

FONTS = DATA / "fonts"
FAMILY = "Source Sans Pro"
DPI = 300
CSS_PIXEL = 0.75
"""Points of a pixel, at 96 to the inch."""

_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
"""The date that a PDF says it was made on: the same input gives the same bytes."""
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_ATTRIBUTE = re.compile(rf'="{_VARIABLE.pattern}"')
_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def plain_svg(svg: str, css: str = "", mode: Mode = "light") -> str:
    """Return a picture that stands alone: with its rules, its colors, its size and its paper.

    What looks like a variable in text stays text: only whole attributes are read.
    """
    colors = css_variables(mode)
    rules = _VARIABLE.sub(lambda found: colors[found[1]], css)
    size = _VIEW_BOX.search(svg)
    assert size is not None, "a picture says how large it is"
    head, body = svg[: (end := svg.index(">"))], svg[end + 1 :]
    head = re.sub(r' (?:width|height|font-family)="[^"]*"', "", head)
    body = _ATTRIBUTE.sub(lambda found: f'="{colors[found[1]]}"', body)
    paper = f'<rect width="{size[1]}" height="{size[2]}" fill="{colors["paper"]}"/>'
    family = f"font-family=\"'{FAMILY}', sans-serif\""
    style = f"<style>{rules}</style>\n" if rules else ""
    return f'{head} width="{size[1]}" height="{size[2]}" {family}>\n{style}{paper}{body}'


def svg_to_pdf(svg: str, title: str = "") -> bytes:
    """Return a plain SVG as a PDF of one page of its size; text stays text."""
    return typeset(_ON_A_PAGE, {"svg": svg, "title": title, **_size(svg)})


def svg_to_png(svg: str, dpi: int = DPI) -> bytes:
    """Return a plain SVG as a PNG; a pixel of the SVG is a 96th of an inch."""
    return typeset(_ON_A_PAGE, {"svg": svg, "title": "", **_size(svg)}, form="png", dpi=dpi)


def typeset(
    source: str, inputs: Mapping[str, str], form: Literal["pdf", "png"] = "pdf", dpi: int = DPI
) -> bytes:
    """Return a Typst document as PDF or PNG; it reads ``inputs`` as ``sys.inputs``.

    Text from data belongs into the inputs, where it is text and nothing else.
    """
    made = typst.compile(
        source.encode(),
        font_paths=typst.Fonts(font_paths=[str(FONTS)]),
        sys_inputs=dict(inputs),
        format=form,
        ppi=float(dpi) if form == "png" else None,
        timestamp=_EPOCH,
    )
    assert isinstance(made, bytes)
    return made


_ON_A_PAGE = """
#set document(title: sys.inputs.title, date: none)
#set page(
  width: float(sys.inputs.width) * 1pt, height: float(sys.inputs.height) * 1pt, margin: 0pt,
)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%)
"""


def _size(svg: str) -> dict[str, str]:
    size = _VIEW_BOX.search(svg)
    assert size is not None, "a picture says how large it is"
    return {
        name: f"{float(pixels) * CSS_PIXEL:g}"
        for name, pixels in zip(("width", "height"), size.groups(), strict=True)
    }
