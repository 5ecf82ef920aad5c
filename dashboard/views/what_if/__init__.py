"""What if: one question at a time, its answer at once, the answer before as a ghost behind it.

Each question has a function ``ask(context, head)``: it shows its control and its answer; the
finding goes into ``head``, the place at the top of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import MQM
from analysis.comparing.what_if import numeric_settings
from analysis.findings.standings import own_words
from dashboard.registry import sections
from dashboard.session.state import QUESTION, require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.what_if import (
    averages,
    equality,
    fewer,
    methods,
    radius,
    settings,
    ties,
    weights,
)
from dashboard.views.what_if.survives import show_survivors
from dashboard.widgets.questions import WITHOUT, choose

Question = Callable[[ViewContext, DeltaGenerator], None]


def show() -> None:
    """Show the question that is asked, its answer, and what survives every change."""
    context = require_campaign()
    head = st.empty()
    questions = _questions(context)
    judgments, method = context.judgments, context.ranker.name
    asked = choose(
        "What would change?",
        questions,
        QUESTION,
        format_func={name: own_words(judgments, name, method) for name in questions}.__getitem__,
    )
    questions[asked](context, head)
    folded = st.expander(
        "Summary of all changes",
        key="survives",
        icon=":material/balance:",
        bind="query-params",
    )
    with folded:
        if folded.open:
            show_survivors(context)


def _questions(context: ViewContext) -> dict[str, Question]:
    """Return the questions that have a meaning for these judgments."""
    by_preferences = bool(len(context.judgments))
    by_ratings = context.ranker.needs_scores or not by_preferences
    brought = {str(section.TITLE): section.ask for section in sections("what-if")}
    return {
        "Methods": averages.ask if by_ratings else methods.ask,
        **({"Decision radius": radius.ask} if by_preferences else {}),
        **({"Weights of criteria": weights.ask} if context.campaign.criteria else {}),
        "Equal within": equality.ask,
        "Fewer judgments": fewer.ask,
        WITHOUT: fewer.ask_without,
        **brought,
        **({"Hyperparameters": _ask_of_settings} if _settings(context) else {}),
    }


def _settings(context: ViewContext) -> dict[str, Question]:
    """Return the things that a method or a kind of data lets one set; means ignore ties."""
    scores = context.judgments.scores
    if not context.ranker.needs_scores:
        of_scores = {} if scores is None else {"Tie threshold": ties.ask_threshold}
        own = numeric_settings(type(context.ranker))
        of_method = {"Hyperparameters of the method": settings.ask} if own else {}
        return {**of_method, "Ties": ties.ask, **of_scores}
    has_errors = scores is not None and scores.errors is not None and scores.scale == MQM
    return {"Weights of errors": weights.ask_errors} if has_errors else {}


def _ask_of_settings(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for one of them."""
    found = _settings(context)
    asked = st.selectbox("Change", list(found), key="what.setting", bind="query-params", width=320)
    found[str(asked)](context, head)
