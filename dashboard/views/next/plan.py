"""Whether to stop or to go on, and what more judgments bring and cost."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Hashable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.batches import look_words
from analysis.findings.certainty import whom
from analysis.findings.planning import (
    advise,
    back_test_words,
    band_words,
    failed,
    growth_words,
    is_refuted,
    outlook_title,
    variance_words,
)
from analysis.findings.result import levels_words
from analysis.next_campaign.back_test import BackTest, back_test
from analysis.next_campaign.planning import Plan, plan
from analysis.parallel import Progress
from analysis.ranking.interim_looks import at_look
from analysis.ranking.ranking import Ranking
from analysis.ranking.verdict import Verdict
from analysis.wording import percent
from dashboard import compute
from dashboard.figures.scenes import outlook_figure
from dashboard.session.view import ViewContext
from dashboard.tables.plan import plan_columns, plan_screen, plan_signature, plan_table
from dashboard.views.next.neighbors import show_neighbors
from dashboard.views.next.settings import Settings, choose_settings
from dashboard.widgets.notices import show_gravest
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import MANY
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_frame,
    signature,
    warn,
)
from dashboard.widgets.settings_form import offer_recommended

CERTAINTY = 0.9
"""Level of the forecast's intervals."""
FIRST_LOOK = "Tested once. If you looked before, enter below which interim look this is."
FIRST_DRAWS = 10
"""Drawn campaigns of a preview, where there are many systems."""


def show_plan(context: ViewContext, head: DeltaGenerator) -> None:
    """Show whether to stop or to continue."""
    top = st.container()
    bar = top.empty()
    ranking = compute.ranking(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    bar.empty()
    verdict = ranking.verdict
    if verdict is None or verdict.is_official:
        with head:
            headline(context, "Next", f"{levels_words(ranking)} now; no forecast by this procedure")
        offer_recommended(context, "A forecast")
        return
    chosen = choose_settings(context, verdict)
    once = verdict
    if chosen.look is not None:
        verdict = at_look(context.judgments, once, chosen.look)
    top_line = head.empty()
    if len(verdict.systems) > MANY and compute.recall(context, _key(context, chosen)) is None:
        with top_line.container():
            _show_preview(context, verdict, chosen)
    found = _plan(context, verdict, chosen, bar)
    tested = recalled_back_test(context, chosen.look)
    with top_line.container():
        headline(context, "Next", advise(found, with_price=False, tested=tested, name=context.name))
        if found.aim.reached:
            show_gravest(context)
    made_by = plan_signature(found, verdict, context.certainty.seed)
    with top:
        warned = st.empty()
        if words := growth_words(found, tested):
            st.markdown(words)
        if chosen.look is not None:
            note(look_words(once, verdict, chosen.look))
        elif found.aim.reached:
            note(FIRST_LOOK)
        checked = st.empty()
    refuted = is_refuted(found, tested)
    with st.expander("The refuted forecast") if refuted else contextlib.nullcontext():
        _show_outlook(context, found, ranking)
        _show_goals(context, found, tested, made_by)
        show_neighbors(context, found, tested, made_by)
    checked_now = show_back_test(context, verdict, chosen.look, checked, warned)
    if tested is None and checked_now is not None and failed(checked_now):
        st.rerun()  # what was shown before the check is told otherwise now


def _show_preview(context: ViewContext, verdict: Verdict, chosen: Settings) -> None:
    """Show what few drawn campaigns foretell, which are too few for an interval."""
    quick = compute.remember_in_turn(
        context,
        ("preview", *_key(context, chosen)),
        lambda: _make(context, verdict, chosen, draws=FIRST_DRAWS),
    )
    headline(context, "Next", f"{advise(quick, with_interval=False)} (preview)")


def _plan(context: ViewContext, verdict: Verdict, chosen: Settings, place: DeltaGenerator) -> Plan:
    """Return the plan, which is kept without its price; show progress in a place."""
    bar = progress_in(place, "Computing the forecast", unit="sizes")
    found = compute.remember_in_turn(
        context, _key(context, chosen), lambda: _make(context, verdict, chosen, progress=bar), bar
    )
    place.empty()
    return compute.remember(
        context,
        ("priced", *_key(context, chosen), chosen.cost),
        lambda: dataclasses.replace(found, cost=chosen.cost),
    )


def _make(
    context: ViewContext,
    verdict: Verdict,
    chosen: Settings,
    *,
    draws: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    return plan(
        context.judgments,
        verdict,
        share=chosen.share,
        clusters=chosen.clusters,
        limits=chosen.limits,
        certainty=CERTAINTY,
        draws=draws,
        seed=context.certainty.seed,
        doubt=compute.doubt_of_winner(context),
        progress=progress,
    )


def _key(context: ViewContext, chosen: Settings) -> tuple[Hashable, ...]:
    found = _told_by(context, chosen.look)
    return ("plan", *found, chosen.share, chosen.clusters, chosen.limits)


def _told_by(context: ViewContext, look: int | None) -> tuple[Hashable, ...]:
    """What the pairs that differ significantly at an interim look depend on."""
    chosen = context.certainty
    return context.ranker, chosen.scope, chosen.level, chosen.seed, chosen.runs, look


def _show_outlook(context: ViewContext, found: Plan, ranking: Ranking) -> None:
    figure = compute.drawn(context, outlook_figure, found, title=outlook_title(found))
    show_figure(figure, "figure.plan")
    counted = found.at_hand.counted
    note(
        f"Line: median forecast; band: {percent(CERTAINTY)} interval; dots: {counted} needed for "
        f"each goal, for {whom(ranking)}. New {counted} are assumed to resemble the present ones. "
        f"{band_words(found)} {variance_words(found)}"
    )
    for words in found.notes:
        warn(words)


def recalled_back_test(context: ViewContext, look: int | None = None) -> BackTest | None:
    """Return the back-test if it was made before."""
    found: BackTest | None = compute.recall(context, ("back test", *_told_by(context, look)))
    return found


def show_back_test(
    context: ViewContext,
    verdict: Verdict,
    look: int | None,
    place: DeltaGenerator,
    warned: DeltaGenerator,
) -> BackTest | None:
    """Say how well fifths of the campaign forecast the whole; a warning precedes the numbers."""
    key = ("back test", *_told_by(context, look))

    def check() -> BackTest | None:
        bar = progress_in(place, "Checking the forecast", unit="trials")
        with compute.resuming_threads(context, key) as threads:
            return back_test(
                context.judgments, verdict, context.ranker, certainty=CERTAINTY,
                seed=context.certainty.seed, executor=threads, progress=bar,
            )  # fmt: skip

    tested = compute.remember(context, key, check)
    poor = tested is not None and bool(failed(tested))
    with warned if poor else place:
        (warn if poor else note)(back_test_words(tested))
    return tested


def _show_goals(context: ViewContext, found: Plan, tested: BackTest | None, made_by: str) -> None:
    show_frame(plan_screen(found, tested), plan_columns(found), height="content", placeholder="")
    signature(made_by)
    figure = compute.drawn(context, outlook_figure, found, title=outlook_title(found), mode="light")
    caption = context.caption("Further judgments")
    downloads("plan", plan_table(found), figure, caption, made_by)
