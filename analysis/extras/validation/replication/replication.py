"""What one replication is: a table of a paper, and how its numbers are made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from analysis.extras.validation.replication.number import Number

Basis = Literal["judgments", "method", "print", "drawn", "fitted"]

BASES: dict[Basis, str] = {
    "judgments": "independent judgments",
    "method": "the paper's own method, simulated",
    "print": "arithmetic on published figures",
    "drawn": "a campaign simulated from other published figures",
    "fitted": "a campaign fitted to these numbers",
}
"""What ours are computed from, the strongest evidence first."""

REPLICATED: tuple[Basis, ...] = ("judgments", "method")
"""Where a match means that a result was replicated; the others check tables and samples."""

WHOLE = ("",)
"""The parts of a replication that is computed in one go."""

Compute = Callable[[str, Path], list[Number]]


@dataclass(frozen=True, eq=False)
class Replication:
    """Numbers of one source that are made in one way.

    ``source`` is the paper, ``place`` the table or section, ``what`` the numbers are. ``how`` says
    how ours are made, ``tolerance`` when two are the same and why. ``compute`` makes the numbers of
    one of the ``parts``, given the folder of real campaigns; ``needs`` is the file in that folder
    without which it cannot. What is ``slow`` takes more than some seconds. ``command`` shows the
    same with a command that is not about replication, where there is one; ``differs`` is why
    numbers that differ do, where a number has no reason of its own.
    """

    name: str
    source: str
    place: str
    what: str
    how: str
    tolerance: str
    basis: Basis
    compute: Compute
    parts: tuple[str, ...] = WHOLE
    needs: str = ""
    slow: bool = False
    command: str = ""
    differs: str = ""

    @property
    def title(self) -> str:
        """Source and place in one line."""
        return f"{self.source}, {self.place}"

    @property
    def own_command(self) -> str:
        """The command that makes these numbers again and shows each of them."""
        return f"podium research replicate --only {self.name}"


@dataclass(frozen=True)
class NotRecomputed:
    """Published numbers at hand that nothing here computes again, and why."""

    source: str
    place: str
    what: str
    why: str
