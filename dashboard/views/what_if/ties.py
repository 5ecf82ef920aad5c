"""What if ties were ignored, halved or modeled, or if near scores of one screen were ties?"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.comparison import Column, compare
from analysis.comparing.what_if import TIE_POLICIES, margins
from analysis.findings.comparison import finding
from analysis.findings.standings import own_words
from analysis.provenance import Provenance
from analysis.rankers import BradleyTerry, Ranker
from analysis.wording import count, percent
from dashboard import compute
from dashboard.compute.contexts import with_selection
from dashboard.figures.scenes import reordering_figure
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change, slider
from dashboard.widgets.result_card import headline, result_card

BOTH_BAD = "both bad dropped"
WORDS = (
    "Bold: first system of a cluster. By Bradley–Terry, a tie is half a win for each, or likelier "
    "between closer systems (Davidson), or a difference below a judge’s threshold (Rao–Kupper)."
)
DOTTED = " Dotted: a swap that neither way finds significant."
WITHOUT_BOTH_BAD = (
    " The last column drops “both bad” votes and counts other ties as half a win. To do this "
    "everywhere, use Data → Filters."
)


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders by all policies side by side; the sidebar's method plays no part."""
    views = {label: view_by(context, ranker) for label, ranker in TIE_POLICIES}
    if context.judgments.both_bad.any():
        views[BOTH_BAD] = without_both_bad(context)
    share = percent(context.judgments.tie_share)
    ways = count(len(views), "way")
    noun = own_words(context.judgments, "judgments")
    show_ways(
        context, head, "ties", views, "way of counting ties",
        f"Ties are {share} of the {noun}; {ways} to count them",
        WORDS + (WITHOUT_BOTH_BAD if BOTH_BAD in views else ""),
    )  # fmt: skip


def show_ways(
    context: ViewContext,
    head: DeltaGenerator,
    name: str,
    views: Mapping[str, ViewContext],
    way: str,
    title: str,
    words: str,
) -> None:
    """Show the orders of several views side by side."""
    found = {label: compute.ranking(view) for label, view in views.items()}
    comparison = compare([Column.from_ranking(r, label) for label, r in found.items()])
    with head.container():
        headline(context, "What if", finding(comparison, context.name, way), of_method=False)
    left_out = f" Not ranked by all: {', '.join(comparison.left_out)}." * bool(comparison.left_out)
    result_card(
        context,
        f"what-if-{name}",
        figure=compute.drawn(
            context, reordering_figure, comparison, title=title, official=(), chosen=None
        ),
        frame=comparison.side_by_side().map(context.name).reset_index(),
        columns={"place": "Place"},
        words=words + DOTTED * bool(comparison.swaps) + left_out,
        made_by=" & ".join(ranking.signature for ranking in found.values()),
    )


def without_both_bad(context: ViewContext) -> ViewContext:
    """Return the view without votes that both are bad, where other ties are half a win each."""
    selection = dataclasses.replace(context.selection, both_bad="dropped")
    return compute.with_selection(context, selection).with_ranker(BradleyTerry(ties="half"))


def view_by(context: ViewContext, ranker: Ranker) -> ViewContext:
    """Return the view by a policy's method; the sidebar's own, where it is the one."""
    return context if context.ranker == ranker else context.with_ranker(ranker)


def ask_threshold(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the margin of a method for pairs; means do not depend on ties."""
    now = context.selection.tie_margin
    grid = compute.remember(context, ("margins",), lambda: margins(context.judgments))
    margin = slider(
        "Tie threshold: the smallest difference of two scores of one screen, in points",
        grid,
        now,
        key="what.margin",
        help=(
            "Scores of one judge and segment that differ by at most this are a tie. If ties are "
            "not transitive (70 ties 74, 74 ties 78, 78 beats 70), the screen is split into "
            "pairs."
        ),
    )
    changed = dataclasses.replace(context.selection, tie_margin=margin)
    view = context if margin == now else with_selection(context, changed)
    ties = percent(view.judgments.tie_share)
    show_change(
        context,
        view,
        head,
        "margin",
        f"With a tie threshold of {margin:g}",
        title=(
            f"With a tie threshold of {margin:g} points, {ties} of the pairwise judgments are ties"
        ),
        extra=Provenance(),
    )
