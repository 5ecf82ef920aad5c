"""The margin within which systems count as practically equal, the same on every page."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.ranking.verdict import Verdict
from dashboard.session.view import ViewContext
from dashboard.typography import significant

SHARE = 0.05
"""The margin that is proposed, of the distance between the best score and the worst."""


def ask_margin(context: ViewContext) -> float:
    """Ask for the largest difference that would not change a decision; 0 if none is given."""
    margin = st.number_input(
        f"Practically equal within ({context.ranker.score_label})",
        min_value=0.0,
        value=0.0,
        format="%.3g",
        key="equal",
        bind="query-params",
        persist_state="session",
        width=320,
        help="The largest difference that would not change your decision. Two systems are equal "
        "if the whole interval of their difference, valid for all pairs together, lies within "
        "it (two one-sided tests, Schuirmann 1987). 0 asks nothing.",
    )
    return float(margin)


def usual_margin(verdict: Verdict) -> float:
    """Return a round margin to begin with: a twentieth of the distance from best to worst."""
    scores = verdict.scores[~np.isnan(verdict.scores)]
    distance = float(np.ptp(scores)) if len(scores) else 0.0
    return float(significant(SHARE * distance, 1)) if distance else SHARE
