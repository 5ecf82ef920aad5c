"""Koehn's studies on campaigns of known truth: which method errs least, whether ranges hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.simulation import (
    EXPERIMENTS_HELP,
    error_title,
    error_words,
    named,
    needed_title,
    needed_words,
    range_words,
    ranges_title,
    spread_title,
    spread_words,
)
from analysis.provenance import Provenance
from analysis.simulation.campaigns import Simulation
from analysis.simulation.koehn2012 import (
    study_judgments_needed,
    study_rank_ranges,
    study_ranking_error,
)
from analysis.simulation.spread_fit import EXPERIMENTS, fit_spread
from dashboard import compute
from dashboard.figures.studies import (
    errors_figure,
    needed_figure,
    ranges_figure,
    spread_figure,
)
from dashboard.session.view import ViewContext
from dashboard.tables.studies import (
    FORMATS,
    errors_columns,
    needed_columns,
    ranges_columns,
    spread_columns,
)
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, show_figure, signature

T = TypeVar("T")

SIZES = (5_000, 10_000, 20_000, 30_000, 50_000)
SHARES = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
TABLE4_SPREADS = (7.0, 10.0, 12.0)
FEW_SIZES = (10_000, 30_000, 50_000)
FEW_CAMPAIGNS, FEWER_CAMPAIGNS, RESAMPLES, LEVEL = 200, 24, 200, 0.95
"""What takes seconds; the paper has 10,000 campaigns, and 400 of 1,000 resamples each."""


def show_errors(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    """Show how often each method puts two systems in the wrong order (Figure 3)."""
    study = partial(study_ranking_error, SIZES, simulation=simulation)
    errors, n = _simulated(context, slot, "errors", FEW_CAMPAIGNS, study, (simulation,))
    figure = errors_figure(errors, title=error_title(errors), mode=context.mode)
    seed = context.certainty.seed
    _show(figure, errors, errors_columns(), "study-errors", error_words(n), simulation, n, seed)


def show_ranges(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    """Show how often rank ranges and clusters are wrong, and how wide they are (Table 1)."""
    study = partial(
        study_rank_ranges, FEW_SIZES, simulation=simulation, resamples=RESAMPLES, level=LEVEL
    )
    quality, n = _simulated(context, slot, "ranges", FEWER_CAMPAIGNS, study, (simulation,))
    title = ranges_title(quality, LEVEL)
    figure = ranges_figure(quality, level=LEVEL, title=title, mode=context.mode)
    words, seed = range_words(n, RESAMPLES), context.certainty.seed
    _show(figure, quality, ranges_columns(), "study-ranges", words, simulation, n, seed)


def show_needed(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    """Show after how many judgments so many pairs differ significantly (Table 4)."""
    spreads = sorted({simulation.spread, *TABLE4_SPREADS})
    cells = pd.DataFrame(
        [(simulation.systems, spread, share) for spread in spreads for share in SHARES],
        columns=["n", "sd", "share"],
    )
    study, parts = partial(study_judgments_needed, cells), (simulation.systems,)
    needed, n = _simulated(context, slot, "needed", EXPERIMENTS, study, parts, tuple(spreads))
    figure = needed_figure(needed, title=needed_title(needed, simulation.spread), mode=context.mode)
    words, seed = needed_words(n), context.certainty.seed
    _show(figure, needed, needed_columns(), "study-needed", words, simulation, n, seed)


def show_spread(context: ViewContext, slot: DeltaGenerator) -> None:
    """Show which spread separates simulated systems as these are separated (Figure 2)."""
    study = partial(fit_spread, context.judgments)
    fit, n = _simulated(context, slot, "spread", EXPERIMENTS, study, ())
    figure = spread_figure(fit, title=spread_title(fit), mode=context.mode)
    made_by = Provenance(
        extra=(("study", "spread"), ("experiments", n)), seed=context.certainty.seed
    )
    signed = str(made_by | context.judgments.provenance)
    frame, words = fit.to_frame(), spread_words(fit)
    _show_parts(figure, frame, spread_columns(), "study-spread", words, signed)


def _simulated(
    context: ViewContext,
    slot: DeltaGenerator,
    name: str,
    few: int,
    study: Callable[..., T],
    parts: tuple[Hashable, ...],
    more: tuple[Hashable, ...] = (),
) -> tuple[T, int]:
    """Ask how many campaigns to simulate; return what comes of them, and how many they are.

    Chunks are kept by the ``parts``, the whole also by ``more``: interrupted work goes on where it
    stopped.
    """
    n = int(
        st.number_input(
            "Simulated campaigns", min_value=2, max_value=10_000, value=few, step=10,
            key=f"plan.campaigns_{name}", bind="query-params", width=200, help=EXPERIMENTS_HELP,
        )
    )  # fmt: skip
    seed = context.certainty.seed
    key = ("study", name, *parts, n, seed)
    bar = progress_in(slot, "Simulating", unit="campaigns")

    def run() -> T:
        with compute.resuming_threads(context, key) as threads:
            return study(experiments=n, seed=seed, executor=threads, progress=bar)

    found = compute.remember(context, (*key, *more), run)
    slot.empty()
    return found, n


def _show(
    figure: go.Figure, frame: pd.DataFrame, columns: dict[str, Any], name: str, words: str,
    simulation: Simulation, n: int, seed: int,
) -> None:  # fmt: skip
    made_by = Provenance(
        settings=simulation.signature(),
        extra=(("study", name.removeprefix("study-")), ("experiments", n)),
        seed=seed,
    )
    _show_parts(figure, frame, columns, name, words, str(made_by))


def _show_parts(
    figure: go.Figure, frame: pd.DataFrame, columns: dict[str, Any], name: str, words: str,
    made_by: str,
) -> None:  # fmt: skip
    show_figure(figure, f"figure.{name}")
    note(words)
    titled = frame
    if "method" in frame:
        titled = frame.assign(method=frame["method"].map(named))
    written = {name: how for name, how in FORMATS.items() if name in frame}
    shown = titled.style.format(dict[str, Any](written))
    st.dataframe(shown, hide_index=True, column_config=columns, width="stretch")
    signature(made_by)
    downloads(name, frame, figure, "Simulated campaigns.", made_by)
