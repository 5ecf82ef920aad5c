"""What if: one question at a time, its answer at once, the answer before as a ghost behind it."""

from __future__ import annotations

import streamlit as st

from dashboard.context import require_campaign
from dashboard.questions import fewer, level, radius, settings, ties, without

QUESTIONS = {
    "The radius": radius.ask,
    "The confidence level": level.ask,
    "Ties": ties.ask,
    "Fewer judgments": fewer.ask,
    without.TITLE: without.ask,
    "The method's settings": settings.ask,
}


def show() -> None:
    """Show the question that is asked, and its answer."""
    context = require_campaign()
    head = st.empty()
    asked = st.segmented_control(
        "What if something else were chosen?",
        list(QUESTIONS),
        default="The radius",
        required=True,
        key=without.QUESTION,
        bind="query-params",
    )
    QUESTIONS[str(asked)](context, head)
