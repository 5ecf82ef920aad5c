"""Hopkins & May's categorical model: a system's ability is how often it reaches each quality level.

Every system s has an ability a_s ~ Dirichlet(αa, …, αa) over the levels 1…Λ; every output has a
level q ~ a_s, the same in all its pairs; a judge who compares two outputs sees each at a level v
with probability ∝ exp(-(v - q)² / 2σobs²), v in 1…Λ, afresh in every pair, and prefers one if what
they see differs by more than d levels; else it is a tie. Levels leave room for ties at d = 0.

By Gibbs: q given the other levels and abilities, what is seen summed out; a given q.

References: Hopkins & May 2013, *Models of Translation Competitions*, IRT-Categorical.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError, control
from analysis.kernel import kernel
from analysis.parameters import choice, number
from analysis.rankers.hopkins_may.chains import describe_chain, require_enough_draws
from analysis.rankers.hopkins_may.gibbs import Items
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Fit, Pace, Ranker, require_judgments
from analysis.rankers.resampling import ResamplingUnit, draw_observations, unit_index

RESAMPLE_ITERATIONS = 20
"""Iterations on each resample; a chain goes on from one resample to the next."""


@dataclass(frozen=True)
class HopkinsMayCategorical(Ranker):
    """HM13's IRT-Categorical; the score is the mean level minus that of all systems.

    A thousand resamples of a hundred thousand judgments take about a minute: each goes on with the
    chain of the one before for `RESAMPLE_ITERATIONS`, which makes rank ranges a little too wide.
    """

    name: ClassVar = "hopkins-may-categorical"
    title: ClassVar = "Hopkins & May, categorical"
    sentence: ClassVar = (
        "The mean quality level of a system's outputs, relative to the average system's."
    )
    citation: ClassVar = "Hopkins & May 2013"
    references: ClassVar = ("hopkins-may-2013-models",)
    score_label: ClassVar = "mean quality level, centered"
    is_relative: ClassVar = True
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    levels: int = number(8, "Number of quality levels.", low=2, high=30, step=1, symbol="Λ")
    sigma_obs: float = number(
        1.0,
        "Standard deviation of a judge's noise, in levels.",
        low=0.1,
        high=10.0,
        step=0.1,
        symbol="σobs",
    )
    alpha: float = number(
        0.5,
        "Prior weight of each level in a system's ability.",
        low=0.01,
        high=10.0,
        step=0.1,
        symbol="αa",
        advanced=True,
    )
    radius: int = number(
        0, "Two outputs tie if they differ by at most this many levels for a judge.",
        low=0, high=10, step=1, symbol="d",
    )  # fmt: skip
    iterations: int = number(
        200, (
            "Number of iterations, including the burn-in."
        ), low=20, high=50_000, step=50, symbol="it",
        advanced=True,
    )  # fmt: skip
    burn_in: int = number(
        50, "First iterations, which are discarded.", low=0, high=10_000, step=10,
        symbol="burn", advanced=True,
    )  # fmt: skip

    query: str = choice(
        "posterior",
        "How outcomes are predicted from the abilities.",
        {
            "posterior": "averaged over the uncertainty of the abilities",
            "plug-in": "with the abilities as if known exactly (HM13)",
        },
        advanced=True,
        role="prediction",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_enough_draws(self.iterations, self.burn_in)
        if self.radius > self.levels - 2:
            raise PodiumError(
                control("--radius", "Setting radius"),
                f"{self.radius} of {self.levels} levels leaves no room for wins",
                "Use at most {self.levels - 2}.",
            )

    @property
    def pace(self) -> Pace:
        return "minutes"

    def fit(self, judgments: Judgments, seed: int = 0) -> CategoricalFit:
        require_judgments(judgments)
        chain = _Chain(self, judgments, np.random.default_rng(seed))
        draws = chain.run(self.iterations)[self.burn_in :]
        scores = chain.centered_levels(draws)
        standings = self.standings(
            judgments,
            scores.mean(axis=0),
            scores.std(axis=0, ddof=1),
            (describe_chain(scores[:, chain.met]),),
        )
        return CategoricalFit(self, judgments, seed, standings, draws)

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        chain = _Chain(self, judgments, rng)
        chain.run(self.iterations)
        observations = judgments.observations
        _, first = np.unique(observations.row, return_index=True)
        index = None if unit == "none" else unit_index(judgments, unit)
        scores = np.empty((n, judgments.n_systems))
        for r in range(n):
            if index is not None:
                drawn = np.bincount(draw_observations(index, rng), minlength=len(observations))
                chain.weigh(drawn[first].astype(np.float64))
            draws = chain.run(RESAMPLE_ITERATIONS)[RESAMPLE_ITERATIONS // 4 :]
            scores[r] = chain.centered_levels(draws).mean(axis=0)
        return scores

    def outcome_tables(self) -> FloatArray:
        """Return P(loss), P(tie), P(win) of the first output by both outputs' levels: [3, Λ, Λ]."""
        level = np.arange(self.levels)
        seen = np.exp(-((level[:, None] - level) ** 2) / (2 * self.sigma_obs**2))
        seen /= seen.sum(axis=1, keepdims=True)
        gap = level[:, None] - level
        zones = np.stack([gap < -self.radius, abs(gap) <= self.radius, gap > self.radius])
        return np.einsum("pv,ovw,qw->opq", seen, zones, seen)


@dataclass(frozen=True, eq=False)
class CategoricalFit(Fit):
    """The posterior's draws[n, K, Λ] of the abilities."""

    ranker: HopkinsMayCategorical
    draws: FloatArray

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the probabilities of win and tie, averaged over the posterior's draws.

        With the plug-in query they are those of the draws' mean.

        The radius is in whole levels: it is no distance of scores, so that none is tuned.
        """
        draws = self.draws
        if self.ranker.query == "plug-in":
            draws = draws.mean(axis=0, keepdims=True)
        win, tie = (
            np.einsum("dip,pq,djq->ij", draws, table, draws, optimize=True) / len(draws)
            for table in self.ranker.outcome_tables()[[2, 1]]
        )
        return Preferences(self.judgments.systems, win, tie, self.ranker.method_signature())


class _Chain:
    """The sampler's state: abilities[K, Λ] and the items' levels, on judgments with weights."""

    def __init__(
        self, ranker: HopkinsMayCategorical, judgments: Judgments, rng: np.random.Generator
    ) -> None:
        self.alpha = ranker.alpha
        self.rng = rng
        self.items = Items.of(judgments)
        self.met = judgments.counts.compared.sum(axis=1) > 0
        tables = np.maximum(ranker.outcome_tables(), 1e-300)
        self.log_tables = np.ascontiguousarray(np.log(tables).swapaxes(1, 2))
        n_items, n_rows = len(self.items.member_start) - 1, len(judgments)
        ends = np.concatenate([self.items.first, self.items.second])
        self.order = np.argsort(ends, kind="stable")
        self.start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=n_items))])
        other = np.concatenate([self.items.second, self.items.first])[self.order]
        outcome = np.concatenate([self.items.outcome, -self.items.outcome])[self.order]
        self.all = self.start, other.astype(np.int32), outcome.astype(np.int32)
        self.start, self.other, self.outcome = self.all
        self.weight = np.ones(2 * n_rows)
        self.system_met = self.met
        self.level = np.full(n_items, ranker.levels // 2)
        self.abilities = np.full((judgments.n_systems, ranker.levels), 1 / ranker.levels)

    def weigh(self, row_weights: FloatArray) -> None:
        """Count every judgment as often as a resample drew it."""
        weight = np.tile(row_weights[self.items.row], 2)[self.order]
        start, other, outcome = self.all
        drawn = np.bincount(other, weight, minlength=len(self.level))
        kept = np.flatnonzero(weight)
        self.start = np.searchsorted(kept, start)
        self.other, self.outcome, self.weight = other[kept], outcome[kept], weight[kept]
        sizes = np.diff(self.items.member_start)
        by_system = np.bincount(
            self.items.members, np.repeat(drawn, sizes), minlength=len(self.met)
        )
        self.system_met = by_system > 0

    def run(self, iterations: int) -> FloatArray:
        """Go on for some iterations; return abilities[iterations, K, Λ]."""
        n_systems, n_levels = self.abilities.shape
        draws = np.empty((iterations, n_systems, n_levels))
        for iteration in range(iterations):
            counts = np.zeros((n_systems, n_levels))
            _draw_levels(
                self.start, self.other, self.outcome, self.weight, self.items.member_start,
                self.items.members, self.log_tables, np.log(self.abilities), self.level, counts,
                self.rng,
            )  # fmt: skip
            weights = np.maximum(self.rng.standard_gamma(self.alpha + counts), 1e-300)
            self.abilities = weights / weights.sum(axis=1, keepdims=True)
            draws[iteration] = self.abilities
        return draws

    def centered_levels(self, draws: FloatArray) -> FloatArray:
        """Return each draw's mean levels minus their mean; nan for a system without judgments."""
        mean = draws @ np.arange(1, draws.shape[-1] + 1)
        mean = np.where(self.system_met, mean, np.nan)
        return np.asarray(mean - np.nanmean(mean, axis=1, keepdims=True))


@kernel
def _draw_levels(  # type: ignore[no-untyped-def]
    start, other, outcome, weight, member_start, members, log_tables, log_abilities, level, counts,
    rng,
):  # fmt: skip
    """Draw every item's level given its neighbors'; count the levels of each system's items."""
    n_levels = log_abilities.shape[1]
    log_weight = np.empty(n_levels)
    rows = log_tables.reshape(3 * n_levels, n_levels)
    for e in range(len(level)):
        log_weight[:] = 0.0
        for m in range(member_start[e], member_start[e + 1]):
            log_weight += log_abilities[members[m]]
        for k in range(start[e], start[e + 1]):
            row, times = (outcome[k] + 1) * n_levels + level[other[k]], weight[k]
            for q in range(n_levels):
                log_weight[q] += times * rows[row, q]
        highest = log_weight.max()
        total = 0.0
        for q in range(n_levels):
            total += math.exp(log_weight[q] - highest)
            log_weight[q] = total
        drawn = rng.random() * total
        q = 0
        while q < n_levels - 1 and log_weight[q] <= drawn:
            q += 1
        level[e] = q
        for m in range(member_start[e], member_start[e + 1]):
            counts[members[m], q] += 1.0
