"""The choice of a preset: it sets method and certainty; what differs from it stands in chips.

What a preset says are the defaults of the sidebar's widgets, so that the link holds the preset and
what differs from it. Widgets that are there already are set when a preset is chosen.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.escaping import as_markdown
from analysis.presets import (
    DEFAULT_PRESET,
    FOR_ORGANIZERS,
    PRESETS,
    Difference,
    Preset,
    differences,
)
from analysis.rankers import RANKERS, default_method
from dashboard.session import address_bar, state
from dashboard.session.settings import of_certainty, of_ranker
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note

TITLES = {PRESETS[name].title: PRESETS[name] for name in FOR_ORGANIZERS}
KEY_OF = {"ranges": "sure", "unit": "resample", "runs": "runs", "level": "level"}
"""The sidebar's widget of each setting of a certainty."""


def choose_preset() -> Preset:
    """Ask for the preset."""
    address_bar.read_setting(state.PRESET, TITLES)
    chosen = st.selectbox(
        "Preset",
        list(TITLES),
        key=state.PRESET,
        bind="query-params",
        on_change=_take_chosen,
        help="Sets the method, its hyperparameters and the resampling in one step.\n\n"
        + "\n\n".join(
            f"**{as_markdown(title)}**: {as_markdown(preset.sentence)}"
            for title, preset in TITLES.items()
        ),
    )
    return TITLES.get(str(chosen), PRESETS[DEFAULT_PRESET])


def show_differences(context: ViewContext) -> None:
    """Show what is not as the preset has it, each with a cross that sets it back."""
    preset = context.preset
    found = differences(preset, context.ranker, context.certainty)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="differences"):
        st.markdown(f"Changed from *{as_markdown(preset.title)}*:", width="content")
        for number, difference in enumerate(found):
            st.button(
                as_markdown(difference.words),
                key=f"difference.{number}",
                icon=":material/undo:",
                help="Restore the preset's value",
                on_click=_set_back,
                args=(preset, difference),
            )
        if len(found) > 1:
            st.button(
                "Restore all",
                key="difference.all",
                type="tertiary",
                on_click=_set_all,
                args=(preset,),
            )


def set_preset(preset: Preset, method: str) -> None:
    """Choose a preset and all that it sets, from a callback; ``method`` where it names none."""
    _set({state.PRESET: preset.title, **of_ranker(preset.ranker(preset.method or method))})
    if preset.certainty is not None:
        _set(of_certainty(preset.certainty))


def offer_recommended(context: ViewContext, what: str) -> None:
    """Say that the official procedure does not define ``what``, and offer the recommended rule."""
    note(f"{what} needs a test of differences. The official procedure has only rank ranges.")
    st.button(
        "Use the recommended rule",
        key=f"recommended.{what}",
        on_click=set_preset,
        args=(PRESETS[DEFAULT_PRESET], default_method(context.campaign)),
    )


def _take_chosen() -> None:
    _set_all(TITLES[state.chosen_in_callback(state.PRESET)])


def _set_back(preset: Preset, difference: Difference) -> None:
    if difference.setting == "method":
        _set(_of_method(preset))
    elif difference.setting == "hyperparameter":
        value = getattr(preset.ranker(), difference.name)
        _set({f"{preset.method}.{difference.name}": value})
    else:
        assert preset.certainty is not None
        key = KEY_OF[difference.setting]
        _set({key: of_certainty(preset.certainty)[key]})


def _set_all(preset: Preset) -> None:
    _set(_of_method(preset))
    if preset.certainty is not None:
        _set(of_certainty(preset.certainty))


def _set(values: dict[str, Any]) -> None:
    for key, value in values.items():
        state.choose_in_callback(key, value)


def _of_method(preset: Preset) -> dict[str, Any]:
    """Return the widgets' values of the method: the preset's, else the one that is chosen."""
    titles = {ranker.title: name for name, ranker in RANKERS.items()}
    return of_ranker(preset.ranker(preset.method or titles[state.chosen_in_callback("method")]))
