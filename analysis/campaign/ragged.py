"""Lists of lists, laid out flat: where each list starts, and all their values behind each other.

The outputs that a task shows, the systems that made an output, the judgments of a judge: all are
lists of different lengths, and all are kept and gathered in this one shape.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.integer]
FloatArray = npt.NDArray[np.float64]


def make_read_only(columns: Iterable[object]) -> None:
    """Forbid to change the arrays among some values."""
    for column in columns:
        if isinstance(column, np.ndarray):
            column.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Ragged:
    """Lists of different lengths: list ``k`` is ``values[start[k]:start[k+1]]``.

    >>> made_by = Ragged.from_lists([[0], [1, 2], []])
    >>> made_by.take([1, 0, 1]).to_lists()
    [[1, 2], [0], [1, 2]]
    """

    start: IntArray
    values: npt.NDArray[Any]

    @classmethod
    def from_sizes(cls, sizes: npt.ArrayLike, values: npt.NDArray[Any] | None = None) -> Ragged:
        """Lay out lists of these lengths; without values they hold their positions 0, 1, 2, …"""
        return cls.from_start(_starts(np.asarray(sizes, dtype=np.int64)), values)

    @classmethod
    def from_start(cls, start: IntArray, values: npt.NDArray[Any] | None = None) -> Ragged:
        """Take lists that start there; without values they hold their positions 0, 1, 2, …"""
        return cls(start, np.arange(start[-1]) if values is None else values)

    @classmethod
    def from_lists(cls, lists: Iterable[Sequence[int]], dtype: npt.DTypeLike = np.int32) -> Ragged:
        """Lay out Python's lists."""
        rows = list(lists)
        flat = np.array([value for row in rows for value in row], dtype=dtype)
        return cls.from_sizes([len(row) for row in rows], flat)

    @classmethod
    def by_label(cls, labels: IntArray) -> Ragged:
        """Gather the positions of equal labels: a list for each label in use, labels ascending."""
        _, compact = np.unique(labels, return_inverse=True)
        return cls.from_sizes(np.bincount(compact), np.argsort(compact, kind="stable"))

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def sizes(self) -> IntArray:
        """How long each list is."""
        return np.diff(self.start)

    @property
    def owners(self) -> IntArray:
        """Which list each value is in."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.sizes)

    @property
    def places(self) -> IntArray:
        """Where in its list each value is, from 0."""
        return np.arange(self.start[-1]) - np.repeat(self.start[:-1], self.sizes)

    def take(self, lists: npt.ArrayLike) -> Ragged:
        """Return some lists in the order given; a list may come twice."""
        wanted = np.asarray(lists)
        wanted = wanted if wanted.size else wanted.astype(np.int64)
        if len(self.values) == len(self) and (self.sizes == 1).all():
            return Ragged(np.arange(len(wanted) + 1), self.values[wanted])
        sizes = self.sizes[wanted]
        start = _starts(sizes)
        positions = np.arange(start[-1]) + np.repeat(self.start[wanted] - start[:-1], sizes)
        return Ragged(start, self.values[positions])

    def stretches(self, most: int = 1 << 18) -> Iterator[tuple[slice, Ragged]]:
        """Yield lists that stand side by side, with about so many values together.

        What is reckoned stretch by stretch needs no column as long as all values.
        """
        first = 0
        while first < len(self):
            last = int(np.searchsorted(self.start, self.start[first] + most, side="right")) - 1
            last = min(max(last, first + 1), len(self))
            start = self.start[first : last + 1]
            yield (
                slice(first, last),
                Ragged(start - start[0], self.values[start[0] : start[-1]]),
            )
            first = last

    def keep(self, kept: npt.NDArray[np.bool_]) -> Ragged:
        """Leave out values; lists of which nothing is left stay, empty."""
        before = np.concatenate([[0], np.cumsum(kept)])
        return Ragged(before[self.start], self.values[kept])

    def join(self, inner: Ragged) -> tuple[Ragged, IntArray]:
        """Replace every value by the list of ``inner`` that it numbers.

        Returns the longer lists and, for each of their values, the position it stands for.
        """
        found = inner.take(self.values)
        return Ragged(found.start[self.start], found.values), found.owners

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Return the positions of every two values of one list, the earlier one first."""
        n = int(self.start[-1])
        followers = np.repeat(self.start[1:], self.sizes) - np.arange(n) - 1
        first = np.repeat(np.arange(n), followers)
        before = np.cumsum(followers) - followers
        return first, np.arange(len(first)) - np.repeat(before, followers) + first + 1

    def to_lists(self) -> list[list[Any]]:
        """Return Python's lists."""
        values, start = self.values.tolist(), self.start.tolist()
        return [values[a:b] for a, b in itertools.pairwise(start)]


_CLOSE = 8
"""Times as many numbers as there are values that a list to tick off may have."""


def distinct(values: IntArray) -> IntArray:
    """Return the different values in order.

    NumPy's own `unique` keeps them in a hash table: for millions of different numbers that takes
    sixty times as long as to sort them. Those that lie close together are ticked off in a list.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.array([-3, 10**9])).tolist()
    ([1, 3], [-3, 1000000000])
    """
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    if low == 0 and high < _CLOSE * len(values):
        is_there = np.zeros(high + 1, dtype=bool)
        is_there[values] = True
        return np.flatnonzero(is_there).astype(values.dtype, copy=False)
    ordered = np.sort(values)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]]


def smallest(codes: IntArray, least: npt.DTypeLike = np.int16) -> IntArray:
    """Return whole numbers in as few bytes as hold them, ``least`` at least.

    >>> smallest(np.array([1, 127]), np.int8).dtype, smallest(np.array([128]), np.int8).dtype
    (dtype('int8'), dtype('int16'))
    """
    top, low = int(codes.max(initial=0)), int(codes.min(initial=0))
    for size in (np.int8, np.int16, np.int32):
        fits = np.iinfo(size).min <= low and top <= np.iinfo(size).max
        if fits and np.dtype(size).itemsize >= np.dtype(least).itemsize:
            return codes.astype(size, copy=False)
    return codes.astype(np.int64, copy=False)


def _starts(sizes: IntArray) -> IntArray:
    start = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=start[1:])
    return start
