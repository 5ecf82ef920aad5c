"""WMT's kappa of judges: agreement beyond chance, its word, and its intervals.

    κ = (pA - pE) / (1 - pE),   pE = p² + (1 - p)² / 2,

pA the share of agreeing pairs of labels among the comparable ones, p the share of ties among all
labels: a tie is as likely by chance as ties are, and the rest falls evenly to either side. So it
is counted at WMT; Cohen's own chance has the share of every label for each of two judges.

References: Cohen 1960; Landis and Koch 1977 (the words); Bojar et al. 2014, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray, IntArray
from analysis.ranking.covariance import LEAST_FREEDOM
from analysis.ranking.variance import quantile, two_way

ENOUGH = 30
"""Comparable labels or decided comparisons under which nothing is said of agreement or of a judge:
the standard error of a share is then above 9 points."""


LANDIS_KOCH = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
"""Each word with the largest kappa for which it holds; below 0 "poor", above "almost perfect"."""


NO_INTERVAL = (float("nan"), float("nan"))


MOST_BY_FEW = 0.25
"""Σ w² of the judges' shares of what they judged twice above which nothing is said of others: with
fewer than four judges' worth of work an interval covers other judges by chance."""


CHUNK_CELLS = 4_000_000
"""Runs times segments that are resampled at once: what keeps the memory under 100 MB."""


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance with the counts that it was made from.

    ``agree`` of ``comparable`` pairs of labels agree; ``ties`` of ``total`` labels are ties.
    ``low`` and ``high`` are the ends of the interval over resampled segments: other sentences, but
    *these judges*. ``others_low`` and ``others_high`` are those for other judges of this kind as
    well, see `interval_for_others`. nan where none was asked for or none can be given.
    """

    agree: int
    comparable: int
    ties: int
    total: int
    low: float = float("nan")
    high: float = float("nan")
    others_low: float = float("nan")
    others_high: float = float("nan")

    @property
    def p_agree(self) -> float:
        return self.agree / self.comparable if self.comparable else float("nan")

    @property
    def p_chance(self) -> float:
        return float(chance_agreement(np.array(self.ties), np.array(self.total)))

    @property
    def kappa(self) -> float:
        return float(kappa_of(np.array([self.agree, self.comparable, self.ties, self.total])))

    @property
    def is_scarce(self) -> bool:
        """Whether labels meet, but so few that nothing can be said of agreement."""
        return 0 < self.comparable < ENOUGH

    @property
    def word(self) -> str:
        """What Landis and Koch call it, or that it rests on too few answers for a word."""
        return "too few" if self.is_scarce else landis_koch(self.kappa)

    @property
    def undefined(self) -> str:
        """Why kappa is nan, in words; empty where it is a number."""
        if not self.comparable:
            return "No pair of outputs was judged twice, so there is nothing to compare."
        if self.p_chance == 1:
            return "Every judgment is a tie, so agreement cannot exceed chance."
        return ""


class Cells(NamedTuple):
    """counts[C, 4] (agree, comparable, ties, total) of a judge on a segment.

    ``shared``: for how many judges a pair of labels is counted.
    """

    segment: IntArray
    judge: IntArray
    counts: FloatArray
    shared: int


def landis_koch(kappa: float) -> str:
    """Return the word of Landis and Koch (1977) for a kappa.

    >>> [landis_koch(k) for k in (-.1, .2, .21, .93, float("nan"))]
    ['poor', 'slight', 'fair', 'almost perfect', 'undefined']
    """
    if np.isnan(kappa):
        return "undefined"
    if kappa < 0:
        return "poor"
    return next((word for bound, word in LANDIS_KOCH if kappa <= bound), "almost perfect")


def chance_agreement(ties: npt.NDArray[np.number], total: npt.NDArray[np.number]) -> FloatArray:
    """pE = p² + (1 - p)²/2, where p = ties/total; nan without labels."""
    p = np.divide(ties, total, out=np.full(np.shape(ties), np.nan), where=total > 0)
    return np.asarray(p**2 + (1 - p) ** 2 / 2)


def kappa_of(counts: npt.NDArray[np.generic]) -> FloatArray:
    """Return kappa of counts[..., 4] = agree, comparable, ties, total; nan where undefined."""
    agree, comparable, ties, total = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    chance = chance_agreement(ties, total)
    observed = np.divide(agree, comparable, out=np.full(agree.shape, np.nan), where=comparable > 0)
    return np.divide(
        observed - chance, 1 - chance, out=np.full(agree.shape, np.nan), where=chance != 1
    )


def segment_interval(counts: IntArray, runs: int, level: float, seed: int) -> tuple[float, float]:
    """Return the interval of kappa over resampled segments, from counts[S, 4] of each segment.

    Fewer than two segments with something to compare, or no runs, give nan.
    """
    if runs < 1 or np.count_nonzero(counts[:, 1]) < 2:
        return NO_INTERVAL
    return quantile_interval(kappa_of(resampled_segments(counts, runs, seed)), level)


def quantile_interval(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the ends that hold the middle ``level`` of the values that are numbers."""
    told = values[~np.isnan(values)]
    if not len(told):
        return NO_INTERVAL
    low, high = np.quantile(told, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled_segments(table: IntArray | FloatArray, runs: int, seed: int) -> FloatArray:
    """Return the column sums[runs, C] of table[S, C], S segments drawn again in every run."""
    rng = np.random.default_rng(seed)
    chunk = max(1, CHUNK_CELLS // len(table))
    sums = [_resample(table, min(chunk, runs - done), rng) for done in range(0, runs, chunk)]
    return np.concatenate(sums)


def _resample(counts: IntArray | FloatArray, runs: int, rng: np.random.Generator) -> FloatArray:
    """Sum the counts of as many drawn segments as there are, ``runs`` times."""
    n = len(counts)
    drawn = rng.integers(n, size=(runs, n)) + np.arange(runs)[:, None] * n
    times = np.bincount(drawn.ravel(), minlength=runs * n).reshape(runs, n)
    return times.astype(np.float64) @ counts


def interval_for_others(cells: Cells, level: float) -> tuple[float, float]:
    """Return the interval of kappa for other judges on other sentences of this kind.

    With ψ_g the change of κ per unit of weight on group g, a segment, a judge, or a judge's labels
    on a segment, w_g the group's share of the comparable pairs of labels, S segments and J judges,

        V_u = Σ_g (ψ_g / (1 - w_g))² (1 - 1/n_u),   A_u = 1/Σ_g w_g²,
        σ² = max(V_segment + V_judge - V_both, each of the two alone),

    and κ ± t σ, t of min(A_segment, A_judge) - 1 degrees of freedom: few judges, or one who did
    most of the work, say little of others. nan where fewer than two judges or segments compare,
    and of judges with themselves where Σ w² is above `MOST_BY_FEW`. (Cameron, Gelbach & Miller
    2011)
    """
    shared = np.array([cells.shared, cells.shared, 1, 1])
    kappa, slope = _kappa_with_slope(cells.counts.sum(axis=0) / shared)
    by_cell = cells.counts @ slope
    parts = [(cells.segment, cells.counts / shared @ slope), (cells.judge, by_cell)]
    v, alike = [], []
    for unit, psi in parts:
        compared = np.bincount(unit, weights=cells.counts[:, 1])
        share = compared / max(compared.sum(), 1)
        n = np.count_nonzero(share)
        if n < 2 or np.isnan(kappa):
            return NO_INTERVAL
        sums = np.bincount(unit, weights=psi) / (1 - share)
        v.append(float((sums**2).sum()) * (1 - 1 / n))
        alike.append(1 / float((share**2).sum()))
    variance = float(two_way((by_cell**2).sum(), *v))
    if not variance or (cells.shared == 1 and 1 / alike[1] > MOST_BY_FEW):
        return NO_INTERVAL
    reach = quantile((1 + level) / 2, max(min(alike) - 1, LEAST_FREEDOM)) * np.sqrt(variance)
    return max(kappa - reach, -1.0), min(kappa + reach, 1.0)


def _kappa_with_slope(counts: FloatArray) -> tuple[float, FloatArray]:
    """Return kappa and its derivatives with respect to agree, comparable, ties and total."""
    agree, comparable, ties, total = counts
    kappa = float(kappa_of(counts))
    if np.isnan(kappa):
        return kappa, np.zeros(4)
    p, chance = ties / total, float(chance_agreement(ties, total))
    observed = 1 / comparable / (1 - chance)
    by_ties = -(1 - agree / comparable) / (1 - chance) ** 2 * (3 * p - 1) / total
    slope = [observed, -agree / comparable * observed, by_ties, -p * by_ties]
    return kappa, np.array(slope)
