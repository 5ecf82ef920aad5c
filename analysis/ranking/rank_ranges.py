"""Rank ranges: which ranks a system may have.

Simultaneous ranges follow from the significant differences (`analysis.ranking.verdict`) and cover
for all systems at once. Marginal ones, as published, are the ranks that one system takes over many
runs (Koehn 2012; Bojar et al. 2014, §3.5).

A verdict can be counted by an official procedure, so that everything shown follows one rule:
WMT14 to WMT16 read two systems as different if their rank ranges over resamples do not overlap.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import PodiumError
from analysis.rankers.ranker import best_first
from analysis.ranking.certainty import Replicates
from analysis.ranking.clusters import clusters_from_ends
from analysis.ranking.significance import sign_test
from analysis.ranking.variance import quantile
from analysis.ranking.verdict import Verdict


@dataclass(frozen=True, eq=False)
class RankRanges:
    """How sure every system's score and rank are, in the order of ``systems``.

    ``rank_best`` and ``rank_worst`` are the ends of the rank range at ``level`` (1 is best; 0 for a
    system without a rank); ``ci_low`` and ``ci_high`` those of the score, ``half_low`` and
    ``half_high`` those of its interval at one half; ``mean`` is its mean. ``ranks[R, K]`` are the
    ranks of every run, the middle one where scores are equal; None for simultaneous ranges, which
    need no runs.
    """

    systems: tuple[str, ...]
    level: float
    mean: FloatArray
    se: FloatArray
    ci_low: FloatArray
    ci_high: FloatArray
    half_low: FloatArray
    half_high: FloatArray
    rank_best: IntArray
    rank_worst: IntArray
    ranks: FloatArray | None

    @property
    def order(self) -> IntArray:
        """Systems' indices by falling mean score."""
        return best_first(self.mean)

    def share_in_top(self, k: int) -> FloatArray:
        """Return in which share of the runs each system was among the best ``k``: no probability.

        It is nan for a system without a rank, and if there were no runs.
        """
        if self.ranks is None:
            return np.full(len(self.systems), np.nan)
        share = (self.ranks <= k).mean(axis=0)
        known = (self.rank_best > 0) & ~np.isnan(self.ranks).all(axis=0)
        return np.asarray(np.where(known, share, np.nan))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first."""
        frame = pd.DataFrame(
            {
                "system": self.systems,
                "score": self.mean,
                "ci_low": self.ci_low,
                "ci_high": self.ci_high,
                "rank_best": self.rank_best,
                "rank_worst": self.rank_worst,
            }
        )
        return frame.iloc[self.order].reset_index(drop=True)


def left_out_at_each_end(runs: int, level: float) -> int:
    """Return how many runs a range at ``level`` leaves out at each end: floor(R (1 - level) / 2).

    So did Koehn 2012 and Bojar et al. 2014 with 1,000 runs, and Sakaguchi et al. 2014 with 100.

    >>> [left_out_at_each_end(runs, .95) for runs in (1000, 100, 1)]
    [25, 2, 0]
    """
    if not 0 < level <= 1:
        raise PodiumError("Level", f"{level:g} is not between 0 and 1", "Use 0.95 for 95%.")
    alpha = math.floor(round(runs * (1 - level) / 2, 9))
    return min(alpha, (runs - 1) // 2)


def rank_ranges(replicates: Replicates, level: float = 0.95) -> RankRanges:
    """Return the ranges [sorted[α], sorted[R-1-α]] of ranks and scores over the runs.

    Systems with equal scores in a run share its ranks: each counts the better one towards its
    lower end and the worse one towards its upper end. Where no scores are equal this is the
    published procedure.
    """
    scores = replicates.scores
    better, equal = _count_better_and_equal(scores)
    alpha = left_out_at_each_end(len(scores), level)
    low = np.sort(better + 1, axis=0)[alpha]
    high = np.sort(better + equal, axis=0)[-1 - alpha]
    defined = ~np.isnan(scores).any(axis=0)
    ordered = np.sort(scores, axis=0)
    quarter = left_out_at_each_end(len(scores), 0.5)
    return RankRanges(
        systems=replicates.systems,
        level=level,
        mean=np.where(defined, scores.mean(axis=0), np.nan),
        se=np.where(defined, scores.std(axis=0), np.nan),
        ci_low=np.where(defined, ordered[alpha], np.nan),
        ci_high=np.where(defined, ordered[-1 - alpha], np.nan),
        half_low=np.where(defined, ordered[quarter], np.nan),
        half_high=np.where(defined, ordered[-1 - quarter], np.nan),
        rank_best=np.where(defined, low, 0),
        rank_worst=np.where(defined, high, 0),
        ranks=np.where(np.isnan(scores), np.nan, better + (equal + 1) / 2),
    )


def simultaneous_ranges(verdict: Verdict) -> RankRanges | None:
    """Return the ranges that follow from the verdict; None if nothing is known of differences."""
    if np.isnan(verdict.se).all():
        return None
    reach = quantile(0.75, verdict.freedom_of_scores) * verdict.se
    return RankRanges(
        systems=verdict.systems,
        level=verdict.level,
        mean=verdict.scores,
        se=verdict.se,
        ci_low=verdict.ci_low,
        ci_high=verdict.ci_high,
        half_low=verdict.scores - reach,
        half_high=verdict.scores + reach,
        rank_best=verdict.rank_best,
        rank_worst=verdict.rank_worst,
        ranks=None,
    )


def pairwise_rank_ranges(counts: PairCounts, p: float = 0.05) -> tuple[IntArray, IntArray]:
    """Return the ends of each system's rank range by one-sided sign tests of all pairs.

    With w systems significantly better and e not separated: w + 1 … w + 1 + e. Ties in the
    judgments are ignored; a system never compared has no rank (0) and counts for none. ``p``, less
    than one half, is the largest p-value that is significant. Leading axes of the counts are
    replicates. (Koehn 2012)
    """
    if not 0 < p < 0.5:
        raise PodiumError("p-value", f"{p:g} is not between 0 and 0.5", "Use 0.05.")
    better = sign_test(counts.wins, counts.losses, sides=1) <= p
    ranked = counts.compared.sum(axis=-1) > 0
    w = better.sum(axis=-2)
    e = ranked.sum(axis=-1, keepdims=True) - 1 - w - better.sum(axis=-1)
    return np.where(ranked, w + 1, 0), np.where(ranked, w + 1 + e, 0)


def _count_better_and_equal(scores: FloatArray) -> tuple[IntArray, IntArray]:
    """Count, for every run and system, the systems that scored higher, and as high (itself too)."""
    better = np.zeros(scores.shape, dtype=np.int32)
    equal = np.zeros(scores.shape, dtype=np.int32)
    for k in range(scores.shape[1]):
        better += scores[:, k, None] > scores
        equal += scores[:, k, None] == scores
    return better, equal


def clusters_from_ranges(ranges: RankRanges) -> IntArray:
    """Return every system's cluster, 1 the best; 0 for systems without a rank."""
    return clusters_from_ends(ranges.rank_best, ranges.rank_worst, ranges.mean)


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
        is_official=True,
    )
    first = tuple(verdict.systems[k] for k in found.order if clusters[k] == 1)
    return dataclasses.replace(found, possible_winners=first)


def require_test(verdict: Verdict, what: str) -> None:
    """Refuse what needs a test of differences under an official procedure, which has none."""
    if verdict.is_official:
        raise PodiumError(
            what,
            "the official procedure has rank ranges, but no test of differences",
            "Use the recommended rule.",
        )
