"""A verdict counted by an official procedure, so that everything shown follows one rule.

WMT14 to WMT16 read two systems as different if their rank ranges over resamples do not overlap.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.errors import PodiumError
from analysis.ranking.rank_ranges import RankRanges
from analysis.ranking.verdict import Verdict


def by_official_ranges(
    verdict: Verdict, scores: FloatArray, ranges: RankRanges | None, clusters: IntArray | None
) -> Verdict:
    """Return the verdict with the ranges' own answer for pairs, tiers, ranks and winner.

    The procedure has no test, so there are no p-values, and nothing is known without ranges.
    """
    unknown, nowhere = np.full_like(verdict.p, np.nan), np.zeros_like(verdict.rank_best)
    best, worst = (nowhere, nowhere) if ranges is None else (ranges.rank_best, ranges.rank_worst)
    clusters = nowhere if clusters is None else clusters
    ranked = best > 0
    disjoint = (worst[:, None] < best[None, :]) & ranked[:, None] & ranked[None, :]
    found = dataclasses.replace(
        verdict,
        scores=scores,
        se_of_difference=unknown,
        p=unknown,
        p_adjusted=unknown,
        significant=disjoint | disjoint.T,
        exploratory=np.zeros_like(verdict.significant),
        these_judges=None,
        rank_best=best,
        rank_worst=worst,
        tiers=clusters,
        clusters=clusters,
        by_ranges=True,
    )
    first = tuple(verdict.systems[k] for k in found.order if clusters[k] == 1)
    return dataclasses.replace(found, possible_winners=first)


def require_test(verdict: Verdict, what: str) -> None:
    """Refuse what needs a test of differences under an official procedure, which has none."""
    if verdict.by_ranges:
        raise PodiumError(
            what,
            "the official procedure has rank ranges, but no test of differences",
            "Use the recommended rule.",
        )
