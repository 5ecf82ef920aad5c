"""Koehn's studies on simulated campaigns of known truth."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.simulation.campaigns import Simulation
from dashboard.session.view import ViewContext
from dashboard.views.validation.studies import show_errors, show_needed, show_ranges, show_spread
from dashboard.widgets.result_card import headline
from dashboard.widgets.simulation_form import choose_simulation

SPREAD = "How hard are these systems to separate?"
STUDIES: dict[str, Callable[[ViewContext, Simulation, DeltaGenerator], None]] = {
    "Which method errs least?": show_errors,
    "Do rank ranges and clusters contain the truth?": show_ranges,
    "How many judgments separate the systems?": show_needed,
}


def show_simulations(context: ViewContext) -> None:
    """Show one study; each runs where somebody asks for it."""
    headline(context, "Methods and validation", "Simulated campaigns", of_method=False)
    asked = st.selectbox(
        "Question", [*STUDIES, SPREAD], key="plan.study", bind="query-params", width=420
    )
    simulation = None if asked == SPREAD else choose_simulation(context)
    slot = st.empty()
    if not st.toggle("Simulate", key="plan.simulate", bind="query-params"):
        return
    if simulation is None:
        show_spread(context, slot)
    else:
        STUDIES[str(asked)](context, simulation, slot)
