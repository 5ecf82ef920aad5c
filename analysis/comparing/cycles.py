"""Cycles: three systems that each beat the next, so that no order agrees with all pairs.

Where a beat b, b beat c and c beat a more often than not, ties aside, the cycle is as strong as its
weakest link: the smallest of the three shares of decided judgments. No score orders the three
without going against one of them. A link is sure where the one-sided sign test says so.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from analysis.campaign import PairCounts
from analysis.ranking.sign_test import sign_test


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
    wins, losses = counts.wins, counts.losses
    decided = wins + losses
    share = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    p = sign_test(wins, losses, sides=1)
    found = []
    for a, b, c in itertools.combinations(range(len(systems)), 3):
        for ring in ((a, b, c), (a, c, b)):
            links = list(zip(ring, (*ring[1:], ring[0]), strict=True))
            strength = min(float(share[link]) for link in links)
            if strength > 0.5:
                i, j, k = ring
                names = (systems[i], systems[j], systems[k])
                found.append(Cycle(names, strength, max(float(p[link]) for link in links)))
    return tuple(sorted(found, key=lambda cycle: (-cycle.strength, cycle.systems)))
