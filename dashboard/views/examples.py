"""Worked examples: why methods differ, on a handful of numbers from the papers."""

from __future__ import annotations

import streamlit as st

from analysis.findings.examples import EXAMPLES, Example
from dashboard.figures.examples import example_figure
from dashboard.session import state
from dashboard.session.view import require_campaign
from dashboard.typography import as_html
from dashboard.widgets.result_card import downloads, heading, note, show_figure, show_sentences

PAGE = "Examples"


def show() -> None:
    """Show one example at a time."""
    context = require_campaign()
    examples = {example.title: example for example in (make() for make in EXAMPLES)}
    top = st.container()
    chosen = st.selectbox("Example", list(examples), key="example", bind="query-params")
    example = examples[str(chosen)]
    with top:
        st.html(f'<p class="podium-eyebrow">{as_html(PAGE)} · {as_html(example.source)}</p>')
        heading(example.point)
        state.note_finding(PAGE, example.point)
    figure = example_figure(example, mode=context.mode) if example.curves else None
    if figure is not None:
        show_figure(figure, "figure.example")
    show_sentences(example.sentences)
    _show_table(example)
    note("Podium computes these numbers when you open the page; none is typed in.")
    downloads(
        f"example-{example.name}", example.table, figure, example.title, example.source,
        of_view=False,
    )  # fmt: skip


def _show_table(example: Example) -> None:
    st.dataframe(
        example.table,
        hide_index=True,
        width="stretch",
        height="content" if len(example.table) < 25 else "auto",
        column_config={
            name: st.column_config.NumberColumn(name.replace("_", " "), format="%.3f")
            if example.table[name].dtype.kind == "f"
            else name.replace("_", " ")
            for name in example.table.columns
        },
        placeholder="",
    )
