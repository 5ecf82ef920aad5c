"""The chips of what is left out, on every page while something is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import streamlit as st

from analysis.campaign import DEFAULT_SELECTION, Selection
from analysis.names import middle_cut
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.typography import EN_DASH, as_markdown, count

MAX_CHIPS = 8
NAME_WIDTH = 26


def show_chips(context: ViewContext) -> None:
    """Show what the selection changes, each with a cross that takes it back."""
    selection = context.selection
    if selection == DEFAULT_SELECTION:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chips"):
        st.markdown(f"Counting {count(len(context.judgments), 'judgment')}:", width="content")
        for number, (label, without) in enumerate(_chips(context)):
            st.button(
                label,
                key=f"chip.{number}",
                icon=":material/close:",
                help="Take this back",
                on_click=state.select,
                args=(context.campaign, without),
            )
        st.button(
            "Clear all",
            key="chip.clear",
            type="tertiary",
            on_click=state.select,
            args=(context.campaign, DEFAULT_SELECTION),
        )


def _chips(context: ViewContext) -> Iterator[tuple[str, Selection]]:
    """Yield each chip's label and the selection without it."""
    chosen = state.selection(context.campaign)
    replace = dataclasses.replace
    if chosen.identical == "collapsed":
        yield "identical outputs once", replace(chosen, identical="expanded")
    if chosen.references:
        yield "with references", replace(chosen, references=False)
    if chosen.segments is not None:
        first, last = chosen.segments
        yield f"segments {first}{EN_DASH}{last}", replace(chosen, segments=None)
    shown = [name for name in chosen.exclude_systems if name in context.selection.exclude_systems]
    if len(shown) > MAX_CHIPS:
        yield f"without {len(shown)} systems", replace(chosen, exclude_systems=())
    else:
        for name in shown:
            rest = tuple(other for other in chosen.exclude_systems if other != name)
            label = as_markdown(middle_cut(context.name(name), NAME_WIDTH))
            yield f"without {label}", replace(chosen, exclude_systems=rest)
    for field, names, word in (
        ("exclude_judges", chosen.exclude_judges, "without"),
        ("judges", chosen.judges, "only"),
    ):
        if len(names) > MAX_CHIPS:
            yield f"{word} {len(names)} judges", replace(chosen, **{field: ()})
            continue
        for name in names:
            rest = tuple(other for other in names if other != name)
            yield (
                f"{word} {as_markdown(middle_cut(name, NAME_WIDTH))}",
                replace(chosen, **{field: rest}),
            )
