"""What is known of the systems' abilities, and which comparison brings the next cluster boundary.

Abilities are N(m, Σ), a pair's difference known up to s_kl² = Var(θ_k - θ_l). A boundary can be
drawn below the i-th best system once all pairs across it are clear, |θ_k - θ_l| ≥ z s_kl. What the
hardest of them lacks is what the boundary costs, in information:

    c_i = max over k ≤ i < l of  z² / (θ_k - θ_l)² - 1 / s_kl².

How far the systems truly differ is not known, so that each task is chosen for one draw of θ from
N(m, Σ) (Thompson sampling): a boundary gets tasks as often as it is likely to be the cheapest, and
systems that may be the best as often as they may be. Pairs count if they are not clear and lie
across boundaries that cost little:

    w_kl = exp(-(θ_k - θ_l)² / 2 s_kl²) Σ over i between k and l, not drawn yet, of c_i⁻².

If a batch is for one boundary alone, that of the best ``top`` systems (1: the winner), only this
one counts until it is drawn. If it is known which pairs differ significantly, just these are
clear, and not asked for; the abilities are the chosen method's scores on this scale, z and s_kl
those of the definition.

An answer about i and j of information h lowers Σ w log s², to first order, by

    h / (1 + h s_ij²) · (e_i - e_j)ᵀ Σ L Σ (e_i - e_j),  L the Laplacian of w_kl / s_kl².
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.next_campaign.evidence import NO_VARIANCE, difference_variances
from analysis.next_campaign.truths import draw_truths
from analysis.rankers.preferences import OrderedProbit
from analysis.ranking.fit_uncertainty import scale_of
from analysis.ranking.verdict import Verdict

CLEAR = 2.1
"""Standard errors of a clear difference: 1.96, and some, as several pairs must be clear at once."""

FUTURES, STEPS, MANY = 200, 20, 40
"""Drawn truths, of which half are to show the next boundary; steps in which so many tasks grow to
e times as many; and systems above which there are fewer of both."""

LEAST = 0.05
"""What a pair that is not separated lacks at least, in parts of the information at hand."""

ASIDE = 1e-6
"""What a judgment of two systems that differ significantly counts for when tasks are chosen."""


@dataclass(eq=False)
class Knowledge:
    """Abilities' mean and precision, which grows by answers that are still to come.

    A judgment counts by the design effect's inverse: pairs of a task are not independent. Pairs are
    clear at ``clear`` standard errors or, if that is known, if they are ``apart``. ``top`` names
    the only boundary that counts; 0: all of them.
    """

    model: OrderedProbit
    mean: FloatArray
    precision: FloatArray
    design_effect: float
    clear: float = CLEAR
    apart: npt.NDArray[np.bool_] | None = None
    top: int = 0

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
        # A winner is named by tests at the full error, a boundary by Holm's over all that are open.
        places = 1 if self.top == 1 else max(int(ranked.sum()) - by.n_clusters, 1)
        error = (1 - by.level) / places
        return scaled.knowing(by.significant | (by.p <= error), error)

    def knowing(self, apart: npt.NDArray[np.bool_], error: float) -> Knowledge:
        """Return the same, knowing which pairs are clear, and at which error the others will be."""
        return replace(self, clear=float(-ndtri(error / 2)), apart=apart)

    def without(self, pairs: npt.NDArray[np.bool_]) -> Knowledge:
        """Return the same, not asking for these pairs, which no boundary needs."""
        if not pairs.any():
            return self
        return replace(self, apart=pairs if self.apart is None else self.apart | pairs)

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
        root = np.linalg.cholesky(np.linalg.inv(self.precision))
        gain = self.gain(self.mean + root @ rng.standard_normal(len(self.mean)))
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

    def needed(self, n_way: int, most: float, rng: np.random.Generator) -> float:
        """Return how many tasks, as likely as not, draw the next boundary; inf: more than ``most``.

        Truths are drawn as for a plan (`draw_truths`), and tasks chosen as for a batch, the more at
        a time the more there are. After answers of precision D the estimates are
        Λ⁻¹ (Λ₀ m + D θ + noise).
        """
        k = len(self.mean)
        futures, steps = (FUTURES, STEPS) if k <= MANY else (FUTURES // 10, STEPS // 4)
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        centered = self.mean - self.mean.mean()
        truth = draw_truths(centered, covariance, math.inf, futures, rng).theta + self.mean.mean()
        now, ahead, tasks = self._n_drawn(self.mean[None])[0], replace(self), 0
        pull = np.tile(self.precision @ self.mean, (futures, 1))
        if now == (1 if self.top else k - 1):
            return 0.0
        while tasks < most:
            times = max(tasks // steps, 1)
            before, group = ahead.precision, ahead.choose(n_way, rng, times)
            pull += truth @ (ahead.precision - before)
            for i, j in itertools.combinations(group.tolist(), 2):
                noise = math.sqrt(times * self.information[i, j]) * rng.standard_normal(futures)
                pull[:, i] += noise
                pull[:, j] -= noise
            tasks += times
            if np.median(ahead._n_drawn(pull @ np.linalg.inv(ahead.precision))) > now:
                return float(tasks)
        return math.inf

    def _n_drawn(self, means: FloatArray) -> IntArray:
        """Return how many boundaries are drawn, or if that of the ``top`` is, for means[D, K]."""
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        error = np.sqrt(difference_variances(covariance))
        order = np.argsort(-means, axis=1)
        ranked = np.take_along_axis(means, order, axis=1)
        beyond = ranked[:, :, None] - ranked[:, None]
        beyond -= self.clear * error[order[:, :, None], order[:, None]]
        if self.apart is not None:
            beyond[self.apart[order[:, :, None], order[:, None]]] = np.inf
        drawn = line_costs(-beyond) <= 0
        return drawn[:, self.top - 1].astype(np.int64) if self.top else drawn.sum(axis=1)

    def gain(self, mean: FloatArray) -> FloatArray:
        """Return what a judgment of two systems tells of the clusters; -inf of one system."""
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        variance = difference_variances(covariance)
        weight = cluster_weights(mean, variance, self.clear, self.apart, self.top) / variance
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
    top: int = 0,
) -> FloatArray:
    """Return by how much each pair counts for the next boundaries, w[K, K]; the greatest is 1.

    ``variance`` are those of differences. If all boundaries are drawn, all of them count alike; if
    that below the best ``top`` is, so do the others.
    """
    squared = (mean[:, None] - mean) ** 2
    lacking = clear**2 / np.maximum(squared, 1e-12 * variance) - 1 / variance
    if apart is not None:
        lacking = np.where(apart, np.minimum(lacking, 0), np.maximum(lacking, LEAST / variance))
    order = np.argsort(-mean, kind="stable")
    cost = line_costs(lacking[np.ix_(order, order)])
    cost = cost / (np.abs(cost).max() or 1.0)
    worth = np.where(cost > 0, np.maximum(cost, 1e-12) ** -2.0, 0.0)
    if top and worth[top - 1] > 0:
        worth[np.arange(len(worth)) != top - 1] = 0
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
    """Return the most that a pair across each line lacks, ``lacking[..., K, K]``, best first."""
    worst = np.maximum.accumulate(lacking, axis=-2)
    worst = np.maximum.accumulate(worst[..., ::-1], axis=-1)[..., ::-1]
    return np.diagonal(worst, offset=1, axis1=-2, axis2=-1)
