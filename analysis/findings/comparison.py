"""What a comparison of methods says, in words, and the two systems behind every disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.comparing.comparison import Comparison
from analysis.findings.standings import Name, number_word
from analysis.wording import capital, count, listed, thousands

MOST_LEADERS = 3
"""Systems that a headline names."""


@dataclass(frozen=True)
class Dispute:
    """Two systems that the methods order differently; the first method puts ``upper`` above.

    ``above`` are the methods that put ``upper`` above, ``below`` the others; ``told_by`` those of
    both that tell the two apart. ``is_open``: none of them is known to.
    """

    upper: str
    lower: str
    above: tuple[str, ...]
    below: tuple[str, ...]
    told_by: tuple[str, ...]
    is_open: bool
    is_official: bool = False

    @property
    def is_contradiction(self) -> bool:
        """Whether methods of both opinions tell the two apart."""
        return bool({*self.above} & {*self.told_by}) and bool({*self.below} & {*self.told_by})

    def sentence(self, name: Name = str) -> str:
        """Say who puts which one above, and who tells the two apart."""
        upper, lower = name(self.upper), name(self.lower)
        few, many = self.above, self.below
        if len(many) < len(few):
            few, many, upper, lower = many, few, lower, upper
        others = many[0] if len(many) == 1 else f"the other {number_word(len(many))} methods"
        verb = "does" if len(many) == 1 else "do"
        return (
            f"{listed(few)} {_put(few)} {upper} above {lower}; {others} {verb} the reverse. "
            f"{self._weight()}"
        )

    def _weight(self) -> str:
        n = len(self.above) + len(self.below)
        if self.is_open:
            who = "Neither method" if n == 2 else "None of the methods"
            if self.is_official:
                return "No rank ranges separate them."
            return f"{who} finds their difference significant."
        if not self.told_by:
            return "Whether these two differ significantly is not known."
        finds = "finds" if len(self.told_by) == 1 else "find"
        if self.is_contradiction:
            how = "by separate rank ranges" if self.is_official else "significantly"
            return f"{listed(self.told_by)} contradict each other, each {how}."
        others = [m for m in (*self.above, *self.below) if m not in self.told_by]
        rest = f"; {listed(others)} {'does' if len(others) == 1 else 'do'} not" if others else ""
        what = f"{finds} a significant difference"
        if self.is_official:
            what = f"{'separates' if len(self.told_by) == 1 else 'separate'} their rank ranges"
        found = f"{listed(self.told_by)} {what}{rest}"
        return f"{found}, so the choice of method matters."


def disputes(comparison: Comparison) -> tuple[Dispute, ...]:
    """Return every two systems that swap somewhere; what matters first, then by place."""
    told_by: dict[frozenset[str], set[str]] = {}
    is_open: dict[frozenset[str], bool] = {}
    for swap in comparison.swaps:
        both = frozenset((swap.upper, swap.lower))
        told_by.setdefault(both, set()).update(swap.told_by)
        is_open[both] = is_open.get(both, True) and swap.is_open
    place = {name: k for k, name in enumerate(comparison.systems)}
    found = []
    for both, tellers in told_by.items():
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
                tuple(m for m in methods if m in tellers),
                is_open[both],
                comparison.is_official,
            )
        )
    weight = {d: (not d.is_contradiction, not d.told_by, d.is_open) for d in found}
    return tuple(sorted(found, key=lambda d: (*weight[d], place[d.upper], place[d.lower])))


def finding(comparison: Comparison, name: Name = str, way: str = "method") -> str:
    """Say whether the ways agree on winner and order, and whether swapped systems differ by any.

    "The first 4 places are the same by all three methods; 2 of 13 systems change places; no
    method finds these swaps significant", "a wins by 2 of 3 ways of averaging; …"
    """
    n, n_ways, ways = len(comparison.systems), len(comparison.columns), _plural(way)
    together = f"both {ways}" if n_ways == 2 else f"all {number_word(n_ways)} {ways}"
    wins = _winners(comparison, way, name)
    found = disputes(comparison)
    if not found:
        same = f"{together} put the {n} systems in the same order"
        return f"{wins}; {same}" if wins else capital(same)
    is_moved = (comparison.places != comparison.places[0]).any(axis=0)
    top = int(is_moved.argmax())
    places = f"first {top} places are" if top > 1 else "first place is"
    same = f"The {places} the same by {together}" if top else _leaders(comparison, way, name)
    head = f"{wins or same}; {int(is_moved.sum())} of {n} systems change places"
    if not any(dispute.is_open or dispute.told_by for dispute in found):
        return f"{head}; {count(len(found), 'swap')} in all"
    mattering = [dispute for dispute in found if dispute.told_by]
    against = sum(dispute.is_contradiction for dispute in found)
    neither, swaps = ("neither", "the swaps") if n_ways == 2 else ("no", "these swaps")
    if not mattering:
        if comparison.is_official:
            return f"{head}; no rank ranges separate them"
        return f"{head}; {neither} {way} finds {swaps} significant"
    clash = f", {against} in opposite directions" if against else ""
    finders = [m for m in comparison.methods if any(m in one.told_by for one in mattering)]
    who = listed(finders) if len(finders) < 3 else f"{number_word(len(finders))} {ways}"
    s = "s" if len(finders) == 1 else ""
    n_found = f"{len(mattering)} of {count(len(found), 'swap')}"
    if comparison.is_official:
        return f"{head}; {who} separate{s} the rank ranges of {n_found}{clash}"
    return f"{head}; {who} find{s} {n_found} significant{clash}"


def _plural(way: str) -> str:
    """Return the plural: methods, ways of averaging."""
    first, space, rest = way.partition(" ")
    return f"{first}s{space}{rest}"


def _winners(comparison: Comparison, way: str, name: Name) -> str:
    """Say who wins by which ways; empty if they agree that one wins, or that none does."""
    winners = comparison.winners
    named = sorted({winner for winner in winners.values() if winner is not None})
    if len({*winners.values()}) < 2:
        return ""
    if len(named) > 1:
        return f"{' or '.join(map(name, named))} wins, depending on the {way}"
    quoted = "{}" if way == "method" else "“{}”"
    by = [quoted.format(method) for method, winner in winners.items() if winner is not None]
    if len(by) == 1:
        return f"{name(named[0])} wins only by {by[0]}"
    others = [quoted.format(method) for method, winner in winners.items() if winner is None]
    but = f", not by {others[0]}" if len(others) == 1 else ""
    return f"{name(named[0])} wins by {len(by)} of {len(winners)} {_plural(way)}{but}"


def _leaders(comparison: Comparison, way: str, name: Name) -> str:
    """Say who leads, of several systems."""
    first = comparison.places.argmin(axis=1).tolist()
    leaders = [name(comparison.systems[k]) for k in dict.fromkeys(first)]
    if len(leaders) > MOST_LEADERS:
        return f"{capital(number_word(len(leaders)))} systems lead, depending on the {way}"
    return f"{' or '.join(leaders)} leads, depending on the {way}"


def figure_title(comparison: Comparison, name: Name = str) -> str:
    """Say what the methods disagree about most; where about nothing, how many clusters they draw.

    "Elo alone puts uedin above kit, too close to call"
    """
    found = disputes(comparison)
    if not found:
        return _clusters_title(comparison)
    worst = found[0]
    close = "without separate rank ranges" if comparison.is_official else "too close to call"
    return f"{_opinions(worst, name)}{f', {close}' if worst.is_open else ''}"


def _opinions(worst: Dispute, name: Name) -> str:
    """Say who is of which opinion, in the fewest words."""
    upper, lower = name(worst.upper), name(worst.lower)
    if len(worst.above) == len(worst.below) == 1:
        return f"{worst.above[0]} puts {upper} above {lower}, {worst.below[0]} below"
    if len(worst.below) == 1:
        return f"{worst.below[0]} alone puts {lower} above {upper}"
    if len(worst.above) == 1:
        return f"{worst.above[0]} alone puts {upper} above {lower}"
    n_above, n_below = number_word(len(worst.above)), number_word(len(worst.below))
    return f"{capital(n_above)} methods put {upper} above {lower}, {n_below} below"


def moves_frame(comparison: Comparison) -> pd.DataFrame:
    """Return one line per method: clusters, systems moved against the first, those that matter."""
    first, *others = comparison.columns
    rows = []
    for m, column in enumerate((first, *others)):
        moves = comparison.moves_of(column.method)
        rows.append(
            (
                column.method,
                None if column.clusters is None else int(column.clusters.max(initial=0)),
                len(moves),
                sum(not move.is_open for move in moves),
                float(comparison.tau[0, m]),
            )
        )
    names = ["method", "clusters", "moves", "moves_that_matter", "tau_with_first"]
    frame = pd.DataFrame(rows, columns=names)
    frame["clusters"] = frame["clusters"].astype("Int64")
    return frame


def _put(methods: Sequence[str]) -> str:
    return "puts" if len(methods) == 1 else "put"


def _clusters_title(comparison: Comparison) -> str:
    """Say which methods separate fewest and most clusters of an order that they agree on."""
    same = "The same order by all methods"
    numbers = {
        column.method: int(column.clusters.max(initial=0))
        for column in comparison.columns
        if column.clusters is not None
    }
    if len(numbers) < len(comparison.columns):
        return same
    fewest, most = (choose(numbers, key=numbers.__getitem__) for choose in (min, max))
    if numbers[fewest] == numbers[most]:
        return f"{same}; each separates {count(numbers[most], 'cluster')}"
    clusters = count(numbers[fewest], "cluster")
    return f"{same}; {fewest} separates {clusters}, {most} {thousands(numbers[most])}"
