"""What Podium left out or counted twice of its own accord, each with one button that changes it."""

from __future__ import annotations

import dataclasses

import streamlit as st

from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.typography import as_markdown, listed

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
    copies = [one for one in compute.preflight_findings(context) if one.kind == "duplicates"]
    if copies and state.selection(context.campaign).copies == "kept":
        _offer(context, copies[0].finding, "Drop exact copies", "drop-copies", copies="dropped")


def _offer(context: ViewContext, words: str, label: str, key: str, **changes: object) -> None:
    """Show one notice with the button that changes what is used, on every page."""
    chosen = state.selection(context.campaign)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/info: {as_markdown(words)}", width="stretch")
        st.button(
            label,
            key=key,
            width="content",
            help="Adds a filter tag at the top of the page; click its × to undo.",
            on_click=state.select,
            args=(context.campaign, dataclasses.replace(chosen, **changes)),  # type: ignore[arg-type]
        )
