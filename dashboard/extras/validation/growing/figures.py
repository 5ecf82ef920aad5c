"""What campaigns of so many judgments would have said: clusters by size, abilities with bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import plotly.graph_objects as go

from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Ranks, Row, Rows, cuts_of
from analysis.extras.validation.growing.growing import ClusterGrowth, Trainings
from analysis.extras.validation.prediction.learning_curves import LearningCurve
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges
from analysis.wording import fixed
from dashboard.design import PALETTE, Mode
from dashboard.extras.validation.lines import line_of, lines_figure
from dashboard.figures.collect import Line
from dashboard.figures.theme import as_figure


def growth_figure(
    growth: ClusterGrowth, *, shown: Mapping[str, str], title: str, mode: Mode
) -> go.Figure:
    """Draw the mean number of clusters by size; bands reach from the fewest to the most."""
    lines = [
        line_of(
            method, shown.get(method, method), mode, x=growth.sizes,
            y=found.mean(axis=1).tolist(), low=found.min(axis=1).tolist(),
            high=found.max(axis=1).tolist(),
        )
        for method, found in zip(growth.methods, growth.clusters, strict=True)
    ]  # fmt: skip
    return lines_figure(
        lines, title=title, axis="clusters", mode=mode, written="{:.1f}".format, tickformat="d",
        log=True,
    )  # fmt: skip


def groups_figure(curves: Mapping[str, LearningCurve], *, title: str, mode: Mode) -> go.Figure:
    """Draw each group's accuracy on the same test set; bands cover all trials."""
    lines = []
    for (group, curve), color in zip(curves.items(), PALETTE[mode], strict=False):
        x = [p.size for p in curve.points]
        low, y, high = np.transpose(
            [(p.accuracy.min(), p.accuracy.mean(), p.accuracy.max()) for p in curve.points]
        ).tolist()
        lines.append(Line(group, color, "solid", "circle", x, y, low, high))
    return lines_figure(lines, title=title, axis="accuracy", mode=mode, from_zero=False, log=True)


def ranks_figure(
    ranges: RankRanges, *, title: str, label: str, name: Callable[[str], str], look: Look
) -> go.Figure:
    """Draw every system's ranks over the runs: quartiles as a box, whiskers to the extremes."""
    assert ranges.ranks is not None
    order = [k for k in ranges.order if ranges.rank_best[k]]
    clusters = clusters_from_ranges(ranges)
    rows, said = [], []
    for k in order:
        least, q1, median, q3, most = np.quantile(ranges.ranks[:, k], [0, 0.25, 0.5, 0.75, 1])
        words = f"ranks {least:g} to {most:g}, half {q1:g} to {q3:g}"
        mean = float(ranges.ranks[:, k].mean())
        box = Ranks(int(least), int(np.ceil(most)), mean, words, box=(q1, median, q3))
        system, score = ranges.systems[k], float(ranges.mean[k])
        rows.append(Row(system, name(system), score, ranks=box))
        said.append(f"{system} {words}")
    cuts = cuts_of([int(clusters[k]) for k in order])
    alt = f"{title}. {'; '.join(said)}."
    scene = Rows(tuple(rows), label, alt, cuts=cuts, rank_axis=(1, len(order)))
    return as_figure(rows_json(scene, look, title=title), look.mode or "light")


def trainings_figure(
    found: Trainings, *, title: str, label: str, name: Callable[[str], str], look: Look
) -> go.Figure:
    """Draw the mean score of every system, best on top, its bar the deviation over trainings."""
    rows = []
    for k in found.order[np.isfinite(found.mean[found.order])]:
        mean, deviation = float(found.mean[k]), float(found.deviation[k])
        words = (f"mean {fixed(mean)}", f"standard deviation {fixed(deviation)}")
        bar = (mean - deviation, mean + deviation)
        rows.append(Row(found.systems[k], name(found.systems[k]), mean, thin=bar, words=words))
    said = [f"{row.system} {', '.join(row.words)}" for row in rows]
    alt = f"{title}. {'; '.join(said)}."
    scene = Rows(tuple(rows), label, alt)
    return as_figure(rows_json(scene, look, title=title), look.mode or "light")
