"""A campaign collected anew, in simulation: what does choosing whole ranking tasks bring?

A campaign with the abilities of the one at hand grows batch by batch, its tasks chosen by a method
of `choosing_matches`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from analysis.campaign import Campaign, FloatArray, IntArray, Judgments
from analysis.campaign.campaign import tabulate_tasks
from analysis.errors import PodiumError
from analysis.extras.validation.simulation.campaigns import rank_by_radius
from analysis.extras.validation.simulation.koehn2012 import ranking_error
from analysis.next_campaign.choosing_matches import METHODS, Method, choose_systems
from analysis.next_campaign.evidence import Evidence, fit_evidence, told_apart
from analysis.parallel import Progress, map_items


@dataclass(frozen=True)
class Collection:
    """A campaign to simulate: ``batches`` of ``batch`` tasks with ``n_way`` outputs, all told."""

    batches: int = 10
    batch: int = 200
    n_way: int = 5


def collect(
    judgments: Judgments,
    methods: Sequence[Method] = tuple(METHODS),
    collection: Collection = Collection(),
    *,
    experiments: int = 8,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Simulate how campaigns like this one grow if tasks are chosen by each method.

    The first batch is uniform, and shows every system. Columns: method, tasks, share (of the pairs
    told apart), clusters, error (share of the pairs in the wrong order), false (share of the
    campaigns in which a system stands in a higher cluster than a better one); means over the
    experiments.
    """
    evidence = fit_evidence(judgments)
    k = len(evidence.systems)
    if collection.batch * min(collection.n_way, k) < k:
        raise PodiumError(
            "Batch", f"{collection.batch} tasks do not show all {k} systems", "Give more tasks."
        )
    # Numbers for names: in their order, and none of them a reference.
    evidence = replace(evidence, systems=tuple(f"{number:04}" for number in range(k)))
    items = [(method, e) for method in methods for e in range(experiments)]
    tables = map_items(
        partial(_collect_once, evidence, collection),
        items,
        seed=seed,
        executor=executor,
        progress=progress,
    )
    frame = pd.concat(tables).groupby(["method", "tasks"], sort=False).mean()
    return frame.reset_index()


def _collect_once(
    evidence: Evidence,
    collection: Collection,
    item: tuple[Method, int],
    rng: np.random.Generator,
) -> pd.DataFrame:
    method, _ = item
    k = len(evidence.systems)
    n_way = min(collection.n_way, k)
    systems = _first_batch(collection.batch, n_way, k, rng)
    quality, rows = np.zeros((0, n_way)), []
    judgments: Judgments | None = None
    for _ in range(collection.batches):
        if judgments is not None:
            chosen = choose_systems(judgments, collection.batch, method, n_way, rng)
            systems = np.concatenate([systems, np.array(chosen)])
        new = systems[len(quality) :]
        noise = rng.standard_normal(new.shape) * np.sqrt(0.5)
        quality = np.concatenate([quality, evidence.abilities[new] + noise])
        judgments = _answered(evidence, systems, quality).judgments()
        rows.append((method, *_standing(evidence, judgments)))
    return pd.DataFrame(rows, columns=["method", "tasks", "share", "clusters", "error", "false"])


def _first_batch(batch: int, n_way: int, k: int, rng: np.random.Generator) -> IntArray:
    """Draw tasks at random, so that every system is in one at least."""
    all_of_them = rng.permutation(k)
    needed = -(-k // n_way)
    covering = np.resize(all_of_them, (needed, n_way))
    return np.concatenate([covering, np.argsort(rng.random((batch, k)), axis=1)[needed:, :n_way]])


def _answered(evidence: Evidence, systems: IntArray, quality: FloatArray) -> Campaign:
    tasks = np.arange(len(systems))
    ranks = rank_by_radius(quality, evidence.radius)
    return tabulate_tasks("all", evidence.systems, systems, tasks, tasks % 40, ranks, "", "")


def _standing(truth: Evidence, judgments: Judgments) -> tuple[int, float, float, float, bool]:
    found = fit_evidence(judgments)
    clusters, share = told_apart(found)
    codes = [truth.systems.index(name) for name in found.systems]
    scores = np.full(len(truth.systems), np.nan)
    scores[codes] = found.abilities
    error = float(ranking_error(scores, truth.abilities))
    better = truth.abilities[codes][:, None] > truth.abilities[codes]
    false = bool((better & (clusters[:, None] > clusters)).any())
    return found.n_tasks, share, float(clusters.max()), error, false
