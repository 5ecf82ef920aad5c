"""Next: stop or go on, which tasks to send, and the design of a campaign that has not begun."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from dashboard.session.state import require_campaign
from dashboard.views.next.batch import show_batch
from dashboard.views.next.new_campaign import show_new_campaign
from dashboard.views.next.plan import show_plan
from dashboard.widgets.questions import choose

QUESTIONS = {
    "Stop or continue": show_plan,
    "Tasks to send": show_batch,
    "A new campaign": show_new_campaign,
}


def show() -> None:
    """Show the answer to one question; its finding stands at the top."""
    context = require_campaign()
    head = st.container()
    if context.judgments.n_systems < 2:
        raise PodiumError("Next", "there is only one system", "Exclude fewer systems.")
    QUESTIONS[choose("What next?", QUESTIONS, "next.question")](context, head)
