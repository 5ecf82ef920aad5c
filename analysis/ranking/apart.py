"""Told apart: which differences of two scores the evidence holds for, all pairs at once.

For d_ij = s_i - s_j let V_u be its variance when units u are drawn again, S and J the numbers of
segments and judges. Segments are judged again and judges judge again, so that neither may be taken
for independent facts about systems:

    σ²_ij = max(V_segment S/(S-1) + V_judge J/(J-1) - V_task,  V_segment S/(S-1),  V_judge J/(J-1)),

with other sentences and other judges in mind, or V_task for these sentences and judges; less
V_none, a sampler's own noise; and no less than if all judgments were independent. Then

    p_ij = 2 T(-|d_ij| / σ_ij), adjusted by Holm's method over all pairs,

T Student's t with the degrees of freedom of `Uncertainty.freedom`: few judges say little of how
others would differ, and the normal distribution would be too sure. Two systems are told apart where
the adjusted p is at most α = 1 - level. All else follows: the rank range of i is [1 + systems told
better, K - systems told worse], which holds for all systems at once at the level; a line between
clusters stands where every pair across it is told apart; a score's interval is s_i ± t σ_i.

A unit that the file does not name is left out, which `Apart.missing` says: V_task stands for it.

Measured on simulated campaigns, first 250 each by Expected Wins: with the normal distribution some
of 8 equal systems were told apart in 18% of campaigns of 5 judges, in 48% where judges differ much.
Then on 600 each. By the degrees of freedom here: 7% and 8%, 5% in the standard world, 9% with ten
sentences; of systems that differ 71% of pairs are found in the standard world, 44% by 5 judges. By
the fewest units less one: 0%, 4%, 2% and 7%, but 62% and 6% found. Means have the fewest units less
one: by Satterthwaite's 9% of campaigns of 13 equal systems had a false claim where judges and
documents favor systems and 18% by domains, so 2% and 3%. A mean's own interval held 91% to 93% of
scores by that rule where judges' work is uneven, 94% to 96% by units as if all had done as much,
which for differences would find 23% where 43% are found. `tests.audit` has the rows.

References: Cameron, Gelbach & Miller 2011, *Robust Inference with Multiway Clustering*; Holm 1979,
*A Simple Sequentially Rejective Multiple Test Procedure*; Satterthwaite 1946, *An Approximate
Distribution of Estimates of Variance Components*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from analysis.campaign import UNNAMED_JUDGE, FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.rankers.draws import ResamplingUnit, n_units
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import Fit
from analysis.rankers.standings import best_first
from analysis.ranking.covariance import (
    UNITS,
    Unit,
    UnitCovariance,
    covariances,
    numbers_of_units,
)
from analysis.ranking.replicates import Replicates, replicate

BoolArray = npt.NDArray[np.bool_]

NOWHERE = Provenance()

ReplicatesOf = Callable[[ResamplingUnit], Replicates]
"""Gives a method's scores on resamples of a unit."""

Target = Literal["others", "these"]
TARGETS: dict[Target, str] = {
    "others": "other sentences and other judges of this kind",
    "these": "these sentences and these judges",
}

RUNS = 1000
"""Resamples of each unit, for methods whose covariance has no closed form."""


FEW_DECIDED = 30
"""Decided judgments under which a pair may rest on one of them."""

ROUNDING = 1 / 12
"""Variance of a score that is a place: what was rounded to a whole number is lost in it."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Directions [N] along which the score of ``first`` and that of ``second`` differ.

    Written out they would be N rows of K numbers, nearly all of them zero.
    """

    first: IntArray
    second: IntArray


@dataclass(frozen=True, eq=False)
class VarianceParts:
    """A variance by its sources: tasks, and what segments and judges add by being drawn again.

    ``few`` and ``least`` are those of `Uncertainty`.
    """

    task: FloatArray
    segment: FloatArray
    judge: FloatArray
    few: FloatArray
    least: FloatArray

    def variance(self, tasks: float = 1, segments: float = 1, judges: float = 1) -> FloatArray:
        """Return the whole of it with so many times the tasks, segments and judges.

        What the number of judgments decides shrinks with the tasks.
        """
        drawn = self.task / tasks + self.segment / segments + self.judge / judges
        return np.asarray(np.maximum(drawn + self.few / tasks, self.least / tasks))


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How scores would vary: one covariance a unit, in the scores' own frame.

    ``none[K, K]`` is that of the method's own noise, ``few`` what derivatives miss where pairs have
    few judgments or scores are places, ``least`` what independent judgments would leave: see
    `Influence`. ``units`` has only the units that can be drawn again, and ``missing`` says why
    others cannot. ``all_compare`` says that scores compare without a chain of judgments, as means
    do.
    """

    units: dict[Unit, UnitCovariance]
    missing: dict[Unit, str]
    none: FloatArray
    few: FloatArray
    least: FloatArray
    how: str
    bounds: tuple[float, float] = (-np.inf, np.inf)
    all_compare: bool = False

    def along(self, directions: FloatArray | Differences, target: Target = "others") -> FloatArray:
        """Return σ² of ``directions[..., K] @ scores``; nan where no unit can be drawn again."""
        return self.parts_along(directions, target).variance()

    def parts_along(
        self, directions: FloatArray | Differences, target: Target = "others"
    ) -> VarianceParts:
        """Return σ² of ``directions[..., K] @ scores`` by what it comes from."""

        drawn = self._drawn(directions, target)
        nothing = np.zeros_like(_variance(directions, self.none))
        if not drawn:
            unknown = np.full(nothing.shape, np.nan)
            return VarianceParts(unknown, nothing, nothing, nothing, nothing)
        by_task, by_segment, by_judge = (drawn[unit] for unit in UNITS)
        # The sum of the three is max(segment + judge - task, segment, judge).
        return VarianceParts(
            task=np.minimum(by_task, np.maximum(by_segment, by_judge)),
            segment=np.maximum(by_segment - by_task, 0),
            judge=np.maximum(by_judge - by_task, 0),
            few=_variance(directions, self.few),
            least=_variance(directions, self.least),
        )

    def _drawn(
        self, directions: FloatArray | Differences, target: Target
    ) -> dict[Unit, FloatArray]:
        """Return the variance when each unit is drawn again, by tasks where it cannot be."""
        noise = _variance(directions, self.none)
        drawn = {
            unit: np.maximum(_variance(directions, covariance.matrix) - noise, 0)
            for unit, covariance in self.units.items()
        }
        if not drawn:
            return {}
        for unit in UNITS[1:]:
            if target == "others" and unit in drawn:
                drawn[unit] *= self.units[unit].n / (self.units[unit].n - 1)
            else:
                drawn[unit] = drawn["task"]
        return drawn

    def freedom(self, directions: FloatArray, target: Target = "others") -> float:
        """Return the degrees of freedom of σ² along ``directions``, for Student's t.

        Satterthwaite's: 1/ν = Σ_u w_u²/(n_u - 1), w_task the share of the tasks in σ², w_segment
        and w_judge what segments and judges add to it by being drawn again, over all directions
        together: what five judges add is known badly, and the more of σ² it is, the more so.
        n_u counts units as if all had done as much (`UnitCovariance.alike`). Of means, segments
        alone hold little of σ², so that nothing bears what judges are known by too badly: there it
        is the fewest units less one, for what a score is itself those as if all had done as much.
        Judges' lenience falls out of differences only: a score moves with each judge's share.
        """
        return float(self.freedom_one_day(directions, target, {}, np.zeros(1))[0])

    def freedom_one_day(
        self,
        directions: FloatArray,
        target: Target,
        times: Mapping[Unit, float],
        doubts: FloatArray,
    ) -> FloatArray:
        """Return the `freedom` when there are so many ``times`` as many units.

        Each of the ``doubts`` is by how much more judges may be found to add then, as a share of
        what tasks add now.
        """
        drawn = self._drawn(directions, target)
        endless = np.full(len(doubts), np.inf)
        if not drawn:
            return endless
        grown = {unit: times.get(unit, 1.0) for unit in UNITS}
        if self.all_compare:
            counted: Iterable[Unit] = self.units if target == "others" else ("task",)
            if np.allclose(directions.sum(axis=-1), 0):
                least = min(self.units[unit].n * grown[unit] for unit in counted) - 1.0
            else:
                least = min(self.units[unit].freedom for unit in counted)
            return np.full(len(doubts), least)
        task = float(drawn["task"].sum())
        added = {unit: max(float(drawn[unit].sum()) - task, 0.0) for unit in UNITS[1:]}
        parts: dict[Unit, FloatArray] = {
            "task": np.full(len(doubts), task / grown["task"]),
            "segment": np.full(len(doubts), added["segment"] / grown["segment"]),
            "judge": np.maximum(added["judge"] + doubts * task, 0) / grown["judge"],
        }
        whole = sum(parts.values())
        rough = sum(
            np.divide(part, whole, out=np.zeros(len(doubts)), where=whole > 0) ** 2
            / (self.units[unit].freedom + self.units[unit].n * (grown[unit] - 1))
            for unit, part in parts.items()
            if unit in self.units
        )
        return np.divide(1, rough, out=endless, where=rough > 0)

    def doubts_of_judges(
        self, directions: FloatArray, target: Target, deviates: FloatArray
    ) -> FloatArray:
        """Return by how much more judges may be found to add one day, for standard ``deviates``.

        As shares of what tasks add now. V_judge is a sum of squares of J - 1 degrees of freedom in
        each independent direction, and of the same judges the part that tasks have in it changes.
        """
        drawn = self._drawn(directions, target)
        task = float(drawn["task"].sum()) if drawn else 0.0
        if task <= 0 or target != "others" or "judge" not in self.units:
            return np.zeros(1)
        added = float(drawn["judge"].sum()) / task - 1
        freedom = self.units["judge"].freedom * max(len(directions) - 1, 1)
        deviation = np.sqrt((2 + 4 * max(added, 0.0)) / freedom)
        return np.asarray(np.maximum(added + deviation * deviates, 0) - max(added, 0.0))

    def of_differences(self, target: Target = "others") -> FloatArray:
        """Return σ²[K, K] of the difference of any two scores."""
        k = len(self.none)
        first, second = np.triu_indices(k, 1)
        squares = np.zeros((k, k))
        squares[first, second] = squares[second, first] = self.along(
            Differences(first, second), target
        )
        return squares


def _variance(directions: FloatArray | Differences, matrix: FloatArray) -> FloatArray:
    if isinstance(directions, Differences):
        i, j = directions.first, directions.second
        return np.asarray((matrix[i, i] - matrix[j, i]) - (matrix[i, j] - matrix[j, j]))
    return np.einsum("...i,...i->...", directions @ matrix, directions)


@dataclass(frozen=True, eq=False)
class Apart:
    """What the evidence tells apart, in the order of ``systems``.

    ``freedom`` are the degrees of freedom of differences, ``freedom_of_scores`` those of scores.
    ``sd_of_difference``, ``p`` and ``adjusted_p`` are [K, K]; nan where two systems cannot be
    compared. ``low`` and ``high`` are the ends of the rank range (1 is best; 0: no rank).
    ``clusters`` begin with 1, the best. ``units`` says how many tasks, segments and judges there
    are, ``missing`` why some of them do not count.
    """

    systems: tuple[str, ...]
    level: float
    target: Target
    scores: FloatArray
    sd: FloatArray
    sd_of_difference: FloatArray
    freedom: float
    freedom_of_scores: float
    p: FloatArray
    adjusted_p: FloatArray
    apart: BoolArray
    low: IntArray
    high: IntArray
    clusters: IntArray
    score_low: FloatArray
    score_high: FloatArray
    units: dict[Unit, int]
    missing: dict[Unit, str]
    how: str
    provenance: Provenance
    uncertainty: Uncertainty = field(repr=False)

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return best_first(self.scores)

    @property
    def n_clusters(self) -> int:
        return int(self.clusters.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system, best first; a missing rank is <NA>."""
        frame = pd.DataFrame(
            {
                "system": self.systems,
                "score": self.scores,
                "sd": self.sd,
                "score_low": self.score_low,
                "score_high": self.score_high,
                "rank_low": pd.array(self.low, dtype="Int64"),
                "rank_high": pd.array(self.high, dtype="Int64"),
                "cluster": pd.array(self.clusters, dtype="Int64"),
            }
        )
        frame.loc[self.low == 0, ["rank_low", "rank_high", "cluster"]] = pd.NA
        return frame.iloc[self.order].reset_index(drop=True)

    def pairs_frame(self) -> pd.DataFrame:
        """Return one row per pair of systems that compare, the better one first."""
        order = self.order
        a, b = (order[side] for side in np.triu_indices(len(order), 1))
        known = ~np.isnan(self.p[a, b])
        a, b = a[known], b[known]
        return pd.DataFrame(
            {
                "a": [self.systems[k] for k in a],
                "b": [self.systems[k] for k in b],
                "difference": self.scores[a] - self.scores[b],
                "sd": self.sd_of_difference[a, b],
                "p": self.p[a, b],
                "adjusted_p": self.adjusted_p[a, b],
                "apart": self.apart[a, b],
            }
        )


def apart(
    fit: Fit,
    *,
    level: float = 0.95,
    target: Target = "others",
    runs: int = RUNS,
    executor: Executor | None = None,
    progress: Progress | None = None,
    replicates_of: ReplicatesOf | None = None,
) -> Apart:
    """Say which systems the judgments tell apart under a method that was fitted to them.

    Where the method's scores have no derivative, ``runs`` resamples are made of each unit, or
    ``replicates_of`` gives what was made of them before.
    """
    if replicates_of is None:
        replicates_of = resampling(fit, runs=runs, executor=executor, progress=progress)
    uncertainty = uncertainty_of(fit, replicates_of)
    made = Provenance(extra=(("apart", target), ("variance", uncertainty.how)), level=level)
    if uncertainty.how == "resampled":
        made |= Provenance(runs=runs, seed=fit.seed)
    provenance = fit.ranker.provenance | made | fit.judgments.provenance
    return tell_apart(fit.judgments, fit.standings.scores, uncertainty, level, target, provenance)


def tell_apart(
    judgments: Judgments,
    scores: FloatArray,
    uncertainty: Uncertainty,
    level: float = 0.95,
    target: Target = "others",
    provenance: Provenance = NOWHERE,
) -> Apart:
    """Draw the conclusions from scores and how they vary."""
    if not 0 < level < 1:
        raise PodiumError("Level", f"{level:g} is not between 0 and 1", "Give .95 for 95%.")
    if target not in TARGETS:
        raise PodiumError("Target", f"{target!r} is not known", f"Choose {' or '.join(TARGETS)}.")
    sd_of_difference = np.sqrt(uncertainty.of_differences(target))
    known = ~np.isnan(scores)
    compare = known[:, None] & known if uncertainty.all_compare else comparable(judgments, scores)
    sd_of_difference[~compare] = np.nan
    freedom = uncertainty.freedom(from_mean(known), target)
    p = p_values(scores, sd_of_difference, freedom)
    adjusted = holm(p)
    told = adjusted <= 1 - level + 1e-12
    ranked = ~np.isnan(scores)
    better, worse = _told_better_and_worse(scores, told)
    sd = np.sqrt(uncertainty.along(np.eye(len(scores)), target))
    sd[~ranked] = np.nan
    freedom_of_scores = uncertainty.freedom(np.eye(len(scores))[ranked], target)
    t = quantile((1 + level) / 2, freedom_of_scores)
    return Apart(
        systems=judgments.systems,
        level=level,
        target=target,
        scores=scores,
        sd=sd,
        sd_of_difference=sd_of_difference,
        freedom=freedom,
        freedom_of_scores=freedom_of_scores,
        p=p,
        adjusted_p=adjusted,
        apart=told,
        low=np.where(ranked, 1 + better, 0),
        high=np.where(ranked, ranked.sum() - worse, 0),
        clusters=clusters_between(scores, told),
        score_low=np.maximum(scores - t * sd, uncertainty.bounds[0]),
        score_high=np.minimum(scores + t * sd, uncertainty.bounds[1]),
        units={unit: covariance.n for unit, covariance in uncertainty.units.items()},
        missing=uncertainty.missing,
        how=uncertainty.how,
        provenance=provenance,
        uncertainty=uncertainty,
    )


def heavy_pairs(fit: Fit, result: Apart) -> pd.DataFrame:
    """Return the pairs of which one judgment alone says much, the heaviest first.

    Where each pair counts for itself, as in Expected Wins, a pair with few decided judgments
    weighs as much as one with many. Columns: ``a``, ``b``, the number of ``decided`` judgments
    (under `FEW_DECIDED`), and ``moves``: how far one of them turned round moves the score of a,
    at least half its standard deviation.
    """
    judgments, influence = fit.judgments, fit.influence()
    columns = ["a", "b", "decided", "moves"]
    if influence is None or influence.by_share is None:
        return pd.DataFrame(columns=columns)
    decided = judgments.counts.wins + judgments.counts.losses
    scarce = (decided > 0) & (decided < FEW_DECIDED)
    own = 1.0 if influence.mixing is None else np.diag(influence.mixing)[:, None]
    moves = np.where(scarce, own * influence.by_share / np.maximum(decided, 1), 0.0)
    first, second = np.nonzero(scarce & (moves >= result.sd[:, None] / 2))
    rows = [
        (judgments.systems[i], judgments.systems[j], int(decided[i, j]), float(moves[i, j]))
        for i, j in zip(first, second, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("moves", ascending=False, kind="stable", ignore_index=True)


def from_mean(known: BoolArray) -> FloatArray:
    """Return the directions [N, K] in which the N known scores stand off from their mean."""
    return (np.eye(len(known)) - known / max(int(known.sum()), 1))[known]


def quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's t, the normal one where the freedom has no end.

    >>> [round(quantile(.975, freedom), 3) for freedom in (4, np.inf)]
    [2.776, 1.96]
    """
    return float(stdtrit(freedom, share) if np.isfinite(freedom) else ndtri(share))


def p_values(
    scores: FloatArray, sd_of_difference: FloatArray, freedom: float = np.inf
) -> FloatArray:
    """Return 2Φ(-|d| / σ); 1 where two scores are equal, nan where σ is not known.

    Where σ rests on few degrees of freedom, Student's t stands for the normal distribution.
    """
    distance = np.abs(scores[:, None] - scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(distance == 0, 0.0, distance / sd_of_difference)
    p = 2 * (stdtr(freedom, -z) if np.isfinite(freedom) else ndtr(-z))
    p[np.isnan(sd_of_difference)] = np.nan
    np.fill_diagonal(p, np.nan)
    return np.asarray(p)


def holm(p: FloatArray) -> FloatArray:
    """Return the adjusted p-values of all pairs: the k-th smallest of m times m - k + 1, rising.

    >>> p = np.array([[np.nan, .01, .04], [.01, np.nan, .03], [.04, .03, np.nan]])
    >>> holm(p)[np.triu_indices(3, 1)].round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    first, second = np.triu_indices(len(p), 1)
    known = ~np.isnan(p[first, second])
    first, second = first[known], second[known]
    values = p[first, second]
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.full(p.shape, np.nan)
    rising = np.empty(len(values))
    rising[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    adjusted[first, second] = adjusted[second, first] = rising
    return adjusted


def clusters_between(scores: FloatArray, told: BoolArray) -> IntArray:
    """Return each system's cluster: a line stands where every pair across it is told apart.

    >>> told = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    >>> clusters_between(np.array([.6, .5, .2]), told).tolist()
    [1, 1, 2]
    """
    clusters = np.zeros(len(scores), dtype=np.int64)
    order = best_first(scores)[: int((~np.isnan(scores)).sum())]
    cluster = 1
    for place, system in enumerate(order):
        if place and told[np.ix_(order[:place], order[place:])].all():
            cluster += 1
        clusters[system] = cluster
    return clusters


def comparable(judgments: Judgments, scores: FloatArray) -> BoolArray:
    """Return which two systems compare: both have scores, and a chain of judgments joins them."""
    _, group = connected_components(judgments.counts.compared > 0, directed=False)
    known = ~np.isnan(scores)
    return np.asarray((group[:, None] == group) & known[:, None] & known)


def _told_better_and_worse(scores: FloatArray, told: BoolArray) -> tuple[IntArray, IntArray]:
    """Count, for each system, those told better and those told worse."""
    above = np.nan_to_num(scores)[None, :] > np.nan_to_num(scores)[:, None]
    return (told & above).sum(axis=1), (told & above.T).sum(axis=1)


def uncertainty_of(fit: Fit, replicates_of: ReplicatesOf | None = None) -> Uncertainty:
    """Return how the scores of a fit would vary: in closed form, or else over replicates.

    ``replicates_of`` gives a method's replicates by unit; None: `RUNS` are made here.
    """
    influence = fit.influence()
    if influence is not None:
        return closed_form(fit.judgments, influence, fit.standings.scores)
    return _of_replicates(fit.judgments, replicates_of or resampling(fit))


def resampling(
    fit: Fit,
    *,
    runs: int = RUNS,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ReplicatesOf:
    """Return what makes a method's replicates by unit; progress counts all units' runs."""

    def replicates_of(unit: ResamplingUnit) -> Replicates:
        if runs < 2:
            raise PodiumError("Runs", f"{runs} is too few", "Give 2 or more; 1000 is usual.")
        units = units_to_resample(fit.judgments)

        def report(done: int, _: int) -> None:
            if progress is not None:
                progress(units.index(unit) * runs + done, runs * len(units))

        return replicate(
            fit, runs=runs, unit=unit, seed=fit.seed, executor=executor, progress=report
        )

    return replicates_of


def units_to_resample(judgments: Judgments) -> list[ResamplingUnit]:
    """Return the units of which there are several, and none for the method's own noise."""
    return [*(unit for unit in UNITS if n_units(judgments, unit) > 1), "none"]


def closed_form(judgments: Judgments, influence: Influence, scores: FloatArray) -> Uncertainty:
    """Return the covariances by derivatives, put on the scale of the fit where it is another."""
    factor = scale_of(scores, influence.scores) ** 2
    found = {
        unit: replace(covariance, matrix=factor * covariance.matrix)
        for unit, covariance in covariances(judgments, influence).items()
    }
    nothing = np.zeros((influence.n_systems, influence.n_systems))
    uncertainty = _uncertainty(
        judgments,
        found,
        none=nothing,
        few=nothing if influence.few is None else factor * influence.few,
        least=factor * influence.least,
        how="closed form",
        bounds=influence.bounds,
    )
    return replace(uncertainty, all_compare=influence.scored is not None)


def _of_replicates(judgments: Judgments, replicates_of: ReplicatesOf) -> Uncertainty:
    """Return the covariances over replicates, those of the method's own noise among them."""
    *units, _ = units_to_resample(judgments)
    drawn = {unit: replicates_of(unit).scores for unit in UNITS if unit in units}
    again = replicates_of("none").scores
    found = {
        unit: UnitCovariance(covariance_of_runs(scores), *numbers_of_units(judgments, unit))
        for unit, scores in drawn.items()
    }
    rounded = all(is_whole(scores) for scores in (again, *drawn.values()))
    k = judgments.n_systems
    return _uncertainty(
        judgments,
        found,
        none=covariance_of_runs(again),
        few=ROUNDING * np.eye(k) if rounded else np.zeros((k, k)),
        least=np.zeros((k, k)),
        how="resampled",
    )


def is_whole(scores: FloatArray) -> bool:
    """Return whether all scores are whole numbers, as places are."""
    known = scores[~np.isnan(scores)]
    return bool((known == np.round(known)).all())


def covariance_of_runs(scores: FloatArray) -> FloatArray:
    """Return the covariance of scores[R, K]; a score that a run lacks is left out of its pairs."""
    known = ~np.isnan(scores)
    count = known.T.astype(np.float64) @ known
    mean = np.where(known, scores, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    centered = np.where(known, scores - mean, 0)
    return np.asarray(centered.T @ centered / np.maximum(count - 1, 1))


def _uncertainty(
    judgments: Judgments,
    found: dict[Unit, UnitCovariance],
    none: FloatArray,
    few: FloatArray,
    least: FloatArray,
    how: str,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Uncertainty:
    """Keep the units that can be drawn again, and say of the others why not."""
    units = {unit: covariance for unit, covariance in found.items() if covariance.n > 1}
    missing = {unit: _why_missing(judgments, unit) for unit in UNITS if unit not in units}
    if "task" in missing:
        units = {}
    return Uncertainty(units, missing, none, few, least, how, bounds)


def _why_missing(judgments: Judgments, unit: Unit) -> str:
    if unit == "judge":
        judge = judgments.judges[int(judgments.task_judge[0])]
        return "The file names no judges." if judge == UNNAMED_JUDGE else "One judge judged all."
    if unit == "segment":
        return "All judgments are of one segment, or the file names no segments."
    return "There is one ranking task only."


def scale_of(own: FloatArray, base: FloatArray) -> float:
    """Return the least-squares scale of one fit's scores on another's, never negative."""
    known = ~(np.isnan(own) | np.isnan(base))
    if not known.any():
        return 1.0
    x, y = base[known] - base[known].mean(), own[known] - own[known].mean()
    squares = float(x @ x)
    return max(float(x @ y) / squares, 0.0) if squares else 1.0


__all__ = ["RUNS", "TARGETS", "Apart", "Target", "Uncertainty", "apart", "tell_apart"]
