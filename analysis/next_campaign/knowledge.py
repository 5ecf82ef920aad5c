"""What is known of the systems' abilities, and which comparison tells most of their clusters.

Abilities are N(m, Σ), a pair's difference known up to s_kl² = Var(θ_k - θ_l). A line between
clusters can be drawn below the i-th best system once all pairs across it are clear,
|m_k - m_l| ≥ z s_kl. What the hardest of them lacks is what the line costs, in information:

    c_i = max over k ≤ i < l of  z² / ((m_k - m_l)² + s_kl²/2) - 1 / s_kl²,

where half a variance is granted to differences, since little-known ones may be large. Pairs count
if they are not clear and stand across lines that cost little:

    w_kl = exp(-(m_k - m_l)² / 2 s_kl²) Σ over lines i between k and l, not drawn yet, of c_i⁻².

Where it is known which pairs differ significantly, just these are clear, and not asked for;
the abilities are the chosen method's scores on this scale, z and s_kl those of the definition.

An answer about i and j of information h lowers Σ w log s², to first order, by

    h / (1 + h s_ij²) · (e_i - e_j)ᵀ Σ L Σ (e_i - e_j),  L the Laplacian of w_kl / s_kl².
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.next_campaign.evidence import NO_VARIANCE, difference_variances
from analysis.rankers.ordered_probit import OrderedProbit
from analysis.ranking.fit_uncertainty import scale_of
from analysis.ranking.verdict import Verdict

CLEAR = 2.1
"""Standard errors of a clear difference: 1.96, and some, as several pairs must be clear at once."""

GRANTED = 0.5
"""Part of its variance by which a squared difference may be larger than it seems."""

LEAST = 0.05
"""What a pair that is not separated lacks at least, in parts of the information at hand."""

ASIDE = 1e-6
"""What a judgment of two systems that differ significantly counts for when tasks are chosen."""


@dataclass(eq=False)
class Knowledge:
    """Abilities' mean and precision, which grows by answers that are still to come.

    A judgment counts by the design effect's inverse: pairs of a task are not independent. Pairs are
    clear at ``clear`` standard errors, or, where that is known, where they are told ``apart``.
    """

    model: OrderedProbit
    mean: FloatArray
    precision: FloatArray
    design_effect: float
    clear: float = CLEAR
    apart: npt.NDArray[np.bool_] | None = None

    @classmethod
    def of(
        cls, counts: PairCounts, radius: float, spread: float, design_effect: float = 1.0
    ) -> Knowledge:
        """Fit abilities whose deviation is ``spread``; both in units of a difference's noise."""
        model = OrderedProbit(1.0, radius, spread)
        weighed = PairCounts(counts.wins / design_effect, counts.ties / design_effect)
        return cls(model, *model.mode(weighed), design_effect)

    def verdict(self, by: Verdict) -> Knowledge:
        """Return the same with a method's order, its uncertainty, and its verdict."""
        ranked = ~np.isnan(by.scores)
        if not ranked.any():
            return self
        scale = scale_of(self.mean, by.scores)
        mean = np.where(ranked, scale * (by.scores - by.scores[ranked].mean()), self.mean)
        pairs = np.triu_indices(len(mean), 1)
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        variance = difference_variances(covariance)[pairs]
        wanted = (scale * by.se_of_difference[pairs]) ** 2
        known = wanted > NO_VARIANCE  # False where it is nan
        more = float(np.mean(wanted[known] / variance[known])) if known.any() else 1.0
        scaled = replace(
            self,
            mean=mean,
            precision=self.precision / more,
            design_effect=self.design_effect * more,
        )
        return scaled.knowing(by.significant, by.level)

    def knowing(self, apart: npt.NDArray[np.bool_], level: float) -> Knowledge:
        """Return the same, knowing which pairs differ, and what Holm asks of the others."""
        n_open = int((~apart[np.triu_indices(len(apart), 1)]).sum())
        return replace(self, clear=float(-ndtri((1 - level) / 2 / max(n_open, 1))), apart=apart)

    def choose(
        self,
        n_way: int,
        rng: np.random.Generator,
        times: int = 1,
        possible: npt.NDArray[np.bool_] | None = None,
    ) -> IntArray:
        """Choose the systems of one task, and count it as done, so many times.

        Where not all pairs can be judged, ``possible[K, K]`` says which.
        """
        # Systems that are alike stand in any order, and equal gains are chosen among at random.
        gain = self.gain(self.mean + 1e-9 * rng.standard_normal(len(self.mean)))
        gain = gain * (1 + 1e-9 * rng.random(gain.shape))
        if self.apart is not None and not self.apart[~np.eye(len(gain), dtype=bool)].all():
            # Two that differ stand in one task only where it has room for nothing else.
            gain = np.where(self.apart, ASIDE * gain, gain)
        if possible is not None:
            gain = np.where(possible, gain, -np.inf)
        group = list(np.unravel_index(int(gain.argmax()), gain.shape))
        while len(group) < n_way:
            added = gain[:, group].sum(axis=1)
            added[group] = -np.inf
            group.append(np.intp(added.argmax()))
        self.add(np.array(group), times)
        return np.array(group)

    def gain(self, mean: FloatArray) -> FloatArray:
        """Return what a judgment of two systems tells of the clusters; -inf of one system."""
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        variance = difference_variances(covariance)
        weight = cluster_weights(mean, variance, self.clear, self.apart) / variance
        laplacian = np.diag(weight.sum(axis=1)) - weight
        settled = difference_variances(covariance @ laplacian @ covariance)
        h = self.information
        gain = h / (1 + h * variance) * settled
        np.fill_diagonal(gain, -np.inf)
        return np.asarray(gain)

    @cached_property
    def information(self) -> FloatArray:
        """What one judgment of two systems tells of their difference (Fisher), on average:

        Σ over the outcomes of (dP/dδ)²/P, divided by the design effect.
        """
        difference, r = self.mean[:, None] - self.mean, self.model.radius
        win, tie = self.model.outcome_probabilities(difference)
        up, down = (np.exp(-((difference + x) ** 2) / 2) / np.sqrt(2 * np.pi) for x in (-r, r))
        parts = ((up, win), (down, win.T), (down - up, tie))
        learned = sum(change**2 / np.maximum(chance, 1e-12) for change, chance in parts)
        return np.asarray(learned / self.design_effect)

    def add(self, group: IntArray, times: int = 1) -> None:
        """Count all pairs of a task as judged."""
        within = np.zeros(self.precision.shape)
        within[np.ix_(group, group)] = times * self.information[np.ix_(group, group)]
        np.fill_diagonal(within, 0.0)
        self.precision = self.precision + np.diag(within.sum(axis=1)) - within


def cluster_weights(
    mean: FloatArray,
    variance: FloatArray,
    clear: float = CLEAR,
    apart: npt.NDArray[np.bool_] | None = None,
) -> FloatArray:
    """Return by how much each pair counts for the next lines, w[K, K]; the greatest is 1.

    ``variance`` are those of differences. Where all lines are drawn, all of them count alike.
    """
    squared = (mean[:, None] - mean) ** 2
    lacking = clear**2 / np.maximum(squared + GRANTED * variance, 1e-300) - 1 / variance
    if apart is not None:
        lacking = np.where(apart, np.minimum(lacking, 0), np.maximum(lacking, LEAST / variance))
    order = np.argsort(-mean, kind="stable")
    cost = line_costs(lacking[np.ix_(order, order)])
    cost = cost / (np.abs(cost).max() or 1.0)
    worth = np.where(cost > 0, np.maximum(cost, 1e-12) ** -2.0, 0.0)
    if not worth.any():
        worth = np.ones(len(cost))
    above = np.concatenate([[0.0], np.cumsum(worth)])
    between = np.empty(squared.shape)
    between[np.ix_(order, order)] = np.abs(above[:, None] - above)
    weight = between * np.exp(-np.minimum(squared / variance, 1000) / 2)
    np.fill_diagonal(weight, 0.0)
    if apart is not None and (weight * ~apart).any():
        weight = weight * ~apart
    return np.asarray(weight / weight.max())


def line_costs(lacking: FloatArray) -> FloatArray:
    """Return the most that a pair across each line lacks, ``lacking[K, K]`` being best first."""
    worst = np.maximum.accumulate(lacking, axis=0)
    worst = np.maximum.accumulate(worst[:, ::-1], axis=1)[:, ::-1]
    return np.diagonal(worst, offset=1)
