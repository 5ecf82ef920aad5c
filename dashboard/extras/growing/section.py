"""What a campaign of so many judgments would have said: clusters (SPV14), abilities (HM13)."""

from __future__ import annotations

import streamlit as st

from analysis.comparing.head_to_head import head_to_head
from analysis.errors import PodiumError
from analysis.extras.growing.findings import (
    ABILITIES_MADE,
    CLUSTERS_MADE,
    growth_finding,
    trainings_finding,
)
from analysis.extras.growing.growing import (
    CLUSTER_METHODS,
    CLUSTER_RUNS,
    CLUSTER_TRIALS,
    GROWING_SIZES,
    TRAINING_SIZE,
    TRAININGS,
    ClusterGrowth,
    Trainings,
    cluster_growth,
    sizes_within,
    train_repeatedly,
)
from analysis.rankers import RANKERS
from dashboard import compute
from dashboard.compute.held_out import MODEL_TITLES
from dashboard.extras.growing.figures import growth_figure, trainings_figure
from dashboard.figures.scenes import head_to_head_figure
from dashboard.figures.theme import in_lines
from dashboard.session.view import ViewContext
from dashboard.typography import count, thousands
from dashboard.widgets.explain import explain
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, headline, note, show_figure

SIZES = (400, 800, 1600, 3200, 6400)


TITLE = "Growing campaigns"


def show(context: ViewContext) -> None:
    """Offer both; each runs where somebody opens it."""
    headline(
        context,
        "Methods and validation",
        "Growing campaigns: the result with fewer judgments",
        of_method=False,
    )
    clusters = st.expander(
        "Number of clusters by number of judgments", icon=":material/stacked_line_chart:",
        key="grow.clusters", bind="query-params",
    )  # fmt: skip
    with clusters:
        if clusters.open:
            _guarded(_show_clusters, context)
    abilities = st.expander(
        "Abilities by number of judgments", icon=":material/scatter_plot:",
        key="grow.abilities", bind="query-params",
    )  # fmt: skip
    with abilities:
        if abilities.open:
            _guarded(_show_abilities, context)


def _guarded(show, context: ViewContext) -> None:  # type: ignore[no-untyped-def]
    try:
        show(context)
    except PodiumError as error:
        explain(error)


def _show_clusters(context: ViewContext) -> None:
    slot = st.empty()
    seed = context.certainty.seed
    bar = progress_in(slot, "Counting clusters", unit="points")
    rankers = {name: RANKERS[name]() for name in CLUSTER_METHODS}

    def make() -> ClusterGrowth:
        return cluster_growth(
            context.judgments, rankers, sizes=sizes_within(context.judgments, GROWING_SIZES),
            trials=CLUSTER_TRIALS, seed=seed, progress=bar,
        )  # fmt: skip

    growth = compute.remember(context, ("cluster growth", seed), make)
    slot.empty()
    finding = growth_finding(growth)
    figure = growth_figure(growth, shown=MODEL_TITLES, title=in_lines(finding), mode=context.mode)
    show_figure(figure, "figure.clusters-after")
    note(f"{CLUSTERS_MADE} {CLUSTER_RUNS} resamples; bands cover {CLUSTER_TRIALS} repetitions.")
    downloads("clusters-after", growth.to_frame(), figure, finding)


def _show_abilities(context: ViewContext) -> None:
    size = st.select_slider(
        "Judgments of each training", SIZES, value=TRAINING_SIZE, format_func=thousands,
        key="grow.size", bind="query-params",
    )  # fmt: skip
    ranker, seed = context.ranker, context.certainty.seed
    slot = st.empty()
    bar = progress_in(slot, "Training", unit="trainings")

    def make() -> Trainings:
        return train_repeatedly(context.judgments, ranker, size=int(size), seed=seed, progress=bar)

    found = compute.remember(context, ("trainings", ranker, size, seed), make)
    slot.empty()
    finding = trainings_finding(found, context.name)
    figure = trainings_figure(
        found, title=in_lines(finding), label=ranker.score_label, name=context.name,
        colors=context.colors, mode=context.mode,
    )  # fmt: skip
    show_figure(figure, "figure.abilities-after")
    note(f"{ranker.title}, {count(TRAININGS, 'training')}. {ABILITIES_MADE}")
    downloads("abilities-after", found.to_frame(), figure, finding)
    if found.preferences is not None:
        _show_heatmap(context, found)


def _show_heatmap(context: ViewContext, found: Trainings) -> None:
    assert found.preferences is not None
    table = head_to_head(context.judgments.counts, context.judgments.systems, found.order)
    figure = head_to_head_figure(
        table, table.predicted(found.preferences), "predicted", verdict=None,
        title=f"Predictions of {context.ranker.title}, mean of {TRAININGS} trainings",
        names=context.short_names, clusters=None, chosen=None, mode=context.mode,
    )  # fmt: skip
    show_figure(figure, "figure.preferences-after")
    note("Percent of decided judgments that the row's system should win against the column's.")
