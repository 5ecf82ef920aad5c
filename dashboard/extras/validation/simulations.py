"""Koehn's studies on simulated campaigns of known truth, each shown with its finding."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.extras.validation.simulation.campaigns import Simulation
from analysis.extras.validation.simulation.findings import (
    EXPERIMENTS_HELP,
    error_title,
    error_words,
    named,
    needed_title,
    needed_words,
    range_words,
    ranges_title,
    simulated_words,
    spread_title,
    spread_words,
)
from analysis.extras.validation.simulation.koehn2012 import (
    study_judgments_needed,
    study_rank_ranges,
    study_ranking_error,
)
from analysis.extras.validation.simulation.spread_fit import EXPERIMENTS, fit_spread
from analysis.next_campaign.evidence import fit_evidence, spread_like
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.extras.validation.model_tables import (
    FORMATS,
    errors_columns,
    needed_columns,
    ranges_columns,
    spread_columns,
)
from dashboard.extras.validation.simulation_figures import (
    errors_figure,
    needed_figure,
    ranges_figure,
    spread_figure,
)
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, show_figure, show_frame, signature

T = TypeVar("T")

SIZES = (5_000, 10_000, 20_000, 30_000, 50_000)
SHARES = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
TABLE4_SPREADS = (7.0, 10.0, 12.0)
FEW_SIZES = (10_000, 30_000, 50_000)
FEW_CAMPAIGNS, FEWER_CAMPAIGNS, RESAMPLES, LEVEL = 200, 24, 200, 0.95
"""What takes seconds; the paper has 10,000 campaigns, and 400 of 1,000 resamples each."""


def show_errors(context: ViewContext) -> str:
    """Show how often each method puts two systems in the wrong order (Figure 3)."""
    shown, n, simulation = _settings(context, "errors", FEW_CAMPAIGNS)
    study = partial(study_ranking_error, SIZES, simulation=simulation)
    with shown:
        errors = _simulated(context, "errors", n, study, (simulation,))
        title = error_title(errors)
        figure = errors_figure(errors, title=title, mode=context.mode)
        made_by = _made_by(context, "errors", n, simulation)
        _show(figure, errors, errors_columns(), "study-errors", error_words(n), made_by)
    return title


def show_ranges(context: ViewContext) -> str:
    """Show how often rank ranges and clusters are wrong, and how wide they are (Table 1)."""
    shown, n, simulation = _settings(context, "ranges", FEWER_CAMPAIGNS)
    study = partial(
        study_rank_ranges, FEW_SIZES, simulation=simulation, resamples=RESAMPLES, level=LEVEL
    )
    with shown:
        quality = _simulated(context, "ranges", n, study, (simulation,))
        title = ranges_title(quality, LEVEL)
        figure = ranges_figure(quality, level=LEVEL, title=title, mode=context.mode)
        made_by = _made_by(context, "ranges", n, simulation)
        words = range_words(n, RESAMPLES)
        _show(figure, quality, ranges_columns(), "study-ranges", words, made_by)
    return title


def show_needed(context: ViewContext) -> str:
    """Show after how many judgments so many pairs differ significantly (Table 4)."""
    shown, n, simulation = _settings(context, "needed", EXPERIMENTS)
    spreads = sorted({simulation.spread, *TABLE4_SPREADS})
    cells = pd.DataFrame(
        [(simulation.systems, spread, share) for spread in spreads for share in SHARES],
        columns=["n", "sd", "share"],
    )
    study, parts = partial(study_judgments_needed, cells), (simulation.systems,)
    with shown:
        needed = _simulated(context, "needed", n, study, parts, tuple(spreads))
        title = needed_title(needed, simulation.spread)
        figure = needed_figure(needed, title=title, mode=context.mode)
        made_by = _made_by(context, "needed", n, simulation)
        _show(figure, needed, needed_columns(), "study-needed", needed_words(n), made_by)
    return title


def show_spread(context: ViewContext) -> str:
    """Show which spread separates simulated systems as these are separated (Figure 2)."""
    shown, n, _ = _settings(context, "spread", EXPERIMENTS, is_sized=False)
    study = partial(fit_spread, context.judgments)
    with shown:
        fit = _simulated(context, "spread", n, study, ())
        title = spread_title(fit)
        figure = spread_figure(fit, title=title, mode=context.mode)
        made_by = _made_by(context, "spread", n) | context.judgments.provenance
        _show(figure, fit.to_frame(), spread_columns(), "study-spread", spread_words(fit), made_by)
    return title


def _settings(
    context: ViewContext, name: str, few: int, *, is_sized: bool = True
) -> tuple[DeltaGenerator, int, Simulation]:
    """Return a place for the answer, above the settings: how many campaigns, of what kind."""
    shown = st.container()
    with st.expander("Settings of this page", icon=":material/tune:"):
        left, middle, right = st.columns(3, gap="large")
        n = left.number_input(
            "Simulated campaigns", min_value=2, max_value=10_000, value=few, step=10,
            key=f"plan.campaigns_{name}", bind="query-params", help=EXPERIMENTS_HELP,
        )  # fmt: skip
        evidence = compute.remember(context, ("evidence",), lambda: fit_evidence(context.judgments))
        spread, n_systems = spread_like(evidence), len(evidence.systems)
        if is_sized:
            systems = middle.number_input(
                "Systems", min_value=2, max_value=50, value=None,
                placeholder=f"{n_systems}, as here", key="plan.systems", bind="query-params",
            )  # fmt: skip
            chosen = right.number_input(
                "Standard deviation of outputs", min_value=1.0, max_value=100.0, value=None,
                step=1.0, format="%.1f", placeholder=f"{spread:.1f}, as here", key="plan.spread",
                bind="query-params",
                help=(
                    "The systems' own abilities are uniform between 0 and 10. The larger this is, "
                    "the more similar the systems look to a judge. Koehn (2012) used 7 to 12."
                ),
            )  # fmt: skip
            spread, n_systems = float(chosen or spread), int(systems or n_systems)
            with shown:
                note(simulated_words(n_systems, spread, systems is None, chosen is None))
    return shown, int(n), Simulation(systems=n_systems, spread=round(spread, 1))


def _simulated(
    context: ViewContext,
    name: str,
    n: int,
    study: Callable[..., T],
    parts: tuple[Hashable, ...],
    more: tuple[Hashable, ...] = (),
) -> T:
    """Return what comes of ``n`` simulated campaigns.

    Chunks are kept by the ``parts``, the whole also by ``more``: interrupted work goes on where it
    stopped.
    """
    slot, seed = st.empty(), context.certainty.seed
    key = ("study", name, *parts, n, seed)
    bar = progress_in(slot, "Simulating", unit="campaigns")

    def run() -> T:
        with compute.resuming_threads(context, key) as threads:
            return study(experiments=n, seed=seed, executor=threads, progress=bar)

    found = compute.remember(context, (*key, *more), run)
    slot.empty()
    return found


def _made_by(
    context: ViewContext, name: str, n: int, simulation: Simulation | None = None
) -> Provenance:
    return Provenance(
        settings=simulation.signature() if simulation else "",
        extra=(("study", name), ("experiments", n)),
        seed=context.certainty.seed,
    )


def _show(
    figure: go.Figure, frame: pd.DataFrame, columns: dict[str, Any], name: str, words: str,
    made_by: Provenance,
) -> None:  # fmt: skip
    show_figure(figure, f"figure.{name}")
    note(words)
    titled = frame
    if "method" in frame:
        titled = frame.assign(method=frame["method"].map(named))
    written = {name: how for name, how in FORMATS.items() if name in frame}
    shown = titled.style.format(dict[str, Any](written))
    show_frame(shown, columns)
    signature(str(made_by))
    downloads(name, frame, figure, "Simulated campaigns.", str(made_by))
