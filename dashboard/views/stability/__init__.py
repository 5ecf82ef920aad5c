"""Stability: what of the standings survives when one thing is changed."""

from __future__ import annotations

import streamlit as st

from analysis.comparing.cycles import cycles
from analysis.comparing.stability import Stability, stability
from analysis.errors import PodiumError
from analysis.findings.stability import cycle_sentences, finding, sentences
from analysis.ranking.quick import STAND_IN
from analysis.ranking.ranking import Ranking
from dashboard import compute
from dashboard.figures.stability import stability_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.views.stability.claims import show_claim
from dashboard.views.stability.handful import show_handful
from dashboard.views.stability.noise import show_noise
from dashboard.widgets.explain import explain
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import headline, result_card, show_ranking, show_sentences

EVERY_METHOD = "every-method"
WORDS = (
    "Each cell shows the worst effect of one kind of change, and in how many of the changes: told "
    "apart, order kept (not told apart), or turned. A line turns where a system below it passes "
    "one above it."
)


def show() -> None:
    """Show the matrix, and what stands behind it."""
    context = require_campaign()
    if context.judgments.n_systems < 2:
        raise PodiumError("Stability", "there is one system", "Leave fewer systems out.")
    top = st.container()
    every = st.toggle(
        "Include the slow methods",
        key=EVERY_METHOD,
        bind="query-params",
        help="Lopez, Elo, playoffs and others take up to minutes. "
        f"{STAND_IN.title} stands in to say how sure their scores are.",
    )
    with top:
        ranking = show_ranking(context, lambda ranking, final: None)
        stable = _stability(context, ranking, every)
        headline(context, "Stability", finding(stable, context.name))
        _show_matrix(context, stable)
    if stable.neighbors:
        try:
            show_claim(context, stable.base)
        except PodiumError as error:
            explain(error)
        show_handful(context, stable)
    show_noise(context)


def _stability(context: ViewContext, ranking: Ranking, every: bool) -> Stability:
    """Change one thing at a time, once."""
    told = ranking.apart
    assert told is not None
    slot = st.empty()
    key = ("stability", context.ranker, context.certainty, every)

    def look() -> Stability:
        with compute.resuming_threads(context, key) as threads:
            return stability(
                context.judgments,
                context.ranker,
                told,
                context.certainty,
                every_method=every,
                executor=threads,
                progress=progress_in(slot, "Changing one thing at a time", unit="changes"),
            )

    found = compute.remember(context, key, look)
    compute.forget_items(context, key)
    slot.empty()
    return found


def _show_matrix(context: ViewContext, stable: Stability) -> None:
    words = WORDS
    if not context.ranker.quick_form().has_derivative(context.judgments):
        words += f" Preview: {STAND_IN.title} stands in to say how sure scores are after a change."
    rings = compute.remember(
        context, ("cycles",), lambda: cycles(context.judgments.counts, context.judgments.systems)
    )
    show_sentences(
        [*sentences(stable, context.name), *cycle_sentences(rings, context.name), *stable.notes]
    )
    result_card(
        context,
        "stability",
        figure=compute.drawn(
            context,
            stability_figure,
            stable,
            title=f"What {context.ranker.title} says, with one thing changed",
            name=context.name,
            mode=context.mode,
        ),
        frame=stable.to_frame(),
        words=words,
        made_by=stable.base.signature,
    )
