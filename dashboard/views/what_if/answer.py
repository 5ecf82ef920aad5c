"""What all questions share: a slider with a way back, the card of an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.drawing.answers import sides_off
from analysis.drawing.curves import Curves
from analysis.drawing.rows import far_off_words
from analysis.findings.certainty import ranking_words
from analysis.findings.changes import Answer, changes_frame, describe, summarize
from analysis.findings.result import result_headline
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.compute.rankings import quick_words, remembered_quick
from dashboard.figures.scenes import answer_figure
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.tables.names import place_columns, place_formats
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import choose_axis, choose_part, first_part
from dashboard.widgets.result_card import headline, result_card

GHOST = "Gray: the answer before the change."
GONE = " Dotted: its boundaries that are gone."
NOTHING_MORE = Provenance()
NO_GHOST = "After a change, the present answer stays in gray."


def slider(
    label: str,
    values: Sequence[float],
    before: float,
    *,
    key: str,
    help: str,
    shown: Callable[[float], str] = "{:g}".format,
    marks: Sequence[tuple[str, float]] = (),
) -> float:
    """Show a slider over a grid, a button that goes back, and one for each marked value."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        value = st.select_slider(
            label, list(values), before, format_func=shown, key=key, help=help, bind="query-params"
        )
        targets: list[tuple[str, float, str | None]] = [("Back to", before, ":material/undo:")]
        targets += [(name, at, None) for name, at in marks if at != before]
        for name, at, icon in targets:
            st.button(
                f"{name} {shown(at)}",
                key=f"{key}.{name}",
                icon=icon,
                disabled=value == at,
                on_click=state.choose_in_callback,
                args=(key, at),
            )
    return float(value)


def show_change(
    context: ViewContext,
    view: ViewContext,
    head: DeltaGenerator,
    name: str,
    condition: str,
    *,
    title: str,
    extra: Provenance = NOTHING_MORE,
    curves: Callable[[], Curves | None] = lambda: None,
    unchanged: str = "",
) -> None:
    """Show what a changed ``view`` says beside the view as it is, which is what Standings says.

    ``unchanged`` is the finding as long as nothing is changed; without one it is that of Result.

    Where that takes its time, a quick answer comes first, marked as a preview.
    """
    with st.container(key="progress"):
        bar = st.empty()
    place = st.empty()
    changed = view is not context

    def show(before: Answer, after: Answer, finding: str, **how: Any) -> None:
        own: dict[str, Any] = dict(changed=changed, title=title, **how)
        with place.container():
            show_answer(view, head, name, before, after, finding, condition, **own)

    if changed and view.ranker.pace == "minutes" and not _is_fitted_alike(context, view):
        view = view.with_runs(min(view.certainty.runs, view.ranker.runs_unannounced))
    slow = [one for one in (context, view) if compute.takes_time(one)]
    if any(not compute.is_ranked(one) for one in slow):
        was, now = remembered_quick(context), remembered_quick(view)
        before, after = was.answer, now.answer
        said = describe(before, after, context.name) if changed else summarize(after, context.name)
        finding = f"{condition}: {said} (preview)"
        show(before, after, finding, words=quick_words(view), made_by=now.signature, final=False)
        for one in slow:
            doing = f"Resampling by {one.ranker.title}"
            compute.ranking(one, progress_in(bar, doing, of=one.certainty.runs))
    bar.empty()
    as_it_is, found = compute.ranking(context), compute.ranking(view)
    before, after = Answer.from_ranking(as_it_is), Answer.from_ranking(found)
    said = f"{condition}: {describe(before, after, context.name)}"
    show(
        before,
        after,
        said if changed else unchanged or f"As it is: {result_headline(found, context.name)}",
        words=ranking_words(found, with_ranks=False),
        made_by=str(found.provenance | extra),
        curves=curves(),
    )


def _is_fitted_alike(one: ViewContext, other: ViewContext) -> bool:
    """Whether runs of one view are runs of the other, too."""
    return one.data_key == other.data_key and one.ranker.as_fitted() == other.ranker.as_fitted()


def show_answer(
    context: ViewContext,
    head: DeltaGenerator,
    name: str,
    before: Answer,
    after: Answer,
    finding: str,
    condition: str,
    *,
    changed: bool,
    title: str,
    words: str,
    made_by: str,
    curves: Curves | None = None,
    final: bool = True,
) -> None:
    """Show the finding ("With a share of 10%: 3 clusters become 1"), figure and table."""
    with head.container():
        headline(context, "What if", finding)
    rows = choose_part(len(after.names)) if final else first_part(len(after.names))
    off = list(sides_off(after, rows))
    whole = final and choose_axis(off)
    far = "" if whole else far_off_words([context.name(system) for system in off])
    frame = changes_frame(before, after)
    ghost = GHOST + (GONE if before.part == after.part else "")
    result_card(
        context,
        f"what-if-{name}",
        figure=compute.drawn(
            context,
            answer_figure,
            before,
            after,
            title=title,
            curves=curves,
            with_ghost=changed,
            rows=rows,
            cut=not whole,
        ),
        frame=frame if changed else frame.filter(regex="(?<!_before)$"),
        columns=place_columns(before, after),
        formats=place_formats(after),
        words=f"{far}Bands: {after.part}s. {words} {ghost if changed else NO_GHOST}",
        made_by=made_by,
        caption=context.caption(condition),
        final=final,
    )
