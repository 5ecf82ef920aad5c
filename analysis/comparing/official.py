"""What was published of the very campaign at hand: its clusters, and other methods' orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import published
from analysis.comparing.comparison import Column
from analysis.errors import PodiumError
from analysis.languages import pair_key

TABLE_9 = {
    "expected_wins": "Expected Wins, published",
    "hopkins_may": "Hopkins & May, published",
    "trueskill": "TrueSkill, published",
}


@dataclass(frozen=True)
class OfficialClusters:
    """Clusters as published, 1 the best, by system; ``source`` names the campaign."""

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
