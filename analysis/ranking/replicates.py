"""A ranker's scores on many resamples: same seed, same result, whatever the workers."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, control
from analysis.parallel import Progress, map_chunks
from analysis.provenance import Provenance
from analysis.rankers.ranker import Fit
from analysis.rankers.resampling import ResamplingUnit

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
