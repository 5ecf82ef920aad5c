"""Ratio rankers: the share of comparisons a system wins, counted in three ways.

References: Callison-Burch et al. 2007–2010 (ORIGWMT); Bojar et al., WMT 2011, *A Grain of Salt for
the WMT Manual Evaluation*; Koehn 2012, *Simulating Human Judgment in Machine Translation
Evaluation Campaigns* (Expected Wins).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.rankers.ranker import CountRanker


@dataclass(frozen=True)
class OrigWMT(CountRanker):
    """The official score to WMT10: Σ(win + tie) / Σ(win + tie + loss); a tie counts as a win."""

    name: ClassVar = "orig-wmt"
    title: ClassVar = "Better or equal (to WMT10)"
    sentence: ClassVar = "How often a system was judged better than or equal to another one."
    citation: ClassVar = "Callison-Burch et al. 2007–2010"
    references: ClassVar = ("callison-burch-etal-2010-findings",)
    score_label: ClassVar = "share won or tied"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        won_or_tied = (counts.wins + counts.ties).sum(axis=-1)
        return share(won_or_tied, counts.compared.sum(axis=-1))


@dataclass(frozen=True)
class Bojar(CountRanker):
    """Σwin / Σ(win + loss): ties are ignored."""

    name: ClassVar = "bojar"
    title: ClassVar = "Wins without ties (Bojar)"
    sentence: ClassVar = "How often a system won where one of the two won; ties are ignored."
    citation: ClassVar = "Bojar et al. 2011"
    references: ClassVar = ("bojar-etal-2011-grain",)
    score_label: ClassVar = "share won of the decided"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        return share(counts.wins.sum(axis=-1), (counts.wins + counts.losses).sum(axis=-1))


@dataclass(frozen=True)
class ExpectedWins(CountRanker):
    """The mean over opponents j of win(i, j) / (win(i, j) + win(j, i)), ties ignored.

    The mean goes over the opponents that the system was compared with, so that meeting a strong
    opponent more often does no harm.
    """

    name: ClassVar = "expected-wins"
    title: ClassVar = "Expected Wins"
    sentence: ClassVar = "The probability of beating another system picked at random, ties ignored."
    citation: ClassVar = "Koehn 2012; Bojar et al. 2013"
    references: ClassVar = ("koehn-2012-simulating",)
    score_label: ClassVar = "expected wins (share)"

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        decided = counts.wins + counts.losses
        ratios = share(counts.wins, decided)
        n_opponents = (decided > 0).sum(axis=-1)
        return share(np.where(decided > 0, ratios, 0.0).sum(axis=-1), n_opponents)


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, giving nan where there is nothing to divide by."""
    return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=np.asarray(whole) > 0)
