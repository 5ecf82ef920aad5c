"""A published number beside the one that we compute, and whether they are the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

Value = float | str
"""A number, or a word such as a significance mark."""


@dataclass(frozen=True)
class Number:
    """One published number, recomputed.

    ``place`` says where it stands, within its table. They are the same where the printed number
    lies within ``low`` and ``high``: what the print could be, given ours, its rounding and the
    sampling error that the replication states. Of words, ``same`` says it. ``decimals`` are those
    of the print; ``reason`` says why the two differ, where that is known.
    """

    place: str
    printed: Value
    ours: Value
    same: bool
    low: float = math.nan
    high: float = math.nan
    decimals: int = 2
    reason: str = ""

    @property
    def difference(self) -> float:
        """Ours less the printed one; nan of words."""
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            return math.nan
        return self.ours - self.printed

    @property
    def exact(self) -> bool:
        """Whether ours is the printed one, to its last digit."""
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            return self.printed == self.ours
        return abs(self.difference) <= 0.5 * 10.0**-self.decimals + 1e-9

    @property
    def closeness(self) -> str:
        """Which of `CLOSENESS` it is."""
        if not self.same:
            return "differs"
        if self.exact:
            return "same"
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            return "allowed"
        allowed = (self.high if self.printed > self.ours else self.low) - self.ours
        return "near" if abs(self.difference) <= abs(allowed) / 2 else "allowed"


CLOSENESS = {
    "same": "same to the last digit",
    "near": "within half the tolerance",
    "allowed": "within the tolerance",
    "differs": "differs",
}
"""How close ours comes, from the closest; what is allowed are rounding and sampling error."""


def rounded(
    place: str, printed: float, ours: float, decimals: int, slack: float = 0.0, reason: str = ""
) -> Number:
    """Compare with a number rounded after ``decimals``; ``slack`` is the sampling error allowed.

    >>> rounded("Table 1", .57, .5749, 2).same, rounded("Table 1", .57, .5751, 2).same
    (True, False)
    """
    reach = 0.5 * 10.0**-decimals + slack
    return between(place, printed, ours, ours - reach, ours + reach, decimals, reason)


def between(
    place: str,
    printed: float,
    ours: float,
    low: float,
    high: float,
    decimals: int,
    reason: str = "",
) -> Number:
    """Compare with a number that may stand anywhere between ``low`` and ``high``, given ours."""
    same = low - 1e-9 <= printed <= high + 1e-9
    return Number(
        place, float(printed), float(ours), bool(same), float(low), float(high), decimals, reason
    )


def word(place: str, printed: str, ours: str, *, same: bool, reason: str = "") -> Number:
    """Compare with something printed that is no number."""
    return Number(place, printed, ours, bool(same), reason=reason)


def rows_of(table: pd.DataFrame) -> Iterator[Any]:
    """Walk over a table's rows, each with its columns as attributes."""
    return iter(table.itertuples())
