"""Training data that TrueSkill chooses for itself (SPV14, §2.4).

Of a pool of judgments, each draw takes one that tells most about the skills so far: the system a
of largest variance, an opponent b with probability ∝ exp(-|μ_a - μ_b|) (or TrueSkill's own match
quality), then one judgment of the two, uniformly and with replacement; the skills are updated
before the next draw.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from analysis.campaign import LOSS, TIE, IntArray, Judgments
from analysis.errors import UndefinedResultError
from analysis.kernel import kernel
from analysis.rankers.trueskill.kernels import _update_pair


class Settings(Protocol):
    """What a draw needs to know of TrueSkill."""

    @property
    def sigma0(self) -> float: ...

    @property
    def tau(self) -> float: ...

    @property
    def opponent(self) -> str: ...

    def scale(self, n: int) -> tuple[float, float]: ...


def choose_rows(
    pool: Judgments, n_draws: int, rng: np.random.Generator, settings: Settings
) -> IntArray:
    """Return the rows of the pool that ``n_draws`` active draws take, in order."""
    return pool.observations.row[choose_facts(pool, n_draws, rng, settings)]


def choose_facts(
    pool: Judgments, n_draws: int, rng: np.random.Generator, settings: Settings
) -> IntArray:
    """Return the indices of the pool's observations that active draws take, in order."""
    beta, margin = settings.scale(n_draws + 1)
    facts, k = pool.observations, pool.n_systems
    if not len(facts):  # a kernel would read beyond its end
        raise UndefinedResultError(
            "Choosing judgments", "there is none to choose from", "Exclude fewer systems."
        )
    first, second = np.minimum(facts.left, facts.right), np.maximum(facts.left, facts.right)
    pair = first.astype(np.int64) * k + second
    members = np.argsort(pair, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(pair, minlength=k * k))])
    chosen = _draw_active(
        facts.left,
        facts.right,
        facts.outcome,
        start.astype(np.int64),
        members,
        pool.counts.compared,
        n_draws,
        settings.sigma0,
        beta,
        margin,
        settings.tau,
        settings.opponent == "quality",
        rng,
    )
    return np.asarray(chosen)


@kernel
def _draw_active(  # type: ignore[no-untyped-def]
    left,
    right,
    outcome,
    start,
    members,
    compared,
    n_draws,
    sigma0,
    beta,
    margin,
    tau,
    by_quality,
    rng,
):
    """Return the facts that the draws take; the readable twin is in the tests."""
    k = len(compared)
    mu = np.zeros(k)
    variance = np.full(k, sigma0 * sigma0)
    for i in range(k):
        if compared[i].sum() == 0:
            variance[i] = -1.0
    reach = np.empty(k)
    chosen = np.empty(n_draws, dtype=np.int64)
    for draw in range(n_draws):
        a = 0
        for i in range(1, k):
            if variance[i] >= variance[a]:
                a = i
        total = 0.0
        for i in range(k):
            if compared[a, i] > 0 and by_quality:
                c2 = 2 * beta * beta + variance[a] + variance[i]
                lead = mu[a] - mu[i]
                total += math.sqrt(2 * beta * beta / c2) * math.exp(-lead * lead / (2 * c2))
            elif compared[a, i] > 0:
                total += math.exp(-abs(mu[a] - mu[i]))
            reach[i] = total
        target = rng.random() * total
        b = 0
        while b < k - 1 and reach[b] <= target:
            b += 1
        pair = min(a, b) * k + max(a, b)
        fact = members[start[pair] + int(rng.random() * (start[pair + 1] - start[pair]))]
        i, j = left[fact], right[fact]
        if outcome[fact] == LOSS:
            i, j = j, i
        _update_pair(mu, variance, i, j, outcome[fact] == TIE, beta, margin, tau)
        chosen[draw] = fact
    return chosen
