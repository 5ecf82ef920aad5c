"""Segments: where the baseline is hard to beat, and where a comparison tells most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import UndefinedResultError
from analysis.extras.validation.segments.findings import (
    DRAWN,
    INFORMATION,
    SENSITIVITY,
    curves_title,
    information_title,
    segments_finding,
    segments_words,
    sensitivity_title,
    telling_segments,
    without_sensitivity,
)
from analysis.rankers.graded_response import Difficulties, GradedResponseFit
from analysis.rankers.graded_response.items import check_segments
from analysis.wording import thousands
from dashboard import compute
from dashboard.extras.validation.segments.figures import (
    characteristic_figure,
    information_figure,
    sensitivity_figure,
)
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    result_card,
    show_figure,
)

AT_ONCE = 1_000_000
"""Judgments to which the model is fitted without asking."""
MOST_CURVES = 5
USUAL = "Average judge"


PAGE = "Methods and validation"


def show_segments(context: ViewContext, head: DeltaGenerator) -> None:
    """Show every segment's difficulties and what it shows of systems."""
    try:
        check_segments(context.judgments)
    except UndefinedResultError as error:
        with head.container():
            headline(context, PAGE, "No segment's difficulty can be estimated", of_method=False)
        explain(error)
        return
    n_judgments = len(context.judgments)
    if n_judgments > AT_ONCE and not _is_wanted(n_judgments):
        waiting = f"{thousands(n_judgments)} judgments are ready to be fitted"
        with head.container():
            headline(context, PAGE, waiting, of_method=False)
        return
    with head.container(), st.spinner("Fitting the graded response model …", show_time=True):
        fit = compute.graded_response(context)
    found, baseline = fit.difficulties(), context.name(fit.baseline)
    n = len(set(context.judgments.task_segment.tolist()))
    with head.container():
        headline(context, PAGE, segments_finding(found, baseline), of_method=False)
        note(f"By the graded response model. {segments_words(found, baseline, n)}")
    chosen = _choose(found)
    result_card(
        context,
        "segments",
        figure=information_figure(
            found,
            chosen,
            dict(zip(fit.standings.systems, fit.standings.scores.tolist(), strict=True)),
            title=information_title(found),
            name=context.name,
            mode=context.mode,
        ),
        frame=found.to_frame(),
        columns=_columns(),
        words=f"{INFORMATION} The gray band spans nine of ten segments.",
        made_by=fit.signature,
    )
    _show_one(context, fit, found, chosen)
    _show_judges(context, fit)


def _is_wanted(n_judgments: int) -> bool:
    """Return whether the model is to be fitted, though that takes long."""
    return st.toggle(
        f"Difficulty of each segment, from all {thousands(n_judgments)} judgments",
        key="segments.model",
        bind="query-params",
        help="With so many judgments this takes minutes. Finished work is kept.",
    )


def _choose(found: Difficulties) -> list[str]:
    usual = telling_segments(found)
    return list(
        st.multiselect(
            "Segments in the figures",
            list(found.segments),
            default=usual,
            key="segments.shown",
            max_selections=MOST_CURVES,
            help="Preselected: one easy, one medium and one hard segment.",
        )
        or usual
    )


def _show_one(
    context: ViewContext, fit: GradedResponseFit, found: Difficulties, chosen: Sequence[str]
) -> None:
    """Show how often a system loses, ties and wins on one segment, to one judge."""
    st.markdown("## One segment, one judge")
    judges = fit.sensitivities()
    left, right = st.columns(2, gap="large")
    segment = left.selectbox("Segment", list(chosen), key="segments.one")
    judge = right.selectbox("Judge", [USUAL, *judges.judges], key="segments.judge")
    known = dict(zip(judges.judges, judges.sensitivity.tolist(), strict=True))
    a = known.get(str(judge), judges.usual)
    figure = characteristic_figure(
        found,
        str(segment),
        a,
        title=curves_title(str(segment), None if judge == USUAL else str(judge), a),
        mode=context.mode,
    )
    show_figure(figure, "figure.segment")
    note(
        f"How often a system loses to the baseline {context.name(fit.baseline)}, ties with it and "
        "wins, by its ability (Otani et al. 2016, Figure 2)."
    )
    downloads("segment", figure=figure)


def _show_judges(context: ViewContext, fit: GradedResponseFit) -> None:
    """Show how sensitive each judge is to the difference of two systems."""
    st.markdown("## Sensitivity of each judge")
    found, baseline = fit.sensitivities(), context.name(fit.baseline)
    who = sorted(set(context.judgments.task_judge.tolist()))
    names = tuple(context.judgments.judges[k] for k in who)
    result_card(
        context,
        "sensitivity",
        figure=sensitivity_figure(found, title=sensitivity_title(found), mode=context.mode),
        frame=found.to_frame(),
        columns={
            "judge": st.column_config.TextColumn("Judge"),
            "sensitivity": st.column_config.NumberColumn(
                "Sensitivity", format="%.2f", help=SENSITIVITY
            ),
            "comparisons": st.column_config.Column("Comparisons", help=f"With {baseline}"),
        },
        words=f"By the graded response model, from comparisons with {baseline}. {DRAWN} "
        + without_sensitivity(found, names, baseline),
        made_by=fit.signature,
    )


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "segment": st.column_config.TextColumn("Segment"),
        "difficulty": number(
            "Difficulty", format="%.2f", help=("The middle of the next two columns")
        ),
        "b1": number("b₁", format="%.2f", help="The ability that loses half of the time"),
        "b2": number("b₂", format="%.2f", help="The ability that wins half of the time"),
        "information": number("Information", format="%.3f", help="At the systems' mean ability"),
        "comparisons": st.column_config.Column("Comparisons", help="With the baseline"),
    }
