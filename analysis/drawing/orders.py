"""Methods side by side as data: each one's order, and the lines from system to system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A system's way from one column to the next, places from 1, and what it crosses."""

    system: str
    column: int
    start: int
    end: int
    crosses: bool
    matters: bool


@dataclass(frozen=True)
class Crossing:
    """Where two lines of neighboring columns meet; full where a method separates the systems."""

    x: float
    y: float
    systems: tuple[str, str]
    is_full: bool
    words: str


@dataclass(frozen=True)
class Head:
    """A method's name over its column, what is counted of it, and where its clusters begin."""

    method: str
    facts: str
    starts: frozenset[str]


@dataclass(frozen=True)
class Orders:
    """A scene of columns; ``places[M][K]`` of ``systems``, from 1, ``official`` cluster ends."""

    heads: tuple[Head, ...]
    systems: tuple[str, ...]
    names: Mapping[str, str]
    places: tuple[tuple[int, ...], ...]
    lines: tuple[Line, ...]
    crossings: tuple[Crossing, ...]
    official: tuple[int, ...]
    alt: str
    left_out: int = 0
