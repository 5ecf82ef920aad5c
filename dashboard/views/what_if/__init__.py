"""What if: one question at a time, its answer at once, the answer before as a ghost behind it.

Each question is a module with one function ``ask(context, head)``: it shows its control and its
answer; the finding goes into ``head``, the place at the top of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import MQM
from dashboard.session.view import ViewContext, require_campaign
from dashboard.views.what_if import (
    averages,
    errors,
    fewer,
    level,
    margin,
    radius,
    settings,
    ties,
    without,
)
from dashboard.widgets.leaving_out import QUESTION, WITHOUT

Question = Callable[[ViewContext, DeltaGenerator], None]
OF_SCORES = {"How scores are averaged": averages.ask}
OF_ERRORS = {"What errors cost": errors.ask}
OF_MARGINS = {"The tie margin": margin.ask}
QUESTIONS: dict[str, Question] = {
    "The radius": radius.ask,
    "The confidence level": level.ask,
    "Ties": ties.ask,
    "Fewer judgments": fewer.ask,
    WITHOUT: without.ask,
    "The method's settings": settings.ask,
}


def show() -> None:
    """Show the question that is asked, and its answer."""
    context = require_campaign()
    head = st.empty()
    questions = _questions(context)
    # A key of their own: what was asked of rankings may have no meaning for scores.
    asked = st.segmented_control(
        "What if something else were chosen?",
        list(questions),
        default=next(iter(questions)),
        required=True,
        key=QUESTION if context.judgments.scores is None else f"{QUESTION}.scores",
        bind="query-params",
    )
    questions[str(asked)](context, head)


def _questions(context: ViewContext) -> dict[str, Question]:
    """Return the questions that have a meaning for these judgments."""
    scores = context.judgments.scores
    if scores is None:
        return QUESTIONS
    has_errors = scores.errors is not None and scores.scale == MQM
    of_preferences = {**OF_MARGINS, "Ties": ties.ask} if len(context.judgments) else {}
    others = {name: QUESTIONS[name] for name in ("The confidence level", "Fewer judgments")}
    return {
        **OF_SCORES,
        **(OF_ERRORS if has_errors and context.ranker.needs_scores else {}),
        **of_preferences,
        **others,
        WITHOUT: without.ask,
    }
