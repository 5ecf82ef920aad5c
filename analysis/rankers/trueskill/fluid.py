"""The expected course of TrueSkill under active selection, without drawing anything.

With β in proportion to the number N of judgments, one judgment moves a skill by about 14.3/N: many
small steps, whose sum follows its mean. The mean obeys, with s = draws/N from 0 to 1,

    dμ_i/ds = N Σ_j f_ij E[±σ²/c · v],        dσ_i²/ds = -N Σ_j f_ij E[σ⁴/c² · w],

where f_ij is the share of draws that selection gives to the pair, and the mean E goes over the
pair's wins, losses and ties. While the skills are close beside β, the first is
40 σ0/√2 · v(0, ε/√2β) Σ_j f_ij (w_ij - l_ij)/n_ij; the constant is 14.300 for σ0 = .5 and a draw
probability of .25.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from analysis.campaign.counts import PairCounts
from analysis.campaign.ragged import FloatArray
from analysis.kernel import kernel

BoolArray = npt.NDArray[np.bool_]

EPSILON = float(np.finfo(np.float64).eps)

STEPS = 24
"""Midpoint steps over a run; twice as many change no skill of a real campaign by .0005."""


def expected_run(
    counts: PairCounts, n_draws: int, sigma0: float, beta: float, margin: float
) -> tuple[FloatArray, FloatArray]:
    """Return the expected μ and σ² after ``n_draws`` actively selected updates.

    Good where many systems take part (more than four); with fewer, whom one draw selects depends
    on the draw before, which a mean cannot tell.
    """
    met = counts.compared > 0
    shares = [
        np.divide(table, counts.compared, out=np.zeros(met.shape), where=met)
        for table in (counts.wins, counts.losses, counts.ties)
    ]
    mu, variance = np.zeros(len(met)), np.full(len(met), sigma0**2)
    step = n_draws / STEPS
    for _ in range(STEPS):
        half_mu, half_variance = slopes(mu, variance, met, shares, beta, margin)
        slope_mu, slope_variance = slopes(
            mu + step / 2 * half_mu, variance + step / 2 * half_variance, met, shares, beta, margin
        )
        mu, variance = mu + step * slope_mu, variance + step * slope_variance
    return mu, variance


def selection(
    mu: FloatArray, met: BoolArray, reduction: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how often each system is chosen first, and p[a, b], how often a then takes b.

    System a, chosen first with probability r_a, takes b with p_ab ∝ exp(-|μ_a - μ_b|). As the
    largest variance is always chosen, all variances fall together: r solves
    r_i Σ_b p_ib ω_ib + Σ_a r_a p_ai ω_ai = constant, ω being the mean reduction of σ² in a match.
    A system that would need r < 0 is met too often as the second one, and is never the first.
    """
    reach = np.where(met, np.exp(-np.abs(mu[:, None] - mu)), 0.0)
    whole = reach.sum(axis=1, keepdims=True)
    second = np.divide(reach, whole, out=np.zeros_like(reach), where=whole > 0)
    balance = balance_of(second * reduction)
    first = np.zeros(len(mu))
    chosen = np.flatnonzero(met.any(axis=1))
    while True:
        rates = np.linalg.lstsq(balance[np.ix_(chosen, chosen)], np.ones(len(chosen)))[0]
        if rates.min() >= 0 or len(chosen) == 1:
            break
        chosen = np.delete(chosen, rates.argmin())
    first[chosen] = rates / rates.sum()
    return first, second


def balance_of(fall: FloatArray) -> FloatArray:
    """Return the matrix that leads from rates of first choice to how fast each variance falls.

    ``fall[a, b]`` is how far a match falls where a chooses b.
    """
    return np.asarray(np.diag(fall.sum(axis=1)) + fall.T)


def slopes(
    mu: FloatArray,
    variance: FloatArray,
    met: BoolArray,
    shares: list[FloatArray],
    beta: float,
    margin: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the mean change of μ and of σ² by one draw."""
    won, lost, tied = shares
    push, shrink, pairs = course(mu, variance, met, won, lost, tied, beta, margin)
    return variance * (pairs * push).sum(axis=1), -(variance**2) * (pairs * shrink).sum(axis=1)


def standardized(
    mu: FloatArray, variance: FloatArray, beta: float, margin: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return each pair's c, and the lead and the tie margin as shares of it."""
    c = np.sqrt(variance[:, None] + variance + 2 * beta**2)
    return c, (mu[:, None] - mu) / c, margin / c


def win_corrections(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return v and w of a win, as `trueskill_kernels.correct_win_readable` does for one match."""
    v = density(x) / ndtr(x)
    return v, v * (v + x)


def tie_corrections(t: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return v and w of a tie, as `trueskill_kernels.correct_tie_readable` does for one match."""
    a, b = margin - np.abs(t), -margin - np.abs(t)
    inside = ndtr(a) - ndtr(b)
    v = (density(b) - density(a)) / inside
    return np.sign(t) * v, v**2 + (a * density(a) - b * density(b)) / inside


def density(x: FloatArray) -> FloatArray:
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


@kernel
def course(mu, variance, met, won, lost, tied, beta, margin):  # type: ignore[no-untyped-def]
    """Return each pair's mean push over σ², mean shrinking over σ⁴, and share of the draws."""
    k = len(mu)
    push, shrink, second = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
    has_met = np.zeros(k, dtype=np.bool_)
    mean_variance = 0.0
    for i in range(k):
        for j in range(k):
            has_met[i] |= met[i, j]
        if has_met[i]:
            mean_variance += variance[i]
    mean_variance /= max(has_met.sum(), 1)
    for i in range(k):
        for j in range(i):
            c2 = variance[i] + variance[j] + 2 * beta**2
            c = math.sqrt(c2)
            t, cut = (mu[i] - mu[j]) / c, margin / c
            v_win = _phi(t - cut) / _cdf(t - cut)
            v_lose = _phi(-t - cut) / _cdf(-t - cut)
            a, b = cut - abs(t), -cut - abs(t)
            inside = _cdf(a) - _cdf(b)
            v_tie = (_phi(b) - _phi(a)) / inside
            w_tie = v_tie**2 + (a * _phi(a) - b * _phi(b)) / inside
            push[i, j] = (
                won[i, j] * v_win - lost[i, j] * v_lose + tied[i, j] * v_tie * np.sign(t)
            ) / c
            w_win, w_lose = v_win * (v_win + t - cut), v_lose * (v_lose - t - cut)
            shrink[i, j] = (won[i, j] * w_win + lost[i, j] * w_lose + tied[i, j] * w_tie) / c2
            push[j, i], shrink[j, i] = -push[i, j], shrink[i, j]
            if met[i, j]:
                second[i, j] = second[j, i] = math.exp(-abs(mu[i] - mu[j]))
    for i in range(k):
        whole = second[i].sum()
        if whole > 0:
            second[i] /= whole
    fall = second * shrink * mean_variance**2
    chosen = np.flatnonzero(has_met)
    rates = np.ones(len(chosen))
    while len(chosen):
        n = len(chosen)
        balance = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                balance[i, j] = fall[chosen[j], chosen[i]]
            balance[i, i] += fall[chosen[i]].sum()
        rates = np.linalg.lstsq(balance, np.ones(n), EPSILON * n)[0]  # type: ignore[assignment]
        if rates.min() >= 0 or n == 1:
            break
        worst = rates.argmin()
        chosen = np.concatenate((chosen[:worst], chosen[worst + 1 :]))
    first = np.zeros(k)
    first[chosen] = rates / rates.sum()
    pairs = np.empty((k, k))
    for i in range(k):
        for j in range(k):
            pairs[i, j] = first[i] * second[i, j] + first[j] * second[j, i]
    return push, shrink, pairs


@kernel
def _phi(x):  # type: ignore[no-untyped-def]
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@kernel
def _cdf(x):  # type: ignore[no-untyped-def]
    return math.erfc(-x / math.sqrt(2)) / 2
