"""Figures of rankings for a notebook: Plotly JSON, made without Plotly and without a dashboard.

``plotly.graph_objects.Figure(standings_plot(ranking))`` shows one, `analysis.drawing.svg` makes a
file of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.colors import Mode, system_colors
from analysis.comparing.comparison import Column, compare
from analysis.comparing.head_to_head import head_to_head_by
from analysis.drawing.look import Look
from analysis.drawing.matrix import clusters_in_order, matrix_json, matrix_scene
from analysis.drawing.reordering import reordering_json, reordering_scene
from analysis.drawing.row_picture import rows_json
from analysis.drawing.sketch import Part
from analysis.drawing.standings import standings_scene
from analysis.findings.comparison import finding
from analysis.findings.head_to_head import observed_title
from analysis.names import short_names
from analysis.rankers import RANKERS
from analysis.ranking.ranking import Ranking
from analysis.wording import capital


def standings_plot(ranking: Ranking, *, mode: Mode = "light") -> Part:
    """Return the standings: scores with 50% and 95% intervals, rank ranges, tiers, clusters."""
    names = short_names(ranking.systems)
    label = RANKERS[ranking.standings.method].score_label
    return rows_json(standings_scene(ranking, names, label), _look(ranking, mode))


def matrix_plot(ranking: Ranking, *, mode: Mode = "light") -> Part:
    """Return head to head in standings order: the share of decided judgments that each row won."""
    judgments, names = ranking.judgments, short_names(ranking.systems)
    table = head_to_head_by(ranking.standings, judgments, ranking.order)
    scene = matrix_scene(
        table,
        None,
        "observed",
        verdict=ranking.verdict,
        names=names,
        title=capital(observed_title(table, ranking.verdict, names.__getitem__)),
        clusters=clusters_in_order(ranking.clusters, ranking.order),
    )
    return matrix_json(scene, _look(ranking, mode))


def methods_plot(rankings: Sequence[Ranking], *, mode: Mode = "light") -> Part:
    """Return the orders of two or more methods side by side, with what moves between them."""
    columns = [
        Column.from_ranking(ranking, RANKERS[ranking.standings.method].title)
        for ranking in rankings
    ]
    comparison = compare(columns)
    names = short_names(comparison.systems)
    title = finding(comparison, names.__getitem__)
    return reordering_json(
        reordering_scene(comparison, names), _look(rankings[0], mode), title=title
    )


def _look(ranking: Ranking, mode: Mode) -> Look:
    return Look(system_colors(ranking.judgments.color_places, mode), mode)
