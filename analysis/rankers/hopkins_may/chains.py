"""How far a Markov chain can be trusted: effective sample size, Monte Carlo error, split R-hat.

References: Geyer 1992, *Practical Markov Chain Monte Carlo* (initial positive sequence);
Gelman et al. 2013, *Bayesian Data Analysis*, 11.4 (split R-hat).
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError

GOOD_RHAT = 1.05
GOOD_SIZE = 25


def effective_sample_size(draws: FloatArray) -> float:
    """Return how many independent draws tell as much of the mean as these dependent ones.

    n / (1 + 2 Σ ρ_t), the sum cut where ρ_{2t} + ρ_{2t+1} first turns negative.
    """
    n = len(draws)
    centered = draws - draws.mean()
    spectrum = np.fft.rfft(centered, 2 * n)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2)[:n] / n
    if covariance[0] <= 0:
        return float(n)
    correlation = covariance[: n - n % 2] / covariance[0]
    pairs = correlation.reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    kept = pairs[: negative[0]] if len(negative) else pairs
    return float(n / max(2 * kept.sum() - 1, 1 / n))


def split_rhat(draws: FloatArray) -> float:
    """Return √(pooled variance / within variance) of the chain's two halves; 1 is converged."""
    half = len(draws) // 2
    halves = np.stack([draws[:half], draws[-half:]])
    within = halves.var(axis=1, ddof=1).mean()
    if within <= 0:
        return 1.0
    between = halves.mean(axis=1).var(ddof=1)
    return float(np.sqrt((half - 1) / half + between / within))


def describe_chain(draws: FloatArray) -> str:
    """Say in a sentence or two what draws[n, K] of the K abilities are worth."""
    size = min(effective_sample_size(column) for column in draws.T)
    rhat = max(split_rhat(column) for column in draws.T)
    sentence = (
        f"{len(draws)} draws from the posterior are worth at least {size:.0f} independent ones: "
        f"a score may be off by {1 / np.sqrt(size):.2g} of its spread; split R-hat {rhat:.2f}."
    )
    if size < GOOD_SIZE or rhat > GOOD_RHAT:
        sentence += " That is little: raise the iterations."
    return sentence


def require_enough_draws(iterations: int, burn_in: int) -> None:
    """Raise where the burn-in leaves fewer than ten draws of a chain."""
    if iterations - burn_in < 10:
        raise PodiumError(
            "Setting --burn-in",
            f"{burn_in} of {iterations} iterations leave {max(iterations - burn_in, 0)} draws",
            f"Give at most {iterations - 10}, or more iterations.",
        )
