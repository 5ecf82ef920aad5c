"""What was read, what was left out and why, and what looks odd."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_LINES = 5
"""How many line numbers are kept for each reason."""


@dataclass(frozen=True)
class LeftOut:
    """A reason why rows were left out, with how many and the first places in the file.

    ``example`` is the first case in full ("line 41, system3rank: 7 is outside 1–5").
    """

    reason: str
    count: int
    places: tuple[int, ...] = ()
    example: str = ""


@dataclass(frozen=True)
class Oddity:
    """Something that was read but looks odd: a kind for programs and a sentence for people."""

    kind: str
    sentence: str
    count: int = 0
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReadReport:
    """What a reader found in a file. Pairs are spelled as the campaign spells them."""

    format: str
    files: tuple[str, ...] = ()
    n_rows: int = 0
    n_tasks: int = 0
    place: str = "line"
    left_out: tuple[LeftOut, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    duplicates: Mapping[str, int] = field(default_factory=dict)
    incomplete: Mapping[str, int] = field(default_factory=dict)
    judges_numbered: bool = False

    @property
    def n_left_out(self) -> int:
        """Rows left out, all reasons together."""
        return sum(reason.count for reason in self.left_out)

    def sentences(self) -> list[str]:
        """Return the report in plain words, one sentence or two an entry."""
        raise NotImplementedError
