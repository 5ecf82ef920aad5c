"""A ranker's scores on many resamples: same seed, same result, whatever the workers."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.parallel import Progress, map_chunks
from analysis.provenance import Provenance
from analysis.rankers.draws import ResamplingUnit
from analysis.rankers.ranker import Ranker


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
    ranker: Ranker,
    judgments: Judgments,
    *,
    runs: int = 1000,
    unit: ResamplingUnit = "task",
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Replicates:
    """Run a ranker on ``runs`` resamples; same seed, same result, whatever the workers."""
    if runs < 1:
        raise PodiumError("Runs", f"{runs} is too few", "Give 1 or more; 1000 is usual.")
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    function = partial(_replicate_chunk, ranker, judgments, unit)
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


def _replicate_chunk(
    ranker: Ranker, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
) -> FloatArray:
    return ranker.replicate_scores(judgments, unit, n, rng)
