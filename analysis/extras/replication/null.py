"""A predictor that knows the print and no method: what it matches shows what a match means."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from analysis.extras.replication.number import Number, Value


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
