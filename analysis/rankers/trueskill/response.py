"""How TrueSkill's expected run follows the judgments: its derivative, and what that leads to.

A judgment pushes two skills; what a push leads to follows from the derivative of the slopes of
`fluid` by the skills. With d = μ_i - μ_j, push h(d), mean shrinking q(d), reach e^-|d|, shares f of
first choice and p of the second one given the first, whose product gives a pair its draws,

    slope_i = σ²_i Σ_j (f_i p_ij + f_j p_ji) h(d_ij),    f ∝ r,    B r = 1,
    B = diag(Σ_b p_ib q_ib) + (p q)ᵀ;

all are differentiated in closed form, r by that of the pseudoinverse (Golub & Pereyra 1973).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import ndtr

from analysis.campaign import FloatArray, PairCounts
from analysis.rankers.trueskill.fluid import (
    EPSILON,
    BoolArray,
    balance_of,
    course,
    density,
    selection,
    slopes,
    standardized,
    tie_corrections,
    win_corrections,
)

RESPONSE_STEPS = 3
"""Midpoint steps of the derivative of a run; four times as many change no deviation by .3%."""


@dataclass(frozen=True, eq=False)
class Response:
    """How the expected run's μ follow the pairs' shares of wins and ties.

    One more win of i over j pushes i by ``win[i, j]`` (j by -``win[i, j]``), one more tie by
    ``tie[i, j]``; ``decided[i, j]`` is the push by i's share of the decided judgments.
    ``mixing[K, K]`` says how far a push of one system moves all in the end: who is pushed up meets
    stronger opponents from then on.
    """

    mu: FloatArray
    win: FloatArray
    tie: FloatArray
    decided: FloatArray
    mixing: FloatArray


def expected_response(
    counts: PairCounts, n_draws: int, sigma0: float, beta: float, margin: float
) -> Response:
    """Return the derivative of the expected run, to first order in the pushes.

    A push at one time is as good as at another, so that pushes are summed over the run and what
    they lead to is averaged over it: δμ(1) = (mean over s of Φ(1, s)) Σ pushes, where Φ is the
    propagator of the slopes' derivative by μ.
    """
    compared = counts.compared
    met = compared > 0
    n = np.where(met, compared, 1.0)
    won, lost, tied = shares = [table / n for table in (counts.wins, counts.losses, counts.ties)]
    k = len(met)
    mu, variance = np.zeros(k), np.full(k, sigma0**2)
    step = n_draws / RESPONSE_STEPS
    pushes = np.zeros((3, k, k))
    by_mu = []
    for _ in range(RESPONSE_STEPS):
        half = slopes(mu, variance, met, shares, beta, margin)
        middle = mu + step / 2 * half[0]
        middle_variance = variance + step / 2 * half[1]
        at = (middle, middle_variance, met, shares, beta, margin)
        c, t, cut = standardized(middle, middle_variance, beta, margin)
        v_win, v_tie = win_corrections(t - cut)[0] / c, tie_corrections(t, cut)[0] / c
        push, _, pairs = course(middle, middle_variance, met, won, lost, tied, beta, margin)
        drawn = step * middle_variance[:, None] * pairs
        pushes += drawn * np.stack(
            [(v_win - push) / n, (v_tie - push) / n, (v_win + v_win.T) * (won + lost)]
        )
        by_mu.append(step * slopes_by_mu(*at))
        slope_mu, slope_variance = slopes(*at)
        mu, variance = mu + step * slope_mu, variance + step * slope_variance
    later, mixing = np.eye(k), np.zeros((k, k))
    for derivative in reversed(by_mu):
        half_way = scipy.linalg.expm(derivative / 2)
        mixing += later @ half_way / RESPONSE_STEPS
        later = later @ half_way @ half_way
    win, tie, decided = np.where(met, pushes, 0.0)
    return Response(mu, win, tie, decided, mixing)


def slopes_by_mu(
    mu: FloatArray,
    variance: FloatArray,
    met: BoolArray,
    shares: list[FloatArray],
    beta: float,
    margin: float,
) -> FloatArray:
    """Return the derivative of each mean change of μ by each μ, at the same variances."""
    won, lost, tied = shares
    c, t, cut = standardized(mu, variance, beta, margin)
    (v, w), (v_tie, w_tie) = win_corrections(t - cut), tie_corrections(t, cut)
    push = (won * v - lost * v.T + tied * v_tie) / c
    shrink = (won * w + lost * w.T + tied * w_tie) / c**2
    w_by_t = v - w * (2 * v + t - cut)
    shrink_by_lead = (won * w_by_t - lost * w_by_t.T + tied * _tie_shrinking_by_t(t, cut)) / c**3
    scale = variance[met.any(axis=1)].mean() ** 2
    first, second = selection(mu, met, scale * shrink)
    reach = _Reach(second, np.sign(mu[:, None] - mu))
    first_by_mu = _first_by_mu(first, reach, scale * shrink, scale * shrink_by_lead)
    # d push / d lead = -shrink: v' = -w, of wins as of ties
    pushed = second * push
    by_mu = pushed.sum(axis=1)[:, None] * first_by_mu - pushed.T @ first_by_mu
    by_mu += first[:, None] * reach.rows(push, -shrink, np.ones(len(mu)))
    by_mu -= reach.columns(push, -shrink, first)
    return np.asarray(variance[:, None] * by_mu)


@dataclass(frozen=True, eq=False)
class _Reach:
    """Derivatives by μ_j of tables p_ab m_ab, p ∝ e^-|d_ab| in each row and m a function of d_ab.

    With s = sign(d) and u_a = Σ_b p_ab s_ab the derivative is
    p_ab (m'_ab - s_ab m_ab) (δ_aj - δ_bj) + p_ab m_ab (δ_aj u_a - p_aj s_aj).
    """

    second: FloatArray
    sign: FloatArray

    def rows(self, m: FloatArray, by_lead: FloatArray, weight: FloatArray) -> FloatArray:
        """Return the derivative of Σ_b p_ab m_ab weight_b, [a, j]."""
        own, signed = self.second * (by_lead - self.sign * m), self.second * self.sign
        total = (self.second * m) @ weight
        by_mu = -own * weight - total[:, None] * signed
        by_mu[np.diag_indices_from(by_mu)] += own @ weight + total * signed.sum(axis=1)
        return np.asarray(by_mu)

    def columns(self, m: FloatArray, by_lead: FloatArray, weight: FloatArray) -> FloatArray:
        """Return the derivative of Σ_a weight_a p_ab m_ab, [b, j]."""
        own, signed = self.second * (by_lead - self.sign * m), self.second * self.sign
        weighted = weight[:, None] * self.second * m
        by_mu = (weight[:, None] * own + signed.sum(axis=1)[:, None] * weighted).T
        by_mu -= weighted.T @ signed
        by_mu[np.diag_indices_from(by_mu)] -= own.T @ weight
        return np.asarray(by_mu)


def _first_by_mu(
    first: FloatArray, reach: _Reach, m: FloatArray, by_lead: FloatArray
) -> FloatArray:
    """Return the derivative of how often each system is chosen first; who never is, stays so."""
    chosen = np.flatnonzero(first)
    balance = balance_of(reach.second * m)[np.ix_(chosen, chosen)]
    inverse = np.linalg.pinv(balance, rcond=EPSILON * len(chosen))
    rates, back = np.zeros(len(first)), np.zeros(len(first))
    rates[chosen] = inverse.sum(axis=1)
    back[chosen] = inverse.T @ rates[chosen]
    all_of_them, unmet = np.ones(len(first)), np.zeros(len(first))
    unmet[chosen] = 1 - balance @ rates[chosen]
    every_row = reach.rows(m, by_lead, all_of_them)
    moved = rates[:, None] * every_row + reach.columns(m, by_lead, rates)
    by_mu = -inverse @ moved[chosen]
    # What follows is zero but where systems fall into two parts that meet only each other.
    for weight, projection in (
        (unmet, inverse @ inverse.T),
        (back, np.eye(len(chosen)) - inverse @ balance),
    ):
        turned = weight[:, None] * every_row + reach.rows(m, by_lead, weight)
        by_mu += projection @ turned[chosen]
    by_mu -= first[chosen][:, None] * by_mu.sum(axis=0)
    found = np.zeros((len(first), len(first)))
    found[chosen] = by_mu / rates.sum()
    return found


def _tie_shrinking_by_t(t: FloatArray, margin: FloatArray) -> FloatArray:
    """Return the derivative of a tie's w by t."""
    a, b = margin - np.abs(t), -margin - np.abs(t)
    inside = ndtr(a) - ndtr(b)
    v, w = tie_corrections(t, margin)
    v = np.sign(t) * v
    by_size = -2 * v * w + ((a**2 - 1) * density(a) - (b**2 - 1) * density(b)) / inside
    return np.asarray(np.sign(t) * (by_size - (w - v**2) * v))
