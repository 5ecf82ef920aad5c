"""Metrics that order systems equally well: how often groups part them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.extras.metrics.beside_people import PeoplesScores, beside_people
from analysis.extras.metrics.reading import Metric
from tests.tools.audit.measures import METRIC_GROUPS, METRIC_PAIR, Outcome


@dataclass(frozen=True)
class MetricNature:
    """People's scores of systems' outputs, and metrics that are equally good.

    A metric sees an output's quality with noise, and likes systems or dislikes them: ``bias`` is
    the standard deviation of that, in those of quality. People see quality with noise as well.
    """

    metrics: int = 6
    systems: int = 10
    segments: int = 100
    spread: float = 0.15
    noise: float = 1.0
    bias: float = 0.0
    by_segment: bool = True

    def draw(self, rng: np.random.Generator) -> tuple[PeoplesScores, list[Metric]]:
        """Draw people's scores, and those of all metrics."""
        s, k = self.segments, self.systems
        quality = rng.normal(0, self.spread, k) + rng.normal(size=(s, k)) + rng.normal(size=(s, 1))
        people = quality + rng.normal(0, self.noise, (s, k))
        systems = tuple(f"S{i:02d}" for i in range(k))
        segments = tuple(map(str, range(s)))
        metrics = []
        for m in range(self.metrics):
            seen = quality + rng.normal(0, self.bias, k) + rng.normal(0, self.noise, (s, k))
            metrics.append(self._metric(f"m{m}", systems, segments, seen))
        return PeoplesScores(systems, segments, people, people.mean(axis=0)), metrics

    def _metric(
        self, name: str, systems: tuple[str, ...], segments: tuple[str, ...], seen: np.ndarray
    ) -> Metric:
        if not self.by_segment:
            means = dict(zip(systems, seen.mean(axis=0).tolist(), strict=True))
            return Metric(name, by_system=means)
        columns = (dict(zip(segments, column, strict=True)) for column in seen.T.tolist())
        return Metric(name, by_segment=dict(zip(systems, columns, strict=True)))


def groups_hold(
    drawn: tuple[PeoplesScores, list[Metric]], rng: np.random.Generator
) -> dict[str, Outcome]:
    """Measure how often one of two equal metrics is said to be better, and groups part them."""
    board = beside_people(*drawn, seed=int(rng.integers(2**31)))
    first, second = np.triu_indices(len(board.metrics), 1)
    better = np.fmin(board.p[first, second], board.p[second, first]) < 0.05
    return {
        METRIC_PAIR: (float(better.sum()), float(len(better))),
        METRIC_GROUPS: (float(board.groups.max() > 1), 1),
    }


METRIC_WORLDS: dict[str, MetricNature] = {
    "6 equal metrics, 10 systems": MetricNature(),
    "6 equal metrics that favor systems": MetricNature(bias=0.1),
    "6 equal metrics, scores of systems": MetricNature(by_segment=False),
}
