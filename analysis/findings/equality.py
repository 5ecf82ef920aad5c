"""Which systems are practically equal, in sentences."""

from __future__ import annotations

import pandas as pd

from analysis.findings.standings import Name
from analysis.ranking.equivalence import simultaneous_intervals
from analysis.ranking.verdict import Verdict
from analysis.wording import significant


def equality_headline(frame: pd.DataFrame, margin: float) -> str:
    """Say how many pairs are equal within a margin, and how many differ; from `equal_within`.

    "3 of 78 pairs are practically equal within 0.1; 24 differ significantly, 51 are not separated"
    """
    verdict = frame["verdict"]
    equal, n_open = int((verdict == "equal").sum()), int((verdict == "open").sum())
    verb = "is" if equal == 1 else "are"
    differ = len(frame) - equal - n_open
    return (
        f"{equal} of {len(frame)} pairs {verb} practically equal within {margin:.3g}; "
        f"{differ} differ significantly, {n_open} {'is' if n_open == 1 else 'are'} not separated"
    )


def equality_sentence(
    verdict: Verdict, first: str, second: str, margin: float, name: Name = str
) -> str:
    """Say whether two systems are practically equal, with the interval that decides it."""
    if not {first, second} <= set(verdict.systems):
        return ""
    low, high = simultaneous_intervals(verdict)
    i, j = verdict.systems.index(first), verdict.systems.index(second)
    ends = f"{significant(low[i, j], 2)} to {significant(high[i, j], 2)}"
    is_equal = -margin < low[i, j] and high[i, j] < margin
    return (
        f"Within {margin:.3g}, {name(first)} and {name(second)} are "
        f"{'' if is_equal else 'not shown to be '}practically equal: the interval of their "
        f"difference, valid for all pairs together, is {ends}."
    )


def cheapest_sentence(system: str | None, margin: float, name: Name = str) -> str:
    """Name the cheapest system that is not worse than the best by a margin."""
    if system is None:
        return f"No system with a cost is shown to be within {margin:.3g} of the best."
    return f"{name(system)} is the cheapest system that is not worse than the best by {margin:.3g}."
