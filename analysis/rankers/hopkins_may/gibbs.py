"""Hopkins & May, Gaussian, by sampling: independent pairs, shared items, and SPV14's procedure.

Both exact samplers draw what the judges saw, given the abilities, and then the abilities, given
what the judges saw. The second draw is joint over all systems: its precision is the same in every
iteration, so one Cholesky factor serves the whole chain.

References: Albert & Chib 1993, *Bayesian Analysis of Binary and Polychotomous Response Data*
(augmentation); Hopkins & May 2013; Sakaguchi, Post & Van Durme 2014, §2.2.

Draws from a normal distribution cut to what a judgment says: a win, a loss or a tie.

Exact rejection sampling with three proposals, each good where the others are not: the normal
itself, an exponential for tails, a uniform for narrow zones (Robert 1995, *Simulation of
Truncated Normal Variables*).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.campaign import TIE, WIN, FloatArray, IntArray, Judgments, PairCounts, Ragged
from analysis.campaign.counts import LOSS
from analysis.kernel import kernel


@dataclass(frozen=True)
class Plate:
    """HM13's constants: the prior's σ0, the outputs' σa, the judges' σobs and the radius d."""

    sigma0: float
    sigma_a: float
    sigma_obs: float
    radius: float

    @property
    def seen_sd(self) -> float:
        """Standard deviation of one seen quality around its system's ability."""
        return math.hypot(self.sigma_a, self.sigma_obs)


@dataclass(frozen=True, eq=False)
class Cells:
    """Judgments that are alike: ``n`` times system ``i`` met ``j``, and won or tied."""

    i: IntArray
    j: IntArray
    outcome: IntArray
    n: IntArray

    @classmethod
    def of(cls, counts: PairCounts) -> Cells:
        winner, loser = np.nonzero(counts.wins)
        a, b = np.nonzero(np.triu(counts.ties))
        n = np.concatenate([counts.wins[winner, loser], counts.ties[a, b]])
        return cls(
            i=np.concatenate([winner, a]),
            j=np.concatenate([loser, b]),
            outcome=np.repeat([WIN, TIE], [len(winner), len(a)]),
            n=n.astype(np.int64),
        )


def draw_with_pairs(
    counts: PairCounts, plate: Plate, start: FloatArray, iterations: int, rng: np.random.Generator
) -> FloatArray:
    """Return abilities[iterations, K], each pair's two qualities its own (SPV14's reading).

    With s² = 2(σa² + σobs²) and the seen differences D, the abilities have precision I/σ0² + L/s²,
    L the Laplacian of the comparison graph, and linear term Σ ±D / s².
    """
    cells = Cells.of(counts)
    scale = math.sqrt(2) * plate.seen_sd
    compared = counts.compared
    laplacian = np.diag(compared.sum(axis=1)) - compared
    precision = np.eye(len(start)) / plate.sigma0**2 + laplacian / scale**2

    def pull(abilities: FloatArray) -> FloatArray:
        total = np.zeros(len(abilities))
        _add_seen_differences(
            cells.i, cells.j, cells.outcome, cells.n, abilities, scale, plate.radius, total, rng
        )
        return total / scale**2

    return _draw_abilities(precision, pull, start, iterations, rng)


def draw_with_items(
    judgments: Judgments, plate: Plate, start: FloatArray, iterations: int, rng: np.random.Generator
) -> FloatArray:
    """Return abilities[iterations, K] where an output is one item wherever it stands (HM13).

    Item e, a segment's output, has quality q_e ~ N(μ, σa²), the same in all pairs and rankings;
    every pair sees its two items with fresh noise. With H the items' systems and L the comparison
    graph of a segment's items, its qualities have precision Q = diag(H1)/σa² + L/2σobs² given
    what was seen. They are integrated out for the draw of the abilities, then drawn.
    """
    items = Items.of(judgments)
    own, tied = 1 / plate.sigma_a**2, 1 / (2 * plate.sigma_obs**2)
    factors, precision = items.factorize(own, tied)
    precision += np.eye(judgments.n_systems) / plate.sigma0**2
    known = np.zeros(len(items.member_start) - 1)

    def pull(abilities: FloatArray) -> FloatArray:
        total = np.zeros(len(abilities))
        _sweep_segments(
            items.segment_start, items.row_start, items.first, items.second, items.outcome,
            items.member_start, items.members, factors, own, tied, plate.radius, abilities, known,
            total, rng,
        )  # fmt: skip
        return total

    return _draw_abilities(precision, pull, start, iterations, rng)


@dataclass(frozen=True, eq=False)
class Items:
    """The outputs of every segment and the judgments between them.

    Segment g has items ``segment_start[g]:segment_start[g+1]`` and judgments
    ``row_start[g]:row_start[g+1]`` of the items ``first`` and ``second``; they are the rows ``row``
    of the judgments. Item e was made by the systems ``members[member_start[e]:member_start[e+1]]``:
    usually one; several where they made the same output, which then is a draw from each of them.
    """

    segment_start: IntArray
    row_start: IntArray
    first: IntArray
    second: IntArray
    outcome: IntArray
    row: IntArray
    member_start: IntArray
    members: IntArray
    n_systems: int

    @classmethod
    def of(cls, judgments: Judgments) -> Items:
        k = judgments.n_systems
        made_by = [(s,) for s in range(k)] + list(judgments.groups)
        segment = judgments.task_segment[judgments.task].astype(np.int64)
        order = np.argsort(segment, kind="stable")
        ends = np.stack([judgments.left[order], judgments.right[order]]) + (
            segment[order] * len(made_by)
        )
        keys, item = np.unique(ends, return_inverse=True)
        members = Ragged.from_lists([made_by[c] for c in keys % len(made_by)], np.int64)
        return cls(
            segment_start=_starts(keys // len(made_by)),
            row_start=_starts(segment[order]),
            first=item.reshape(ends.shape)[0],
            second=item.reshape(ends.shape)[1],
            outcome=judgments.outcome[order],
            row=order,
            member_start=members.start,
            members=members.values,
            n_systems=k,
        )

    def factorize(self, own: float, tied: float) -> tuple[FloatArray, FloatArray]:
        """Return the Cholesky factors of all Q, one after the other, and the abilities' precision.

        The precision is Σ diag(Hᵀ1) own - own² HᵀQ⁻¹H over the segments: what seen differences
        alone say of the abilities.
        """
        precision = np.zeros((self.n_systems, self.n_systems))
        factors = []
        for g in range(len(self.row_start) - 1):
            a, b = self.segment_start[g], self.segment_start[g + 1]
            rows = slice(self.row_start[g], self.row_start[g + 1])
            systems = np.zeros((b - a, self.n_systems))
            sizes = np.diff(self.member_start[a : b + 1])
            made = self.members[self.member_start[a] : self.member_start[b]]
            systems[np.repeat(np.arange(b - a), sizes), made] = 1
            met = np.zeros((b - a, b - a))
            np.add.at(met, (self.first[rows] - a, self.second[rows] - a), tied)
            met += met.T
            quality = np.diag(sizes * own + met.sum(axis=1)) - met
            factors.append(np.linalg.cholesky(quality).ravel())
            spread = np.linalg.inv(quality)
            precision += np.diag(own * systems.sum(axis=0))
            precision -= own**2 * systems.T @ spread @ systems
        return np.concatenate(factors), precision


def _starts(labels: IntArray) -> IntArray:
    """Return where each run of equal labels starts, and the end."""
    changes = np.flatnonzero(np.diff(labels)) + 1
    return np.concatenate([[0], changes, [len(labels)]])


def _draw_abilities(
    precision: FloatArray,
    pull: Callable[[FloatArray], FloatArray],
    abilities: FloatArray,
    iterations: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Alternate between ``pull``, which draws what was seen and returns the linear term, and
    N(P⁻¹ pull, P⁻¹) for the abilities."""
    factor = np.linalg.cholesky(precision)
    draws = np.empty((iterations, len(abilities)))
    for iteration in range(iterations):
        mean = scipy.linalg.cho_solve((factor, True), pull(abilities))
        noise = rng.standard_normal(len(abilities))
        abilities = mean + scipy.linalg.solve_triangular(factor, noise, lower=True, trans="T")
        draws[iteration] = abilities
    return draws


def push_and_average(
    counts: PairCounts, plate: Plate, start: FloatArray, iterations: int, rng: np.random.Generator
) -> FloatArray:
    """Return centered abilities[iterations, K] of SPV14's procedure, as its §2.2 prints it.

    Every pass draws the two qualities q1 ~ N(μ1, σa²), q2 ~ N(μ2, σa²) of every judgment, without
    the judges' noise. With t = q1 - q2, both move by half of what they miss: after a win to t = d
    where t < d; after a tie to t = d where t > d, and to t = -d where t < -d. A system's new
    ability is the mean of all its qualities. There is no prior and no posterior: it is a fixed
    point with noise.
    """
    cells = Cells.of(counts)
    n_seen = counts.compared.sum(axis=1)
    met = n_seen > 0
    draws = np.empty((iterations, len(start)))
    abilities = start
    for iteration in range(iterations):
        total = np.zeros(len(abilities))
        _add_pushed_qualities(
            cells.i, cells.j, cells.outcome, cells.n, abilities, plate.sigma_a, plate.radius, total,
            rng,
        )  # fmt: skip
        abilities = np.divide(total, n_seen, out=np.zeros(len(total)), where=met)
        abilities = np.where(met, abilities - abilities[met].mean(), 0.0)
        draws[iteration] = abilities
    return draws


@kernel
def _add_seen_differences(i, j, outcome, n, abilities, scale, radius, total, rng):  # type: ignore[no-untyped-def]
    """Add every judgment's seen difference to the one system and take it from the other."""
    for cell in range(len(n)):
        mean = abilities[i[cell]] - abilities[j[cell]]
        seen = 0.0
        for _ in range(n[cell]):
            seen += draw_seen_difference(mean, scale, radius, outcome[cell], rng)
        total[i[cell]] += seen
        total[j[cell]] -= seen


@kernel
def _add_pushed_qualities(i, j, outcome, n, abilities, sd, radius, total, rng):  # type: ignore[no-untyped-def]
    """Add both qualities of every judgment, pushed to where the judgment allows them."""
    for cell in range(len(n)):
        for _ in range(n[cell]):
            first = abilities[i[cell]] + sd * rng.standard_normal()
            second = abilities[j[cell]] + sd * rng.standard_normal()
            difference = first - second
            allowed = max(difference, radius)
            if outcome[cell] == TIE:
                allowed = min(max(difference, -radius), radius)
            push = (allowed - difference) / 2.0
            total[i[cell]] += first + push
            total[j[cell]] += second - push


@kernel
def _sweep_segments(  # type: ignore[no-untyped-def]
    segment_start, row_start, first, second, outcome, member_start, members, factors, own, tied,
    radius, abilities, known, total, rng,
):  # fmt: skip
    """Draw qualities given abilities and the last seen differences, then new seen differences.

    ``known[e]`` is the seen differences' part of a quality's linear term, tied Σ ±D; ``total``
    receives own Hᵀ Q⁻¹ known, what they say of the abilities.
    """
    scale = 1.0 / math.sqrt(tied)
    quality = np.empty(len(known))
    at = 0
    for g in range(len(row_start) - 1):
        a, b = segment_start[g], segment_start[g + 1]
        factor = factors[at : at + (b - a) ** 2].reshape(b - a, b - a)
        at += (b - a) ** 2
        for e in range(a, b):
            quality[e] = known[e]
            for m in range(member_start[e], member_start[e + 1]):
                quality[e] += own * abilities[members[m]]
        _solve_lower(factor, quality[a:b])
        for e in range(a, b):
            quality[e] += rng.standard_normal()
            known[e] = 0.0
        _solve_upper(factor, quality[a:b])
        for row in range(row_start[g], row_start[g + 1]):
            e, f = first[row], second[row]
            difference = draw_seen_difference(
                quality[e] - quality[f], scale, radius, outcome[row], rng
            )
            known[e] += tied * difference
            known[f] -= tied * difference
        quality[a:b] = known[a:b]
        _solve_lower(factor, quality[a:b])
        _solve_upper(factor, quality[a:b])
        for e in range(a, b):
            for m in range(member_start[e], member_start[e + 1]):
                total[members[m]] += own * quality[e]


@kernel
def _solve_lower(factor, x):  # type: ignore[no-untyped-def]
    """Replace x by F⁻¹ x, F lower triangular."""
    for e in range(len(x)):
        for f in range(e):
            x[e] -= factor[e, f] * x[f]
        x[e] /= factor[e, e]


@kernel
def _solve_upper(factor, x):  # type: ignore[no-untyped-def]
    """Replace x by F⁻ᵀ x, F lower triangular."""
    for e in range(len(x) - 1, -1, -1):
        for f in range(e + 1, len(x)):
            x[e] -= factor[f, e] * x[f]
        x[e] /= factor[e, e]


@kernel
def draw_above(low, rng):  # type: ignore[no-untyped-def]
    """Draw z ~ N(0, 1) given z > low."""
    if low < 0.4:
        while True:
            z = rng.standard_normal()
            if z > low:
                return z
    rate = (low + math.sqrt(low * low + 4.0)) / 2.0
    while True:
        z = low - math.log(1.0 - rng.random()) / rate
        if rng.random() <= math.exp(-((z - rate) ** 2) / 2.0):
            return z


@kernel
def draw_between(low, high, rng):  # type: ignore[no-untyped-def]
    """Draw z ~ N(0, 1) given low < z < high."""
    if low + high < 0.0:
        return -_draw_between(-high, -low, rng)
    return _draw_between(low, high, rng)


@kernel
def _draw_between(low, high, rng):  # type: ignore[no-untyped-def]
    """Draw as `draw_between` does, for an interval whose middle is not negative."""
    width = high - low
    if width > 2.5 or (low > 0.0 and low * width > 1.5):
        while True:
            z = draw_above(low, rng)
            if z < high:
                return z
    nearest = max(low, 0.0)
    while True:
        z = low + width * rng.random()
        if rng.random() <= math.exp((nearest * nearest - z * z) / 2.0):
            return z


@kernel
def draw_seen_difference(mean, scale, radius, outcome, rng):  # type: ignore[no-untyped-def]
    """Draw D ~ N(mean, scale²) given its outcome: a win above radius, a loss below -radius."""
    if outcome == WIN:
        return mean + scale * draw_above((radius - mean) / scale, rng)
    if outcome == LOSS:
        return mean - scale * draw_above((radius + mean) / scale, rng)
    return mean + scale * draw_between((-radius - mean) / scale, (radius - mean) / scale, rng)
