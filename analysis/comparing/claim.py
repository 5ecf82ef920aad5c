"""A claim, "A is better than B", held against the judgments: supported, contradicted or open.

It is supported if the two differ significantly and A has the higher score, contradicted if B has
it, and open otherwise. The interval is that of the difference d = s_A - s_B at the level, d ± tσ,
of this pair alone.

With n tasks, S segments and J judges, the variance of the difference would be

    V = V_task·n₀/n + (V_segment - V_task)·S₀/S + (V_judge - V_task)·J₀/J,

n₀, S₀ and J₀ being those of now, and σ² the sum of the three now. Where d stays as it is, more
tasks, segments or judges decide the claim once d² ≥ z²V, z being the pair's own critical value, or
that of Holm's method with as many pairs open as now.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.errors import PodiumError, UndefinedResultError, unknown
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import quantile
from analysis.ranking.verdict import Verdict

Answer = Literal["supported", "contradicted", "open"]

More = Literal["judgments", "segments", "judges", "all"]
MORE: dict[More, str] = {
    "judgments": "more judgments of the same segments by the same judges",
    "segments": "more segments, each judged as often as now, by the same judges",
    "judges": "more judges of the same segments, at the same workload",
    "all": "more segments and more judges, at the same workload",
}
"""Ways to collect more, each with the tasks that come with it."""


@dataclass(frozen=True)
class Components:
    """The three parts of the variance of a difference; they sum to σ²."""

    task: float
    segment: float
    judge: float

    def grown(self, more: More, factor: float) -> float:
        """Return the variance with ``factor`` times as much of what is collected."""
        by_segment = factor if more in ("segments", "all") else 1.0
        by_judge = factor if more in ("judges", "all") else 1.0
        return self.task / factor + self.segment / by_segment + self.judge / by_judge

    def factor(self, more: More, wanted: float) -> float:
        """Return how many times as much brings the variance down to ``wanted``; inf where none."""
        fixed = self.grown(more, math.inf)
        if fixed >= wanted:
            return math.inf
        falling = self.grown(more, 1.0) - fixed
        return max(falling / (wanted - fixed), 1.0)


@dataclass(frozen=True)
class Needed:
    """How many more of something decide a claim if the difference stays; inf: no number does.

    ``alone`` is for the pair by itself, ``among_all`` with Holm's method over all pairs.
    """

    more: More
    unit: str
    alone: float
    among_all: float


@dataclass(frozen=True, eq=False)
class Claim:
    """What the judgments say of "``better`` is better than ``worse``".

    ``needed`` is empty where the claim is decided.
    """

    better: str
    worse: str
    answer: Answer
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    needed: tuple[Needed, ...]
    verdict: Verdict

    def to_frame(self) -> pd.DataFrame:
        """Return one row per way to collect more; what no number does is inf."""
        rows = [(MORE[n.more], n.unit, n.alone, n.among_all) for n in self.needed]
        return pd.DataFrame(rows, columns=["more", "unit", "alone", "among_all"])


def check_claim(
    verdict: Verdict, better: str, worse: str, n_judgments: int, unit: str = "judgments"
) -> Claim:
    """Hold "``better`` is better than ``worse``" against the significant differences.

    ``unit`` is what the judgments are called where more of them are needed.
    """
    for name in (better, worse):
        if name not in verdict.systems:
            raise unknown("Claim", name, verdict.systems)
    if better == worse:
        raise PodiumError("Claim", f"{better!r} is on both sides", "Name two systems.")
    a, b = verdict.systems.index(better), verdict.systems.index(worse)
    p = float(verdict.p[a, b])
    if math.isnan(p):
        raise UndefinedResultError(
            "Claim",
            f"no chain of judgments connects {better} and {worse}, or their uncertainty is unknown",
            "Choose two systems that were compared.",
        )
    interval = verdict.interval_of_difference(better, worse)
    answer: Answer = "open"
    if verdict.significant[a, b]:
        answer = "supported" if interval.estimate > 0 else "contradicted"
    return Claim(
        better=better,
        worse=worse,
        answer=answer,
        difference=interval.estimate,
        low=interval.low,
        high=interval.high,
        p=p,
        p_adjusted=float(verdict.p_adjusted[a, b]),
        needed=() if answer != "open" else tuple(_needed(verdict, a, b, n_judgments, unit)),
        verdict=verdict,
    )


def components(uncertainty: Uncertainty, scope: str, a: int, b: int, square: float) -> Components:
    """Divide σ² of a difference: what segments and judges add to tasks, and the rest."""
    direction = np.zeros(len(uncertainty.none))
    direction[a], direction[b] = 1.0, -1.0

    def drawn(unit: Literal["task", "segment", "judge"]) -> float:
        found = uncertainty.units.get(unit)
        if found is None:
            return 0.0
        noise = float(direction @ uncertainty.none @ direction)
        variance = max(float(direction @ found.matrix @ direction) - noise, 0.0)
        return variance * (1.0 if unit == "task" else found.n / (found.n - 1))

    if scope == "these":
        return Components(square, 0.0, 0.0)
    by_task = drawn("task")
    segment, judge = (max(drawn(unit) - by_task, 0.0) for unit in ("segment", "judge"))
    # where both are less than nothing alone, or a floor holds, tasks stand for all there is
    return Components(max(square - segment - judge, 0.0), segment, judge)


def _needed(verdict: Verdict, a: int, b: int, n_judgments: int, unit: str) -> list[Needed]:
    """Return what would decide an open claim, in each of the ways there are."""
    difference = float(verdict.scores[a] - verdict.scores[b])
    parts = components(
        verdict.uncertainty, verdict.scope, a, b, float(verdict.se_of_difference[a, b] ** 2)
    )
    known = np.triu(verdict.known, 1)
    still_open = int((known & ~verdict.significant).sum())
    alpha = 1 - verdict.level
    wanted = [
        (difference / quantile(1 - share / 2, verdict.freedom)) ** 2
        for share in (alpha, alpha / still_open)
    ]
    sizes: dict[More, tuple[str, int]] = {"judgments": (unit, n_judgments)}
    if "segment" in verdict.units:
        sizes["segments"] = (f"{verdict.source}s", verdict.units["segment"])
    if "judge" in verdict.units:
        sizes["judges"] = ("judges", verdict.units["judge"])
    if len(sizes) == 3:
        sizes["all"] = (unit, n_judgments)
    found = []
    for more, (counted, n) in sizes.items():
        alone, among_all = (_further(parts.factor(more, square), n) for square in wanted)
        found.append(Needed(more, counted, alone, among_all))
    return found


def _further(factor: float, n: int) -> float:
    return math.inf if math.isinf(factor) else float(math.ceil(round((factor - 1) * n, 6)))
