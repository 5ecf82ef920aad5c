"""How well a model predicts judgments: accuracy by token, and perplexity (HM13).

Accuracy is the share of outcomes that a model names (SPV14, §3.3; WMT14, §3.4).
A model with probabilities names the likeliest of win, tie and loss (SPV14, §3.3). A ranker may
also name an outcome by a radius (`analysis.prediction.radius`).

Perplexity = 2^(-mean log2 Q(outcome)), as `analysis.rankers.preferences.perplexity` has it.

All of it is computed from K×K tables, so that a fold costs as little as a table does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.campaign import LOSS, TIE, WIN, FloatArray, PairCounts
from analysis.rankers.preferences import Preferences

OutcomeTable = npt.NDArray[np.int8]
"""``table[..., i, j]``: the outcome named for i against j, from i's side, or `TOSS`."""

TOSS = 2
"""Named where win and loss are equally likely and likelier than a tie: a coin decides which.

Each of the two then counts half, so that no system gains by where its name stands.
"""


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
