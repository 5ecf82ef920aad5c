"""Scores: estimates of quality, labels, metric scores and search results, measured."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_html
from analysis.extras.scores.findings import scores_finding, what_best_means
from analysis.extras.scores.reading import Choices, read_scores
from analysis.extras.scores.scoreboard import Scoreboard
from analysis.shipped import DATA
from analysis.wording import capital
from dashboard.compute import store
from dashboard.compute.contexts import is_example
from dashboard.design import Mode
from dashboard.extras.scores.figures import scores_figure
from dashboard.extras.scores.files import Files, files_of
from dashboard.session import state
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import (
    downloads,
    explain,
    heading,
    headline,
    note,
    show_figure,
    show_frame,
    show_sentences,
    signature,
)

EXAMPLES = DATA / "examples" / "scores"
FILES = {
    "Quality estimates": ("estimates.csv",),
    "Word labels": ("words.csv",),
    "Metric scores": ("metrics.csv",),
    "Search results": ("relevance.txt", "run-good.txt", "run-poor.txt"),
}


def show() -> None:
    """Measure the user's files, or the example's."""
    context = require_campaign()
    top, choices_row, body = (st.container() for _ in range(3))
    with choices_row:
        files = files_of(context)
        if not files and is_example(context.campaign):
            files = _choose_example()
    if not files:
        with top:
            headline(context, "Scores", "No scores are loaded", of_method=False, of_pair=False)
            note("Upload quality estimates, word labels or search results on Data.")
        return
    with choices_row:
        choices = _choose_reading(context)
    try:
        board = _measure(files, choices)
    except PodiumError as error:
        with top:
            st.markdown("# These files cannot be measured")
            explain(error)
        return
    with choices_row:
        m = _choose_measure(board)
    finding = scores_finding(board, m)
    with top:
        st.html(f'<p class="podium-eyebrow">{as_html(f"Scores · {board.title}")}</p>')
        heading(capital(finding))
        state.session().finding = ("Scores", finding)
    with body:
        _show_measure(board, m, finding, context.mode)


def _choose_example() -> Files:
    example = choose("Example", FILES, "scores.example")
    return tuple((name, (EXAMPLES / name).read_bytes()) for name in FILES[example])


def _choose_reading(context: ViewContext) -> Choices:
    """Ask for what files leave open."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        low_is_good = st.toggle(
            "Low scores are good", value=False, key="scores.low", bind="query-params",
            help="As for TER or HTER, which count errors.",
        )  # fmt: skip
        gold = ""
        if not is_example(context.campaign):
            gold = st.text_input(
                "Column of human scores", placeholder="found by its name", key="scores.gold",
                help="Leave it empty if the column is called gold, human, hter, label or score.",
            )  # fmt: skip
    return Choices(gold=str(gold or ""), low_is_good=bool(low_is_good))


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
    show_frame(
        board.to_frame(m).drop(columns="measure"),
        placeholder="",
        columns={
            "system": "System",
            "value": st.column_config.NumberColumn(measure.title, format="%.3f"),
            "low": st.column_config.NumberColumn(f"{board.level:.0%} from", format="%.3f"),
            "high": st.column_config.NumberColumn("to", format="%.3f"),
            "may_be_best": "May be the best",
            "from_baseline": "Next to the baseline",
        },
    )  # fmt: skip
    signature(str(board.provenance))
    downloads(name, board.to_frame, figure, finding, str(board.provenance), of_view=False)
