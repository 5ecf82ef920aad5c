"""How many judgments a campaign needs that has not begun yet, by simulation.

Abilities are even over 0 to 10, and a system's outputs scatter around its own by ``spread``, as in
Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*, Table 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray
from analysis.next_campaign.evidence import Evidence
from analysis.next_campaign.planning import SHARES
from analysis.parallel import Progress
from analysis.simulation.campaigns import Simulation
from analysis.simulation.koehn2012 import judgments_needed, separation_curve

FEWEST, MOST = 200, 1_000_000
"""Judgments between which is looked; a share beyond that is called out of reach."""

STEPS = 45


@dataclass(frozen=True, eq=False)
class Prospect:
    """``shares[E, S]`` of the pairs that simulated campaigns tell apart at rising ``sizes[S]``."""

    simulation: Simulation
    sizes: IntArray
    shares: FloatArray
    certainty: float = 0.9

    @property
    def tails(self) -> tuple[float, float]:
        """Both ends of the interval, as quantiles."""
        return (1 - self.certainty) / 2, (1 + self.certainty) / 2

    def curve(self) -> pd.DataFrame:
        """Return by judgments the mean share of pairs told apart, and the interval it lies in."""
        low, high = np.quantile(self.shares, self.tails, axis=0)
        mean = self.shares.mean(axis=0)
        return pd.DataFrame(
            {"judgments": self.sizes, "share": mean, "share_low": low, "share_high": high}
        )

    def needed(self, shares: Sequence[float] = SHARES) -> pd.DataFrame:
        """Return the judgments that the mean curve takes, and those of lucky and unlucky campaigns.

        inf stands for more than the largest size.
        """
        sizes = self.sizes.tolist()
        each = np.array([judgments_needed(shares, sizes, curve) for curve in self.shares])
        each = np.where(np.isnan(each), np.inf, each)
        mean = judgments_needed(shares, sizes, self.shares.mean(axis=0))
        low = np.quantile(each, self.tails[0], axis=0, method="lower")
        high = np.quantile(each, self.tails[1], axis=0, method="higher")
        needed = np.where(np.isnan(mean), np.inf, mean)
        pairs = self.simulation.pairs_per_task
        return pd.DataFrame(
            {"share": shares, "needed": needed, "low": low, "high": high, "tasks": needed / pairs}
        )


def foresee(
    simulation: Simulation,
    *,
    experiments: int = 60,
    certainty: float = 0.9,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Prospect:
    """Simulate campaigns from their first judgment on, and look at what they tell apart."""
    sizes = np.unique(np.geomspace(FEWEST, MOST, STEPS).astype(np.int64))
    shares = separation_curve(
        simulation,
        sizes.tolist(),
        experiments=experiments,
        seed=seed,
        executor=executor,
        progress=progress,
    )
    return Prospect(simulation, sizes, shares, certainty)


def spread_like(evidence: Evidence, ability_range: float = 10.0) -> float:
    """Return the spread at which simulated systems are as hard to tell apart as a campaign's.

    Even abilities deviate by range/√12 and two outputs' difference by √2 spread; the campaign's
    abilities deviate by τ where such a difference deviates by 1. So spread = range / (√24 τ).
    """
    return ability_range / (math.sqrt(24) * evidence.spread)
