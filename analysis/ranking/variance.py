"""How much combinations of scores vary, by which source, and how certain such a variance is.

The sources are tasks, segments and judges. A variance over few units is itself uncertain, so that
Student's t replaces the normal distribution. With bars for means over all directions and ν_u the
degrees of freedom of a unit's variance,

    ν = (V̄_segment + V̄_judge - V̄_task)² / [V̄_segment²/ν_segment + V̄_judge²/ν_judge].

Of n units with shares w of the work, ν_u is the geometric mean of n - 1 and 1/Σ w² - 1.
Five judges give a variance 4 degrees. But how much judges vary is alike on most systems, so that
all systems together say more than each alone: `moderated` variances (`lend_strength`). Judges may
differ on one system alone; what is seen of that is kept, the more the fewer the judges.

References: Satterthwaite 1946, *An Approximate Distribution of Estimates of Variance Components*;
Smyth 2004, *Linear Models and Empirical Bayes Methods for Assessing Differential Expression*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import digamma, ndtr, ndtri, polygamma, stdtr, stdtrit

from analysis.campaign.ragged import FloatArray, IntArray

Scope = Literal["new", "these", "these judges"]


SCOPES: dict[Scope, str] = {
    "new": "new segments and judges",
    "these": "these segments and judges only",
}
"""What users choose from; *these judges* on other sentences is said where judges are few."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Directions [N] along which the score of ``first`` and that of ``second`` differ.

    Written out they would be N rows of K numbers, nearly all of them zero.
    """

    first: IntArray
    second: IntArray


def two_way(
    task: FloatArray | float, segment: FloatArray | float, judge: FloatArray | float
) -> FloatArray:
    """Return the variance over new segments and new judges, from that over each unit.

    σ² = max(V_segment + V_judge - V_task, V_segment, V_judge): the judgments of one task are in
    both others, and no unit can vary less than alone. (Cameron, Gelbach & Miller 2011)

    >>> float(two_way(np.array(1.0), np.array(3.0), np.array(2.5)))
    4.5
    """
    return np.asarray(np.maximum(segment + judge - task, np.maximum(segment, judge)))


@dataclass(frozen=True, eq=False)
class VarianceParts:
    """A variance by its sources: tasks, and what segments and judges add by being drawn again.

    The three add up to `two_way`. ``few`` and ``least`` are those of `Uncertainty`.
    """

    task: FloatArray
    segment: FloatArray
    judge: FloatArray
    few: FloatArray
    least: FloatArray

    @classmethod
    def of(
        cls, task: FloatArray, segment: FloatArray, judge: FloatArray, few: FloatArray,
        least: FloatArray,
    ) -> VarianceParts:  # fmt: skip
        """Split the two-way variance, given the variance over each unit."""
        both = two_way(task, segment, judge)
        judge_adds = np.maximum(judge - task, 0)
        segment_adds = np.maximum(segment - task, 0)
        return cls(both - segment_adds - judge_adds, segment_adds, judge_adds, few, least)

    def variance(self, tasks: float = 1, segments: float = 1, judges: float = 1) -> FloatArray:
        """Return the whole of it with so many times the tasks, segments and judges.

        What the number of judgments decides shrinks with the tasks. A sum that rounding makes
        negative is 0.
        """
        drawn = self.task / tasks + self.segment / segments + self.judge / judges
        least = np.maximum(self.least / tasks, 0)
        return np.asarray(np.maximum(drawn + self.few / tasks, least))

    def times(self, factor: FloatArray) -> VarianceParts:
        """Return all parts taken times a factor."""
        parts = (self.task, self.segment, self.judge, self.few, self.least)
        return VarianceParts(*(factor * part for part in parts))


def as_if_equal(share: FloatArray, n: FloatArray) -> FloatArray:
    """Return by how much the variance of each difference [K, K] grows if two shares are equal.

    A test asks what would happen if two systems were equal. Judgments with the shares a and b vary
    by a(1 - a) and b(1 - b); if both had the mean share m, they would vary by m(1 - m), which is
    more. Without this factor, a share that is high by chance also looks precise. For two systems
    the test becomes the score test. ``n`` judgments smooth a share of 0 or 1.

    >>> as_if_equal(np.array([.5, .5, .9]), np.full(3, 1e9)).round(3).tolist()
    [[1.0, 1.0, 1.235], [1.0, 1.0, 1.235], [1.235, 1.235, 1.0]]
    """
    smoothed = (np.nan_to_num(share) * n + 1) / (n + 2)
    varies = smoothed * (1 - smoothed)
    mean = (smoothed[:, None] + smoothed) / 2
    return np.asarray(2 * mean * (1 - mean) / (varies[:, None] + varies))


def variance_along(directions: FloatArray | Differences, matrix: FloatArray) -> FloatArray:
    if isinstance(directions, Differences):
        i, j = directions.first, directions.second
        return np.asarray((matrix[i, i] - matrix[j, i]) - (matrix[i, j] - matrix[j, j]))
    return np.einsum("...i,...i->...", directions @ matrix, directions)


KEPT = 20
"""A system keeps at least the share 20/(20 + ν) of its own variance, ν the degrees of freedom."""


def quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's t, the normal one if the freedom is infinite.

    >>> [round(quantile(.975, freedom), 3) for freedom in (4, np.inf)]
    [2.776, 1.96]
    """
    return float(stdtrit(freedom, share) if np.isfinite(freedom) else ndtri(share))


def tail(z: FloatArray, freedom: float) -> FloatArray:
    """Return the share of Student's t above z, of the normal distribution if freedom is infinite.

    >>> tail(np.array([1.96, 0.0]), np.inf).round(3).tolist()
    [0.025, 0.5]
    """
    return np.asarray(stdtr(freedom, -z) if np.isfinite(freedom) else ndtr(-z))


def two_way_freedom(
    task: float, segment: float, judge: float, of_segments: float, of_judges: float
) -> float:
    """Return ν of a two-way variance from its mean parts and the units' degrees of freedom.

    An infinite number of degrees says that the unit is not drawn again. As the variance itself, its
    mean is no less than either unit's part.

    >>> round(two_way_freedom(1, 2, 3, 99, 9), 1), round(two_way_freedom(1, 1, 3, np.inf, 9), 1)
    (15.4, 9.0)
    >>> round(two_way_freedom(2, 1, 1, 99, 9), 1)
    8.2
    """
    rough = segment**2 / of_segments + judge**2 / of_judges
    whole = max(segment + judge - task, segment, judge)
    return float(whole**2 / rough) if rough > 0 else math.inf


def moderated(
    variance: FloatArray, least: FloatArray, freedom: float, independent: int
) -> tuple[FloatArray, float]:
    """Return variances drawn toward their common size, and the degrees of freedom of the result.

    All directions have about the same ratio s₀² of ``variance`` to ``least``, the variance if all
    judgments were independent; its logarithms scatter by what ``freedom`` ν explains and by d₀:

        e = ln(σ²/least) - ψ(ν/2) + ln(ν/2),   ψ′(d₀/2) = var(e) - ψ′(ν/2),
        s₀² = exp(mean e + ψ(d₀/2) - ln(d₀/2)),   σ̃² = (d₀ s₀² least + ν σ²)/(d₀ + ν),

    with d₀ + ν degrees, and at most ν for each of the ``independent`` directions. (Smyth 2004)
    """
    usable = (variance > 0) & (least > 0)
    if usable.sum() < 2 or independent < 2 or not 1 <= freedom < np.inf:
        return variance, freedom  # of less than one degree the scatter of logarithms has no bound
    e = np.log(variance[usable] / least[usable]) - digamma(freedom / 2) + math.log(freedom / 2)
    most = independent * freedom
    d0 = 2 * inverse_trigamma(float(e.var(ddof=1) - polygamma(1, freedom / 2)))
    if np.isinf(d0):
        common = (variance[usable] / least[usable]).mean()
        return np.where(usable, common * least, variance), most
    common = np.exp(e.mean() + digamma(d0 / 2) - math.log(d0 / 2))
    drawn = (d0 * common * least + freedom * variance) / (d0 + freedom)
    return np.where(usable, drawn, variance), min(d0 + freedom, most)


def lend_strength(unit: FloatArray, task: FloatArray, freedom: float) -> tuple[FloatArray, float]:
    """Return a unit's covariance [K, K] of the scores, moderated, and its degrees of freedom.

    The ratio of the unit's variance to that of tasks is moderated over the systems; correlations
    are those of tasks, which are many. Two systems have nobody to borrow from.
    """
    own, base = np.diag(unit), np.diag(task)
    usable = (own > 0) & (base > 0)
    independent = int(usable.sum()) - 1
    if independent < 2 or not 1 <= freedom < np.inf:
        return unit, freedom
    variance, shared = moderated(own[usable], base[usable], freedom, independent)
    variance = np.maximum(variance, KEPT / (KEPT + freedom) * own[usable])
    root = np.ones(len(own))
    root[usable] = np.sqrt(variance / base[usable])
    return root[:, None] * task * root, shared


def inverse_trigamma(value: float) -> float:
    """Return x with ψ′(x) = value; infinite if the value is not positive. (Smyth 2004, appendix)

    >>> round(inverse_trigamma(float(polygamma(1, 2.5))), 9), inverse_trigamma(-.1)
    (2.5, inf)
    """
    if value <= 0:
        return math.inf
    x = 0.5 + 1 / value
    for _ in range(50):  # Newton's method on 1/ψ′, which is nearly straight: few steps
        trigamma = float(polygamma(1, x))
        step = trigamma * (1 - trigamma / value) / float(polygamma(2, x))
        x += step
        if -step / x < 1e-10:
            return x
    return x
