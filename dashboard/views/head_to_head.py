"""Head to head: who beat whom how often, and the judgments behind every cell."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from analysis.campaign import FloatArray
from analysis.comparing.head_to_head import HeadToHead, head_to_head
from analysis.errors import PodiumError
from analysis.findings import head_to_head as findings
from analysis.prediction.models import as_preference_model
from analysis.rankers.preferences import PreferenceModel
from analysis.ranking.ranking import Ranking
from analysis.ranking.sign_test import Sides
from dashboard import compute
from dashboard.figures.head_to_head import View, clusters_in_order, head_to_head_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_ranking,
)
from dashboard.widgets.two_systems import (
    pick_by_click,
    pick_two_systems,
    show_all_pairs,
    show_two_systems,
)

VIEWS: dict[View, str] = {
    "observed": "Observed",
    "predicted": "Predicted",
    "difference": "Difference",
    "counts": "Judgments",
    "significance": "Significance",
}
SIDES: dict[Sides, str] = {2: "Two-sided", 1: "One-sided"}
CELL, FIGURE = "cell", "figure.head-to-head"


def show() -> None:
    """Show the table of wins between every two systems."""
    context = require_campaign()
    standings = compute.standings(context)
    if context.judgments.n_systems < 2:
        raise PodiumError("Head to head", "there is one system", "Leave fewer systems out.")
    top = st.container()
    st.markdown("## Two systems")
    pair = pick_two_systems(context, CELL, standings.ranked_systems)
    behind = st.container()
    all_pairs = st.container()
    with st.expander("Options of this page", icon=":material/tune:"):
        sides = st.segmented_control(
            "Sign test",
            list(SIDES),
            default=2,
            required=True,
            format_func=lambda sides: SIDES[sides],
            key="sides",
            bind="query-params",
            help="Two-sided asks whether two systems differ at all, one-sided whether the row's "
            "system is the better one. Ties count for neither.",
        )
    table = _table(context, standings.order, sides)
    with top:
        headline(context, "Head to head", findings.finding(table, context.name))
        view = cast(View, _choose_view())
        show_ranking(
            context, lambda ranking, final: _render(context, ranking, final, view, sides, pair)
        )
    with behind:
        show_two_systems(context, table, pair)
    with all_pairs:
        show_all_pairs(context, table, _predicted(context, table))


def _choose_view() -> str:
    return str(
        st.segmented_control(
            "Cells show",
            list(VIEWS),
            default="observed",
            required=True,
            format_func=lambda view: VIEWS[cast(View, view)],
            key="cells",
            bind="query-params",
            label_visibility="collapsed",
        )
    )


def _table(context: ViewContext, order: Any, sides: Sides) -> HeadToHead:
    return compute.remember(
        context,
        ("head to head", tuple(int(k) for k in order), sides),
        lambda: head_to_head(context.judgments.counts, context.judgments.systems, order, sides),
    )


def _predicted(context: ViewContext, table: HeadToHead) -> FloatArray:
    """Return what the chosen method expects."""
    seed = context.resampling.seed
    model = as_preference_model(context.ranker)
    preferences = compute.remember(
        context,
        ("preferences", context.ranker, seed),
        lambda: model.preferences(context.judgments, seed),
    )
    return table.predicted(preferences)


def _render(
    context: ViewContext,
    ranking: Ranking,
    final: bool,
    view: View,
    sides: Sides,
    pair: tuple[str, str],
) -> None:
    table = _table(context, ranking.order, sides)
    predicted = _predicted(context, table)
    figure = head_to_head_figure(
        table,
        predicted,
        view,
        title=_title(context, table, predicted, view),
        names=context.short_names,
        clusters=clusters_in_order(ranking.clusters, ranking.order),
        chosen=pair,
        mode=context.mode,
    )
    clicks: dict[str, Any] = {}
    if final:
        clicks = dict(
            on_select=lambda: pick_by_click(CELL, FIGURE), selection_mode="points", key=FIGURE
        )
    show_figure(figure, **clicks)
    note(_words(context, view, sides))
    if final:
        downloads("head-to-head-figure", figure=figure)


def _title(context: ViewContext, table: HeadToHead, predicted: FloatArray, view: View) -> str:
    """Say what this view shows here."""
    name, method = context.name, context.ranker.title
    if view == "observed":
        return findings.observed_title(table, name)
    if view == "predicted":
        return findings.predicted_title(table, predicted, method, name)
    if view == "difference":
        return findings.difference_title(table, predicted, method, name)
    if view == "counts":
        return findings.counts_title(table, name)
    return findings.significance_title(table)


def _words(context: ViewContext, view: View, sides: Sides) -> str:
    """Say how to read a cell."""
    marks = f"Marks: * p ≤ .10, † p ≤ .05, ‡ p ≤ .01, {SIDES[sides].lower()} sign test. "
    read = {
        "observed": "Percent of decided judgments that the row's system won against the column's; "
        f"blue above half, orange below. {marks}",
        "predicted": "Percent of decided judgments that the row's system should win by the method. "
        + _lifted_words(context),
        "difference": "Observed minus predicted, in percentage points; blue where the row's system "
        "won more often than the method says. " + _lifted_words(context),
        "counts": "How often the two were compared, ties included. ",
        "significance": "Blue where the row's system is better, orange where it is worse, the "
        f"stronger the surer; a dot where that is open. {marks}",
    }[view]
    return (
        f"{read}Standings order; lines separate clusters; gray where nothing was decided. "
        "Click a cell for its judgments."
    )


def _lifted_words(context: ViewContext) -> str:
    if isinstance(context.ranker, PreferenceModel):
        return ""
    return (
        f"{context.ranker.title} gives no probabilities, so only who stands above whom counts "
        "and all such pairs get one percentage. "
    )
