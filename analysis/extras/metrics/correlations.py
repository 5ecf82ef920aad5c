"""System and segment correlations with people, with intervals: the measures of WMT's METRICS task.

**System level**: Pearson's r of the metric's and people's scores of the systems. The interval draws
people's judgments again, as the task did, with TrueSkill's scores for rankings and means for
ratings. **Segment level**: Kendall's τ over people's decided comparisons of two outputs,

    τ = (concordant - discordant) / (concordant + discordant + ties of the metric),

so that a metric that ties gains nothing (Macháček & Bojar 2014). Its interval draws segments again.

>>> tau(np.array([1., 1, 1, 0]))
0.75
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, Judgments
from analysis.extras.metrics.reading import Metric
from analysis.rankers.mean import Mean
from analysis.rankers.ranker import Ranker
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.rank_ranges import left_out_at_each_end

RUNS, LEVEL, FEWEST = 1000, 0.95, 3
"""Resamples, level, and the systems that a correlation needs."""


def correlations(
    judgments: Judgments, metrics: Sequence[Metric], seed: int = 0, runs: int = RUNS
) -> pd.DataFrame:
    """Return one row per metric: r and τ with the ends of their intervals, best first.

    They are nan where a metric scored too few systems or no segments.
    """
    ranker: Ranker = TrueSkill() if judgments.scores is None else Mean()
    people = ranker.fit(judgments, seed).standings.scores
    drawn = ranker.replicate_scores(judgments, "judgment", runs, np.random.default_rng(seed))
    rows = [
        {
            "metric": metric.name,
            **_named("pearson", *system_level(metric, judgments.systems, people, drawn)),
            **_named("tau", *segment_level(metric, judgments, seed, runs)),
        }
        for metric in metrics
    ]
    return pd.DataFrame(rows).sort_values("pearson", ascending=False, ignore_index=True)


def _named(name: str, value: float, drawn: FloatArray) -> dict[str, float]:
    known = np.sort(drawn[np.isfinite(drawn)])
    low = high = float("nan")
    if len(known) == len(drawn) > 0:
        out = left_out_at_each_end(len(known), LEVEL)
        low, high = float(known[out]), float(known[-1 - out])
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def system_level(
    metric: Metric, systems: Sequence[str], people: FloatArray, drawn: FloatArray
) -> tuple[float, FloatArray]:
    """Return Pearson's r with people's scores, and with those of every resample."""
    scores = np.array([metric.system_score(system) for system in systems])
    known = np.isfinite(scores) & np.isfinite(people)
    if known.sum() < FEWEST:
        return float("nan"), np.zeros(0)
    every = np.vstack([people, drawn])[:, known]
    centered = scores[known] - scores[known].mean()
    length = np.linalg.norm(centered)
    if length == 0:
        return float("nan"), np.zeros(0)
    every = every - every.mean(axis=1, keepdims=True)
    size = np.linalg.norm(every, axis=1)
    size = np.where(size > 0, size, np.nan)  # people who find all systems equal correlate with none
    r = every @ centered / size / length
    return float(r[0]), r[1:]


def segment_level(
    metric: Metric, judgments: Judgments, seed: int, runs: int
) -> tuple[float, FloatArray]:
    """Return τ over people's decided comparisons, and that of every resample of segments."""
    facts = judgments.observations
    segment = judgments.task_segment[judgments.task[facts.row]]
    scores = metric.matrix(judgments.systems, judgments.segments)
    said = scores[segment, facts.left] - scores[segment, facts.right]
    used = (facts.outcome != 0) & np.isfinite(said)
    if not used.any():
        return float("nan"), np.zeros(0)
    agreed = np.sign(said[used]) * np.sign(facts.outcome[used])
    _, unit = np.unique(segment[used], return_inverse=True)
    n = int(unit.max()) + 1
    sums, sizes = np.bincount(unit, agreed, n), np.bincount(unit, minlength=n)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=runs)
    return tau(agreed), (counts @ sums) / (counts @ sizes)


def tau(agreed: FloatArray) -> float:
    """Return τ from 1 for concordant comparisons, -1 for discordant ones, 0 for a metric's ties."""
    return float(agreed.mean())
