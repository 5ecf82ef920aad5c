"""A simulated campaign: what one with other systems takes, and what such campaigns teach."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.planning import prospect_title
from analysis.next_campaign.evidence import Evidence, fit_evidence
from analysis.next_campaign.new_campaign import Prospect, foresee, spread_like
from analysis.simulation.campaigns import Simulation
from dashboard import compute
from dashboard.figures.plan import prospect_figure
from dashboard.session.view import ViewContext
from dashboard.tables.plan import prospect_columns, prospect_screen
from dashboard.typography import count, percent
from dashboard.views.plan.studies import show_errors, show_ranges, show_spread
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, show_figure

EXPERIMENTS, CERTAINTY = 60, 0.9


def show_new_campaign(context: ViewContext) -> None:
    """Offer to simulate a campaign from its first judgment on, and Koehn's studies of such ones."""
    folded = st.expander(
        "Simulate a campaign", icon=":material/add_circle:", key="plan.new", bind="query-params"
    )
    with folded:
        study = st.selectbox(
            "Question", [*STUDIES, SPREAD], key="plan.study", bind="query-params", width=420
        )
        if study == SPREAD:
            slot = st.empty()
            if folded.open:
                show_spread(context, slot)
            return
        evidence = compute.remember(context, ("evidence",), lambda: fit_evidence(context.judgments))
        simulation = _choose_simulation(evidence)
        slot = st.empty()
        if folded.open:
            STUDIES[str(study)](context, simulation, slot)


def _show_needed(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    _show_prospect(context, _foresee(context, simulation, slot))


SPREAD = "How hard are these systems to separate?"
STUDIES: dict[str, Callable[[ViewContext, Simulation, DeltaGenerator], None]] = {
    "How many judgments does a new campaign take?": _show_needed,
    "Which method errs least?": show_errors,
    "Do rank ranges and clusters hold?": show_ranges,
}


def _choose_simulation(evidence: Evidence) -> Simulation:
    here, n_here = spread_like(evidence), len(evidence.systems)
    left, right = st.columns(2, gap="large")
    systems = left.number_input(
        "Systems", min_value=2, max_value=50, value=None, placeholder=f"{n_here}, as here",
        key="plan.systems", bind="query-params",
    )  # fmt: skip
    spread = right.number_input(
        "Spread of output quality within a system", min_value=1.0, max_value=100.0, value=None,
        step=1.0, format="%.1f", placeholder=f"{here:.1f}, as here", key="plan.spread",
        bind="query-params",
        help="Standard deviation of the quality of one system's outputs, where the systems' own "
        "abilities lie evenly between 0 and 10. The larger it is, the more alike the systems look "
        "to a judge. Koehn (2012) takes 7 to 12.",
    )  # fmt: skip
    return Simulation(systems=int(systems or n_here), spread=round(float(spread or here), 1))


def _foresee(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> Prospect:
    """Simulate in chunks, which are kept: interrupted work goes on where it stopped."""
    seed = context.certainty.seed
    key = ("prospect", simulation, EXPERIMENTS, seed)
    bar = progress_in(slot, "Simulating", unit="campaigns")

    def run() -> Prospect:
        with compute.resuming_threads(context, key) as threads:
            return foresee(
                simulation, experiments=EXPERIMENTS, certainty=CERTAINTY, seed=seed,
                executor=threads, progress=bar,
            )  # fmt: skip

    found = compute.remember(context, key, run)
    slot.empty()
    return found


def _show_prospect(context: ViewContext, found: Prospect) -> None:
    title = prospect_title(found)
    figure = prospect_figure(found, title=title, mode=context.mode)
    show_figure(figure, "figure.new-campaign")
    note(
        f"{count(EXPERIMENTS, 'simulated campaign')}; the band holds {percent(CERTAINTY)} of them. "
        "Five outputs per task, no ties. A pair is separated where a one-sided sign test has "
        "p ≤ .05, as in Koehn (2012), Table 4. This is not the rule above: it takes judgments "
        "for independent and looks at one pair at a time."
    )
    st.dataframe(
        prospect_screen(found),
        hide_index=True,
        column_config=prospect_columns(CERTAINTY),
        width="stretch",
    )
    downloads("new-campaign", found.needed(), figure, "Judgments of a new campaign.")
