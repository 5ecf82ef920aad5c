"""Practically equal: which systems differ by less than a margin that would change a decision.

All differences get intervals that cover together at the level (Bonferroni). A pair is equal within
m if its whole interval lies inside ±m: two one-sided tests. With costs, a system is not worse than
the leaders by m if for every other system the one-sided test says so; over systems by Holm's
method.

Reference: Schuirmann 1987, *A Comparison of the Two One-Sided Tests Procedure*.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import logit

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.rankers import Ranker
from analysis.ranking.rank_ranges import require_test
from analysis.ranking.significance import step_down
from analysis.ranking.variance import quantile, tail
from analysis.ranking.verdict import Verdict


def simultaneous_intervals(verdict: Verdict) -> tuple[FloatArray, FloatArray]:
    """Return both ends [K, K] of the differences' intervals, which cover together at the level."""
    require_test(verdict, "Practically equal")
    n_pairs = max(int(verdict.known.sum()) // 2, 1)
    t = quantile(1 - (1 - verdict.level) / 2 / n_pairs, verdict.freedom)
    difference = verdict.scores[:, None] - verdict.scores
    reach = t * verdict.se_of_difference
    return difference - reach, difference + reach


def margin_of_chance(ranker: Ranker, chance: float) -> float:
    """Return the difference of scores at which the better system wins ½ + ``chance``.

    >>> from analysis.rankers import ranker_class
    >>> round(margin_of_chance(ranker_class("bradley-terry")(), 0.05), 3)
    0.201
    """
    points = ranker.points_per_logit
    if points is None:
        raise PodiumError(
            "Margin",
            f"{ranker.title} has no formula from scores to win probabilities",
            "Use a difference of scores, or rank by Bradley–Terry.",
        )
    if not 0 < chance < 0.5:
        remedy = "Use 5% for win probabilities from 45% to 55%."
        raise PodiumError("Margin", f"{chance:.3g} is not between 0 and 0.5", remedy)
    return points * float(logit(0.5 + chance))


def equal_within(verdict: Verdict, margin: float) -> pd.DataFrame:
    """Return the verdict on each pair: better, worse, equal (within the margin) or open.

    The table is that of `Verdict.pairs_frame` with the ends ``ci_low`` and ``ci_high`` of each
    difference, and ``verdict`` is equal if both lie inside ±``margin``, in units of the score.
    """
    if not margin > 0 or not np.isfinite(margin):
        remedy = "Use the largest difference that would not change your decision, such as 0.02."
        raise PodiumError("Margin", f"{margin:g} is not above 0", remedy)
    frame = verdict.pairs_frame()
    code = {name: k for k, name in enumerate(verdict.systems)}
    a, b = ([code[name] for name in frame[side]] for side in ("a", "b"))
    low, high = (ends[a, b] for ends in simultaneous_intervals(verdict))
    is_equal = (low > -margin) & (high < margin)
    frame["verdict"] = frame["verdict"].mask(is_equal, "equal")
    frame["exploratory"] &= ~is_equal
    place = list(frame.columns).index("p")
    frame.insert(place, "ci_low", low)
    frame.insert(place + 1, "ci_high", high)
    return frame


def not_worse_than_the_best(verdict: Verdict, margin: float) -> FloatArray:
    """Return p[K] of "no system is better by ``margin`` or more", adjusted over systems."""
    require_test(verdict, "The cheapest system")
    ranked = np.flatnonzero(~np.isnan(verdict.scores))
    behind = verdict.scores[:, None] - verdict.scores[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (margin - behind) / verdict.se_of_difference.T  # [j, i]: j is better than i by so much
    beyond = tail(z, verdict.freedom)
    np.fill_diagonal(beyond, 0.0)
    p = np.full(len(verdict.scores), np.nan)
    worst = np.nan_to_num(beyond[np.ix_(ranked, ranked)], nan=1.0).max(axis=0, initial=0.0)
    p[ranked] = step_down(worst)
    return p


def costs_of(judgments: Judgments, column: str) -> dict[str, float]:
    """Return what each system costs: a column of numbers in a table about the systems."""
    found = judgments.campaign.attribute(column)
    if found.about != "system" or found.values is None:
        raise PodiumError(
            "Costs",
            f"{found.name} is not a number for each system",
            "Add a table with a column of systems and a column of costs.",
        )
    costs = zip(judgments.campaign.systems, found.values.tolist(), strict=True)
    return {system: cost for system, cost in costs if np.isfinite(cost)}


def cheapest_not_worse(verdict: Verdict, margin: float, costs: Mapping[str, float]) -> str | None:
    """Return the cheapest system that is not worse than the best by ``margin``; None if unknown."""
    p = not_worse_than_the_best(verdict, margin)
    shown = [k for k, name in enumerate(verdict.systems) if name in costs]
    good = [k for k in shown if p[k] <= 1 - verdict.level + 1e-12]
    if not good:
        return None
    return verdict.systems[min(good, key=lambda k: (costs[verdict.systems[k]], -verdict.scores[k]))]
