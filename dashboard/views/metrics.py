"""Metrics: which automatic metrics order systems and outputs as people do."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.metrics import MEASURES, how_groups_are_made, metrics_finding, what_dots_mean
from analysis.formats import read_path
from analysis.metrics import MetricsBoard, PeoplesScores, beside_people, read_metrics
from analysis.metrics.reading import MEANING
from dashboard.compute import store
from dashboard.figures.metrics import metrics_figure
from dashboard.session import state
from dashboard.session.view import ViewContext, require_campaign
from dashboard.typography import as_html, capital
from dashboard.widgets.explain import explain
from dashboard.widgets.result_card import (
    downloads,
    heading,
    note,
    show_figure,
    show_sentences,
    signature,
)

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
EXAMPLE = "scores.csv", "metrics/metrics.csv"
ERRORS_IN_EXAMPLE = ("errors",)
MOST_MEGABYTES = 200


def show() -> None:
    """Measure the user's metrics beside the campaign's scores; else show an example."""
    context = require_campaign()
    top, body, bottom = (st.container() for _ in range(3))
    has_scores = context.judgments.scores is not None
    with bottom:
        name, data, low_is_good = _choose_file(context, has_scores)
    try:
        board, notes = _measure(context, name, data, low_is_good)
    except PodiumError as error:
        with top:
            st.html('<p class="podium-eyebrow">Metrics</p>')
            st.markdown("# These metrics cannot be set beside people")
            explain(error)
        return
    about = "Metrics" if data else "Metrics · Example (made up)"
    finding = metrics_finding(board)
    with top:
        st.html(f'<p class="podium-eyebrow">{as_html(about)}</p>')
        heading(capital(finding))
        state.note_finding("Metrics", finding)
        if not data:
            note(
                "This is an example. Upload scores of metrics below to set them beside this "
                "campaign's people."
                if has_scores
                else "This is an example: the campaign at hand holds rankings, and metrics are set "
                "beside scores of outputs. Upload direct assessment, ESA or MQM on Data."
            )
    with body:
        _show_board(context, board, notes, finding)


def _choose_file(context: ViewContext, has_scores: bool) -> tuple[str, bytes, tuple[str, ...]]:
    """Return the user's file of metrics, empty where there is none, and whose low ends are good."""
    if not has_scores:
        return "", b"", ERRORS_IN_EXAMPLE
    st.markdown("## Your own metrics")
    uploaded = st.file_uploader(
        "Scores of metrics", max_upload_size=MOST_MEGABYTES, key="metrics.file", help=MEANING,
        label_visibility="collapsed",
    )  # fmt: skip
    note(MEANING)
    if uploaded is None:
        return "", b"", ERRORS_IN_EXAMPLE
    data = uploaded.getvalue()

    def names() -> list[str]:
        return [one.name for one in read_metrics(uploaded.name, data, context.pair).metrics]

    try:
        key = ("metrics", "names", uploaded.file_id, context.pair)
        found: list[str] = store.session_memory().results.get_or_make(key, names)
    except PodiumError:
        return uploaded.name, data, ()
    low = st.multiselect(
        "Low scores are good for", found, key="metrics.low",
        help="Metrics that count errors, such as TER.",
    )  # fmt: skip
    return uploaded.name, data, tuple(low)


def _measure(
    context: ViewContext, name: str, data: bytes, low_is_good: tuple[str, ...]
) -> tuple[MetricsBoard, tuple[str, ...]]:
    """Measure once; only the result is kept, in this session."""
    seed = context.certainty.seed

    def make() -> tuple[MetricsBoard, tuple[str, ...]]:
        judgments, pair = context.judgments, context.pair
        file_name, content = name, data
        if not data:
            people, metrics = (EXAMPLES / part for part in EXAMPLE)
            judgments = read_path(str(people))[0].judgments()
            file_name, content, pair = metrics.name, metrics.read_bytes(), ""
        file = read_metrics(file_name, content, pair, low_is_good)
        return beside_people(PeoplesScores.of(judgments), file.metrics, seed), file.notes

    of_view = context.data_key if data else ()
    key = ("metrics", *of_view, sha256(data).hexdigest(), low_is_good, seed)
    with st.spinner("Measuring …", show_time=True):
        return store.session_memory().results.get_or_make(key, make)


def _show_board(
    context: ViewContext, board: MetricsBoard, notes: tuple[str, ...], finding: str
) -> None:
    figure = metrics_figure(board, title=what_dots_mean(board), mode=context.mode)
    show_figure(figure, key="figure.metrics")
    note(how_groups_are_made(board))
    show_sentences([*notes, *board.notes])
    column = st.column_config
    st.dataframe(
        board.to_frame(),
        hide_index=True, width="stretch", placeholder="",
        column_config={
            "metric": column.TextColumn("Metric", width=240),
            **{
                name: column.NumberColumn(title, format="%.3f", help=meaning)
                for name, (title, meaning) in MEASURES.items()
            },
            "epsilon": column.NumberColumn(
                "ε", format="%.3g", help="Scores at most this far apart are a tie of the metric"
            ),
            "group": column.NumberColumn("Group", help=how_groups_are_made(board) or None),
            "systems": column.NumberColumn("Systems", help="Scored by people and by the metric"),
        },
    )  # fmt: skip
    signature(board.signature)
    downloads("metrics", board.to_frame, figure, finding, board.signature, of_view=False)
