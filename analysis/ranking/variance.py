"""How much combinations of scores vary, and by which source: tasks, segments, judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign.ragged import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Differences:
    """Directions [N] along which the score of ``first`` and that of ``second`` differ.

    Written out they would be N rows of K numbers, nearly all of them zero.
    """

    first: IntArray
    second: IntArray


def two_way(
    task: FloatArray | float, segment: FloatArray | float, judge: FloatArray | float
) -> FloatArray:
    """Return the variance over new segments and new judges, from that over each unit.

    σ² = max(V_segment + V_judge - V_task, V_segment, V_judge): the judgments of one task are in
    both others, and no unit can vary less than alone. (Cameron, Gelbach & Miller 2011)

    >>> float(two_way(np.array(1.0), np.array(3.0), np.array(2.5)))
    4.5
    """
    return np.asarray(np.maximum(segment + judge - task, np.maximum(segment, judge)))


@dataclass(frozen=True, eq=False)
class VarianceParts:
    """A variance by its sources: tasks, and what segments and judges add by being drawn again.

    The three add up to `two_way`. ``few`` and ``least`` are those of `Uncertainty`.
    """

    task: FloatArray
    segment: FloatArray
    judge: FloatArray
    few: FloatArray
    least: FloatArray

    @classmethod
    def of(
        cls, task: FloatArray, segment: FloatArray, judge: FloatArray, few: FloatArray,
        least: FloatArray,
    ) -> VarianceParts:  # fmt: skip
        """Split the two-way variance, given the variance over each unit."""
        both = two_way(task, segment, judge)
        judge_adds = np.maximum(judge - task, 0)
        segment_adds = np.maximum(segment - task, 0)
        return cls(both - segment_adds - judge_adds, segment_adds, judge_adds, few, least)

    def variance(self, tasks: float = 1, segments: float = 1, judges: float = 1) -> FloatArray:
        """Return the whole of it with so many times the tasks, segments and judges.

        What the number of judgments decides shrinks with the tasks. A sum that rounding makes
        negative is 0.
        """
        drawn = self.task / tasks + self.segment / segments + self.judge / judges
        least = np.maximum(self.least / tasks, 0)
        return np.asarray(np.maximum(drawn + self.few / tasks, least))

    def times(self, factor: FloatArray) -> VarianceParts:
        """Return all parts taken times a factor."""
        parts = (self.task, self.segment, self.judge, self.few, self.least)
        return VarianceParts(*(factor * part for part in parts))


def as_if_equal(share: FloatArray, n: FloatArray) -> FloatArray:
    """Return by how much the variance of each difference [K, K] grows if two shares are equal.

    A test asks what would happen if two systems were equal. Judgments with the shares a and b vary
    by a(1 - a) and b(1 - b); if both had the mean share m, they would vary by m(1 - m), which is
    more. Without this factor, a share that is high by chance also looks precise. For two systems
    the test becomes the score test. ``n`` judgments smooth a share of 0 or 1.

    >>> as_if_equal(np.array([.5, .5, .9]), np.full(3, 1e9)).round(3).tolist()
    [[1.0, 1.0, 1.235], [1.0, 1.0, 1.235], [1.235, 1.235, 1.0]]
    """
    smoothed = (np.nan_to_num(share) * n + 1) / (n + 2)
    varies = smoothed * (1 - smoothed)
    mean = (smoothed[:, None] + smoothed) / 2
    return np.asarray(2 * mean * (1 - mean) / (varies[:, None] + varies))


def variance_along(directions: FloatArray | Differences, matrix: FloatArray) -> FloatArray:
    if isinstance(directions, Differences):
        i, j = directions.first, directions.second
        return np.asarray((matrix[i, i] - matrix[j, i]) - (matrix[i, j] - matrix[j, j]))
    return np.einsum("...i,...i->...", directions @ matrix, directions)
