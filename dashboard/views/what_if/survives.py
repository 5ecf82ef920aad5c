"""What of the result survives when one thing is changed: the summary of all questions."""

from __future__ import annotations

from collections.abc import Hashable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.head_to_head import count_cycles
from analysis.comparing.stability import Stability, stability
from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.findings.stability import cycle_sentences, finding, sentences
from analysis.findings.standings import own_words
from analysis.ranking.ranking import STAND_IN, quick_verdict
from analysis.ranking.verdict import Verdict
from dashboard import compute
from dashboard.figures.stability import stability_figure
from dashboard.session.view import ViewContext
from dashboard.views.what_if.claims import show_claim
from dashboard.views.what_if.fewest import show_fewest
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import MANY, choose_part, first_part
from dashboard.widgets.result_card import explain, note, result_card, show_sentences
from dashboard.widgets.settings_form import offer_recommended

COLUMNS = {
    "above": "Above",
    "below": "Below",
    "kind": "What",
    "change": "Changed",
    "to": "To",
    "now": "Now",
    "state": "Becomes",
}
EVERY_METHOD, LEAVE_OUT = "every-method", "leave-out"
LOST = (
    "Lost: no longer significant, no boundary there, or no winner; in orange, the order is "
    "reversed, too. "
)
WORDS = (
    "Empty cells: nothing weakens the finding. {}Adjacent systems that are not separated now are "
    "shown only if a change reverses them."
)


def show_survivors(context: ViewContext) -> None:
    """Show the matrix, and what stands behind it."""
    if context.judgments.n_systems < 2:
        note("There is only one system, so nothing can change.")
        return
    if context.certainty.is_official:
        offer_recommended(context, "This summary")
        return
    top, choices = st.container(), st.container()
    by_ratings = context.ranker.needs_scores
    every = not by_ratings and choices.toggle(
        "Include the slow methods",
        key=EVERY_METHOD,
        bind="query-params",
        help=(
            f"Lopez, Elo, playoffs and others take minutes. {STAND_IN.title} estimates the "
            "uncertainty of their scores."
        ),
    )
    leave_out = context.judgments.n_systems <= MANY or choices.toggle(
        "Leave out each judge, each system and each 10% of the data",
        key=LEAVE_OUT,
        bind="query-params",
        help="With so many systems this takes minutes. Finished work is kept.",
    )
    with top:
        stable = _changed(context, every, leave_out)
    if stable.neighbors:
        with st.expander("Check a claim"):
            try:
                show_claim(context, stable)
            except PodiumError as error:
                explain(error)
        if not by_ratings:
            words = "Fewest judgments that swap two adjacent systems"
            with st.expander(own_words(context.judgments, words)):
                show_fewest(context, stable)


def _changed(context: ViewContext, every: bool, leave_out: bool) -> Stability:
    """Show what becomes of the standings; at once, by a quick look, what takes its time."""
    bar = st.empty()
    place = st.empty()
    if compute.recall(context, _key(context, every, leave_out)) is None:
        first = _first_look(context)
        with place.container():
            _say(f"{finding(first, context.name)} (preview)")
            _show_matrix(context, first, final=False)
    ranking = compute.ranking(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    assert ranking.verdict is not None
    stable = _stability(context, ranking.verdict, every, leave_out, bar)
    with place.container():
        _say(finding(stable, context.name))
        _show_matrix(context, stable)
    return stable


def _say(sentence: str) -> None:
    st.markdown(f"**{as_markdown(sentence)}**")


def _key(context: ViewContext, every: bool, leave_out: bool) -> tuple[Hashable, ...]:
    return ("stability", context.ranker, context.certainty, every, leave_out)


def _first_look(context: ViewContext) -> Stability:
    """Show the changes that are few, and say quickly how certain the standings are."""

    def look() -> Stability:
        judgments, ranker, chosen = context.judgments, context.ranker, context.certainty
        verdict = quick_verdict(ranker.quick_form().fit(judgments, chosen.seed), chosen)
        many = judgments.n_systems > MANY
        return stability(judgments, ranker, verdict, chosen, at_once=many, leave_out=False)

    key = ("first look", context.ranker, context.certainty)
    return compute.remember_in_turn(context, key, look)


def _stability(
    context: ViewContext, verdict: Verdict, every: bool, leave_out: bool, slot: DeltaGenerator
) -> Stability:
    """Change one thing at a time, once."""
    key = _key(context, every, leave_out)

    def look() -> Stability:
        with compute.resuming_threads(context, key) as threads:
            return stability(
                context.judgments,
                context.ranker,
                verdict,
                context.certainty,
                every_method=every,
                leave_out=leave_out,
                executor=threads,
                progress=progress_in(slot, "Changing one thing at a time", unit="changes"),
            )

    found = compute.remember(context, key, look)
    compute.forget_items(context, key)
    slot.empty()
    return found


def _show_matrix(context: ViewContext, stable: Stability, *, final: bool = True) -> None:
    words = WORDS.format(LOST if stable.loses_findings else "")
    if not context.ranker.quick_form().has_derivative(context.judgments):
        words += f" Preview: {STAND_IN.title} estimates the uncertainty after a change."
    if not stable.leaves_out:
        words += " No judge, system or segment was left out in this table."
    n = len(stable.base.systems)
    rows = choose_part(n) if final else first_part(n)
    shown = stable if rows == slice(0, n) else stable.of_places(rows)
    show_sentences([*sentences(stable, context.name), *_cycles(context), *stable.notes])
    result_card(
        context,
        "stability",
        figure=compute.drawn(
            context,
            stability_figure,
            shown,
            title=f"Result of {context.ranker.title} with one change at a time",
            name=context.name,
        ),
        frame=_shown(stable.to_frame(), context),
        columns=COLUMNS,
        words=words,
        made_by=stable.base.signature,
        final=final,
    )


def _shown(frame: pd.DataFrame, context: ViewContext) -> pd.DataFrame:
    """Name systems as the page does; of many on a side of a line, the first and the last."""

    def side(joined: str) -> str:
        names = [context.name(system) for system in joined.split(" + ")]
        return " + ".join(names) if len(names) < 3 else f"{names[0]} … {names[-1]}"

    sides = {column: frame[column].map(side) for column in ("above", "below")}
    return frame.assign(**sides).replace({"to": dict(context.short_names)})


def _cycles(context: ViewContext) -> list[str]:
    """Say which systems beat each other in a cycle; ratings rank without pairs."""
    judgments = context.judgments
    if context.ranker.needs_scores:
        return []
    found = compute.remember(
        context, ("cycles",), lambda: count_cycles(judgments.counts, judgments.systems)
    )
    return cycle_sentences(*found, context.name)
