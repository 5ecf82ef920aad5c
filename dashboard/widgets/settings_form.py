"""The forms of settings: a preset, a method's hyperparameters from their declarations, certainty.

What a preset says are the defaults of the sidebar's widgets, so that the link holds the preset and
what differs from it, which stands in chips. Widgets that are there already are set when a preset is
chosen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from analysis.escaping import as_markdown
from analysis.parameters import Hyperparameter, Parameterized, hyperparameters
from analysis.presets import (
    DEFAULT_PRESET,
    FOR_ORGANIZERS,
    PRESETS,
    Difference,
    Preset,
    differences,
)
from analysis.rankers import RANKERS, default_method
from analysis.rankers.ranker import Method
from analysis.rankers.resampling import UNITS, ResamplingUnit
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from dashboard.session import address_bar, state
from dashboard.session.view import LEVELS, RUNS, ViewContext, of_certainty, of_ranker
from dashboard.widgets.result_card import note

BASES = {
    "new": ("New segments and judges", "Recommended: for another campaign of the same kind"),
    "these": ("These segments and judges", "New tasks by the same judges on the same segments"),
    "published": (
        "Official procedure",
        "Resamples as in WMT14 to WMT16: each system alone; its intervals are usually too narrow",
    ),
}
"""What the sidebar offers, with a title and a line each."""
PUBLISHED_UNITS: tuple[ResamplingUnit, ...] = ("judgment", "task", "segment", "judge", "none")


def ranker_settings(
    method: type[Method], place: str = "", usual: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Show a method's hyperparameters, rare ones behind a toggle, and return what was entered.

    Not every combination is possible: `analysis.parameters.from_settings` tells. ``place`` names a
    second form on a page, which is not kept in the link. ``usual`` are other defaults than the
    declared ones; rare settings among them are shown.
    """
    usual = {} if usual is None else usual
    declared = [
        dataclasses.replace(p, default=usual.get(p.name, p.default))
        for p in hyperparameters(method)
    ]
    rare = any(
        p.advanced and p.default != q.default
        for p, q in zip(declared, hyperparameters(method), strict=True)
    )
    plain = [p for p in declared if not p.advanced]
    advanced = [p for p in declared if p.advanced]
    settings = {p.name: _widget(method, p, place) for p in plain}
    more = f"{place}{method.name}.more"
    if advanced and st.toggle("More settings", value=rare, key=more, persist_state="session"):
        settings |= {p.name: _widget(method, p, place) for p in advanced}
    else:
        settings |= {p.name: p.default for p in advanced}
    if not declared:
        st.caption("This method has no hyperparameters.")
    return settings


def _widget(owner: type[Parameterized], parameter: Hyperparameter, place: str) -> Any:
    """Show one hyperparameter; its key is its name in the link."""
    label = parameter.title or parameter.name.replace("_", " ").capitalize()
    if not parameter.symbol.isascii():
        label += f" ({parameter.symbol})"
    shared: dict[str, Any] = dict(
        key=f"{place}{getattr(owner, 'name', owner.__name__)}.{parameter.name}",
        help=as_markdown(parameter.help),
    )
    if not place:
        shared["bind"] = "query-params"
    if parameter.kind is bool:
        return st.toggle(label, value=parameter.default, **shared)
    if parameter.choices:
        options = list(parameter.choices)
        shared["help"] += "\n\n" + "\n".join(
            f"- **{as_markdown(value)}**: {as_markdown(words)}"
            for value, words in parameter.choices.items()
        )
        return st.selectbox(label, options, index=options.index(parameter.default), **shared)
    if parameter.low is not None and parameter.high is not None:
        return st.number_input(
            label,
            min_value=parameter.kind(parameter.low),
            max_value=parameter.kind(parameter.high),
            value=parameter.default,
            step=parameter.kind(parameter.step) if parameter.step else None,
            format=None if parameter.kind is int else _decimals(parameter),
            **shared,
        )
    return st.text_input(label, value=parameter.default, placeholder="automatic", **shared)


def _decimals(parameter: Hyperparameter) -> str:
    """Return a format with as many decimals as the declared numbers need.

    >>> _decimals(Hyperparameter("a", .5, "", "a", low=0., high=1., step=.05))
    '%.2f'
    """
    numbers = (parameter.default, parameter.low or 0, parameter.high or 0, parameter.step or 0.01)
    places = max(len(f"{float(number):.6f}".rstrip("0").split(".")[1]) for number in numbers)
    return f"%.{max(places, 1)}f"


def certainty_settings(preset: Preset) -> Certainty:
    """Ask for scope, resamples, level and seed of a certainty."""
    usual = preset.certainty or DEFAULT_CERTAINTY
    bases = list(BASES)
    with st.container():
        _read_certainty()
        basis = st.radio(
            "Scope",
            bases,
            index=bases.index("published" if usual.is_official else usual.scope),
            format_func=lambda basis: BASES[basis][0],
            captions=[words for _, words in BASES.values()],
            key="sure",
            bind="query-params",
        )
        unit = _unit(usual) if basis == "published" else "judgment"
        runs = st.select_slider(
            "Resamples",
            RUNS,
            value=usual.runs,
            key="runs",
            bind="query-params",
            help="Used by the official procedure and by methods without a closed form.",
        )
        level = st.select_slider(
            "Level",
            LEVELS,
            value=usual.level,
            format_func=lambda level: f"{level:.0%}",
            key="level",
            bind="query-params",
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=2**31 - 1,
            value=0,
            key="seed",
            bind="query-params",
            help="The same seed gives the same numbers, on any computer.",
        )
    return Certainty(
        ranges="marginal" if basis == "published" else "simultaneous",
        scope="these" if basis == "these" else "new",
        unit=unit,
        runs=int(runs),
        level=float(level),
        seed=int(seed),
    )


def _unit(usual: Certainty) -> ResamplingUnit:
    """Ask what the official procedure resamples."""
    unit: ResamplingUnit = st.selectbox(
        "Resample by",
        PUBLISHED_UNITS,
        index=PUBLISHED_UNITS.index(usual.unit),
        format_func=lambda unit: UNITS[unit].title,
        key="resample",
        bind="query-params",
        help="\n".join(f"- **{unit.title}**: {unit.help}" for unit in UNITS.values()),
    )
    return unit


def _read_certainty() -> None:
    """Note what the link says of the certainty and is not there."""
    address_bar.read_setting("sure", (title for title, _ in BASES.values()))
    address_bar.read_setting("resample", (unit.title for unit in UNITS.values()))
    address_bar.read_setting("runs", RUNS)
    address_bar.read_setting("level", (f"{level:.0%}" for level in LEVELS))


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
