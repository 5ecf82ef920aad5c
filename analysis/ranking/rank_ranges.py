"""Rank ranges: which ranks a system may have.

Simultaneous ranges follow from what is told apart (`analysis.ranking.apart`) and hold for all
systems at once. Marginal ones, as published, hold the ranks that a system takes over many runs
(Koehn 2012; Bojar et al. 2014, §3.5), one system at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import PodiumError, UndefinedResultError
from analysis.rankers.standings import best_first
from analysis.ranking.apart import Apart, quantile
from analysis.ranking.first import draw_ranks
from analysis.ranking.replicates import Replicates
from analysis.ranking.sign_test import sign_test


@dataclass(frozen=True, eq=False)
class RankRanges:
    """How sure every system's score and rank are, in the order of ``systems``.

    ``low`` and ``high`` are the ends of the rank range at ``level`` (1 is best; 0 where the system
    has no rank); ``score_low`` and ``score_high`` those of the score, ``half_low`` and
    ``half_high`` those of its interval at one half; ``mean`` is its mean. ``ranks[R, K]`` are the
    ranks of every run, the middle one where scores are equal; of every draw of abilities where
    there are no runs.
    """

    systems: tuple[str, ...]
    level: float
    mean: FloatArray
    deviation: FloatArray
    score_low: FloatArray
    score_high: FloatArray
    half_low: FloatArray
    half_high: FloatArray
    low: IntArray
    high: IntArray
    ranks: FloatArray

    @property
    def order(self) -> IntArray:
        """Systems' indices by falling mean score."""
        return best_first(self.mean)

    def probability_of_top(self, k: int) -> FloatArray:
        """Return in which share of the runs, or draws, each system was among the best ``k``.

        Of draws of abilities that is a probability. It is nan where a system has no rank.
        """
        share = (self.ranks <= k).mean(axis=0)
        known = (self.low > 0) & ~np.isnan(self.ranks).all(axis=0)
        return np.asarray(np.where(known, share, np.nan))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first."""
        frame = pd.DataFrame(
            {
                "system": self.systems,
                "score": self.mean,
                "score_low": self.score_low,
                "score_high": self.score_high,
                "rank_low": self.low,
                "rank_high": self.high,
                "p_first": self.probability_of_top(1),
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
        raise PodiumError("Level", f"{level:g} is not between 0 and 1", "Give .95 for 95%.")
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
        deviation=np.where(defined, scores.std(axis=0), np.nan),
        score_low=np.where(defined, ordered[alpha], np.nan),
        score_high=np.where(defined, ordered[-1 - alpha], np.nan),
        half_low=np.where(defined, ordered[quarter], np.nan),
        half_high=np.where(defined, ordered[-1 - quarter], np.nan),
        low=np.where(defined, low, 0),
        high=np.where(defined, high, 0),
        ranks=np.where(np.isnan(scores), np.nan, better + (equal + 1) / 2),
    )


def simultaneous_ranges(told: Apart, seed: int = 0) -> RankRanges | None:
    """Return the ranges that follow from what is told apart; None where nothing can be.

    The ranks are those of abilities drawn given the scores and their covariance.
    """
    if np.isnan(told.sd).all():
        return None
    reach = quantile(0.75, told.freedom_of_scores) * told.sd
    return RankRanges(
        systems=told.systems,
        level=told.level,
        mean=told.scores,
        deviation=told.sd,
        score_low=told.score_low,
        score_high=told.score_high,
        half_low=told.scores - reach,
        half_high=told.scores + reach,
        low=told.low,
        high=told.high,
        ranks=_ranks_of_draws(told, seed),
    )


def _ranks_of_draws(told: Apart, seed: int) -> FloatArray:
    """Return the ranks of abilities drawn; nan where groups of systems never met."""
    try:
        return draw_ranks(told, seed=seed).ranks
    except UndefinedResultError:
        return np.full((1, len(told.systems)), np.nan)


def pairwise_rank_ranges(counts: PairCounts, p: float = 0.05) -> tuple[IntArray, IntArray]:
    """Return the ends of each system's rank range by one-sided sign tests of all pairs.

    With w systems significantly better and e not to be told apart: w + 1 … w + 1 + e. Ties in the
    judgments are ignored; a system never compared has no rank (0) and counts for none. ``p``, less
    than one half, is the largest p-value that is significant. Leading axes of the counts are
    replicates. (Koehn 2012)
    """
    if not 0 < p < 0.5:
        raise PodiumError("p-value", f"{p:g} is not between 0 and .5", "Give .05, as published.")
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
