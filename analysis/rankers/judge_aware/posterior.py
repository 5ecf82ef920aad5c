"""The posterior of abilities and of judges' traits, and its mode by Newton's method.

Unknown are θ of the systems and τ, which all judges share, and of each judge k its traits: the
sensitivity a_k, the side bias b_k and the readiness to tie t_k. A judgment of i, shown first, and j
by judge k is a win, a loss or a tie of i with weights

    exp(d/2),  exp(-d/2),  exp(τ + t_k),      d = a_k (θ_i - θ_j) + b_k.

Judgments count by cells: a judge and two systems in displayed order. The information is bordered:
judges' traits meet each other only through θ and τ,

    H = [[A, B], [Bᵀ, D]],   D = diag(D_1 … D_J), each 3×3,

so that a step costs little more than one with θ alone, by Schur's complement
A - Σ_k B_k D_k⁻¹ B_kᵀ. The posterior is concave in θ and in the traits, but not in both at once:
where the true curvature is none, the expected one takes its place.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, IntArray, Observations
from analysis.errors import NotConvergedError

MAX_STEPS = 200
TOLERANCE = 1e-9
"""Change of an ability or a trait below which a Newton step is the last."""
ROUNDING = 1e-13
"""How far rounding may move a log-posterior, for every judgment in it."""

TRAITS = 3
"""Sensitivity, side bias and readiness to tie."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Judgments added up: ``counts[C, 3]`` wins, ties and losses of the one shown first.

    ``judge``, ``left`` and ``right`` are [C]; ``of[N]`` is the cell of each judgment, ``kind[N]``
    its place among a cell's counts.
    """

    n_systems: int
    n_judges: int
    judge: IntArray
    left: IntArray
    right: IntArray
    counts: FloatArray
    of: IntArray
    kind: IntArray

    @classmethod
    def make(cls, facts: Observations, judge: IntArray, n_systems: int) -> Cells:
        """Add up judgments; ``judge`` is that of each of them, numbered from 0."""
        k = n_systems
        key = (judge.astype(np.int64) * k + facts.left) * k + facts.right
        cells, of = np.unique(key, return_inverse=True)
        kind = np.asarray(1 - facts.outcome.astype(np.int64))  # win 0, tie 1, loss 2
        made = cls(
            n_systems=k,
            n_judges=int(judge.max(initial=-1)) + 1,
            judge=cells // (k * k),
            left=cells // k % k,
            right=cells % k,
            counts=np.zeros((len(cells), 3)),
            of=of.astype(np.int64),
            kind=kind,
        )
        return made.weighted(np.ones(len(facts)))

    def weighted(self, weight: FloatArray) -> Cells:
        """Return the same cells where each judgment counts so often."""
        n = len(self.judge)
        counts = np.zeros(3 * n)
        counts += np.bincount(self.of * 3 + self.kind, weights=weight, minlength=3 * n)
        return dataclasses.replace(self, counts=counts.reshape(n, 3))


@dataclass(frozen=True, eq=False)
class State:
    """A point: abilities [K], τ, and traits [J, 3] (sensitivity, side bias, readiness to tie)."""

    abilities: FloatArray
    tau: float
    traits: FloatArray

    def moved(self, shared: FloatArray, traits: FloatArray, size: float) -> State:
        return State(
            self.abilities + size * shared[:-1],
            self.tau + size * float(shared[-1]),
            self.traits + size * traits,
        )


@dataclass(frozen=True, eq=False)
class Curvature:
    """Minus the second derivatives: ``shared[K+1, K+1]``, ``border[J, K+1, 3]``, ``own[J, 3, 3]``.

    ``loads[J, K+1, 3]`` is B_k D_k⁻¹: how far a judge's traits carry over.
    """

    shared: FloatArray
    border: FloatArray
    own: FloatArray
    loads: FloatArray
    complement: FloatArray

    @classmethod
    def of(cls, shared: FloatArray, border: FloatArray, own: FloatArray) -> Curvature:
        loads = np.asarray(np.linalg.solve(own, border.swapaxes(-1, -2)), dtype=np.float64)
        loads = loads.swapaxes(-1, -2)
        complement = shared - np.einsum("jat,jbt->ab", loads, border)
        return cls(shared, border, own, loads, complement)

    @property
    def inverse(self) -> FloatArray:
        """The inverse of the whole, where it is of θ and τ."""
        return np.asarray(np.linalg.inv(self.complement))

    @property
    def is_positive(self) -> bool:
        """Whether the point is the top of a hill; each judge's own block always is."""
        return bool(np.linalg.eigvalsh(self.complement)[0] > 0)

    def solve(self, shared: FloatArray, traits: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the Newton step for a gradient."""
        rest = shared - np.einsum("jat,jt->a", self.loads, traits)
        step = np.linalg.solve(self.complement, rest)
        left = traits - np.einsum("jat,a->jt", self.border, step)
        return step, np.linalg.solve(self.own, left[..., None])[..., 0]

    def trait_deviations(self) -> FloatArray:
        """Return the standard deviations [J, 3] of the traits, from the inverse of the whole."""
        inverse = np.linalg.inv(self.own)
        through = np.einsum(
            "jat,ab,jbt->jt", self.loads, np.linalg.inv(self.complement), self.loads
        )
        return np.sqrt(np.diagonal(inverse, axis1=1, axis2=2) + through)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Cells with their priors; ``times[J]`` is how many judges each one stands for.

    Standard deviations: ``ability`` of θ and τ, ``spread[3]`` of the traits about 1, 0 and 0.
    """

    cells: Cells
    ability: float
    spread: FloatArray
    times: FloatArray

    @property
    def usual(self) -> FloatArray:
        """The traits of a judge of whom nothing is known."""
        return np.array([1.0, 0.0, 0.0])

    def start(self) -> State:
        """Return the point where all judges are alike and all systems, too."""
        k, j = self.cells.n_systems, self.cells.n_judges
        return State(np.zeros(k), 0.0, np.tile(self.usual, (j, 1)))

    def work(self) -> FloatArray:
        """Return each judge's share [J] of the judgments."""
        c = self.cells
        done = np.bincount(c.judge, weights=c.counts.sum(axis=1), minlength=c.n_judges)
        return np.asarray(done / done.sum())

    def chances(self, at: State) -> FloatArray:
        """Return P(win), P(tie) and P(loss) [C, 3] of each cell."""
        return chances(self._lead(at), self._tie(at))

    def _lead(self, at: State) -> FloatArray:
        c = self.cells
        gap = at.abilities[c.left] - at.abilities[c.right]
        return np.asarray(at.traits[c.judge, 0] * gap + at.traits[c.judge, 1])

    def _tie(self, at: State) -> FloatArray:
        return np.asarray(at.tau + at.traits[self.cells.judge, 2])

    def value(self, at: State) -> float:
        """Return the log-posterior, up to a constant."""
        d, tie = self._lead(at), self._tie(at)
        counts = self.cells.counts
        total = np.logaddexp(np.logaddexp(d / 2, -d / 2), tie)
        likelihood = (counts[:, 0] - counts[:, 2]) * d / 2 + counts[:, 1] * tie
        value = float((likelihood - counts.sum(axis=1) * total).sum())
        shared = float((at.abilities**2).sum() + at.tau**2) / self.ability**2
        own = self.times @ (((at.traits - self.usual) / self.spread) ** 2).sum(axis=1)
        return value - (shared + float(own)) / 2

    def slopes(self, at: State) -> tuple[FloatArray, FloatArray]:
        """Return the gradient by θ and τ [K+1], and by the traits [J, 3]."""
        c = self.cells
        counts, p = c.counts, self.chances(at)
        n = counts.sum(axis=1)
        by_lead = (counts[:, 0] - counts[:, 2] - n * (p[:, 0] - p[:, 2])) / 2
        by_tie = counts[:, 1] - n * p[:, 1]
        sensitivity = at.traits[c.judge, 0]
        gap = at.abilities[c.left] - at.abilities[c.right]
        shared = np.append(self._lent(sensitivity * by_lead), by_tie.sum())
        shared -= np.append(at.abilities, at.tau) / self.ability**2
        traits = self._by_judge(np.stack([by_lead * gap, by_lead, by_tie], axis=1))
        traits -= self.times[:, None] * (at.traits - self.usual) / self.spread**2
        return shared, traits

    def curvature(self, at: State, expected: bool = False) -> Curvature:
        """Return the true curvature, or the ``expected`` one, which is always positive."""
        c, k = self.cells, self.cells.n_systems
        p = self.chances(at)
        n, tie, lead = c.counts.sum(axis=1), p[:, 1], p[:, 0] - p[:, 2]
        dd, tt, dt = n * (1 - tie - lead**2) / 4, n * tie * (1 - tie), -n * lead * tie / 2
        a = at.traits[c.judge, 0]
        gap = at.abilities[c.left] - at.abilities[c.right]
        miss = 0.0 if expected else (c.counts[:, 0] - c.counts[:, 2] - n * lead) / 2

        shared = np.zeros((k + 1, k + 1))
        between = np.bincount(c.left * k + c.right, weights=a**2 * dd, minlength=k * k)
        between = between.reshape(k, k) + between.reshape(k, k).T
        shared[:k, :k] = np.diag(between.sum(axis=1)) - between
        shared[:k, k] = shared[k, :k] = self._lent(a * dt)
        shared[k, k] = tt.sum()
        shared[np.diag_indices(k + 1)] += 1 / self.ability**2

        border = np.empty((c.n_judges, k + 1, TRAITS))
        for trait, column in enumerate((a * gap * dd - miss, a * dd, a * dt)):
            border[:, :k, trait] = self._lent_by_judge(column)
        border[:, k] = self._by_judge(np.stack([gap * dt, dt, tt], axis=1))

        rows = [gap**2 * dd, gap * dd, gap * dt, gap * dd, dd, dt, gap * dt, dt, tt]
        own = self._by_judge(np.stack(rows, axis=1)).reshape(-1, TRAITS, TRAITS)
        own += self.times[:, None, None] * np.diag(1 / self.spread**2)
        return Curvature.of(shared, border, own)

    def _lent(self, column: FloatArray) -> FloatArray:
        """Add a column of the cells up by system: to the one shown first, from the other."""
        c, k = self.cells, self.cells.n_systems
        first = np.bincount(c.left, weights=column, minlength=k)
        return np.asarray(first - np.bincount(c.right, weights=column, minlength=k))

    def _lent_by_judge(self, column: FloatArray) -> FloatArray:
        """Do the same for each judge: [J, K]."""
        c, k = self.cells, self.cells.n_systems
        of_first, of_other = (
            np.bincount(c.judge * k + side, weights=column, minlength=c.n_judges * k)
            for side in (c.left, c.right)
        )
        return np.asarray((of_first - of_other).reshape(c.n_judges, k))

    def _by_judge(self, columns: FloatArray) -> FloatArray:
        c = self.cells
        return np.stack(
            [np.bincount(c.judge, weights=w, minlength=c.n_judges) for w in columns.T], axis=1
        )

    def mode(self, start: State | None = None) -> State:
        """Climb to the mode; a step that leads down is halved."""
        at = start or self.start()
        value = self.value(at)
        noise = ROUNDING * (1 + float(self.cells.counts.sum()))
        for _ in range(MAX_STEPS):
            curvature = self.curvature(at)
            if not curvature.is_positive:
                curvature = self.curvature(at, expected=True)
            shared, traits = curvature.solve(*self.slopes(at))
            largest = max(np.abs(shared).max(), np.abs(traits).max(initial=0))
            if largest < TOLERANCE:
                return at
            size = 1.0
            reached = at.moved(shared, traits, size)
            while (new := self.value(reached)) < value - noise and size > ROUNDING:
                size /= 2
                reached = at.moved(shared, traits, size)
            at, value = reached, new
        raise NotConvergedError(
            "Judge-aware Bradley–Terry",
            f"after {MAX_STEPS} Newton steps an ability or a trait still moved by {largest:.2g}",
            "Make the priors narrower, or leave out judges and systems with few judgments.",
        )


def chances(lead: FloatArray, tie: FloatArray) -> FloatArray:
    """Return P(win), P(tie) and P(loss) [..., 3], by d and the logarithm of a tie's weight."""
    lead, tie = np.broadcast_arrays(lead, tie)
    logarithms = np.stack([lead / 2, tie, -lead / 2], axis=-1)
    weights = np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
