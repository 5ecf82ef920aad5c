"""The chips of what is left out, on every page while something is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import streamlit as st

from analysis.campaign import DEFAULT_SELECTION, SELECTION_FIELDS, Selection, SelectionField
from analysis.escaping import as_markdown
from analysis.findings.standings import evidence, own_words
from analysis.names import middle_cut
from analysis.wording import EN_DASH
from dashboard.session import selections
from dashboard.session.view import ViewContext

MAX_CHIPS = 8
NAME_WIDTH = 26


def show_chips(context: ViewContext) -> None:
    """Show what the selection changes, each with a cross that takes it back."""
    selection = context.selection
    if selection == DEFAULT_SELECTION and not selections.can_undo(context.campaign):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chips"):
        if selection == DEFAULT_SELECTION:
            st.markdown(own_words(context.judgments, "All judgments are used."), width="content")
            _offer_undo(context)
            return
        st.markdown(f"Using {evidence(context.judgments)}:", width="content")
        for number, (label, without) in enumerate(_chips(context)):
            st.button(
                label,
                key=f"chip.{number}",
                icon=":material/close:",
                help="Undo this",
                on_click=selections.select,
                args=(context.campaign, without),
            )
        st.button(
            "Clear all",
            key="chip.clear",
            type="tertiary",
            on_click=selections.select,
            args=(context.campaign, DEFAULT_SELECTION),
        )
        if selections.can_undo(context.campaign):
            _offer_undo(context)


def _offer_undo(context: ViewContext) -> None:
    """Offer to go one step back; again, and so on."""
    st.button(
        "Undo last change",
        key="chip.undo",
        icon=":material/undo:",
        type="tertiary",
        help="Restore the previous filters",
        on_click=selections.undo_selection,
        args=(context.campaign,),
    )


def _chips(context: ViewContext) -> Iterator[tuple[str, Selection]]:
    """Yield each chip's label and the selection without it."""
    selection = selections.of(context.campaign)
    for chosen in SELECTION_FIELDS:
        value = getattr(selection, chosen.name)
        taken_back = _changed(selection, chosen, chosen.default)
        if value == chosen.default:
            continue
        if chosen.kind == "switch":
            yield chosen.chip, taken_back
        elif chosen.kind == "range":
            yield chosen.chip.format(EN_DASH.join(map(str, value))), taken_back
        elif chosen.kind == "slices":
            for words in value:
                rest = tuple(other for other in value if other != words)
                label = middle_cut(words.replace("=", ": ", 1), NAME_WIDTH)
                yield chosen.chip.format(as_markdown(label)), _changed(selection, chosen, rest)
        elif chosen.kind == "number":
            yield chosen.chip.format(f"{value:g}"), taken_back
        else:
            yield from _name_chips(context, selection, chosen)


def _name_chips(
    context: ViewContext, selection: Selection, chosen: SelectionField
) -> Iterator[tuple[str, Selection]]:
    """Yield a chip for each name, or one for all of many; other pairs' systems have none here."""
    names: tuple[str, ...] = getattr(selection, chosen.name)
    is_system = chosen.kind == "systems"
    here = getattr(context.selection, chosen.name) if is_system else names
    shown = [name for name in names if name in here]
    if len(shown) > MAX_CHIPS:
        label = chosen.chip.format(f"{len(shown)} {chosen.kind}")
        yield label, _changed(selection, chosen, ())
        return
    for name in shown:
        short = middle_cut(context.name(name) if is_system else name, NAME_WIDTH)
        rest = tuple(other for other in names if other != name)
        yield chosen.chip.format(as_markdown(short)), _changed(selection, chosen, rest)


def _changed(selection: Selection, chosen: SelectionField, value: Any) -> Selection:
    return dataclasses.replace(selection, **{chosen.name: value})
