"""What is asked of which models, on the page Model selection: every choice is kept in the link."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from analysis.prediction.learning_curves import DRAWS, PUBLISHED_SIZES, Draw
from analysis.prediction.radius import GRIDS
from analysis.prediction.splits import DEFAULT_FOLDS, FOLD_UNITS
from analysis.rankers import COMPARED_METHODS
from dashboard.compute import curves, held_out
from dashboard.compute.curves import CurvePlan
from dashboard.compute.held_out import MODEL_TITLES, Experiment, HeldOutUnit
from dashboard.session.view import ViewContext
from dashboard.typography import thousands

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
DRAW_TITLES: dict[Draw, str] = {
    "row": "Single judgments",
    "task": "Ranking tasks",
    "active": "TrueSkill's choice",
    "own": "Each model's own",
    "matches": "Matches",
    "match-pairs": "Matches of so many pairs",
}


def experiment_form(context: ViewContext) -> Experiment:
    """Show what is asked of which methods."""
    names = st.multiselect(
        "Methods",
        list(MODEL_TITLES),
        default=list(COMPARED_METHODS),
        format_func=lambda name: MODEL_TITLES[name],
        key="ms.methods",
        bind="query-params",
        help="With published settings. The sidebar's method always takes part, as it is set there.",
    )
    left, middle, right = st.columns(3, gap="large")
    unit = left.selectbox(
        "Hold out",
        list(SPLITS),
        format_func=lambda unit: SPLITS[unit],
        key="ms.split",
        bind="query-params",
        help="\n".join(f"- **{SPLITS[unit]}**: {words}" for unit, words in SPLITS_SAY.items()),
    )
    folds = middle.select_slider(
        "Folds",
        FOLDS,
        value=DEFAULT_FOLDS,
        key="ms.folds",
        bind="query-params",
        disabled=unit == "hm13",
        help="The parts that the judgments are split into. Each is predicted once, by methods that "
        "learned from all the others.",
    )
    grid = right.selectbox(
        "Radii to try",
        list(GRIDS),
        format_func=str.upper,
        key="ms.grid",
        bind="query-params",
        help="\n".join(f"- **{name.upper()}**: {grid.title}" for name, grid in GRIDS.items()),
    )
    models = held_out.chosen_models(context, names)
    return Experiment(models, unit, int(folds), grid)


def curve_form(context: ViewContext, experiment: Experiment) -> CurvePlan:
    """Show how the learning curves are made; no sizes where there is nothing to learn from."""
    try:
        pool = len(curves.curve_pool(context, experiment))
    except PodiumError:
        pool = 0
    possible = [size for size in SIZES if size <= pool]
    usual = [size for size in PUBLISHED_SIZES if size in possible]
    left, middle, right = st.columns([2, 1, 1], gap="large")
    sizes = left.multiselect(
        "Learning curves: judgments to learn from",
        possible,
        default=usual if len(usual) > 2 else possible[-3:],
        key="ms.sizes",
        bind="query-params",
        help=f"{thousands(pool)} judgments are there to learn from; the others are the test.",
    )
    trials = middle.select_slider(
        "Trials of each size", (1, 2, 3, 5, 10, 20), value=5, key="ms.trials", bind="query-params"
    )
    draw = right.selectbox(
        "Drawn as",
        list(DRAWS),
        format_func=lambda draw: DRAW_TITLES[draw],
        key="ms.draw",
        bind="query-params",
        help="\n".join(f"- **{DRAW_TITLES[draw]}**: {words}" for draw, words in DRAWS.items()),
    )
    return CurvePlan(tuple(sorted(sizes)), int(trials), draw)
