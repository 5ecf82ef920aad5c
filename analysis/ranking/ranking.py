"""One ranking of one language pair with all that is said of it: scores, rank ranges, clusters.

Quick rankings are for questions that are asked by moving a slider. Methods whose scores have
derivatives need nothing else: their verdict takes milliseconds. For others another method stands
in: the variance of Bradley–Terry's scores, with ties as half a win, is put on the method's scale,

    Var(s) = a² Var(b),   a = Σ (s - s̄)(b - b̄) / Σ (b - b̄)²,

s being the method's scores of all judgments, b the stand-in's. That is a preview.
"""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import NotConvergedError, UndefinedResultError
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ranker import Fit, Ranker, Standings, best_first
from analysis.rankers.resampling import n_units
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty, Replicates, replicate
from analysis.ranking.fit_uncertainty import closed_form
from analysis.ranking.rank_ranges import (
    RankRanges,
    by_official_ranges,
    clusters_from_ranges,
    rank_ranges,
    simultaneous_ranges,
)
from analysis.ranking.verdict import Verdict, reach_verdict, verdict_on


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


STAND_IN = BradleyTerry(ties="half")


def quick_ranking(
    judgments: Judgments, ranker: Ranker, certainty: Certainty = DEFAULT_CERTAINTY
) -> Ranking:
    """Rank in milliseconds, with the verdict as `verdict_on` defines it.

    Rank ranges as published need runs, so that these are always the simultaneous ones.
    """
    chosen = dataclasses.replace(certainty, ranges="simultaneous")
    fit = ranker.quick_form().fit(judgments, chosen.seed)
    return assemble_ranking(fit, chosen, quick_verdict(fit, chosen))


def quick_verdict(fit: Fit, certainty: Certainty = DEFAULT_CERTAINTY) -> Verdict:
    """Return the verdict on a quick form's fit, by derivatives or by the stand-in's."""
    judgments, influence = fit.judgments, fit.influence()
    made = Provenance(extra=(("scope", certainty.scope),), level=certainty.level)
    if influence is None:
        influence = STAND_IN.fit(judgments).influence()
        made |= Provenance(extra=(("stand-in", STAND_IN.name),))
    return verdict_on(
        judgments,
        fit.standings.scores,
        closed_form(judgments, influence, fit.standings.scores),
        certainty.level,
        certainty.scope,
        fit.ranker.provenance | made | judgments.provenance,
    )


def quick_winner(
    judgments: Judgments, ranker: Ranker, certainty: Certainty = DEFAULT_CERTAINTY
) -> str | None:
    """Return the system that wins by these judgments; None where none does or can be ranked."""
    try:
        fit = ranker.quick_form().fit(judgments, certainty.seed)
        return quick_verdict(fit, certainty).winner
    except (UndefinedResultError, NotConvergedError):
        return None


def fewer_tasks(judgments: Judgments, share: float, seed: int = 0) -> Judgments:
    """Return that share of the ranking tasks, drawn at random; fewer are always among more."""
    n = max(1, round(share * judgments.n_tasks))
    order = np.random.default_rng(seed).permutation(judgments.n_tasks)
    return judgments.take_tasks(np.sort(order[:n]))


SAMPLES = 40
"""Random samples of the tasks in which a winner is looked for, to say how narrow the win is."""


def n_samples(judgments: Judgments) -> int:
    """Return how many samples of each share of the tasks to draw: fewer of many tasks."""
    return SAMPLES if judgments.n_tasks <= 50_000 else 10


def wins_in_samples(
    judgments: Judgments,
    ranker: Ranker,
    certainty: Certainty,
    winner: str,
    share: float,
    n: int,
) -> int:
    """Return in how many of ``n`` random samples of that share of the tasks a system wins."""
    samples = (fewer_tasks(judgments, share, certainty.seed + k) for k in range(n))
    return sum(quick_winner(sample, ranker, certainty) == winner for sample in samples)
