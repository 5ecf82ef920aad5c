"""The verdict: which systems differ significantly, and what follows for winner, tiers and ranks.

All follows from the p-values of pairs (`significance`): the rank range of i is [1 + systems
significantly better, K - systems significantly worse], which covers for all systems at once at the
level; tiers, winner and clusters have rules of their own; a score's interval is s_i ± t σ_i.

A winner is named by a conjunction test, else the possible winners are. "X is the best" is false as
soon as one other system is as good, so that each test of X against another one may use the whole
error α: all of them must reject, unadjusted (intersection–union test). That X is chosen by the same
data is covered.

Reference: Gutmann & Maymin 1987, *Is the Selected Population the Best?*.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.rankers.ranker import Fit, best_first
from analysis.ranking.clusters import clusters_between, tiers_of
from analysis.ranking.covariance import Unit
from analysis.ranking.fit_uncertainty import RUNS, ReplicatesOf, resampling, uncertainty_of
from analysis.ranking.significance import (
    FALSE_SHARE,
    BoolArray,
    benjamini_hochberg,
    comparable,
    count_better_and_worse,
    holm,
    p_values,
)
from analysis.ranking.uncertainty import DRAWN_AGAIN, Interval, Uncertainty
from analysis.ranking.variance import SCOPES, Differences, Scope, quantile

NOWHERE = Provenance()

FEW_JUDGES = 8
"""Judges from which on both scopes say nearly the same."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the evidence shows of scores and ranks, in the order of ``systems``.

    ``freedom`` are the degrees of freedom of differences, ``freedom_of_scores`` those of scores.
    ``se_of_difference``, ``p`` and ``p_adjusted`` are [K, K]; nan where two systems cannot be
    compared. ``rank_best`` and ``rank_worst`` are the ends of the rank range (1 is best; 0: none).
    ``tiers`` and ``clusters`` begin with 1, the best. ``exploratory`` pairs are those of the second
    layer that are not ``significant``; ``these_judges`` those that differ significantly for new
    segments and these judges, but not for new judges (None: there are `FEW_JUDGES` or more).
    ``units`` says how many tasks, segments and judges there are, ``missing`` why some of them do
    not count. ``is_official`` marks what an official procedure counts, which has no p-values.
    """

    systems: tuple[str, ...]
    level: float
    scope: Scope
    scores: FloatArray
    se: FloatArray
    se_of_difference: FloatArray
    freedom: float
    freedom_of_scores: float
    p: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray
    exploratory: BoolArray
    rank_best: IntArray
    rank_worst: IntArray
    tiers: IntArray
    clusters: IntArray
    possible_winners: tuple[str, ...]
    ci_low: FloatArray
    ci_high: FloatArray
    units: dict[Unit, int]
    missing: dict[Unit, str]
    how: str
    provenance: Provenance
    uncertainty: Uncertainty = field(repr=False)
    these_judges: BoolArray | None = None
    is_official: bool = False

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    @property
    def source(self) -> str:
        """What the unit called segment is: "segment", or "document" where documents are known."""
        return self.uncertainty.source

    @property
    def winner(self) -> str | None:
        """The only possible winner; None if there are several."""
        return self.possible_winners[0] if len(self.possible_winners) == 1 else None

    @property
    def known(self) -> BoolArray:
        """Which pairs [K, K] the rule can judge."""
        if not self.is_official:
            return ~np.isnan(self.p)
        ranked = self.rank_best > 0
        return ranked[:, None] & ranked & ~np.eye(len(ranked), dtype=bool)

    def columns_of_pairs(self, apart: BoolArray, adjusted: FloatArray) -> dict[str, Any]:
        """Return the columns of a table of pairs by their names: the rule's answer, and its p."""
        if self.is_official:
            return {"separate_ranges": apart}
        return {"significant": apart, "p_adjusted": adjusted}

    @property
    def share_significant(self) -> float:
        """The share of the pairs of ranked systems that differ significantly."""
        n = int((self.rank_best > 0).sum())
        return float(self.significant.sum()) / max(n * (n - 1), 1)

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return best_first(self.scores)

    @property
    def n_clusters(self) -> int:
        return int(self.clusters.max(initial=0))

    @property
    def n_tiers(self) -> int:
        """How many tiers there are at least."""
        return int(self.tiers.max(initial=0))

    def interval_of_difference(self, a: str, b: str) -> Interval:
        """Return the score of a minus that of b with the interval of this pair alone."""
        i, j = self.systems.index(a), self.systems.index(b)
        difference, se = float(self.scores[i] - self.scores[j]), self.se_of_difference[i, j]
        reach = quantile((1 + self.level) / 2, self.freedom) * float(se)
        ends = (difference - reach, difference + reach)
        return Interval(difference, float(se), self.freedom, *ends)

    def __repr__(self) -> str:
        winner = f"{self.winner} wins" if self.winner else "no single winner"
        return f"Verdict on {len(self.systems)} systems: {winner}, at least {self.n_tiers} tiers"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system, best first; a missing rank is <NA>."""
        frame = pd.DataFrame(
            {
                "system": self.systems,
                "score": self.scores,
                "se": self.se,
                "ci_low": self.ci_low,
                "ci_high": self.ci_high,
                "rank_best": pd.array(self.rank_best, dtype="Int64"),
                "rank_worst": pd.array(self.rank_worst, dtype="Int64"),
                "tier": pd.array(self.tiers, dtype="Int64"),
                "cluster": pd.array(self.clusters, dtype="Int64"),
            }
        )
        frame.loc[self.rank_best == 0, ["rank_best", "rank_worst", "tier", "cluster"]] = pd.NA
        return frame.iloc[self.order].reset_index(drop=True)

    def pairs_frame(self) -> pd.DataFrame:
        """Return one row per pair of systems that compare, the one with the higher score first.

        ``verdict`` is better or open, by the confirmed layer alone; ``exploratory`` marks open
        pairs that the exploratory layer names. Of few judges ``verdict_these_judges`` is the
        verdict for new segments and these judges.
        """
        order = self.order
        a, b = (order[side] for side in np.triu_indices(len(order), 1))
        known = self.known[a, b]
        a, b = a[known], b[known]
        settled = self.significant if self.these_judges is None else (
            self.significant | self.these_judges
        )  # fmt: skip
        here = {"verdict_these_judges": np.where(settled[a, b], "better", "open")}
        return pd.DataFrame(
            {
                "a": [self.systems[k] for k in a],
                "b": [self.systems[k] for k in b],
                "difference": self.scores[a] - self.scores[b],
                "se": self.se_of_difference[a, b],
                "p": self.p[a, b],
                "p_adjusted": self.p_adjusted[a, b],
                "verdict": np.where(self.significant[a, b], "better", "open"),
                "exploratory": self.exploratory[a, b],
                **({} if self.these_judges is None else here),
            }
        )


def reach_verdict(
    fit: Fit,
    *,
    level: float = 0.95,
    scope: Scope = "new",
    runs: int = RUNS,
    executor: Executor | None = None,
    progress: Progress | None = None,
    replicates_of: ReplicatesOf | None = None,
) -> Verdict:
    """Return the verdict on the scores of a method that was fitted to judgments.

    Where the method's scores have no derivative, ``runs`` resamples are made of each unit, or
    ``replicates_of`` gives what was made of them before.
    """
    if replicates_of is None:
        replicates_of = resampling(fit, runs=runs, executor=executor, progress=progress)
    uncertainty = uncertainty_of(fit, replicates_of)
    by = (("unit", "document"),) if uncertainty.source == "document" else ()
    made = Provenance(extra=(("scope", scope), ("variance", uncertainty.how), *by), level=level)
    if uncertainty.how.startswith("resampled"):
        made |= Provenance(runs=runs, seed=fit.seed)
    provenance = fit.ranker.provenance | made | fit.judgments.provenance
    return verdict_on(fit.judgments, fit.standings.scores, uncertainty, level, scope, provenance)


def _check(level: float, scope: Scope) -> None:
    if not 0 < level < 1:
        raise PodiumError("Level", f"{level:g} is not between 0 and 1", "Use 0.95 for 95%.")
    if scope not in DRAWN_AGAIN:
        raise PodiumError("Scope", f"{scope!r} is not known", f"Choose {' or '.join(SCOPES)}.")


def verdict_on(
    judgments: Judgments,
    scores: FloatArray,
    uncertainty: Uncertainty,
    level: float = 0.95,
    scope: Scope = "new",
    provenance: Provenance = NOWHERE,
) -> Verdict:
    """Draw the conclusions from scores and how they vary."""
    _check(level, scope)
    ranked = ~np.isnan(scores)
    compare = ranked[:, None] & ranked if uncertainty.all_compare else comparable(judgments, scores)
    se_of_difference, freedom = _of_differences(uncertainty, compare, scope)
    p = p_values(scores, se_of_difference, freedom)
    adjusted = holm(p)
    significant = adjusted <= 1 - level + 1e-12
    better, worse = count_better_and_worse(scores, significant)
    rank_best = np.where(ranked, 1 + better, 0)
    winner = winner_of(scores, p, level)
    possible = possible_winners_of(scores, rank_best, winner)
    of_scores = uncertainty.precision(np.eye(len(scores))[ranked], scope)
    se, reach = np.full((2, len(scores)), np.nan)
    se[ranked], reach[ranked] = of_scores.se, of_scores.reach(level)
    return Verdict(
        systems=judgments.systems,
        level=level,
        scope=scope,
        scores=scores,
        se=se,
        se_of_difference=se_of_difference,
        freedom=freedom,
        freedom_of_scores=of_scores.freedom,
        p=p,
        p_adjusted=adjusted,
        significant=significant,
        exploratory=~significant & (benjamini_hochberg(p) <= FALSE_SHARE),
        rank_best=rank_best,
        rank_worst=np.where(ranked, ranked.sum() - worse, 0),
        tiers=tiers_of(scores, significant),
        clusters=clusters_between(scores, p, level),
        possible_winners=tuple(judgments.systems[k] for k in possible),
        ci_low=np.maximum(scores - reach, uncertainty.bounds[0]),
        ci_high=np.minimum(scores + reach, uncertainty.bounds[1]),
        units={unit: covariance.n for unit, covariance in uncertainty.units.items()},
        missing=uncertainty.missing,
        how=uncertainty.how,
        provenance=provenance,
        uncertainty=uncertainty,
        these_judges=_of_these_judges(uncertainty, compare, scores, level, scope, significant),
    )


def _of_these_judges(
    uncertainty: Uncertainty,
    compare: BoolArray,
    scores: FloatArray,
    level: float,
    scope: Scope,
    significant: BoolArray,
) -> BoolArray | None:
    """Return the pairs that few judges settle, for new segments, and that are open for new ones."""
    if scope != "new" or "judge" not in uncertainty.units:
        return None
    if uncertainty.units["judge"].n >= FEW_JUDGES:
        return None
    p = p_values(scores, *_of_differences(uncertainty, compare, "these judges"))
    return (holm(p) <= 1 - level + 1e-12) & ~significant


def _of_differences(
    uncertainty: Uncertainty, compare: BoolArray, scope: Scope
) -> tuple[FloatArray, float]:
    """Return the standard errors [K, K] of the pairs that compare, nan else, and their freedom."""
    se = np.full(compare.shape, np.nan)
    first, second = np.nonzero(np.triu(compare, 1))
    if not len(first):
        return se, np.inf
    precision = uncertainty.precision(Differences(first, second), scope)
    se[first, second] = se[second, first] = precision.se
    return se, precision.freedom


def from_mean(known: BoolArray) -> FloatArray:
    """Return the directions [N, K] in which the N known scores stand off from their mean."""
    return (np.eye(len(known)) - known / max(int(known.sum()), 1))[known]


def winner_of(scores: FloatArray, p: FloatArray, level: float) -> int | None:
    """Return the system that is significantly better than every other one; None if none is.

    ``p[K, K]`` are the two-sided p-values of single pairs, not adjusted.

    >>> p = np.array([[np.nan, .04, .01], [.04, np.nan, .9], [.01, .9, np.nan]])
    >>> winner_of(np.array([.6, .4, .3]), p, .95), winner_of(np.array([.6, .4, .3]), p, .99)
    (0, None)
    """
    ranked = np.flatnonzero(~np.isnan(scores))
    if len(ranked) < 2:
        return None
    leader = int(best_first(scores)[0])
    others = ranked[ranked != leader]
    beats_all = bool((p[leader, others] <= 1 - level + 1e-12).all())  # nan: not comparable
    return leader if beats_all and (scores[others] < scores[leader]).all() else None


def possible_winners_of(
    scores: FloatArray, rank_best: IntArray, winner: int | None
) -> tuple[int, ...]:
    """Return the winner alone or, if none is named, all whose rank range begins with 1."""
    if winner is not None:
        return (winner,)
    return tuple(int(k) for k in best_first(scores) if rank_best[k] == 1)
