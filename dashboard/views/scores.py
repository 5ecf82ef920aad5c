"""Scores: estimates of quality, labels, metric scores and search results, measured."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.scores import MEANING, scores_finding, what_best_means
from analysis.scores.reading import Choices, read_scores
from analysis.scores.scoreboard import Scoreboard
from dashboard.compute import store
from dashboard.design import Mode
from dashboard.figures.scores import scores_figure
from dashboard.session import state
from dashboard.session.view import require_campaign
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

EXAMPLES = Path(__file__).parents[2] / "data" / "examples" / "scores"
FILES = {
    "Quality estimates": ("estimates.csv",),
    "Word labels": ("words.csv",),
    "Metric scores": ("metrics.csv",),
    "Search results": ("relevance.txt", "run-good.txt", "run-poor.txt"),
}
MOST_MEGABYTES = 100

Files = tuple[tuple[str, bytes], ...]
"""Names and contents."""


def show() -> None:
    """Measure the user's files, or an example."""
    context = require_campaign()
    top, choices_row, body, bottom = (st.container() for _ in range(4))
    with bottom:
        uploaded, choices = _choose_files()
    with choices_row:
        files = uploaded or _choose_example()
    try:
        board = _measure(files, choices)
    except PodiumError as error:
        with top:
            st.html('<p class="podium-eyebrow">Scores</p>')
            st.markdown("# These files cannot be measured")
            explain(error)
        return
    with choices_row:
        m = _choose_measure(board)
    finding = scores_finding(board, m)
    with top:
        st.html(f'<p class="podium-eyebrow">{as_html(f"Scores · {board.title}")}</p>')
        heading(capital(finding))
        state.note_finding("Scores", finding)
    with body:
        _show_measure(board, m, finding, context.mode)


def _choose_example() -> Files:
    example = st.segmented_control(
        "Example (made up)", list(FILES), default=next(iter(FILES)), required=True,
        key="scores.example", bind="query-params",
    )  # fmt: skip
    return tuple((name, (EXAMPLES / name).read_bytes()) for name in FILES[str(example)])


def _choose_files() -> tuple[Files, Choices]:
    """Return the user's own files, none at first, and what files leave open."""
    st.markdown("## Your own scores")
    uploaded = st.file_uploader(
        "Your own scores", accept_multiple_files=True, max_upload_size=MOST_MEGABYTES,
        key="scores.files", help=MEANING, label_visibility="collapsed",
    )  # fmt: skip
    note(MEANING)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        low_is_good = st.toggle(
            "Low scores are good", value=False, key="scores.low", bind="query-params",
            help="As for TER or HTER, which count errors.",
        )  # fmt: skip
        gold = ""
        if uploaded:
            gold = st.text_input(
                "Column of people's scores", placeholder="found by its name", key="scores.gold",
                help="Leave it empty where the column is called gold, human, hter, label or score.",
            )  # fmt: skip
    files = tuple((file.name, file.getvalue()) for file in uploaded)
    return files, Choices(gold=str(gold or ""), low_is_good=bool(low_is_good))


def _measure(files: Files, choices: Choices) -> Scoreboard:
    """Measure once; only the result is kept, in this session."""
    content = sha256()
    for name, data in files:
        content.update(repr((name, len(data))).encode() + data)
    key = ("scores", content.hexdigest(), choices)
    with st.spinner("Measuring …", show_time=True):
        return store.session_memory().results.get_or_make(key, lambda: read_scores(files, choices))


def _choose_measure(board: Scoreboard) -> int:
    if len(board.measures) == 1:
        return 0
    titles = [measure.title for measure in board.measures]
    chosen = st.selectbox("Measure", titles, key=f"scores.measure.{board.title}")
    return titles.index(chosen)


def _show_measure(board: Scoreboard, m: int, finding: str, mode: Mode) -> None:
    """Show one measure; the downloads hold all of them."""
    measure = board.measures[m]
    name = f"scores-{measure.name}"
    figure = scores_figure(board, m, title=finding, mode=mode)
    show_figure(figure, key="figure.scores")
    note(f"{measure.title}: {measure.help}. {what_best_means(board)}")
    show_sentences(board.notes)
    st.dataframe(
        board.to_frame(m).drop(columns="measure"),
        hide_index=True, width="stretch", placeholder="",
        column_config={
            "system": "System",
            "value": st.column_config.NumberColumn(measure.title, format="%.3f"),
            "low": st.column_config.NumberColumn(f"{board.level:.0%} from", format="%.3f"),
            "high": st.column_config.NumberColumn("to", format="%.3f"),
            "may_be_best": "May be the best",
        },
    )  # fmt: skip
    signature(str(board.provenance))
    downloads(name, board.to_frame, figure, finding, str(board.provenance), of_view=False)
