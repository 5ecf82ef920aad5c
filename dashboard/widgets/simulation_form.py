"""The size of a simulated campaign, on Next and among the studies."""

from __future__ import annotations

import streamlit as st

from analysis.next_campaign.evidence import fit_evidence, spread_like
from analysis.simulation.campaigns import Simulation
from dashboard import compute
from dashboard.session.view import ViewContext


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
