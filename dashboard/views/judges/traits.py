"""Each judge's sensitivity and side bias, by judge-aware Bradley–Terry."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.traits import (
    SENSITIVITY,
    SHRINKAGE,
    SIDE,
    shrinkage_words,
    traits_sentences,
    traits_title,
)
from dashboard import compute
from dashboard.figures.traits import traits_figure
from dashboard.session.view import ViewContext
from dashboard.typography import thousands
from dashboard.widgets.explain import explain
from dashboard.widgets.result_card import result_card, show_sentences


def show_traits(context: ViewContext) -> None:
    """Show whose answers tell much, and who prefers a side."""
    st.markdown("## Whose answers count, and who prefers a side?")
    try:
        fit = compute.judge_aware(context)
    except PodiumError as error:
        explain(error)
        return
    traits = fit.traits()
    show_sentences(traits_sentences(traits))
    shown = traits.sort_values("sensitivity", kind="stable", ignore_index=True)
    shares = ["prefers_first", "prefers_first_low", "prefers_first_high", "shrinkage"]
    shown[shares] = shown[shares].round(2)
    column = st.column_config
    result_card(
        context,
        "judges-traits",
        figure=traits_figure(traits, title=traits_title(traits), mode=context.mode),
        frame=shown,
        columns={
            "judge": column.TextColumn("Judge"),
            "judgments": column.Column("Judgments"),
            "sensitivity": column.NumberColumn("Sensitivity", format="%.2f", help=SENSITIVITY),
            "sensitivity_sd": column.NumberColumn("±", format="%.2f", help="Standard deviation"),
            "prefers_first": column.NumberColumn("Prefers first", format="percent", help=SIDE),
            "prefers_first_low": column.NumberColumn("from", format="percent"),
            "prefers_first_high": column.NumberColumn("to", format="percent"),
            "tying": column.NumberColumn(
                "Ties", format="%.2f", help="Readiness to tie, in log-odds; 0 is the usual judge"
            ),
            "shrinkage": column.NumberColumn("Drawn in", format="percent", help=SHRINKAGE),
        },
        formats={"judgments": lambda number: thousands(int(number))},
        words=shrinkage_words(traits),
        made_by=fit.standings.signature + f"|{context.judgments.provenance}",
    )
