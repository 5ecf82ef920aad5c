"""A verdict counted by an official procedure, so that everything shown follows one rule.

WMT14 to WMT16 read two systems as different if their rank ranges over resamples do not overlap.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from analysis.campaign import IntArray
from analysis.ranking.rank_ranges import RankRanges
from analysis.ranking.verdict import Verdict


def by_official_ranges(verdict: Verdict, ranges: RankRanges, clusters: IntArray) -> Verdict:
    """Return the verdict with the ranges' own answer for pairs, tiers, ranks and winner.

    The p-values stay those of the test; the procedure has none.
    """
    best, worst = ranges.rank_best, ranges.rank_worst
    ranked = best > 0
    disjoint = (worst[:, None] < best[None, :]) & ranked[:, None] & ranked[None, :]
    first = [k for k in verdict.order if clusters[k] == 1]
    winners = tuple(verdict.systems[k] for k in first)
    return dataclasses.replace(
        verdict,
        significant=disjoint | disjoint.T,
        exploratory=np.zeros_like(verdict.significant),
        these_judges=None,
        rank_best=best,
        rank_worst=worst,
        tiers=clusters,
        clusters=clusters,
        winner=winners[0] if len(winners) == 1 else None,
        possible_winners=winners,
    )
