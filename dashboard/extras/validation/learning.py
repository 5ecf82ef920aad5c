"""The learning curves of the page Model selection: how well models predict after so many."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.extras.validation.prediction.findings import curve_words
from analysis.extras.validation.prediction.learning_curves import LearningCurve
from dashboard import compute
from dashboard.extras.validation import curves
from dashboard.extras.validation.curves import CurvePlan
from dashboard.extras.validation.held_out import MODEL_TITLES, Experiment
from dashboard.extras.validation.simulation_figures import curve_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, explain, note, show_figure

OFTEN = 2.0
"""Seconds from one preview to the next: drawing each takes time, too."""


def show_curves(
    context: ViewContext, experiment: Experiment, plan: CurvePlan, slot: DeltaGenerator
) -> None:
    """Show the learning curves, growing while they are made."""
    if not plan.sizes:
        note("There are too few judgments. Choose two or more sizes in the settings of this page.")
        return
    wanted = st.toggle(
        "Compute the learning curves",
        key="ms.curves",
        bind="query-params",
        help="Every method is trained on growing parts of the judgments, several times each.",
    )
    if not wanted:
        return
    several = context.is_drawn or len(context.campaign.pairs) > 1
    over_pairs = several and st.toggle(
        "Mean over all language pairs" + (" of WMT14" if context.is_drawn else ""),
        key="ms.curve-pairs",
        bind="query-params",
        help=(
            "As in Hopkins & May 2013 and Sakaguchi et al. 2014. Sizes above a pair's number of "
            "judgments use all of them."
        ),
    )
    place = st.empty()
    make = curves.mean_curves if over_pairs else curves.curves
    bar = progress_in(slot, "Learning curves", unit="trainings", of=None)
    try:
        curve, drawn = None, 0.0
        for curve in make(context, experiment, plan, bar):
            is_due = bar.takes_long and time.monotonic() - drawn > OFTEN
            if is_due and len({p.size for p in curve.points}) < len(plan.sizes):
                drawn = time.monotonic()
                with place.container():
                    _render_curve(context, experiment, plan, curve, final=False)
        slot.empty()
        if curve is not None:
            with place.container():
                _render_curve(context, experiment, plan, curve, final=True)
    except PodiumError as error:
        explain(error)


def _render_curve(
    context: ViewContext,
    experiment: Experiment,
    plan: CurvePlan,
    curve: LearningCurve,
    *,
    final: bool,
) -> None:
    shown = {label: MODEL_TITLES.get(label, label) for label, _ in experiment.models}
    figure = compute.drawn(context, curve_figure, curve, shown=shown)
    show_figure(figure, "figure.learning-curves" if final else None)
    note(
        f"{'' if final else 'Preview: larger sizes follow. '}Bands cover all trials. "
        f"{curve_words(curve, plan.draw)}"
    )
    if final:
        downloads("learning-curves", curve.to_frame(), figure)
