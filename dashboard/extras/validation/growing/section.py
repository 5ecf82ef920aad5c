"""What a campaign of so many judgments would have said: clusters (SPV14), abilities (HM13)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from analysis.comparing.head_to_head import head_to_head
from analysis.drawing.look import Look
from analysis.extras.validation.growing.findings import (
    ABILITIES_MADE,
    CLUSTERS_MADE,
    GROUPS_MADE,
    RANKS_MADE,
    clusters_after,
    groups_finding,
    growth_finding,
    trainings_finding,
)
from analysis.extras.validation.growing.growing import (
    CLUSTER_METHODS,
    CLUSTER_RUNS,
    CLUSTER_TRIALS,
    GROUP_SIZES,
    GROWING_SIZES,
    RANKS_AFTER,
    TRAINING_SIZE,
    TRAININGS,
    ClusterGrowth,
    Trainings,
    cluster_growth,
    crowd_and_experts,
    ranges_after,
    train_repeatedly,
)
from analysis.extras.validation.prediction.learning_curves import (
    LearningCurve,
    learning_curve,
    sizes_within,
)
from analysis.rankers import RANKERS
from analysis.ranking.rank_ranges import RankRanges
from analysis.wording import count, thousands
from dashboard import compute
from dashboard.extras.validation.growing.figures import (
    groups_figure,
    growth_figure,
    ranks_figure,
    trainings_figure,
)
from dashboard.extras.validation.held_out import MODEL_TITLES
from dashboard.figures.scenes import head_to_head_figure
from dashboard.figures.theme import in_lines
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, show_figure

SIZES = (400, 800, 1600, 3200, 6400)


def _show_clusters(context: ViewContext) -> str:
    """Show how many clusters each method would have found after fewer judgments."""
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
    figure = growth_figure(growth, shown=MODEL_TITLES, title=finding, mode=context.mode)
    show_figure(figure, "figure.clusters-after")
    note(f"{CLUSTERS_MADE} {CLUSTER_RUNS} resamples; bands cover {CLUSTER_TRIALS} repetitions.")
    downloads("clusters-after", growth.to_frame(), figure, finding)
    return finding


def _show_abilities(context: ViewContext) -> str:
    """Show how much the scores of campaigns of one size vary."""
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
        look=Look(context.colors, context.mode),
    )  # fmt: skip
    show_figure(figure, "figure.abilities-after")
    note(f"{ranker.title}, {count(TRAININGS, 'training')}. {ABILITIES_MADE}")
    downloads("abilities-after", found.to_frame(), figure, finding)
    if found.preferences is not None:
        _show_heatmap(context, found)
    return finding


def _show_heatmap(context: ViewContext, found: Trainings) -> None:
    assert found.preferences is not None
    table = head_to_head(context.judgments.counts, context.judgments.systems, found.order)
    figure = head_to_head_figure(
        table, table.predicted(found.preferences), "predicted", verdict=None,
        title=f"Predictions of {context.ranker.title}, mean of {TRAININGS} trainings",
        names=context.short_names, clusters=None, chosen=None, mode=context.mode,
    )  # fmt: skip
    show_figure(figure, "figure.preferences-after")
    note("Percent that the row's system should win against the column's, ties aside.")


def _show_ranks(context: ViewContext) -> str:
    """Show two sizes next to each other, as Sakaguchi et al. (2014) in Figures 9 and 10."""
    method = st.selectbox(
        "Method", CLUSTER_METHODS, index=CLUSTER_METHODS.index("trueskill"),
        format_func=lambda name: RANKERS[name].title, key="grow.ranks-method", bind="query-params",
    )  # fmt: skip
    ranker, seed, judgments = RANKERS[method](), context.certainty.seed, context.judgments
    titles = list[str]()
    for size, column in zip(RANKS_AFTER, st.columns(2), strict=True):

        def make(size: int = size) -> RankRanges:
            return ranges_after(judgments, ranker, size, np.random.default_rng([seed, size]))

        with column, st.spinner("Drawing …"):
            ranges = compute.remember(context, ("ranks after", ranker, size, seed), make)
            titles.append(clusters_after(ranges, size))
            figure = ranks_figure(
                ranges, title=titles[-1], label=ranker.score_label, name=context.name,
                look=Look(context.colors, context.mode),
            )  # fmt: skip
            show_figure(figure, f"figure.ranks-{size}")
            downloads(f"ranks-after-{size}", ranges.to_frame(), figure, titles[-1])
    note(RANKS_MADE)
    return titles[-1]


def _show_groups(context: ViewContext) -> str:
    """Show how well a method predicts one test set after experts' and after the crowd's work."""
    judges = context.judgments.judges
    usual = [judge for judge in judges if judge.startswith(("researcher", "expert"))]
    left, right = st.columns([3, 1], gap="medium")
    experts = left.multiselect("Experts", judges, default=usual, key="grow.experts")
    if not experts:
        note("All others are the crowd.")
        return "Choose the judges who are experts"
    method = right.selectbox(
        "Method", CLUSTER_METHODS, index=CLUSTER_METHODS.index("hopkins-may"),
        format_func=lambda name: RANKERS[name].title, key="grow.groups-method",
    )  # fmt: skip
    groups = crowd_and_experts(context.judgments, experts)
    ranker, seed = RANKERS[method](), context.certainty.seed

    def make() -> dict[str, LearningCurve]:
        return {
            name: learning_curve(
                split, {name: ranker}, sizes=sizes_within(split.train(0), GROUP_SIZES), seed=seed
            )
            for name, split in groups.items()
        }

    key = ("crowd and experts", tuple(experts), ranker, seed)
    with st.spinner("Training …", show_time=True):
        curves = compute.remember(context, key, make)
    finding = groups_finding(curves)
    figure = groups_figure(curves, title=finding, mode=context.mode)
    show_figure(figure, "figure.crowd-and-experts")
    n_test = len(next(iter(groups.values())).held_out)
    note(GROUPS_MADE.format(test=thousands(n_test)))
    frame = pd.concat([curve.to_frame() for curve in curves.values()], ignore_index=True)
    downloads("crowd-and-experts", frame, figure, finding)
    return finding


QUESTIONS: dict[str, Callable[[ViewContext], str]] = {
    "How many clusters do fewer judgments give?": _show_clusters,
    "How much do scores vary after fewer judgments?": _show_abilities,
    "Which ranks do 1,000 and 25,000 judgments give?": _show_ranks,
    "Do experts or the crowd predict better?": _show_groups,
}
