"""One ranking of one language pair with all that is said of it: scores, rank ranges, clusters."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.rankers.ranker import Fit, Ranker, Standings, best_first
from analysis.rankers.resampling import n_units
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from analysis.ranking.rank_ranges import (
    RankRanges,
    by_official_ranges,
    clusters_from_ranges,
    rank_ranges,
    simultaneous_ranges,
)
from analysis.ranking.replicates import Replicates, replicate
from analysis.ranking.verdict import Verdict, reach_verdict


@dataclass(frozen=True, eq=False)
class Ranking:
    """Standings with rank ranges and clusters, in the order of ``systems``.

    ``verdict`` says which systems differ, by the rule of the ``certainty``; it is None in a
    preview. ``ranges`` and ``clusters`` follow from it, or, where ``certainty`` is the published
    one, from the runs, and the verdict from them. They are None where nothing is known about how
    sure the ranking is: the runs did not differ, or there is one unit alone.
    """

    judgments: Judgments
    standings: Standings
    certainty: Certainty
    provenance: Provenance
    verdict: Verdict | None
    ranges: RankRanges | None
    clusters: IntArray | None

    @property
    def systems(self) -> tuple[str, ...]:
        return self.standings.systems

    @property
    def level(self) -> float:
        return self.certainty.level

    @property
    def runs(self) -> int:
        return self.certainty.runs

    @property
    def is_preview(self) -> bool:
        return self.verdict is None

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    @property
    def can_tell(self) -> bool:
        """Whether resampling could tell how sure the ranking is, where it was not done."""
        chosen = self.certainty
        return chosen.is_official and chosen.unit == "none" and n_units(self.judgments, "none") > 1

    @property
    def scores(self) -> FloatArray:
        """The fitted scores; over runs, their mean where the fit is only an approximation."""
        return self.standings.scores if self.verdict is None else self.verdict.scores

    @property
    def se(self) -> FloatArray:
        """Standard deviation of each score; in a preview the model's own; nan where not known."""
        if self.ranges is not None:
            return self.ranges.se
        if self.is_preview and self.standings.spread is not None:
            return self.standings.spread
        return np.full(len(self.systems), np.nan)

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return best_first(self.scores)

    @property
    def n_clusters(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max(initial=0))

    @property
    def possible_winners(self) -> tuple[str, ...]:
        """The systems that the ranking's own rule leaves as possible winners, best first.

        An official procedure leaves its first cluster. None are known without rank ranges.
        """
        if self.verdict is None or self.ranges is None:
            return ()
        return self.verdict.possible_winners

    @property
    def winner(self) -> str | None:
        """The only possible winner; None if there are several, or none is known."""
        return self.possible_winners[0] if len(self.possible_winners) == 1 else None

    def __repr__(self) -> str:
        return f"Ranking of {self.judgments.pair}, {len(self.systems)} systems: {self.signature}"

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first; missing ranks and clusters are <NA>."""
        order, ranges, clusters = self.order, self.ranges, self.clusters
        unknown = np.full(len(order), np.nan)
        frame = pd.DataFrame(
            {
                "system": [self.systems[k] for k in order],
                "score": self.scores[order],
                "se": self.se[order],
                "ci_low": unknown if ranges is None else ranges.ci_low[order],
                "ci_high": unknown if ranges is None else ranges.ci_high[order],
            }
        )
        tiers = None if ranges is None or self.verdict is None else self.verdict.tiers
        for column, values in (
            ("rank_best", None if ranges is None else ranges.rank_best),
            ("rank_worst", None if ranges is None else ranges.rank_worst),
            ("cluster", clusters),
            ("tier", tiers),
        ):
            shown = np.zeros(len(order), dtype=np.int64) if values is None else values[order]
            frame[column] = pd.array(shown, dtype="Int64").astype("Int64")
            frame.loc[frame[column] == 0, column] = pd.NA
        return frame


def rank(
    judgments: Judgments,
    ranker: Ranker,
    certainty: Certainty = DEFAULT_CERTAINTY,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """Rank one language pair and say how sure the ranking is."""
    fit = ranker.fit(judgments, certainty.seed)
    verdict = reach_verdict(
        fit,
        level=certainty.level,
        scope=certainty.scope,
        runs=certainty.runs,
        executor=executor,
        progress=progress,
    )
    if not certainty.is_official:
        return assemble_ranking(fit, certainty, verdict)
    replicates = replicate(
        fit,
        runs=certainty.runs,
        unit=certainty.unit,
        seed=certainty.seed,
        executor=executor,
        progress=progress,
    )
    return assemble_ranking(fit, certainty, verdict, replicates)


def assemble_ranking(
    fit: Fit,
    certainty: Certainty,
    verdict: Verdict,
    replicates: Replicates | None = None,
) -> Ranking:
    """Put together what was computed; the published certainty needs its ``replicates``."""
    clusters: IntArray | None
    if replicates is None:
        ranges = simultaneous_ranges(verdict)
        provenance, clusters = verdict.provenance, verdict.clusters
    else:
        ranges = _ranges_of_runs(fit.judgments, replicates, certainty.level)
        clusters = None if ranges is None else clusters_from_ranges(ranges)
        scores = fit.standings.scores
        if ranges is not None and fit.standings.approximate:
            scores = ranges.mean
        provenance = (
            replicates.provenance | fit.judgments.provenance | Provenance(level=certainty.level)
        )
        verdict = dataclasses.replace(
            by_official_ranges(verdict, scores, ranges, clusters), provenance=provenance
        )
    return Ranking(
        judgments=fit.judgments,
        standings=fit.standings,
        certainty=certainty,
        provenance=provenance,
        verdict=verdict,
        ranges=ranges,
        clusters=None if ranges is None else clusters,
    )


def _ranges_of_runs(
    judgments: Judgments, replicates: Replicates, level: float
) -> RankRanges | None:
    """Return the ranges over runs; None where the runs do not differ or nobody has a rank."""
    scores = np.nan_to_num(replicates.scores)
    varied = bool((scores != scores[0]).any()) and n_units(judgments, replicates.unit) > 1
    ranges = rank_ranges(replicates, level) if varied else None
    return None if ranges is None or not ranges.rank_best.any() else ranges
