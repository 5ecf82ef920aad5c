"""A deck as PowerPoint: titles, notes and tables to edit, and the pictures of the slides."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from typing import Any

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Emu, Pt

from analysis.colors import INKS
from analysis.drawing.files import CSS_PIXEL, plain_svg, svg_to_png
from analysis.drawing.svg.lettering import wrapped
from analysis.escaping import printable
from analysis.names import middle_cut
from analysis.reporting.bundle import zipped
from analysis.reporting.deck.picture import (
    BOTTOM,
    CSS,
    EDGE,
    HEIGHT,
    LABEL,
    ROOM,
    SMALLEST_TEXT,
    TITLE,
    TOP,
    WIDTH,
    block_svg,
    label,
)
from analysis.reporting.deck.slides import MARK, Deck, Slide, Slider, Table

DPI = 144
NAMES = 0.45
"""The first column's share of a table."""
TITLE_ONLY = 5
"""The layout of the package's own template that has a title and nothing else."""
BLOCK, NOTE = TOP + 2.44 * TITLE, 34
"""Pixels above the block, below a title of two lines; height of the line of a note."""
LONGEST_NAME, LONGEST_IN_TITLE = 40, 48
"""Letters of a system's name."""
TYPEFACE, WIDER = "Arial", 1.18
"""A typeface that every machine has, and how much wider it is than the one that is measured."""


def deck_pptx(deck: Deck, *, anonymous: bool = False) -> bytes:
    """Return the deck as a PPTX; the same deck gives the same bytes.

    Titles, notes and tables are the program's own.
    Anonymous systems have no names in it at all.
    """
    show: Any = Presentation()
    show.slide_width, show.slide_height = _pixels(WIDTH), _pixels(HEIGHT)
    show.core_properties.title = printable(deck.title)
    show.core_properties.author = "Podium"
    writer = _Writer(show, deck, anonymous)
    for slide in deck.slides:
        writer.add(slide)
    target = io.BytesIO()
    show.save(target)
    with zipfile.ZipFile(target) as made:  # The package writes today's date.
        return zipped({name: made.read(name) for name in made.namelist()})


class _Writer:
    """Adds the slides of a deck to a presentation."""

    def __init__(self, show: Any, deck: Deck, anonymous: bool) -> None:
        self.show, self.deck, self.anonymous = show, deck, anonymous

    def add(self, slide: Slide) -> None:
        """Add a slide."""
        if isinstance(slide.block, Table):
            self._add_table(slide, slide.block)
            return
        page, top = self._page(slide)
        bottom = BOTTOM - NOTE * bool(slide.note or isinstance(slide.block, Slider))
        svg = block_svg(self.deck, slide, bottom - top, anonymous=self.anonymous)
        png = io.BytesIO(svg_to_png(plain_svg(svg, CSS), DPI))
        picture = page.shapes.add_picture(png, 0, _pixels(top), _pixels(WIDTH))
        words = printable(label(self.deck, slide, self.anonymous))
        picture._element.nvPicPr.cNvPr.set("descr", words)
        words = slide.note
        if isinstance(slide.block, Slider) and not words:
            words = slide.block.steps[slide.block.start].line
        if words:
            self._write(page, words, bottom, SMALLEST_TEXT)

    def _page(self, slide: Slide) -> tuple[Any, float]:
        """Add a page with its texts; return it and where its block may begin."""
        page = self.show.slides.add_slide(self.show.slide_layouts[TITLE_ONLY])
        title = page.shapes.title
        title.left, title.top = _pixels(EDGE), _pixels(TOP - 26)
        title.width, title.height = _pixels(ROOM), _pixels(BLOCK - TOP + 20)
        title.text_frame.vertical_anchor = MSO_ANCHOR.TOP
        words = self._said(slide.title, LONGEST_IN_TITLE)
        sizes = (size for size in (TITLE, 34, 30, 26) if _fits(words, size))
        size = next(sizes, 22)
        self._fill(title.text_frame, words, size, bold=True)
        self._write(page, slide.about or self.deck.about, 26, LABEL, quiet=True)
        self._write(page, slide.foot, 676, LABEL, quiet=True)
        if slide.note:
            page.notes_slide.notes_text_frame.text = self._said(slide.note)
        if not slide.caution:
            return page, BLOCK
        below = TOP - 10 + 1.22 * size * _n_lines(words, size, bold=True)
        self._write(page, slide.caution, below, SMALLEST_TEXT)
        n_lines = _n_lines(self._said(slide.caution), SMALLEST_TEXT)
        return page, max(BLOCK, below + NOTE * n_lines + LABEL)

    def _add_table(self, slide: Slide, table: Table) -> None:
        (page, top), n = self._page(slide), len(table.lines) + 1
        if not table.heads:
            return
        height = min(40.0, (BOTTOM - top) / n)
        size = min(LABEL, 0.62 * height)
        frame = page.shapes.add_table(
            n, len(table.heads), _pixels(EDGE), _pixels(top), _pixels(ROOM), _pixels(n * height)
        )
        share = (1 - NAMES) / max(len(table.heads) - 1, 1)
        for k, column in enumerate(frame.table.columns):
            column.width = _pixels(ROOM * (share if k else 1 - share * (len(table.heads) - 1)))
        for k, row in enumerate(frame.table.rows):
            row.height = _pixels(height)
            cells = table.heads if not k else table.lines[k - 1]
            for cell, words, is_number in zip(row.cells, cells, table.numbers, strict=True):
                cell.margin_top = cell.margin_bottom = 0
                cell.vertical_anchor = MSO_ANCHOR.MIDDLE
                right = PP_ALIGN.RIGHT if is_number else PP_ALIGN.LEFT
                self._fill(cell.text_frame, words, size, bold=not k, align=right, plain=not k)
        if table.left_out:
            self._write(page, f"and {table.left_out} more", BOTTOM - 10, LABEL, quiet=True)

    def _write(
        self, page: Any, words: str, top: float, size: float, *, quiet: bool = False
    ) -> None:
        box = page.shapes.add_textbox(_pixels(EDGE), _pixels(top), _pixels(ROOM), _pixels(NOTE))
        box.text_frame.word_wrap = True
        self._fill(box.text_frame, words, size, quiet=quiet)

    def _fill(
        self,
        frame: Any,
        words: str,
        size: float,
        *,
        bold: bool = False,
        quiet: bool = False,
        align: Any = PP_ALIGN.LEFT,
        plain: bool = False,
    ) -> None:
        """Write text into a frame; ``plain`` leaves the color to the theme."""
        frame.margin_left = frame.margin_right = frame.margin_left if plain else 0
        paragraph = frame.paragraphs[0]
        paragraph.alignment = align
        run = paragraph.add_run()
        run.text = self._said(words)
        run.font.size, run.font.bold, run.font.name = Pt(size * CSS_PIXEL), bold, TYPEFACE
        if not plain:
            ink = INKS["light"].quiet if quiet else INKS["light"].text
            run.font.color.rgb = _color(ink)

    def _said(self, words: str, longest: int = LONGEST_NAME) -> str:
        shown = self.deck.aliases if self.anonymous else self.deck.names
        named = MARK.sub(lambda found: middle_cut(shown[int(found[1])], longest), words)
        return printable(named)


def _fits(words: str, size: float) -> bool:
    """Return whether a title has two lines at most."""
    return _n_lines(words, size, bold=True) <= 2


def _n_lines(words: str, size: float, *, bold: bool = False) -> int:
    return len(wrapped(words, WIDER * size, ROOM, bold))


@cache
def _color(ink: str) -> RGBColor:
    return RGBColor.from_string(ink.removeprefix("#"))


def _pixels(n: float) -> Emu:
    """Return pixels at 96 to the inch as the program counts."""
    return Emu(round(n * 9525))
