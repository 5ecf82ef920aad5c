"""Monte Carlo Playoffs: many knock-out tournaments, each match decided by a random judgment.

Reference: Callison-Burch et al. 2012, *Findings of the 2012 Workshop on Statistical Machine
Translation*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.kernel import kernel
from analysis.parameters import number
from analysis.rankers.ranker import Fit, Ranker, require_judgments
from analysis.rankers.ratios import share
from analysis.rankers.resampling import ResamplingUnit, stacks_of_counts


@dataclass(frozen=True)
class Playoffs(Ranker):
    """The mean share of the rounds that a system survives in knock-out tournaments.

    Each tournament sets the systems at random into a bracket of 2^b places, 2^b ≥ K; who has no
    opponent in the first round goes on. In a match, i beats j with probability
    win(i, j) / (win(i, j) + win(j, i)), as a random judgment of the two decides it;
    where none was decided, with ½. The champion has survived all b rounds, who falls in the first
    none. So the score orders the lower places, too, which a count of titles would not do.
    """

    name: ClassVar = "playoffs"
    title: ClassVar = "Monte Carlo Playoffs"
    sentence: ClassVar = (
        "The average number of rounds that a system survives in a knock-out tournament."
    )
    citation: ClassVar = "Callison-Burch et al. 2012"
    references: ClassVar = ("callison-burch-etal-2012-findings",)
    score_label: ClassVar = "share of rounds survived"

    tournaments: int = number(
        1000, "Number of tournaments.", low=10, high=100_000, step=100, symbol="tournaments"
    )

    def fit(self, judgments: Judgments, seed: int = 0) -> Fit:
        require_judgments(judgments)
        scores = self._play(judgments.counts, np.random.default_rng(seed))
        return Fit(self, judgments, seed, self.standings(judgments, scores))

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        stacks = stacks_of_counts(judgments, unit, n, rng)
        return np.concatenate([self._play(counts, rng) for counts in stacks])

    def _play(self, counts: PairCounts, rng: np.random.Generator) -> FloatArray:
        met = counts.compared.sum(axis=-1) > 0
        chances = np.nan_to_num(share(counts.wins, counts.decided), nan=0.5)
        n = counts.n_systems
        survived = _mean_share_survived(
            chances.reshape(-1, n, n), met.reshape(-1, n), self.tournaments, rng
        )
        return np.where(met, survived.reshape(met.shape), np.nan)


@kernel
def _mean_share_survived(chances, met, tournaments, rng):  # type: ignore[no-untyped-def]
    """Play the tournaments of every replicate.

    With places for K systems in random order, the 2^b - K byes go to the last ones: the first
    2K - 2^b play, neighbor against neighbor, and from then on no place is empty.
    """
    survived = np.zeros(met.shape)
    for r in range(len(met)):
        field = np.flatnonzero(met[r])
        n_byes = 1
        rounds = 0
        while n_byes < len(field):
            n_byes *= 2
            rounds += 1
        n_byes -= len(field)
        for _ in range(tournaments):
            rng.shuffle(field)
            left = field.copy()
            n_left = len(left)
            n_idle = n_byes
            while n_left > 1:
                n_next = 0
                for place in range(0, n_left - n_idle, 2):
                    one, other = left[place], left[place + 1]
                    winner = one if rng.random() < chances[r, one, other] else other
                    left[n_next] = winner
                    n_next += 1
                for place in range(n_left - n_idle, n_left):
                    left[n_next] = left[place]
                    n_next += 1
                for place in range(n_next):
                    survived[r, left[place]] += 1.0
                n_left = n_next
                n_idle = 0
        survived[r] /= max(rounds * tournaments, 1)
    return survived
