"""How sure a ranking is said to be: by which definition, for whom, and at which level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.errors import PodiumError, control
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.replicates import MOST_RUNS
from analysis.ranking.uncertainty import Scope

Ranges = Literal["simultaneous", "marginal"]
RANGES: dict[Ranges, str] = {
    "simultaneous": "simultaneous rank ranges (Holm-adjusted tests of all pairs)",
    "marginal": "rank ranges over resamples, as WMT published: one system at a time",
}
"""The two kinds of rank ranges and of the cluster lines that they make."""


@dataclass(frozen=True)
class Certainty:
    """The user's choice of how sure a ranking is said to be.

    ``ranges`` names the definition. The simultaneous one has a ``scope``, whom it speaks for; the
    marginal one the ``unit`` that each of its ``runs`` draws again. ``level`` and ``seed`` belong
    to both; ``runs`` also to methods whose scores have no derivative.
    """

    ranges: Ranges = "simultaneous"
    scope: Scope = "new"
    unit: ResamplingUnit = "judgment"
    runs: int = 1000
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.runs <= MOST_RUNS:
            remedy = f"Use 1 to {MOST_RUNS}; 1000 is usual."
            raise PodiumError(
                control("--resamples", "Resamples"), f"{self.runs} is not possible", remedy
            )

    @property
    def is_official(self) -> bool:
        return self.ranges == "marginal"


DEFAULT_CERTAINTY = Certainty()
AS_PUBLISHED = Certainty(ranges="marginal")
"""What WMT14 and its successors printed: 1,000 runs on resampled rows, ranges at 95%."""
