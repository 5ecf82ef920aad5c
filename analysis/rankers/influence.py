"""What one judgment adds to each score: the derivative of scores that are smooth in the counts.

One win of i over j, or one tie, moves at most two coordinates: i's own and j's (and a tie threshold
that all share, where the model has one). A matrix leads from coordinates to scores: the identity
for ratios, the inverse of the information for models of abilities.

Where judges have traits of their own, what a judgment adds depends on its judge and on the side,
so that tables do not hold it: `JudgedRows` has the judgments one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.campaign.counts import PairCounts
from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Judgments [N] one by one, where what each adds depends on its judge and on the side.

    Judgment r of ``left``, shown first, and ``right`` has the slopes ``by_lead`` and ``by_tie``,
    the derivatives of its log-chance by d = a (θ_left - θ_right) + b and by the logarithm of a
    tie's weight. It adds a·by_lead to the coordinate of the left system, takes it from the right
    one's, and adds by_tie to the one that follows all systems', ``level`` to the last. As it also
    moves the traits of its judge, ``loads[judge]`` times (gap·by_lead, by_lead, by_tie) is taken
    from all coordinates, the ``gap`` being θ_left - θ_right. ``by_lead_turned`` is the slope if the
    loser had won, ``level_turned`` the level then, None where that is the same.
    """

    left: IntArray
    right: IntArray
    judge: IntArray
    sensitivity: FloatArray
    gap: FloatArray
    by_lead: FloatArray
    by_lead_turned: FloatArray
    by_tie: FloatArray
    level: FloatArray
    loads: FloatArray
    level_turned: FloatArray | None = None

    def along(self, direction: FloatArray, turned: bool = False) -> FloatArray:
        """Return how far each judgment moves ``direction[D]`` of the coordinates."""
        carried = np.einsum("d,jdt->jt", direction, self.loads)[self.judge]
        lead = direction[self.left] - direction[self.right]
        per_lead = self.sensitivity * lead - carried[:, 0] * self.gap - carried[:, 1]
        by_lead = self.by_lead_turned if turned else self.by_lead
        by_tie = self.by_tie * (direction[-2] - carried[:, 2])
        level = self.level if not turned or self.level_turned is None else self.level_turned
        return np.asarray(by_lead * per_lead + by_tie + level * direction[-1])


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Scores [N] one by one, where a mean follows from them and not from who won.

    Score r adds ``own`` to its system. Where scores are standardized it also moves its judge's mean
    and deviation, and with them all systems: ``by_mean[judge]`` times ``to_mean`` and
    ``by_deviation[judge]`` times ``to_deviation`` are taken from the coordinates [K]. ``task``,
    ``segment`` and ``judge`` are the units it belongs to.
    """

    system: IntArray
    own: FloatArray
    task: IntArray
    segment: IntArray
    judge: IntArray
    to_mean: FloatArray | None = None
    to_deviation: FloatArray | None = None
    by_mean: FloatArray | None = None
    by_deviation: FloatArray | None = None

    def added(self, unit: IntArray, n_systems: int) -> FloatArray:
        """Return what each unit adds to the coordinates, [G, K]; units are numbered from 0."""
        n_units = int(unit.max()) + 1
        cell = unit.astype(np.int64) * n_systems + self.system
        added = np.bincount(cell, self.own, n_units * n_systems).reshape(n_units, n_systems)
        for to, by in ((self.to_mean, self.by_mean), (self.to_deviation, self.by_deviation)):
            if to is not None and by is not None:
                carried = scipy.sparse.coo_array(
                    (to, (unit, self.judge)), shape=(n_units, len(by))
                ).tocsr()
                added -= np.asarray(carried @ by)
        return np.asarray(added)


@dataclass(frozen=True, eq=False)
class Influence:
    """Derivatives of ``scores[K]`` by the counts.

    ``own[o, i, j]`` is what one win (o = 0) of i over j, or one tie (o = 1) of i and j, adds to i's
    coordinate, ``other[o, i, j]`` what it adds to j's, ``common[o, i, j]`` what it adds to the one
    that follows all systems' where there is one. ``mixing[K, D]`` times the coordinates are the
    scores' changes; None is the identity.

    ``few[K, K]`` is the covariance that derivatives miss where a pair has few judgments: it adds
    to any other. ``least[K, K]`` is that of the scores if all judgments were independent, by the
    model or by smoothed shares: no variance of a difference is smaller. ``by_share[i, j]`` is how
    far the share that i wins of its decided judgments with j moves i's coordinate, where each pair
    counts for itself. ``bounds`` are the least and the largest score there can be.

    ``rows_of`` stands in for the tables where judges have traits of their own: it says what each
    of some judgments adds. ``scored`` does where scores are means of what judges gave: then no
    judgment of two outputs adds anything.
    """

    scores: FloatArray
    own: FloatArray
    other: FloatArray
    least: FloatArray
    mixing: FloatArray | None = None
    common: FloatArray | None = None
    few: FloatArray | None = None
    by_share: FloatArray | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    rows_of: Callable[[Judgments], JudgedRows] | None = None
    scored: ScoredRows | None = None

    @property
    def n_systems(self) -> int:
        return len(self.scores)

    @property
    def averages_shares(self) -> bool:
        """Whether a score is the mean over opponents of the share of decided judgments won."""
        return self.by_share is not None and self.mixing is None

    @property
    def n_coordinates(self) -> int:
        if self.mixing is not None:
            return self.mixing.shape[1]
        return self.n_systems

    def along(
        self, direction: FloatArray, judgments: Judgments, turned: bool = False
    ) -> FloatArray:
        """Return how far each observation moves ``direction @ scores``, or would if turned."""
        by = direction if self.mixing is None else direction @ self.mixing
        if self.rows_of is not None:
            return self.rows_of(judgments).along(by, turned)
        k = self.n_systems
        adds = by[None, :k, None] * self.own + by[None, None, :k] * self.other
        if self.common is not None:
            adds = adds + by[k] * self.common
        if turned:
            adds = np.stack([adds[0].T, adds[1]])
        return np.asarray(adds.ravel()[judgments.observations.cells(k)])

    def mix(self, covariance: FloatArray) -> FloatArray:
        """Return the scores' covariance, given the coordinates'."""
        if self.mixing is None:
            return covariance
        return np.asarray(self.mixing @ covariance @ self.mixing.T)


def relative(covariance: FloatArray, counts: PairCounts) -> FloatArray:
    """Return the covariance of scores less the mean of those that judgments join them with.

    Judgments say nothing of the level of abilities, so that what is not known of it does not count.
    """
    group = counts.group
    same = (group[:, None] == group).astype(np.float64)
    center = np.eye(len(group)) - same / same.sum(axis=1)
    return np.asarray(center @ covariance @ center.T)


def smoothed_variance(won: FloatArray, n: FloatArray) -> FloatArray:
    """Return p(1 - p)/n with p = (won + 1)/(n + 2): not zero where all were won; 0 where n is 0."""
    share = (won + 1) / (n + 2)
    return np.divide(share * (1 - share), n, out=np.zeros(np.shape(n)), where=n > 0)


def missed_by_pairs(counts: PairCounts, weight: FloatArray) -> FloatArray:
    """Return the covariance of scores that derivatives miss where pairs have few judgments.

    A share w/n of few decided judgments seems to vary by p(1 - p)/n, not at all where n = 1. What
    is missing to the smoothed variance is added for each pair.
    """
    decided = counts.decided
    share = np.divide(counts.wins, decided, out=np.zeros(decided.shape), where=decided > 0)
    plain = np.divide(share * (1 - share), decided, out=np.zeros(decided.shape), where=decided > 0)
    missed = smoothed_variance(counts.wins, decided) - plain
    return covariance_of_pairs(np.maximum(missed, 0.0), weight)


def covariance_of_pairs(variance: FloatArray, weight: FloatArray) -> FloatArray:
    """Return Σ over pairs of variance_ij g gᵀ, g = weight[i, j] e_i - weight[j, i] e_j.

    ``variance`` is that of the share that i wins of its decided judgments with j, ``weight[i, j]``
    how far that share moves the score of i; pairs are independent.
    """
    covariance = -variance * weight * weight.T
    covariance[np.diag_indices_from(covariance)] = (variance * weight**2).sum(axis=1)
    return np.asarray(covariance)
