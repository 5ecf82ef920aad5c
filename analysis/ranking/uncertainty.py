"""How the scores of a method vary when tasks, segments and judges are drawn again.

For d = s_i - s_j let V_u be its variance when units u are drawn again, S and J the numbers of
segments and judges. Segments and judges are samples, so that neither counts as fixed:

    σ² = max(V_segment S/(S-1) + V_judge J/(J-1) - V_task,  V_segment S/(S-1),  V_judge J/(J-1))

in the scope *new* segments and judges, and V_task in the scope *these*; minus V_none, a sampler's
own noise; and at least what independent judgments would leave. V_task replaces a unit that the file
does not name.

References: Cameron, Gelbach & Miller 2011, *Robust Inference with Multiway Clustering*;
Satterthwaite 1946, *An Approximate Distribution of Estimates of Variance Components*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr, stdtr

from analysis.campaign import FloatArray
from analysis.ranking.covariance import UNITS, Unit, UnitCovariance
from analysis.ranking.freedom import FEW_JUDGES, moderated, quantile, two_way_freedom
from analysis.ranking.variance import Differences, VarianceParts, variance_along

Scope = Literal["new", "these", "these judges"]
SCOPES: dict[Scope, str] = {
    "new": "other sentences and other judges of this kind",
    "these": "these sentences and these judges",
}
"""What users choose from; *these judges* on other sentences is said where judges are few."""


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
        z = -abs(self.estimate) / self.se if self.se else -np.inf
        return float(2 * (stdtr(self.freedom, z) if np.isfinite(self.freedom) else ndtr(z)))

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
    `Influence`. ``units`` has only the units that can be drawn again, and ``missing`` says why
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

    def interval(
        self, values: FloatArray, direction: FloatArray, level: float, scope: Scope = "new"
    ) -> Interval:
        """Return the estimate ``direction @ values`` with its interval at a level."""
        precision = self.precision(direction[None], scope)
        estimate, reach = float(direction @ values), float(precision.reach(level)[0])
        se, ends = float(precision.se[0]), (estimate - reach, estimate + reach)
        return Interval(estimate, se, precision.freedom, *ends)

    def precision(self, directions: FloatArray | Differences, scope: Scope = "new") -> Precision:
        """Return how precisely ``directions[N, K] @ scores`` are known, all of them together.

        A single direction has nothing to be pooled with: its freedom is that of the two-way
        variance, however few the judges.
        """
        parts, alone = self.parts_along(directions, scope), _independent(directions) == 1
        if not self.moderates(scope) and (not alone or self.all_compare or scope != "new"):
            return Precision(np.sqrt(parts.variance()), self.freedom(directions, scope))
        drawn = self._drawn(directions, scope)
        if not drawn or not parts.variance().size:
            return Precision(np.sqrt(parts.variance()), np.inf)
        freedom = self._two_way_freedom(drawn)
        variance = parts.task + parts.segment + parts.judge
        common = parts.least if parts.least.any() else drawn["task"]
        variance, freedom = moderated(variance, common, freedom, _independent(directions))
        return Precision(np.sqrt(np.maximum(variance + parts.few, parts.least)), freedom)

    def _two_way_freedom(self, drawn: Mapping[Unit, FloatArray]) -> float:
        """Return ν of the mean variance; that of the tasks where no other unit is named."""
        of = {unit: np.sqrt(u.freedom * (u.n - 1)) for unit, u in self.units.items()}
        if of.keys() <= {"task"}:
            return float(of["task"])
        task, segment, judge = (float(drawn[unit].mean()) for unit in UNITS)
        return two_way_freedom(
            task, segment, judge, of.get("segment", np.inf), of.get("judge", np.inf)
        )

    def moderates(self, scope: Scope) -> bool:
        """Whether pairs of systems lend each other strength: from `FEW_JUDGES` judges up."""
        enough = "judge" in self.units and self.units["judge"].n >= FEW_JUDGES
        return scope == "new" and enough and not self.all_compare

    def along(self, directions: FloatArray | Differences, scope: Scope = "new") -> FloatArray:
        """Return σ² of ``directions[..., K] @ scores``; nan where no unit can be drawn again."""
        return self.parts_along(directions, scope).variance()

    def parts_along(
        self, directions: FloatArray | Differences, scope: Scope = "new"
    ) -> VarianceParts:
        """Return σ² of ``directions[..., K] @ scores`` by what it comes from."""

        drawn = self._drawn(directions, scope)
        nothing = np.zeros_like(variance_along(directions, self.none))
        if not drawn:
            unknown = np.full(nothing.shape, np.nan)
            return VarianceParts(unknown, nothing, nothing, nothing, nothing)
        few, least = (variance_along(directions, matrix) for matrix in (self.few, self.least))
        return VarianceParts.of(drawn["task"], drawn["segment"], drawn["judge"], few, least)

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

        Satterthwaite's rule: 1/ν = Σ_u w_u²/ν_u, w_task being the share of the tasks in σ², and
        w_segment and w_judge what segments and judges add, over all directions together; ν_u is
        that of `UnitCovariance.freedom`. For means it is the fewest units minus one; for the level
        of a mean, which moves with each judge's share of the work, the smallest ν_u.
        """
        return float(self.freedom_one_day(directions, scope, {}, np.zeros(1))[0])

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
        drawn = self._drawn(directions, scope)
        endless = np.full(len(doubts), np.inf)
        if not drawn:
            return endless
        grown = {unit: times.get(unit, 1.0) for unit in UNITS}
        if self.all_compare:
            counted: Iterable[Unit] = [u for u in self.units if u in DRAWN_AGAIN[scope]]
            if isinstance(directions, Differences) or np.allclose(directions.sum(axis=-1), 0):
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


def _independent(directions: FloatArray | Differences) -> int:
    """Return how many directions no others imply: for differences, one fewer than systems."""
    if isinstance(directions, Differences):
        return len(np.union1d(directions.first, directions.second)) - 1
    return min(directions.shape)
