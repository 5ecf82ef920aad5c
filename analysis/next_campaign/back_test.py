"""Does the outlook hold on the campaign at hand? Fifths of its tasks are asked for the whole."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.campaign import Judgments
from analysis.next_campaign.evidence import FEWEST_TASKS, fit_evidence
from analysis.next_campaign.outlook import look_ahead, told_apart
from analysis.parallel import Progress, map_items

PART = 5
"""One task in so many foretells the whole."""


@dataclass(frozen=True)
class BackTest:
    """How often intervals that hold ``certainty`` held what the whole campaign shows.

    ``share_held`` counts the trials in which the share of pairs told apart was within its interval,
    ``clusters_held`` those in which the number of clusters was.
    """

    trials: int
    certainty: float
    share_held: int
    clusters_held: int


def back_test(
    judgments: Judgments,
    *,
    level: float = 0.95,
    certainty: float = 0.9,
    trials: int = 20,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> BackTest | None:
    """Foretell a campaign from random fifths of it; None where a fifth has too few tasks.

    Tasks count that compare two systems.
    """
    judgments = judgments.take_tasks(np.unique(judgments.task))
    if judgments.n_tasks < PART * FEWEST_TASKS:
        return None
    clusters, share = told_apart(fit_evidence(judgments), level, seed)
    shown = (share, int(clusters.max()))
    function = partial(_hold, judgments, shown, level, certainty)
    held = map_items(function, range(trials), seed=seed, executor=executor, progress=progress)
    share_held, clusters_held = np.sum(held, axis=0).tolist()
    return BackTest(trials, certainty, share_held, clusters_held)


def _hold(
    judgments: Judgments,
    shown: tuple[float, int],
    level: float,
    certainty: float,
    _: int,
    rng: np.random.Generator,
) -> Sequence[bool]:
    """Return whether one fifth's intervals hold what the whole shows."""
    tasks = rng.permutation(judgments.n_tasks)[: judgments.n_tasks // PART]
    evidence = fit_evidence(judgments.take_tasks(np.sort(tasks)))
    size = np.array([judgments.n_tasks])
    outlook = look_ahead(evidence, size, level=level, seed=int(rng.integers(2**31)))
    ends = (outlook.share_interval(certainty), outlook.clusters_interval(certainty))
    return [
        bool(low - 1e-9 <= value <= high + 1e-9)
        for value, ((low,), (high,)) in zip(shown, ends, strict=True)
    ]
