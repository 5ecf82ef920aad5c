"""Bradley–Terry modes of resamples, each by a few Newton steps from the mode of the whole.

A resample's mode lies near that of all judgments, and its curvature there is nearly the whole's.
So the whole's information, factorized once, serves all resamples, as long as each step is three
times shorter than the one before; else that of the resample is made where the steps have led.
Chances need no exponential for each pair: with E_i = exp(θ_i/2) and T = exp τ,

    half:        P(i beats j) = E_i² / (E_i² + E_j²)
    Davidson:    P(win), P(tie) = (E_i², T E_i E_j) / (E_i² + T E_i E_j + E_j²)
    Rao–Kupper:  P(win) = E_i² / (E_i² + T E_j²)

`analysis.rankers.bradley_terry` derives the same in NumPy, and takes over where these steps fail.
"""

from __future__ import annotations

import math

import numpy as np

from analysis.kernel import kernel

HALF, DAVIDSON, RAO_KUPPER = 0, 1, 2
CLOSE = 5e-9
"""Change of an ability, in log-odds, below which a step is the last: those left come to half."""
MOST_STEPS = 40
FASTER = 0.3
"""How much shorter than the one before a step must be for the factor to serve another one."""

TILE = 32
"""Rows and columns that are read together, so that columns stay in the fast memory, too."""

_SUMS = {"reassoc", "contract"}
"""Sums may be taken in another order; nothing else may be assumed of numbers."""


@kernel(fastmath=_SUMS)
def mode_near(cells, start, factor, kind, precision, mode, met):  # type: ignore[no-untyped-def]
    """Find the mode of one table of wins[K, K] and ties[K, K]; return whether it was reached.

    ``start[K + 1]`` is where to begin: θ and τ; ``factor`` is of the information there of a table
    like this one, see `factor_at`. ``precision`` is the prior's, 1/s². ``mode`` is filled with θ
    and τ, ``met`` with how often each system was compared.
    """
    n = len(start) - 1
    wins, ties = cells[: n * n].reshape((n, n)), cells[n * n :].reshape((n, n))
    won = np.empty((n, n) if kind == RAO_KUPPER else (0, 0))
    compared, net = np.empty((n, n)), np.zeros(n)
    met[:] = 0.0
    n_ties = _collect(wins, ties, kind, won, compared, net, met)
    gradient = np.empty(n + 1)
    mode[:] = start
    anew, before = False, np.inf
    for _ in range(MOST_STEPS):
        if anew:
            factor = np.empty((n + 1, n + 1))
        if kind == RAO_KUPPER:
            _threshold_slopes(won, n_ties, mode, precision, anew, gradient, factor)
        else:
            _slopes(net, compared, n_ties, mode, kind, precision, anew, gradient, factor)
        if anew and not _factorize(factor):
            return False
        _solve(factor, gradient)
        length = np.abs(gradient).max()
        if not length < 1e3 or (kind == RAO_KUPPER and mode[n] + gradient[n] <= 0.0):
            return False
        mode += gradient
        if length < CLOSE:
            return True
        anew = length > FASTER * before
        before = length
    return False


@kernel(fastmath=_SUMS)
def _collect(wins, ties, kind, won, compared, net, met):  # type: ignore[no-untyped-def]
    """Read the tables, tile by tile; return how many ties there are.

    ``compared`` is filled below its diagonal, ``net`` with a system's wins and half of its ties,
    or for Davidson's model with its wins less its losses. ``won`` counts ties as won, for Rao and
    Kupper's.
    """
    n, n_ties = len(wins), 0.0
    tied_is = 0.5 if kind == HALF else 0.0
    lost_is = 1.0 if kind == DAVIDSON else 0.0
    for row in range(0, n, TILE):
        for column in range(0, row + 1, TILE):
            for i in range(row, min(row + TILE, n)):
                for j in range(column, min(column + TILE, i)):
                    win, loss, tied = wins[i, j], wins[j, i], ties[i, j] + ties[j, i]
                    compared[i, j] = win + loss + tied
                    met[i] += win + loss + tied
                    met[j] += win + loss + tied
                    net[i] += win + tied_is * tied - lost_is * loss
                    net[j] += loss + tied_is * tied - lost_is * win
                    n_ties += tied
                    if kind == RAO_KUPPER:
                        won[i, j], won[j, i] = win + tied, loss + tied
    return n_ties


@kernel(fastmath=_SUMS)
def _slopes(  # type: ignore[no-untyped-def]
    net, compared, n_ties, x, kind, precision, anew, gradient, information
):
    """Fill the gradient and, where it is wanted anew, the information: without thresholds."""
    n = len(net)
    e, squared = np.exp(x[:n] / 2.0), np.exp(x[:n])
    weight = math.exp(x[n]) if kind == DAVIDSON else 0.0
    share = 0.5 if kind == DAVIDSON else 1.0
    lost = 1.0 if kind == DAVIDSON else 0.0
    expected, curved, cross = np.zeros(n), np.zeros(n), np.zeros(n)
    all_ties, bend = 0.0, 0.0
    for i in range(n):
        met, row = compared[i], information[i]
        mine, mine_squared = e[i], squared[i]
        of_i = 0.0
        for j in range(i):
            between = weight * mine * e[j]
            per_weight = met[j] / (mine_squared + squared[j] + between)
            of_i += per_weight * (mine_squared - lost * squared[j])
            expected[j] += per_weight * (squared[j] - lost * mine_squared)
            all_ties += per_weight * between
        expected[i] += of_i
        if not anew:
            continue
        own, leaning = 0.0, 0.0
        for j in range(i):
            between = weight * mine * e[j]
            total = 1.0 / (mine_squared + squared[j] + between)
            tie, lead = between * total, (mine_squared - squared[j]) * total
            curve = met[j] * (1.0 - tie - lead * lead) / 4.0
            row[j] = -curve
            own += curve
            curved[j] += curve
            leaning += met[j] * lead * tie
            cross[j] += met[j] * lead * tie
            bend += met[j] * tie * (1.0 - tie)
        curved[i] += own
        cross[i] -= leaning
    for i in range(n):
        gradient[i] = share * (net[i] - expected[i]) - precision * x[i]
    gradient[n] = -precision * x[n]
    if kind == DAVIDSON:
        gradient[n] += n_ties - all_ties
    if anew:
        for i in range(n):
            information[i, i] = curved[i] + precision
            information[n, i] = cross[i] / 2.0
        information[n, n] = bend + precision


@kernel(fastmath=_SUMS)
def _threshold_slopes(  # type: ignore[no-untyped-def]
    won, n_ties, x, precision, anew, gradient, information
):
    """Fill gradient and information of Rao and Kupper's model."""
    n = len(won)
    f, tau = np.exp(x[:n]), x[n]
    kappa = math.exp(tau)
    by_tau, bend = 0.0, 0.0
    gradient[:] = 0.0
    if anew:
        information[:] = 0.0
    for i in range(n):
        for j in range(i):
            chance, turned = f[i] / (f[i] + kappa * f[j]), f[j] / (f[j] + kappa * f[i])
            missed, missed_turned = won[i, j] * (1.0 - chance), won[j, i] * (1.0 - turned)
            gradient[i] += missed - missed_turned
            gradient[j] -= missed - missed_turned
            by_tau -= missed + missed_turned
            if anew:
                curved, curved_turned = missed * chance, missed_turned * turned
                information[i, j] = -curved - curved_turned
                information[i, i] += curved + curved_turned
                information[j, j] += curved + curved_turned
                information[n, i] += curved_turned - curved
                information[n, j] += curved - curved_turned
                bend += curved + curved_turned
    rest = -math.expm1(-2.0 * tau)
    for i in range(n):
        gradient[i] -= precision * x[i]
    gradient[n] = by_tau + 2.0 * n_ties / rest - precision * tau + 1.0 / tau
    if anew:
        for i in range(n):
            information[i, i] += precision
        bend += 4.0 * n_ties * (1.0 - rest) / rest**2
        information[n, n] = bend + precision + 1.0 / tau**2


@kernel(fastmath=_SUMS)
def _factorize(matrix):  # type: ignore[no-untyped-def]
    """Replace the lower triangle by Cholesky's factor, its diagonal inverted; False if it has none.

    Four rows are made together, so that each row above them is read once for all four.
    """
    n = len(matrix)
    for i in range(0, n, 4):
        if i + 4 <= n:
            a, b, c, d = matrix[i], matrix[i + 1], matrix[i + 2], matrix[i + 3]
            for j in range(i):
                above = matrix[j]
                to_a, to_b, to_c, to_d = 0.0, 0.0, 0.0, 0.0
                for m in range(j):
                    to_a += a[m] * above[m]
                    to_b += b[m] * above[m]
                    to_c += c[m] * above[m]
                    to_d += d[m] * above[m]
                inverse = above[j]
                a[j] = (a[j] - to_a) * inverse
                b[j] = (b[j] - to_b) * inverse
                c[j] = (c[j] - to_c) * inverse
                d[j] = (d[j] - to_d) * inverse
        for r in range(i, min(i + 4, n)):
            row = matrix[r]
            for j in range(i if i + 4 <= n else 0, r + 1):
                above, total = matrix[j], 0.0
                for m in range(j):
                    total += row[m] * above[m]
                if j < r:
                    row[j] = (row[j] - total) * above[j]
                elif row[j] - total > 0.0:
                    row[j] = 1.0 / math.sqrt(row[j] - total)
                else:
                    return False
    return True


@kernel(fastmath=_SUMS)
def _solve(factor, b):  # type: ignore[no-untyped-def]
    """Replace ``b`` by the solution, with a factor as `_factorize` leaves it."""
    n = len(b)
    for i in range(n):
        total = 0.0
        for m in range(i):
            total += factor[i, m] * b[m]
        b[i] = (b[i] - total) * factor[i, i]
    for i in range(n - 1, -1, -1):
        b[i] *= factor[i, i]
        for m in range(i):
            b[m] -= factor[i, m] * b[i]
