"""Methods side by side: which systems change places, and whether they differ significantly.

Two methods that order two systems differently disagree only if the two differ significantly by
one of them (`analysis.ranking.verdict`). Otherwise the swap is noise.

Reference: Bojar et al. 2014, Table 9 (three methods' orders of one language pair).

The published clusters and orders of the same campaign can be shown beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import published
from analysis.campaign import FloatArray, IntArray
from analysis.errors import PodiumError
from analysis.languages import pair_key
from analysis.ranking.ranking import Ranking
from analysis.ranking.significance import BoolArray


@dataclass(frozen=True, eq=False)
class Column:
    """One method's order: indices into ``systems``, best first, only those that it ranks.

    ``clusters`` (1 the best, in the order of ``systems``), ``scores`` and what is told ``apart``
    [K, K] may be unknown; with scores, Kendall's tau knows which systems the method holds equal. Of
    a printed order with clusters, all that a boundary separates counts as different.
    ``is_official``: an official procedure has no test; separate rank ranges differ. ``winner`` is
    None if there is none, or no test.
    """

    method: str
    systems: tuple[str, ...]
    order: IntArray
    clusters: IntArray | None = None
    scores: FloatArray | None = None
    apart: BoolArray | None = None
    is_official: bool = False
    winner: str | None = None

    @classmethod
    def from_ranking(cls, ranking: Ranking, method: str = "") -> Column:
        """Make a column of a ranking with its clusters."""
        order = ranking.order[~np.isnan(ranking.scores[ranking.order])]
        name = method or ranking.standings.method
        told = None if ranking.verdict is None else ranking.verdict.significant
        chosen = ranking.certainty
        given = (ranking.clusters, ranking.scores, told, chosen.is_official, ranking.winner)
        return cls(name, ranking.systems, order, *given)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems it ranks, best first."""
        return tuple(self.systems[k] for k in self.order)

    def tells_apart(self, one: str, other: str) -> bool | None:
        """Return whether the method tells two systems apart; None where that is not known."""
        i, j = self.systems.index(one), self.systems.index(other)
        if self.apart is not None:
            return bool(self.apart[i, j])
        return None if self.clusters is None else bool(self.clusters[i] != self.clusters[j])


@dataclass(frozen=True)
class Move:
    """A system whose place in a method is not its place in the first one; places from 1.

    ``is_open``: by neither of the two methods it differs significantly from a system it passed.
    """

    method: str
    system: str
    place: int
    is_open: bool


@dataclass(frozen=True)
class Swap:
    """Two systems that two methods order differently; ``methods[0]`` puts ``upper`` above.

    ``told_by`` are those of the two methods that tell the two systems apart; ``is_open``: neither
    does. Both are undecided, and a swap is not open, where that is known of neither.
    """

    methods: tuple[str, str]
    upper: str
    lower: str
    told_by: tuple[str, ...]
    is_open: bool


@dataclass(frozen=True, eq=False)
class Comparison:
    """What several methods say of the systems that all of them rank.

    ``systems`` are in the first method's order; ``places[M, K]`` each method's places of them,
    from 1; ``tau[M, M]`` Kendall's tau-b. ``left_out`` are systems that some method does not rank.
    """

    columns: tuple[Column, ...]
    systems: tuple[str, ...]
    places: IntArray
    tau: FloatArray
    moves: tuple[Move, ...]
    swaps: tuple[Swap, ...]
    left_out: tuple[str, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(column.method for column in self.columns)

    @property
    def is_official(self) -> bool:
        """Whether rank ranges, instead of tests, separate the systems."""
        return any(column.is_official for column in self.columns)

    @property
    def winners(self) -> dict[str, str | None]:
        """The winner by each method that tests; None where no system wins."""
        tested = (one for one in self.columns if one.apart is not None and not one.is_official)
        return {one.method: one.winner for one in tested}

    def moves_of(self, method: str) -> tuple[Move, ...]:
        """Return the moves of one method against the first."""
        return tuple(move for move in self.moves if move.method == method)

    def side_by_side(self) -> pd.DataFrame:
        """Return the reordering table: places down, methods across, systems in the cells."""
        table = {
            column.method: [self.systems[k] for k in np.argsort(self.places[m])]
            for m, column in enumerate(self.columns)
        }
        index = pd.RangeIndex(1, len(self.systems) + 1, name="place")
        return pd.DataFrame(table, index=index)

    def to_frame(self) -> pd.DataFrame:
        """Return each system's rank by every method, one row per system."""
        places = {one.method: self.places[m] for m, one in enumerate(self.columns)}
        return pd.DataFrame({"system": self.systems, **places})

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self.methods)}:\n{self.to_frame().to_string(index=False)}"

    def tau_frame(self) -> pd.DataFrame:
        """Return Kendall's tau between every two methods."""
        return pd.DataFrame(self.tau, index=list(self.methods), columns=list(self.methods))


def compare(columns: Sequence[Column]) -> Comparison:
    """Compare two or more orders; the first is the one against which moves are told."""
    if len({column.method for column in columns}) != len(columns) or len(columns) < 2:
        raise PodiumError(
            "Methods to compare",
            f"got {', '.join(column.method for column in columns) or 'none'}",
            "Name two or more different methods.",
        )
    ranked = [set(column.names) for column in columns]
    common = set.intersection(*ranked)
    systems = tuple(name for name in columns[0].names if name in common)
    if len(systems) < 2:
        raise PodiumError(
            "Methods to compare",
            f"only {len(systems)} systems are ranked by all of them",
            "Leave out the method that does not rank all systems.",
        )
    places = np.array([_places(column, systems) for column in columns])
    swaps = _swaps(columns, systems, places)
    return Comparison(
        columns=tuple(columns),
        systems=systems,
        places=places,
        tau=_taus(columns, systems, places),
        moves=_moves(columns, systems, places, swaps),
        swaps=swaps,
        left_out=tuple(sorted(set.union(*ranked) - common)),
    )


def _places(column: Column, systems: tuple[str, ...]) -> list[int]:
    kept = [name for name in column.names if name in systems]
    place = {name: k for k, name in enumerate(kept, start=1)}
    return [place[name] for name in systems]


def _taus(columns: Sequence[Column], systems: tuple[str, ...], places: IntArray) -> FloatArray:
    """Kendall's tau-b of scores where they are known, else of places."""
    values = [
        -places[m].astype(np.float64)
        if column.scores is None
        else column.scores[[column.systems.index(name) for name in systems]]
        for m, column in enumerate(columns)
    ]
    order = [np.sign(value[:, None] - value) for value in values]
    tau = np.eye(len(columns))
    for a, b in itertools.combinations(range(len(columns)), 2):
        untied = np.sqrt((order[a] ** 2).sum() * (order[b] ** 2).sum())
        same = (order[a] * order[b]).sum()
        tau[a, b] = tau[b, a] = same / untied if untied else np.nan
    return tau


def _swaps(
    columns: Sequence[Column], systems: tuple[str, ...], places: IntArray
) -> tuple[Swap, ...]:
    found = []
    for a, b in itertools.combinations(range(len(columns)), 2):
        both = (columns[a], columns[b])
        for i, j in itertools.combinations(np.argsort(places[a]), 2):
            if places[b][i] > places[b][j]:
                upper, lower = systems[i], systems[j]
                judged = [column.tells_apart(upper, lower) for column in both]
                told_by = tuple(c.method for c, told in zip(both, judged, strict=True) if told)
                is_open = not told_by and judged != [None, None]
                methods = (columns[a].method, columns[b].method)
                found.append(Swap(methods, upper, lower, told_by, is_open))
    return tuple(found)


def _moves(
    columns: Sequence[Column],
    systems: tuple[str, ...],
    places: IntArray,
    swaps: Sequence[Swap],
) -> tuple[Move, ...]:
    first = columns[0].method
    crossing = {
        (swap.methods[1], name)
        for swap in swaps
        if swap.methods[0] == first and not swap.is_open
        for name in (swap.upper, swap.lower)
    }
    return tuple(
        Move(column.method, name, int(place), (column.method, name) not in crossing)
        for column, column_places in zip(columns[1:], places[1:], strict=True)
        for k, (name, place) in enumerate(zip(systems, column_places, strict=True))
        if place != k + 1
    )


TABLE_9 = {
    "expected_wins": "Expected Wins, published",
    "hopkins_may": "Hopkins & May, published",
    "trueskill": "TrueSkill, published",
}


@dataclass(frozen=True)
class OfficialClusters:
    """A campaign's published clusters, 1 the best, by system; ``source`` names the campaign."""

    source: str
    clusters: Mapping[str, int]

    def sizes(self, systems: Collection[str]) -> tuple[int, ...]:
        """Return how many of these systems each cluster holds, best first, empty ones left out."""
        held = [self.clusters[name] for name in systems]
        return tuple(held.count(cluster) for cluster in sorted(set(held)))


def official_clusters(pair: str, systems: Collection[str]) -> OfficialClusters | None:
    """Return the published clusters of a pair; None unless they hold every one of the systems."""
    for source, table in (
        ("WMT14", published.wmt14_clusters),
        ("WMT15", published.wmt15_rankings),
    ):
        try:
            rows: pd.DataFrame = table(pair)
        except PodiumError:
            continue
        clusters = dict(zip(rows["system"], rows["cluster"].astype(int), strict=True))
        if set(systems) <= set(clusters):
            return OfficialClusters(source, clusters)
    return None


def official_orders(pair: str, systems: Collection[str]) -> tuple[Column, ...]:
    """Return the columns of WMT14's Table 9 for English–German's systems, none for others.

    Each holds to the official clusters, which are theirs here.
    """
    table = published.wmt14_orders_en_de()
    names = tuple(sorted(table["expected_wins"]))
    if pair_key(pair) != pair_key("en-de") or not set(systems) <= set(names):
        return ()
    place = {name: k for k, name in enumerate(names)}
    official = published.wmt14_clusters(pair).set_index("system")["cluster"]
    clusters = official.loc[list(names)].to_numpy(dtype=np.int64)
    return tuple(
        Column(
            title,
            names,
            np.array([place[name] for name in table[column]], dtype=np.int64),
            clusters,
        )
        for column, title in TABLE_9.items()
    )
