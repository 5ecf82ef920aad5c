"""Leaving systems or judges out: the choice, the way back, and the step to every page."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import streamlit as st

from analysis.campaign import Selection
from dashboard.session import selections, state
from dashboard.session.view import ViewContext

WITHOUT = "Without someone"
"""The question of What if that leaving out is."""
MOST_NAMED = 3
"""Names of those left out that a sentence has; the rest is a number."""
QUESTION, SYSTEMS, JUDGES = "question", "what.systems", "what.judges"


def choose_judges(context: ViewContext) -> list[str]:
    """Return the judges to leave out: one choice, on this page and on Judges."""
    judgments = context.judgments
    present = sorted({judgments.judges[k] for k in set(judgments.task_judge.tolist())})
    return list(
        st.multiselect(
            "Leave out judges",
            present,
            key=JUDGES,
            placeholder="none",
            select_all=False,
            persist_state="session",
            on_change=ask_in_what_if,
        )
    )


def ask_in_what_if() -> None:
    """Make this the question that What if opens with."""
    state.choose_in_callback(QUESTION, WITHOUT)


def without(context: ViewContext, systems: Sequence[str], judges: Sequence[str]) -> Selection:
    """Return the view's selection with more left out."""
    chosen = context.selection
    return dataclasses.replace(
        chosen,
        exclude_systems=(*chosen.exclude_systems, *systems),
        exclude_judges=(*chosen.exclude_judges, *judges),
    )


def offer(context: ViewContext, selection: Selection) -> None:
    """Offer to go back, and to leave the same out everywhere."""
    nobody = selection == context.selection
    with st.container(horizontal=True, gap="small"):
        st.button("Include all", icon=":material/undo:", disabled=nobody, on_click=_go_back)
        st.button(
            "Leave out on every page",
            icon=":material/filter_alt:",
            key="what.everywhere",
            help="Adds a filter tag at the top of the page; click its × to undo.",
            disabled=nobody,
            on_click=_leave_out_everywhere,
            args=(context, selection),
        )


def _go_back() -> None:
    state.choose_in_callback(SYSTEMS, [])
    state.choose_in_callback(JUDGES, [])


def _leave_out_everywhere(context: ViewContext, selection: Selection) -> None:
    chosen = selections.of(context.campaign)
    # The session's selection also holds systems of other language pairs.
    systems = dict.fromkeys((*chosen.exclude_systems, *selection.exclude_systems))
    changed = dataclasses.replace(selection, exclude_systems=tuple(systems))
    selections.select(context.campaign, changed)
    _go_back()
