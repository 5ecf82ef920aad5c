"""The marginal likelihood of the graded response model, by adaptive Gauss–Hermite quadrature.

A system of ability θ is compared with the baseline on segment j by judge k and loses, ties or wins:

    P(ties or wins) = σ(a_k (θ - b_j1)),   P(wins) = σ(a_k (θ - b_j2)),   b_j1 < b_j2.

log a_k, b_j1 and b_j2 have normal priors. Abilities θ ~ N(0, τ²) are integrated out. Nodes lie at
√2 s_i x_t around each system's mode, s_i the width of its posterior there: fixed nodes, as O16 have
them, are far coarser than what hundreds of judgments tell, and systems snap to them.
The mode is that of the density of log a_k, b_j1 and log(b_j2 - b_j1): nothing has to be kept in
bounds, and where no judge tied, the two difficulties do not fall together, as they would at the
mode of the density of b_j1 and b_j2.

References: Samejima 1969; Bock & Aitkin 1981 (marginal likelihood); Liu & Pierce 1994, *A Note on
Gauss–Hermite Quadrature* (adaptive nodes); Otani et al. 2016 (priors).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy
from scipy.special import expit

from analysis.campaign.ragged import FloatArray, IntArray
from analysis.errors import NotConvergedError
from analysis.kernel import kernel
from analysis.rankers.graded_response.estimation import ADAPTIVE, Estimation

SENSITIVITY_PRIOR = (math.log(1.7), 1.0)
"""Mean and standard deviation of log a."""

DIFFICULTY_PRIOR = ((-0.5, 2.0), (0.5, 2.0))
"""Mean and standard deviation of b1 and b2."""

LOG_SENSITIVITY = (-30.0, 30.0)
"""Bounds of log a: a longer step has no sensitivity left that can be written down."""

LOG_GAP = (-12.0, 12.0)
"""Bounds of log(b2 - b1): a long step beyond them has no logarithm of the difference left."""

GRADIENT_TOLERANCE = 2e-3
"""L-BFGS stops where no parameter's slope, per standard deviation of it, is steeper than this."""

STAGE = 40
"""Iterations of L-BFGS before the parameters' deviations and the nodes are found anew."""

REFRESHED_STAGES = 5
"""Stages, from the first, that place the nodes anew."""

MOST_SPENT = 600.0
"""A product of chances stays above exp(-600), where a float still has all its digits."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Comparisons with the baseline, sorted by system: system i has ``start[i]:start[i+1]``.

    ``grade`` is 0 where it lost, 1 tied, 2 won; ``weight`` how often the comparison counts.
    """

    start: IntArray
    judge: IntArray
    segment: IntArray
    grade: IntArray
    weight: FloatArray
    n_judges: int
    n_segments: int

    @property
    def n_systems(self) -> int:
        return len(self.start) - 1

    @cached_property
    def system(self) -> IntArray:
        """The system of each comparison."""
        return np.repeat(np.arange(self.n_systems), np.diff(self.start))

    @cached_property
    def of_segment(self) -> tuple[IntArray, IntArray]:
        """Where each segment starts in the order of segments, and that order of comparisons."""
        sizes = np.bincount(self.segment, minlength=self.n_segments)
        return np.concatenate([[0], np.cumsum(sizes)]), np.argsort(self.segment, kind="stable")


@dataclass(frozen=True, eq=False)
class Parameters:
    """Sensitivities a[judge] and difficulties b1[segment] < b2[segment]."""

    a: FloatArray
    b1: FloatArray
    b2: FloatArray

    def to_vector(self) -> FloatArray:
        return np.concatenate([np.log(self.a), self.b1, np.log(self.b2 - self.b1)])

    @classmethod
    def from_vector(cls, vector: FloatArray, n_judges: int) -> Parameters:
        log_a = np.clip(vector[:n_judges], *LOG_SENSITIVITY)
        b1, log_gap = np.split(vector[n_judges:], 2)
        return cls(np.exp(log_a), b1, b1 + np.exp(np.clip(log_gap, *LOG_GAP)))

    @classmethod
    def prior_means(cls, n_judges: int, n_segments: int) -> Parameters:
        return cls(
            np.full(n_judges, math.exp(SENSITIVITY_PRIOR[0])),
            np.full(n_segments, DIFFICULTY_PRIOR[0][0]),
            np.full(n_segments, DIFFICULTY_PRIOR[1][0]),
        )


@dataclass(eq=False)
class MarginalPosterior:
    """Log density of log a, b1 and log(b2 - b1) given the comparisons, with its gradient.

    ``ability`` and ``width`` hold each system's mode and posterior deviation at the parameters
    last evaluated, where the next evaluation starts from; with fixed nodes, those at the parameters
    that `maximize` returned.
    """

    comparisons: Comparisons
    tau: float
    n_nodes: int
    estimation: Estimation = ADAPTIVE
    ability: FloatArray = field(init=False)
    width: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.ability = np.zeros(self.comparisons.n_systems)
        self.width = np.ones(self.comparisons.n_systems)
        self.nodes, weights = np.polynomial.hermite.hermgauss(self.n_nodes)
        self.log_weights = np.log(weights) + self.nodes**2

    def evaluate(self, vector: FloatArray, refresh: bool = True) -> tuple[float, FloatArray]:
        """Return the log posterior of a vector, up to a constant, and its gradient.

        Without ``refresh`` the nodes stay where the last evaluation placed them.
        """
        c = self.comparisons
        parameters = Parameters.from_vector(vector, c.n_judges)
        by_a, by_b1, by_b2 = np.zeros(c.n_judges), np.zeros(c.n_segments), np.zeros(c.n_segments)
        place = (self.tau, self.ability, self.width, refresh)
        if self.estimation.fixed:
            place = self._at_fixed_nodes()
        tau, ability, width, refresh = place
        value = _marginal_log_likelihood(
            c.start, c.judge, c.segment, c.grade, c.weight, parameters.a, parameters.b1,
            parameters.b2, tau, self.nodes, self.log_weights, ability, width, refresh, by_a, by_b1,
            by_b2,
        )  # fmt: skip
        if math.isnan(value):
            raise NotConvergedError(
                "Graded response model",
                "the ability of a system was not found at fixed sensitivities and difficulties",
                "Choose a smaller τ.",
            )
        log_a = np.log(parameters.a)
        value += _log_normal(log_a, *SENSITIVITY_PRIOR, by_a)
        value += _log_normal(parameters.b1, *DIFFICULTY_PRIOR[0], by_b1)
        value += _log_normal(parameters.b2, *DIFFICULTY_PRIOR[1], by_b2)
        gap = parameters.b2 - parameters.b1
        on_a, on_gap = self.estimation.barrier_a, self.estimation.barrier_gap
        value += on_a * float(log_a.sum()) + on_gap * float(np.log(gap).sum())
        return value, np.concatenate([by_a + on_a, by_b1 + by_b2, by_b2 * gap + on_gap])

    def _at_fixed_nodes(self) -> tuple[float, FloatArray, FloatArray, bool]:
        """Return prior deviation, centers and widths that place the nodes at τ x_t for all."""
        width = self.tau / math.sqrt(2)
        n = self.comparisons.n_systems
        return width, np.zeros(n), np.full(n, width), False

    def find_abilities(self, parameters: Parameters) -> None:
        """Set ``ability`` and ``width`` to the modes under N(0, τ²) and their deviations."""
        moving = MarginalPosterior(self.comparisons, self.tau, self.n_nodes)
        moving.ability, moving.width = self.ability, self.width
        moving.evaluate(parameters.to_vector())
        self.ability, self.width = moving.ability, moving.width

    def maximize(self, start: Parameters, max_iterations: int) -> tuple[Parameters, int, bool]:
        """Return the mode by L-BFGS, how many iterations it took, and whether it was reached.

        It goes in stages. Each measures every parameter in its own standard deviation, found anew.
        In the first one the nodes move with the abilities; then they stay where a stage finds them,
        so that value and gradient agree to the last digit; in the end they stay for good: a judge
        of enormous sensitivity makes steps that no quadrature resolves.
        """
        n_judges = self.comparisons.n_judges
        origin = start.to_vector()
        iterations, stage = 0, 0
        while True:
            _, gradient = self.evaluate(origin, stage < REFRESHED_STAGES)
            unit = self._deviations(Parameters.from_vector(origin, n_judges))
            converged = bool(np.abs(gradient * unit).max() <= GRADIENT_TOLERANCE)
            if converged or iterations >= max_iterations:
                self.find_abilities(Parameters.from_vector(origin, n_judges))
                return Parameters.from_vector(origin, n_judges), iterations, converged
            length = STAGE if stage < REFRESHED_STAGES else max_iterations
            moved, steps = self._run_stage(
                origin, unit, min(length, max_iterations - iterations), stage == 0
            )
            origin = origin + unit * moved
            iterations += max(steps, 1)
            stage += 1

    def _run_stage(
        self, origin: FloatArray, unit: FloatArray, max_iterations: int, moving: bool
    ) -> tuple[FloatArray, int]:
        """Return how far L-BFGS moves from the origin, in units, and its number of steps."""

        def negative(moved: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self.evaluate(origin + unit * moved, moving)
            return -value, -gradient * unit

        found = scipy.optimize.minimize(
            negative,
            np.zeros(len(origin)),
            jac=True,
            method="L-BFGS-B",
            options=dict(maxiter=max_iterations, maxcor=20, gtol=GRADIENT_TOLERANCE / 2, ftol=0),
        )
        return found.x, int(found.nit)

    def _deviations(self, parameters: Parameters) -> FloatArray:
        """Return 1/√ of each parameter's expected information, the abilities taken as known."""
        c = self.comparisons
        a, b1, b2 = parameters.a[c.judge], parameters.b1[c.segment], parameters.b2[c.segment]
        theta = np.repeat(self.ability, np.diff(c.start))
        to_1, to_2 = theta - b1, theta - b2
        above_1, above_2 = expit(a * to_1), expit(a * to_2)
        slope_1, slope_2 = above_1 * (1 - above_1), above_2 * (1 - above_2)
        loses, ties, wins = (np.maximum(p, 1e-6) for p in (1 - above_1, above_1 - above_2, above_2))

        def information(by_1: FloatArray, by_2: FloatArray) -> FloatArray:
            change_1, change_2 = by_1 * slope_1, by_2 * slope_2
            return np.asarray(
                c.weight
                * (change_1**2 / loses + (change_1 - change_2) ** 2 / ties + change_2**2 / wins)
            )

        gap = parameters.b2 - parameters.b1
        by_a = np.bincount(c.judge, information(a * to_1, a * to_2), c.n_judges)
        by_b1 = np.bincount(c.segment, information(a, a), c.n_segments)
        by_gap = np.bincount(c.segment, information(0 * a, a * (b2 - b1)), c.n_segments)
        (_, sd_1), (_, sd_2) = DIFFICULTY_PRIOR
        total = np.concatenate(
            [
                by_a + 1 / SENSITIVITY_PRIOR[1] ** 2,
                by_b1 + 1 / sd_1**2 + 1 / sd_2**2,
                by_gap + (gap / sd_2) ** 2 + self.estimation.barrier_gap,
            ]
        )
        return np.asarray(1 / np.sqrt(total))


def _log_normal(x: FloatArray, mean: float, sd: float, gradient: FloatArray) -> float:
    """Return Σ log N(x; mean, sd²) up to a constant; add its gradient."""
    gradient -= (x - mean) / sd**2
    return float(-(((x - mean) / sd) ** 2).sum() / 2)


@kernel
def _log_sigmoid(z):  # type: ignore[no-untyped-def]
    """Return log σ(z) and its derivative, 1 - σ(z)."""
    small = math.exp(-abs(z))
    if z > 0.0:
        return -math.log1p(small), small / (1.0 + small)
    return z - math.log1p(small), 1.0 / (1.0 + small)


@kernel
def _log_chance(grade, z_1, z_2):  # type: ignore[no-untyped-def]
    """Return log P(grade), but for what does not depend on θ, and its derivatives by z1 and z2."""
    log_chance, at_1, at_2 = 0.0, 0.0, 0.0
    if grade < 2:
        sign = -1.0 if grade == 0 else 1.0
        log_chance, at_1 = _log_sigmoid(sign * z_1)
        at_1 *= sign
    if grade > 0:
        sign = -1.0 if grade == 1 else 1.0
        log_above, at_2 = _log_sigmoid(sign * z_2)
        log_chance += log_above
        at_2 *= sign
    return log_chance, at_1, at_2


@kernel
def _find_mode(  # type: ignore[no-untyped-def]
    first, last, judge, segment, grade, weight, a, b1, b2, tau, ability
):
    """Return the mode of one system's log posterior and its curvature there; nan if not found.

    A tie's term is log σ(z1) + log σ(-z2) + a constant in θ, so every term is concave. A Newton
    step that leaves the bracket set by the signs of the slopes is replaced by bisection.
    """
    low, high = -np.inf, np.inf
    for _ in range(200):
        slope, bend = -ability / tau**2, -1.0 / tau**2
        for m in range(first, last):
            if weight[m] == 0.0:
                continue
            s = a[judge[m]]
            if grade[m] > 0:
                b = b2[segment[m]] if grade[m] == 2 else b1[segment[m]]
                p = 1.0 / (1.0 + math.exp(-s * (ability - b)))
                slope += weight[m] * s * (1.0 - p)
                bend -= weight[m] * s * s * p * (1.0 - p)
            if grade[m] < 2:
                b = b1[segment[m]] if grade[m] == 0 else b2[segment[m]]
                p = 1.0 / (1.0 + math.exp(-s * (ability - b)))
                slope -= weight[m] * s * p
                bend -= weight[m] * s * s * p * (1.0 - p)
        step = -slope / bend
        if abs(step) < 1e-9 * (1.0 + abs(ability)):
            return ability + step, -bend
        if slope > 0.0:
            low = ability
        else:
            high = ability
        ability += step
        if ability <= low or ability >= high:
            if math.isinf(low) or math.isinf(high):
                return np.nan, np.nan
            ability = (low + high) / 2.0
    return np.nan, np.nan


@kernel
def _marginal_log_likelihood(  # type: ignore[no-untyped-def]
    start, judge, segment, grade, weight, a, b1, b2, tau, nodes, log_weights, ability, width,
    refresh, by_a, by_b1, by_b2,
):  # fmt: skip
    """Return Σ_i log ∫ Π P(grade | θ) N(θ; 0, τ²) dθ; add its gradient by log a, b1 and b2.

    ``refresh`` updates ``ability`` and ``width`` to each system's mode and posterior deviation.
    """
    n_nodes = len(nodes)
    log_joint, theta = np.empty(n_nodes), np.empty(n_nodes)
    # d log P / dz1 and d log P / dz2 of every comparison of one system at every node.
    longest = np.max(start[1:] - start[:-1])
    along_1, along_2 = np.empty((longest, n_nodes)), np.empty((longest, n_nodes))
    # exp(-a θ) of every judge at the nodes of one system; ``table_of`` is the system.
    decay, table_of = np.empty((len(a), n_nodes)), np.full(len(a), -1)
    value = 0.0
    for i in range(len(start) - 1):
        first, last = start[i], start[i + 1]
        if refresh:
            mode, curvature = _find_mode(
                first, last, judge, segment, grade, weight, a, b1, b2, tau, ability[i]
            )
            if math.isnan(mode):
                return np.nan
            ability[i], width[i] = mode, 1.0 / math.sqrt(curvature)
        product, factor, spent = np.ones(n_nodes), np.ones(n_nodes), 0.0
        for t in range(n_nodes):
            theta[t] = ability[i] + math.sqrt(2.0) * width[i] * nodes[t]
            log_joint[t] = log_weights[t] - theta[t] * theta[t] / (2.0 * tau * tau)
        farthest = np.abs(theta).max()
        for m in range(first, last):
            if weight[m] == 0.0:
                continue
            k, s, lower, upper = judge[m], a[judge[m]], b1[segment[m]], b2[segment[m]]
            # No factor of the chance is below e^-reach at any node.
            reach = 2.0 * (1.0 + s * (farthest + max(abs(lower), abs(upper))))
            if weight[m] * reach > MOST_SPENT or weight[m] != int(weight[m]):
                for t in range(n_nodes):
                    log_chance, at_1, at_2 = _log_chance(
                        grade[m], s * (theta[t] - lower), s * (theta[t] - upper)
                    )
                    log_joint[t] += weight[m] * log_chance
                    along_1[m - first, t], along_2[m - first, t] = at_1, at_2
                continue
            if table_of[k] != i:
                table_of[k] = i
                for t in range(n_nodes):
                    decay[k, t] = math.exp(-s * theta[t])
            spent += weight[m] * reach
            if spent > MOST_SPENT:
                for t in range(n_nodes):
                    log_joint[t] += math.log(product[t])
                    product[t] = 1.0
                spent = weight[m] * reach
            odds_1, odds_2 = math.exp(s * lower), math.exp(s * upper)
            for t in range(n_nodes):
                # σ(-z) = e σ(z) with e = exp(-z) = exp(a b) exp(-a θ).
                e_1, e_2 = odds_1 * decay[k, t], odds_2 * decay[k, t]
                above_1, above_2 = 1.0 / (1.0 + e_1), 1.0 / (1.0 + e_2)
                at_1, at_2, chance = 0.0, 0.0, 1.0
                if grade[m] < 2:
                    at_1 = -above_1 if grade[m] == 0 else e_1 * above_1
                    chance = e_1 * above_1 if grade[m] == 0 else above_1
                if grade[m] > 0:
                    at_2 = -above_2 if grade[m] == 1 else e_2 * above_2
                    chance *= e_2 * above_2 if grade[m] == 1 else above_2
                along_1[m - first, t], along_2[m - first, t] = at_1, at_2
                factor[t] = chance
            for _ in range(int(weight[m])):
                for t in range(n_nodes):
                    product[t] *= factor[t]
        for t in range(n_nodes):
            log_joint[t] += math.log(product[t])
        highest = log_joint.max()
        total = 0.0
        for t in range(n_nodes):
            log_joint[t] = math.exp(log_joint[t] - highest)
            total += log_joint[t]
        value += highest + math.log(total) + math.log(width[i] / tau) - math.log(math.pi) / 2.0
        log_joint /= total
        for m in range(first, last):
            if weight[m] == 0.0:
                continue
            s, lower, upper = a[judge[m]], b1[segment[m]], b2[segment[m]]
            # Means over θ of d log P / dz1, of d log P / dz2, and of both times θ.
            mean_1, mean_2, mean_theta = 0.0, 0.0, 0.0
            for t in range(n_nodes):
                pull_1 = log_joint[t] * along_1[m - first, t]
                pull_2 = log_joint[t] * along_2[m - first, t]
                mean_1 += pull_1
                mean_2 += pull_2
                mean_theta += (pull_1 + pull_2) * theta[t]
            slope_a = s * (mean_theta - lower * mean_1 - upper * mean_2)
            slope_1, slope_2 = -s * mean_1, -s * mean_2
            if grade[m] == 1:
                # log(1 - exp(-a (b2 - b1))), the part of a tie that does not depend on θ.
                gap = s * (upper - lower)
                value += weight[m] * math.log(-math.expm1(-gap))
                pull = 1.0 / math.expm1(gap)
                slope_a += gap * pull
                slope_1 -= s * pull
                slope_2 += s * pull
            by_a[judge[m]] += weight[m] * slope_a
            by_b1[segment[m]] += weight[m] * slope_1
            by_b2[segment[m]] += weight[m] * slope_2
    return value
