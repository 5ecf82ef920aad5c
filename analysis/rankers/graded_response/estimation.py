"""Two ways to estimate the graded response model: as it is best done, and as O16 print it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimation:
    """Where the nodes lie, and how strongly the parameters are kept within their bounds.

    ``fixed`` nodes lie at τ x_t with weights w_t/√π, for all systems alike, as O16 print (§5.1):
    they integrate against N(0, τ²/2). Else they follow each system's mode, against N(0, τ²).
    The logarithms of a and of b2 - b1 are added ``barrier_a`` and ``barrier_gap`` times.
    """

    fixed: bool = False
    barrier_a: float = 0.0
    barrier_gap: float = 1.0


ADAPTIVE = Estimation()
"""Without bounds on a, and with the density of log(b2 - b1)."""


def as_printed(barrier: float) -> Estimation:
    """Return O16's estimation with log barriers of this weight, which the paper does not tell."""
    return Estimation(fixed=True, barrier_a=barrier, barrier_gap=barrier)
