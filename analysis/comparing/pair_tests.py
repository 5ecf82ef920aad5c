"""Tests of two systems, as official rankings used them: each returns p[K, K].

``p[i, j]`` belongs to the claim that system i is better than system j: small where the scores
speak for it. A two-sided test gives the same number for both directions. It is nan on the diagonal
and where two systems have nothing in common to be compared on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

from analysis.campaign import FloatArray
from analysis.comparing.score_table import ScoreTable

PairTest = Callable[[ScoreTable, int], FloatArray]
"""From the scores and a seed to p[K, K]."""

DRAWS = 10_000
"""Draws of a permutation test."""

FEW = 8
"""Segments with which the rank-sum test is exact, unless values are equal."""

AT_ONCE = 500
"""Draws that are held in memory at once."""


def rank_sum(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Wilcoxon's rank-sum test of z by segment, one-sided; each system's own segments count."""
    columns = [np.sort(_known(column)) for column in table.z_by_segment.T]
    p = _empty(table)
    for i, j in _one_way(table):
        if len(columns[i]) and len(columns[j]):
            p[i, j], p[j, i] = _rank_sum_both_ways(columns[i], columns[j])
    return p


def matched_rank_sum(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Wilcoxon's rank-sum test of z, one-sided, over the segments that both systems have."""
    z, p = table.z_by_segment, _empty(table)
    for i, j in _one_way(table):
        common = ~np.isnan(z[:, i] - z[:, j])
        if common.sum() > FEW:
            both = np.sort(z[common, i]), np.sort(z[common, j])
            p[i, j], p[j, i] = _rank_sum_both_ways(*both)
        elif common.any():
            for a, b in ((i, j), (j, i)):
                p[a, b] = scipy.stats.mannwhitneyu(
                    z[common, a], z[common, b], alternative="greater"
                ).pvalue
    return p


def _rank_sum_both_ways(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """Return p of "first is higher" and of "second is higher", both sorted.

    With U the pairs that the first wins, ties as half, and t the numbers of equal values among all
    n + m: (U - nm/2 - ½) / √(nm/12 (n + m + 1 - Σ(t³ - t) / ((n + m)(n + m - 1)))) is normal.
    """
    n, m = len(first), len(second)
    below = np.searchsorted(second, first, "left") + np.searchsorted(second, first, "right")
    ahead = below.sum() / 2 - n * m / 2
    pooled = np.sort(np.concatenate([first, second]))
    ends = np.flatnonzero(np.concatenate([[True], pooled[1:] != pooled[:-1], [True]]))
    tied = np.diff(ends).astype(np.float64)
    ties = (tied**3 - tied).sum() / ((n + m) * (n + m - 1))
    deviation = np.sqrt(n * m / 12 * (n + m + 1 - ties))
    if deviation == 0:
        return 1.0, 1.0
    return (
        float(ndtr(-(ahead - 0.5) / deviation)),
        float(ndtr(-(-ahead - 0.5) / deviation)),
    )


def stouffer_by_domain(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Wilcoxon's signed-rank test in each domain, two-sided; the p-values added up by Stouffer.

    With p_d of domain d of D: z_d = Φ⁻¹(1 - p_d), p = 1 - Φ(Σ z_d / √D). As a two-sided p_d has no
    sign, domains that speak for opposite systems add up, too.
    """
    scores, p = table.good_by_segment, _empty(table)
    for i, j in _one_way(table):
        by_domain = []
        for domain in range(table.n_domains):
            differences = _known((scores[:, i] - scores[:, j])[table.segment_domain == domain])
            if len(differences):
                by_domain.append(_signed_rank(differences, "two-sided"))
        if by_domain:
            p[i, j] = p[j, i] = stouffer(np.array(by_domain))
    return p


def stouffer(p: FloatArray) -> float:
    """Add up p-values by Stouffer's method, as if each were one-sided.

    >>> round(stouffer(np.array([.05, .05, .05, .05])), 5)
    0.0005
    """
    if (p >= 1).any():
        return 1.0
    return float(ndtr(ndtri(p).sum() / np.sqrt(len(p))))


def signed_rank_of_all_ratings(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Wilcoxon's signed-rank test, one-sided, over all ratings of both systems on a segment.

    Each rating of the one is set against each of the other: two ratings of each output make four
    differences, which the test takes for four independent facts.
    """
    p = _empty(table)
    ratings = _ratings_by_segment(table)
    for i, j in _both_ways(table):
        differences = _known((ratings[i][:, :, None] - ratings[j][:, None, :]).ravel())
        if len(differences):
            p[i, j] = _signed_rank(differences, "greater")
    return p


def paired_or_unpaired_t(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Student's t, two-sided, on means by segment: the smaller p of the paired and unpaired one."""
    scores, p = table.good_by_segment, _empty(table)
    for i, j in _one_way(table):
        common = ~np.isnan(scores[:, i] - scores[:, j])
        tests = []
        if common.sum() > 1 and np.ptp(scores[common, i] - scores[common, j]) > 0:
            tests.append(scipy.stats.ttest_rel(scores[common, i], scores[common, j]).pvalue)
        first, second = _known(scores[:, i]), _known(scores[:, j])
        if min(len(first), len(second)) > 1 and max(np.ptp(first), np.ptp(second)) > 0:
            tests.append(scipy.stats.ttest_ind(first, second).pvalue)
        if tests:
            p[i, j] = p[j, i] = min(tests)
        elif common.any():
            p[i, j] = p[j, i] = 1.0
    return p


def permutation(table: ScoreTable, seed: int = 0) -> FloatArray:
    """Paired permutation test of means by segment, one-sided."""
    return permutation_p(table.good_by_segment, np.random.default_rng(seed))


def permutation_p(
    scores: FloatArray, rng: np.random.Generator, draws: int = DRAWS
) -> FloatArray:  # fmt: skip
    """Return p[K, K] of paired permutation tests of the means of scores[S, K], one-sided.

    A draw swaps the scores of two systems on each segment with probability one half, that is, it
    turns the sign of their difference; p is the share of draws that favor i over j no less than
    the scores do, the scores themselves counted as one draw. All pairs share the draws' swaps.
    """
    n_segments, n_systems = scores.shape
    first, second = np.triu_indices(n_systems, 1)
    differences = scores[:, first] - scores[:, second]
    n_common = (~np.isnan(differences)).sum(axis=0)
    differences = np.nan_to_num(differences)
    observed = differences.sum(axis=0)
    slack = 1e-9 * np.abs(differences).sum(axis=0)
    above, below = np.ones(len(first)), np.ones(len(first))
    for start in range(0, draws, AT_ONCE):
        n = min(AT_ONCE, draws - start)
        signs = 1.0 - 2.0 * rng.integers(0, 2, (n, n_segments))
        drawn = signs @ differences
        above += (drawn >= observed - slack).sum(axis=0)
        below += (drawn <= observed + slack).sum(axis=0)
    p = np.full((n_systems, n_systems), np.nan)
    known = n_common > 0
    p[first[known], second[known]] = above[known] / (draws + 1)
    p[second[known], first[known]] = below[known] / (draws + 1)
    return p


def _signed_rank(differences: FloatArray, alternative: Literal["two-sided", "greater"]) -> float:
    """Return p; 1 where nothing differs."""
    if not differences.any():
        return 1.0
    return float(
        scipy.stats.wilcoxon(differences, alternative=alternative, correction=False).pvalue
    )


def _ratings_by_segment(table: ScoreTable) -> FloatArray:
    """Return ratings[K, S, R]: the r-th of each output in the file's order; nan where none."""
    cell = table.system * table.n_segments + table.segment
    order = np.argsort(cell, kind="stable")
    _, start, size = np.unique(cell[order], return_index=True, return_counts=True)
    nth = np.arange(len(order)) - np.repeat(start, size)
    ratings = np.full((table.n_systems, table.n_segments, int(size.max())), np.nan)
    ratings[table.system[order], table.segment[order], nth] = table.good[order]
    return ratings


def _known(values: FloatArray) -> FloatArray:
    return values[~np.isnan(values)]


def _empty(table: ScoreTable) -> FloatArray:
    return np.full((table.n_systems, table.n_systems), np.nan)


def _one_way(table: ScoreTable) -> Iterator[tuple[int, int]]:
    n = table.n_systems
    return ((i, j) for i in range(n) for j in range(i + 1, n))


def _both_ways(table: ScoreTable) -> Iterator[tuple[int, int]]:
    n = table.n_systems
    return ((i, j) for i in range(n) for j in range(n) if i != j)
