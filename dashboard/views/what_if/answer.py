"""What all questions share: a slider with a way back, the card of an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.changes import Answer, changes_frame, describe, summarize
from dashboard.figures.what_if import Curves, answer_figure
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import headline, result_card

GHOST = "Gray behind: the answer before the change; dotted: cluster lines that were there."
NO_GHOST = "Change something: this answer then stays in gray behind the new one."


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


def show_answer(
    context: ViewContext,
    head: DeltaGenerator,
    name: str,
    before: Answer,
    after: Answer,
    condition: str,
    *,
    changed: bool,
    title: str,
    words: str,
    made_by: str,
    curves: Curves | None = None,
) -> None:
    """Show the finding ("With a radius of .1: 3 clusters become 5"), figure and table."""
    finding = describe(before, after, context.name) if changed else summarize(after, context.name)
    with head.container():
        headline(context, "What if", f"{condition}: {finding}")
    result_card(
        context,
        f"what-if-{name}",
        figure=answer_figure(
            before,
            after,
            names=context.short_names,
            colors=context.colors,
            score_label=context.ranker.score_label,
            mode=context.mode,
            title=title,
            curves=curves,
            with_ghost=changed,
        ),
        frame=changes_frame(before, after),
        columns=_columns(),
        words=f"{words} {GHOST if changed else NO_GHOST}",
        made_by=made_by,
        caption=f"{condition}, {context.pair_title}, {context.ranker.title}.",
    )


def _columns() -> dict[str, object]:
    column = st.column_config
    return {
        "system": column.TextColumn("System", width=280),
        "place": column.NumberColumn("Place", format="%d"),
        "place_before": column.NumberColumn("before", format="%d"),
        "cluster": column.NumberColumn("Cluster", format="%d"),
        "cluster_before": column.NumberColumn("before", format="%d"),
        "score": column.NumberColumn("Score", format="%.3f"),
        "score_before": column.NumberColumn("before", format="%.3f"),
    }
