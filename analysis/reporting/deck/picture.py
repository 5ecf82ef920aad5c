"""A slide as an SVG of 1280 by 720 pixels: the same picture on the page, in a deck and in print.

Text is 24 pixels high or more, labels 18; all is measured, so that nothing runs off or overlaps.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from analysis.drawing.look import Look, Sizes
from analysis.drawing.orders import Orders
from analysis.drawing.reordering import HALF, reordering_json
from analysis.drawing.row_picture import right_margin, rows_json
from analysis.drawing.rows import Rows
from analysis.drawing.svg import svg_body
from analysis.drawing.svg.lettering import cut_apart, cut_to, text_width, wrapped
from analysis.escaping import as_html
from analysis.names import ELLIPSIS
from analysis.reporting.deck.slides import MARK, Block, Chart, Deck, Slide, Slider, Table

WIDTH, HEIGHT, EDGE = 1280, 720, 60
ROOM = WIDTH - 2 * EDGE
TITLE, TEXT, SMALLEST_TEXT, LABEL = 40, 30, 24, 18
TOP, BOTTOM = 96, 664
"""Where the title begins and where the foot does."""
LOWEST_ROW, HIGHEST_ROW = 22, 72
AXIS = 62
NAMES, NAME_IN_TEXT = 270, 20
"""How wide a name may be: in a row, in pixels; in a sentence, in heights of its letters."""

CSS = """
svg.slide { font-variant-numeric: tabular-nums; }
svg.slide .quiet { fill: var(--quiet); }
svg.slide .bold { font-weight: 600; }
svg.slide .rule { stroke: var(--rule); stroke-width: 1.5; }
svg.slide .dot { fill: var(--mark); }
svg.slide .accent { fill: var(--mark); }
"""
"""What a page adds to its rules; it sets the variables."""


@dataclass(frozen=True)
class Pen:
    """Draws one slide of a deck; ``anonymous`` writes aliases, ``colored`` gives systems colors."""

    deck: Deck
    anonymous: bool = False
    colored: bool = True

    def read(self, text: str, size: float = TEXT, room: float = NAME_IN_TEXT * TEXT) -> str:
        """Return a text as wide as it can become, by name or alias cut to so many pixels."""

        def widest(found: re.Match[str]) -> str:
            both = (names[int(found[1])] for names in (self.deck.names, self.deck.aliases))
            return max((cut_to(name, size, room) for name in both), key=len)

        return MARK.sub(widest, text)

    def picture(self, drawing: Mapping[str, Any], size: float, room: float) -> str:
        """Return a picture with names, at most ``room`` pixels wide, for its marks."""
        read = partial(self.read, size=size, room=room)
        return self.named(svg_body(drawing, read=read), size, room)

    def color(self, number: int) -> str:
        """Return the color of a system's marks, a variable of the page."""
        named = self.deck.classes[number] if self.colored and self.deck.classes else "many"
        return f"var(--{named})"

    def named(self, drawn: str, size: float, room: float) -> str:
        """Write the names, cut to so many pixels, in place of marks; they can turn into aliases."""

        def name(found: re.Match[str]) -> str:
            real, alias = (
                as_html(cut_apart(names[int(found[1])], names, size, room))
                for names in (self.deck.names, self.deck.aliases)
            )
            return (
                f'<tspan class="name" data-name="{real}" data-alias="{alias}">'
                f"{alias if self.anonymous else real}</tspan>"
            )

        return MARK.sub(name, drawn)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = TEXT,
        *,
        kind: str = "",
        anchor: str = "start",
        names: float = 0.0,
    ) -> str:
        """Return a line of text; names in it, cut to so many pixels, can turn into aliases."""
        inner = self.named(as_html(words), size, names or NAME_IN_TEXT * size)
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" class="{kind}" '
            f'fill="var(--text)" text-anchor="{anchor}">{inner}</text>'
        )

    def paragraph(
        self, words: str, y: float, size: float, *, kind: str = "", x: float = EDGE
    ) -> tuple[list[str], float]:
        """Return the lines of a text that begins at ``y``, and where the next thing may begin."""
        bold = "bold" in kind
        lines = wrapped(words, size, WIDTH - EDGE - x, bold, self.read)
        drawn = [
            self.text(x, y + size * (0.92 + 1.22 * k), line, size, kind=kind)
            for k, line in enumerate(lines)
        ]
        return drawn, y + 1.22 * size * len(lines)


def slide_svg(deck: Deck, place: int, *, anonymous: bool = False, all_steps: bool = False) -> str:
    """Return one slide; ``all_steps`` holds every step of a slider, all but the first hidden.

    A color would tell who an anonymous system is. With all steps the page takes the colors away,
    since it can show the names.
    """
    slide, pen = deck.slides[place], Pen(deck, anonymous, colored=all_steps or not anonymous)
    parts = list(_slide(pen, slide, all_steps))
    foot = [
        pen.text(EDGE, 50, cut_to(slide.about or deck.about, LABEL, ROOM), LABEL, kind="quiet"),
        f'<g class="evidence" data-value="{as_html(slide.page)}">'
        + pen.text(EDGE, 700, slide.foot, LABEL, kind="accent")
        + "</g>",
        pen.text(
            WIDTH - EDGE, 700, f"{place + 1} / {len(deck.slides)}", LABEL,
            kind="quiet", anchor="end",
        ),
    ]  # fmt: skip
    return "\n".join(
        [
            f'<svg class="slide" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{as_html(label(deck, slide, anonymous))}" '
            'xmlns="http://www.w3.org/2000/svg">',
            *parts,
            *foot,
            "</svg>",
        ]
    )


def label(deck: Deck, slide: Slide, anonymous: bool) -> str:
    """Return what a slide says, for those who do not see it."""
    said = " ".join(filter(None, (f"{slide.title}.", slide.caution, slide.note)))
    return deck.plain(said, anonymous)


def _slide(pen: Pen, slide: Slide, all_steps: bool) -> Iterator[str]:
    """Draw the title, the block below it and the note at the foot."""
    lines = _note(slide)
    bottom = float(BOTTOM)
    if lines:
        bottom -= 1.22 * SMALLEST_TEXT * len(lines) + 10
        yield (
            f'<rect class="dot" x="{EDGE}" y="{bottom + 6:.1f}" width="5" '
            f'height="{1.22 * SMALLEST_TEXT * len(lines):.1f}"/>'
        )
        for k, line in enumerate(lines):
            y = bottom + 6 + SMALLEST_TEXT * (0.92 + 1.22 * k)
            yield pen.text(EDGE + 24, y, line, SMALLEST_TEXT)
        bottom -= 12
    if isinstance(slide.block, Slider):
        yield from _slider(pen, slide.block, bottom, all_steps)
        return
    drawn, y = _title(pen, slide.title)
    yield from drawn
    if slide.caution:
        drawn, y = pen.paragraph(slide.caution, y + 4, SMALLEST_TEXT)
        yield from drawn
    yield from _block(pen, slide.block, y + 26, bottom)


def _block(pen: Pen, block: Block, top: float, bottom: float) -> Iterator[str]:
    """Draw what shows the message between two heights; of a slider the step that shows first."""
    if isinstance(block, Slider):
        block = block.grouped(block.start)
    if isinstance(block, Chart):
        yield from _chart(pen, block, top, bottom)
    elif isinstance(block, Orders):
        yield from _orders(pen, block, top, bottom)
    elif isinstance(block, Table):
        yield from _table(pen, block, top, bottom)
    else:
        yield from _rows(pen, block, top, bottom)


def block_svg(deck: Deck, slide: Slide, height: float, *, anonymous: bool = False) -> str:
    """Return what shows a slide's message alone, as wide as the slide and so many pixels high."""
    pen = Pen(deck, anonymous, colored=not anonymous)
    return "\n".join(
        [
            f'<svg class="slide" viewBox="0 0 {WIDTH} {height:g}" '
            'xmlns="http://www.w3.org/2000/svg">',
            *_block(pen, slide.block, LABEL, height),
            "</svg>",
        ]
    )


def _note(slide: Slide) -> list[str]:
    """Return the lines of the user's note; what does not fit into three is cut."""
    lines = wrapped(slide.note, SMALLEST_TEXT, ROOM - 24)
    return lines if len(lines) <= 3 else [*lines[:2], f"{lines[2][:-1]}{ELLIPSIS}"]


def slider_middle(slide: Slide) -> float:
    """Return where the slider of a slide stands, in pixels from the top."""
    lines = len(_note(slide))
    return BOTTOM - 22 - (1.22 * SMALLEST_TEXT * lines + 22 if lines else 0)


def _title(pen: Pen, words: str) -> tuple[list[str], float]:
    """Write the message in two lines at most, in smaller letters where it is long."""
    for size in (TITLE, 34, 30):
        lines = wrapped(words, size, ROOM, True, pen.read)
        if len(lines) <= 2:
            break
    else:
        while len(lines) > 2:  # the ellipsis may need the room of several short words
            kept = " ".join(lines[:2]).removesuffix(f" {ELLIPSIS}").rsplit(" ", 1)[0]
            lines = wrapped(f"{kept} {ELLIPSIS}", size, ROOM, True, pen.read)
    return pen.paragraph(" ".join(lines), TOP - 20, size, kind="bold")


def _chart(pen: Pen, chart: Chart, top: float, bottom: float) -> Iterator[str]:
    """Draw a picture into the room between two heights, its key below it."""
    if chart.key:
        bottom -= 1.5 * LABEL
        yield pen.text(EDGE, bottom + 1.2 * LABEL, chart.key, LABEL, kind="quiet")
    look = Look({}, None, dataclasses.replace(SIZES, row=40, text=20, left=None, width=ROOM))
    drawing = chart.draw(look, bottom - top)
    inner = pen.picture(drawing, look.sizes.text, NAMES)
    yield f'<g transform="translate({EDGE} {top:.1f})">{inner}</g>'


def shown_rows(rows: Rows, room: float) -> Rows:
    """Return the rows that fit into so many pixels, axis included; the rest is left out."""
    fit = max(2, int((room - AXIS) // LOWEST_ROW))
    n = len(rows.rows) + rows.left_out
    if n <= fit:
        return rows
    kept = min(fit - 1, len(rows.rows))
    bands = tuple((first, min(end, kept)) for first, end in rows.bands if first < kept)
    cuts = tuple(cut for cut in rows.cuts if cut[0] < kept)
    return dataclasses.replace(
        rows, rows=rows.rows[:kept], bands=bands, cuts=cuts, left_out=n - kept
    )


SIZES = Sizes(
    many=10**6, small=LABEL, dot=16, thin=4, thick=12, name=10**6, left=EDGE + NAMES + 16,
    width=WIDTH,
)  # fmt: skip


def _look(pen: Pen, height: float) -> Look:
    """Return how pictures look on a slide, with rows of that height."""
    size = min(TEXT, max(LABEL, round(0.72 * height)))
    sizes = dataclasses.replace(SIZES, row=height, text=size)
    colors = {name: pen.color(k) for k, name in enumerate(pen.deck.systems)}
    return Look(colors, None, sizes)


def _rows(
    pen: Pen, rows: Rows, top: float, bottom: float, only: Literal["", "rows", "bands"] = ""
) -> Iterator[str]:
    """Draw the scene of the rows between two heights: all of it, or a part alone."""
    rows = shown_rows(rows, bottom - top)
    height = min(HIGHEST_ROW, (bottom - top - AXIS) / rows.n_lines)
    look = _look(pen, height)
    drawing = rows_json(rows, look, height=HEIGHT)
    layout = drawing["layout"]
    layout["margin"] |= dict(
        t=top, b=HEIGHT - top - height * rows.n_lines, r=EDGE + right_margin(rows, look) - 8
    )
    if only == "bands":
        axes = {name: layout[name] | dict(visible=False) for name in ("xaxis", "yaxis")}
        drawing = dict(data=[], layout=layout | axes | dict(annotations=[]))
    elif only == "rows":
        layout["shapes"] = []
    yield pen.picture(drawing, look.sizes.text, NAMES)


SLIDER_ROOM = 48
"""Pixels of the slider, below the rows."""


def _slider(pen: Pen, slider: Slider, bottom: float, all_steps: bool) -> Iterator[str]:
    """Draw each step's title, bands and sentence, and the rows once, over them."""
    titles = [_title(pen, step.title) for step in slider.steps]
    said = [wrapped(step.line, SMALLEST_TEXT, ROOM, read=pen.read) for step in slider.steps]
    top = max(y for _, y in titles) + 20
    end = bottom - SLIDER_ROOM - 1.22 * SMALLEST_TEXT * max(map(len, said)) - 8
    for k, step in enumerate(slider.steps):
        if not all_steps and k != slider.start:
            continue
        hidden = "" if k == slider.start else ' style="display:none"'
        yield f'<g class="step" data-step="{k}"{hidden}>'
        yield from titles[k][0]
        yield from _rows(pen, slider.grouped(k), top, end, "bands")
        drawn, _ = pen.paragraph(step.line, end + 4, SMALLEST_TEXT)
        yield from drawn
        words = f"{slider.label} {step.value}"
        yield pen.text(EDGE, bottom - 14, words, SMALLEST_TEXT, kind="bold")
        yield "</g>"
    yield from _rows(pen, slider.rows, top, end, "rows")


HEADS = 56
"""Pixels of heads of two lines over the methods' orders."""


def _orders(pen: Pen, orders: Orders, top: float, bottom: float) -> Iterator[str]:
    """Draw the scene of the methods' orders; of many systems, the first places."""
    n, methods = len(orders.systems), len(orders.heads)
    top += HEADS + 1.3 * TEXT * orders.heads[0].facts.count("\n")
    fit = max(2, int((bottom - top) // LOWEST_ROW))
    kept = n if n + bool(orders.left_out) <= fit else fit - 1
    height = min(HIGHEST_ROW, (bottom - top) / (kept + (kept < n)))
    room = 1.9 * HALF * ROOM / methods
    look = _look(pen, height)
    widest = max(text_width(pen.read(name, room=WIDTH), 1, True) for name in orders.names.values())
    size = max(LABEL, min(look.sizes.text, room / widest))
    look = dataclasses.replace(look, sizes=dataclasses.replace(look.sizes, text=size))
    drawing = reordering_json(orders, look, rows=slice(0, kept))
    foot = top + height * kept
    drawing["layout"] |= dict(height=HEIGHT, margin=dict(l=EDGE, r=EDGE, t=top, b=HEIGHT - foot))
    yield pen.picture(drawing, look.sizes.text, room)
    rest = n - kept + orders.left_out
    if rest:
        yield pen.text(EDGE, foot + 24, f"and {rest} more", LABEL, kind="quiet")


CELL = 340
"""The most pixels of a cell."""


def _table(pen: Pen, table: Table, top: float, bottom: float) -> Iterator[str]:
    """Write the first columns and lines that fit; say how many lines are left out."""
    n = len(table.lines)
    height = min(44.0, max(LOWEST_ROW + 3, (bottom - top - 30) / (n + 2)))
    fit = max(1, int((bottom - top - 30) // height) - 1)
    lines = table.lines if n + bool(table.left_out) <= fit else table.lines[: fit - 1]
    rest = n - len(lines) + table.left_out
    size = min(24.0, max(LABEL, round(0.7 * height)))

    def wide(words: str, bold: bool = False) -> float:
        return min(CELL, text_width(pen.read(words), size, bold))

    across = f'x1="{EDGE}" x2="{WIDTH - EDGE}"'
    for row in range(1, len(lines) + 1):
        y = top + height * row + 2
        yield f'<line class="rule" {across} y1="{y:.1f}" y2="{y:.1f}"/>'
    if rest:
        y = top + height * (len(lines) + 1) + 22
        yield pen.text(EDGE, y, f"and {rest} more", LABEL, kind="quiet")
    x = float(EDGE)
    for k, head in enumerate(table.heads):
        width = max([wide(head, True), *(wide(line[k]) for line in lines)]) + 6
        if k and x + width > WIDTH - EDGE:
            return
        at, anchor = (x + width, "end") if table.numbers[k] else (x, "start")
        cells = [cut_to(head, size, CELL, True), *(line[k] for line in lines)]
        for row, words in enumerate(cells):
            y = top + height * (row + 0.7)
            shown = words if MARK.search(words) else cut_to(words, size, CELL)
            kind = "bold" if not row else ""
            yield pen.text(at, y, shown, size, kind=kind, anchor=anchor)
        x += width + 28
