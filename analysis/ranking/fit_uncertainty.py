"""How the scores of one fit vary: in closed form if they have derivatives, else by resampling.

Also the distances of scores from their mean in several parts of a campaign, on one scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, FloatArray, Judgments
from analysis.errors import PodiumError, control
from analysis.parallel import Progress
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import Fit
from analysis.rankers.resampling import ResamplingUnit, n_units
from analysis.ranking.covariance import (
    UNITS,
    Unit,
    UnitCovariance,
    covariances,
    drawn_unit,
    numbers_of_units,
)
from analysis.ranking.left_out import covariances_left_out, is_thin
from analysis.ranking.replicates import Replicates, replicate
from analysis.ranking.uncertainty import Scope, Uncertainty
from analysis.ranking.variance import as_if_equal

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
