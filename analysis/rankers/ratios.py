"""Ratio rankers: the share of comparisons a system wins, counted in three ways.

References: Callison-Burch et al. 2007–2010 (ORIGWMT); Bojar et al., WMT 2011, *A Grain of Salt for
the WMT Manual Evaluation*; Koehn 2012, *Simulating Human Judgment in Machine Translation
Evaluation Campaigns* (Expected Wins).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.rankers.influence import Influence, missed_by_pairs, smoothed_variance
from analysis.rankers.ranker import CountRanker


@dataclass(frozen=True)
class OrigWMT(CountRanker):
    """The official score to WMT11: Σ(win + tie) / Σ(win + tie + loss); a tie counts as a win."""

    name: ClassVar = "orig-wmt"
    title: ClassVar = "Better or equal (to WMT11)"
    sentence: ClassVar = "How often a system was judged better than or equal to another one."
    citation: ClassVar = "Callison-Burch et al. 2007–2010"
    references: ClassVar = ("callison-burch-etal-2010-findings",)
    score_label: ClassVar = "share won or tied"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        won_or_tied = (counts.wins + counts.ties).sum(axis=-1)
        return share(won_or_tied, counts.compared.sum(axis=-1))

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def influence_of(self, judgments: Judgments) -> Influence:
        counts = judgments.counts
        n = counts.compared.sum(axis=1)
        won = (counts.wins + counts.ties).sum(axis=1)
        return _share_influence(won, n, tie=True)


@dataclass(frozen=True)
class Bojar(CountRanker):
    """Σwin / Σ(win + loss): ties are ignored."""

    name: ClassVar = "bojar"
    title: ClassVar = "Wins without ties (Bojar)"
    sentence: ClassVar = "How often a system won among judgments without a tie."
    citation: ClassVar = "Bojar et al. 2011"
    references: ClassVar = ("bojar-etal-2011-grain",)
    score_label: ClassVar = "share of decided judgments won"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        return share(counts.wins.sum(axis=-1), counts.decided.sum(axis=-1))

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def influence_of(self, judgments: Judgments) -> Influence:
        counts = judgments.counts
        n = counts.decided.sum(axis=1)
        return _share_influence(counts.wins.sum(axis=1), n, tie=False)


@dataclass(frozen=True)
class ExpectedWins(CountRanker):
    """The mean over opponents j of win(i, j) / (win(i, j) + win(j, i)), ties ignored.

    The mean goes over the opponents that the system was compared with, so that meeting a strong
    opponent more often does no harm.
    """

    name: ClassVar = "expected-wins"
    title: ClassVar = "Expected Wins"
    sentence: ClassVar = (
        "The probability of beating another system picked at random, excluding ties."
    )
    citation: ClassVar = "Koehn 2012; Bojar et al. 2013"
    references: ClassVar = ("koehn-2012-simulating",)
    score_label: ClassVar = "expected wins (share)"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        decided = counts.decided
        ratios = share(counts.wins, decided)
        n_opponents = (decided > 0).sum(axis=-1)
        return share(np.where(decided > 0, ratios, 0.0).sum(axis=-1), n_opponents)

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def influence_of(self, judgments: Judgments) -> Influence:
        """Return the derivative: a win of i over j adds w_ji / n² over the number of opponents."""
        counts = judgments.counts
        wins, decided = counts.wins, counts.decided
        n_opponents = (decided > 0).sum(axis=1)
        weight = np.where(decided > 0, 1 / np.maximum(n_opponents, 1)[:, None], 0.0)
        win = np.divide(counts.losses, decided**2, out=np.zeros(wins.shape), where=decided > 0)
        none = np.zeros(wins.shape)
        return Influence(
            scores=self.scores_from_counts(counts),
            own=np.stack([win * weight, none]),
            other=np.stack([-win * weight.T, none]),
            least=np.diag(smoothed_variance(wins.sum(axis=1), decided.sum(axis=1))),
            few=missed_by_pairs(counts, weight),
            by_share=weight,
            bounds=(0.0, 1.0),
        )


def _share_influence(won: FloatArray, n: FloatArray, tie: bool) -> Influence:
    """Return the derivative of won/n, where a tie is won by both or does not count."""
    score = share(won, n)
    gain, loss = share(1 - score, n), share(-score, n)
    k = len(n)
    own = np.broadcast_to(np.nan_to_num(gain)[:, None], (k, k))
    other = np.broadcast_to(np.nan_to_num(loss)[None, :], (k, k))
    none = np.zeros((k, k))
    return Influence(
        scores=score,
        own=np.stack([own, own if tie else none]),
        other=np.stack([other, own.T if tie else none]),
        least=np.diag(smoothed_variance(won, n)),
        bounds=(0.0, 1.0),
    )


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, giving nan where there is nothing to divide by."""
    return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=np.asarray(whole) > 0)
