"""A slide as an SVG of 1280 by 720 pixels: the same picture on the page, in a deck and in print.

Text is 24 pixels high or more, labels 18; all is measured, so that nothing runs off or overlaps.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.colors import marks_css
from analysis.names import ELLIPSIS
from analysis.reporting.deck.lettering import cut_to, text_width, wrapped
from analysis.reporting.deck.slides import (
    MARK,
    Deck,
    Facts,
    Lines,
    Orders,
    Rows,
    Slide,
    Slider,
    Table,
    mark,
)
from analysis.reporting.far_off import far_off
from analysis.reporting.standings_svg import round_ticks
from analysis.wording import as_html, significant

WIDTH, HEIGHT, EDGE = 1280, 720, 60
ROOM = WIDTH - 2 * EDGE
TITLE, TEXT, SMALLEST_TEXT, LABEL = 40, 30, 24, 18
TOP, BOTTOM = 96, 664
"""Where the title begins and where the foot does."""
LOWEST_ROW, HIGHEST_ROW = 25, 72
AXIS = 62
NAMES, NAME_IN_TEXT = 270, 12
"""How wide a name may be: in a row, in pixels; in a sentence, in heights of its letters."""

CSS = """
svg.slide { font-variant-numeric: tabular-nums; }
svg.slide text { fill: var(--text); }
svg.slide .quiet { fill: var(--quiet); }
svg.slide .bold { font-weight: 600; }
svg.slide .band { fill: var(--band); }
svg.slide .rule { stroke: var(--rule); stroke-width: 1.5; }
svg.slide .cut { stroke: var(--strong); stroke-width: 1.5; stroke-dasharray: 6 5; }
svg.slide .thin { stroke-width: 4; }
svg.slide .dot { fill: var(--mark); }
svg.slide .still { fill: none; stroke: var(--strong); stroke-width: 2; }
svg.slide .loud { fill: none; stroke-width: 5; }
svg.slide .accent { fill: var(--mark); }
""" + marks_css("svg.slide", ("thin", "loud"))
"""What a page adds to its rules; it sets the variables."""


@dataclass(frozen=True)
class Pen:
    """Draws one slide of a deck; ``anonymous`` writes aliases, ``colored`` tells systems apart."""

    deck: Deck
    anonymous: bool = False
    colored: bool = True

    def read(self, text: str) -> str:
        """Return a text as wide as it can become, by name or alias."""

        def widest(number: int) -> str:
            name, alias = self._cut(number, NAME_IN_TEXT * TEXT, TEXT), self.deck.aliases[number]
            return max(name, alias, key=lambda words: text_width(words, TEXT))

        return MARK.sub(lambda found: widest(int(found[1])), text)

    def color(self, number: int) -> str:
        """Return the class of a system's marks, by which they get its color."""
        return self.deck.classes[number] if self.colored and self.deck.classes else "many"

    def _cut(self, number: int, room: float, size: float) -> str:
        return cut_to(self.deck.names[number], size, room)

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
        names = names or NAME_IN_TEXT * size

        def name(number: int) -> str:
            real = self._cut(number, names, size)
            alias = cut_to(self.deck.aliases[number], size, names)
            return (
                f'<tspan class="name" data-name="{as_html(real)}" data-alias="{as_html(alias)}">'
                f"{as_html(alias if self.anonymous else real)}</tspan>"
            )

        inner = MARK.sub(lambda found: name(int(found[1])), as_html(words))
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" class="{kind}" '
            f'text-anchor="{anchor}">{inner}</text>'
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
        + pen.text(EDGE, 700, f"Evidence: page {slide.page_title}", LABEL, kind="accent")
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
    shown = deck.aliases if anonymous else deck.names
    return MARK.sub(lambda found: shown[int(found[1])], f"{slide.title}. {slide.note}".strip())


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
    y += 26
    if isinstance(slide.block, Facts):
        yield from _facts(pen, slide.block, y, bottom)
    elif isinstance(slide.block, Lines):
        yield from _lines(pen, slide.block, y, bottom)
    elif isinstance(slide.block, Orders):
        yield from _orders(pen, slide.block, y, bottom)
    elif isinstance(slide.block, Table):
        yield from _table(pen, slide.block, y, bottom)
    else:
        yield from _rows(pen, slide.block, y, bottom)


def _note(slide: Slide) -> list[str]:
    """Return the lines of the user's note; what does not fit into three is cut."""
    lines = wrapped(slide.note, SMALLEST_TEXT, ROOM - 24)
    return lines if len(lines) <= 3 else [*lines[:2], f"{lines[2][:-1]}{ELLIPSIS}"]


def slider_middle(slide: Slide) -> float:
    """Return where the slider of a slide stands, in pixels from the top."""
    lines = len(_note(slide))
    return BOTTOM - 22 - (1.22 * SMALLEST_TEXT * lines + 22 if lines else 0)


def _title(pen: Pen, words: str) -> tuple[list[str], float]:
    """Write the message, in smaller letters where it is long."""
    for size in (TITLE, 34, 30):
        drawn, y = pen.paragraph(words, TOP - 20, size, kind="bold")
        if y <= TOP + 130:
            break
    return drawn, y


def _facts(pen: Pen, facts: Facts, top: float, bottom: float) -> Iterator[str]:
    across = max(1, min(3, len(facts.items)))
    down = -(-len(facts.items) // across)
    width, height = ROOM / across, min(170.0, (bottom - top) / max(down, 1))
    for k, (number, what) in enumerate(facts.items):
        x, y = EDGE + width * (k % across), top + height * (k // across)
        size = 84.0
        while text_width(number, size, True) > width - 30:
            size -= 4
        yield pen.text(x, y + 90, number, size, kind="bold")
        yield pen.text(x, y + 130, cut_to(what, 26, width - 20), 26, kind="quiet")
    if facts.sentences:
        yield from _lines(pen, Lines(facts.sentences), top + height * down + 16, bottom)


def _lines(pen: Pen, lines: Lines, top: float, bottom: float) -> Iterator[str]:
    """Write sentences as large as they fit; those that do not fit are counted."""
    y = top
    if lines.leading:
        drawn, y = pen.paragraph(lines.leading, y, 34, kind="accent bold")
        yield from drawn
        y += 22
    for size in (TEXT, 27, SMALLEST_TEXT):
        needed = sum(
            1.22 * size * len(wrapped(s, size, ROOM - 32, read=pen.read)) + 14
            for s in lines.sentences
        )
        if y + needed <= bottom:
            break
    for k, sentence in enumerate(lines.sentences):
        drawn, after = pen.paragraph(sentence, y, size, x=EDGE + 32)
        rest = len(lines.sentences) - k
        if after > bottom or (rest > 1 and after + 14 + 1.22 * size > bottom):
            yield pen.text(EDGE + 32, y + 0.92 * size, f"and {rest} more", size, kind="quiet")
            return
        yield f'<circle class="dot" cx="{EDGE + 8}" cy="{y + 0.6 * size:.1f}" r="5"/>'
        yield from drawn
        y = after + 14


def shown_rows(rows: Rows, room: float) -> Rows:
    """Return the rows that fit into so many pixels, axis included; the rest is left out."""
    fit = max(2, int((room - AXIS) // LOWEST_ROW))
    n = len(rows.systems) + rows.left_out
    if n <= fit:
        return rows
    kept = min(fit - 1, len(rows.systems))
    cut = {
        name: getattr(rows, name)[:kept]
        for name in ("systems", "scores", "low", "high", "ranks", "groups")
    }
    return dataclasses.replace(rows, **cut, left_out=n - kept)


def _rows(
    pen: Pen, rows: Rows, top: float, bottom: float, groups: Sequence[int] | None = None
) -> Iterator[str]:
    """Draw a row per system: name, score with its interval, ranks at the right."""
    rows = shown_rows(rows, bottom - top)
    n = len(rows.systems) + bool(rows.left_out)
    height = min(HIGHEST_ROW, (bottom - top - AXIS) / n)
    size = min(30.0, max(LABEL, round(0.72 * height)))
    if groups is None:
        yield from _bands(rows.groups, top, height)
    first, last = EDGE + NAMES + 16, WIDTH - EDGE - (130 if any(rows.ranks) else 20)
    off = far_off(rows.scores)
    near = off == 0
    ends = np.concatenate([np.array(p)[near] for p in (rows.scores, rows.low, rows.high)])
    ends = ends[np.isfinite(ends)]
    reach = (float(ends.min()), float(ends.max())) if len(ends) else (0.0, 1.0)
    room = 0.04 * (reach[1] - reach[0]) or 0.5
    reach = (reach[0] - room, reach[1] + room)

    def place(value: float) -> float:
        return first + (last - first) * (value - reach[0]) / (reach[1] - reach[0])

    foot = top + height * len(rows.systems)
    for tick in round_ticks(*reach, most=7):
        if reach[0] <= tick <= reach[1] and len(ends):
            x, words = place(tick), f"{tick:g}".replace("-", "−")
            yield f'<line class="rule" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{foot:.1f}"/>'
            yield pen.text(x, foot + 22, words, LABEL, kind="quiet", anchor="middle")
    middle = (first + last) / 2
    yield pen.text(middle, foot + 46, rows.score_label, LABEL, kind="quiet", anchor="middle")
    for k, system in enumerate(rows.systems):
        middle = top + height * (k + 0.5)
        line = middle + 0.34 * size
        yield pen.text(EDGE + NAMES, line, mark(system), size, anchor="end", names=NAMES)
        if off[k]:
            color = pen.color(system)
            yield from _arrow(pen, rows.scores[k], int(off[k]), (first, last), middle, color)
        elif np.isfinite(rows.scores[k]):
            if np.isfinite(rows.low[k]):
                x1, x2 = place(rows.low[k]), place(rows.high[k])
                y = f'y1="{middle:.1f}" y2="{middle:.1f}"'
                yield f'<line class="{pen.color(system)} thin" x1="{x1:.1f}" x2="{x2:.1f}" {y}/>'
            x = place(rows.scores[k])
            dot = f'class="{pen.color(system)} dot" cx="{x:.1f}" cy="{middle:.1f}"'
            yield f'<circle {dot} r="8"/>'
        if rows.ranks[k]:
            yield pen.text(WIDTH - EDGE, line, rows.ranks[k], size, anchor="end")
    if rows.left_out:
        words = f"and {rows.left_out} more"
        yield pen.text(EDGE + NAMES, foot + 22, words, LABEL, kind="quiet", anchor="end")
    if any(rows.ranks):
        yield pen.text(WIDTH - EDGE, top - 6, "ranks", LABEL, kind="quiet", anchor="end")


def _arrow(
    pen: Pen, score: float, side: int, ends: tuple[float, float], middle: float, color: str
) -> Iterator[str]:
    """Point to a system that is far off the axis, with its score."""
    x = ends[0] + 2 if side < 0 else ends[1] - 2
    base = x - 18 * side
    tip = f"{x:.1f},{middle:.1f} {base:.1f},{middle - 9:.1f} {base:.1f},{middle + 9:.1f}"
    yield f'<polygon class="{color} dot" points="{tip}"/>'
    anchor = "start" if side < 0 else "end"
    words = f"{significant(score)}, off the axis"
    yield pen.text(x - 26 * side, middle + 6, words, LABEL, kind="quiet", anchor=anchor)


def _bands(groups: Sequence[int], top: float, height: float) -> Iterator[str]:
    """Lay a band behind every second group and a dashed line between groups."""
    starts = [p for p in range(len(groups)) if not p or groups[p] != groups[p - 1]]
    for number, (first, end) in enumerate(itertools.pairwise([*starts, len(groups)])):
        y = top + height * first
        if number % 2:
            size = f'width="{ROOM + 40}" height="{height * (end - first):.1f}"'
            yield f'<rect class="band" x="{EDGE - 20}" y="{y:.1f}" {size}/>'
        if first:
            across = f'x1="{EDGE - 20}" x2="{WIDTH - EDGE + 20}"'
            yield f'<line class="cut" {across} y1="{y:.1f}" y2="{y:.1f}"/>'


SLIDER_ROOM = 48
"""Pixels of the slider, below the rows."""


def _slider(pen: Pen, slider: Slider, bottom: float, all_steps: bool) -> Iterator[str]:
    """Draw each step's title, bands and sentence, and the rows once, over them."""
    titles = [_title(pen, step.title) for step in slider.steps]
    said = [wrapped(step.line, SMALLEST_TEXT, ROOM, read=pen.read) for step in slider.steps]
    top = max(y for _, y in titles) + 20
    end = bottom - SLIDER_ROOM - 1.22 * SMALLEST_TEXT * max(map(len, said)) - 8
    rows = shown_rows(slider.rows, end - top)
    height = min(HIGHEST_ROW, (end - top - AXIS) / (len(rows.systems) + bool(rows.left_out)))
    for k, step in enumerate(slider.steps):
        if not all_steps and k != slider.start:
            continue
        hidden = "" if k == slider.start else ' style="display:none"'
        yield f'<g class="step" data-step="{k}"{hidden}>'
        yield from titles[k][0]
        yield from _bands(step.groups[: len(rows.systems)], top, height)
        drawn, _ = pen.paragraph(step.line, end + 4, SMALLEST_TEXT)
        yield from drawn
        words = f"{slider.label} {step.value}"
        yield pen.text(EDGE, bottom - 14, words, SMALLEST_TEXT, kind="bold")
        yield "</g>"
    yield from _rows(pen, rows, top, end, groups=())


def _orders(pen: Pen, orders: Orders, top: float, bottom: float) -> Iterator[str]:
    """Draw the order of each method, lines between; lines to be seen are strong."""
    n = len(orders.systems)
    fit = max(2, int((bottom - top - 40) // LOWEST_ROW))
    kept = n if n <= fit else fit - 1
    height = min(HIGHEST_ROW, (bottom - top - 40) / (kept + (kept < n)))
    size = min(30.0, max(LABEL, round(0.72 * height)))
    left, right = EDGE + NAMES + 30, WIDTH - EDGE - NAMES - 30
    across = [
        left + (right - left) * m / (len(orders.methods) - 1) for m in range(len(orders.methods))
    ]
    half = (right - left) / (len(orders.methods) - 1) - 20

    def middle(place: int) -> float:
        return top + 40 + height * (place - 0.5)

    for m, (x, method) in enumerate(zip(across, orders.methods, strict=True)):
        is_end = m in (0, len(across) - 1)
        words = cut_to(method, LABEL, half / 2 + NAMES if is_end else half)
        anchor = "end" if m == 0 else "start" if m == len(across) - 1 else "middle"
        shift = {"end": 14.0, "start": -14.0, "middle": 0.0}[anchor]
        yield pen.text(x + shift, top + 18, words, LABEL, kind="bold", anchor=anchor)
    quiet_first = sorted(range(n), key=lambda k: orders.loud[k])
    for k in quiet_first:
        places = [method[k] for method in orders.places]
        color = pen.color(orders.systems[k])
        for (x1, a), (x2, b) in itertools.pairwise(zip(across, places, strict=True)):
            if max(a, b) <= kept:
                kind = "loud" if orders.loud[k] else "still"
                ends = f"M{x1:.1f} {middle(a):.1f}L{x2:.1f} {middle(b):.1f}"
                yield f'<path class="{color} {kind}" d="{ends}"/>'
        for x, place in zip(across, places, strict=True):
            if place <= kept:
                dot = f'class="{color} dot" cx="{x:.1f}" cy="{middle(place):.1f}"'
                yield f'<circle {dot} r="6"/>'
        for x, place, anchor, shift in (
            (across[0], places[0], "end", -18.0), (across[-1], places[-1], "start", 18.0),
        ):  # fmt: skip
            if place <= kept:
                y = middle(place) + 0.34 * size
                words = mark(orders.systems[k])
                yield pen.text(x + shift, y, words, size, anchor=anchor, names=NAMES)
    rest = n - kept + orders.left_out
    if rest:
        yield pen.text(across[0] - 18, middle(kept + 1) + 6, f"and {rest} more", LABEL,
                       kind="quiet", anchor="end")  # fmt: skip


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
