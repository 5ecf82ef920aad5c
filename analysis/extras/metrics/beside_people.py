"""Metrics beside people: how well each orders systems and outputs, and which form a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.comparing.score_table import ScoreTable
from analysis.errors import PodiumError
from analysis.extras.metrics.accuracy import (
    better_metric_by_segments,
    better_metric_by_systems,
    better_p,
    calibrated_kendall,
    groups_of,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from analysis.extras.metrics.reading import Metric, MetricFile
from analysis.provenance import Provenance
from analysis.rankers.ranker import best_first
from analysis.wording import count, listed

REFERENCES = ("kocmi-etal-2021-ship", "thompson-etal-2024-soft", "deutsch-etal-2023-ties")
"""The papers behind the measures."""

FEWEST_SYSTEMS = 2
MOST_TOLD = 80
"""Metrics past which pairs of metrics are not tested: their number grows with the square."""


@dataclass(frozen=True, eq=False)
class PeoplesScores:
    """People's scores of outputs, scores[S, K] with the good end up; nan where nobody judged."""

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: FloatArray
    system_scores: FloatArray
    provenance: Provenance = field(default_factory=Provenance)

    @classmethod
    def of(cls, judgments: Judgments) -> PeoplesScores:
        """Return the scores of one language pair; a system's is the mean over its segments."""
        scores = judgments.scores
        if scores is None:
            raise PodiumError(
                "Metrics and human judges",
                "the human judgments are rankings, not scores of outputs",
                "Give a file of scores, such as direct assessment, ESA or MQM.",
            )
        table = ScoreTable.of(scores, judgments.systems)
        return cls(
            systems=judgments.systems,
            segments=tuple(judgments.segments[code] for code in np.unique(scores.segment)),
            scores=table.good_by_segment,
            system_scores=table.over_segments(table.good),
            provenance=judgments.provenance,
        )


@dataclass(frozen=True, eq=False)
class MetricsBoard:
    """What each metric reached, in the order of ``metrics``.

    ``soft`` and ``kendall`` are nan for a metric without scores of segments. ``p[m, n]`` belongs to
    "m is a better metric than n", by ``told_by``; ``groups`` are 1 from the best on, 0 where that
    was not tested. ``n_systems[m]`` are the systems that both people and the metric scored.
    """

    metrics: tuple[str, ...]
    accuracy: FloatArray
    soft: FloatArray
    kendall: FloatArray
    epsilon: FloatArray
    p: FloatArray
    groups: npt.NDArray[np.int64]
    told_by: str
    systems: tuple[str, ...]
    n_systems: npt.NDArray[np.int64]
    n_segments: int
    notes: tuple[str, ...]
    provenance: Provenance

    @property
    def leading(self) -> FloatArray:
        """The measure that metrics are ordered by: the soft one where there is any."""
        return self.soft if self.told_by == "soft_pairwise_accuracy" else self.accuracy

    @property
    def order(self) -> IntArray:
        """Indices of the metrics, the best first."""
        return best_first(self.leading)

    @property
    def signature(self) -> str:
        return str(self.provenance)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a metric, the best first."""
        order = self.order
        groups = self.groups[order]
        return pd.DataFrame(
            {
                "metric": [self.metrics[m] for m in order],
                "pairwise_accuracy": self.accuracy[order],
                "soft_pairwise_accuracy": self.soft[order],
                "kendall": self.kendall[order],
                "epsilon": self.epsilon[order],
                "group": pd.arrays.IntegerArray(groups, groups == 0),
                "systems": self.n_systems[order],
            }
        )


NOISE = {"near": 0.5, "far": 2.0, "blind": 20.0}
"""Metrics made for a sample, and their noise in standard deviations of the human scores."""


def simulated_metrics(people: PeoplesScores, seed: int = 0) -> MetricFile:
    """Return metrics to try a sample with: the human scores of segments, with noise."""
    rng = np.random.default_rng(seed)
    spread = float(np.nanstd(people.scores))
    metrics = []
    for name, noise in NOISE.items():
        drawn = people.scores + noise * spread * rng.standard_normal(people.scores.shape)
        by_segment = {
            system: {
                segment: float(score)
                for segment, score in zip(people.segments, drawn[:, k], strict=True)
                if not np.isnan(score)
            }
            for k, system in enumerate(people.systems)
        }
        metrics.append(Metric(f"{name} (simulated)", by_segment=by_segment))
    said = listed([f"{noise:g}" for noise in NOISE.values()])
    note = f"The metrics are simulated: human scores with noise of {said} standard deviations."
    return MetricFile(tuple(metrics), (note,))


def beside_people(people: PeoplesScores, metrics: Sequence[Metric], seed: int = 0) -> MetricsBoard:
    """Measure metrics against people's scores of the same systems."""
    usable, notes = _usable(people, metrics)
    n = len(usable)
    accuracy, soft, kendall, epsilon = (np.full(n, np.nan) for _ in range(4))
    matrices: list[FloatArray | None] = []
    n_systems = np.zeros(n, dtype=np.int64)
    human_p = better_p(people.scores, seed) if any(m.by_segment for m in usable) else None
    for m, metric in enumerate(usable):
        scores = np.array([metric.system_score(system) for system in people.systems])
        known = np.flatnonzero(~np.isnan(scores) & ~np.isnan(people.system_scores))
        n_systems[m] = len(known)
        accuracy[m] = pairwise_accuracy(people.system_scores[known], scores[known])
        matrix = metric.matrix(people.systems, people.segments) if metric.by_segment else None
        if matrix is None or np.isnan(matrix).all():
            matrices.append(None)
            continue
        matrix = np.where(np.isnan(people.scores), np.nan, matrix)
        matrices.append(matrix)
        assert human_p is not None
        soft[m] = soft_pairwise_accuracy(human_p, better_p(matrix, seed))
        kendall[m], epsilon[m] = calibrated_kendall(people.scores, matrix)
    by_segment = all(matrix is not None for matrix in matrices)
    p = _told(people, usable, matrices if by_segment else None, n_systems, seed, notes)
    told_by = "soft_pairwise_accuracy" if by_segment else "pairwise_accuracy"
    if not by_segment:
        without = [m.name for m, matrix in zip(usable, matrices, strict=True) if matrix is None]
        notes.append(
            f"{listed(without, most=4)} {'has' if len(without) == 1 else 'have'} scores of systems "
            "only: soft pairwise accuracy and Kendall need scores of segments."
        )
    leading = soft if by_segment else accuracy
    tested = not np.isnan(p[~np.eye(n, dtype=bool)]).all() if n > 1 else False
    return MetricsBoard(
        metrics=tuple(m.name for m in usable),
        accuracy=accuracy,
        soft=soft,
        kendall=kendall,
        epsilon=epsilon,
        p=p,
        groups=groups_of(best_first(leading), p) if tested else np.zeros(n, dtype=np.int64),
        told_by=told_by,
        systems=people.systems,
        n_systems=n_systems,
        n_segments=len(people.segments),
        notes=tuple(notes),
        provenance=people.provenance | Provenance(seed=seed),
    )


def _usable(people: PeoplesScores, metrics: Sequence[Metric]) -> tuple[list[Metric], list[str]]:
    """Return the metrics that scored two of the systems at least, and words on the others."""
    usable: list[Metric] = []
    without: list[Metric] = []
    partly: list[str] = []
    for metric in metrics:
        n = sum(not np.isnan(metric.system_score(system)) for system in people.systems)
        (usable if n >= FEWEST_SYSTEMS else without).append(metric)
        if FEWEST_SYSTEMS <= n < len(people.systems):
            partly.append(metric.name)
    if not usable:
        names = listed(list(people.systems), most=5)
        raise PodiumError(
            "Metrics",
            "no metric has scores of two of the human-judged systems",
            f"Check the names of the systems; humans judged {names}.",
        )
    notes = []
    if without:
        names = listed([m.name for m in without], most=4)
        notes.append(f"Left out because they scored fewer than two of these systems: {names}.")
    if partly:
        notes.append(
            f"{count(len(partly), 'metric')} did not score all systems: {listed(partly, most=4)}. "
            "Their values come from fewer pairs."
        )
    return usable, notes


def _told(
    people: PeoplesScores,
    metrics: Sequence[Metric],
    matrices: Sequence[FloatArray | None] | None,
    n_systems: npt.NDArray[np.int64],
    seed: int,
    notes: list[str],
) -> FloatArray:
    """Return p of pairs of metrics; nan where they are too many or scored different systems."""
    unknown = np.full((len(metrics), len(metrics)), np.nan)
    if len(metrics) > MOST_TOLD:
        notes.append(f"Groups are not tested for more than {MOST_TOLD} metrics.")
        return unknown
    rng = np.random.default_rng(seed)
    if matrices is not None:
        return better_metric_by_segments(
            people.scores, [matrix for matrix in matrices if matrix is not None], rng
        )
    scores = np.array([[m.system_score(s) for s in people.systems] for m in metrics])
    common = ~np.isnan(scores).any(axis=0) & ~np.isnan(people.system_scores)
    if common.sum() < FEWEST_SYSTEMS:
        notes.append("The metrics have no two systems in common, so groups are not tested.")
        return unknown
    if common.sum() < n_systems.max():
        notes.append(f"Groups use the {common.sum()} systems that all metrics scored.")
    return better_metric_by_systems(
        people.system_scores[common], [row[common] for row in scores], rng
    )
