"""One ranking of one language pair with all that is said of it: scores, rank ranges, clusters."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.rankers.draws import ResamplingUnit, n_units
from analysis.rankers.ranker import Ranker
from analysis.rankers.standings import Standings, best_first
from analysis.ranking.clusters import clusters_from_ranges
from analysis.ranking.rank_ranges import RankRanges, rank_ranges
from analysis.ranking.replicates import Replicates, replicate


@dataclass(frozen=True, eq=False)
class Ranking:
    """Standings with rank ranges and clusters over runs, in the order of ``systems``.

    ``ranges`` and ``clusters`` are None where nothing is known about how sure the ranking is: the
    runs did not differ, or there is one ``unit`` alone, which each run draws again.
    """

    judgments: Judgments
    standings: Standings
    runs: int
    level: float
    provenance: Provenance
    ranges: RankRanges | None
    clusters: IntArray | None
    unit: ResamplingUnit = "none"

    @property
    def systems(self) -> tuple[str, ...]:
        return self.standings.systems

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    @property
    def can_tell(self) -> bool:
        """Whether resampling could tell how sure the ranking is, where it was not done."""
        return self.unit == "none" and n_units(self.judgments, "none") > 1

    @property
    def scores(self) -> FloatArray:
        """The fitted scores; the mean over the runs where the fit is only an approximation."""
        if self.standings.approximate and self.ranges is not None:
            return self.ranges.mean
        return self.standings.scores

    @property
    def spread(self) -> FloatArray:
        """Standard deviation over the runs; the model's own where there are none; else nan."""
        if self.ranges is not None:
            return self.ranges.deviation
        if self.standings.spread is not None:
            return self.standings.spread
        return np.full(len(self.systems), np.nan)

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return best_first(self.scores)

    @property
    def n_clusters(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first; missing ranks and clusters are <NA>."""
        order = self.order
        frame = pd.DataFrame(
            {
                "system": [self.systems[k] for k in order],
                "score": self.scores[order],
                "spread": self.spread[order],
            }
        )
        ranges, clusters = self.ranges, self.clusters
        for column, values in (
            ("rank_low", None if ranges is None else ranges.low),
            ("rank_high", None if ranges is None else ranges.high),
            ("cluster", clusters),
        ):
            shown = np.zeros(len(order), dtype=np.int64) if values is None else values[order]
            frame[column] = pd.array(shown, dtype="Int64").astype("Int64")
            frame.loc[frame[column] == 0, column] = pd.NA
        return frame


def rank(
    judgments: Judgments,
    ranker: Ranker,
    *,
    runs: int = 1000,
    level: float = 0.95,
    unit: ResamplingUnit | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """Rank one language pair and say how sure the ranking is.

    ``unit`` is what each run draws again; None is the method's own default.
    """
    standings = ranker.fit(judgments, seed)
    replicates = replicate(
        ranker,
        judgments,
        runs=runs,
        unit=ranker.default_resample if unit is None else unit,
        seed=seed,
        executor=executor,
        progress=progress,
    )
    return assemble(judgments, standings, replicates, level)


def assemble(
    judgments: Judgments, standings: Standings, replicates: Replicates, level: float
) -> Ranking:
    """Put standings and replicates together; runs that do not differ give no ranges."""
    scores = np.nan_to_num(replicates.scores)
    varied = bool((scores != scores[0]).any()) and n_units(judgments, replicates.unit) > 1
    ranges = rank_ranges(replicates, level) if varied else None
    if ranges is not None and not ranges.low.any():
        ranges = None  # nobody has a rank in enough of the runs
    return Ranking(
        judgments=judgments,
        standings=standings,
        runs=replicates.runs,
        level=level,
        provenance=replicates.provenance | judgments.provenance | Provenance(level=level),
        ranges=ranges,
        clusters=None if ranges is None else clusters_from_ranges(ranges),
        unit=replicates.unit,
    )
