"""The standings: scores with intervals and, over the same rows, the ranks that are possible.

The line of a rank is its range as it stands beside it; the box shows where draws of abilities, or
runs as published, mostly fall.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.names import middle_cut
from analysis.ranking.ranking import Ranking
from analysis.reporting.far_off import far_off
from dashboard.design import Inks, Mode, faded, inks
from dashboard.figures.sketch import Part, Sketch
from dashboard.figures.theme import NORMAL, SMALL, finish
from dashboard.typography import as_html, chance, percent, significant, span

RankPanel = Literal["box", "strip", "none"]
"""How ranks are drawn; none leaves the right panel out."""

ROW, HEAD, FOOT = 30, 34, 48
"""Pixels of a row, and above and below the rows."""
MANY, LOW_ROW = 25, 22
"""Above that many systems rows are low, and the axes stand on top, where one begins to read."""
GAP = 0.08
"""Share of the width between the two panels, in which a rule keeps their ticks apart."""
NAME_WIDTH = 28
LEAST_WIDTH = 640
"""Pixels under which intervals would shrink behind their dots; narrow windows scroll."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """Both ends of the thick (50%) and the thin interval of every system, in ranking order."""

    thick: FloatArray
    thin: FloatArray
    words: str


def standings_figure(
    ranking: Ranking,
    *,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    score_label: str,
    mode: Mode,
    panel: RankPanel = "box",
    most: int | None = None,
    first: int = 0,
    cut: bool = True,
) -> go.Figure:
    """Draw one row per system, best on top: ability left, ranks right, what they come to beside.

    ``most`` leaves out the systems after so many, ``first`` those before. A system far from the
    others is an arrow at the edge of a ``cut`` axis.
    A preview has no intervals and an empty right panel; nothing moves when they arrive.
    """
    ink = inks(mode)
    order = [int(k) for k in ranking.order[first:most]]
    systems = [ranking.systems[k] for k in order]
    shown = [middle_cut(names.get(s, s), NAME_WIDTH) for s in systems]
    widths = [1.0] if panel == "none" else [0.55, 0.45]
    figure = Sketch([widths], gap=GAP)
    _draw_bands(figure, ranking, order, ink)
    off = far_off(ranking.scores[order]).tolist() if cut else [0] * len(order)
    reach = _score_range(ranking, [k for k, side in zip(order, off, strict=True) if not side])
    _draw_abilities(figure, ranking, order, [colors[s] for s in systems], names, off)
    if reach is not None:
        _draw_arrows(figure, ranking, order, [colors[s] for s in systems], off, reach)
    if panel != "none":
        _part_panels(figure, widths[0], ink)
    if ranking.ranges is not None and panel != "none":
        draw = _draw_boxes if panel == "box" else _draw_strip
        draw(figure, ranking, order, [colors[s] for s in systems], ink)
    n = len(order)
    many = n > MANY
    _write_edge(figure, ranking, order, ink)
    rows: Part = dict(
        range=[n - 0.5, -0.5], tickmode="array", tickvals=list(range(n)), fixedrange=True
    )
    figure.update_yaxes(**rows, showline=False)
    figure.update_yaxes(
        ticktext=[as_html(s) for s in shown],
        tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=8,
        column=1,
    )
    if panel != "none":
        figure.update_yaxes(showticklabels=False, column=2)
    figure.update_xaxes(showgrid=True, fixedrange=True, ticks="", side="top" if many else "bottom")
    figure.update_xaxes(column=1, title=dict(text=as_html(score_label)), nticks=6, range=reach)
    if panel != "none":
        low, high = _rank_reach(ranking, order)
        room = 0.5 + 0.02 * (high - low + 1)
        ends = [low - room, high + room]
        figure.update_xaxes(column=2, title=dict(text="rank"), range=ends, **_rank_ticks(low, high))
    finished = finish(
        figure,
        mode,
        alt=standings_alt(ranking, names),
        height=HEAD + FOOT + (LOW_ROW if many else ROW) * n,
        margin=dict(l=8, r=124, t=FOOT if many else HEAD, b=HEAD if many else FOOT),
    )
    if panel != "none":
        finished.layout.meta["min_width"] = LEAST_WIDTH
    return finished


def standings_alt(ranking: Ranking, names: Mapping[str, str]) -> str:
    """Describe the figure for those who do not see it: every system with its score and ranks."""
    parts = []
    for k in ranking.order:
        words = (
            f"{names.get(ranking.systems[k], ranking.systems[k])} {significant(ranking.scores[k])}"
        )
        if ranking.ranges is not None:
            words += f", ranks {span(int(ranking.ranges.low[k]), int(ranking.ranges.high[k]))}"
        if ranking.clusters is not None:
            words += f", cluster {ranking.clusters[k]}"
        parts.append(words)
    return "Standings, best first. " + "; ".join(parts) + "."


def intervals(ranking: Ranking) -> Intervals | None:
    """Return the intervals to draw; None in a preview, and where nothing is known of them."""
    ranges = ranking.ranges
    if ranges is None:
        return None
    drawn = " of the runs" if ranking.certainty.is_published else ""
    return Intervals(
        np.stack([ranges.half_low, ranges.half_high]),
        np.stack([ranges.score_low, ranges.score_high]),
        f"thick 50%, thin {ranking.level:.0%}{drawn}",
    )


def _draw_bands(figure: Sketch, ranking: Ranking, order: Sequence[int], ink: Inks) -> None:
    """Lay a quiet band behind every second cluster and a dashed line between clusters."""
    if ranking.clusters is None:
        return
    cluster = [int(ranking.clusters[k]) for k in order]
    starts = [0, *(p for p in range(1, len(order)) if cluster[p] != cluster[p - 1]), len(order)]
    shapes: list[Part] = []
    for number, (first, end) in enumerate(itertools.pairwise(starts)):
        edges: Part = dict(xref="paper", yref="y", x0=0, x1=1, y0=first - 0.5, layer="below")
        if number % 2:
            band = dict(type="rect", y1=end - 0.5, fillcolor=ink.band, line=dict(width=0))
            shapes.append(edges | band)
        if first:
            rule = dict(color=ink.strong_rule, width=1, dash="dash")
            shapes.append(edges | dict(type="line", y1=first - 0.5, line=rule))
    figure.lay_on(shapes=shapes)


def _draw_abilities(
    figure: Sketch,
    ranking: Ranking,
    order: Sequence[int],
    colors: Sequence[str],
    names: Mapping[str, str],
    off: Sequence[int],
) -> None:
    found = intervals(ranking)
    if found is not None:
        lines: list[Part] = [
            dict(
                x=ends[:, k],
                y=[place, place],
                mode="lines",
                line=dict(color=colors[place], width=width),
                opacity=1 if width == 2 else 0.55,
                hoverinfo="skip",
            )
            for ends, width in ((found.thin, 2), (found.thick, 6))
            for place, k in enumerate(order)
            if not off[place]
        ]
        figure.add(lines)
    scores = np.where(np.asarray(off) != 0, np.nan, ranking.scores[list(order)])
    dots: Part = dict(
        x=scores,
        y=list(range(len(order))),
        mode="markers",
        marker=dict(color=list(colors), size=10, line=dict(width=0)),
        text=[_hover(ranking, found, k, names) for k in order],
        hovertemplate="%{text}<extra></extra>",
    )
    figure.add([dots])


def _draw_arrows(
    figure: Sketch,
    ranking: Ranking,
    order: Sequence[int],
    colors: Sequence[str],
    off: Sequence[int],
    reach: Sequence[float],
) -> None:
    """Point from the edge of the axis to systems that stand far off it, with their scores."""
    inset = 0.02 * (reach[1] - reach[0])
    arrows: list[Part] = []
    for place, (k, side) in enumerate(zip(order, off, strict=True)):
        if not side:
            continue
        score = significant(ranking.scores[k])
        arrow: Part = dict(
            x=[reach[0] + inset if side < 0 else reach[1] - inset],
            y=[place],
            mode="markers+text",
            marker=dict(
                color=colors[place], size=11,
                symbol="triangle-left" if side < 0 else "triangle-right",
            ),
            text=[score],
            textposition="middle right" if side < 0 else "middle left",
            hovertemplate=f"off the axis: {score}<extra></extra>",
            name="off the axis",
        )  # fmt: skip
        arrows.append(arrow)
    figure.add(arrows)


def _hover(ranking: Ranking, found: Intervals | None, k: int, names: Mapping[str, str]) -> str:
    system = ranking.systems[k]
    lines = [f"<b>{as_html(names.get(system, system))}</b>"]
    if names.get(system, system) != system:
        lines.append(as_html(system))
    lines.append(f"score {significant(ranking.scores[k])}")
    if found is not None:
        lines.append(f"{significant(found.thin[0, k])} to {significant(found.thin[1, k])}")
        lines.append(f"({found.words})")
    if system in ranking.standings.undefined:
        lines.append(as_html(ranking.standings.undefined[system]))
    return "<br>".join(lines)


def _part_panels(figure: Sketch, first_width: float, ink: Inks) -> None:
    """Draw a rule between the panels: no tick of one is read as the other's."""
    x = first_width * (1 - GAP) + GAP / 2
    rule: Part = dict(type="line", xref="paper", yref="paper", x0=x, x1=x, y0=0, y1=1)
    figure.lay_on(shapes=[rule | dict(line=dict(color=ink.strong_rule, width=1))])


def _draw_boxes(
    figure: Sketch, ranking: Ranking, order: Sequence[int], colors: Sequence[str], ink: Inks
) -> None:
    """Line = the rank range, box = where half of the draws or runs fall, dot = their mean."""
    ranges = ranking.ranges
    assert ranges is not None
    traces: list[Part] = []
    for place, (k, color) in enumerate(zip(order, colors, strict=True)):
        drawn = ranges.ranks[:, k]
        if np.isnan(drawn).all():
            traces += _range_line(ranking, k, place, color)
            continue
        q1, median, q3 = np.nanquantile(drawn, [0.25, 0.5, 0.75])
        box: Part = dict(
            type="box",
            y=[place],
            q1=[q1],
            median=[median],
            q3=[q3],
            lowerfence=[min(q1, ranges.low[k])],
            upperfence=[max(q3, ranges.high[k])],
            orientation="h",
            width=0.5,
            whiskerwidth=0.5,
            line=dict(color=color, width=1.5),
            fillcolor=faded(color, 0.28),
            hoverinfo="skip",
        )
        mean: Part = dict(
            x=[np.nanmean(drawn)],
            y=[place],
            mode="markers",
            marker=dict(color=ink.paper, size=7, line=dict(color=color, width=2)),
            text=[
                f"{_range_words(ranking, k)}<br>half of the {_drawn(ranking)} {q1:g}–{q3:g}"
                f"<br>mean {np.nanmean(drawn):.1f}"
            ],
            hovertemplate="%{text}<extra></extra>",
        )
        traces += [box, mean]
    figure.add(traces, column=2)


def _draw_strip(
    figure: Sketch, ranking: Ranking, order: Sequence[int], colors: Sequence[str], ink: Inks
) -> None:
    """Shade each rank by how often the system took it, over the line of its rank range."""
    ranges = ranking.ranges
    assert ranges is not None
    n = len(ranking.order)
    rounded = np.round(ranges.ranks)
    lines: list[Part] = []
    bars: list[Part] = []
    for place, (k, color) in enumerate(zip(order, colors, strict=True)):
        lines += _range_line(ranking, k, place, color)
        shares = [(rounded[:, k] == rank).mean() for rank in range(1, n + 1)]
        taken = [rank for rank in range(1, n + 1) if shares[rank - 1] > 0]
        bar: Part = dict(
            type="bar",
            x=[1.0] * len(taken),
            base=[rank - 0.5 for rank in taken],
            y=[place] * len(taken),
            orientation="h",
            width=0.62,
            marker=dict(
                color=[faded(color, round(0.12 + 0.88 * shares[r - 1], 3)) for r in taken],
                line=dict(color=ink.paper, width=1),
            ),
            text=[
                f"rank {rank} in {percent(shares[rank - 1])} of the {_drawn(ranking)}"
                f"<br>{_range_words(ranking, k)}"
                for rank in taken
            ],
            textposition="none",
            hovertemplate="%{text}<extra></extra>",
        )
        bars.append(bar)
    figure.add([*lines, *bars], column=2)
    figure.update_layout(barmode="overlay")


def _range_line(ranking: Ranking, k: int, place: int, color: str) -> list[Part]:
    """Draw a rank range alone; nothing where the system has no rank."""
    ranges = ranking.ranges
    assert ranges is not None
    if not ranges.low[k]:
        return []
    return [
        dict(
            x=[int(ranges.low[k]), int(ranges.high[k])],
            y=[place, place],
            mode="lines+markers",
            line=dict(color=color, width=1.5),
            marker=dict(symbol="line-ns", size=8, line=dict(color=color, width=1.5)),
            text=[_range_words(ranking, k)] * 2,
            hovertemplate="%{text}<extra></extra>",
        )
    ]


def _range_words(ranking: Ranking, k: int) -> str:
    ranges = ranking.ranges
    assert ranges is not None
    whose = "of the runs" if ranking.certainty.is_published else "for all systems at once"
    places = span(int(ranges.low[k]), int(ranges.high[k]))
    return f"rank range {places} ({ranking.level:.0%} {whose})"


def _drawn(ranking: Ranking) -> str:
    return "runs" if ranking.certainty.is_published else "draws"


def _write_edge(figure: Sketch, ranking: Ranking, order: Sequence[int], ink: Inks) -> None:
    """Write rank range and chance of being first at the right edge, under their heads.

    A chance of none is left blank.
    """
    ranges = ranking.ranges
    columns: list[tuple[int, str, list[str]]] = []
    if ranges is not None:
        first = ranges.probability_of_top(1)
        published = ranking.certainty.is_published
        head, write = ("runs first", percent) if published else ("P(first)", chance)
        columns = [
            (52, "ranks", [span(int(ranges.low[k]), int(ranges.high[k])) for k in order]),
            (118, head, ["" if first[k] == 0 else write(first[k]) for k in order]),
        ]
    notes: list[Part] = []
    for shift, head, texts in columns:
        common: Part = dict(xref="paper", x=1, xshift=shift, xanchor="right", showarrow=False)
        top = dict(yref="paper", y=1, yshift=16, font=dict(size=SMALL, color=ink.quiet))
        notes.append(common | top | dict(text=head))
        here = dict(yref="y", font=dict(size=NORMAL, color=ink.text))
        notes += [common | here | dict(y=place, text=text) for place, text in enumerate(texts)]
    figure.lay_on(notes=notes)


def _score_range(ranking: Ranking, order: Sequence[int]) -> list[float] | None:
    """Leave a little room beside the widest interval; None where no system has a score."""
    found = intervals(ranking)
    ends = ranking.scores[order]
    if found is not None:
        ends = np.concatenate([ends, found.thin[:, order].ravel()])
    if np.isnan(ends).all():
        return None
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = 0.05 * (high - low) or 0.5
    return [low - room, high + room]


def _rank_reach(ranking: Ranking, order: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last rank to show: all, or those that the systems shown may have."""
    n = len(ranking.order)
    if len(order) == n or ranking.ranges is None:
        return 1, max(n if len(order) == n else len(order), 1)
    known = [k for k in order if ranking.ranges.low[k]]
    if not known:
        return 1, n
    return int(ranking.ranges.low[known].min()), int(ranking.ranges.high[known].max())


def _rank_ticks(low: int, high: int) -> Part:
    n = high - low + 1
    step = 1 if n <= 9 else -(-n // 6)
    return dict(tickmode="array", tickvals=list(range(low, high + 1, step)), tickangle=0)
