"""Looking more than once: claims at a growing campaign that hold together, however many looks.

Who looks every day, and stops when two systems are told apart, is wrong more often than each look
by itself. So the error α = 1 - level is spent over the looks, by a rule stated in advance: the k-th
look tells apart at

    α_k = α · 6 / (π² k²),   and Σ α_k = α,

so that the claims of all looks, of which there may be any number, hold together at the level, and
what was told apart once stays so. The price is a larger difference in standard errors: at Holm's
first step over P pairs z_k = Φ⁻¹(1 - α_k/2P), for which a pair needs (z_k/z)² times the judgments
that it takes who looks once only.
"""

from __future__ import annotations

import math

from scipy.special import ndtri

from analysis.errors import PodiumError


def level_at_look(level: float, look: int | None) -> float:
    """Return the level of the ``look``-th look, from 1; None: there is one look only.

    >>> [round(1 - level_at_look(.95, look), 4) for look in (None, 1, 2, 10)]
    [0.05, 0.0304, 0.0076, 0.0003]
    """
    if look is None:
        return level
    if look < 1:
        raise PodiumError("Look", f"{look} is no look", "Give 1 for the first, 2 for the second.")
    return 1 - (1 - level) * 6 / (math.pi * look) ** 2


def price_of_looking(level: float, look: int, pairs: int) -> float:
    """Return how many times the judgments a pair needs at a look, beside one look only.

    >>> [round(price_of_looking(.95, look, pairs=45), 2) for look in (1, 5, 20)]
    [1.09, 1.66, 2.16]
    """

    def critical(level: float) -> float:
        return float(-ndtri((1 - level) / 2 / max(pairs, 1)))

    return (critical(level_at_look(level, look)) / critical(level)) ** 2
