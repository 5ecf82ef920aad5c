"""Files that seem to be one judge each: votes on the same items, and none names its judge."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from itertools import combinations
from typing import Any

from analysis.campaign import UNNAMED_JUDGE
from analysis.formats.rankings import Rankings
from analysis.formats.report import SameItemsError

FEWEST_ITEMS = 10
"""Items below which two files may well have the same ones by chance."""
SAME_SHARE = 0.9
"""Of the items of the larger file, from which two files are about the same ones."""


def require_other_items(parts: Sequence[Rankings], files: Sequence[str]) -> None:
    """Refuse files of votes without judges on the same items: pooled, they would be one judge's."""
    unnamed = [k for k, part in enumerate(parts) if _is_unnamed(part)]
    if len(unnamed) < 2:
        return
    segments = {k: set(parts[k].segment.names) for k in unnamed}
    items = cache(lambda k: _items(parts[k]))
    same = {
        k
        for one, other in combinations(unnamed, 2)
        if _are_same(segments[one], segments[other], 1) and _are_same(items(one), items(other))
        for k in (one, other)
    }
    if same:
        rest = [name for k, name in enumerate(files) if k not in same]
        raise SameItemsError({files[k]: [files[k], *rest] for k in sorted(same)})


def _is_unnamed(part: Rankings) -> bool:
    has_items = all(oddity.kind != "no-questions" for oddity in part.findings.oddities)
    return part.kind == "votes" and has_items and set(part.judge.names) == {UNNAMED_JUDGE}


def _items(part: Rankings) -> set[tuple[str, ...]]:
    """Return each segment with its two systems; nothing where votes repeat them."""
    shown = part.output.reshape(-1, 2).tolist()
    found = {
        (part.segment.names[code], *sorted((*part.outputs[one], *part.outputs[other])))
        for code, (one, other) in zip(part.segment.codes.tolist(), shown, strict=True)
    }
    return found if len(found) >= SAME_SHARE * len(shown) else set()


def _are_same(items: Set[Any], others: Set[Any], fewest: int = FEWEST_ITEMS) -> bool:
    most = max(len(items), len(others))
    return most >= fewest and len(items & others) >= SAME_SHARE * most
