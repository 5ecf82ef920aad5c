"""Looking more than once: claims at a growing campaign that hold together, however many looks.

Whoever looks every day, and stops when two systems differ significantly, errs more often than a
single look does. So the error α = 1 - level is spent over the looks, by a rule stated in advance:
the k-th look tests at

    α_k = α · 6 / (π² k²),   and Σ α_k = α,

so that the claims of all looks, of which there may be any number, hold together at the level, and
what differed significantly once stays so. The price is a larger difference in standard errors: at
Holm's first step over P pairs z_k = Φ⁻¹(1 - α_k/2P), for which a pair needs (z_k/z)² times the
judgments that it takes who looks once only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.provenance import Provenance
from analysis.ranking.verdict import Verdict, verdict_on


def level_at_look(level: float, look: int | None) -> float:
    """Return the level of the ``look``-th look, from 1; None: there is one look only.

    >>> [round(1 - level_at_look(.95, look), 4) for look in (None, 1, 2, 10)]
    [0.05, 0.0304, 0.0076, 0.0003]
    """
    if look is None:
        return level
    if look < 1:
        raise PodiumError(
            "Look",
            (f"{look} is not the number of an interim look"),
            "Use 1 for the first, 2 for the second.",
        )
    return 1 - (1 - level) * 6 / (math.pi * look) ** 2


def at_look(judgments: Judgments, verdict: Verdict, look: int) -> Verdict:
    """Return the verdict at the ``look``-th look; ``verdict`` is that of a single look."""
    level = level_at_look(verdict.level, look)
    made = verdict.provenance | Provenance(extra=(("look", look),), level=level)
    return verdict_on(judgments, verdict.scores, verdict.uncertainty, level, verdict.scope, made)


def price_of_looking(level: float, look: int, pairs: int) -> float:
    """Return how many times the judgments a pair needs at a look, beside one look only.

    >>> [round(price_of_looking(.95, look, pairs=45), 2) for look in (1, 5, 20)]
    [1.09, 1.66, 2.16]
    """

    def critical(level: float) -> float:
        return float(-ndtri((1 - level) / 2 / max(pairs, 1)))

    return (critical(level_at_look(level, look)) / critical(level)) ** 2


@dataclass
class Looks:
    """The looks at one growing campaign: how many, and the pairs that differed significantly,
    (better, worse).

    Judgments that were looked at before make no new look.
    """

    number: int = 0
    claims: set[tuple[str, str]] = field(default_factory=set)
    _seen: tuple[str, int] = ("", 0)

    def take(self, judgments: Judgments, verdict: Verdict) -> Verdict:
        """Return the verdict at this look; ``verdict`` is that of a single look."""
        seen = (verdict.signature, len(judgments))
        if seen != self._seen:
            self.number, self._seen = self.number + 1, seen
        now = at_look(judgments, verdict, self.number)
        better = now.significant & (np.nan_to_num(now.scores)[:, None] > np.nan_to_num(now.scores))
        self.claims |= {(now.systems[i], now.systems[j]) for i, j in np.argwhere(better)}
        return now
