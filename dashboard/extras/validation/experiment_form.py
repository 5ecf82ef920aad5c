"""What is asked of which models, on the page Model selection: every choice is kept in the link.

The sidebar's preset sets what stands here at first; each preset keeps its own changes.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.extras.validation.prediction.predict import shown_name
from analysis.extras.validation.prediction.radius import GRIDS, TUNE_ON
from analysis.extras.validation.prediction.splits import (
    AVERAGES,
    DRAWS,
    FOLD_UNITS,
    Average,
    Draw,
    Protocol,
)
from analysis.presets import DEFAULT_PRESET
from analysis.rankers import COMPARED_METHODS
from analysis.wording import thousands
from dashboard.extras.validation import curves, held_out
from dashboard.extras.validation.curves import CurvePlan
from dashboard.extras.validation.held_out import MODEL_TITLES, Experiment, HeldOutUnit
from dashboard.extras.validation.variants import chosen_variants
from dashboard.session.view import ViewContext

FOLDS = (2, 5, 10, 20, 50, 100)
SIZES = tuple(50 * 2**k for k in range(12))
SPLITS: dict[HeldOutUnit, str] = {
    **{name: unit.title for name, unit in FOLD_UNITS.items()},
    "hm13": "Rarely judged segments, once",
}
SPLITS_SAY: dict[HeldOutUnit, str] = {
    **{name: unit.held_out for name, unit in FOLD_UNITS.items()},
    "hm13": "one test set: the rarest segments (Hopkins & May 2013)",
}
GRID_TITLES = {
    "wmt14": "WMT14",
    "spv14": "SPV14: likeliest outcome",
    "difference": "Difference of scores",
}
TUNE_TITLES = {
    "auto": "Training judgments, except for a radius you set",
    "none": "Nothing: each model's own radius",
    "train": "Training judgments",
    "dev": "A development set",
}
AVERAGE_TITLES: dict[Average, str] = {"judgments": "All judgments", "folds": "Mean of the folds"}
DRAW_TITLES: dict[Draw, str] = {
    "row": "Single judgments",
    "task": "Ranking tasks",
    "active": "TrueSkill's choice",
    "own": "Each model's own",
    "matches": "Matches",
    "match-pairs": "Matches of a given size",
}


def protocol_of(context: ViewContext) -> Protocol:
    """Return how the sidebar's preset asks models to predict; ours where it says nothing."""
    return Protocol(**(context.preset.protocol or {}))


def _key(context: ViewContext, name: str) -> str:
    """Return a widget's key: each preset has choices of its own."""
    preset = context.preset.name
    return f"ms.{name}" if preset == DEFAULT_PRESET else f"ms.{preset}.{name}"


def _methods(context: ViewContext) -> tuple[str, ...]:
    """Ask which methods predict, and with which other settings."""
    preset = context.preset
    known = [*MODEL_TITLES, *(words for words in preset.methods if words not in MODEL_TITLES)]
    chosen = st.multiselect(
        "Methods",
        known,
        default=list(preset.methods or COMPARED_METHODS),
        format_func=shown_name,
        key=_key(context, "methods"),
        bind="query-params",
        help=(
            "With the preset's settings. The sidebar's method always takes part, with its own "
            "settings."
        ),
    )
    return tuple(dict.fromkeys((*chosen, *chosen_variants(_key(context, "variants")))))


def experiment_form(context: ViewContext) -> Experiment:
    """Show what is asked of which methods."""
    usual, preset = protocol_of(context), context.preset
    said = "sets" if preset.protocol is not None else "has no settings for"
    st.caption(f"The preset *{as_markdown(preset.title)}* {said} the initial choices here.")
    names = _methods(context)
    left, middle, right = st.columns(3, gap="large")
    unit = left.selectbox(
        "Unit of the test sets",
        list(SPLITS),
        index=list(SPLITS).index(usual.split),
        format_func=lambda unit: SPLITS[unit],
        key=_key(context, "split"),
        bind="query-params",
        help="\n".join(f"- **{SPLITS[unit]}**: {words}" for unit, words in SPLITS_SAY.items()),
    )
    folds = middle.select_slider(
        "Folds",
        FOLDS,
        value=usual.folds,
        key=_key(context, "folds"),
        bind="query-params",
        disabled=unit == "hm13",
        help=(
            "The parts that the judgments are split into. Each is predicted once, by methods "
            "trained on all the others."
        ),
    )
    average = right.selectbox(
        "Accuracy over",
        list(AVERAGES),
        index=list(AVERAGES).index(usual.average),
        format_func=lambda average: AVERAGE_TITLES[average],
        key=_key(context, "average"),
        bind="query-params",
        help=_explained(AVERAGE_TITLES, AVERAGES),
    )
    tune, dev, grid = _tuning(context, usual)
    return Experiment(
        held_out.chosen_models(context, names),
        unit,
        int(folds),
        grid,
        average,
        tune,
        dev,
        held_out.own_radii(context, names),
    )


def _tuning(context: ViewContext, usual: Protocol) -> tuple[Any, float, str]:
    """Ask how the radii of ties are chosen: on what, of which, and how large that is."""
    left, middle, right = st.columns(3, gap="large")
    tune = left.selectbox(
        "Choose radii by",
        list(TUNE_TITLES),
        index=list(TUNE_TITLES).index(usual.tune or "auto"),
        format_func=lambda on: TUNE_TITLES[on],
        key=_key(context, "tune"),
        bind="query-params",
        help="The radius is the difference up to which a tie is predicted.\n\n"
        + _explained(TUNE_TITLES, TUNE_ON),
    )
    grid = middle.selectbox(
        "Radii to try",
        list(GRIDS),
        index=list(GRIDS).index(usual.grid),
        format_func=lambda grid: GRID_TITLES[grid],
        key=_key(context, "grid"),
        bind="query-params",
        disabled=tune == "none",
        help=_explained(GRID_TITLES, {name: grid.title for name, grid in GRIDS.items()}),
    )
    dev = usual.dev
    if tune == "dev":
        dev = right.number_input(
            "Development set",
            min_value=0.01,
            value=float(usual.dev),
            key=_key(context, "dev"),
            bind="query-params",
            help="A share of the training judgments, or from 1 on a number of judgments.",
        )
    return None if tune == "auto" else tune, float(dev), grid


def _explained(titles: Any, words: Any) -> str:
    return "\n".join(f"- **{titles[name]}**: {as_markdown(said)}" for name, said in words.items())


def curve_form(context: ViewContext, experiment: Experiment) -> CurvePlan:
    """Show how the learning curves are made; no sizes where there is nothing to learn from."""
    usual = protocol_of(context)
    try:
        pool = len(curves.curve_pool(context, experiment, usual.hold_out))
    except PodiumError:
        pool = 0
    possible = [size for size in SIZES if size <= pool]
    sizes_usual = [size for size in usual.sizes if size in possible]
    left, middle, right = st.columns([2, 1, 1], gap="large")
    sizes = left.multiselect(
        "Learning curves: training judgments",
        possible,
        default=sizes_usual if len(sizes_usual) > 2 else possible[-3:],
        key=_key(context, "sizes"),
        bind="query-params",
        help=f"{thousands(pool)} judgments are available for training; the others are the test.",
    )
    trials = middle.select_slider(
        "Trials of each size",
        (1, 2, 3, 5, 10, 20),
        value=usual.trials,
        key=_key(context, "trials"),
        bind="query-params",
    )
    draw = right.selectbox(
        "Sampled as",
        list(DRAWS),
        index=list(DRAWS).index(usual.draw),
        format_func=lambda draw: DRAW_TITLES[draw],
        key=_key(context, "draw"),
        bind="query-params",
        help=_explained(DRAW_TITLES, DRAWS),
    )
    return CurvePlan(tuple(sorted(sizes)), int(trials), draw, usual.hold_out)
