"""Length and style control: what position, length and the like do, and scores adjusted for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.extras.slices.controlled.columns import MOST, can_be_held, usually_held
from analysis.extras.slices.effects import Style, style_beside_plain
from analysis.extras.slices.findings import (
    ADD_LENGTHS,
    STYLE,
    places_words,
    style_finding,
    winner_finding,
)
from analysis.wording import percent, signed
from dashboard import compute
from dashboard.extras.slices.figures import style_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import explain, headline, result_card, show_frame

CONTROL = "slices.control"
TITLE = "Abilities with and without adjustment"
_SCORES: dict[Any, Any] = dict.fromkeys(("plain", "even", "low", "high"), signed)
_COLUMNS = {
    "system": "System",
    "plain": "As judged",
    "even": "Adjusted",
    "low": "from",
    "high": "to",
    "place": "Place",
    "place, adjusted": "Place, adjusted",
}
_FORMATS: dict[Any, Any] = {
    **dict.fromkeys(("effect", "low", "high"), signed),
    "chance": percent,
}


def style_of(context: ViewContext, names: Sequence[str]) -> Style:
    """Return the abilities with and without adjustment for these."""
    sure = context.certainty
    return compute.remember(
        context,
        ("style", tuple(names), sure.level, sure.scope),
        lambda: style_beside_plain(
            context.judgments, ",".join(names), level=sure.level, scope=sure.scope
        ),
    )


def _show_effects(effects: pd.DataFrame) -> None:
    """Show how much position and each number change the chance to win."""
    show_frame(
        effects.style.format(_FORMATS),
        {
            "controlled for": st.column_config.Column("Adjusted for"),
            "effect": st.column_config.Column("Effect"),
            "low": st.column_config.Column("from"),
            "high": st.column_config.Column("to"),
            "chance": st.column_config.Column(
                "Wins",
                help="Against an equal output: shown first, or with twice as much of the number",
            ),
        },
    )


def show_style(context: ViewContext, place: DeltaGenerator) -> None:
    """Show what each thing does that is adjusted for, and the abilities without and with it."""
    usual = usually_held(context.campaign)
    chosen = st.multiselect(
        "Adjusted for",
        list(dict.fromkeys([*usual, *can_be_held(context.campaign)])),
        default=list(usual),
        max_selections=MOST + 1,
        key=CONTROL,
        help="Position, and up to two columns of numbers.",
    ) or list(usual)
    try:
        style = style_of(context, chosen)
    except PodiumError as error:
        with place:
            headline(context, "Breakdown", "The scores cannot be adjusted", of_method=False)
        explain(error)
        return
    finding = winner_finding(style, context.name)
    with place:
        headline(context, "Breakdown", finding, of_method=False)
        st.markdown(f"{as_markdown(style_finding(style))}. {places_words(style)}")
    result_card(
        context,
        "style",
        figure=style_figure(style, title=TITLE, name=context.name, mode=context.mode),
        frame=style.to_frame(),
        columns=_COLUMNS,
        formats=_SCORES,
        words=f"Bradley–Terry. {STYLE}" + f" {ADD_LENGTHS}" * (not can_be_held(context.campaign)),
        made_by=style.signature,
    )
    with st.expander("Effects of position, length and the like"):
        _show_effects(style.effects.to_frame())
