"""What if some systems or judges were left out?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.standings import own_words
from analysis.wording import count, listed
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change
from dashboard.widgets.leaving_out import MOST_NAMED, SYSTEMS, choose_judges, offer, without


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask whom to leave out; before is everybody that counts now."""
    systems, judges = _choose(context)
    selection = without(context, systems, judges)
    view = compute.with_selection(context, selection) if systems or judges else context
    offer(context, selection)
    who = [context.name(system) for system in systems] + judges
    condition = f"Without {listed(who, MOST_NAMED)}" if who else "As it is"
    noun = own_words(context.judgments, "judgment")
    show_change(
        context,
        view,
        head,
        "without",
        condition,
        title=f"{condition}: result of {count(len(view.judgments), noun)}",
        unchanged=_deciding_judge(context),
    )


def _deciding_judge(context: ViewContext) -> str:
    """Say without which judge there would be no such winner; empty where there is none."""
    found = [one for one in compute.limits_by_method(context) if one.kind == "deciding-judge"]
    return found[0].finding.removesuffix(".") if found else ""


def _choose(context: ViewContext) -> tuple[list[str], list[str]]:
    """Return the systems and judges to leave out.

    They are not in the link, which holds no names; leaving out on every page is, by position.
    """
    left, right = st.columns(2)
    systems = left.multiselect(
        "Leave out systems",
        context.judgments.systems,
        format_func=context.name,
        key=SYSTEMS,
        placeholder="none",
        select_all=False,
        persist_state="session",
    )
    with right:
        return list(systems), choose_judges(context)
