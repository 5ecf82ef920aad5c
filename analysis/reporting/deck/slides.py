"""Slides as data: one message each, what shows it, and where its evidence stands.

A system's name in a slide is a mark, its number between two private characters; whoever draws the
slide writes the name or, where the systems are anonymous, the alias.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.drawing.look import Look
from analysis.drawing.orders import Orders
from analysis.drawing.rows import Rows, bands_of, cuts_of
from analysis.wording import EN_DASH, capital, significant, thousands

OPEN, CLOSE = "\ue000", "\ue001"
MOST_LINES = 14
"""Lines of a table that a slide may show."""
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")


def mark(number: int) -> str:
    """Return what stands for a system in the text of a slide."""
    return f"{OPEN}{number}{CLOSE}"


@dataclass(frozen=True, eq=False)
class Chart:
    """A picture that is drawn into the room that there is: ``draw(look, height)`` in pixels.

    ``key`` is a line below it.
    """

    draw: Callable[[Look, float], Mapping[str, Any]]
    key: str = ""


@dataclass(frozen=True)
class Step:
    """What one value of a slider does: its title, the groups of the rows, a sentence below."""

    value: str
    title: str
    groups: tuple[int, ...]
    line: str


@dataclass(frozen=True)
class Slider:
    """Rows under a slider; ``start`` is the step that shows first, and the one that is printed."""

    rows: Rows
    label: str
    steps: tuple[Step, ...]
    start: int

    def grouped(self, step: int) -> Rows:
        """Return the rows in the groups of a step."""
        groups = self.steps[step].groups
        return dataclasses.replace(self.rows, bands=bands_of(groups), cuts=cuts_of(groups))


@dataclass(frozen=True)
class Table:
    """The first lines of a table, as text; ``numbers`` says which columns stand to the right."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...]
    left_out: int = 0


NOTHING = Table((), (), ())
"""The block of a slide that is its message alone."""
Block = Rows | Slider | Orders | Chart | Table


@dataclass(frozen=True)
class Slide:
    """One message; ``page`` is the address of the page with its evidence, ``note`` the user's.

    ``about`` stands above it where it is not the deck's, ``caution`` below its title, ``key_words``
    at its foot.
    """

    key: str
    title: str
    block: Block
    page: str
    page_title: str
    note: str = ""
    about: str = ""
    key_words: str = ""
    caution: str = ""

    @property
    def what(self) -> str:
        """Which page it is of, and that it is a table: two slides may have one title."""
        return f"{self.page_title}{', table' if isinstance(self.block, Table) else ''}"

    @property
    def foot(self) -> str:
        """What the marks mean, or which page has the evidence."""
        return self.key_words or f"Podium, {self.page_title}"


@dataclass(frozen=True)
class Deck:
    """Slides in their order; ``about`` stands above each. ``aliases`` stand for ``names``.

    ``systems`` are the names in full, ``classes`` those of their marks, by which they are colored.
    ``optional`` are the keys of slides without a finding, which only show when asked for.
    """

    title: str
    about: str
    systems: tuple[str, ...]
    names: tuple[str, ...]
    aliases: tuple[str, ...]
    slides: tuple[Slide, ...]
    classes: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()

    def marked(self, text: str, shortest: int = 3) -> str:
        """Return text with a mark wherever a system is named; a shorter name is a word.

        A name that begins a sentence may have got a capital.
        """
        both = (self.names, self.systems)
        number = {capital(name): k for names in both for k, name in enumerate(names)}
        number |= {name: k for names in both for k, name in enumerate(names)}
        if text in number:
            return mark(number[text])
        long = sorted((name for name in number if len(name) >= shortest), key=len, reverse=True)
        if not long:
            return text
        named = "|".join(map(re.escape, long))
        found = re.compile(rf"(?<![\w-])(?:{named})(?![\w-])")
        return found.sub(lambda match: mark(number[match[0]]), text)

    def plain(self, text: str, anonymous: bool = False) -> str:
        """Return a text of a slide with the names in it, or the aliases."""
        shown = self.aliases if anonymous else self.names
        return MARK.sub(lambda found: shown[int(found[1])], text)


@dataclass(frozen=True)
class Arrangement:
    """The user's changes to a deck: slides added, the order, those cut, notes by slide.

    ``cut`` is None until the user cuts or restores a slide: optional slides are cut then. Slides
    that ``order`` does not name come after those that it does, in their usual order. Those that are
    ``added`` have names in their text, not marks.
    """

    order: tuple[str, ...] = ()
    cut: frozenset[str] | None = None
    added: tuple[Slide, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def moved(self, key: str, step: int, keys: Sequence[str]) -> Arrangement:
        """Return the arrangement with a slide moved up (-1) or down (1) among ``keys``."""
        order = list(keys)
        here = order.index(key)
        there = min(max(here + step, 0), len(order) - 1)
        order.insert(there, order.pop(here))
        return dataclasses.replace(self, order=tuple(order))

    def cut_of(self, deck: Deck) -> frozenset[str]:
        """Return the keys of the slides that are cut from a deck."""
        return deck.optional if self.cut is None else self.cut

    def shown(self, key: str, is_shown: bool, deck: Deck) -> Arrangement:
        """Return the arrangement with a slide cut, or back."""
        cut = self.cut_of(deck)
        return dataclasses.replace(self, cut=cut - {key} if is_shown else cut | {key})

    def adding(self, slide: Slide) -> Arrangement:
        """Return the arrangement with a slide more; one of the same key gives way, cut or not."""
        rest = tuple(other for other in self.added if other.key != slide.key)
        cut = None if self.cut is None else self.cut - {slide.key}
        return dataclasses.replace(self, added=(*rest, slide), cut=cut)

    def noted(self, key: str, note: str) -> Arrangement:
        """Return the arrangement with a note on a slide."""
        notes = {**self.notes, key: note.strip()}
        return dataclasses.replace(self, notes={k: text for k, text in notes.items() if text})


def arrange(deck: Deck, arrangement: Arrangement, *, with_cut: bool = False) -> Deck:
    """Return the deck as the user wants it; ``with_cut`` keeps the slides that are cut."""
    place = {key: k for k, key in enumerate(arrangement.order)}
    slides = [*deck.slides, *(_marked(deck, slide) for slide in arrangement.added)]
    ordered = sorted(slides, key=lambda slide: place.get(slide.key, len(place)))
    cut = frozenset[str]() if with_cut else arrangement.cut_of(deck)
    kept = [slide for slide in ordered if slide.key not in cut]
    noted = [dataclasses.replace(s, note=arrangement.notes.get(s.key, "")) for s in kept]
    return dataclasses.replace(deck, slides=tuple(noted))


def _marked(deck: Deck, slide: Slide) -> Slide:
    """Return an added slide with marks in place of names."""
    block = slide.block
    if isinstance(block, Table):
        lines = tuple(tuple(map(deck.marked, line)) for line in block.lines)
        heads = tuple(map(deck.marked, block.heads))
        block = dataclasses.replace(block, heads=heads, lines=lines)
    return dataclasses.replace(slide, title=capital(deck.marked(slide.title)), block=block)


def aliases(n: int, seed: int = 0) -> tuple[str, ...]:
    """Return names that say nothing, in an order that says nothing: System K, System C, …

    >>> sorted(aliases(3)), aliases(30)[0].startswith("System ")
    (['System A', 'System B', 'System C'], True)
    """
    letters = [chr(65 + k) if n <= 26 else str(k + 1) for k in range(n)]
    return tuple(f"System {letters[k]}" for k in np.random.default_rng(seed).permutation(n))


_TITLES = {"standings": "Result", "matrix": "Head to head", "radius": "What if", "next": "Next"}


def about_note(slide: str) -> str:
    """Return what a note is about, by the key of its slide.

    >>> about_note("radius"), about_note("result.head-to-head")
    ('What if', 'Head to head')
    """
    return _TITLES.get(slide, capital(slide.removeprefix("result.").replace("-", " ")))


def table_slide(
    key: str, title: str, frame: pd.DataFrame, page: str, page_title: str, about: str
) -> Slide:
    """Return a slide of any result: its finding, and the first lines of its table."""
    block = NOTHING
    if len(frame.columns):
        columns = [frame.iloc[:, k] for k in range(len(frame.columns))]
        numbers = tuple(bool(pd.api.types.is_numeric_dtype(column)) for column in columns)
        first = [[_cell(value) for value in column[:MOST_LINES]] for column in columns]
        block = Table(
            heads=tuple(capital(str(name).replace("_", " ")) for name in frame.columns),
            lines=tuple(zip(*first, strict=True)),
            numbers=numbers,
            left_out=max(0, len(frame) - MOST_LINES),
        )
    return Slide(key, title, block, page, page_title, about=about)


def _cell(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if value is None or value is pd.NA or value != value:
        return EN_DASH
    if isinstance(value, (int, np.integer)):
        return thousands(int(value))
    return significant(float(value)) if isinstance(value, (float, np.floating)) else str(value)
