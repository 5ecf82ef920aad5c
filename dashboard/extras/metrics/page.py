"""Metrics: which automatic metrics order systems and outputs as people do."""

from __future__ import annotations

from hashlib import sha256

import pandas as pd
import streamlit as st

from analysis.errors import PodiumError
from analysis.extras.metrics.beside_people import MetricsBoard, PeoplesScores, beside_people
from analysis.extras.metrics.correlations import correlations
from analysis.extras.metrics.findings import (
    CORRELATIONS,
    MEASURES,
    correlation_finding,
    how_groups_are_made,
    metrics_finding,
    what_dots_mean,
)
from analysis.extras.metrics.reading import read_metrics
from analysis.wording import capital
from dashboard.compute import store
from dashboard.compute.contexts import is_example
from dashboard.extras.metrics.figures import metrics_figure
from dashboard.extras.metrics.files import file_of
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    show_figure,
    show_frame,
    show_sentences,
    signature,
)

ERRORS_IN_EXAMPLE = ("errors",)


def show() -> None:
    """Compare metrics with the campaign's human scores."""
    context = require_campaign()
    file = file_of(context)
    if file is None:
        headline(context, "Metrics", "No metric scores are loaded", of_method=False)
        note("Upload scores of metrics on Data.")
        return
    head = st.empty()
    low_is_good = _choose_low(context, *file)
    try:
        board, notes, measured = _measure(context, *file, low_is_good)
    except PodiumError as error:
        with head.container():
            headline(context, "Metrics", "These metrics cannot be compared with human judgments")
            explain(error)
        return
    finding = correlation_finding(measured) if board is None else metrics_finding(board)
    with head.container():
        headline(context, "Metrics", capital(finding), of_method=False)
    if board is not None:
        _show_board(context, board, notes, finding)
    _show_correlations(measured)


def _choose_low(context: ViewContext, name: str, data: bytes) -> tuple[str, ...]:
    """Ask for which metrics a low score is good."""
    key = ("metrics", "names", sha256(data).hexdigest(), context.pair)

    def names() -> list[str]:
        return [one.name for one in read_metrics(name, data, context.pair).metrics]

    try:
        found: list[str] = store.session_memory().results.get_or_make(key, names)
    except PodiumError:
        return ()
    usual = [one for one in found if one in ERRORS_IN_EXAMPLE and is_example(context.campaign)]
    low = st.multiselect(
        "Low scores are good for",
        found,
        default=usual,
        key="metrics.low",
        help="Metrics that count errors, such as TER.",
    )
    return tuple(low)


def _measure(
    context: ViewContext, name: str, data: bytes, low_is_good: tuple[str, ...]
) -> tuple[MetricsBoard | None, tuple[str, ...], pd.DataFrame]:
    """Measure once; only the result is kept, in this session. Rankings have no board."""
    seed, judgments = context.certainty.seed, context.judgments

    def make() -> tuple[MetricsBoard | None, tuple[str, ...], pd.DataFrame]:
        file = read_metrics(name, data, context.pair, low_is_good)
        board = None
        if judgments.scores is not None:
            board = beside_people(PeoplesScores.of(judgments), file.metrics, seed)
        return board, file.notes, correlations(judgments, file.metrics, seed)

    key = ("metrics", *context.data_key, sha256(data).hexdigest(), low_is_good, seed)
    with st.spinner("Measuring …", show_time=True):
        return store.session_memory().results.get_or_make(key, make)


def _show_correlations(measured: pd.DataFrame) -> None:
    st.markdown("## Correlations")
    note(" ".join(CORRELATIONS.values()))
    show_frame(measured.style.format(precision=3, na_rep=""))
    downloads("metric-correlations", measured)


def _show_board(
    context: ViewContext, board: MetricsBoard, notes: tuple[str, ...], finding: str
) -> None:
    figure = metrics_figure(board, title=what_dots_mean(board), mode=context.mode)
    show_figure(figure, key="figure.metrics")
    note(how_groups_are_made(board))
    show_sentences([*notes, *board.notes])
    column = st.column_config
    show_frame(
        board.to_frame(),
        placeholder="",
        columns={
            "metric": column.TextColumn("Metric", width=240),
            **{
                name: column.NumberColumn(title, format="%.3f", help=meaning)
                for name, (title, meaning) in MEASURES.items()
            },
            "epsilon": column.NumberColumn(
                "ε", format="%.3g", help="Scores at most this far apart are a tie of the metric"
            ),
            "group": column.NumberColumn("Group", help=how_groups_are_made(board) or None),
            "systems": column.NumberColumn("Systems", help="Scored by humans and by the metric"),
        },
    )  # fmt: skip
    signature(board.signature)
    downloads("metrics", board.to_frame, figure, finding, board.signature)
