"""Metrics: an example at once, the user's own beside the campaign's scores, refusals in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.formats import read_path
from analysis.metrics import Metric, PeoplesScores, beside_people
from dashboard.figures.metrics import metrics_figure
from dashboard.figures.theme import alt_text
from tests.drawing import drawn_text
from tests.opening import open_address, with_upload

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"


def headline(page: object) -> str:
    return str(next(m.value for m in page.markdown if m.value.startswith("# ")))  # type: ignore[attr-defined]


def test_a_campaign_of_rankings_sees_an_example_and_why() -> None:
    page = open_address("metrics", method="Expected Wins")
    assert not page.exception
    assert "soft pairwise accuracy" in headline(page)
    assert any("holds rankings" in element.proto.body for element in page.get("html"))
    assert "metrics.file" not in [uploader.key for uploader in page.file_uploader]


def test_metrics_are_set_beside_the_campaigns_own_scores() -> None:
    campaign = read_path(str(EXAMPLES / "scores.csv"))[0]
    page = open_address("metrics", with_upload(campaign))
    table = (EXAMPLES / "metrics" / "metrics.csv").read_bytes()
    page.file_uploader(key="metrics.file").upload("metrics.csv", table, "text/csv").run()
    assert not page.exception
    page.multiselect(key="metrics.low").select("errors").run()
    assert "soft pairwise accuracy" in headline(page)
    assert page.dataframe[0].value["metric"].tolist() == ["errors", "careful", "overlap"]
    table = b"name,bleu\na,1\n"
    page.file_uploader(key="metrics.file").upload("words.csv", table, "text/csv").run()
    assert not page.exception
    assert "cannot be set beside people" in headline(page)


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
