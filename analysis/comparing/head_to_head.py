"""Head to head: how often each system was preferred to each other one.

Orientation, everywhere: the *row* system's share of the comparisons it decided with the *column*
system. The published WMT tables print the other one (percent that the column beats the row).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, PairCounts
from analysis.errors import PodiumError
from analysis.rankers.preferences import Preferences
from analysis.rankers.ratios import share
from analysis.ranking.sign_test import Sides, sign_test, significance_marks

Value = Literal["share", "p", "mark", "wins", "ties", "compared"]


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Tables over ordered pairs of systems, rows and columns both in the order of ``systems``.

    ``wins[i, j]``: judgments that preferred i to j; ``ties`` is symmetric. ``share`` is
    wins / (wins + losses), ``p`` the sign test's p-value, ``mark`` its mark; where nothing was
    decided, and on the diagonal, share and p are nan and the mark is empty.
    """

    systems: tuple[str, ...]
    wins: FloatArray
    ties: FloatArray
    sides: Sides = 2

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
        """How many unordered pairs of systems the sign test tells apart at ``level``."""
        return int(np.count_nonzero(np.triu(np.fmin(self.p, self.p.T) <= level, 1)))

    def predicted(self, preferences: Preferences) -> FloatArray:
        """Return a model's share of the decided: win / (win + loss), nan on the diagonal."""
        place = {name: k for k, name in enumerate(preferences.systems)}
        missing = [name for name in self.systems if name not in place]
        if missing:
            raise PodiumError(
                "Predicted preferences",
                f"the model says nothing of {', '.join(missing)}",
                "Fit it to the same language pair with the same systems.",
            )
        order = np.array([place[name] for name in self.systems], dtype=np.int64)
        win = preferences.win[np.ix_(order, order)]
        predicted = share(win, win + win.T)
        np.fill_diagonal(predicted, np.nan)
        return predicted

    def difference(self, preferences: Preferences) -> FloatArray:
        """Return observed minus predicted share; nan where nothing was decided."""
        return self.share - self.predicted(preferences)

    def to_frame(self) -> pd.DataFrame:
        """Return a long table: one line for every ordered pair of different systems."""
        row, column = np.nonzero(~np.eye(len(self.systems), dtype=bool))
        names = np.array(self.systems, dtype=object)
        tables = {
            "share": self.share,
            "p": self.p,
            "mark": self.mark,
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
