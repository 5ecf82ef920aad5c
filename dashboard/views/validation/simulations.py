"""Koehn's studies on simulated campaigns of known truth."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.next_campaign.evidence import fit_evidence, spread_like
from analysis.simulation.campaigns import Simulation
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.views.validation.studies import show_errors, show_needed, show_ranges, show_spread
from dashboard.widgets.result_card import headline

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


def choose_simulation(context: ViewContext) -> Simulation:
    """Ask for the size of a simulated campaign and how alike its systems are."""
    evidence = compute.remember(context, ("evidence",), lambda: fit_evidence(context.judgments))
    here, n_here = spread_like(evidence), len(evidence.systems)
    left, right = st.columns(2, gap="large")
    systems = left.number_input(
        "Systems", min_value=2, max_value=50, value=None, placeholder=f"{n_here}, as here",
        key="plan.systems", bind="query-params",
    )  # fmt: skip
    spread = right.number_input(
        "Standard deviation of outputs", min_value=1.0, max_value=100.0, value=None,
        step=1.0, format="%.1f", placeholder=f"{here:.1f}, as here", key="plan.spread",
        bind="query-params",
        help=(
            "The systems' own abilities are uniform between 0 and 10. The larger this is, the "
            "more similar the systems look to a judge. Koehn (2012) used 7 to 12."
        ),
    )  # fmt: skip
    return Simulation(systems=int(systems or n_here), spread=round(float(spread or here), 1))
