"""Systems as rows, best on top: the one scene of standings on pages, in reports, slides and files.

A scene says what is shown; `analysis.drawing.row_picture` turns it into Plotly JSON, of which
`analysis.drawing.svg` makes SVG. What a page shows and what its export shows is the same drawing.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from analysis.wording import listed

Ends = tuple[float, float]
Cut = tuple[int, Literal["dash", "dot"]]
"""A line before a row: a boundary, dashed, or one that was there before a change."""


@dataclass(frozen=True)
class Column:
    """A column of text at the right edge; ``widest`` is the widest text that it may contain.

    Below a name, where the head is not shown, ``unit`` follows the text.
    """

    head: str
    widest: str
    unit: str = ""


@dataclass(frozen=True)
class Cell:
    """Text in a column, and what it was before a change, if it was something else."""

    now: str
    was: str = ""


@dataclass(frozen=True)
class Ranks:
    """The ranks of a system: the ends of its range, its own or mean rank, their quartiles.

    ``box`` holds the quartiles of the resamples that the range is made of, if it is. The winner's
    own rank is ``filled``.
    """

    best: int
    worst: int
    middle: float
    words: str
    box: tuple[float, float, float] | None = None
    filled: bool = False


@dataclass(frozen=True)
class Ghost:
    """The answer before a change: score and interval, drawn gray behind the new ones."""

    score: float
    interval: Ends | None
    words: str


@dataclass(frozen=True)
class Row:
    """A system with its score, its 95% (``thin``) and 50% (``thick``) interval, its texts.

    ``side`` is 1 or −1 where the score is so far off that an arrow at that end of the axis takes
    its place. ``words`` are the lines that the mouse shows. A ``hollow`` dot steps back.
    """

    system: str
    name: str
    score: float
    side: int = 0
    thin: Ends | None = None
    thick: Ends | None = None
    ranks: Ranks | None = None
    cells: tuple[Cell, ...] = ()
    words: tuple[str, ...] = ()
    ghost: Ghost | None = None
    hollow: bool = False


@dataclass(frozen=True)
class Rows:
    """A scene of rows; ``rank_axis`` holds the first and last rank of a second panel, if any.

    ``bands`` are shaded from a row to the row before another; ``cuts`` are lines before a row:
    dashed boundaries, or dotted ones that were there before a change. A given ``axis`` is that of
    several pictures.
    """

    rows: tuple[Row, ...]
    score_label: str
    alt: str
    columns: tuple[Column, ...] = ()
    bands: tuple[tuple[int, int], ...] = ()
    cuts: tuple[Cut, ...] = ()
    rank_axis: tuple[int, int] | None = None
    left_out: int = 0
    low_is_good: bool = False
    axis: Ends | None = None

    def part(self, first: int, end: int) -> Rows:
        """Return some of the rows, on the axis of all."""
        bands = [(max(top, first), min(bottom, end)) for top, bottom in self.bands]
        return dataclasses.replace(
            self,
            rows=self.rows[first:end],
            bands=tuple((top - first, bottom - first) for top, bottom in bands if top < bottom),
            cuts=tuple((row - first, kind) for row, kind in self.cuts if first < row < end),
            axis=self.reach,
        )

    @property
    def n_lines(self) -> int:
        """Rows that the picture has, with the one that counts those left out."""
        return max(len(self.rows) + bool(self.left_out), 1)

    @property
    def reach(self) -> Ends | None:
        """The ends of the axis of scores: those given, or all that is on it with a little room."""
        if self.axis is not None:
            return self.axis
        ends = [
            value
            for row in self.rows
            if not row.side
            for value in (
                row.score,
                *(row.thin or ()),
                *(() if row.ghost is None else (row.ghost.score, *(row.ghost.interval or ()))),
            )
        ]
        known = np.array(ends, dtype=float)
        known = known[np.isfinite(known)]
        if not len(known):
            return None
        room = 0.05 * float(np.ptp(known)) or 0.5
        low, high = float(known.min()) - room, float(known.max()) + room
        return (high, low) if self.low_is_good else (low, high)


def starts_of(groups: Sequence[int | None]) -> list[int]:
    """Return the rows where the next group begins.

    >>> starts_of([1, 1, 2, 3, 3])
    [2, 3]
    """
    return [row for row in range(1, len(groups)) if groups[row] != groups[row - 1]]


def cuts_of(groups: Sequence[int | None]) -> tuple[Cut, ...]:
    """Return a dashed line wherever the next group begins."""
    return tuple((start, "dash") for start in starts_of(groups))


def bands_of(groups: Sequence[int | None]) -> tuple[tuple[int, int], ...]:
    """Return first and end row of the groups with an even number, to be shaded.

    >>> bands_of([1, 1, 2, 3, 2])
    ((2, 3), (4, 5))
    """
    runs = itertools.pairwise([0, *starts_of(groups), len(groups)])
    return tuple((first, end) for first, end in runs if groups and (groups[first] or 1) % 2 == 0)


FEWEST, MOST, SHARE = 4, 3, 10
"""Systems that must be left on the axis; that may be off it at either end: one in ten, not more."""
SQUEEZED = 0.25
"""The share of the axis that the others would get, under which a system is far off."""


def far_off(scores: Sequence[float] | npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    """Return for each system −1 where it is far below the others, 1 far above, else 0.

    Far is what leaves the others less than a quarter of the axis; of one to three systems at an
    end, one in ten at most, the fewest that do.

    >>> far_off([.3, .2, .1, 0., -6.]).tolist(), far_off([.3, .2, .1, 0., -.2]).tolist()
    ([0, 0, 0, 0, -1], [0, 0, 0, 0, 0])
    """
    values = np.asarray(scores, dtype=np.float64)
    sides = np.zeros(len(values), dtype=np.int8)
    for _ in range(2):  # One end, then the other: both may have one.
        inside = [k for k in np.argsort(values, kind="stable") if not sides[k]]
        inside = [int(k) for k in inside if np.isfinite(values[k])]
        most = min(MOST, max(1, len(values) // SHARE), len(inside) - FEWEST)
        for count in range(1, most + 1):
            cuts = ((inside[:count], inside[count:], -1), (inside[-count:], inside[:-count], 1))
            whole = values[inside[-1]] - values[inside[0]]
            found = [
                (off, side)
                for off, rest, side in cuts
                if values[rest[-1]] - values[rest[0]] < SQUEEZED * whole
                and side not in sides[sides != 0]
            ]
            if found:
                off, side = found[0]
                sides[off] = side
                break
    return sides


def systems_off(
    systems: Sequence[str], scores: npt.NDArray[np.float64], order: npt.NDArray[np.integer[Any]]
) -> list[str]:
    """Return which of the systems in this ``order``, all or some, are far off."""
    sides = far_off(scores[order])
    return [systems[k] for k, side in zip(order, sides, strict=True) if side]


def far_off_words(names: Sequence[str]) -> str:
    """Say that the axis leaves systems out.

    >>> far_off_words([]), far_off_words(["a"])
    ('', 'The axis is cut: a is so far off that an arrow and its score are shown instead. ')
    """
    if not names:
        return ""
    one = len(names) == 1
    return (
        f"The axis is cut: {listed(list(names))} {'is' if one else 'are'} so far off that an "
        f"arrow and {'its' if one else 'the'} score are shown instead. "
    )
