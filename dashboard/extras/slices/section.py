"""Breakdown: standings by part of the campaign, or adjusted for position, length and the like."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import Attribute
from analysis.campaign.tasks import DOCUMENT
from analysis.errors import PodiumError
from analysis.extras.slices.by_slice import BySlice, by_slice, cutting
from analysis.extras.slices.controlled.columns import can_be_held, usually_held
from analysis.extras.slices.findings import (
    NOTHING_TO_CUT,
    slices_finding,
    slices_words,
    spelled,
)
from analysis.wording import signed
from dashboard import compute
from dashboard.extras.slices.figures import slices_figure
from dashboard.extras.slices.style import show_style
from dashboard.session.view import ViewContext
from dashboard.tables.names import with_p_values
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    result_card,
    show_frame,
)

ATTRIBUTE = "slices.by"
PARTS, STYLE_CONTROL = "By part", "Length and style control"


def is_shown(context: ViewContext) -> bool:
    """Return whether the file has parts to compare, or numbers to adjust votes for.

    Documents alone are no parts but units.
    """
    if any(one.name != DOCUMENT for one in _attributes(context)):
        return True
    return context.judgments.scores is None and bool(can_be_held(context.campaign))


def _attributes(context: ViewContext) -> tuple[Attribute, ...]:
    return compute.remember(context, ("cutting",), lambda: tuple(cutting(context.judgments)))


def show(context: ViewContext) -> None:
    """Show the parts side by side, or the effects of what can be adjusted for."""
    attributes, place = _attributes(context), st.container()
    shown = _kinds(context)
    chosen = shown[0] if shown else ""
    if len(shown) > 1:
        chosen = choose("Breakdown", shown, "slices.kind", bind=None, label_visibility="collapsed")
    if chosen == PARTS:
        _show_parts(context, [one.name for one in attributes], place)
    elif chosen == STYLE_CONTROL:
        show_style(context, place)
    else:
        what = "The selection" if context.selection.slices else "This campaign"
        with place:
            headline(context, "Breakdown", f"{what} has no parts to compare", of_method=False)
        note(NOTHING_TO_CUT)


def _kinds(context: ViewContext) -> list[str]:
    """Return what can be shown: parts, and adjusted scores; of votes with lengths these first."""
    kinds = [PARTS] if _attributes(context) else []
    try:
        usually_held(context.campaign)
    except PodiumError:
        return kinds
    are_first = context.judgments.are_votes and bool(can_be_held(context.campaign))
    return [STYLE_CONTROL, *kinds] if are_first else [*kinds, STYLE_CONTROL]


def _show_parts(context: ViewContext, names: list[str], place: DeltaGenerator) -> None:
    chosen = str(
        st.selectbox("Split by", names, key=ATTRIBUTE, format_func=spelled, bind="query-params")
    )

    def make() -> BySlice:
        attribute = context.campaign.attribute(chosen)
        sure = context.certainty
        return by_slice(
            context.judgments, attribute, context.ranker,
            level=sure.level, scope=sure.scope, seed=sure.seed,
        )  # fmt: skip

    sure = context.certainty
    try:
        with st.spinner("Ranking each part …"):
            key = ("slices", chosen, context.ranker, sure.level, sure.scope, sure.seed)
            found = compute.remember(context, key, make)
    except PodiumError as error:
        with place:
            headline(
                context,
                "Breakdown",
                f"Parts by {spelled(chosen)} cannot be compared",
                of_method=False,
            )
        explain(error)
        return
    finding, title = slices_finding(found, context.name), f"Scores by {spelled(chosen)}"
    with place:
        headline(context, "Breakdown", finding, of_method=False)
    result_card(
        context,
        "slices",
        figure=slices_figure(found, title=title, name=context.name, mode=context.mode),
        frame=found.to_frame(),
        columns={"system": "System"},
        formats=dict.fromkeys(found.parts, partial(signed, decimals=3)),
        words=slices_words(found, context.name),
        made_by=f"{context.signature}|by:{chosen}",
    )
    with st.expander("All differences that were tested"):
        frame = found.differences_frame()
        shown = with_p_values(frame)
        show_frame(shown, _columns())
        downloads("differences", frame, presents=False)


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "system": "System",
        "more": st.column_config.TextColumn("Better in"),
        "less": st.column_config.TextColumn("than in"),
        "difference": number("Difference", format="%.3f"),
        "p": number("p"),
        "p_adjusted": number("p, adjusted", help="Holm's method over all rows"),
    }
