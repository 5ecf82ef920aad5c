"""Slices: standings by part of the campaign, and what position, length and the like do."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.campaign import Attribute
from analysis.campaign.tasks import DOCUMENT
from analysis.errors import PodiumError
from analysis.extras.slices.by_slice import BySlice, by_slice, cutting
from analysis.extras.slices.controlled.columns import MOST, can_be_held, usually_held
from analysis.extras.slices.effects import Style, style_beside_plain
from analysis.extras.slices.findings import (
    NOTHING_TO_CUT,
    STYLE,
    slices_finding,
    slices_words,
    style_finding,
)
from dashboard import compute
from dashboard.extras.slices.figures import slices_figure
from dashboard.session.view import ViewContext
from dashboard.tables.p_values import with_p_values
from dashboard.widgets.explain import explain
from dashboard.widgets.result_card import downloads, headline, note, result_card

ATTRIBUTE, CONTROL = "slices.by", "slices.control"
_FORMATS: dict[Any, Any] = dict.fromkeys(("effect", "low", "high"), "{:+.2f}".format)
_FORMATS["chance"] = "{:.0%}".format


def is_shown(context: ViewContext) -> bool:
    """Return whether the file has parts to compare; documents alone are no parts but units."""
    return any(one.name != DOCUMENT for one in _attributes(context))


def _attributes(context: ViewContext) -> tuple[Attribute, ...]:
    return compute.remember(context, ("cutting",), lambda: tuple(cutting(context.judgments)))


def show(context: ViewContext) -> None:
    """Show the parts side by side, then the effects of what can be adjusted for."""
    attributes = _attributes(context)
    if attributes:
        _show_parts(context, [one.name for one in attributes])
    else:
        what = "The selection" if context.selection.slices else "This campaign"
        headline(context, "Breakdown", f"{what} has no parts to compare", of_method=False)
        note(NOTHING_TO_CUT)
    _show_style(context)


def _show_parts(context: ViewContext, names: list[str]) -> None:
    place = st.container()
    chosen = str(st.selectbox("Split by", names, key=ATTRIBUTE, bind="query-params"))

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
            headline(context, "Breakdown", f"Parts by {chosen} cannot be compared", of_method=False)
        explain(error)
        return
    finding = slices_finding(found, context.name)
    with place:
        headline(context, "Breakdown", finding, of_method=False)
    result_card(
        context,
        "slices",
        figure=slices_figure(found, title=finding, name=context.name, mode=context.mode),
        frame=found.to_frame(),
        columns={"system": "System"},
        formats=dict.fromkeys(found.parts, "{:+.3f}".format),
        words=slices_words(found, context.name),
        made_by=f"{context.signature}|by:{chosen}",
    )
    with st.expander("All differences that were tested"):
        frame = found.differences_frame()
        shown = with_p_values(frame)
        st.dataframe(shown, hide_index=True, width="stretch", column_config=_columns())
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


def _show_style(context: ViewContext) -> None:
    """Show what the things that are held even do, and the abilities without and with them."""
    try:
        usual = usually_held(context.campaign)
    except PodiumError:
        return
    st.markdown("## Effects of position and style")
    chosen = st.multiselect(
        "Adjusted for",
        list(dict.fromkeys([*usual, *can_be_held(context.campaign)])),
        default=list(usual),
        max_selections=MOST + 1,
        key=CONTROL,
        help="Position, and up to two columns of numbers.",
    ) or list(usual)
    sure = context.certainty

    def make() -> Style:
        return style_beside_plain(
            context.judgments, ",".join(chosen), level=sure.level, scope=sure.scope
        )

    try:
        key = ("style", tuple(chosen), sure.level, sure.scope)
        style = compute.remember(context, key, make)
    except PodiumError as error:
        explain(error)
        return
    st.markdown(f"**{style_finding(style.effects)}.**")
    note(STYLE)
    effects = style.effects.to_frame()
    st.dataframe(
        effects.style.format(_FORMATS),
        hide_index=True,
        width="stretch",
        column_config={
            "controlled for": "Adjusted for",
            "effect": "Effect",
            "low": "from",
            "high": "to",
            "chance": "Wins",
        },
    )
    frame = style.to_frame()
    shown: pd.DataFrame = frame.assign(system=[context.name(name) for name in frame["system"]])
    st.dataframe(
        shown.style.format(dict.fromkeys(("plain", "even", "low", "high"), "{:+.2f}".format)),
        hide_index=True,
        width="stretch",
        column_config={
            "system": "System",
            "plain": st.column_config.Column("Bradley–Terry"),
            "even": st.column_config.Column("Adjusted for"),
            "low": "from",
            "high": "to",
            "place": "Place",
            "place, adjusted": "Place, adjusted",
        },
    )
    downloads("style", frame, made_by=style.signature, presents=False)
