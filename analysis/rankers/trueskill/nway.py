"""TrueSkill for free-for-all matches: N outputs of one ranking task, ranked together.

Every player has a performance N(μ, σ² + β²); neighbors in the ranking differ by more than ε, or,
when tied, by at most ε. Messages go up and down the chain of neighbors until the beliefs about the
differences rest.

References: Herbrich, Minka & Graepel 2006, *TrueSkill: A Bayesian Skill Rating System*, §3;
Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human Evaluation of
Machine Translation*, §4.2 (matches of N = 2…5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis.campaign import IntArray, Judgments, Ragged
from analysis.errors import PodiumError
from analysis.kernel import kernel
from analysis.rankers.resampling import ResamplingUnit, unit_of_tasks
from analysis.rankers.trueskill.kernels import _correct_tie, _correct_win

RESTS_BELOW = 1e-4
"""Change of a message's precision mean, or root precision, that ends the passing of messages."""

MOST_SWEEPS = 10


@dataclass(frozen=True, eq=False)
class Matches:
    """Match m is between ``player[start[m]:start[m+1]]``, with these ``rank``s (1 is best)."""

    start: IntArray
    player: IntArray
    rank: IntArray

    def __len__(self) -> int:
        return len(self.start) - 1


def draw_matches(
    judgments: Judgments, n_players: int, unit: ResamplingUnit, rng: np.random.Generator
) -> Matches:
    """Cut ranking tasks into matches of ``n_players`` outputs, at random, and shuffle them.

    Every output plays once a task, so that no judgment is used twice; what is left of a task makes
    a smaller match when two or more are left. An output of several systems plays for one of them,
    drawn at random. ``unit`` says what is drawn again before.
    """
    drawn = judgments.take_tasks(_draw_tasks(judgments, unit, rng))
    sizes = np.diff(drawn.task_start)
    task = Ragged(drawn.task_start, drawn.entry_output).owners.astype(np.int64)
    shuffled = np.lexsort((rng.random(len(task)), task))
    place = np.arange(len(task)) - drawn.task_start[task]
    match = task * (sizes.max(initial=0) // n_players + 1) + place // n_players
    _, of_entry, n_in_match = np.unique(match, return_inverse=True, return_counts=True)
    played = n_in_match[of_entry] > 1
    order = rng.permutation(len(n_in_match))[of_entry[played]]
    in_turn = np.argsort(order, kind="stable")
    entries = shuffled[played][in_turn]
    ends = np.flatnonzero(np.diff(order[in_turn], append=-1)) + 1
    return Matches(
        start=np.concatenate([[0], ends]).astype(np.int64),
        player=_one_system_each(judgments, drawn.entry_output[entries], rng),
        rank=drawn.entry_rank[entries].astype(np.int64),
    )


def _draw_tasks(judgments: Judgments, unit: ResamplingUnit, rng: np.random.Generator) -> IntArray:
    tasks = np.flatnonzero(np.diff(judgments.task_start) > 1)
    if unit == "none":
        return tasks
    if unit == "judgment":
        raise PodiumError(
            "Resampling rows",
            "matches of more than two outputs need whole ranking tasks, but resampling rows "
            "splits them",
            "Resample ranking tasks, segments or judges instead.",
        )
    units = Ragged.by_label(unit_of_tasks(judgments, unit)[tasks])
    return tasks[units.take(rng.integers(len(units), size=len(units))).values]


def _one_system_each(judgments: Judgments, outputs: IntArray, rng: np.random.Generator) -> IntArray:
    n = judgments.n_systems
    systems = outputs.astype(np.int64)
    for place in np.flatnonzero(systems >= n):
        systems[place] = rng.choice(judgments.groups[systems[place] - n])
    return systems


@kernel
def play_matches(start, player, rank, mu, variance, beta, margin, tau):  # type: ignore[no-untyped-def]
    """Update ``mu`` and ``variance`` in place with one match after the other."""
    most = 2
    for m in range(len(start) - 1):
        most = max(most, start[m + 1] - start[m])
    order = np.empty(most, np.int64)
    beliefs = np.empty((4, 2, most))
    for m in range(len(start) - 1):
        n = start[m + 1] - start[m]
        for k in range(n):  # by rank, equal ranks in their order
            entry = start[m] + k
            place = k
            while place > 0 and rank[order[place - 1]] > rank[entry]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = entry
        _play_match(order[:n], player, rank, mu, variance, beta, margin, tau, beliefs)


@kernel
def _play_match(order, player, rank, mu, variance, beta, margin, tau, beliefs):  # type: ignore[no-untyped-def]
    """Pass messages along one match's chain; every message is a precision and precision·mean.

    ``performance[:, k]`` is what is believed of player k before the match. Difference k is that
    between the players k and k + 1: ``cut[:, k]`` is what its outcome says of it,
    ``to_upper[:, k]`` and ``to_lower[:, k]`` what it says of the two.
    """
    n = len(order)
    performance, cut, to_upper, to_lower = beliefs[0], beliefs[1], beliefs[2], beliefs[3]
    for k in range(n):
        who = player[order[k]]
        precision = 1 / (variance[who] + tau * tau + beta * beta)
        performance[0, k] = precision
        performance[1, k] = precision * mu[who]
        for i in range(2):
            cut[i, k] = to_upper[i, k] = to_lower[i, k] = 0.0
    for _ in range(MOST_SWEEPS):
        change = 0.0
        if n == 2:
            change = _cut_difference(0, n, order, rank, margin, beliefs)
        else:
            for k in range(n - 2):
                change = max(change, _cut_difference(k, n, order, rank, margin, beliefs))
                _tell_lower(k, n, beliefs)
            for k in range(n - 2, 0, -1):
                change = max(change, _cut_difference(k, n, order, rank, margin, beliefs))
                _tell_upper(k, n, beliefs)
        if change <= RESTS_BELOW:
            break
    _tell_upper(0, n, beliefs)
    _tell_lower(n - 2, n, beliefs)
    for k in range(n):
        who = player[order[k]]
        precision = weighted = 0.0
        if k < n - 1:
            precision += to_upper[0, k]
            weighted += to_upper[1, k]
        if k > 0:
            precision += to_lower[0, k - 1]
            weighted += to_lower[1, k - 1]
        seen = 1 / (1 + beta * beta * precision)
        prior = 1 / (variance[who] + tau * tau)
        variance[who] = 1 / (prior + seen * precision)
        mu[who] = variance[who] * (prior * mu[who] + seen * weighted)


@kernel
def _upper_and_lower(k, n, beliefs):  # type: ignore[no-untyped-def]
    """Return mean and variance of the players k and k + 1 as all but difference k tell."""
    performance, to_upper, to_lower = beliefs[0], beliefs[2], beliefs[3]
    upper, upper_weighted = performance[0, k], performance[1, k]
    lower, lower_weighted = performance[0, k + 1], performance[1, k + 1]
    if k > 0:
        upper += to_lower[0, k - 1]
        upper_weighted += to_lower[1, k - 1]
    if k < n - 2:
        lower += to_upper[0, k + 1]
        lower_weighted += to_upper[1, k + 1]
    return upper_weighted / upper, 1 / upper, lower_weighted / lower, 1 / lower


@kernel
def _cut_difference(k, n, order, rank, margin, beliefs):  # type: ignore[no-untyped-def]
    """Cut difference k as its outcome demands; return how far the belief about it moved."""
    cut = beliefs[1]
    upper, upper_variance, lower, lower_variance = _upper_and_lower(k, n, beliefs)
    precision = 1 / (upper_variance + lower_variance)
    weighted = precision * (upper - lower)
    root = math.sqrt(precision)
    if rank[order[k]] == rank[order[k + 1]]:
        v, w = _correct_tie(weighted / root, margin * root)
    else:
        v, w = _correct_win(weighted / root, margin * root)
    told = precision / (1 - w) - precision
    told_weighted = (weighted + root * v) / (1 - w) - weighted
    change = max(abs(told_weighted - cut[1, k]), math.sqrt(abs(told - cut[0, k])))
    cut[0, k] = told
    cut[1, k] = told_weighted
    return change


@kernel
def _tell_lower(k, n, beliefs):  # type: ignore[no-untyped-def]
    """Tell player k + 1 what follows for it: upper player minus difference."""
    cut, to_lower = beliefs[1], beliefs[3]
    upper, upper_variance, _, _ = _upper_and_lower(k, n, beliefs)
    precision = 1 / (upper_variance + 1 / cut[0, k])
    to_lower[0, k] = precision
    to_lower[1, k] = precision * (upper - cut[1, k] / cut[0, k])


@kernel
def _tell_upper(k, n, beliefs):  # type: ignore[no-untyped-def]
    """Tell player k what follows for it: lower player plus difference."""
    cut, to_upper = beliefs[1], beliefs[2]
    _, _, lower, lower_variance = _upper_and_lower(k, n, beliefs)
    precision = 1 / (lower_variance + 1 / cut[0, k])
    to_upper[0, k] = precision
    to_upper[1, k] = precision * (lower + cut[1, k] / cut[0, k])
