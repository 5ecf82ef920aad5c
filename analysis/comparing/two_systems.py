"""The judgments behind one cell of a head-to-head table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.campaign import TIE, WIN, Judgments
from analysis.errors import PodiumError

TIE_WORD = "tie"


def judgments_between(judgments: Judgments, first: str, second: str) -> pd.DataFrame:
    """Return segment, judge, preferred and shown_left of every judgment of two systems.

    ``preferred`` is one of the two names or ``tie``; ``shown_left`` the system that the judge saw
    first. The order is the campaign's own. Where outputs are collapsed, a judgment of an output
    counts for each system that made it.
    """
    for name in (first, second):
        if name not in judgments.systems:
            raise PodiumError(
                "Two systems", f"{name!r} is not among those that count", "Choose another one."
            )
    facts = judgments.observations
    a, b = judgments.systems.index(first), judgments.systems.index(second)
    of_both = ((facts.left == a) & (facts.right == b)) | ((facts.left == b) & (facts.right == a))
    kept = np.flatnonzero(of_both)
    is_first = facts.left[kept] == a
    outcome = facts.outcome[kept]
    left = np.where(is_first, first, second).astype(object)
    right = np.where(is_first, second, first).astype(object)
    task = judgments.task[facts.row[kept]]
    return pd.DataFrame(
        {
            "segment": [judgments.segments[k] for k in judgments.task_segment[task]],
            "judge": [judgments.judges[k] for k in judgments.task_judge[task]],
            "preferred": np.where(
                outcome == TIE, TIE_WORD, np.where(outcome == WIN, left, right)
            ).astype(object),
            "shown_left": left,
        }
    )
