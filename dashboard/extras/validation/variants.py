"""Methods with settings of their own: any method, ranker or not, from its declared settings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.errors import PodiumError
from analysis.extras.validation.prediction.predict import (
    model_class,
    model_named,
    shown_name,
    words_of,
)
from analysis.parameters import from_settings, hyperparameters
from dashboard.extras.validation.held_out import MODEL_TITLES
from dashboard.session import state
from dashboard.widgets.result_card import explain
from dashboard.widgets.settings_form import ranker_settings

ADJUSTABLE = [name for name in MODEL_TITLES if hyperparameters(model_class(name))]


def chosen_variants(key: str) -> tuple[str, ...]:
    """Ask for methods with settings of their own, in the words of the command line."""
    with st.popover("Add a method with other settings", icon=":material/add:"):
        name = st.selectbox("Method", ADJUSTABLE, format_func=shown_name, key="ms-new.method")
        settings = ranker_settings(model_class(name), "ms-new.")
        try:
            words = words_of(from_settings(model_class(name), settings))
        except PodiumError as error:
            explain(error)
        else:
            st.button(
                "Add", key="ms-new.add", type="primary", on_click=_add, args=(key, words),
                disabled=words in MODEL_TITLES,
                help="Change a setting first." if words in MODEL_TITLES else None,
            )  # fmt: skip
    written = st.text_input(
        "Methods with other settings",
        key=key,
        bind="query-params",
        placeholder="independent-students:mean=arithmetic, trueskill:zone=one-sided",
        help="Comma-separated, settings after colons, as for the command line's `--methods`.",
    )
    return _possible([words.strip() for words in written.split(",") if words.strip()])


def _possible(named: Sequence[str]) -> tuple[str, ...]:
    """Return the words that name a model; say of the others what is wrong."""
    found = []
    for words in named:
        try:
            model_named(words)
        except PodiumError as error:
            explain(error)
        else:
            found.append(words)
    return tuple(found)


def _add(key: str, words: str) -> None:
    before = state.chosen_in_callback(key)
    state.choose_in_callback(key, f"{before}, {words}" if before else words)
