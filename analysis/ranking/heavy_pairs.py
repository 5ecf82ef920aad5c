"""Pairs of systems of which one judgment alone moves a score much."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.rankers.ranker import Fit
from analysis.ranking.verdict import Verdict

HEAVY_BELOW = 30
"""Decided judgments under which a pair may rest on one of them."""


def heavy_pairs(fit: Fit, result: Verdict) -> pd.DataFrame:
    """Return the pairs of which one judgment alone says much, the heaviest first.

    Where each pair counts for itself, as in Expected Wins, a pair with few decided judgments
    weighs as much as one with many. Columns: ``a``, ``b``, the number of ``decided`` judgments
    (under `HEAVY_BELOW`), and ``moves``: how far one of them turned round moves the score of a,
    at least half its standard deviation.
    """
    judgments, influence = fit.judgments, fit.influence()
    columns = ["a", "b", "decided", "moves"]
    if influence is None or influence.by_share is None:
        return pd.DataFrame(columns=columns)
    decided = judgments.counts.decided
    scarce = (decided > 0) & (decided < HEAVY_BELOW)
    own = 1.0 if influence.mixing is None else np.diag(influence.mixing)[:, None]
    moves = np.where(scarce, own * influence.by_share / np.maximum(decided, 1), 0.0)
    first, second = np.nonzero(scarce & (moves >= result.se[:, None] / 2))
    rows = [
        (judgments.systems[i], judgments.systems[j], int(decided[i, j]), float(moves[i, j]))
        for i, j in zip(first, second, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("moves", ascending=False, kind="stable", ignore_index=True)
