"""Scores that automatic metrics gave, by system and, where there are any, by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.campaign import FloatArray


@dataclass(frozen=True)
class Metric:
    """One metric: ``by_system`` and ``by_segment``, a high score for a good output.

    Where a metric comes by segment alone, a system's score is the mean of its segments'.
    ``reference`` is what the metric compared outputs with, which it cannot judge as a system; empty
    where that is not known or there is none.
    """

    name: str
    by_system: Mapping[str, float] = field(default_factory=dict)
    by_segment: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    reference: str = ""

    def system_score(self, system: str) -> float:
        """Return the metric's score of a system, nan where it has none."""
        if system in self.by_system:
            return self.by_system[system]
        segments = self.by_segment.get(system)
        return float(np.mean(list(segments.values()))) if segments else float("nan")

    def matrix(self, systems: Sequence[str], segments: Sequence[str]) -> FloatArray:
        """Return scores[S, K] in a given order; nan where the metric has none."""
        nothing: Mapping[str, float] = {}
        columns = [self.by_segment.get(system, nothing) for system in systems]
        return np.array(
            [[column.get(segment, np.nan) for column in columns] for segment in segments]
        ).reshape(len(segments), len(systems))
