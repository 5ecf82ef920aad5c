"""What if: one question at a time, its answer at once, the answer before as a ghost behind it.

Each question is a module with one function ``ask(context, head)``: it shows its control and its
answer; the finding goes into ``head``, the place at the top of the page.
"""

from __future__ import annotations

import streamlit as st

from dashboard.session.view import require_campaign
from dashboard.views.what_if import fewer, level, radius, settings, ties, without
from dashboard.widgets.leaving_out import QUESTION, WITHOUT

QUESTIONS = {
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
    asked = st.segmented_control(
        "What if something else were chosen?",
        list(QUESTIONS),
        default="The radius",
        required=True,
        key=QUESTION,
        bind="query-params",
    )
    QUESTIONS[str(asked)](context, head)
