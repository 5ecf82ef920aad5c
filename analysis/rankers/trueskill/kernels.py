"""The two-player TrueSkill update, and two ways to feed it: active selection, and a sequence.

Kernels stand next to readable twins (``*_readable``) that follow the papers step by step and draw
the same random numbers in the same order.

References: Herbrich, Minka & Graepel 2006, *TrueSkill: A Bayesian Skill Rating System*;
Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human Evaluation of
Machine Translation* (SPV14), §2.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from analysis.campaign.counts import LOSS, TIE, WIN, PairCounts
from analysis.campaign.ragged import FloatArray
from analysis.kernel import kernel

FAR_TAIL = -30.0
"""Below this point Φ(x) runs out of digits, and the first terms of its tail are exact."""

ROOT_HALF = math.sqrt(0.5)
DENSITY_AT_ZERO = 1 / math.sqrt(2 * math.pi)


def update_pair_readable(
    mu: FloatArray,
    variance: FloatArray,
    i: int,
    j: int,
    outcome: int,
    beta: float,
    margin: float,
    tau: float,
) -> None:
    """Update the skills N(μ, σ²) of players i and j in place after one match.

    c² = σᵢ² + σⱼ² + 2β²; the winner's μ rises by σ²/c · v, the loser's falls by as much; both
    variances shrink by the factor 1 - σ²/c² · w. Here v and w correct a normal distribution with
    mean t = (μ_winner - μ_loser)/c that is cut at ε/c (a win) or to [-ε/c, ε/c] (a tie).

    ``beta``, ``margin`` (ε) and ``tau`` have the unit of the skills. (Herbrich et al. 2006, §3)
    """
    if outcome == LOSS:
        i, j = j, i
    variance_i, variance_j = variance[i] + tau**2, variance[j] + tau**2
    c = math.sqrt(variance_i + variance_j + 2 * beta**2)
    correct = correct_tie_readable if outcome == TIE else correct_win_readable
    v, w = correct((mu[i] - mu[j]) / c, margin / c)
    mu[i] += variance_i / c * v
    mu[j] -= variance_j / c * v
    variance[i] = variance_i * (1 - variance_i / c**2 * w)
    variance[j] = variance_j * (1 - variance_j / c**2 * w)


def correct_win_readable(t: float, margin: float) -> tuple[float, float]:
    """Return v = φ(x)/Φ(x) and w = v (v + x) at x = t - ε."""
    x = t - margin
    if x < FAR_TAIL:
        return 1 / tail_to_density(x), 1 - 1 / x**2 + 6 / x**4
    v = math.exp(-x * x / 2) * DENSITY_AT_ZERO / float(ndtr(x))
    return v, v * (v + x)


def correct_tie_readable(t: float, margin: float) -> tuple[float, float]:
    """Return v = (φ(b) - φ(a))/D and w = v² + (a φ(a) - b φ(b))/D, with D = Φ(a) - Φ(b).

    a = ε - |t| and b = -ε - |t|; v has the sign that draws the two players together.
    """
    a, b = margin - abs(t), -margin - abs(t)
    if a < FAR_TAIL:  # everything divided by φ(a), which is 0 here
        density_a, density_b = 1.0, math.exp((a * a - b * b) / 2)
        inside = tail_to_density(a) - density_b * tail_to_density(b)
    else:
        density_a = math.exp(-a * a / 2) * DENSITY_AT_ZERO
        density_b = math.exp(-b * b / 2) * DENSITY_AT_ZERO
        inside = float(ndtr(a) - ndtr(b))
    v = (density_b - density_a) / inside
    w = v**2 + (a * density_a - b * density_b) / inside
    return math.copysign(1.0, t) * v, w


def tail_to_density(x: float) -> float:
    """Return Φ(x)/φ(x) far below zero: the expansion -1/x + 1/x³ - 3/x⁵ + 15/x⁷."""
    return -1 / x + 1 / x**3 - 3 / x**5 + 15 / x**7


def closeness(mu: FloatArray, variance: FloatArray, a: int, beta: float) -> FloatArray:
    """Return exp(-|μ_a - μ_b|) for all b, as SPV14 choose an opponent (§2.4)."""
    return np.asarray(np.exp(-np.abs(mu[a] - mu)))


def match_quality(mu: FloatArray, variance: FloatArray, a: int, beta: float) -> FloatArray:
    """Return TrueSkill's own match quality √(2β²/c²) exp(-(μ_a - μ_b)²/2c²) for all b.

    c² = 2β² + σ_a² + σ_b². It is the chance of a tie beside that of two equal systems whose skills
    are known; SPV14 state it before they take `closeness`. With a β of many skills' widths, as the
    published one, it is nearly 1 whoever meets. (Herbrich et al. 2006, §4)
    """
    c2 = 2 * beta**2 + variance[a] + variance
    return np.asarray(np.sqrt(2 * beta**2 / c2) * np.exp(-((mu[a] - mu) ** 2) / (2 * c2)))


def play_active_readable(
    counts: PairCounts,
    n_draws: int,
    sigma0: float,
    beta: float,
    margin: float,
    tau: float,
    rng: np.random.Generator,
    update: Callable[..., None] = update_pair_readable,
    nearness: Callable[..., FloatArray] = closeness,
) -> tuple[FloatArray, FloatArray]:
    """Return μ and σ² after ``n_draws`` updates on pairs that the skills so far choose.

    a is the system of largest variance (the last by name among equals), b one of those compared
    with it with probability ∝ ``nearness``, then one judgment of the two, uniformly, with
    replacement. A system never compared is left out: nothing could lower its variance. (SPV14 §2.4)
    """
    met = counts.compared > 0
    mu, variance = np.zeros(len(met)), np.full(len(met), sigma0**2)
    candidates: list[int] = np.flatnonzero(met.any(axis=1)).tolist()
    for _ in range(n_draws):
        a = max(candidates, key=lambda k: (float(variance[k]), k))
        reach = np.cumsum(np.where(met[a], nearness(mu, variance, a, beta), 0.0))
        b = int(np.searchsorted(reach, rng.random() * reach[-1], side="right"))
        judgment = rng.random() * counts.compared[a, b]
        if judgment < counts.wins[a, b]:
            outcome = WIN
        elif judgment < counts.wins[a, b] + counts.wins[b, a]:
            outcome = LOSS
        else:
            outcome = TIE
        update(mu, variance, a, b, outcome, beta, margin, tau)
    return mu, variance


STEEP = 300.0
"""A skill past which e^skill would leave the range of a float: only absurd margins lead there."""


@kernel(inline="always")
def _correct_win(t, margin):  # type: ignore[no-untyped-def]
    x = t - margin
    if x < FAR_TAIL:
        return 1 / (-1 / x + 1 / x**3 - 3 / x**5 + 15 / x**7), 1 - 1 / x**2 + 6 / x**4
    v = 2 * DENSITY_AT_ZERO * math.exp(-0.5 * x * x) / math.erfc(-x * ROOT_HALF)
    return v, v * (v + x)


@kernel(inline="always")
def _correct_tie(t, margin):  # type: ignore[no-untyped-def]
    a = margin - abs(t)
    b = -margin - abs(t)
    if a < FAR_TAIL:
        density_a = 1.0
        density_b = math.exp((a * a - b * b) / 2)
        inside = -1 / a + 1 / a**3 - 3 / a**5 + 15 / a**7
        inside -= density_b * (-1 / b + 1 / b**3 - 3 / b**5 + 15 / b**7)
    else:
        density_a = 2 * DENSITY_AT_ZERO * math.exp(-0.5 * a * a)
        density_b = 2 * DENSITY_AT_ZERO * math.exp(-0.5 * b * b)
        inside = math.erfc(-a * ROOT_HALF) - math.erfc(-b * ROOT_HALF)
    v = (density_b - density_a) / inside
    w = v * v + (a * density_a - b * density_b) / inside
    return math.copysign(1.0, t) * v, w


@kernel(inline="always")
def _update_pair(mu, variance, i, j, tied, beta, margin, tau):  # type: ignore[no-untyped-def]
    """Update the winner i and the loser j, or two who tied."""
    variance_i = variance[i] + tau * tau
    variance_j = variance[j] + tau * tau
    c2 = variance_i + variance_j + 2 * beta * beta
    per_c = 1 / math.sqrt(c2)
    t = (mu[i] - mu[j]) * per_c
    if tied:
        v, w = _correct_tie(t, margin * per_c)
    else:
        v, w = _correct_win(t, margin * per_c)
    mu[i] += variance_i * per_c * v
    mu[j] -= variance_j * per_c * v
    variance[i] = variance_i * (1 - variance_i / c2 * w)
    variance[j] = variance_j * (1 - variance_j / c2 * w)


@kernel
def play_sequence(left, right, outcome, order, mu, variance, beta, margin, tau):  # type: ignore[no-untyped-def]
    """Update ``mu`` and ``variance`` in place with the judgments ``order`` points to, in turn."""
    for row in order:
        if outcome[row] == LOSS:
            _update_pair(mu, variance, right[row], left[row], False, beta, margin, tau)
        else:
            _update_pair(
                mu, variance, left[row], right[row], outcome[row] == TIE, beta, margin, tau
            )


@kernel
def play_active(wins, ties, n_draws, sigma0, beta, margin, tau, rng):  # type: ignore[no-untyped-def]
    """Return μ and σ² as `play_active_readable` does; nan for systems never compared.

    exp(-|μ_a - μ_b|) is the smaller of e^μa/e^μb and its inverse, so that each draw needs two
    exponentials rather than one a system. Choices are sums and selections rather than branches,
    which a processor could not predict.
    """
    n_systems = len(wins)
    mu = np.zeros(n_systems)
    variance = np.full(n_systems, sigma0 * sigma0)
    grown = np.ones(n_systems)
    shrunk = np.ones(n_systems)
    reach = np.empty(n_systems)
    compared = wins + wins.T + ties
    met = (compared > 0).astype(np.float64)
    for k in range(n_systems):
        if met[k].sum() == 0:
            mu[k] = np.nan
            variance[k] = -1.0
            grown[k] = shrunk[k] = 0.0
    for _ in range(n_draws):
        a = 0
        for k in range(1, n_systems):
            if variance[k] >= variance[a]:
                a = k
        total = 0.0
        for k in range(n_systems):
            total += met[a, k] * min(grown[a] * shrunk[k], shrunk[a] * grown[k])
            reach[k] = total
        target = rng.random() * total
        b = 0
        for k in range(n_systems - 1):
            b += reach[k] <= target
        judgment = rng.random() * compared[a, b]
        tied = judgment >= wins[a, b] + wins[b, a]
        won = judgment < wins[a, b]
        _update_pair(mu, variance, a if won else b, b if won else a, tied, beta, margin, tau)
        grown[a] = math.exp(min(max(mu[a], -STEEP), STEEP))
        grown[b] = math.exp(min(max(mu[b], -STEEP), STEEP))
        shrunk[a] = 1 / grown[a]
        shrunk[b] = 1 / grown[b]
    return mu, np.where(variance < 0, np.nan, variance)


@kernel
def play_by_quality(wins, ties, n_draws, sigma0, beta, margin, tau, rng):  # type: ignore[no-untyped-def]
    """Do as `play_active`, with opponents chosen by `match_quality`."""
    n_systems = len(wins)
    mu = np.zeros(n_systems)
    variance = np.full(n_systems, sigma0 * sigma0)
    reach = np.empty(n_systems)
    compared = wins + wins.T + ties
    for k in range(n_systems):
        if compared[k].sum() == 0:
            mu[k] = np.nan
            variance[k] = -1.0
    for _ in range(n_draws):
        a = 0
        for k in range(1, n_systems):
            if variance[k] >= variance[a]:
                a = k
        total = 0.0
        for k in range(n_systems):
            if compared[a, k] > 0:
                c2 = 2 * beta * beta + variance[a] + variance[k]
                lead = mu[a] - mu[k]
                total += math.sqrt(2 * beta * beta / c2) * math.exp(-lead * lead / (2 * c2))
            reach[k] = total
        target = rng.random() * total
        b = 0
        while b < n_systems - 1 and reach[b] <= target:
            b += 1
        judgment = rng.random() * compared[a, b]
        tied = judgment >= wins[a, b] + wins[b, a]
        won = judgment < wins[a, b]
        _update_pair(mu, variance, a if won else b, b if won else a, tied, beta, margin, tau)
    return mu, np.where(variance < 0, np.nan, variance)
