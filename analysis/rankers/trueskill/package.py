"""The reference engine: the `trueskill` package in place of the kernels, on the same draws.

It repeats what the kernels do, update by update, for anyone who wants to see the two side by side.
The package computes the normal distribution itself, to about 1e-8: a run's skills differ from those
of the kernels by less than 1e-7. With SciPy's it would be three times slower and equal to 1e-14.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import trueskill
from scipy.special import ndtr

from analysis.campaign import LOSS, TIE, FloatArray, PairCounts
from analysis.rankers.trueskill.kernels import closeness, match_quality, play_active_readable


@dataclass(frozen=True)
class Engine:
    """Ways to play: by active selection of two kinds, judgment by judgment, match by match."""

    play_active: Callable[..., tuple[FloatArray, FloatArray]]
    play_by_quality: Callable[..., tuple[FloatArray, FloatArray]]
    play_sequence: Callable[..., None]
    play_matches: Callable[..., None]


def play_active(
    wins: FloatArray, ties: FloatArray, n_draws: int, sigma0: float, beta: float, margin: float,
    tau: float, rng: np.random.Generator,
    nearness: Callable[..., FloatArray] = closeness,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Return μ and σ² after ``n_draws`` updates; nan for systems never compared."""
    counts = PairCounts(wins, ties)
    mu, variance = play_active_readable(
        counts, n_draws, sigma0, beta, margin, tau, rng, update=_update_pair, nearness=nearness
    )
    met = counts.compared.sum(axis=1) > 0
    return np.where(met, mu, np.nan), np.where(met, variance, np.nan)


def play_sequence(left, right, outcome, order, mu, variance, beta, margin, tau) -> None:  # type: ignore[no-untyped-def]
    """Update ``mu`` and ``variance`` in place with the judgments ``order`` points to, in turn."""
    for row in order:
        i, j = int(left[row]), int(right[row])
        _update_pair(mu, variance, i, j, int(outcome[row]), beta, margin, tau)


def play_matches(start, player, rank, mu, variance, beta, margin, tau) -> None:  # type: ignore[no-untyped-def]
    """Update ``mu`` and ``variance`` in place with one match after the other."""
    package = _package(beta, margin, tau)
    for first, last in itertools.pairwise(start):
        who = player[first:last]
        sides = [(package.create_rating(mu[k], math.sqrt(variance[k])),) for k in who]
        for k, (rated,) in zip(who, package.rate(sides, rank[first:last].tolist()), strict=True):
            mu[k], variance[k] = rated.mu, rated.sigma**2


def _update_pair(
    mu: FloatArray, variance: FloatArray, i: int, j: int, outcome: int, beta: float, margin: float,
    tau: float,
) -> None:  # fmt: skip
    package = _package(beta, margin, tau)
    if outcome == LOSS:
        i, j = j, i
    sides = (package.create_rating(mu[k], math.sqrt(variance[k])) for k in (i, j))
    rated = trueskill.rate_1vs1(*sides, drawn=outcome == TIE, env=package)
    for k, side in zip((i, j), rated, strict=True):
        mu[k], variance[k] = side.mu, side.sigma**2


@functools.lru_cache(maxsize=16)
def _package(beta: float, margin: float, tau: float) -> Any:
    """Return the package's environment; it takes the margin as the probability of a draw."""
    draw_probability = 2 * float(ndtr(margin / (math.sqrt(2) * beta))) - 1
    return trueskill.TrueSkill(beta=beta, tau=tau, draw_probability=draw_probability)


play_by_quality = functools.partial(play_active, nearness=match_quality)

PACKAGE = Engine(play_active, play_by_quality, play_sequence, play_matches)
