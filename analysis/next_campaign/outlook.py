"""What a campaign will look like when it has grown: which systems differ, how many clusters.

Systems differ significantly as everywhere. A variance has three parts, each with its own unit,
so that with n tasks, S segments and J judges instead of n₀, S₀ and J₀ it is

    V(n, S, J) = V_task n₀/n + (V_segment - V_task)⁺ S₀/S + (V_judge - V_task)⁺ J₀/J.

A future campaign is drawn so: true scores θ are drawn from their posterior (`first`), which leaves
the errors s - θ of the scores at hand; these are shared out to the three parts as variances have
it, and a part whose unit grows from n to n' becomes, the units at hand staying in,

    e(n') = (n/n') e(n) + N(0, V(n') (1 - n/n')).

How far judges differ is known badly by few of them: what is said of it will change with more tasks
of theirs (`Uncertainty.doubts_of_judges`), and with it the standard errors and their freedom. Each
draw has one of `DOUBTS` likely changes, up to `FEW_JUDGES`; without them 44% of simulated campaigns
that went on with five judges were within the 90% interval, with them 87%.

All is done along the axes in which the covariance of the scores is diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.campaign import FloatArray, IntArray, Judgments, distinct
from analysis.errors import PodiumError, UndefinedResultError
from analysis.languages import NO_PAIR
from analysis.next_campaign.shown import show
from analysis.next_campaign.truths import Contrasts, draw_truths, two_way_covariance
from analysis.parallel import Progress
from analysis.ranking.covariance import Unit
from analysis.ranking.variance import Differences, VarianceParts
from analysis.ranking.verdict import Verdict, from_mean

Counted = Literal["tasks", "votes", "ratings"]
"""What a plan counts: a vote is a task of one judgment, a rating a part of a task."""

FROM: tuple[Unit, ...] = ("task", "segment", "judge")

FEW_JUDGES = 10
"""Judges up to which draws differ in what may be found of how far judges differ."""

DOUBTS = 15
"""Values that stand for what may be found of how far judges differ."""

CELLS = 2**21
"""Draws times pairs of systems that are laid out at once."""


@dataclass(frozen=True)
class AtHand:
    """What there is of a campaign: the systems that have a rank, best first, and its size.

    ``units`` are the tasks, segments and judges that can be drawn again; ``source`` says whether
    those called segments are documents, or an arena's prompts. ``n_judgments`` counts ratings where
    these are ranked.
    """

    systems: tuple[str, ...]
    n_tasks: int
    n_judgments: int
    units: dict[Unit, int]
    source: str = "segment"
    counted: Counted = "tasks"

    @classmethod
    def of(cls, judgments: Judgments, verdict: Verdict) -> AtHand:
        ranked = [k for k in verdict.order.tolist() if verdict.rank_best[k] > 0]
        ratings = judgments.scores if verdict.uncertainty.all_compare else None
        is_arena = judgments.are_votes and judgments.pair == NO_PAIR
        return cls(
            systems=tuple(verdict.systems[k] for k in ranked),
            n_tasks=len(counted_tasks(judgments, verdict)),
            n_judgments=len(judgments) if ratings is None else len(ratings),
            units=verdict.units,
            source="prompt" if is_arena else verdict.source,
            counted="ratings" if ratings is not None
            else "votes" if judgments.are_votes else "tasks",
        )  # fmt: skip

    @property
    def judgments_per_task(self) -> float:
        return self.n_judgments / self.n_tasks

    def in_units(self, tasks: float) -> float:
        """Return so many tasks in what a plan counts: votes, ratings, else tasks."""
        return tasks * self.judgments_per_task if self.counted == "ratings" else tasks


def counted_tasks(judgments: Judgments, verdict: Verdict) -> IntArray:
    """Return the tasks that inform a verdict: of ratings all, else those that compare systems."""
    if verdict.uncertainty.all_compare:
        return np.arange(judgments.n_tasks)
    return distinct(judgments.task)


@dataclass(frozen=True)
class Limits:
    """How many segments and judges there will be at most; inf: they grow as the tasks do."""

    segments: float = math.inf
    judges: float = math.inf

    @classmethod
    def of_new(
        cls, verdict: Verdict, segments: int | None = None, judges: int | None = None
    ) -> Limits:
        """Limit the new ones that come to those at hand; None: they grow as the tasks do."""
        wanted: dict[Unit, int | None] = {"segment": segments, "judge": judges}
        most = []
        for unit, new in wanted.items():
            what = f"New {unit}s"
            if new is not None and unit in verdict.missing:
                raise PodiumError(what, verdict.missing[unit], "Leave out their number.")
            if new is not None and new < 0:
                raise PodiumError(what, f"{new} is not a number of them", "Use a number from 0.")
            most.append(math.inf if new is None else verdict.units[unit] + new)
        return cls(*most)

    def times(self, unit: Unit, at_hand: AtHand, tasks: float) -> float:
        """Return how many times as many units there are when there are ``tasks`` tasks."""
        grown = tasks / at_hand.n_tasks
        limit = {"segment": self.segments, "judge": self.judges}.get(unit, math.inf)
        return min(grown, max(limit / at_hand.units.get(unit, 1), 1.0))


PROPORTIONAL = Limits()


@dataclass(frozen=True, eq=False)
class Outlook:
    """Draws of a campaign at growing sizes; ``sizes[G]`` are tasks in all, those at hand included.

    ``share[G, D]`` is the share of system pairs that differ significantly, ``tiers[G, D]`` and
    ``clusters[G, D]`` how many there are, ``winner[G, D]`` whether one can be named, and
    ``apart[G, K, K]`` how probable it is that two systems differ; systems are those of ``at_hand``.
    ``parts`` is by how much tasks, segments and judges make the open pairs'
    differences uncertain, on average and as shares of one.
    """

    at_hand: AtHand
    level: float
    limits: Limits
    sizes: FloatArray
    share: FloatArray
    clusters: IntArray
    tiers: IntArray
    winner: npt.NDArray[np.bool_]
    apart: FloatArray
    parts: dict[Unit, float]

    def share_interval(self, certainty: float = 0.9) -> FloatArray:
        """Return the ends [2, G] of the interval that holds the share this surely."""
        tail = (1 - certainty) / 2
        return np.quantile(self.share, [tail, 1 - tail], axis=1)

    def clusters_interval(self, certainty: float = 0.9) -> FloatArray:
        """Return the ends [2, G] of the interval that holds the number of clusters this surely."""
        return _interval_of_numbers(self.clusters, certainty)

    def tiers_interval(self, certainty: float = 0.9) -> FloatArray:
        """Return the ends [2, G] of the interval that contains the number of tiers this surely."""
        return _interval_of_numbers(self.tiers, certainty)


def steps_of(drawn: IntArray, sizes: FloatArray, mark: float) -> tuple[FloatArray, FloatArray]:
    """Return sizes and numbers of a staircase: the number that a share ``mark`` of draws reaches.

    ``drawn[G, D]`` are numbers by size. Between two sizes the share grows with the logarithm of
    the size, as in `planning.needed`.

    >>> sizes, numbers = steps_of(np.array([[1, 1], [3, 3]]), np.array([10.0, 40.0]), 0.5)
    >>> sizes.tolist(), numbers.tolist()
    ([10.0, 20.0, 20.0, 20.0, 20.0, 40.0], [1.0, 1.0, 2.0, 2.0, 3.0, 3.0])
    """
    reached = np.stack([(drawn >= k).mean(axis=1) for k in range(1, int(drawn.max()) + 1)], axis=1)
    levels = (reached >= mark).sum(axis=1)
    corners = [(sizes[0], levels[0])]
    for g in range(1, len(sizes)):
        before, after = levels[g - 1], levels[g]
        for k in range(before, after):
            part = (mark - reached[g - 1, k]) / (reached[g, k] - reached[g - 1, k])
            size = sizes[g - 1] * (sizes[g] / sizes[g - 1]) ** part
            corners += [(size, k), (size, k + 1)]
        if after < before:
            corners += [(sizes[g], before), (sizes[g], after)]
    corners.append((sizes[-1], levels[-1]))
    x, y = np.array(corners, dtype=np.float64).T
    return x, y


def _interval_of_numbers(drawn: IntArray, certainty: float) -> FloatArray:
    tail = (1 - certainty) / 2
    low = np.quantile(drawn, tail, axis=1, method="lower")
    return np.stack([low, np.quantile(drawn, 1 - tail, axis=1, method="higher")])


def look_ahead(
    judgments: Judgments,
    verdict: Verdict,
    sizes: FloatArray,
    limits: Limits = PROPORTIONAL,
    *,
    draws: int = 300,
    seed: int = 0,
    progress: Progress | None = None,
) -> Outlook:
    """Draw how the campaign may look when it has ``sizes`` tasks, in rising order.

    ``verdict`` is that of the judgments at hand. New tasks are taken to be chosen as the tasks so
    far were, and to fall to new segments and judges as evenly. Each draw is one campaign that
    grows.
    """
    at_hand = AtHand.of(judgments, verdict)
    k = len(at_hand.systems)
    kept = np.array([verdict.systems.index(name) for name in at_hand.systems], dtype=np.int64)
    first, second = np.triu_indices(k, 1)
    known = _with_p(verdict, kept[first], kept[second])
    upper, lower = first[known], second[known]
    pairs = Differences(kept[first], kept[second])
    compared = Differences(kept[upper], kept[lower])
    of_pairs = verdict.uncertainty.moderated_along(pairs, verdict.scope)
    campaigns = _Campaigns.drawn(verdict, kept, draws, np.random.default_rng(seed))
    doubts = _doubts(verdict, draws)
    ahead = np.asarray(sizes, dtype=np.float64)
    share, winner = np.zeros((len(ahead), draws)), np.zeros((len(ahead), draws), dtype=bool)
    clusters, tiers = np.zeros((2, len(ahead), draws), dtype=np.int64)
    apart = np.zeros((len(ahead), k, k))
    for g, size in enumerate(ahead):
        times = {unit: limits.times(unit, at_hand, size) for unit in FROM}
        scores = campaigns.grow(times)
        more = doubts * math.sqrt(max(1 - 1 / times["task"], 0.0))
        freedom = verdict.uncertainty.freedom_one_day(compared, verdict.scope, times, more)
        for number, some in _alike(draws, len(doubts), len(first)):
            error = _error_then(of_pairs, more[number], times)[known]
            z = np.abs(scores[some][:, upper] - scores[some][:, lower]) / error
            shown = show(scores[some], z, upper, lower, verdict.level, freedom[number])
            share[g, some] = shown.significant.sum(axis=1) / len(first)
            clusters[g, some], tiers[g, some] = shown.clusters, shown.tiers
            winner[g, some] = shown.winner
            apart[g, upper, lower] += shown.significant.sum(axis=0)
        if progress is not None:
            progress(g + 1, len(ahead))
    apart = (apart + apart.transpose(0, 2, 1)) / draws
    parts = _mean_parts(of_pairs, known & ~verdict.significant[kept[first], kept[second]])
    return Outlook(
        at_hand, verdict.level, limits, ahead, share, clusters, tiers, winner, apart, parts
    )


def _with_p(verdict: Verdict, first: IntArray, second: IntArray) -> npt.NDArray[np.bool_]:
    """Return which pairs of systems have a p-value; refuse judgments that give none."""
    known = ~np.isnan(verdict.p[first, second])
    if not known.any():
        raise UndefinedResultError(
            "Outlook",
            "there is not enough data to estimate the uncertainty of the scores",
            "Forecast when there are several ranking tasks.",
        )
    return np.asarray(known)


def _doubts(verdict: Verdict, draws: int) -> FloatArray:
    """Return by how much more judges may be found to add one day; every n-th draw has one."""
    n = min(DOUBTS, draws) if verdict.units.get("judge", 0) <= FEW_JUDGES else 1
    axes, deviates = from_mean(~np.isnan(verdict.scores)), ndtri((np.arange(n) + 0.5) / n)
    return verdict.uncertainty.doubts_of_judges(axes, verdict.scope, deviates)


def _error_then(parts: VarianceParts, doubt: float, times: Mapping[Unit, float]) -> FloatArray:
    """Return the standard errors when there is more of all, and judges differ as doubted."""
    judge = np.maximum(parts.judge + doubt * parts.task, 0)
    then = replace(parts, judge=judge).variance(*(times[unit] for unit in FROM))
    return np.asarray(np.maximum(np.sqrt(then), 1e-300))


def _alike(draws: int, n_doubts: int, n_pairs: int) -> Iterator[tuple[int, IntArray]]:
    """Yield draws that have the same doubt about judges, with its number, few enough at once."""
    for number in range(n_doubts):
        alike = np.arange(number, draws, n_doubts)
        for some in np.array_split(alike, -(-len(alike) * n_pairs // CELLS)):
            yield number, some


def _mean_parts(parts: VarianceParts, wanted: npt.NDArray[np.bool_]) -> dict[Unit, float]:
    """Return the mean share of each part in the variances that are wanted."""
    shares = _shares(parts)
    return {unit: float(shares[unit][wanted].mean()) if wanted.any() else 0.0 for unit in FROM}


def _shares(parts: VarianceParts) -> dict[Unit, FloatArray]:
    """Return the share of each part in the variances; a variance of zero is the tasks' alone."""
    adding = np.stack([parts.segment, parts.judge])
    whole = np.broadcast_to(parts.variance(), adding.shape)
    shares = np.divide(adding, whole, out=np.zeros(adding.shape), where=whole > 0)
    shares /= np.maximum(shares.sum(axis=0), 1)  # rounding may leave the tasks less than nothing
    return {"task": 1 - shares.sum(axis=0), "segment": shares[0], "judge": shares[1]}


@dataclass(eq=False)
class _Campaigns:
    """Campaigns that grow, as coordinates[D, K-1]: true scores, and errors by their source."""

    contrasts: Contrasts
    truth: FloatArray
    variance: dict[Unit, FloatArray]
    errors: dict[Unit, FloatArray]
    times: dict[Unit, float]
    rng: np.random.Generator

    @classmethod
    def drawn(
        cls, verdict: Verdict, kept: IntArray, draws: int, rng: np.random.Generator
    ) -> _Campaigns:
        """Draw what the campaign at hand may be: its truth, and the errors that are left."""
        scores = verdict.scores[kept] - verdict.scores[kept].mean()
        covariance = two_way_covariance(verdict.uncertainty, verdict.scope, kept)
        contrasts = Contrasts.of(scores, covariance)
        found = draw_truths(scores, covariance, verdict.freedom, draws, rng)
        truth, scale = found.theta @ contrasts.basis, found.scale[:, None]
        axes = np.zeros((contrasts.basis.shape[1], len(verdict.systems)))
        axes[:, kept] = contrasts.basis.T
        parts = verdict.uncertainty.parts_along(axes, verdict.scope)
        left = contrasts.estimate - truth
        errors = {}
        variance = {u: contrasts.variance * share * scale for u, share in _shares(parts).items()}
        drawn = {u: rng.standard_normal(truth.shape) * np.sqrt(v) for u, v in variance.items()}
        missing = left - sum(drawn.values())
        for unit, own in variance.items():
            errors[unit] = drawn[unit] + own / (contrasts.variance * scale) * missing
        return cls(contrasts, truth, variance, errors, dict.fromkeys(FROM, 1.0), rng)

    def grow(self, times: dict[Unit, float]) -> FloatArray:
        """Add units until there are so many times those at hand; return the scores [D, K]."""
        for unit, grown in times.items():
            kept = self.times[unit] / grown
            new = np.sqrt(self.variance[unit] / grown * (1 - kept))
            drawn = self.rng.standard_normal(self.truth.shape)
            self.errors[unit] = kept * self.errors[unit] + new * drawn
            self.times[unit] = grown
        scores = (self.truth + sum(self.errors.values())) @ self.contrasts.basis.T
        return np.asarray(scores)
