"""Preference models: probabilities of win, tie and loss for any two systems (HM13, §4).

Models that are not rankers live in `analysis.prediction.models`, with the registry of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from analysis.campaign.counts import TIE, WIN
from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray
from analysis.errors import UndefinedResultError

LEAST_PROBABILITY = 1e-9
"""No outcome is called less likely, so that a surprise costs 30 bits and not infinitely many."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """``win[i, j]``: the probability that system i, on the left, is preferred to j.

    The probability of a loss is ``win`` the other way round, and ``tie`` is symmetric, unless
    ``asymmetric_loss`` is given: then it matters which system stands on the left. The three sum
    to one, but for a model that was printed without being divided by its sum.
    """

    systems: tuple[str, ...]
    win: FloatArray
    tie: FloatArray
    signature: str
    asymmetric_loss: FloatArray | None = field(default=None, kw_only=True)

    @property
    def loss(self) -> FloatArray:
        return self.win.T if self.asymmetric_loss is None else self.asymmetric_loss


def cut_in_three(
    mean: FloatArray, spread: FloatArray, radius: float, *, one_sided: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the chances of win and tie, a difference N(μi - μj, ``spread``²) being cut in three.

    A tie is a difference in [-r, r]; one-sided in [0, r], system i being the one of larger μ, the
    earlier by name among equals:

        P(j better) = Φ(-δ/s),   P(tie) = Φ((r - δ)/s) - Φ(-δ/s),   P(i better) = 1 - Φ((r - δ)/s).

    Reference: Sakaguchi, Post & Van Durme 2014, §3.2.
    """
    lead = mean[:, None] - mean
    index = np.arange(len(mean))
    better = (lead > 0) | ((lead == 0) & (index[:, None] <= index))
    beyond = np.where(better, radius, 0.0) if one_sided else radius
    win = ndtr((lead - beyond) / spread)
    tie = 1 - (win + win.T)
    win, tie = np.maximum(win, LEAST_PROBABILITY), np.maximum(tie, LEAST_PROBABILITY)
    whole = (win + win.T) + tie
    return win / whole, tie / whole


def log2_probabilities(preferences: Preferences, judgments: Judgments) -> FloatArray:
    """Return log2 Q(outcome | left, right) of every observation, in bits."""
    facts = judgments.observations
    place = {system: k for k, system in enumerate(preferences.systems)}
    unknown = [system for system in judgments.systems if system not in place]
    if unknown:
        raise UndefinedResultError(
            "Predicting judgments",
            f"the model was not fitted to {', '.join(unknown)}",
            "Fit it to judgments of the same systems.",
        )
    code = np.array([place[system] for system in judgments.systems], dtype=np.int64)
    left, right = code[facts.left], code[facts.right]
    chances = np.where(
        facts.outcome == WIN,
        preferences.win[left, right],
        np.where(facts.outcome == TIE, preferences.tie[left, right], preferences.loss[left, right]),
    )
    return np.log2(chances)


def perplexity(preferences: Preferences, judgments: Judgments) -> float:
    """Return 2^(-mean log2 Q) over the judgments: as if there were so many equal outcomes.

    1 is a perfect prediction, 3 says nothing (HM13, §4).
    """
    if not len(judgments.observations):
        raise UndefinedResultError(
            "Perplexity", "there are no judgments to predict", "Choose a larger test set."
        )
    return float(2 ** -log2_probabilities(preferences, judgments).mean())


def share_of_ties(judgments: Judgments) -> float:
    """Return the share of ties, as if each of the three outcomes had been seen once more."""
    facts = judgments.observations
    return (float(np.count_nonzero(facts.outcome == TIE)) + 1) / (len(facts) + 3)


def chances_from_expected_scores(
    expected: FloatArray, judgments: Judgments
) -> tuple[FloatArray, FloatArray]:
    """Split expected scores, win + tie/2, into the chances of win and tie.

    Two systems tie as often as any two did in the judgments, yet not more often than the weaker
    one's expected score, so that it may win as well.
    """
    tie = np.minimum(share_of_ties(judgments), np.minimum(expected, expected.swapaxes(-1, -2)))
    return expected - tie / 2, tie


def chances_by_gaps(
    scores: FloatArray, judgments: Judgments, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Return the chances of win and tie by scores alone, for rankers without a model of ties.

    Of the pairs in the judgments, score(i) - score(j) > r puts i *above* j, |…| ≤ r puts them
    *level*; each has its own frequencies of win, tie and loss, as if every outcome had been seen
    once more. Level pairs win and lose alike. A system without a score is level with all.
    """
    counts = judgments.counts
    difference = scores[:, None] - scores[None, :]
    above = difference > radius
    level = ~above & ~above.T
    outcomes = np.stack([counts.wins, counts.ties, counts.losses])
    seen_above = outcomes[:, above].sum(axis=1) + 1
    seen_level = (outcomes + outcomes[::-1])[:, level].sum(axis=1) / 4 + 1
    p_above, p_level = seen_above / seen_above.sum(), seen_level / seen_level.sum()
    win = np.where(above, p_above[0], np.where(level, p_level[0], p_above[2]))
    return win, np.where(level, p_level[1], p_above[1])
