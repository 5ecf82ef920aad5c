"""Scoring steps for the graded response model: few of them lead from one fit to a resample's.

The information of log a, b1 and log(b2 - b1) given the abilities falls apart into a 2×2 block for
each segment once judges are held, and the abilities' own into one number each. So segments and
abilities are eliminated, and what is left to solve is as large as there are judges and systems:

    I = Σ_m w_m J_mᵀ Z_m J_m + priors,   Z_m = -∂² log P(grade) / ∂(z1, z2)²,   z = a (θ - b),

J_m the derivatives of (z1, z2) by the parameters and θ. Z is positive definite since log P is
concave in (z1, z2); what bends in z itself averages out and is left out, so that a step is no
Newton step, but each is several times shorter than the one before.
"""

from __future__ import annotations

import math

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import NotConvergedError
from analysis.kernel import kernel
from analysis.rankers.graded_response.likelihood import (
    DIFFICULTY_PRIOR,
    SENSITIVITY_PRIOR,
    MarginalPosterior,
    Parameters,
)

MOST_STEPS = 30
GAIN = 0.5
"""What a step may still promise when it is the last: twice what the log posterior then lacked.

Thousands of parameters share it, so that abilities are off by a few thousandths."""

LONGEST = 3.0
"""How far a step moves a parameter at most, in logits or logarithms."""

OVERSHOT = 0.3
"""How steeply a step may lead down at its end, as a share of how steeply it led up."""


def refit_near(posterior: MarginalPosterior, start: Parameters) -> Parameters | None:
    """Return the mode near the one of other weights, abilities and widths set; None if not found.

    A step that goes far beyond the top of its line is cut there, and one that is very long before.
    """
    n_judges = posterior.comparisons.n_judges
    vector = start.to_vector()
    _, gradient = posterior.evaluate(vector)
    for _ in range(MOST_STEPS):
        step = scoring_step(posterior, vector, gradient)
        promised = float(gradient @ step)
        if promised < GAIN:
            found = Parameters.from_vector(vector + step, n_judges)
            posterior.find_abilities(found)
            return found
        step *= min(1.0, LONGEST / float(np.abs(step).max()))
        try:
            _, reached = posterior.evaluate(vector + step)
            beyond = float(reached @ step)
            if beyond < -OVERSHOT * promised:
                step *= promised / (promised - beyond)
                _, reached = posterior.evaluate(vector + step)
        except NotConvergedError:
            return None
        vector, gradient = vector + step, reached
    return None


def scoring_step(
    posterior: MarginalPosterior, vector: FloatArray, gradient: FloatArray
) -> FloatArray:
    """Return I⁻¹ times the gradient by log a, b1 and log(b2 - b1), at the posterior's abilities."""
    c, ability = posterior.comparisons, posterior.ability
    log_a = vector[: c.n_judges]
    b1, log_gap = vector[c.n_judges :].reshape(2, c.n_segments)
    gap = np.exp(log_gap)
    (_, sd_1), (_, sd_2) = DIFFICULTY_PRIOR
    own = (gap / sd_2) ** 2 + posterior.estimation.barrier_gap
    blocks = np.stack(
        [np.full(c.n_segments, 1 / sd_1**2 + 1 / sd_2**2), gap / sd_2**2, own], axis=1
    )
    corner = np.diag(
        np.repeat([1 / SENSITIVITY_PRIOR[1] ** 2, 1 / posterior.tau**2], [c.n_judges, len(ability)])
    )
    rims = np.zeros((len(c.judge), 4))
    _add_information(
        c.start, c.judge, c.segment, c.grade, c.weight, np.exp(log_a), b1, gap, ability, corner,
        blocks, rims,
    )  # fmt: skip
    inverse = np.stack([blocks[:, 2], -blocks[:, 1], blocks[:, 0]], axis=1)
    inverse /= (blocks[:, 0] * blocks[:, 2] - blocks[:, 1] ** 2)[:, None]
    pull = gradient[c.n_judges :].reshape(2, c.n_segments).T.copy()
    right = np.concatenate([gradient[: c.n_judges], np.zeros(len(ability))])
    columns = np.stack([c.judge, c.n_judges + c.system], axis=1)
    _eliminate(*c.of_segment, columns, rims, inverse, pull, corner, right)
    solved = np.linalg.solve(corner, right)
    at_judge, at_system = solved[columns].T
    for k in range(2):
        moved = rims[:, k] * at_judge + rims[:, 2 + k] * at_system
        pull[:, k] -= np.bincount(c.segment, moved, c.n_segments)
    by_b1 = inverse[:, 0] * pull[:, 0] + inverse[:, 1] * pull[:, 1]
    by_gap = inverse[:, 1] * pull[:, 0] + inverse[:, 2] * pull[:, 1]
    return np.concatenate([solved[: c.n_judges], by_b1, by_gap])


@kernel
def _add_information(  # type: ignore[no-untyped-def]
    start, judge, segment, grade, weight, a, b1, gap, ability, corner, blocks, rims
):
    """Add every comparison's information: of judges and abilities, of segments, and across.

    ``rims`` is filled with that of a comparison's b1 and log gap with its judge, then with its
    system.
    """
    n_judges = len(a)
    for i in range(len(start) - 1):
        place = n_judges + i
        for m in range(start[i], start[i + 1]):
            if weight[m] == 0.0:
                continue
            k, j, w = judge[m], segment[m], weight[m]
            z1 = a[k] * (ability[i] - b1[j])
            between = a[k] * gap[j]
            z2 = z1 - between
            bend_1, bend_2, tied = 0.0, 0.0, 0.0
            if grade[m] < 2:
                p = 1.0 / (1.0 + math.exp(-z1))
                bend_1 = p * (1.0 - p)
            if grade[m] > 0:
                p = 1.0 / (1.0 + math.exp(-z2))
                bend_2 = p * (1.0 - p)
            if grade[m] == 1:
                rest = -math.expm1(-between)
                tied = (1.0 - rest) / (rest * rest)
            i11, i22, i12 = w * (bend_1 + tied), w * (bend_2 + tied), -w * tied
            # z1 and z2 move by log a: z1, z2; b1: -a, -a; log gap: 0, -between; θ: a, a
            s = a[k]
            by_b1, by_b2 = -s * (i11 + i12), -s * (i12 + i22)
            by_gap1, by_gap2 = -between * i12, -between * i22
            blocks[j, 0] += -s * (by_b1 + by_b2)
            blocks[j, 1] += -between * by_b2
            blocks[j, 2] += -between * by_gap2
            on_a = by_b1 * z1 + by_b2 * z2
            rims[m, 0], rims[m, 1] = on_a, by_gap1 * z1 + by_gap2 * z2
            rims[m, 2], rims[m, 3] = s * (by_b1 + by_b2), s * (by_gap1 + by_gap2)
            corner[k, k] += i11 * z1 * z1 + 2.0 * i12 * z1 * z2 + i22 * z2 * z2
            corner[place, place] += s * s * (i11 + 2.0 * i12 + i22)
            corner[k, place] -= on_a
            corner[place, k] -= on_a


@kernel
def _eliminate(  # type: ignore[no-untyped-def]
    start, order, columns, rims, inverse, pull, corner, right
):
    """Take from corner and right side what the segments' difficulties carry across.

    Few judges and systems meet on a segment, ``order[start[j]:start[j + 1]]`` its comparisons:
    their columns alone are gathered, and all others are empty.
    """
    across = np.zeros((len(right), 2))
    met, is_met = np.empty(len(right), dtype=np.int64), np.zeros(len(right), dtype=np.bool_)
    for j in range(len(start) - 1):
        n = 0
        for m in order[start[j] : start[j + 1]]:
            for one in range(2):
                column = columns[m, one]
                if not is_met[column]:
                    met[n], is_met[column] = column, True
                    n += 1
                across[column, 0] += rims[m, 2 * one]
                across[column, 1] += rims[m, 2 * one + 1]
        i11, i12, i22 = inverse[j]
        for row in met[:n]:
            r1, r2 = across[row]
            t1, t2 = i11 * r1 + i12 * r2, i12 * r1 + i22 * r2
            right[row] -= t1 * pull[j, 0] + t2 * pull[j, 1]
            for column in met[:n]:
                corner[row, column] -= t1 * across[column, 0] + t2 * across[column, 1]
        for column in met[:n]:
            across[column] = 0.0
            is_met[column] = False
