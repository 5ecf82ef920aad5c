"""The search for orders of least cost, exactly.

An order costs Σ c(i, j) over all pairs with i placed above j, where c(i, j) > 0 says that the
evidence is against it: j beats i. Systems that beat each other in no circle need no search: the
strongly connected components of "beats" follow each other at no cost. Within a component of m
systems the least cost f of placing a set S below all others obeys

    f(S) = min over i in S of Σ_{j in S} c(i, j) + f(S without i),

which takes 2^m m steps; larger components go to an integer program.

References: Held & Karp 1962 (search of subsets); Grötschel, Jünger & Reinelt 1984, *A Cutting Plane
Algorithm for the Linear Ordering Problem*.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import scipy

from analysis.campaign import FloatArray, IntArray
from analysis.errors import NotConvergedError
from analysis.kernel import kernel

SEARCHED_SYSTEMS = 20
"""Systems in one component up to which all subsets are searched; past it, an integer program."""

MOST_SYSTEMS = 120
"""Systems in one component that an integer program takes: its rows grow with their third power,
and 100 systems fill .65 GB."""

EQUAL_COST = 1e-9
"""Costs that differ by less than this share of one are equal: sums of logarithms are rounded."""


def best_positions(costs: FloatArray, choice: FloatArray, time_limit: float) -> IntArray:
    """Return each system's place from the top, 0 the best, in the order of least cost.

    ``choice[..., K]`` breaks ties: of the systems that may come next in a best order, the one with
    the highest comes next. Leading axes are replicates. ``time_limit`` is in seconds.
    """
    n_systems = costs.shape[-1]
    tables = np.ascontiguousarray(costs, dtype=np.float64).reshape(-1, n_systems, n_systems)
    wanted = np.ascontiguousarray(choice, dtype=np.float64).reshape(-1, n_systems)
    positions, too_large = _search(tables, wanted, SEARCHED_SYSTEMS)
    for r in np.flatnonzero(too_large):
        ordered = _with_large_components_ordered(tables[r], time_limit)
        positions[r] = _search(ordered[None], wanted[r : r + 1], SEARCHED_SYSTEMS)[0][0]
    return positions.reshape(choice.shape)


def count_best_orders(costs: FloatArray) -> int | None:
    """Return how many orders have the least cost; None past 20 systems.

    >>> count_best_orders(np.array([[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]]))
    3
    """
    if len(costs) > SEARCHED_SYSTEMS:
        return None
    return int(_count(np.ascontiguousarray(costs, dtype=np.float64)))


def _with_large_components_ordered(costs: FloatArray, time_limit: float) -> FloatArray:
    """Return the costs with every component that is too large replaced by its best order."""
    costs = costs.copy()
    label = _components(costs)
    for component in np.unique(label):
        members = np.flatnonzero(label == component)
        if len(members) > SEARCHED_SYSTEMS:
            order = members[_order_by_integer_program(costs[np.ix_(members, members)], time_limit)]
            costs[np.ix_(order, order)] = np.tril(np.ones((len(order), len(order))), -1)
    return costs


def _order_by_integer_program(costs: FloatArray, time_limit: float) -> IntArray:
    """Return the best order of a component: x(i, j) = 1 where i stands above j, i < j.

    No three may stand in a circle: 0 ≤ x(i, j) + x(j, k) - x(i, k) ≤ 1 for i < j < k.
    """
    n = len(costs)
    if n > MOST_SYSTEMS:
        raise NotConvergedError(
            "Order search",
            f"{n} systems beat each other in cycles, and an exact search takes at most "
            f"{MOST_SYSTEMS}",
            "Leave systems out, or rank by another method.",
        )
    first, second = np.triu_indices(n, 1)
    column = np.zeros((n, n), dtype=np.int64)
    column[first, second] = np.arange(len(first))
    i, j, k = np.array(list(itertools.combinations(range(n), 3))).T
    rows = np.tile(np.arange(len(i)), 3)
    columns = np.concatenate([column[i, j], column[j, k], column[i, k]])
    signs = np.repeat([1.0, 1.0, -1.0], len(i))
    no_circles = scipy.sparse.csr_array((signs, (rows, columns)), shape=(len(i), len(first)))
    result = scipy.optimize.milp(
        costs[first, second] - costs[second, first],
        integrality=np.ones(len(first), dtype=np.int64),
        bounds=scipy.optimize.Bounds(0, 1),
        constraints=scipy.optimize.LinearConstraint(no_circles, 0, 1),
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise _out_of_time(result, float(costs[second, first].sum()), n, time_limit)
    above = np.zeros((n, n), dtype=bool)
    above[first, second] = result.x > 0.5
    above[second, first] = ~above[first, second]
    return np.argsort(above.sum(axis=0), kind="stable")


def _out_of_time(result: Any, constant: float, n: int, time_limit: float) -> NotConvergedError:
    """Say how far the search came: the best order found, and the bound that no order is below."""
    found = "found no order"
    if result.x is not None and result.mip_dual_bound is not None:
        cost, bound = result.fun + constant, result.mip_dual_bound + constant
        gap = (cost - bound) / cost if cost > 0 else 0.0
        found = (
            f"found one of cost {cost:g}; the optimum costs at least {bound:g}, a gap of "
            f"{100 * gap:.3g}%"
        )
    return NotConvergedError(
        f"Best order of {n} systems that beat each other in cycles",
        f"the search stopped after {time_limit:g} s; it {found}",
        "Raise the time limit, leave systems out, or rank by another method.",
    )


@kernel
def _components(costs):  # type: ignore[no-untyped-def]
    """Label the strongly connected components of "beats", each by its first member."""
    n = len(costs)
    reaches = np.zeros((n, n), dtype=np.bool_)
    for i in range(n):
        for j in range(n):
            reaches[i, j] = costs[j, i] > 0.0
    for k in range(n):
        for i in range(n):
            if reaches[i, k]:
                for j in range(n):
                    reaches[i, j] |= reaches[k, j]
    label = np.arange(n)
    for i in range(n):
        for j in range(i):
            if reaches[i, j] and reaches[j, i]:
                label[i] = j
                break
    return label


@kernel
def _bits(n):  # type: ignore[no-untyped-def]
    """List the bits of every number below 2^n, and how many they are."""
    bits = np.zeros((1 << n, max(n, 1)), dtype=np.int64)
    n_bits = np.zeros(1 << n, dtype=np.int64)
    for mask in range(1 << n):
        for i in range(n):
            if mask >> i & 1:
                bits[mask, n_bits[mask]] = i
                n_bits[mask] += 1
    return bits, n_bits


@kernel
def _sums_over_subsets(costs, members, part):  # type: ignore[no-untyped-def]
    """Return Σ c(i, j) over j in every subset of a part of the members, for every member i."""
    sums = np.zeros((1 << len(part), len(members)))
    for mask in range(1, 1 << len(part)):
        last = 0
        while not mask >> last & 1:
            last += 1
        for i in range(len(members)):
            sums[mask, i] = sums[mask ^ (1 << last), i] + costs[members[i], part[last]]
    return sums


@kernel
def _least_costs(costs, members):  # type: ignore[no-untyped-def]
    """Return f of every subset of the members, as bits; sums over j come from its two halves."""
    m = len(members)
    half = m // 2
    low = _sums_over_subsets(costs, members, members[:half])
    high = _sums_over_subsets(costs, members, members[half:])
    bits, n_bits = _bits(m - half)
    least = np.empty(1 << m)
    for h in range(1 << (m - half)):
        for b in range(1 << half):
            mask = h << half | b
            best = np.inf if mask else 0.0
            for p in range(n_bits[b]):
                i = bits[b, p]
                best = min(best, low[b, i] + high[h, i] + least[mask ^ (1 << i)])
            for p in range(n_bits[h]):
                i = half + bits[h, p]
                best = min(best, low[b, i] + high[h, i] + least[mask ^ (1 << i)])
            least[mask] = best
    return least


@kernel
def _may_be_next(i, costs, label, remaining, least):  # type: ignore[no-untyped-def]
    """Return whether i comes first in a best order of the remaining systems."""
    mask, bit, place, added = 0, 0, 0, 0.0
    for j in range(len(costs)):
        if label[j] != label[i]:
            if remaining[j] and costs[i, j] > 0.0:
                return False
            continue
        if remaining[j]:
            mask |= 1 << place
            added += costs[i, j]
        if j == i:
            bit = 1 << place
        place += 1
    if place == 1:
        return True
    return added + least[mask ^ bit] <= least[mask] + EQUAL_COST * (1.0 + least[mask])


@kernel
def _tables(costs, label):  # type: ignore[no-untyped-def]
    """Return f of every component, at the place of its first member; empty where it is alone."""
    tables = [np.empty(0) for _ in range(len(costs))]
    for i in range(len(costs)):
        members = np.flatnonzero(label == i)
        if len(members) > 1:
            tables[i] = _least_costs(costs, members)
    return tables


@kernel
def _search(costs, choice, searched_systems):  # type: ignore[no-untyped-def]
    """Place the systems of every replicate; tell which have a component that is too large."""
    n_replicates, n = choice.shape
    positions = np.zeros((n_replicates, n), dtype=np.int64)
    too_large = np.zeros(n_replicates, dtype=np.bool_)
    for r in range(n_replicates):
        label = _components(costs[r])
        too_large[r] = np.bincount(label).max() > searched_systems
        if too_large[r]:
            continue
        tables = _tables(costs[r], label)
        remaining = np.ones(n, dtype=np.bool_)
        for position in range(n):
            best = -1
            for i in range(n):
                if (
                    remaining[i]
                    and (best < 0 or choice[r, i] > choice[r, best])
                    and _may_be_next(i, costs[r], label, remaining, tables[label[i]])
                ):
                    best = i
            positions[r, best] = position
            remaining[best] = False
    return positions, too_large


@kernel
def _count(costs):  # type: ignore[no-untyped-def]
    """Count the best orders: the ways to empty the set of all systems from the top."""
    n = len(costs)
    label = _components(costs)
    tables = _tables(costs, label)
    ways = np.zeros(1 << n, dtype=np.int64)
    ways[(1 << n) - 1] = 1
    remaining = np.zeros(n, dtype=np.bool_)
    for mask in range((1 << n) - 1, 0, -1):
        if ways[mask] == 0:
            continue
        for i in range(n):
            remaining[i] = mask >> i & 1
        for i in range(n):
            if remaining[i] and _may_be_next(i, costs, label, remaining, tables[label[i]]):
                ways[mask ^ (1 << i)] += ways[mask]
    return ways[0]
