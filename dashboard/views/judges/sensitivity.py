"""How sensitive each judge is to the difference of two systems, and who is below a threshold."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.items import (
    DRAWN,
    SENSITIVITY,
    below_words,
    sensitivity_title,
    suggested_least,
    without_sensitivity,
)
from dashboard import compute
from dashboard.figures.items import sensitivity_figure
from dashboard.session.view import ViewContext
from dashboard.typography import fixed
from dashboard.widgets.explain import explain
from dashboard.widgets.result_card import note, result_card


def show_sensitivities(context: ViewContext) -> tuple[str, ...]:
    """Show every judge's sensitivity; return the judges below the one that the user chooses."""
    st.markdown("## How sensitive is each judge?")
    try:
        with st.spinner("Fitting the graded response model …", show_time=True):
            fit = compute.graded_response(context)
    except PodiumError as error:
        explain(error)
        return ()
    found, baseline = fit.sensitivities(), context.name(fit.baseline)
    usual = suggested_least(found)
    chosen = st.number_input(
        "Mark judges below", min_value=0.0, max_value=100.0, value=None, step=0.1, format="%.2f",
        placeholder=f"{fixed(usual)}, half of the median", key="judges.least",
        bind="query-params", help=SENSITIVITY,
    )  # fmt: skip
    least = usual if chosen is None else float(chosen)
    result_card(
        context,
        "sensitivity",
        figure=sensitivity_figure(found, least, title=sensitivity_title(found), mode=context.mode),
        frame=found.to_frame(),
        columns={
            "judge": st.column_config.TextColumn("Judge"),
            "sensitivity": st.column_config.NumberColumn("Sensitivity", format="%.2f"),
            "comparisons": st.column_config.Column("Comparisons", help=f"With {baseline}"),
        },
        words=f"By the graded response model, from comparisons with {baseline}. {DRAWN} "
        + without_sensitivity(found, _judges(context), baseline),
        made_by=fit.signature,
    )
    note(below_words(found, least))
    return found.below(least)


def _judges(context: ViewContext) -> tuple[str, ...]:
    judgments = context.judgments
    return tuple(judgments.judges[k] for k in sorted(set(judgments.task_judge.tolist())))
