"""Few judges: what they settle themselves, and how many would settle it for all judges.

Below `FEW_JUDGES` judges little is known of other judges. What the same judges would say of new
segments is often clear. Both are said; the difference is a matter of scope, not of segments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.ranking.significance import BoolArray, holm, p_values
from analysis.ranking.variance import Differences
from analysis.ranking.verdict import Verdict, verdict_on, winner_of

MOST_JUDGES = 200
"""Judges beyond which no campaign is planned."""


@dataclass(frozen=True, eq=False)
class FewJudges:
    """The verdict for new judges, that of these judges for new segments, and what joins them.

    ``judges_for_winner`` and ``judges_for_pairs`` are how many judges, sharing as many judgments,
    would name the winner that these judges name, and find all the pairs that these judges find;
    None if these judges settle no more than is settled for all, or if `MOST_JUDGES` would not do.
    """

    for_new: Verdict
    for_these: Verdict
    judges_for_winner: int | None
    judges_for_pairs: int | None

    @property
    def settled_by_these_alone(self) -> BoolArray:
        """Pairs [K, K] that these judges find, and that are open for new judges."""
        return self.for_these.significant & ~self.for_new.significant


def few_judges(judgments: Judgments, verdict: Verdict) -> FewJudges | None:
    """Return both scopes of a campaign of few judges; None if judges are many or not named.

    ``verdict`` is that for new segments and judges.
    """
    if verdict.these_judges is None or verdict.units["judge"] < 2:
        return None
    these = verdict_on(
        judgments, verdict.scores, verdict.uncertainty, verdict.level, "these judges",
        verdict.provenance,
    )  # fmt: skip
    alone = these.significant & ~verdict.significant
    open_winner = these.winner is not None and verdict.winner is None
    leader = these.systems.index(these.winner) if these.winner is not None else -1
    for_winner = for_pairs = None
    most = 0 if np.isnan(verdict.p).all() else MOST_JUDGES  # without a test more judges are no help
    for n in range(verdict.units["judge"] + 1, most + 1):
        p = _p_with(verdict, n)
        if (
            open_winner
            and for_winner is None
            and winner_of(verdict.scores, p, verdict.level) == (leader)
        ):
            for_winner = n
        if alone.any() and for_pairs is None and (holm(p)[alone] <= 1 - verdict.level).all():
            for_pairs = n
        if (for_winner or not open_winner) and (for_pairs or not alone.any()):
            break
    return FewJudges(verdict, these, for_winner, for_pairs)


def _p_with(verdict: Verdict, n_judges: int) -> FloatArray:
    """Return the p-values [K, K] for new judges if so many had shared the same judgments."""
    times = n_judges / verdict.units["judge"]
    first, second = np.nonzero(np.triu(~np.isnan(verdict.p), 1))
    pairs = Differences(first, second)
    then = verdict.uncertainty.grown(pairs, "new", {"judge": times})
    se = np.full(verdict.p.shape, np.nan)
    se[first, second] = se[second, first] = then.se
    return p_values(verdict.scores, se, then.freedom)
