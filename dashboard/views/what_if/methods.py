"""What if another method ranked? Orders side by side, and what they disagree about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.comparison import (
    Column,
    Comparison,
    OfficialClusters,
    compare,
    official_clusters,
    official_orders,
)
from analysis.findings.comparison import Dispute, disputes, figure_title, finding
from analysis.rankers import RANKERS, Ranker, compared_methods, rankers_for
from analysis.ranking.ranking import Ranking
from analysis.wording import listed
from dashboard import compute
from dashboard.figures.scenes import reordering_figure
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.views.what_if.comparison_tables import show_details
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import choose_part, first_part
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
)
from dashboard.widgets.two_systems import link_pair, linked_pair

SWAP, FIGURE = "swap", "figure.methods"


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders of several methods and their disagreements."""
    with st.container(key="progress"):
        bar = st.empty()
    with st.container():
        rankers = _choose_methods(context)
    views = [_view(context, ranker) for ranker in rankers]
    printed = _printed_orders(context)
    body = st.empty()
    if any(compute.takes_time(view) and not compute.is_ranked(view) for view in views):
        first = _comparison([compute.preview(view) for view in views], printed)
        with body.container():
            rows = first_part(len(first.systems))
            _draw(context, first, head, None, rows, final=False)
    rankings = []
    for view in views:
        doing = f"Resampling by {view.ranker.title}"
        progress = progress_in(bar, doing, of=view.certainty.runs)
        rankings.append(compute.ranking(view, progress))
    bar.empty()
    comparison = _comparison(rankings, printed)
    with body.container():
        rows = choose_part(len(comparison.systems))
        picked = st.container()
        chosen = _choose_swap(context, comparison)
        with picked:
            _draw(context, comparison, head, chosen, rows, final=True)
        show_details(context, comparison, rankings, chosen)


def _choose_methods(context: ViewContext) -> list[Ranker]:
    """Return the methods to compare; the sidebar's one with its settings, others as published."""
    by_title = {ranker.title: ranker for ranker in rankers_for(context.judgments).values()}
    titles = st.multiselect(
        "Methods",
        list(by_title),
        default=[RANKERS[name].title for name in compared_methods(context.campaign)],
        key="methods",
        bind="query-params",
        help=(
            "Moves are relative to the first method. The sidebar's method keeps its settings, "
            "the others have their defaults; all use the scope and level under Settings."
        ),
    )
    chosen = [
        context.ranker if context.ranker.title == title else by_title[title]() for title in titles
    ]
    runs = context.certainty.runs
    slow = [r for r in chosen if runs > r.runs_unannounced and r != context.ranker]
    if slow:
        verb = "takes" if len(slow) == 1 else "take"
        fewer = max(ranker.runs_unannounced for ranker in slow)
        names = listed([ranker.title for ranker in slow])
        note(
            f"{names} {verb} long: clusters and pairs that differ significantly come from "
            f"{fewer} runs, fewer "
            "than on Result."
        )
    return chosen


def _view(context: ViewContext, ranker: Ranker) -> ViewContext:
    """Return the view through a method; the sidebar's own is that of Standings.

    Another one that takes minutes gets fewer runs, of its own kind.
    """
    view = context.with_ranker(ranker)
    if ranker.pace != "minutes" or ranker == context.ranker:
        return view
    return view.with_runs(min(ranker.runs_unannounced, context.certainty.runs))


def _printed_orders(context: ViewContext) -> tuple[Column, ...]:
    """Return WMT14's printed orders, where they are of these systems and wanted."""
    printed = official_orders(context.pair, context.judgments.systems)
    if printed and st.toggle(
        "Also show the orders that WMT14 published (Table 9)",
        key="printed",
        bind="query-params",
    ):
        return printed
    return ()


def _comparison(rankings: Sequence[Ranking], printed: Sequence[Column]) -> Comparison:
    title = {name: ranker.title for name, ranker in RANKERS.items()}
    columns = [Column.from_ranking(r, title[r.standings.method]) for r in rankings]
    return compare([*columns, *printed])


def _draw(
    context: ViewContext,
    comparison: Comparison,
    head: DeltaGenerator,
    chosen: Dispute | None,
    rows: slice,
    final: bool,
) -> None:
    """Draw the finding, the figure and how to read it."""
    with head.container():
        follows = "" if final else "; computing significance"
        said = f"{finding(comparison, context.name)}{follows}"
        headline(context, "What if", said, of_method=False)
    official = official_clusters(context.pair, comparison.systems)
    figure = compute.drawn(
        context,
        reordering_figure,
        comparison,
        title=figure_title(comparison, context.name),
        official=official.sizes(comparison.systems) if official else (),
        chosen=(chosen.upper, chosen.lower) if chosen else None,
        rows=rows,
    )
    clicks: dict[str, Any] = {}
    if final:
        clicks = dict(
            key=FIGURE, selection_mode="points", on_select=lambda: _pick_by_click(comparison)
        )
    show_figure(figure, **clicks)
    note(_words(comparison, official, context.certainty.is_official, final))
    if final:
        downloads("methods-figure", figure=figure)


def _words(
    comparison: Comparison, official: OfficialClusters | None, official_rule: bool, final: bool
) -> str:
    """Say how to read the figure."""
    rule = "official" if official_rule else "recommended"
    without = [column.method for column in comparison.columns if column.clusters is None]
    words = f"Bold: first system of a cluster, by the {rule} rule for every method. "
    if without:
        has = "has" if len(without) == 1 else "have"
        words = f"Bold: first system of a cluster. {listed(without)} {has} no clusters here. "
    if official:
        words += f"Dashed: the clusters that {official.source} published. "
    if comparison.swaps:
        of = "whose rank ranges neither method separates"
        words += (
            f"Dotted: a swap {of if official_rule else 'that neither method finds significant'}. "
        )
        words += "Click a dot to see the two systems. "
    if comparison.left_out:
        words += f"Not ranked by all: {', '.join(comparison.left_out)}. "
    return words if final else "Preview: the clusters follow. " + words


def _choose_swap(context: ViewContext, comparison: Comparison) -> Dispute | None:
    """Let the user pick one of the swaps; by default the first that matters most."""
    found = {(d.upper, d.lower): d for d in disputes(comparison)}
    if not found:
        return None
    st.markdown("## Where their orders differ")
    options = list(found)
    linked = linked_pair(context, SWAP)
    pair = st.selectbox(
        "Swap",
        options,
        index=options.index(linked) if linked in options else 0,
        format_func=lambda both: " / ".join(map(context.name, both)),
        key=SWAP,
        persist_state="session",
    )
    link_pair(context, SWAP, None if pair == options[0] else pair)
    return found[pair]


def _pick_by_click(comparison: Comparison) -> None:
    """Pick the swap whose dot was clicked."""
    for point in state.selected_points(FIGURE):
        both = tuple(point["customdata"])
        if both in {(d.upper, d.lower) for d in disputes(comparison)}:
            state.choose_in_callback(SWAP, both)
