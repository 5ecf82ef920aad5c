"""The margin within which systems count as practically equal, the same on every page."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.ranking.equivalence import margin_of_chance
from analysis.ranking.verdict import Verdict
from analysis.wording import percent, significant
from dashboard.session.view import ViewContext
from dashboard.widgets.choice import choose
from dashboard.widgets.result_card import note

SHARE = 0.05
"""The margin that is proposed, of the distance between the best score and the worst."""
CHANCES = (0.01, 0.02, 0.03, 0.05, 0.1)
"""Margins in win probability that can be chosen."""
BY_SCORE, BY_CHANCE = "Difference of scores", "Win probability"


def ask_margin(context: ViewContext, usual: float = 0.0) -> float:
    """Ask for the largest difference that would not change a decision; ``usual`` if none is given.

    It is in units of the score, or in win probability where the method has a formula for that.
    """
    if context.ranker.points_per_logit is not None:
        kinds = (BY_SCORE, BY_CHANCE)
        unit = choose("Practically equal by", kinds, "equal.unit", persist_state="session")
        if unit == BY_CHANCE:
            return _ask_chance(context)
    margin = st.number_input(
        f"Practically equal within, in {context.ranker.score_label}",
        min_value=0.0,
        value=None,
        placeholder=f"{usual:.3g}" if usual else "none",
        format="%.3g",
        key="equal",
        bind="query-params",
        persist_state="session",
        width=320,
        help="The largest difference that would not change your decision. Two systems are equal "
        "if the whole interval of their difference, valid for all pairs together, lies within "
        "it (two one-sided tests, Schuirmann 1987).",
    )
    return float(margin or usual)


def _ask_chance(context: ViewContext) -> float:
    chance = st.select_slider(
        "Practically equal within (win probability, away from 50%)", CHANCES, value=SHARE,
        format_func=percent, key="equal.chance", bind="query-params", persist_state="session",
        width=320,
    )  # fmt: skip
    margin = margin_of_chance(context.ranker, float(chance))
    low, high = percent(0.5 - chance), percent(0.5 + chance)
    note(f"A win probability from {low} to {high} is a difference of {margin:.3g} in the score.")
    return margin


def usual_margin(verdict: Verdict) -> float:
    """Return a round margin to begin with: a twentieth of the distance from best to worst."""
    scores = verdict.scores[~np.isnan(verdict.scores)]
    distance = float(np.ptp(scores)) if len(scores) else 0.0
    return float(significant(SHARE * distance, 1)) if distance else SHARE
