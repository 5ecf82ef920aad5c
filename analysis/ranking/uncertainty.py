"""How the scores of a method vary when tasks, segments and judges are drawn again.

For d = s_i - s_j let V_u be its variance when units u are drawn again, S and J the numbers of
segments and judges. Segments and judges are samples, so that neither counts as fixed:

    σ² = max(V_segment S/(S-1) + V_judge J/(J-1) - V_task,  V_segment S/(S-1),  V_judge J/(J-1))

in the scope *new* segments and judges, and V_task in the scope *these*; minus V_none, a sampler's
own noise; and at least what independent judgments would leave. V_task replaces a unit that the file
does not name.

What segments and judges add is moderated first: systems lend each other strength (`freedom`).
Differences of shares are judged by the variance that they would have if they were none
(`as_if_equal`).

Reference: Cameron, Gelbach & Miller 2011, *Robust Inference with Multiway Clustering*.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from analysis.campaign import FloatArray
from analysis.ranking.covariance import UNITS, Unit, UnitCovariance
from analysis.ranking.variance import (
    SCOPES,
    Differences,
    Scope,
    VarianceParts,
    lend_strength,
    quantile,
    tail,
    two_way_freedom,
    variance_along,
)


def scope_words(scope: Scope, missing: Collection[Unit]) -> str:
    """Say for whom intervals are valid: a unit that the file does not name is these ones only.

    >>> scope_words("new", ("judge",))
    'new segments, but these judges only'
    """
    if scope == "these" or {"segment", "judge"} <= set(missing):
        return SCOPES["these"]
    if "judge" in missing:
        return "new segments, but these judges only"
    if "segment" in missing:
        return "new judges, but these segments only"
    return SCOPES["new"]


DRAWN_AGAIN: dict[Scope, tuple[Unit, ...]] = {
    "new": UNITS,
    "these judges": ("task", "segment"),
    "these": ("task",),
}
"""The units that are a sample, by scope; the others stay as they are."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its standard error, degrees of freedom and both ends at a level."""

    estimate: float
    se: float
    freedom: float
    low: float
    high: float

    @property
    def p(self) -> float:
        """The two-sided p-value of an estimate of zero; 1 if it is zero or se is unknown."""
        if self.estimate == 0 or np.isnan(self.se):
            return 1.0
        z = abs(self.estimate) / self.se if self.se else np.inf
        return float(2 * tail(np.array(z), self.freedom))

    def widened(self, factor: float) -> Interval:
        """Return the interval with its standard error taken times a factor."""
        low, high = (
            self.estimate + factor * (end - self.estimate) for end in (self.low, self.high)
        )
        return Interval(self.estimate, factor * self.se, self.freedom, low, high)


@dataclass(frozen=True, eq=False)
class Precision:
    """The standard errors ``se[N]`` of several directions, and their degrees of freedom."""

    se: FloatArray
    freedom: float

    def reach(self, level: float) -> FloatArray:
        """Return how far intervals at a level reach to each side: t σ."""
        return quantile((1 + level) / 2, self.freedom) * self.se


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How scores would vary: one covariance a unit, in the scores' own frame.

    ``none[K, K]`` is that of the method's own noise, ``few`` what derivatives miss where pairs have
    few judgments or scores are places, ``least`` what independent judgments would leave: see
    `Influence`. ``if_equal[K, K]`` multiplies the variances of differences: see `as_if_equal`.
    ``units`` has only the units that can be drawn again, and ``missing`` says why
    others cannot. ``all_compare`` says that scores compare without a chain of judgments, as means
    do. ``source`` says whether the unit called segment is documents.
    """

    units: dict[Unit, UnitCovariance]
    missing: dict[Unit, str]
    none: FloatArray
    few: FloatArray
    least: FloatArray
    how: str
    bounds: tuple[float, float] = (-np.inf, np.inf)
    all_compare: bool = False
    source: Literal["segment", "document"] = "segment"
    if_equal: FloatArray | None = None

    def interval(
        self, values: FloatArray, direction: FloatArray, level: float, scope: Scope = "new"
    ) -> Interval:
        """Return the estimate ``direction @ values`` with its interval at a level."""
        precision = self.precision(direction[None], scope)
        estimate, reach = float(direction @ values), float(precision.reach(level)[0])
        se, ends = float(precision.se[0]), (estimate - reach, estimate + reach)
        return Interval(estimate, se, precision.freedom, *ends)

    def precision(self, directions: FloatArray | Differences, scope: Scope = "new") -> Precision:
        """Return how precisely ``directions[N, K] @ scores`` are known, all of them together."""
        parts = self.moderated_along(directions, scope)
        return Precision(np.sqrt(parts.variance()), self.freedom(directions, scope))

    def grown(
        self, directions: Differences, scope: Scope, times: Mapping[Unit, float]
    ) -> Precision:
        """Return the precision when there are so many ``times`` as many units."""
        parts = self.moderated_along(directions, scope)
        (freedom,) = self.freedom_one_day(directions, scope, times, np.zeros(1))
        variance = parts.variance(*(times.get(unit, 1.0) for unit in UNITS))
        return Precision(np.sqrt(variance), float(freedom))

    def moderates(self, scope: Scope) -> bool:
        """Whether systems lend each other strength: not where scores are means."""
        sampled = any(unit in self.units for unit in DRAWN_AGAIN[scope][1:])
        return sampled and not self.all_compare

    def moderated_along(
        self, directions: FloatArray | Differences, scope: Scope = "new"
    ) -> VarianceParts:
        """Return σ² of ``directions[..., K] @ scores`` as it counts, by what it comes from."""
        if not self.moderates(scope):
            return self.parts_along(directions, scope)
        drawn = self._moderated(directions, scope)
        few, least = (variance_along(directions, matrix) for matrix in (self.few, self.least))
        parts = VarianceParts.of(drawn["task"], drawn["segment"], drawn["judge"], few, least)
        return self._if_equal(directions, parts)

    def _if_equal(
        self, directions: FloatArray | Differences, parts: VarianceParts
    ) -> VarianceParts:
        if self.if_equal is None or not isinstance(directions, Differences):
            return parts
        return parts.times(self.if_equal[directions.first, directions.second])

    def _moderated(
        self, directions: FloatArray | Differences, scope: Scope
    ) -> dict[Unit, FloatArray]:
        """Return the moderated variance by each unit."""
        return {
            unit: np.maximum(variance_along(directions, matrix), 0)
            for unit, matrix in self._lent[scope][0].items()
        }

    @cached_property
    def _lent(self) -> Mapping[Scope, tuple[dict[Unit, FloatArray], dict[Unit, float]]]:
        """Each unit's moderated covariance and its degrees of freedom, by scope."""
        task = self.units["task"].matrix - self.none
        lent = {}
        for scope, again in DRAWN_AGAIN.items():
            matrices, freedom = dict.fromkeys(UNITS, task), dict.fromkeys(UNITS, np.inf)
            for unit in UNITS[1:]:
                if unit in again and unit in self.units:
                    found = self.units[unit]
                    own = (found.matrix - self.none) * found.n / (found.n - 1)
                    # With 1/Σ w² - 1 alone a judge of most of the work leaves no freedom at all.
                    n = math.sqrt(found.freedom * (found.n - 1))
                    matrices[unit], freedom[unit] = lend_strength(own, task, n)
            lent[scope] = matrices, freedom
        return lent

    def along(self, directions: FloatArray | Differences, scope: Scope = "new") -> FloatArray:
        """Return σ² of ``directions[..., K] @ scores``; nan where no unit can be drawn again."""
        return self.parts_along(directions, scope).variance()

    def parts_along(
        self, directions: FloatArray | Differences, scope: Scope = "new"
    ) -> VarianceParts:
        """Return σ² of ``directions[..., K] @ scores`` before it is moderated, by its sources."""
        drawn = self._drawn(directions, scope)
        nothing = np.zeros_like(variance_along(directions, self.none))
        if not drawn:
            unknown = np.full(nothing.shape, np.nan)
            return VarianceParts(unknown, nothing, nothing, nothing, nothing)
        few, least = (variance_along(directions, matrix) for matrix in (self.few, self.least))
        parts = VarianceParts.of(drawn["task"], drawn["segment"], drawn["judge"], few, least)
        return self._if_equal(directions, parts)

    def _drawn(self, directions: FloatArray | Differences, scope: Scope) -> dict[Unit, FloatArray]:
        """Return the variance when each unit is drawn again, by tasks where it cannot be."""
        noise = variance_along(directions, self.none)
        drawn = {
            unit: np.maximum(variance_along(directions, covariance.matrix) - noise, 0)
            for unit, covariance in self.units.items()
        }
        if not drawn:
            return {}
        for unit in UNITS[1:]:
            if unit in DRAWN_AGAIN[scope] and unit in drawn:
                drawn[unit] *= self.units[unit].n / (self.units[unit].n - 1)
            else:
                drawn[unit] = drawn["task"]
        return drawn

    def freedom(self, directions: FloatArray | Differences, scope: Scope = "new") -> float:
        """Return the degrees of freedom of σ² along ``directions``, for Student's t.

        They are those of the two-way variance (`freedom` in `analysis.ranking`); of tasks alone
        their number minus one. For means it is the fewest units minus one; for the level of a mean,
        which moves with each judge's share of the work, the smallest ν_u.
        """
        if self.all_compare and self.units:
            return self._freedom_of_means(directions, scope, {})
        if self.moderates(scope):
            drawn = self._moderated(directions, scope)
            if not drawn["task"].size:
                return np.inf
            task, segment, judge = (float(drawn[unit].mean()) for unit in UNITS)
            shared = self._lent[scope][1]
            return two_way_freedom(task, segment, judge, shared["segment"], shared["judge"])
        return self.units["task"].freedom if self.units else np.inf

    def _freedom_of_means(
        self, directions: FloatArray | Differences, scope: Scope, times: Mapping[Unit, float]
    ) -> float:
        counted = [unit for unit in self.units if unit in DRAWN_AGAIN[scope]]
        if isinstance(directions, Differences) or np.allclose(directions.sum(axis=-1), 0):
            return min(self.units[unit].n * times.get(unit, 1.0) for unit in counted) - 1.0
        return min(self.units[unit].freedom for unit in counted)

    def freedom_one_day(
        self,
        directions: FloatArray | Differences,
        scope: Scope,
        times: Mapping[Unit, float],
        doubts: FloatArray,
    ) -> FloatArray:
        """Return the `freedom` when there are so many ``times`` as many units.

        Each of the ``doubts`` is by how much more judges may be found to add then, as a share of
        what tasks add now.
        """
        if self.all_compare and self.units:
            return np.full(len(doubts), self._freedom_of_means(directions, scope, times))
        now = self.freedom(directions, scope)
        if not self.moderates(scope):
            return np.full(len(doubts), now * times.get("task", 1.0))
        drawn = {unit: float(v.mean()) for unit, v in self._moderated(directions, scope).items()}
        shared = self._lent[scope][1]
        as_now = self._freedom_of_sizes(drawn, shared, {}, 0.0)
        return np.array(
            [now / as_now * self._freedom_of_sizes(drawn, shared, times, d) for d in doubts]
        )

    def _freedom_of_sizes(
        self,
        drawn: Mapping[Unit, float],
        freedom: Mapping[Unit, float],
        times: Mapping[Unit, float],
        doubt: float,
    ) -> float:
        """Return ν by what each unit adds now and by how many times as many there are."""
        now, shared = drawn["task"], dict(freedom)
        grown = {unit: times.get(unit, 1.0) for unit in UNITS}
        task = now / grown["task"]
        then: dict[Unit, float] = {}
        for unit in UNITS[1:]:
            added = max(drawn[unit] - now, 0.0)
            if unit == "judge":
                added = max(added + doubt * now, 0.0)
            then[unit] = task + added / grown[unit]
            if unit in self.units:
                n = self.units[unit].n
                shared[unit] *= (n * grown[unit] - 1) / (n - 1)
        return two_way_freedom(
            task, then["segment"], then["judge"], shared["segment"], shared["judge"]
        )

    def doubts_of_judges(
        self, directions: FloatArray, scope: Scope, deviates: FloatArray
    ) -> FloatArray:
        """Return by how much more judges may be found to add one day, for standard ``deviates``.

        As shares of what tasks add now. V_judge is a sum of squares of J - 1 degrees of freedom in
        each independent direction, and of the same judges the part that tasks have in it changes.
        """
        drawn = self._drawn(directions, scope)
        task = float(drawn["task"].sum()) if drawn else 0.0
        if task <= 0 or scope != "new" or "judge" not in self.units:
            return np.zeros(1)
        added = float(drawn["judge"].sum()) / task - 1
        freedom = self.units["judge"].freedom * max(len(directions) - 1, 1)
        deviation = np.sqrt((2 + 4 * max(added, 0.0)) / freedom)
        return np.asarray(np.maximum(added + deviation * deviates, 0) - max(added, 0.0))
