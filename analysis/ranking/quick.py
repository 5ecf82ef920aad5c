"""Rankings at once, for questions that are asked by moving a slider: 200 runs in milliseconds.

Methods that need only the K×K tables are fitted to every resample. Others would take seconds, so
another method stands in for their scatter: Bradley–Terry with ties as half a win is fitted to the
resamples, and its deviations are put on the method's own scale,

    s_r = s + a (b_r - b),   a = Σ (s - s̄)(b - b̄) / Σ (b - b̄)²,

s being the method's scores of all judgments, b the stand-in's. On the WMT14 sample campaigns this
gives TrueSkill and Elo the spread of their own resamples within 13% on the mean over the systems.
TrueSkill draws its judgments with replacement, so that its counts are drawn once more.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.provenance import Provenance
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.draws import ResamplingUnit, resampled_counts
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ranker import CountRanker, Ranker
from analysis.rankers.standings import Standings
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.ranking import Ranking, assemble
from analysis.ranking.replicates import Replicates

QUICK_RUNS = 200
STAND_IN = BradleyTerry(ties="half")


def quick_ranking(
    judgments: Judgments,
    ranker: Ranker,
    *,
    unit: ResamplingUnit = "task",
    level: float = 0.95,
    seed: int = 0,
    runs: int = QUICK_RUNS,
) -> Ranking:
    """Rank with rank ranges and clusters over ``runs`` quick resamples."""
    standings, replicates = quick_replicates(judgments, ranker, unit=unit, seed=seed, runs=runs)
    return assemble(judgments, standings, replicates, level)


def quick_replicates(
    judgments: Judgments,
    ranker: Ranker,
    *,
    unit: ResamplingUnit = "task",
    seed: int = 0,
    runs: int = QUICK_RUNS,
) -> tuple[Standings, Replicates]:
    """Return the scores of all judgments, and those of ``runs`` quick resamples."""
    ranker = at_once(ranker)
    standings = ranker.fit(judgments, seed)
    rng = np.random.default_rng(seed)
    if isinstance(ranker, CountRanker):
        scores, made = ranker.replicate_scores(judgments, unit, runs, rng), ("quick", ranker.name)
    else:
        scores = scores_by_stand_in(ranker, standings, judgments, unit, runs, rng)
        made = ("quick", STAND_IN.name)
    drawn = Provenance(extra=(made,), unit=unit, runs=runs, seed=seed)
    return standings, Replicates(judgments.systems, scores, unit, seed, ranker.provenance | drawn)


def at_once(ranker: Ranker) -> Ranker:
    """Return the ranker, or its own analytic form where it would sample."""
    if isinstance(ranker, HopkinsMay) and ranker.inference != "laplace":
        return dataclasses.replace(ranker, inference="laplace")
    return ranker


def scores_by_stand_in(
    ranker: Ranker,
    standings: Standings,
    judgments: Judgments,
    unit: ResamplingUnit,
    runs: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return scores[R, K] that scatter like the stand-in's around the method's own."""
    counts = resampled_counts(judgments, unit, runs, rng)
    if isinstance(ranker, TrueSkill) and ranker.selection == "active":
        counts = draw_counts_again(counts, rng)
    own, base = standings.scores, STAND_IN.scores_from_counts(judgments.counts)
    drawn = STAND_IN.scores_from_counts(counts)
    return np.asarray(own + _slope(own, base) * (drawn - base), dtype=np.float64)


def draw_counts_again(counts: PairCounts, rng: np.random.Generator) -> PairCounts:
    """Draw as many judgments as each table holds from that table, with replacement."""
    n, k = len(counts.wins), counts.n_systems
    upper = np.triu_indices(k, 1)
    cells = np.concatenate([counts.wins.reshape(n, -1), counts.ties[:, *upper]], axis=1)
    total = cells.sum(axis=1, keepdims=True)
    drawn = rng.multinomial(total[:, 0].astype(np.int64), cells / total).astype(np.float64)
    ties = np.zeros(counts.ties.shape)
    ties[:, *upper] = drawn[:, k * k :]
    return PairCounts(drawn[:, : k * k].reshape(n, k, k), ties + ties.swapaxes(-1, -2))


def _slope(own: FloatArray, base: FloatArray) -> float:
    """Return the least-squares scale of one method's scores on another's, never negative."""
    known = ~(np.isnan(own) | np.isnan(base))
    if not known.any():
        return 0.0
    x, y = base[known] - base[known].mean(), own[known] - own[known].mean()
    squares = float(x @ x)
    return max(float(x @ y) / squares, 0.0) if squares else 0.0
