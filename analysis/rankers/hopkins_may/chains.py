"""How far a Markov chain can be trusted: effective sample size, Monte Carlo error, R-hat.

Reference: Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, *Rank-Normalization, Folding, and
Localization: An Improved R-hat for Assessing Convergence of MCMC*, as ArviZ has it.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, control

GOOD_RHAT = 1.05
GOOD_SIZE = 25


def diagnose(draws: FloatArray) -> tuple[float, float]:
    """Return the least effective size and the largest R-hat of draws[n, K], a chain in halves."""
    from arviz_stats.base import array_stats  # takes a second, and few need it

    half = len(draws) // 2
    halves = draws[: 2 * half].T.reshape(-1, 2, half)
    return float(array_stats.ess(halves).min()), float(array_stats.rhat(halves).max())


def describe_chain(draws: FloatArray) -> str:
    """Say in a sentence or two what draws[n, K] of the K abilities are worth."""
    size, rhat = diagnose(draws)
    sentence = (
        f"{len(draws)} posterior draws are worth at least {size:.0f} independent ones: a score "
        f"may be off by {1 / np.sqrt(size):.2g} of its standard error; R-hat {rhat:.2f}."
    )
    if not (size >= GOOD_SIZE and rhat <= GOOD_RHAT):
        sentence += " That is too few: raise the number of iterations."
    return sentence


def require_enough_draws(iterations: int, burn_in: int) -> None:
    """Raise where the burn-in leaves fewer than ten draws of a chain."""
    if iterations - burn_in < 10:
        raise PodiumError(
            control("--burn-in", "Setting burn-in"),
            f"{burn_in} of {iterations} iterations leave {max(iterations - burn_in, 0)} posterior "
            "draws",
            f"Use at most {iterations - 10}, or more iterations.",
        )
