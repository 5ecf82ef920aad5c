"""An answer with the one before the change as a ghost behind it, and curves over a setting."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray, IntArray
from analysis.findings.changes import Answer
from analysis.names import middle_cut
from analysis.reporting.far_off import far_off
from dashboard.design import Inks, Mode, faded, inks
from dashboard.figures.sketch import Part, Sketch
from dashboard.figures.theme import NORMAL, SMALL, finish
from dashboard.typography import as_html, significant

ROW, HEAD, FOOT, CURVES, GAP = 28, 64, 50, 160, 96
NAME_WIDTH = 24


@dataclass(frozen=True, eq=False)
class Curve:
    """Something over the values of a setting; ``level`` is a line that it is compared with.

    Above ``top``, if given, the panel ends. A count changes in steps.
    """

    title: str
    values: FloatArray
    is_share: bool = False
    level: float = float("nan")
    level_label: str = ""
    top: float = float("nan")
    is_count: bool = False


@dataclass(frozen=True, eq=False)
class Curves:
    """One or two curves over the same values, with the value now and others worth a mark."""

    x: FloatArray
    x_label: str
    panels: tuple[Curve, ...]
    now: float
    marks: tuple[tuple[float, str], ...]
    x_is_share: bool = False


def answer_figure(
    before: Answer,
    after: Answer,
    *,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    score_label: str,
    mode: Mode,
    title: str,
    curves: Curves | None = None,
    with_ghost: bool = True,
    rows: slice = slice(None),
    cut: bool = True,
) -> go.Figure:
    """Draw one row per system, best on top: the answer in color, the one before in gray behind.

    Bands and dashed lines are the new clusters, dotted lines the old ones where they differ. The
    curves, if there are any, stand below. ``rows`` are the places to show; a system far from the
    others is an arrow at the edge of a ``cut`` axis.
    """
    ink = inks(mode)
    systems = after.names[rows]
    n = max(len(systems), 1)
    rows_height = ROW * n
    figure, height = _frame(rows_height, curves)
    if curves is not None:
        _draw_curves(figure, curves, ink)
    off = sides_off(after, rows) if cut else {}
    shown = [s for s in systems if s not in off]
    reach = _score_range(shown, before if with_ghost else after, after)
    ghost = _ghost(before, ink.quiet, names, systems, off) if with_ghost else []
    figure.add(ghost + _now(after, colors, names, rows, off, reach))
    figure.lay_on(
        shapes=_cluster_shapes(before, after, systems, ink),
        notes=_edge_notes(before, after, rows, ink),
    )
    figure.update_yaxes(
        range=[n - 0.5, -0.5],
        tickmode="array",
        tickvals=list(range(len(systems))),
        ticktext=[as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in systems],
        tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=8,
        showline=False,
        fixedrange=True,
        row=1,
    )
    figure.update_xaxes(
        title=dict(text=as_html(score_label)),
        range=reach,
        showgrid=True,
        fixedrange=True,
        nticks=7,
        row=1,
    )
    return finish(
        figure,
        mode,
        title=title,
        alt=_alt(before, after, names),
        height=height,
        margin=dict(l=8, r=110, t=HEAD, b=FOOT),
    )


def sides_off(answer: Answer, rows: slice) -> dict[str, int]:
    """Return the systems of a part that are far off the others, and on which side."""
    sides = far_off(answer.scores[answer.order[rows]]).tolist()
    return {s: side for s, side in zip(answer.names[rows], sides, strict=True) if side}


def _score_range(systems: Sequence[str], *answers: Answer) -> list[float] | None:
    """Leave a little room beside the widest interval of both answers."""
    parts = [
        p[[a.systems.index(s) for s in systems if s in a.systems]]
        for a in answers
        for p in (a.scores, a.low, a.high)
        if p is not None
    ]
    known = np.concatenate(parts)
    known = known[np.isfinite(known)]
    if not len(known):
        return None
    room = 0.04 * float(np.ptp(known)) or 0.5
    return [float(known.min()) - room, float(known.max()) + room]


def _frame(rows_height: int, curves: Curves | None) -> tuple[Sketch, int]:
    """Return an empty figure of one panel, or of one over the curves' panels, and its height."""
    if curves is None:
        return Sketch(), HEAD + FOOT + rows_height
    inner = rows_height + GAP + CURVES
    figure = Sketch(
        [[1.0], [1.0] * len(curves.panels)],
        [rows_height, CURVES],
        gap=0.13,
        row_gap=GAP / inner,
    )
    return figure, HEAD + FOOT + inner


def _cluster_shapes(before: Answer, after: Answer, systems: Sequence[str], ink: Inks) -> list[Part]:
    """Return bands of the new clusters, dashed lines between, dotted ones where lines were."""
    new = [after.cluster_of(s) for s in systems]
    old = [before.cluster_of(s) for s in systems]
    across: Part = dict(xref="paper", yref="y", x0=0, x1=1, layer="below")
    starts = [p for p in range(1, len(systems)) if new[p] != new[p - 1]]
    shapes: list[Part] = []
    for number, (first, end) in enumerate(itertools.pairwise([0, *starts, len(systems)])):
        if number % 2:
            band: Part = dict(type="rect", y0=first - 0.5, y1=end - 0.5, fillcolor=ink.band)
            shapes.append({**across, **band, "line": dict(width=0)})
    for place in range(1, len(systems)):
        is_new, was = new[place] != new[place - 1], old[place] != old[place - 1]
        if not is_new and not (was and None not in (old[place], old[place - 1])):
            continue
        rule = dict(color=ink.strong_rule, width=1, dash="dash" if is_new else "dot")
        line: Part = dict(type="line", y0=place - 0.5, y1=place - 0.5, line=rule)
        shapes.append({**across, **line, "name": "cluster" if is_new else "ghost"})
    return shapes


def _ghost(
    answer: Answer,
    color: str,
    names: Mapping[str, str],
    systems: Sequence[str],
    off: Mapping[str, int],
) -> list[Part]:
    """Return the answer before, in the rows of the new one."""
    rows = [(place, s) for place, s in enumerate(systems) if s in answer.systems and s not in off]
    index = [answer.systems.index(s) for _, s in rows]
    places = [place for place, _ in rows]
    traces: list[Part] = []
    if answer.low is not None and answer.high is not None:
        x, y = _segments(answer.low[index], answer.high[index], places)
        line = dict(color=faded(color, 0.28), width=13)
        traces.append(dict(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    words = [
        f"{as_html(names.get(s, s))} before: {significant(answer.scores[k])}"
        for (_, s), k in zip(rows, index, strict=True)
    ]
    edge = dict(width=2.5, color=faded(color, 0.75))
    marker = dict(symbol="line-ns", size=17, line=edge)
    scores = dict(x=answer.scores[index].tolist(), y=places, mode="markers", marker=marker)
    traces.append(dict(scores, name="before", text=words, hovertemplate="%{text}<extra></extra>"))
    return traces


def _segments(
    low: FloatArray, high: FloatArray, places: Sequence[int]
) -> tuple[list[float | None], list[float | None]]:
    """Return one broken line of many: both ends, then a gap."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, a, b in zip(places, low.tolist(), high.tolist(), strict=True):
        x += [a, b, None]
        y += [place, place, None]
    return x, y


def _now(
    answer: Answer,
    colors: Mapping[str, str],
    names: Mapping[str, str],
    rows: slice,
    off: Mapping[str, int],
    reach: Sequence[float] | None,
) -> list[Part]:
    """Return the new answer: an interval a system, as it has its own color, and all the dots.

    One that is far off has an arrow at the edge instead.
    """
    systems, order = answer.names[rows], answer.order[rows]
    traces: list[Part] = []
    words = []
    for place, (system, k) in enumerate(zip(systems, order, strict=True)):
        lines = [f"<b>{as_html(names.get(system, system))}</b>"]
        lines.append(f"now {significant(answer.scores[k])}")
        if answer.low is not None and answer.high is not None:
            low, high = float(answer.low[k]), float(answer.high[k])
            lines.append(f"{significant(low)} to {significant(high)}")
            line = dict(color=colors[system], width=3)
            if system not in off:
                ends = dict(x=[low, high], y=[place, place], mode="lines", line=line)
                traces.append(dict(ends, hoverinfo="skip"))
        words.append("<br>".join(lines))
    if reach is not None:
        traces += _arrows(answer, systems, order, colors, off, reach)
    marker = dict(color=[colors[s] for s in systems], size=10)
    scores = [
        None if s in off else float(answer.scores[k]) for s, k in zip(systems, order, strict=True)
    ]
    dots = dict(x=scores, y=list(range(len(systems))), marker=marker)
    hover = dict(text=words, hovertemplate="%{text}<extra></extra>")
    traces.append(dict(dots, mode="markers", name="now", **hover))
    return traces


def _arrows(
    answer: Answer,
    systems: Sequence[str],
    order: IntArray,
    colors: Mapping[str, str],
    off: Mapping[str, int],
    reach: Sequence[float],
) -> list[Part]:
    inset = 0.02 * (reach[1] - reach[0])
    arrows: list[Part] = []
    for place, (system, k) in enumerate(zip(systems, order, strict=True)):
        side = off.get(system, 0)
        if side:
            arrow: Part = dict(
                x=[reach[0] + inset if side < 0 else reach[1] - inset], y=[place],
                mode="markers+text", text=[significant(answer.scores[k])], hoverinfo="skip",
                textposition="middle right" if side < 0 else "middle left", name="off the axis",
                marker=dict(
                    color=colors[system], size=11,
                    symbol="triangle-left" if side < 0 else "triangle-right",
                ),
            )  # fmt: skip
            arrows.append(arrow)
    return arrows


def _edge_notes(before: Answer, after: Answer, rows: slice, ink: Inks) -> list[Part]:
    """Return place and cluster for the right edge, with what they were where they changed."""
    # Places compare among the systems that both answers rank.
    rank = {s: p for p, s in enumerate((s for s in before.names if s in after.names), start=1)}
    now = {s: p for p, s in enumerate((s for s in after.names if s in rank), start=1)}
    columns: list[tuple[int, str, list[tuple[str, str]]]] = [
        (52, "place", [_pair(now.get(s, p), rank.get(s)) for p, s in enumerate(after.names, 1)])
    ]
    if after.clusters is not None:
        cells = [_pair(after.cluster_of(s), before.cluster_of(s)) for s in after.names]
        columns.append((104, after.part, cells))
    notes: list[Part] = []
    for shift, head, cells in columns:
        common: Part = dict(
            xref="paper", yref="y", x=1, xshift=shift, xanchor="right", showarrow=False
        )
        small = dict(size=SMALL, color=ink.quiet)
        notes.append(dict(common, text=head, y=-0.5, yshift=12, font=small))
        for place, (new, old) in enumerate(cells[rows]):
            text = f"{old} → <b>{new}</b>" if old else new
            font = dict(size=NORMAL, color=ink.text)
            notes.append(dict(common, text=text, y=place, font=font))
    return notes


def _pair(new: int | None, old: int | None) -> tuple[str, str]:
    """Return a cell's number, and the one before where it was another."""
    return "–" if new is None else str(new), "" if old in (None, new) else str(old)


def _draw_curves(figure: Sketch, curves: Curves, ink: Inks) -> None:
    for column, panel in enumerate(curves.panels, start=1):
        traces: list[Part] = [
            dict(
                x=curves.x,
                y=panel.values,
                mode="lines",
                name=panel.title,
                line=dict(color=ink.accent, width=2, shape="hvh" if panel.is_count else "linear"),
                hovertemplate=f"%{{x:.4~g}}: %{{y:{'.1%' if panel.is_share else '.3f'}}}"
                f"<extra>{as_html(panel.title)}</extra>",
            )
        ]
        if np.isfinite(panel.level):
            _draw_level(figure, panel, column, ink)
        low, high = _panel_range(panel)
        shown = np.clip(panel.values, low, high)
        middle, side = float(np.ptp(shown) / 2 + shown.min()), ""
        for x, label in curves.marks:
            # Every label on the other side than the one before, so that none lie on each other.
            is_low = float(np.interp(x, curves.x, panel.values)) < middle
            is_below = side == "top" if side else is_low
            side = "bottom" if is_below else "top"
            # The first panel names the marks; a second one repeats them where room is short.
            named = label if column == 1 else ""
            traces.append(_mark(curves, panel, x, ink.quiet, named, side, is_now=False))
        traces.append(_mark(curves, panel, curves.now, ink.text, "", "top"))
        figure.add(traces, 2, column)
        figure.update_yaxes(
            2, column, tickformat=".0%" if panel.is_share else "~g", showgrid=True,
            fixedrange=True, range=[low, high], **_few_ticks(panel),
        )  # fmt: skip
        figure.update_xaxes(
            2, column, title=dict(text=as_html(curves.x_label)), fixedrange=True, nticks=5,
            tickformat=".0%" if curves.x_is_share else "~g",
        )  # fmt: skip
        left, top = figure.corner(2, column)
        head: Part = dict(
            text=f"<b>{as_html(panel.title)}</b>", xref="paper", yref="paper", x=left, y=top,
            yshift=30, xanchor="left", showarrow=False, font=dict(size=NORMAL, color=ink.text),
        )  # fmt: skip
        figure.lay_on(notes=[head])


def _draw_level(figure: Sketch, panel: Curve, column: int, ink: Inks) -> None:
    """Draw what a curve is compared with, with its name at the right end."""
    x, y = figure.axes(2, column)
    here: Part = dict(xref=f"{x} domain", yref=y)
    rule = dict(color=ink.strong_rule, width=1, dash="dot")
    line: Part = dict(type="line", x0=0, x1=1, y0=panel.level, y1=panel.level, line=rule)
    name: Part = dict(
        text=as_html(panel.level_label), x=1, y=panel.level, xanchor="right", yanchor="bottom",
        showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip
    figure.lay_on(shapes=[here | line], notes=[here | name])


def _panel_range(panel: Curve) -> list[float]:
    """Leave room above and below, where marks have their names."""
    known = panel.values[np.isfinite(panel.values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if np.isfinite(panel.level):
        low, high = min(low, panel.level), max(high, panel.level)
    high = min(high, panel.top) if np.isfinite(panel.top) else high
    room = 0.18 * (high - low) or 0.5
    return [low - room, high + room]


def _few_ticks(panel: Curve) -> Part:
    """A count has whole numbers on its axis."""
    if not panel.is_count:
        return dict(nticks=5)
    step = max(1, int(np.ceil(np.ptp(panel.values) / 5)))
    return dict(dtick=step, tick0=0)


def _mark(
    curves: Curves,
    panel: Curve,
    x: float,
    color: str,
    label: str,
    side: str,
    is_now: bool = True,
) -> Part:
    """Mark a value on the curve: now as a full dot, others as open ones with their name."""
    y = float(np.interp(x, curves.x, panel.values))
    return dict(
        x=[x],
        y=[y],
        mode="markers+text" if label else "markers",
        text=[as_html(label)],
        textposition=f"{side} {_beside(x, curves.x)}",
        textfont=dict(size=SMALL, color=color),
        cliponaxis=False,
        name=label or ("now" if is_now else "mark"),
        marker=dict(
            size=11, symbol="circle" if is_now else "diamond-open", color=color, line=dict(width=2)
        ),
        hoverinfo="skip",
    )


def _beside(x: float, values: FloatArray) -> str:
    """Keep a label inside the panel."""
    share = (x - values[0]) / ((values[-1] - values[0]) or 1)
    return "right" if share < 0.3 else "left" if share > 0.7 else "center"


def _alt(before: Answer, after: Answer, names: Mapping[str, str]) -> str:
    was = {s: place for place, s in enumerate(before.names, start=1)}
    parts = []
    for place, system in enumerate(after.names, start=1):
        words = (
            f"{names.get(system, system)} {significant(after.scores[after.systems.index(system)])}"
        )
        if after.cluster_of(system):
            words += f", {after.part} {after.cluster_of(system)}"
        if was.get(system, place) != place:
            words += f", was at place {was[system]}"
        parts.append(words)
    return "After the change, best first: " + "; ".join(parts) + "."
