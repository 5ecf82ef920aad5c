"""What standings of few votes of people and many of a machine can be made of.

Any method whose scores have a derivative by the counts would do; these are those that vote counts
of two systems at a time have a meaning for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import CountRanker
from analysis.rankers.ratios import share


@dataclass(frozen=True)
class WinShare(CountRanker):
    """Σ(win + tie/2) / Σ(win + tie + loss): the share of its votes that a system won.

    Its derivative by a vote is (y - s)/n, y = 1, ½ or 0. With few votes (all of them won) the
    variance seems too small; what is missing to that with one win and one loss more is ``few``.
    """

    name: ClassVar = "win-share"
    title: ClassVar = "Share of votes won"
    sentence: ClassVar = "How often a system won its vote; a tie counts as half a win."
    citation: ClassVar = "Chatzi, Straitouri, Thejaswi & Gomez Rodriguez 2024"
    references: ClassVar = ("chatzi-etal-2024-prediction",)
    score_label: ClassVar = "share of votes won, a tie half"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        won = (counts.wins + counts.ties / 2).sum(axis=-1)
        return share(won, counts.compared.sum(axis=-1))

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def influence_of(self, judgments: Judgments) -> Influence:
        counts = judgments.counts
        n = counts.compared.sum(axis=1)
        k = len(n)
        score = self.scores_from_counts(counts)
        win, tie, loss = (np.nan_to_num(share(y - score, n)) for y in (1.0, 0.5, 0.0))

        def of_rows(added: FloatArray) -> FloatArray:
            return np.broadcast_to(added[:, None], (k, k))

        known = np.nan_to_num(score)
        squares = (
            counts.wins.sum(axis=1) * (1 - known) ** 2
            + counts.ties.sum(axis=1) * (0.5 - known) ** 2
            + counts.losses.sum(axis=1) * known**2
        )
        plain = share(squares, n**2)
        smoothed = share(squares + (1 - known) ** 2 + known**2, n * (n + 2))
        return Influence(
            scores=score,
            own=np.stack([of_rows(win), of_rows(tie)]),
            other=np.stack([of_rows(loss).T, of_rows(tie).T]),
            least=np.zeros((k, k)),
            few=np.diag(np.nan_to_num(np.maximum(smoothed - plain, 0.0))),
            bounds=(0.0, 1.0),
        )


STATISTICS: dict[str, type[CountRanker]] = {"win-share": WinShare} | {
    name: ranker
    for name, ranker in RANKERS.items()
    if name in ("bradley-terry", "expected-wins", "bojar", "orig-wmt")
    and issubclass(ranker, CountRanker)
}
"""By name; the first is the default."""


def statistic(name: str) -> CountRanker:
    """Return what standings are made of, by its name."""
    if name not in STATISTICS:
        raise PodiumError(
            "Method",
            f"{name!r} has no prediction-powered form",
            (f"Choose one of {', '.join(STATISTICS)}."),
        )
    return STATISTICS[name]()
