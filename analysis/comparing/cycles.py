"""Cycles: three systems that each beat the next, so that no order agrees with all pairs.

Where a beat b, b beat c and c beat a more often than not, ties aside, the cycle is as strong as its
weakest link: the smallest of the three shares of decided judgments. No score orders the three
without going against one of them. A link is sure where the one-sided sign test says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.ranking.significance import sign_test


@dataclass(frozen=True)
class Cycle:
    """``systems[0]`` beats [1], [1] beats [2], [2] beats [0].

    ``strength`` is the smallest share of decided judgments that one wins against the next, ``p``
    the largest p-value of the three links.
    """

    systems: tuple[str, str, str]
    strength: float
    p: float


def cycles(counts: PairCounts, systems: tuple[str, ...]) -> tuple[Cycle, ...]:
    """Return all cycles of three, the strongest first; each begins with its first system by place.

    >>> wins = np.array([[0., 3, 1], [1, 0, 3], [2, 1, 0]])
    >>> [found] = cycles(PairCounts(wins, np.zeros((3, 3))), ("a", "b", "c"))
    >>> found.systems, round(found.strength, 3)
    (('a', 'b', 'c'), 0.667)
    """
    p = sign_test(counts.wins, counts.losses, sides=1)
    found = [
        _cycle(ring, float(weakest), p, systems)
        for rings, strength in _rings(counts)
        for ring, weakest in zip(rings, strength, strict=True)
    ]
    return tuple(sorted(found, key=_strongest_first))


def count_cycles(counts: PairCounts, systems: tuple[str, ...]) -> tuple[int, Cycle | None]:
    """Return how many cycles there are, and the strongest: many systems have very many cycles."""
    p = sign_test(counts.wins, counts.losses, sides=1)
    n = 0
    strongest: Cycle | None = None
    for rings, strength in _rings(counts):
        n += len(rings)
        best = float(strength.max(initial=0.0))
        if strongest is None or best >= strongest.strength:
            equals = [_cycle(ring, best, p, systems) for ring in rings[strength == best]]
            if strongest is not None:
                equals.append(strongest)
            strongest = min(equals, key=_strongest_first, default=None)
    return n, strongest


def _rings(counts: PairCounts) -> Iterator[tuple[IntArray, FloatArray]]:
    """Return rings [N, 3] and their strength, by the first of their systems."""
    decided = counts.decided
    share = np.divide(counts.wins, decided, out=np.zeros(decided.shape), where=decided > 0)
    beats = share > 0.5
    for a in range(len(share)):
        beaten, beating = (
            a + 1 + np.flatnonzero(ahead[a + 1 :]) for ahead in (beats[a], beats[:, a])
        )
        b, c = np.nonzero(beats[np.ix_(beaten, beating)])
        b, c = beaten[b], beating[c]
        strength = np.minimum(np.minimum(share[a, b], share[b, c]), share[c, a])
        yield np.stack([np.full(len(b), a), b, c], axis=1), strength


def _cycle(ring: IntArray, strength: float, p: FloatArray, systems: tuple[str, ...]) -> Cycle:
    i, j, k = (int(system) for system in ring)
    weakest = max(float(p[i, j]), float(p[j, k]), float(p[k, i]))
    return Cycle((systems[i], systems[j], systems[k]), strength, weakest)


def _strongest_first(cycle: Cycle) -> tuple[float, tuple[str, ...]]:
    return -cycle.strength, cycle.systems
