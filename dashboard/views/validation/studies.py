"""Koehn's studies on campaigns of known truth: which method errs least, whether ranges hold."""

from __future__ import annotations

from collections.abc import Callable
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
from analysis.parallel import Progress
from analysis.provenance import Provenance
from analysis.simulation.campaigns import Simulation
from analysis.simulation.koehn2012 import (
    study_judgments_needed,
    study_rank_ranges,
    study_ranking_error,
)
from analysis.simulation.spread_fit import EXPERIMENTS, SpreadFit, fit_spread
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
    n = _campaigns("errors", FEW_CAMPAIGNS)
    seed = context.certainty.seed
    key = ("study", "ranking-error", simulation, n, seed)

    def run(bar: Progress) -> pd.DataFrame:
        with compute.resuming_threads(context, key) as threads:
            return study_ranking_error(
                SIZES, simulation=simulation, experiments=n, seed=seed, executor=threads,
                progress=bar,
            )  # fmt: skip

    errors = _kept(context, key, slot, run)
    figure = errors_figure(errors, title=error_title(errors), mode=context.mode)
    _show(figure, errors, errors_columns(), "study-errors", error_words(n), simulation, n, seed)


def show_ranges(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    """Show how often rank ranges and clusters are wrong, and how wide they are (Table 1)."""
    n = _campaigns("ranges", FEWER_CAMPAIGNS)
    seed = context.certainty.seed
    key = ("study", "rank-ranges", simulation, n, seed)

    def run(bar: Progress) -> pd.DataFrame:
        with compute.resuming_threads(context, key) as threads:
            return study_rank_ranges(
                FEW_SIZES, simulation=simulation, experiments=n, resamples=RESAMPLES, level=LEVEL,
                seed=seed, executor=threads, progress=bar,
            )  # fmt: skip

    quality = _kept(context, key, slot, run)
    title = ranges_title(quality, LEVEL)
    figure = ranges_figure(quality, level=LEVEL, title=title, mode=context.mode)
    words = range_words(n, RESAMPLES)
    _show(figure, quality, ranges_columns(), "study-ranges", words, simulation, n, seed)


def show_needed(context: ViewContext, simulation: Simulation, slot: DeltaGenerator) -> None:
    """Show after how many judgments so many pairs differ significantly (Table 4)."""
    n = _campaigns("needed", EXPERIMENTS)
    seed = context.certainty.seed
    key = ("study", "judgments-needed", simulation.systems, n, seed)
    spreads = sorted({simulation.spread, *TABLE4_SPREADS})
    cells = pd.DataFrame(
        [(simulation.systems, spread, share) for spread in spreads for share in SHARES],
        columns=["n", "sd", "share"],
    )

    def run(bar: Progress) -> pd.DataFrame:
        with compute.resuming_threads(context, key) as threads:
            return study_judgments_needed(
                cells, experiments=n, seed=seed, executor=threads, progress=bar
            )

    needed = _kept(context, (*key, *spreads), slot, run)
    figure = needed_figure(needed, title=needed_title(needed, simulation.spread), mode=context.mode)
    words = needed_words(n)
    _show(figure, needed, needed_columns(), "study-needed", words, simulation, n, seed)


def show_spread(context: ViewContext, slot: DeltaGenerator) -> None:
    """Show which spread separates simulated systems as these are separated (Figure 2)."""
    n = _campaigns("spread", EXPERIMENTS)
    seed = context.certainty.seed
    key = ("study", "spread", n, seed)
    judgments = context.judgments

    def run(bar: Progress) -> SpreadFit:
        with compute.resuming_threads(context, key) as threads:
            return fit_spread(judgments, experiments=n, seed=seed, executor=threads, progress=bar)

    fit = _kept(context, key, slot, run)
    figure = spread_figure(fit, title=spread_title(fit), mode=context.mode)
    frame = fit.to_frame()
    made_by = Provenance(extra=(("study", "spread"), ("experiments", n)), seed=seed)
    signed = str(made_by | judgments.provenance)
    _show_parts(figure, frame, spread_columns(), "study-spread", spread_words(fit), signed)


def _campaigns(study: str, few: int) -> int:
    """Return how many campaigns are simulated."""
    chosen = st.number_input(
        "Simulated campaigns", min_value=2, max_value=10_000, value=few, step=10,
        key=f"plan.campaigns_{study}", bind="query-params", width=200, help=EXPERIMENTS_HELP,
    )  # fmt: skip
    return int(chosen)


def _kept(
    context: ViewContext,
    key: tuple[object, ...],
    slot: DeltaGenerator,
    run: Callable[[Progress], T],
) -> T:
    """Simulate in chunks, which are kept: interrupted work goes on where it stopped."""
    bar = progress_in(slot, "Simulating", unit="campaigns")
    found = compute.remember(context, key, lambda: run(bar))
    slot.empty()
    return found


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
