"""The switch between the recommended rule and the official procedure of such campaigns."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import streamlit as st

from analysis.comparing.comparison import official_clusters
from analysis.findings.result import bridge_sentence
from analysis.languages import names_two_languages
from analysis.presets import DEFAULT_PRESET, OFFICIAL, PRESETS, Preset
from analysis.rankers import default_method
from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note
from dashboard.widgets.settings_form import set_preset

_YEAR = re.compile(r"(?:wmt|newstest20)(\d\d)")
"""The year of a campaign, in its title or in the names of its systems and segments."""


def choose_rule(context: ViewContext) -> Callable[[], None]:
    """Offer both rules where the data have an official one, and say why they differ.

    Return a function that says it again once the ranking is there.
    """
    preset = official_procedure(context)
    if preset is None:
        return lambda: None
    is_official = context.certainty.is_official
    rules = (PRESETS[DEFAULT_PRESET].title, preset.title)
    key = f"rule.{preset.name}.{is_official}"

    def turn() -> None:
        to_official = state.chosen(key) == preset.title
        chosen = preset if to_official else PRESETS[DEFAULT_PRESET]
        set_preset(chosen, chosen.method or default_method(context.campaign))

    # The key has the rule, so that the control follows what is chosen under Settings.
    st.segmented_control(
        "Rule",
        rules,
        default=rules[is_official],
        required=True,
        key=key,
        on_change=turn,
        label_visibility="collapsed",
    )
    place, (ours, theirs) = st.empty(), (_view(context, preset, one) for one in (False, True))
    printed = official_clusters(context.pair, context.judgments.systems)

    def say() -> None:
        official, recommended = (
            compute.ranking(one) if _is_soon(one) else None for one in (theirs, ours)
        )
        unit, method = theirs.certainty.unit, theirs.ranker.title
        with place.container():
            note(bridge_sentence(preset.title, method, official, recommended, printed, unit=unit))

    say()
    return say


def _view(context: ViewContext, preset: Preset, is_official: bool) -> ViewContext:
    """Return the view by a rule; the chosen one is the view itself."""
    if is_official == context.certainty.is_official:
        return context
    chosen = preset if is_official else PRESETS[DEFAULT_PRESET]
    ranker = chosen.ranker(chosen.method or default_method(context.campaign))
    certainty = chosen.certainty or context.certainty
    seeded = dataclasses.replace(certainty, seed=context.certainty.seed)
    return dataclasses.replace(context, ranker=ranker, certainty=seeded)


def _is_soon(context: ViewContext) -> bool:
    return compute.is_ranked(context) or not compute.takes_time(context)


def official_procedure(context: ViewContext) -> Preset | None:
    """Return the procedure that published campaigns of this kind used; None where none did.

    They ranked translations: the pair names two languages.
    """
    if context.judgments.scores is not None or not names_two_languages(context.pair):
        return None
    if context.certainty.is_official and context.preset.name in OFFICIAL:
        return context.preset
    told = " ".join([context.label, *context.judgments.systems, *context.judgments.segments[:1]])
    years = (f"wmt{year}" for year in _YEAR.findall(told.casefold()))
    return PRESETS[next((name for name in years if name in OFFICIAL), OFFICIAL[-1])]
