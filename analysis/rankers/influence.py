"""What one judgment adds to each score: the derivative of scores that are smooth in the counts.

One win of i over j, or one tie, moves at most two coordinates: i's own and j's (and a tie threshold
that all share, where the model has one). A matrix leads from coordinates to scores: the identity
for ratios, the inverse of the information for models of abilities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from analysis.campaign import FloatArray, PairCounts


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

    @property
    def n_systems(self) -> int:
        return len(self.scores)

    @property
    def n_coordinates(self) -> int:
        return self.n_systems + (self.common is not None)

    def mix(self, covariance: FloatArray) -> FloatArray:
        """Return the scores' covariance, given the coordinates'."""
        if self.mixing is None:
            return covariance
        return np.asarray(self.mixing @ covariance @ self.mixing.T)


def relative(covariance: FloatArray, counts: PairCounts) -> FloatArray:
    """Return the covariance of scores less the mean of those that judgments join them with.

    Judgments say nothing of the level of abilities, so that what is not known of it does not count.
    """
    _, group = connected_components(counts.compared > 0, directed=False)
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
    decided = counts.wins + counts.losses
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
