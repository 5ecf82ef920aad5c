"""A published number next to the one that we compute, and whether they are the same.

A null predictor knows the published numbers and no method: what it matches shows what matches mean.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
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


def matched_by_null(numbers: Sequence[Number]) -> list[bool]:
    """Return which of a replication's numbers a null predictor would have, by their tolerance.

    A number is the median of the others of its kind. A rank is the system's place in its table,
    where systems stand from the best to the worst (of several orders, the place in the first). A
    word is the most frequent one.
    """
    kinds = [kind_of(number.place) for number in numbers]
    printed: dict[str, list[Value]] = defaultdict(list)
    for kind, number in zip(kinds, numbers, strict=True):
        printed[kind].append(number.printed)
    places = _places(numbers, kinds)
    found = []
    for k, (kind, number) in enumerate(zip(kinds, numbers, strict=True)):
        others = printed[kind].copy()
        if isinstance(number.printed, str):
            found.append(Counter(others).most_common(1)[0][0] == number.printed)
            continue
        others.remove(number.printed)
        null = places.get(k) or median([float(value) for value in others] or [0.0])
        shift = null - float(number.ours)
        found.append(number.low + shift - 1e-9 <= number.printed <= number.high + shift + 1e-9)
    return found


def _places(numbers: Sequence[Number], kinds: Sequence[str]) -> dict[int, float]:
    """Return, by index, the place in its table of every system whose rank is asked for."""
    place: dict[tuple[str, str], int] = {}
    size: Counter[str] = Counter()
    found = {}
    for k, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
        if not kind.endswith(("rank", "place")):
            continue
        table = f"{number.place.split(',')[0]} {kind}"
        system = re.sub(r".* of |: .*", "", number.place)
        if (table, system) not in place:
            size[table] += 1
            place[table, system] = size[table]
        found[k] = float(place[table, system])
    return found


def kind_of(place: str) -> str:
    """Return what a place names without the case: numbers of one kind are comparable.

    >>> kind_of("Table 28, best rank of UEDIN"), kind_of("Table 1, UEDIN: score")
    ('best rank', 'score')
    >>> kind_of("Table 4, 6 systems, σ 8, 50% of pairs told apart")
    '50%'
    """
    if ": " in place:
        return re.sub(r"[\d,]+ judgments", "", place.rsplit(": ", 1)[1]).strip(" ,")
    last = place.split(", ")[1:] or [place]
    for part in last:
        for between in (" over ", " against ", " of "):
            if between in part:
                return part.split(between)[0] if between == " of " else between.strip()
    return last[-1]
