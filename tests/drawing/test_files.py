"""A picture becomes a file that stands alone: same bytes, its own colors, text that stays text."""

from __future__ import annotations

import re
import struct
import zlib
from xml.etree import ElementTree

from analysis.colors import INKS
from analysis.drawing.files import plain_svg, svg_to_pdf, svg_to_png

SVG = (
    '<svg class="small" viewBox="0 0 96 48" xmlns="http://www.w3.org/2000/svg">\n'
    '<rect class="band" x="0" y="0" width="96" height="48"/>\n'
    '<text x="4" y="20">κ → &lt;b&gt;</text></svg>'
)
CSS = "svg.small .band { fill: var(--band); } svg.small text { fill: var(--text); }"


def test_a_plain_svg_needs_no_page() -> None:
    for mode, ink in INKS.items():
        picture = plain_svg(SVG, CSS, mode)
        root = ElementTree.fromstring(picture)
        assert (root.get("width"), root.get("height")) == ("96", "48")
        assert "var(" not in picture
        assert ink.band in picture
        assert ink.paper in picture


def test_the_same_picture_is_the_same_pdf_of_one_page_of_its_size() -> None:
    picture = plain_svg(SVG, CSS)
    pdf = svg_to_pdf(picture, "a #title")
    assert pdf == svg_to_pdf(picture, "a #title")
    assert pdf.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+)", pdf)
    assert [tuple(map(float, box)) for box in boxes] == [(72.0, 36.0)]
    assert b"SourceSansPro" in pdf


def test_a_png_has_the_dots_that_were_asked_for() -> None:
    png = svg_to_png(plain_svg(SVG, CSS), dpi=300)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (300, 150)
    start = png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[start - 4 : start])
    assert len(set(zlib.decompressobj().decompress(png[start + 4 : start + 4 + length]))) > 3
