"""Before and after: another state of the campaign beside the one that all pages show."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import rank
from tests.opening import open_address

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"


def open_page(**link: str) -> AppTest:
    return open_address("what-if", question="Before and after", method="Expected Wins", **link)


def texts(app: AppTest) -> str:
    return " ".join(str(block.value) for block in (*app.markdown, *app.html))


def test_it_opens_on_the_first_half_of_the_tasks() -> None:
    app = open_page()
    assert not app.exception
    assert "significant" in texts(app)


def test_figure_table_and_sentence_compare_the_first_part_with_the_rest() -> None:
    """The whole contains the first part, so that it would hide a part of any change."""
    app = open_page()
    said = texts(app)
    assert "only now" not in said
    counts = re.search(r"Before: ([\d,]+) .*?; now: ([\d,]+) in the rest", said)
    assert counts is not None
    judgments = app.session_state["podium"].view.judgments
    n = judgments.n_tasks
    first, rest = (int(part.replace(",", "")) for part in counts.groups())
    assert (first, rest) == (round(n / 2), n - round(n / 2))
    scores = rank(judgments.take_tasks(np.arange(first, n)), ExpectedWins()).standings.scores
    (table,) = (t.value for t in app.dataframe if "score_before" in t.value)
    assert sorted(table["score"]) == pytest.approx(sorted(scores))
    assert "The rest in color" in str(app.get("plotly_chart")[0].proto)


def test_leaving_out_judges_is_another_state() -> None:
    app = open_page(state="Without some judges")
    assert "Choose a snapshot to compare with" in texts(app)
    judges = app.multiselect(key="state.judges")
    judges.select(judges.options[0]).run()
    assert not app.exception
    assert "0 tasks only before" in texts(app)


def test_another_file_without_common_systems_is_refused_in_words() -> None:
    app = open_page(state="Another file")
    name = "arena.csv"
    app.file_uploader(key="state.file").upload(name, (EXAMPLES / name).read_bytes(), "text/csv")
    app.run()
    assert not app.exception
    assert "cannot be compared" in texts(app)


def test_a_broken_file_is_told_and_the_page_stays() -> None:
    app = open_page(state="Another file")
    app.file_uploader(key="state.file").upload("x.csv", b"nothing\n", "text/csv")
    app.run()
    assert not app.exception
    assert "Choose a snapshot to compare with" in texts(app)
    assert "does not recognize these columns" in texts(app)
