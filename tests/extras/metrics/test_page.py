"""Metrics: an example at once, the user's own beside the campaign's scores, refusals in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from analysis.extras.metrics.beside_people import PeoplesScores, beside_people
from analysis.extras.metrics.reading import Metric
from analysis.formats import read_path
from dashboard.extras.metrics.figures import metrics_figure
from dashboard.figures.theme import alt_text
from dashboard.session import state
from tests.drawing_text import drawn_text
from tests.opening import open_address, with_upload

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"


def headline(page: object) -> str:
    return str(next(m.value for m in page.markdown if m.value.startswith("# ")))  # type: ignore[attr-defined]


def test_nothing_made_up_is_shown_under_a_campaign_of_rankings() -> None:
    page = open_address("metrics", method="Expected Wins")
    assert not page.exception
    assert "No metric scores are loaded" in headline(page)
    assert not page.get("plotly_chart")


def test_the_example_is_a_campaign_of_its_own() -> None:
    page = open_address("metrics", campaign="Example")
    assert not page.exception
    assert "soft pairwise accuracy" in headline(page)
    assert page.session_state["podium"].view.label == "Example"


def uploaded(table: bytes) -> AppTest:
    """Upload scores of metrics on Data and open Metrics."""
    campaign = read_path(str(EXAMPLES / "scores.csv"))[0]
    data = open_address("data", with_upload(campaign))
    data.file_uploader(key="metrics.file").upload("metrics.csv", table, "text/csv").run()
    return open_address("metrics", data.session_state["podium"], campaign=state.UPLOADED)


def test_metrics_are_compared_with_the_campaigns_own_scores() -> None:
    page = uploaded((EXAMPLES / "metrics" / "metrics.csv").read_bytes())
    assert not page.exception
    page.multiselect(key="metrics.low").select("errors").run()
    assert "soft pairwise accuracy" in headline(page)
    assert page.dataframe[0].value["metric"].tolist() == ["errors", "careful", "overlap"]
    broken = uploaded(b"name,bleu\na,1\n")
    assert not broken.exception
    assert "cannot be compared with human judgments" in headline(broken)


def test_the_figure_marks_groups_and_names_are_text() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(40, 4)) + np.arange(4)
    systems, segments = ("a", "b", "c", "d"), tuple(str(k) for k in range(40))
    people = PeoplesScores(systems, segments, scores, scores.mean(axis=0))

    def metric(name: str, said: np.ndarray) -> Metric:
        rows = {
            s: {str(k): float(v) for k, v in enumerate(said[:, i])} for i, s in enumerate(systems)
        }
        return Metric(name, by_segment=rows)

    board = beside_people(people, [metric("<b>good", scores), metric("bad", -scores)])
    figure = metrics_figure(board, title="t", mode="dark")
    assert [shape.y0 for shape in figure.layout.shapes] == [0.5]
    assert list(figure.data[0].x) == [1.0, board.soft[1]]
    assert "<b>good" not in drawn_text(figure)
    assert "bad" in alt_text(figure)
