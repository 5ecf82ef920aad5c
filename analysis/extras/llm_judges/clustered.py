"""Variances of sums over rows that belong together, by the one definition of `ranking.uncertainty`.

Row r adds the vector ψ_r to an estimate. Rows of one item, of one segment and of one judge are not
independent, so for each of these units u, with u_g the sum over the rows of its group g,

    C_u = Σ_g (u_g - ū)(u_g - ū)ᵀ,

and `Uncertainty` puts the units together. Rows may come in several *parts* with coordinates of
their own (votes of people, the machine's votes on the same items, all of its votes): then C_u is
that of all coordinates, and any estimate that is linear in them has its variance from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from analysis.campaign import FloatArray, IntArray
from analysis.ranking.covariance import Unit, UnitCovariance, number_alike
from analysis.ranking.uncertainty import Uncertainty


@dataclass(frozen=True, eq=False)
class Part:
    """What rows add to coordinates, ``added[N, D]``, and their groups by unit.

    Groups are numbers of any kind that all parts share: equal numbers belong together.
    """

    added: sparse.csr_array
    groups: Mapping[Unit, IntArray]


def gram(parts: Sequence[Part], unit: Unit) -> FloatArray:
    """Return C_u[D, D] over the coordinates of all parts, one part's after the other's.

    A group that holds a large share w of its part's rows is taken times (1 - 1/G)/(1 - w), as in
    `ranking.covariance`.
    """
    _, codes = np.unique(np.concatenate([p.groups[unit] for p in parts]), return_inverse=True)
    n_groups = int(codes.max()) + 1
    bounds = np.cumsum([0] + [len(part.groups[unit]) for part in parts])
    sums = []
    for part, first, last in zip(parts, bounds[:-1], bounds[1:], strict=True):
        own = codes[first:last]
        factor = _factor(np.bincount(own, minlength=n_groups))
        rows = np.arange(last - first)
        gather = sparse.csr_array((factor[own], (own, rows)), shape=(n_groups, last - first))
        sums.append(gather @ part.added)
    joined = sparse.hstack(sums, format="csr")
    total = np.asarray(joined.sum(axis=0)).ravel()
    squares = (joined.T @ joined).toarray()
    return np.asarray(squares - np.outer(total, total) / n_groups)


def _factor(sizes: IntArray) -> FloatArray:
    """Return (1 - 1/G)/(1 - w) of each group by its number of rows; 0 if it has all of them."""
    n, n_groups = sizes.sum(), max(int(np.count_nonzero(sizes)), 1)
    rest = n - sizes
    return np.divide(n * (1 - 1 / n_groups), rest, out=np.zeros(len(sizes)), where=rest > 0)


def uncertainty_of_sum(
    added: FloatArray, groups: Mapping[Unit, IntArray], least: float = 0.0
) -> Uncertainty:
    """Return the uncertainty of a sum over rows ``added[N]``, of ``least`` variance or more.

    Groups are small numbers: memory grows with the largest.
    """
    found = {}
    for unit, codes in groups.items():
        sizes = np.bincount(codes)
        sums = (_factor(sizes) * np.bincount(codes, added))[sizes > 0]
        if len(sums) > 1:
            squares = np.array([[sums @ sums - sums.sum() ** 2 / len(sums)]])
            found[unit] = UnitCovariance(squares, len(sums), number_alike(sizes[sizes > 0]))
    nothing = np.zeros((1, 1))
    known = found if "task" in found else {}
    return Uncertainty(known, {}, nothing, nothing, nothing + least, "closed form")
