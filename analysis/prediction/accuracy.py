"""How well a model predicts judgments: accuracy by token, and perplexity (HM13).

Accuracy is the share of outcomes that a model names (SPV14, §3.3; WMT14, §3.4).
A model with probabilities names the likeliest of win, tie and loss (SPV14, §3.3). A ranker may
also name an outcome by a *radius*: the better system wins where the two are further apart than the
radius r, else they tie. How far apart two systems are has two readings:

- ``difference``: the difference of their scores;
- ``clusters`` (WMT14, §3.4): the widest gap between neighbors in the order on the way from one to
  the other. Walking down the scores, a new cluster starts where a gap exceeds r; so two systems are
  in one cluster, and tie, exactly where no gap between them exceeds r.

Perplexity = 2^(-mean log2 Q(outcome)), as `analysis.rankers.preferences.perplexity` has it.

All of it is computed from K×K tables, so that a fold costs as little as a table does.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign import LOSS, TIE, WIN, FloatArray, PairCounts
from analysis.rankers.preferences import Preferences

Verdict = Literal["difference", "clusters"]
"""How far two systems are apart: by the difference of their scores, or by the widest gap in the
order between them (Bojar et al. 2014)."""

OutcomeTable = npt.NDArray[np.int8]
"""``table[..., i, j]``: the outcome named for i against j, from i's side, or `TOSS`."""

TOSS = 2
"""Named where win and loss are equally likely and likelier than a tie: a coin decides which.

Each of the two then counts half, so that no system gains by where its name stands.
"""


def separations(scores: FloatArray, apart: Verdict) -> FloatArray:
    """Return ``table[..., i, j]``: how far i is above j; negative below, nan without a score."""
    scores = np.asarray(scores, dtype=np.float64)
    if apart == "difference":
        return scores[..., :, None] - scores[..., None, :]
    return _widest_gaps(scores)


def _widest_gaps(scores: FloatArray) -> FloatArray:
    n = scores.shape[-1]
    order = np.argsort(scores, axis=-1)
    gaps = np.diff(np.take_along_axis(scores, order, axis=-1), axis=-1)
    widest = np.zeros((*scores.shape, n))
    for place in range(n - 1):
        reach = np.maximum.accumulate(gaps[..., place:], axis=-1)
        widest[..., place + 1 :, place] = reach
        widest[..., place, place + 1 :] = -reach
    place_of = np.argsort(order, axis=-1)
    rows = np.take_along_axis(widest, place_of[..., :, None], axis=-2)
    return np.take_along_axis(rows, place_of[..., None, :], axis=-1)


def named_outcomes(separation: FloatArray, radius: FloatArray | float) -> OutcomeTable:
    """Return the outcomes that a radius names; a pair of which nothing is known is named a tie.

    ``radius`` is one number, or one for every leading index of the separations.
    """
    limit = np.asarray(radius)[..., None, None]
    return (separation > limit).astype(np.int8) - (separation < -limit).astype(np.int8)


def likeliest_outcomes(win: FloatArray, tie: FloatArray, loss: FloatArray) -> OutcomeTable:
    """Return the outcome of largest probability (or count) for every pair.

    A tie where nothing is likelier; `TOSS` where win and loss are equally likely and likelier.
    """
    wins, loses = (win > tie) & (win > loss), (loss > tie) & (loss > win)
    named = wins.astype(np.int8) - loses.astype(np.int8)
    named[(win == loss) & (win > tie)] = TOSS
    return named


def oracle_outcomes(counts: PairCounts) -> OutcomeTable:
    """Return the most frequent outcome of every pair: what no model can beat on these counts."""
    return likeliest_outcomes(counts.wins, counts.ties, counts.losses)


def hits(named: OutcomeTable, counts: PairCounts) -> FloatArray:
    """Return how many judgments have the outcome that was named; leading axes are kept."""
    won = np.where(named == WIN, counts.wins, 0.0).sum(axis=(-1, -2))
    tied = np.where(named == TIE, counts.ties, 0.0).sum(axis=(-1, -2)) / 2
    tossed = np.where(named == TOSS, counts.wins, 0.0).sum(axis=(-1, -2)) / 2
    return np.asarray(won + tied + tossed)


def n_judgments(counts: PairCounts) -> FloatArray:
    """Return how many judgments the tables count; leading axes are kept."""
    return np.asarray(counts.compared.sum(axis=(-1, -2)) / 2)


def accuracy(named: OutcomeTable, counts: PairCounts) -> FloatArray:
    """Return the share of judgments whose outcome was named: hits / judgments."""
    return np.asarray(hits(named, counts) / n_judgments(counts))


def hit_cells(named: OutcomeTable) -> FloatArray:
    """Return what a judgment in each of `HeldOut`'s 3·K² cells (last axis) counts as a hit."""
    half = np.where(named == TOSS, 0.5, 0.0)
    cells = [(named == WIN) + half, (named == TIE) + 0.0, (named == LOSS) + half]
    return np.stack(cells, axis=-3).reshape(*named.shape[:-2], -1)


def accuracy_by_radius(separation: FloatArray, counts: PairCounts, radii: FloatArray) -> FloatArray:
    """Return the accuracy at each of ``radii``; the last axis of the result is the radius.

    Each pair of systems counts as its better system's wins below its separation and as its ties
    from there on, so that one sort of the pairs answers for all radii.
    """
    upper = np.triu_indices(counts.n_systems, 1)
    apart = np.nan_to_num(separation[..., *upper])
    wins = np.where(apart >= 0, counts.wins[..., *upper], counts.losses[..., *upper])
    gain = counts.ties[..., *upper] - wins
    order = np.argsort(np.abs(apart), axis=-1)
    sorted_gain = np.take_along_axis(gain, order, axis=-1)
    reached = np.concatenate(
        [np.zeros((*gain.shape[:-1], 1)), np.cumsum(sorted_gain, axis=-1)], axis=-1
    )
    within = (np.abs(apart)[..., None, :] <= np.asarray(radii)[:, None]).sum(axis=-1)
    total = wins.sum(axis=-1, keepdims=True) + np.take_along_axis(reached, within, axis=-1)
    return np.asarray(total / n_judgments(counts)[..., None])


def surprise_cells(win: FloatArray, tie: FloatArray, loss: FloatArray) -> FloatArray:
    """Return -log2 Q, in bits, of a judgment in each of `HeldOut`'s 3·K² cells (last axis).

    A system does not meet itself, so the diagonals are 0.
    """
    itself = np.eye(win.shape[-1], dtype=bool)
    bits = -np.log2(np.where(itself, 1.0, np.stack([win, tie, loss], axis=-3)))
    return bits.reshape(*win.shape[:-2], -1)


def perplexity_on_counts(preferences: Preferences, counts: PairCounts) -> float:
    """Return the perplexity of a model that does not mind which system stands on the left."""
    itself = np.eye(counts.n_systems, dtype=bool)
    bits_win = -np.log2(np.where(itself, 1.0, preferences.win))
    bits_tie = -np.log2(np.where(itself, 1.0, preferences.tie))
    bits = (counts.wins * bits_win).sum() + (counts.ties * bits_tie).sum() / 2
    return float(2 ** (bits / n_judgments(counts)))
