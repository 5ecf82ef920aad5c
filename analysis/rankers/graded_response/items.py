"""What the graded response model says of judges and segments: O16, Figures 2 and 5, Table 2.

A judge of sensitivity a compares a system of ability θ with the baseline on a segment of
difficulties b1 < b2. The chances of its grades, drawn over θ, are the item characteristic curves:

    P(loses) = 1 - σ(a (θ - b1)),   P(wins) = σ(a (θ - b2)),   P(ties) is the rest.

A segment's item information is what one comparison there, by a judge of a = 1, tells of θ:

    I(θ) = Σ_grades P'(θ)² / P(θ).

The fit draws judges and segments of few comparisons toward what is usual before any judgment.

Reference: Otani, Nakazawa, Kawahara & Kurohashi 2016, §4.1 and §6.5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import UndefinedResultError
from analysis.wording import count, thousands

FEWEST = 1.5
"""Judgments of a segment, on average, below which difficulties are hardly more than the prior."""


def check_segments(judgments: Judgments) -> None:
    """Refuse judgments whose segments were hardly ever judged twice."""
    n = len(np.unique(judgments.task_segment))
    if len(judgments) < FEWEST * n:
        raise UndefinedResultError(
            "Segments",
            f"{thousands(n)} segments have {count(len(judgments), 'judgment')}",
            "The difficulty of a segment can be estimated only if it has several judgments.",
        )


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """How sharply each judge tells systems from the baseline, most sensitive first.

    ``comparisons`` are the judge's own with the baseline; judges who made none are not here.
    """

    judges: tuple[str, ...]
    sensitivity: FloatArray
    comparisons: IntArray

    @property
    def usual(self) -> float:
        """The median sensitivity."""
        return float(np.median(self.sensitivity))

    def to_frame(self) -> pd.DataFrame:
        """Return judge, sensitivity and comparisons."""
        return pd.DataFrame(vars(self)).rename(columns={"judges": "judge"})


@dataclass(frozen=True, eq=False)
class Difficulties:
    """How good a system must be on each segment to tie with the baseline (b1) and to win (b2).

    ``comparisons`` are those with the baseline; segments without any are not here. ``center`` is
    the mean ability of the systems.
    """

    segments: tuple[str, ...]
    b1: FloatArray
    b2: FloatArray
    comparisons: IntArray
    center: float

    @property
    def middle(self) -> FloatArray:
        """The ability that wins as often as it loses: (b1 + b2) / 2."""
        return (self.b1 + self.b2) / 2

    def information(self, ability: FloatArray) -> FloatArray:
        """Return item information[segment, ability]."""
        theta = np.atleast_1d(np.asarray(ability, dtype=np.float64))
        return item_information(self.b1[:, None], self.b2[:, None], theta)

    def to_frame(self) -> pd.DataFrame:
        """Return the segments, hardest first, with their information at the mean ability."""
        frame = pd.DataFrame(
            {
                "segment": self.segments,
                "difficulty": self.middle,
                "b1": self.b1,
                "b2": self.b2,
                "information": self.information(np.array([self.center]))[:, 0],
                "comparisons": self.comparisons,
            }
        )
        return frame.sort_values("difficulty", ascending=False, kind="stable", ignore_index=True)


def grade_probabilities(
    a: float, b1: float, b2: float, ability: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the chances that a system of this ability loses, ties and wins.

    With O16's Figure 2, a = 1.7 and b = ∓.5, a system of ability 0 wins .3 of the time:

    >>> [round(float(p), 3) for p in grade_probabilities(1.7, -.5, .5, np.array(0.))]
    [0.299, 0.401, 0.299]
    """
    theta = np.asarray(ability, dtype=np.float64)
    above_1, above_2 = expit(a * (theta - b1)), expit(a * (theta - b2))
    return 1 - above_1, above_1 - above_2, above_2


def item_information(b1: FloatArray, b2: FloatArray, ability: FloatArray) -> FloatArray:
    """Return the Fisher information of one comparison by a judge of a = 1."""
    above_1, above_2 = expit(ability - b1), expit(ability - b2)
    slope_1, slope_2 = above_1 * (1 - above_1), above_2 * (1 - above_2)
    # slope_1²/(1 - above_1) + (slope_1 - slope_2)²/(above_1 - above_2) + slope_2²/above_2, each
    # divided out, so that nothing is 0/0 far from the difficulties.
    lost, won = slope_1 * above_1, slope_2 * (1 - above_2)
    tied = (above_1 - above_2) * (1 - above_1 - above_2) ** 2
    return np.asarray(lost + tied + won)
