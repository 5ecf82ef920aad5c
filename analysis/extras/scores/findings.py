"""What a scoreboard says, in a sentence."""

from __future__ import annotations

import numpy as np

from analysis.extras.scores.scoreboard import Measure, Scoreboard
from analysis.wording import count, listed

MOST_NAMED = 4


def scores_finding(board: Scoreboard, m: int = 0) -> str:
    """Say who may be the best by a measure.

    Who leads is the best by the data at hand; who may be the best cannot be told worse.
    """
    measure = board.measures[m]
    order = [int(s) for s in board.order(m) if not np.isnan(board.values[m, s])]
    if not order:
        return f"{measure.title} is defined for no system."
    leader = board.systems[order[0]]
    lead = f"{leader} has the best {_name(measure)}"
    if len(order) == 1:
        return f"{leader}: {_name(measure)} {board.values[m, order[0]]:.3f}."
    if not board.is_sure:
        return f"{lead}; there is not enough data for intervals."
    others = [board.systems[s] for s in order[1:] if board.may_be_best[m, s]]
    if not others:
        return f"{lead}, and all others are significantly worse."
    who = listed(others) if len(others) <= MOST_NAMED else count(len(others), "other system")
    return f"{lead}; {who} may be as good."


def _name(measure: Measure) -> str:
    """Return a title as it stands inside a sentence; NDCG and Pearson keep their capital."""
    first = measure.title.split()[0]
    keeps = sum(c.isupper() or c.isdigit() for c in first) > 1 or first.endswith("'s")
    return measure.title if keeps else measure.title[0].lower() + measure.title[1:]


MEANING = (
    "A table with one row per sentence: one column of human scores, one column per system with "
    "its estimates. Or one row per word, with labels. Or a column reference and one column per "
    "system with translations. Or metric scores only, one column per system. Or TREC's relevance "
    "judgments and runs. A column document (or sentence, for words) is resampled as a whole."
)
"""What the files may be."""

FEW = 50
"""With fewer groups than this, intervals were found somewhat narrow."""


def what_best_means(board: Scoreboard) -> str:
    """Say what intervals and possible best systems promise, and where they keep less."""
    if not board.is_sure:
        return "There is not enough data to estimate the uncertainty."
    words = (
        f"In {board.level:.0%} of such data, an interval contains the value for other "
        f"{board.units}, and the truly best system is among those that may be the best."
    )
    if board.n_groups < FEW:
        words += (
            f" With only {board.n_groups} {board.units} they are less reliable: in simulations "
            "with 15, 95% intervals covered 87% to 97%."
        )
    return words
