"""A notebook's figures are plain JSON that Plotly takes, with the same pictures as the pages."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from analysis.colors import Mode, system_colors
from analysis.drawing.plots import matrix_plot, methods_plot, standings_plot
from analysis.drawing.svg import picture_file
from analysis.names import short_names
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import Ranking, rank
from analysis.samples import sample_campaign
from dashboard.figures.scenes import standings_figure


@pytest.fixture(scope="module")
def rankings() -> list[Ranking]:
    judgments = sample_campaign("wmt14-fr-en").judgments()
    return [rank(judgments, ExpectedWins()), rank(judgments, BradleyTerry())]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_plot_is_json_that_plotly_and_files_take(rankings: list[Ranking], mode: Mode) -> None:
    plots = (
        standings_plot(rankings[0], mode=mode),
        matrix_plot(rankings[0], mode=mode),
        methods_plot(rankings, mode=mode),
    )
    for plot in plots:
        written = json.dumps(plot, allow_nan=False)
        figure = go.Figure(json.loads(written))
        assert figure.layout.meta["alt"]
        for name in short_names(rankings[0].systems).values():
            assert name in written
        assert picture_file(plot, "png").startswith(b"\x89PNG")


def test_a_notebook_shows_the_standings_of_the_page(rankings: list[Ranking]) -> None:
    ranking = rankings[0]
    page = standings_figure(
        ranking,
        names=short_names(ranking.systems),
        colors=system_colors(ranking.judgments.all_systems, "light"),
        score_label=ExpectedWins.score_label,
        mode="light",
    )
    plot = go.Figure(standings_plot(ranking))
    assert page.to_plotly_json()["data"] == plot.to_plotly_json()["data"]
    assert page.layout.annotations == plot.layout.annotations
    assert page.layout.shapes == plot.layout.shapes
