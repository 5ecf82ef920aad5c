"""Campaigns made at random for the benchmark: votes of two, and five-way ranking tasks."""

from __future__ import annotations

import functools

import numpy as np

from analysis.campaign import Judgments
from analysis.campaign.campaign import tabulate_tasks

SEGMENTS, JUDGES = 3000, 300


def votes(n: int, n_systems: int, seed: int = 1) -> Judgments:
    """Return ``n`` votes between systems whose abilities spread by 1; a fifth are ties."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=n_systems)
    left = rng.integers(n_systems, size=n)
    right = (left + 1 + rng.integers(n_systems - 1, size=n)) % n_systems
    won = rng.random(n) < 1 / (1 + np.exp(theta[right] - theta[left]))
    tied = rng.random(n) < 0.2
    ranks = np.stack([np.where(tied | won, 1, 2), np.where(tied | ~won, 1, 2)], axis=1)
    return _judgments(np.stack([left, right], axis=1), ranks, n_systems, rng)


@functools.lru_cache(maxsize=1)
def rankings(n_tasks: int, n_systems: int = 20, seed: int = 1) -> Judgments:
    """Return tasks of five outputs each, ranked at random: ten judgments a task."""
    rng = np.random.default_rng(seed)
    order = np.argsort(rng.random((n_tasks, n_systems), dtype=np.float32), axis=1)
    return _judgments(order[:, :5], rng.integers(1, 6, (n_tasks, 5)), n_systems, rng)


def tenth_whole_and_tenfold(judgments: Judgments) -> list[Judgments]:
    """Return the judgments of every tenth task, of all, and of each task ten times."""
    tasks = np.arange(judgments.n_tasks)
    return [judgments.take_tasks(tasks[::10]), judgments, judgments.take_tasks(np.tile(tasks, 10))]


def _judgments(
    shown: np.ndarray, ranks: np.ndarray, n_systems: int, rng: np.random.Generator
) -> Judgments:
    n = len(shown)
    return tabulate_tasks(
        "all",
        tuple(f"s{number:04d}" for number in range(n_systems)),
        shown.astype(np.int32),
        rng.integers(SEGMENTS, size=n),
        rng.integers(JUDGES, size=n),
        ranks.astype(np.int8),
        title="made at random",
        simulated_from="",
    ).judgments()
