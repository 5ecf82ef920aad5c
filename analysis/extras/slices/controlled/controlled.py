"""Bradley–Terry with covariates: abilities adjusted for position, length and other numbers.

A judgment of i, shown first, and j with numbers x_c (`columns`) is a win, a loss or a tie of i with
weights

    exp(d/2),  exp(-d/2),  exp(τ),      d = θ_i - θ_j + Σ_c β_c x_c,

Davidson's model with order effects and other covariates. Priors are θ, τ, β ~ N(0, s²). The
log-posterior is concave, and damped Newton steps find its mode. Abilities are those of outputs that
are equal in all that is controlled for, either shown first as often.

All of the mode depends smoothly on the judgments: what one of them adds is the inverse of the
information at the mode times its slopes (by_lead, -by_lead, by_tie and x_c by_lead). So scores and
effects have the two-way clustered variance that all smooth methods have.

References: Davidson & Beaver 1977, *On Extending the Bradley–Terry Model to Incorporate Within-Pair
Order Effects*; Davidson 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import TIE, FloatArray, Judgments, Observations
from analysis.errors import NotConvergedError
from analysis.extras.slices.controlled.columns import POSITION, columns, names_of
from analysis.parameters import number, text
from analysis.rankers.influence import Influence, JudgedRows, relative
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Fit, Ranker, require_judgments
from analysis.rankers.resampling import ResamplingUnit, draw_observations, unit_index

MAX_STEPS = 100
TOLERANCE = 1e-8
"""Change of a coordinate, in log-odds, below which a Newton step is the last."""
ROUNDING = 1e-13
"""How far rounding may move a log-posterior, for every judgment in it."""


@dataclass(frozen=True)
class Controlled(Ranker):
    """The joint mode of abilities and effects, in log-odds.

    The standard error is the posterior's standard deviation of a centered ability, from the
    curvature at the mode, what is not known of the effects included.
    """

    name: ClassVar = "bradley-terry-controlled"
    title: ClassVar = "Bradley–Terry with covariates"
    sentence: ClassVar = "Bradley–Terry abilities, adjusted for position, length or other numbers."
    citation: ClassVar = "Davidson 1970; Davidson & Beaver 1977"
    references: ClassVar = ("davidson-1970-extending", "davidson-beaver-1977-order")
    score_label: ClassVar = "ability (log-odds)"
    runs_at_once: ClassVar = 10
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    control: str = text(
        POSITION,
        "Covariates to adjust for, comma-separated: position (which output was shown first) "
        "and up to two columns of numbers of the file, such as length.",
    )
    prior: float = number(
        3.0,
        "Standard deviation of the prior on abilities and effects, in log-odds; larger values "
        "make the prior weaker.",
        low=0.01,
        high=10,
        step=0.5,
        symbol="s",
    )

    def fit(self, judgments: Judgments, seed: int = 0) -> ControlledFit:
        require_judgments(judgments)
        names = names_of(self.control)
        numbers = columns(judgments, names)
        has_position = POSITION in (name.casefold() for name in names)
        design = Design.make(judgments.observations, judgments.n_systems, numbers, has_position)
        mode = self.climb(design, np.zeros(design.n_coordinates))
        information = design.curvature(mode, None, 1 / self.prior**2)
        inverse = np.asarray(np.linalg.inv(information), dtype=np.float64)
        k = judgments.n_systems
        met = judgments.counts.compared.sum(axis=1) > 0
        center = np.eye(k) - met / met.sum()
        spread = np.sqrt(np.diag(center @ inverse[:k, :k] @ center.T))
        standings = self.standings(judgments, mode[:k], spread)
        others = tuple(name for name in names if name.casefold() != POSITION)
        effects = ((POSITION,) if has_position else ()) + others
        return ControlledFit(self, judgments, seed, standings, design, mode, inverse, effects)

    def climb(
        self, design: Design, start: FloatArray, weight: FloatArray | None = None
    ) -> FloatArray:
        """Climb to the mode; a step that leads down is halved."""
        precision = 1 / self.prior**2
        at, value = start, design.value(start, weight, precision)
        noise = ROUNDING * (1 + design.n_rows)
        for _ in range(MAX_STEPS):
            slope = design.slope(at, weight, precision)
            step = np.linalg.solve(design.curvature(at, weight, precision), slope)
            if np.abs(step).max() < TOLERANCE:
                return at
            size = 1.0
            while (new := design.value(at + size * step, weight, precision)) < value - noise and (
                size > ROUNDING
            ):
                size /= 2
            at, value = at + size * step, new
        raise NotConvergedError(
            self.title,
            f"after {MAX_STEPS} Newton steps a number still moved by {np.abs(step).max():.2g}",
            "Make the prior narrower, or leave out systems with few judgments.",
        )

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return self.fit(judgments).replicates(unit, n, rng)

    def has_derivative(self, judgments: Judgments) -> bool:
        return True


@dataclass(frozen=True, eq=False)
class Design:
    """The judgments as a regression: coordinates are θ (``n_systems``), β, then τ.

    ``x[N, C]`` are the numbers, the constant 1 of the position first where it is controlled for.
    """

    facts: Observations
    n_systems: int
    x: FloatArray

    @classmethod
    def make(
        cls, facts: Observations, n_systems: int, numbers: FloatArray, has_position: bool
    ) -> Design:
        ones = np.ones((len(numbers), int(has_position)))
        return cls(facts, n_systems, np.hstack([ones, numbers]))

    @property
    def n_rows(self) -> int:
        return len(self.x)

    @property
    def n_coordinates(self) -> int:
        return self.n_systems + self.x.shape[1] + 1

    def lead(self, at: FloatArray) -> FloatArray:
        """Return d of every judgment."""
        k = self.n_systems
        gap = at[self.facts.left] - at[self.facts.right]
        return np.asarray(gap + self.x @ at[k:-1])

    def slopes(self, at: FloatArray, outcome: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives of each judgment's log-chance by d and by τ."""
        p = chances(self.lead(at), np.full(self.n_rows, at[-1]))
        return (outcome - (p[:, 0] - p[:, 2])) / 2, (outcome == TIE) - p[:, 1]

    def value(self, at: FloatArray, weight: FloatArray | None, precision: float) -> float:
        d, tau, outcome = self.lead(at), at[-1], self.facts.outcome
        observed = outcome * d / 2 + (outcome == TIE) * tau
        value = observed - np.logaddexp(np.logaddexp(d / 2, -d / 2), tau)
        total = value.sum() if weight is None else weight @ value
        return float(total - precision * (at**2).sum() / 2)

    def slope(self, at: FloatArray, weight: FloatArray | None, precision: float) -> FloatArray:
        by_lead, by_tie = self.slopes(at, self.facts.outcome.astype(np.float64))
        if weight is not None:
            by_lead, by_tie = by_lead * weight, by_tie * weight
        k = self.n_systems
        theta = np.bincount(self.facts.left, by_lead, k) - np.bincount(self.facts.right, by_lead, k)
        return np.concatenate([theta, by_lead @ self.x, [by_tie.sum()]]) - precision * at

    def curvature(self, at: FloatArray, weight: FloatArray | None, precision: float) -> FloatArray:
        """Return the information: minus the second derivatives."""
        p = chances(self.lead(at), np.full(self.n_rows, at[-1]))
        tie, lead = p[:, 1], p[:, 0] - p[:, 2]
        dd, tt, dt = (1 - tie - lead**2) / 4, tie * (1 - tie), -lead * tie / 2
        if weight is not None:
            dd, tt, dt = dd * weight, tt * weight, dt * weight
        k, c = self.n_systems, self.x.shape[1]
        left, right = self.facts.left.astype(np.int64), self.facts.right.astype(np.int64)
        between = np.bincount(left * k + right, weights=dd, minlength=k * k).reshape(k, k)
        between = between + between.T
        found = np.zeros((self.n_coordinates, self.n_coordinates))
        found[:k, :k] = np.diag(between.sum(axis=1)) - between
        for column in range(c + 1):
            values = dt if column == c else dd * self.x[:, column]
            lent = np.bincount(left, values, k) - np.bincount(right, values, k)
            found[:k, k + column] = found[k + column, :k] = lent
        found[k : k + c, k : k + c] = self.x.T @ (dd[:, None] * self.x)
        found[k : k + c, -1] = found[-1, k : k + c] = dt @ self.x
        found[-1, -1] = tt.sum()
        return found + precision * np.eye(len(found))


@dataclass(frozen=True, eq=False)
class ControlledFit(Fit):
    """The mode with the inverse of its information; ``names`` are the effects in order."""

    ranker: Controlled
    design: Design
    mode: FloatArray
    inverse: FloatArray
    names: tuple[str, ...]

    @property
    def effects(self) -> FloatArray:
        """β[C], in log-odds."""
        return self.mode[self.judgments.n_systems : -1]

    def replicates(self, unit: ResamplingUnit, n: int, rng: np.random.Generator) -> FloatArray:
        """Refit to each resample, from the fit to all."""
        k = self.judgments.n_systems
        if unit == "none":
            return np.tile(self.standings.scores, (n, 1))
        index = unit_index(self.judgments, unit)
        facts = self.design.facts
        scores = np.empty((n, k))
        for r in range(n):
            drawn = draw_observations(index, rng)
            weight = np.bincount(drawn, minlength=self.design.n_rows).astype(np.float64)
            mode = self.ranker.climb(self.design, self.mode, weight)
            there = np.bincount(facts.left, weight, k) + np.bincount(facts.right, weight, k) > 0
            scores[r] = np.where(there, mode[:k], np.nan)
        return scores

    def influence(self) -> Influence:
        """Return the inverse information times the slopes of each judgment's log-chance."""
        k = self.judgments.n_systems
        return self._influence(
            self.standings.scores,
            slice(0, k),
            relative(self.inverse[:k, :k], self.judgments.counts),
        )

    def influence_on_effects(self) -> Influence:
        """Return the same of the effects."""
        k = self.judgments.n_systems
        return self._influence(self.effects, slice(k, -1), self.inverse[k:-1, k:-1])

    def _influence(self, values: FloatArray, which: slice, least: FloatArray) -> Influence:
        nothing = np.zeros((2, len(values), len(values)))
        return Influence(
            scores=values,
            own=nothing,
            other=nothing,
            least=least,
            mixing=self._mixing(which),
            rows_of=self.rows_of,
        )

    def _mixing(self, which: slice) -> FloatArray:
        """Return how coordinates of `rows_of` move some of the mode.

        Its coordinates are θ, one for each of up to three effects, τ and, last, the third number.
        """
        k, c = self.judgments.n_systems, len(self.names)
        mixing = np.zeros((len(self.mode[which]), k + 4))
        inverse = self.inverse[which]
        mixing[:, :k] = inverse[:, :k]
        mixing[:, -2] = inverse[:, -1]
        places = self._places()
        for effect in range(c):
            mixing[:, places[effect]] = inverse[:, k + effect]
        return mixing

    def _places(self) -> list[int]:
        """Return the coordinate of each effect: position's, the first number's, the second's."""
        k = self.judgments.n_systems
        has_position = self.names[0] == POSITION
        return ([k] if has_position else []) + [k + 1, k + 3][: len(self.names) - has_position]

    def rows_of(self, judgments: Judgments) -> JudgedRows:
        """Return what each of some judgments of these systems adds, or would add, to this fit.

        The position is carried as the side is of a judge, the first number as its gap, the second
        as its level: all three then go to coordinates of their own.
        """
        k, facts = self.judgments.n_systems, judgments.observations
        design = self.design
        if judgments is not self.judgments:
            names = names_of(self.ranker.control)
            numbers = columns(judgments, names)
            design = Design.make(facts, k, numbers, self.names[0] == POSITION)
        outcome = facts.outcome.astype(np.float64)
        by_lead, by_tie = design.slopes(self.mode, outcome)
        turned, _ = design.slopes(self.mode, -outcome)
        n, first = len(outcome), int(self.names[0] == POSITION)
        nothing = np.zeros(n)
        numbers = design.x[:, first:]
        one = numbers[:, 0] if numbers.shape[1] else nothing
        two = numbers[:, 1] if numbers.shape[1] > 1 else nothing
        loads = np.zeros((1, k + 4, 3))
        loads[0, k, 1] = loads[0, k + 1, 0] = -1.0
        return JudgedRows(
            left=facts.left,
            right=facts.right,
            judge=np.zeros(n, dtype=np.int64),
            sensitivity=np.ones(n),
            gap=one,
            by_lead=by_lead,
            by_lead_turned=turned,
            by_tie=by_tie,
            level=by_lead * two,
            loads=loads,
            level_turned=turned * two,
        )

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the chances of outputs that are alike, either shown first as often."""
        k = self.judgments.n_systems
        theta = np.where(np.isfinite(self.mode[:k]), self.mode[:k], 0.0)
        gap, side = theta[:, None] - theta, 0.0
        if self.names[0] == POSITION:
            side = float(self.effects[0])
        first = chances(gap + side, np.full(gap.shape, self.mode[-1]))
        later = chances(gap - side, np.full(gap.shape, self.mode[-1]))
        both = (first + later) / 2
        signature = self.ranker.method_signature()
        return Preferences(self.judgments.systems, both[..., 0], both[..., 1], signature)


def chances(lead: FloatArray, tie: FloatArray) -> FloatArray:
    """Return P(win), P(tie) and P(loss) [..., 3], by d and the logarithm of a tie's weight."""
    lead, tie = np.broadcast_arrays(lead, tie)
    logarithms = np.stack([lead / 2, tie, -lead / 2], axis=-1)
    weights = np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
