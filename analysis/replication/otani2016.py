"""Otani et al. 2016, *IRT-based Aggregation Model of Crowdsourced Pairwise Comparisons*."""

from __future__ import annotations

from pathlib import Path

from scipy.special import expit

from analysis.rankers.graded_response.likelihood import Parameters
from analysis.replication.number import Number, rounded
from analysis.replication.replication import NotRecomputed, Replication

SOURCE = "Otani et al. 2016"


def _curve(_part: str, _: Path) -> list[Number]:
    usual = Parameters.prior_means(1, 1)
    wins = float(expit(usual.a[0] * (0 - usual.b2[0])))
    return [rounded("Figure 2, chance to win at ability 0", 0.3, wins, 1)]


REPLICATIONS = (
    Replication(
        "o16-curve", SOURCE, "Figure 2", "chance to win against the baseline",
        "The model's formula with sensitivity 1.7 and difficulties −.5 and .5.",
        "Half a unit of the last printed digit.", "method", _curve,
    ),
)  # fmt: skip

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Tables 1 and 2, Figures 3–5", "noisy judges, baselines, abilities",
        "The judgments of WMT13 Spanish–English are not at hand.",
    ),
)  # fmt: skip
