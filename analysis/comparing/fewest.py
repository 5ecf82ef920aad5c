"""The fewest judgments whose removal, or whose turning round, puts the lower of two systems above.

Where scores have derivatives, ψ_r being what row r adds to the lead s_a - s_b (`Influence`),
leaving r out lowers the lead by about ψ_r, and turning it round by ψ_r less what the turned one
would add. Rows are taken in that order, the largest first, until the lead of a new fit is below
zero. What the derivatives miss is put right twice: by fits along the way, and by ordering the rows
again by the mean of the derivatives before and after, for as long as that needs fewer. The answer
is therefore a set that does it, and a bound from above: exact in all small cases tried of models of
abilities; where each pair counts for itself and has few judgments, fewer may be enough.

Reference: Huang et al. 2025, *Dropping Just a Handful of Preferences Can Change Top Large Language
Model Rankings*.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.campaign import LOSS, TIE, FloatArray, IntArray, Judgments
from analysis.comparing.two_systems import TIE_WORD
from analysis.errors import NotConvergedError, PodiumError, UndefinedResultError
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import Fit
from analysis.ranking.ranking import STAND_IN

Alteration = Literal["drop", "turn"]
ALTERATIONS: dict[Alteration, str] = {"drop": "left out", "turn": "turned round"}

ROUNDING = 1e-7
"""A lead that is below zero by less than this share of the scores' range may be rounding."""

ROUNDS = 4
"""How often the rows are ordered again, at most."""


@dataclass(frozen=True, eq=False)
class Fewest:
    """Rows of the judgments that put ``below`` above ``above``; None where no rows do.

    ``alike``: other rows of the same systems with the same outcome would do as well.
    """

    above: str
    below: str
    alteration: Alteration
    judgments: Judgments
    rows: IntArray | None
    alike: bool = True

    @property
    def n(self) -> int | None:
        return None if self.rows is None else len(self.rows)

    @property
    def share(self) -> float:
        """Of all judgments; nan where no rows do."""
        return float("nan") if self.rows is None else len(self.rows) / len(self.judgments)

    def to_frame(self) -> pd.DataFrame:
        """Return segment, judge, preferred and the other system of each of the rows."""
        judgments = self.judgments
        rows = np.sort(self.rows) if self.rows is not None else np.zeros(0, dtype=np.int64)
        left = [judgments.output_name(int(code)) for code in judgments.left[rows]]
        right = [judgments.output_name(int(code)) for code in judgments.right[rows]]
        outcome, task = judgments.outcome[rows], judgments.task[rows]
        preferred, other = [], []
        for first, second, result in zip(left, right, outcome, strict=True):
            preferred.append(TIE_WORD if result == TIE else second if result == LOSS else first)
            other.append(
                f"{first}, {second}" if result == TIE else first if result == LOSS else second
            )
        return pd.DataFrame(
            {
                "segment": [judgments.segments[k] for k in judgments.task_segment[task]],
                "judge": [judgments.judges[k] for k in judgments.task_judge[task]],
                "preferred": preferred,
                "to": other,
            }
        )


def fewest(fit: Fit, above: str, below: str, alteration: Alteration = "drop") -> Fewest:
    """Return few rows that put ``below`` above ``above`` when they are left out or turned round.

    The method's scores need derivatives.
    """
    judgments = fit.judgments
    for name in (above, below):
        if name not in judgments.systems:
            raise PodiumError(
                "Two systems", f"{name!r} is not among the selected systems", "Choose another one."
            )
    influence = fit.influence()
    if influence is None or influence.scored is not None:
        raise PodiumError(
            "Fewest judgments",
            f"{fit.ranker.title} has no derivative by pairwise judgments",
            f"Choose a method that has one, such as {STAND_IN.title}.",
        )
    search = _Search(
        fit, judgments.systems.index(above), judgments.systems.index(below), alteration
    )
    rows = search.run(influence)
    return Fewest(above, below, alteration, judgments, rows, alike=influence.rows_of is None)


def smooth_fit(fit: Fit) -> Fit:
    """Return the fit where its scores have derivatives, else that of the method that stands in."""
    influence = fit.influence()
    follows = influence is not None and influence.scored is None
    return fit if follows else STAND_IN.fit(fit.judgments)


def without_rows(judgments: Judgments, rows: IntArray) -> Judgments:
    """Return the judgments but some rows."""
    return judgments.take_rows(np.delete(np.arange(len(judgments)), rows))


def with_rows_turned(judgments: Judgments, rows: IntArray) -> Judgments:
    """Return the judgments with the winners of some rows for losers, each row a task of its own."""
    single = judgments.take_rows(np.arange(len(judgments)))
    ranks = single.entry_rank.reshape(-1, 2).copy()
    ranks[rows] = ranks[rows, ::-1]
    return dataclasses.replace(single, entry_rank=ranks.ravel())


@dataclass(frozen=True, eq=False)
class _Search:
    fit: Fit
    a: int
    b: int
    alteration: Alteration

    def run(self, influence: Influence) -> IntArray | None:
        """Order the rows, take as many as it needs, and order again while that needs fewer."""
        effect = self.effects(influence)
        found = self._along(effect, _enough(effect, self.lead(None)))
        if found is None:
            return None
        for _ in range(ROUNDS):
            after = self._refit(found).influence() if len(found) > 1 else None
            if after is None:
                break
            again = self._along((effect + self.effects(after)) / 2, len(found) - 1, only_fewer=True)
            if again is None:
                break
            found = again
        return found

    def effects(self, influence: Influence) -> FloatArray:
        """Return how much the alteration on each row lowers the lead."""
        judgments = self.fit.judgments
        towards = np.zeros(judgments.n_systems)
        towards[self.a], towards[self.b] = 1, -1
        of_facts = influence.along(towards, judgments)
        if self.alteration == "turn":
            of_facts = of_facts - influence.along(towards, judgments, turned=True)
        rows = judgments.observations.row
        added = np.bincount(rows, weights=of_facts, minlength=len(judgments))
        return np.asarray(added, dtype=np.float64)

    def lead(self, rows: IntArray | None) -> float:
        """Return s_a - s_b after altering the rows; infinite where there are no scores then."""
        try:
            scores = self._refit(rows).standings.scores
        except (UndefinedResultError, NotConvergedError):
            return np.inf
        lead = float(scores[self.a] - scores[self.b])
        return (
            np.inf
            if np.isnan(lead)
            else lead + ROUNDING * float(np.nanmax(scores) - np.nanmin(scores))
        )

    def _refit(self, rows: IntArray | None) -> Fit:
        judgments = self.fit.judgments
        if rows is None or not len(rows):
            return self.fit
        change: Callable[[Judgments, IntArray], Judgments] = (
            without_rows if self.alteration == "drop" else with_rows_turned
        )
        return self.fit.ranker.fit(change(judgments, rows), self.fit.seed)

    def _along(
        self, effect: FloatArray, guess: int, *, only_fewer: bool = False
    ) -> IntArray | None:
        """Return the shortest beginning of the rows, the largest effects first, that does it.

        ``guess`` says how many it may need; ``only_fewer``, that it may not need more.
        """
        order = np.argsort(-effect, kind="stable")
        order = order[: int((effect > 0).sum())]
        few, lead_few = 0, self.lead(None)
        if lead_few < 0:
            return order[:0]
        many = min(max(guess, 1), len(order))
        while True:
            if not many:
                return None
            lead_many = self.lead(order[:many])
            if lead_many < 0:
                break
            if only_fewer or many == len(order):
                return None
            few, lead_few = many, lead_many
            many = min(max(many + 1, round(1.3 * many)), len(order))
        while many - few > 1:
            share = lead_few / (lead_few - lead_many) if np.isfinite(lead_few) else 0.5
            middle = min(max(few + round((many - few) * share), few + 1), many - 1)
            lead = self.lead(order[:middle])
            if lead < 0:
                many, lead_many = middle, lead
            else:
                few, lead_few = middle, lead
        return order[:many]


def _enough(effect: FloatArray, lead: float) -> int:
    """Return how many of the largest effects add up to the lead; all where they do not."""
    falling = -np.sort(-effect[effect > 0])
    return int(np.searchsorted(np.cumsum(falling), lead, side="right")) + 1
