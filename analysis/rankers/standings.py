"""What a ranker says: a score for every system, with its spread, and how it was made."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.campaign.ragged import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Standings:
    """Scores of systems, in the order of ``systems``; higher is better.

    ``spread`` is the model's own standard deviation where it has one. A score that is not defined
    is ``nan`` and ``undefined`` says why.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    spread: FloatArray | None
    method: str
    signature: str
    n_judgments: int
    undefined: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    approximate: bool = False

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first; equal scores by name, undefined ones last."""
        return best_first(self.scores)

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        return tuple(self.systems[k] for k in self.order)

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first."""
        order = self.order
        spread = np.full(len(order), np.nan) if self.spread is None else self.spread
        return pd.DataFrame(
            {
                "system": [self.systems[k] for k in order],
                "score": self.scores[order],
                "spread": spread[order],
            }
        )


def best_first(scores: FloatArray) -> IntArray:
    """Return indices by falling score; equal scores keep their order, nan comes last.

    >>> best_first(np.array([.2, np.nan, .7, .2])).tolist()
    [2, 0, 3, 1]
    """
    return np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")
