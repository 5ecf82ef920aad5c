"""A place among the colors for each system, the same in all language pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from analysis.names import short_names


def color_places(pairs: Sequence[Sequence[str]]) -> tuple[Mapping[str, int], ...]:
    """Return each pair's systems with their places; systems of one pair have different ones.

    A system is identified by its short name, since its name differs between language pairs. Systems
    in most language pairs choose first.

    >>> color_places([["de.a", "de.b"], ["fr.a", "fr.c"]])
    ({'de.a': 0, 'de.b': 1}, {'fr.a': 0, 'fr.c': 1})
    """
    named = [short_names(sorted(systems)) for systems in pairs]
    seen = Counter(name for names in named for name in names.values())
    place: dict[str, int] = {}
    for name in sorted(seen, key=lambda one: (-seen[one], one)):
        together = {other for names in named if name in names.values() for other in names.values()}
        taken = {place[other] for other in together if other in place}
        place[name] = next(k for k in range(len(seen)) if k not in taken)
    return tuple({full: place[short] for full, short in names.items()} for names in named)
