"""What Podium left out or counted twice of its own accord, each with one button that changes it."""

from __future__ import annotations

import dataclasses

import streamlit as st

from analysis.escaping import as_markdown
from analysis.findings.changes import describe, describe_order
from analysis.wording import listed
from dashboard import compute
from dashboard.compute.quick import remembered_quick
from dashboard.session import selections, state
from dashboard.session.view import ViewContext

MOST_NAMED = 4


def show_notices(context: ViewContext) -> None:
    """Name human references that are left out, and exact copies that count twice."""
    references = context.judgments.references_left_out
    if references:
        names = listed([context.name(name) for name in references], MOST_NAMED)
        verb, them = ("is", "it") if len(references) == 1 else ("are", "them")
        _offer(
            context,
            f"{names} {verb} left out: human references do not compete.",
            f"Rank {them} too",
            "rank-references",
            references=True,
        )
    for oddity in () if context.report is None else context.report.oddities:
        if oddity.kind == "identical-files":
            st.caption(f":material/info: {as_markdown(oddity.sentence)}")
    _show_left_out(context)
    copies = [one for one in compute.preflight_findings(context) if one.kind == "duplicates"]
    if copies and selections.of(context.campaign).copies == "kept":
        dropped = dataclasses.replace(selections.of(context.campaign), copies="dropped")
        without = remembered_quick(compute.with_selection(context, dropped)).answer
        now = remembered_quick(context).answer
        effect = describe(now, without, context.name)
        if context.certainty.is_official:  # whose clusters take resampling
            effect = describe_order(now.names, without.names, context.name) or "the same order"
        _offer(
            context,
            f"{copies[0].finding} Without them: {effect}.",
            "Drop exact copies",
            "drop-copies",
            icon=copies[0].severity.replace("note", "info"),
            copies="dropped",
        )


def _show_left_out(context: ViewContext) -> None:
    """Say how many rows of the file were left out, and where the reasons are."""
    words = "" if context.report is None else context.report.left_out_words()
    data = state.page("data")
    if not words or data is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/info: {as_markdown(words)}", width="stretch")
        st.page_link(data, label="Show the reasons on Data")


def _offer(
    context: ViewContext, words: str, label: str, key: str, icon: str = "info", **changes: object
) -> None:
    """Show one notice with the button that changes what is used, on every page."""
    chosen = selections.of(context.campaign)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/{icon}: {as_markdown(words)}", width="stretch")
        st.button(
            label,
            key=key,
            width="content",
            help="Adds a filter tag at the top of the page; click its × to undo.",
            on_click=selections.select,
            args=(context.campaign, dataclasses.replace(chosen, **changes)),  # type: ignore[arg-type]
        )
