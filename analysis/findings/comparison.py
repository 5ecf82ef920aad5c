"""What a comparison of methods says, in words, and the two systems behind every disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.comparing.comparison import Comparison
from analysis.findings.standings import Name, number_word


@dataclass(frozen=True)
class Dispute:
    """Two systems that the methods order differently; the first method puts ``upper`` above.

    ``above`` are the methods that put ``upper`` above, ``below`` the others. ``harmless``: no two
    methods of different opinion separate the two by a cluster line.
    """

    upper: str
    lower: str
    above: tuple[str, ...]
    below: tuple[str, ...]
    harmless: bool

    def sentence(self, name: Name = str) -> str:
        """Say who puts which one above."""
        upper, lower = name(self.upper), name(self.lower)
        weight = (
            "All of them hold the two in one cluster, so this disagreement means nothing."
            if self.harmless
            else "They are not held in one cluster by all of them, so the choice of method matters."
        )
        return (
            f"{listed(self.above)} {_put(self.above)} {upper} above {lower}, "
            f"{listed(self.below)} below. {weight}"
        )


def disputes(comparison: Comparison) -> tuple[Dispute, ...]:
    """Return every two systems that swap somewhere; what matters first, then by place."""
    harmless: dict[frozenset[str], bool] = {}
    for swap in comparison.swaps:
        both = frozenset((swap.upper, swap.lower))
        harmless[both] = harmless.get(both, True) and swap.within_cluster
    place = {name: k for k, name in enumerate(comparison.systems)}
    found = []
    for both, is_harmless in harmless.items():
        upper, lower = sorted(both, key=place.__getitem__)
        i, j = place[upper], place[lower]
        holds = comparison.places[:, i] < comparison.places[:, j]
        methods = comparison.methods
        found.append(
            Dispute(
                upper,
                lower,
                tuple(m for m, h in zip(methods, holds, strict=True) if h),
                tuple(m for m, h in zip(methods, holds, strict=True) if not h),
                is_harmless,
            )
        )
    return tuple(sorted(found, key=lambda d: (d.harmless, place[d.upper], place[d.lower])))


def finding(comparison: Comparison) -> str:
    """Say whether the methods agree, and whether it matters where they do not.

    "2 of 13 systems change places between 3 methods, all inside their clusters"
    """
    n, methods = len(comparison.systems), len(comparison.columns)
    together = "both methods" if methods == 2 else f"all {number_word(methods)} methods"
    found = disputes(comparison)
    if not found:
        return _capital(f"{together} put the {n} systems in the same order")
    moved = {name for dispute in found for name in (dispute.upper, dispute.lower)}
    crossing = sum(not dispute.harmless for dispute in found)
    between = "the two methods" if methods == 2 else f"{number_word(methods)} methods"
    head = f"{len(moved)} of {n} systems change places between {between}"
    if not any(column.clusters is not None for column in comparison.columns):
        return f"{head}; {_swaps(len(found))} in all"
    if not crossing:
        return f"{head}, all inside their clusters: they do not disagree"
    if crossing == len(found):
        return f"{head}; {_swaps(crossing)} across a cluster line"
    return f"{head}; {crossing} of {_swaps(len(found))} {_cross(crossing)} a cluster line"


def figure_title(comparison: Comparison, name: Name = str) -> str:
    """Say what the methods disagree about most; where about nothing, how many clusters they draw.

    "Elo alone puts uedin above kit"
    """
    found = disputes(comparison)
    if not found:
        return _clusters_title(comparison)
    worst = found[0]
    upper, lower = name(worst.upper), name(worst.lower)
    if len(worst.above) == len(worst.below) == 1:
        return f"{worst.above[0]} puts {upper} above {lower}, {worst.below[0]} below"
    if len(worst.below) == 1:
        return f"{worst.below[0]} alone puts {lower} above {upper}"
    if len(worst.above) == 1:
        return f"{worst.above[0]} alone puts {upper} above {lower}"
    n_above, n_below = number_word(len(worst.above)), number_word(len(worst.below))
    return f"{_capital(n_above)} methods put {upper} above {lower}, {n_below} below"


def moves_frame(comparison: Comparison) -> pd.DataFrame:
    """Return one line a method: clusters, systems moved against the first, those that matter."""
    first, *others = comparison.columns
    rows = []
    for m, column in enumerate((first, *others)):
        moves = comparison.moves_of(column.method)
        rows.append(
            (
                column.method,
                None if column.clusters is None else int(column.clusters.max(initial=0)),
                len(moves),
                sum(not move.within_cluster for move in moves),
                float(comparison.tau[0, m]),
            )
        )
    names = ["method", "clusters", "moves", "moves_that_matter", "tau_with_first"]
    frame = pd.DataFrame(rows, columns=names)
    frame["clusters"] = frame["clusters"].astype("Int64")
    return frame


def listed(names: Sequence[str]) -> str:
    """Write names as a list.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _put(methods: Sequence[str]) -> str:
    return "puts" if len(methods) == 1 else "put"


def _clusters_title(comparison: Comparison) -> str:
    drawn = [c.clusters for c in comparison.columns if c.clusters is not None]
    numbers = {int(clusters.max(initial=0)) for clusters in drawn}
    if len(drawn) < len(comparison.columns):
        return "No line crosses another"
    if len(numbers) > 1:
        return f"No line crosses another; they draw {min(numbers)} to {max(numbers)} clusters"
    return f"No line crosses another; each draws {_clusters(min(numbers))}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _cross(n: int) -> str:
    return "crosses" if n == 1 else "cross"


def _swaps(n: int) -> str:
    return "1 swap" if n == 1 else f"{n} swaps"


def _clusters(n: int) -> str:
    return "1 cluster" if n == 1 else f"{n} clusters"
