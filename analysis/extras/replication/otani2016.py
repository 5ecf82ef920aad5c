"""Otani et al. 2016, *IRT-based Aggregation Model of Crowdsourced Pairwise Comparisons*."""

from __future__ import annotations

from analysis.extras.replication.replication import NotRecomputed, Replication

SOURCE = "Otani et al. 2016"


REPLICATIONS: tuple[Replication, ...] = ()

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Tables 1 and 2, Figures 3–5", "noisy judges, baselines, abilities",
        "The judgments of WMT13 Spanish–English are not available.",
    ),
)  # fmt: skip
