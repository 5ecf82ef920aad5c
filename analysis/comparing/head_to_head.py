"""Head to head: how often each system was preferred to each other one.

Orientation, everywhere: the *row* system's share of the comparisons it decided with the *column*
system. The published WMT tables print the other one (percent that the column beats the row).

This table does not show which systems differ significantly: `analysis.ranking.verdict` does, for
scores that all judgments make. The sign test is what WMT14 printed beside each cell. It looks at
one pair alone and treats its judgments as independent; where segments and judges occur
more than once they are not: at a nominal 1% it errs in 4% of campaigns with three tasks per segment
and in 28% with twenty-four.

A cycle is three systems that each beat the next, so that no order agrees with all pairs: where a
beat b, b beat c and c beat a more often than not, ties aside, it is as strong as its weakest link,
the smallest of the three shares of decided judgments. No score orders the three without going
against one of them. A link is sure where the one-sided sign test says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts
from analysis.campaign.counts import THIN_PAIR
from analysis.comparing.score_table import ScoreTable
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Standings
from analysis.rankers.ratios import share
from analysis.ranking.significance import Sides, sign_test, significance_marks
from analysis.ranking.verdict import Verdict

Value = Literal["share", "p", "mark", "wins", "ties", "compared"]


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Tables over ordered pairs of systems, rows and columns both in the order of ``systems``.

    ``wins[i, j]``: judgments that preferred i to j; ``ties`` is symmetric. ``share`` is
    wins / (wins + losses), ``p`` the sign test's p-value, ``mark`` its mark; where nothing was
    decided, and on the diagonal, share and p are nan and the mark is empty. If ``of_ratings``,
    segments that have ratings of both systems are counted instead of judgments.
    """

    systems: tuple[str, ...]
    wins: FloatArray
    ties: FloatArray
    sides: Sides = 2
    of_ratings: bool = False

    @property
    def losses(self) -> FloatArray:
        return self.wins.T

    @property
    def decided(self) -> FloatArray:
        """Comparisons that one of the two won."""
        return self.wins + self.losses

    @property
    def compared(self) -> FloatArray:
        """How often two systems met, ties included."""
        return self.decided + self.ties

    @property
    def first_pair(self) -> tuple[int, int]:
        """The places of the first two systems that were compared often, else of the first two."""
        often = np.argwhere(np.triu(self.decided, 1) >= THIN_PAIR)
        return (int(often[0][0]), int(often[0][1])) if len(often) else (0, 1)

    @cached_property
    def share(self) -> FloatArray:
        return share(self.wins, self.decided)

    @cached_property
    def p(self) -> FloatArray:
        return np.where(
            self.decided > 0, sign_test(self.wins, self.losses, self.sides), np.float64("nan")
        )

    @cached_property
    def mark(self) -> npt.NDArray[np.str_]:
        return significance_marks(self.p)

    @property
    def n_pairs(self) -> int:
        """How many unordered pairs of systems have a decided comparison."""
        return int(np.count_nonzero(np.triu(self.decided, 1)))

    def n_significant(self, level: float = 0.05) -> int:
        """How many unordered pairs of systems differ at ``level`` by the sign test."""
        return int(np.count_nonzero(np.triu(np.fmin(self.p, self.p.T) <= level, 1)))

    def verdicts(self, verdict: Verdict) -> FloatArray:
        """Return 1 where the row is better than the column by the rule, -1 where worse, 0 if open.

        nan where nothing can be said, as on the diagonal. Two systems may differ that never
        met: each of them met others.
        """
        order = self._places(verdict.systems, "Significant differences")
        square = np.ix_(order, order)
        scores = verdict.scores[order]
        ahead = np.sign(scores[:, None] - scores)
        return np.where(verdict.known[square], ahead * verdict.significant[square], np.nan)

    def p_adjusted(self, verdict: Verdict) -> FloatArray:
        """Return the p-values of the differences of scores, adjusted for all pairs."""
        order = self._places(verdict.systems, "Significant differences")
        return verdict.p_adjusted[np.ix_(order, order)]

    def predicted(self, preferences: Preferences) -> FloatArray:
        """Return a model's share of the decided: win / (win + loss), nan on the diagonal."""
        order = self._places(preferences.systems, "Predicted shares")
        win = preferences.win[np.ix_(order, order)]
        predicted = share(win, win + win.T)
        np.fill_diagonal(predicted, np.nan)
        return predicted

    def _places(self, systems: tuple[str, ...], of: str) -> IntArray:
        """Return where the table's systems stand among those that something else speaks of."""
        place = {name: k for k, name in enumerate(systems)}
        missing = [name for name in self.systems if name not in place]
        if missing:
            raise PodiumError(
                of,
                f"the model has no values for {', '.join(missing)}",
                "Fit it to the same language pair with the same systems.",
            )
        return np.array([place[name] for name in self.systems], dtype=np.int64)

    def to_frame(self, verdict: Verdict | None = None) -> pd.DataFrame:
        """Return a long table: one line for every ordered pair of different systems.

        ``verdict`` adds ``significant`` and ``p_adjusted``, of the scores, or by an official
        procedure ``separate_ranges``. Of few judges it adds ``these_judges``: significant for new
        segments and these judges. A table of ratings has the ``difference`` of the scores, too.
        The sign test's p is not in it: it treats the votes of a cell as independent and differs
        from the verdict.
        """
        row, column = np.nonzero(~np.eye(len(self.systems), dtype=bool))
        names = np.array(self.systems, dtype=object)
        judged: dict[str, npt.NDArray[Any]] = {}
        if verdict is not None:
            apart = np.nan_to_num(self.verdicts(verdict)) != 0
            if self.of_ratings:
                scores = verdict.scores[self._places(verdict.systems, "Scores")]
                judged = {"difference": scores[:, None] - scores}
            judged |= verdict.columns_of_pairs(apart, self.p_adjusted(verdict))
            if verdict.these_judges is not None:
                order = self._places(verdict.systems, "Significant differences")
                judged["these_judges"] = apart | verdict.these_judges[np.ix_(order, order)]
        tables = {
            "share": self.share,
            **judged,
            "wins": self.wins.astype(np.int64),
            "losses": self.losses.astype(np.int64),
            "ties": self.ties.astype(np.int64),
            "compared": self.compared.astype(np.int64),
        }
        cells = {name: table[row, column] for name, table in tables.items()}
        return pd.DataFrame({"row": names[row], "column": names[column], **cells})

    def to_wide(self, value: Value = "share") -> pd.DataFrame:
        """Return a square table with the systems as its rows and columns."""
        return pd.DataFrame(
            getattr(self, value),
            index=pd.Index(self.systems, name="row"),
            columns=pd.Index(self.systems, name="column"),
        )


def head_to_head(
    counts: PairCounts,
    systems: tuple[str, ...],
    order: IntArray | None = None,
    sides: Sides = 2,
) -> HeadToHead:
    """Return the tables of ``systems``, the counts' own, in ``order`` (indices, best first).

    ``sides`` is the sign test's: 2 asks whether the two differ, 1 whether the row is better.
    """
    order = np.arange(len(systems)) if order is None else np.asarray(order)
    square = np.ix_(order, order)
    names = tuple(systems[k] for k in order)
    return HeadToHead(names, counts.wins[square], counts.ties[square], sides)


def head_to_head_by(
    standings: Standings, judgments: Judgments, order: IntArray | None = None, sides: Sides = 2
) -> HeadToHead:
    """Return the tables of what standings come from: ratings, raw or z, or judgments of pairs."""
    if judgments.scores is None or not RANKERS[standings.method].needs_scores:
        return head_to_head(judgments.counts, judgments.systems, order, sides)
    rated = ScoreTable.of(judgments.scores, judgments.systems)
    counts = rated_counts(rated.z_by_segment if standings.is_z else rated.good_by_segment)
    table = head_to_head(counts, judgments.systems, order, sides)
    return replace(table, of_ratings=True)


def rated_counts(means: FloatArray) -> PairCounts:
    """Count the segments[S, K] on which each system's mean is above, or equal to, each other's."""
    n = means.shape[1]
    wins, ties = np.zeros((n, n)), np.zeros((n, n))
    for system in range(n):
        own = means[:, [system]]
        wins[system] = np.count_nonzero(own > means, axis=0)
        ties[system] = np.count_nonzero(own == means, axis=0)
    np.fill_diagonal(ties, 0)
    return PairCounts(wins, ties)


@dataclass(frozen=True)
class Cycle:
    """``systems[0]`` beats [1], [1] beats [2], [2] beats [0].

    ``strength`` is the smallest share of decided judgments that one wins against the next, ``p``
    the largest p-value of the three links.
    """

    systems: tuple[str, str, str]
    strength: float
    p: float


def cycles(counts: PairCounts, systems: tuple[str, ...]) -> tuple[Cycle, ...]:
    """Return all cycles of three, the strongest first; each begins with its first system by place.

    >>> wins = np.array([[0., 3, 1], [1, 0, 3], [2, 1, 0]])
    >>> [found] = cycles(PairCounts(wins, np.zeros((3, 3))), ("a", "b", "c"))
    >>> found.systems, round(found.strength, 3)
    (('a', 'b', 'c'), 0.667)
    """
    p = sign_test(counts.wins, counts.losses, sides=1)
    found = [
        _cycle(ring, float(weakest), p, systems)
        for rings, strength in _rings(counts)
        for ring, weakest in zip(rings, strength, strict=True)
    ]
    return tuple(sorted(found, key=_strongest_first))


def count_cycles(counts: PairCounts, systems: tuple[str, ...]) -> tuple[int, Cycle | None]:
    """Return how many cycles there are, and the strongest: many systems have very many cycles."""
    p = sign_test(counts.wins, counts.losses, sides=1)
    n = 0
    strongest: Cycle | None = None
    for rings, strength in _rings(counts):
        n += len(rings)
        best = float(strength.max(initial=0.0))
        if strongest is None or best >= strongest.strength:
            equals = [_cycle(ring, best, p, systems) for ring in rings[strength == best]]
            if strongest is not None:
                equals.append(strongest)
            strongest = min(equals, key=_strongest_first, default=None)
    return n, strongest


def _rings(counts: PairCounts) -> Iterator[tuple[IntArray, FloatArray]]:
    """Return rings [N, 3] and their strength, by the first of their systems."""
    decided = counts.decided
    share = np.divide(counts.wins, decided, out=np.zeros(decided.shape), where=decided > 0)
    beats = share > 0.5
    for a in range(len(share)):
        beaten, beating = (
            a + 1 + np.flatnonzero(ahead[a + 1 :]) for ahead in (beats[a], beats[:, a])
        )
        b, c = np.nonzero(beats[np.ix_(beaten, beating)])
        b, c = beaten[b], beating[c]
        strength = np.minimum(np.minimum(share[a, b], share[b, c]), share[c, a])
        yield np.stack([np.full(len(b), a), b, c], axis=1), strength


def _cycle(ring: IntArray, strength: float, p: FloatArray, systems: tuple[str, ...]) -> Cycle:
    i, j, k = (int(system) for system in ring)
    weakest = max(float(p[i, j]), float(p[j, k]), float(p[k, i]))
    return Cycle((systems[i], systems[j], systems[k]), strength, weakest)


def _strongest_first(cycle: Cycle) -> tuple[float, tuple[str, ...]]:
    return -cycle.strength, cycle.systems
