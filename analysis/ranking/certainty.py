"""The certainty of a ranking: its definition, for whom it is valid, its level; and resampling."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, control
from analysis.parallel import Progress, map_chunks
from analysis.provenance import Provenance
from analysis.rankers.ranker import Fit
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.variance import Scope

MOST_RUNS = 1_000_000


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores[R, K] of R runs, each on its own resample."""

    systems: tuple[str, ...]
    scores: FloatArray
    unit: ResamplingUnit
    seed: int
    provenance: Provenance

    @property
    def runs(self) -> int:
        return len(self.scores)


def replicate(
    fit: Fit,
    *,
    runs: int = 1000,
    unit: ResamplingUnit = "task",
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Replicates:
    """Score ``runs`` resamples of what was fitted; same seed, same result, whatever the workers."""
    ranker, judgments = fit.ranker, fit.judgments
    if not 1 <= runs <= MOST_RUNS:
        remedy = f"Give 1 or more, {MOST_RUNS} at most; 1000 is usual."
        raise PodiumError(control("--resamples", "Resamples"), f"{runs} is not possible", remedy)
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    function = partial(fit.replicates, unit)
    chunks = map_chunks(
        function,
        runs,
        seed=seed,
        chunk=ranker.runs_at_once,
        executor=executor,
        progress=progress,
    )
    return Replicates(
        systems=judgments.systems,
        scores=np.concatenate(chunks),
        unit=unit,
        seed=seed,
        provenance=ranker.provenance | Provenance(unit=unit, runs=runs, seed=seed),
    )


Ranges = Literal["simultaneous", "marginal"]
RANGES: dict[Ranges, str] = {
    "simultaneous": "simultaneous rank ranges (Holm-adjusted tests of all pairs)",
    "marginal": "rank ranges over resamples, as WMT published: one system at a time",
}
"""The two kinds of rank ranges and of the cluster lines that they make."""


@dataclass(frozen=True)
class Certainty:
    """The user's choice of how sure a ranking is said to be.

    ``ranges`` names the definition. The simultaneous one has a ``scope``, whom it speaks for; the
    marginal one the ``unit`` that each of its ``runs`` draws again. ``level`` and ``seed`` belong
    to both; ``runs`` also to methods whose scores have no derivative.
    """

    ranges: Ranges = "simultaneous"
    scope: Scope = "new"
    unit: ResamplingUnit = "judgment"
    runs: int = 1000
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.runs <= MOST_RUNS:
            remedy = f"Use 1 to {MOST_RUNS}; 1000 is usual."
            raise PodiumError(
                control("--resamples", "Resamples"), f"{self.runs} is not possible", remedy
            )

    @property
    def is_official(self) -> bool:
        return self.ranges == "marginal"


DEFAULT_CERTAINTY = Certainty()
AS_PUBLISHED = Certainty(ranges="marginal")
"""What WMT14 and its successors printed: 1,000 runs on resampled rows, ranges at 95%."""
