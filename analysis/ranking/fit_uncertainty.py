"""How the scores of one fit vary: in closed form if they have derivatives, else by resampling.

Also the distances of scores from their mean in several parts of a campaign, on one scale.

With six judgments a pair, the derivative of a share says too little of what a judgment does to it.
There the scores s₋g are fitted without each group g, and

    C_u = (1 - 1/G) Σ_g (Δ_g - Δ̄)(Δ_g - Δ̄)ᵀ,   Δ_g = s - s₋g:

the delete-a-group jackknife. An opponent of whom no decided judgment is left drops out of the mean.

Reference: Efron & Stein 1981, *The Jackknife Estimate of Variance*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, FloatArray, Judgments
from analysis.errors import PodiumError, control
from analysis.kernel import kernel
from analysis.parallel import Progress
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import Fit
from analysis.rankers.resampling import ResamplingUnit, n_units
from analysis.ranking.certainty import Replicates, replicate
from analysis.ranking.covariance import (
    UNITS,
    Unit,
    UnitCovariance,
    covariances,
    drawn_unit,
    number_alike,
    numbers_of_units,
    start_of_tasks,
    tasks_by_group,
)
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import Scope, as_if_equal

ReplicatesOf = Callable[[ResamplingUnit], Replicates]
"""Gives a method's scores on resamples of a unit."""

RUNS = 1000
"""Resamples of each unit, for methods whose covariance has no closed form."""

ROUNDING = 1 / 12
"""Variance of a score that is a place: what was rounded to a whole number is lost in it."""


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
            raise PodiumError(
                control("--resamples", "Resamples"),
                f"{runs} is too few",
                "Give 2 or more; 1000 is usual.",
            )
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
    drawn = (drawn_unit(judgments, unit) for unit in UNITS)
    return [*(unit for unit in drawn if n_units(judgments, unit) > 1), "none"]


def closed_form(judgments: Judgments, influence: Influence, scores: FloatArray) -> Uncertainty:
    """Return the covariances by derivatives, put on the scale of the fit where it is another."""
    left_out = influence.averages_shares and is_thin(judgments)
    by_unit = covariances_left_out if left_out else partial(covariances, influence=influence)
    factor = scale_of(scores, influence.scores) ** 2
    found = {
        unit: replace(covariance, matrix=factor * covariance.matrix)
        for unit, covariance in by_unit(judgments).items()
    }
    nothing = np.zeros((influence.n_systems, influence.n_systems))
    uncertainty = _uncertainty(
        judgments,
        found,
        none=nothing,
        few=nothing if left_out or influence.few is None else factor * influence.few,
        least=factor * influence.least,
        how="closed form",
        bounds=influence.bounds,
    )
    if influence.scored is not None:
        return replace(uncertainty, all_compare=True)
    if influence.bounds != (0.0, 1.0):
        return uncertainty
    return replace(uncertainty, if_equal=as_if_equal(scores, judgments.counts.decided.sum(axis=1)))


def _of_replicates(judgments: Judgments, replicates_of: ReplicatesOf) -> Uncertainty:
    """Return the covariances over replicates, those of the method's own noise among them."""
    *units, _ = units_to_resample(judgments)
    as_drawn = {unit: drawn_unit(judgments, unit) for unit in UNITS}
    drawn = {unit: replicates_of(own).scores for unit, own in as_drawn.items() if own in units}
    again = replicates_of("none").scores
    found = {
        unit: UnitCovariance(covariance_of_runs(scores), *numbers_of_units(judgments, unit))
        for unit, scores in drawn.items()
    }
    failed = sum(int(np.isnan(scores).all(axis=1).sum()) for scores in drawn.values())
    rounded = all(is_whole(scores) for scores in (again, *drawn.values()))
    k = judgments.n_systems
    return _uncertainty(
        judgments,
        found,
        none=covariance_of_runs(again),
        few=ROUNDING * np.eye(k) if rounded else np.zeros((k, k)),
        least=np.zeros((k, k)),
        how=f"resampled, {failed} without a result" if failed else "resampled",
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
    source = judgments.source_unit
    return Uncertainty(units, missing, none, few, least, how, bounds, source=source)


def _why_missing(judgments: Judgments, unit: Unit) -> str:
    if unit == "judge":
        judge = judgments.judges[int(judgments.task_judge[0])]
        if judge == UNNAMED_JUDGE:
            return "The file names no judges."
        return "All judgments carry one judge name."
    if unit == "segment":
        return "All judgments are of one segment, or the file names no segments."
    return "There is only one ranking task."


def scale_of(own: FloatArray, base: FloatArray) -> float:
    """Return the least-squares scale of one fit's scores on another's, never negative."""
    known = ~(np.isnan(own) | np.isnan(base))
    if not known.any():
        return 1.0
    x, y = base[known] - base[known].mean(), own[known] - own[known].mean()
    squares = float(x @ x)
    return max(float(x @ y) / squares, 0.0) if squares else 1.0


def systems_of_all(fits: Sequence[Fit]) -> set[str]:
    """Return the systems that have a score in every part."""
    scored = [zip(fit.standings.systems, fit.standings.scores, strict=True) for fit in fits]
    return set.intersection(*({s for s, score in part if np.isfinite(score)} for part in scored))


def distances_from_the_mean(
    fits: Sequence[Fit], systems: Sequence[str], scope: Scope
) -> tuple[FloatArray, FloatArray, float]:
    """Return each part's scores minus their mean [parts, K], their variances, the least freedom."""
    scores, variances, freedom = [], [], np.inf
    for fit in fits:
        place = [fit.judgments.systems.index(system) for system in systems]
        directions = np.zeros((len(systems), fit.judgments.n_systems))
        directions[:, place] = np.eye(len(systems)) - 1 / len(systems)
        scores.append(directions @ np.nan_to_num(fit.standings.scores))
        precision = uncertainty_of(fit).precision(directions, scope)
        variances.append(precision.se**2)
        freedom = min(freedom, precision.freedom)
    return np.stack(scores), np.stack(variances), freedom


THIN = 20
"""Decided judgments of a pair, on average, below which groups are left out in turn."""


def is_thin(judgments: Judgments) -> bool:
    """Return whether pairs have so few decided judgments that derivatives mislead.

    Not of single votes: what derivatives miss there, `missed_by_pairs` adds.
    """
    if judgments.are_votes:
        return False
    decided = judgments.counts.decided
    return bool(decided.any() and decided[decided > 0].mean() < THIN)


def covariances_left_out(judgments: Judgments) -> dict[Unit, UnitCovariance]:
    """Return the covariance of Expected Wins by tasks, by segments and by judges."""
    facts, wins = judgments.observations, judgments.counts.wins
    start = start_of_tasks(judgments)
    cells = facts.cells(judgments.n_systems)
    found: dict[Unit, UnitCovariance] = {}
    for unit in UNITS:
        group_start, tasks = tasks_by_group(judgments, unit)
        squares, total, n, sizes = sum_left_out(cells, start, group_start, tasks, wins)
        squares -= np.outer(total, total) / max(n, 1)
        # `Uncertainty` takes it times n/(n - 1) where the unit is drawn again.
        found[unit] = UnitCovariance((1 - 1 / max(n, 1)) ** 2 * squares, n, number_alike(sizes))
    return found


@kernel
def sum_left_out(cells, start, group_start, tasks, wins):  # type: ignore[no-untyped-def]
    """Return Σ_g Δ_g Δ_gᵀ, Σ_g Δ_g, the number of groups that have rows, and their sizes."""
    k = len(wins)
    of_pair = np.zeros((k, k))  # share that i wins of its decided judgments with j
    n_opponents = np.zeros(k)
    sum_of_shares = np.zeros(k)
    for i in range(k):
        for j in range(k):
            decided = wins[i, j] + wins[j, i]
            if decided > 0:
                of_pair[i, j] = wins[i, j] / decided
                n_opponents[i] += 1
                sum_of_shares[i] += of_pair[i, j]
    lost = np.zeros((k, k))
    is_touched = np.zeros(k, dtype=np.bool_)
    touched = np.empty(k, dtype=np.int64)
    pairs = np.empty((k * k, 2), dtype=np.int64)
    change = np.zeros(k)
    squares, total = np.zeros((k, k)), np.zeros(k)
    sizes = np.zeros(len(group_start) - 1, dtype=np.int64)
    n_groups = 0
    for g in range(len(group_start) - 1):
        n_pairs, n_touched = 0, 0
        for t in range(group_start[g], group_start[g + 1]):
            task = tasks[t]
            sizes[g] += start[task + 1] - start[task]
            for row in range(start[task], start[task + 1]):
                cell = cells[row]
                if cell >= k * k:  # a tie decides nothing
                    continue
                i, j = cell // k, cell % k
                if lost[i, j] == 0 and lost[j, i] == 0:
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = i, j
                    n_pairs += 1
                lost[i, j] += 1
        n_groups += sizes[g] > 0
        # the scores of the systems that the group's judgments are of, without them
        for p in range(n_pairs):
            for i in pairs[p]:
                if not is_touched[i]:
                    is_touched[i] = True
                    touched[n_touched] = i
                    n_touched += 1
        for a in range(n_touched):
            i = touched[a]
            shares, opponents = sum_of_shares[i], n_opponents[i]
            for p in range(n_pairs):
                if pairs[p, 0] == i:
                    j = pairs[p, 1]
                elif pairs[p, 1] == i:
                    j = pairs[p, 0]
                else:
                    continue
                left = wins[i, j] + wins[j, i] - lost[i, j] - lost[j, i]
                shares -= of_pair[i, j]
                if left > 0:
                    shares += (wins[i, j] - lost[i, j]) / left
                else:
                    opponents -= 1
            # Of a system that meets nobody else nothing can be said. It is in no other group, so
            # that its change stays 0.
            if opponents > 0:
                change[i] = sum_of_shares[i] / n_opponents[i] - shares / opponents
        for a in range(n_touched):
            i = touched[a]
            total[i] += change[i]
            for b in range(n_touched):
                squares[i, touched[b]] += change[i] * change[touched[b]]
        for p in range(n_pairs):
            i, j = pairs[p, 0], pairs[p, 1]
            lost[i, j] = lost[j, i] = 0.0
        for a in range(n_touched):
            is_touched[touched[a]] = False
    return squares, total, n_groups, sizes[sizes > 0]
