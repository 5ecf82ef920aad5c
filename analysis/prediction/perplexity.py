"""Perplexity: how surprised a model is by what the judges said, in equally likely outcomes (HM13).

Perplexity = 2^(-mean log2 Q(outcome)), as `analysis.rankers.preferences.perplexity` has it; here it
is made from tables, so that a fold costs as little as a table does.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.prediction.accuracy import n_judgments
from analysis.rankers.preferences import Preferences


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
