"""The picture of rows as Plotly JSON: intervals, rank ranges, bands, columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from analysis.colors import faded
from analysis.drawing.look import SMALL_MULTIPLE, Look, in_lines
from analysis.drawing.rows import Column, Ends, Ranks, Row, Rows
from analysis.drawing.sketch import Part, Sketch
from analysis.drawing.svg.axes import round_ticks, write_number
from analysis.drawing.svg.lettering import text_width
from analysis.escaping import as_html
from analysis.names import middle_cut
from analysis.wording import significant

WIDTHS = (0.55, 0.45)
"""Shares of the width of the panels of scores and of ranks."""
GAP = 0.08
"""Share of the width between the two panels, in which a rule keeps their ticks apart."""
BETWEEN = 18
"""Pixels between two columns of text."""
LEAST_WIDTH = 640
"""Pixels under which intervals would shrink behind their dots; narrow windows scroll."""


def rows_json(scene: Rows, look: Look, *, title: str = "", height: float | None = None) -> Part:
    """Return the whole picture of a scene as Plotly JSON."""
    with_ranks = scene.rank_axis is not None
    sketch = Sketch([WIDTHS if with_ranks else [1.0]], gap=GAP)
    draw_rows(sketch, scene, look)
    sizes, on_top = look.sizes, len(scene.rows) > look.sizes.many
    head, foot = (sizes.foot, sizes.head) if on_top else (sizes.head, sizes.foot)
    title = in_lines(title)
    head += 20 * (1 + title.count("\n")) if title else 0
    return sketch.dressed(
        look.mode,
        title=title,
        alt=scene.alt,
        height=height or head + foot + row_height(scene, look) * scene.n_lines,
        min_width=LEAST_WIDTH if with_ranks and not look.narrow else 0,
        margin=dict(l=sizes.left or 8, r=right_margin(scene, look), t=head, b=foot),
        width=sizes.width,
    )


def row_height(scene: Rows, look: Look) -> float:
    """Return the pixels of a row: less above so many systems, more with text below the names."""
    sizes = look.sizes
    if look.narrow and scene.columns:
        return max(sizes.row, 2.9 * sizes.text)
    return sizes.dense if len(scene.rows) > sizes.many else sizes.row


def right_margin(scene: Rows, look: Look) -> float:
    """Return the room that the columns of text take at the right edge."""
    return 8 + (0 if look.narrow else sum(_width(column, look) for column in scene.columns))


def _width(column: Column, look: Look) -> float:
    widths = text_width(column.widest, look.sizes.text), text_width(column.head, look.sizes.small)
    return round(max(widths) + BETWEEN)


def draw_rows(sketch: Sketch, scene: Rows, look: Look) -> None:
    """Draw the rows into the first panels of a sketch: scores, then ranks where there are any."""
    n, reach, sizes, ink = len(scene.rows), scene.reach, look.sizes, look.ink
    sketch.lay_on(shapes=boundaries(scene, look), notes=_columns(scene, look))
    sketch.add(_ghosts(scene, look))
    sketch.add(_intervals(scene, look))
    sketch.add([_dots(scene, look)])
    if reach is not None:
        sketch.add(_arrows(scene, look, reach))
    axis: Part = dict(range=[scene.n_lines - 0.5, -0.5], tickvals=list(range(n)), fixedrange=True)
    names = [_label(row, scene.columns, look) for row in scene.rows]
    sketch.update_yaxes(1, tickmode="array", showline=False, **axis)
    sketch.update_yaxes(
        1, 1, ticktext=names, tickfont=dict(size=sizes.text, color=ink.text), ticks="",
        ticklabelstandoff=8, automargin=sizes.left is None,
    )  # fmt: skip
    letters = dict(size=sizes.small, color=ink.quiet)
    across: Part = dict(
        showgrid=True, fixedrange=True, ticks="", tickmode="array", tickangle=0, tickfont=letters,
        side="top" if n > sizes.many else "bottom", automargin=sizes.left is None,
    )  # fmt: skip

    def titled(words: str) -> Part:
        size = min(max(sizes.small, sizes.text), 1.2 * sizes.small)
        return dict(text=as_html(words), font=letters | dict(size=size))

    sketch.update_xaxes(
        1,
        1,
        **across,
        **score_ticks(reach, narrow=look.sizes is SMALL_MULTIPLE),
        title=titled(scene.score_label),
    )
    if scene.rank_axis is not None:
        _draw_ranks(sketch, scene, look)
        sketch.update_yaxes(1, 2, showticklabels=False)
        sketch.update_xaxes(1, 2, **across, **_rank_ticks(*scene.rank_axis), title=titled("rank"))


def score_ticks(reach: Ends | None, *, narrow: bool = False) -> Part:
    """Return an axis' ends and two ticks or more at round numbers, the same in every form."""
    if reach is None:
        return dict(tickvals=[], ticktext=[])
    ticks: list[float] = []
    for most in (4, 6, 10) if narrow else (6, 10):
        low, high = min(reach), max(reach)
        ticks = [tick for tick in round_ticks(low, high, most) if low <= tick <= high]
        if len(ticks) > 2 - narrow:
            break
    decimals = max((len(f"{tick:g}".partition(".")[2]) for tick in ticks), default=0)
    form = f".{decimals}f" if decimals else ""
    return dict(range=list(reach), tickvals=ticks, ticktext=[write_number(t, form) for t in ticks])


def _rank_ticks(low: int, high: int) -> Part:
    room = 0.5 + 0.02 * (high - low + 1)
    step = 1 if high - low < 9 else -(-(high - low + 1) // 6)
    ranks = list(range(low, high + 1, step))
    return dict(range=[low - room, high + room], tickvals=ranks, ticktext=list(map(str, ranks)))


def boundaries(scene: Rows, look: Look) -> list[Part]:
    """Return the shapes behind the rows: quiet bands, and lines where groups part."""
    ink = look.ink
    across: Part = dict(xref="paper", yref="y", x0=0, x1=1, layer="below")
    bands = [
        dict(across, type="rect", y0=first - 0.5, y1=end - 0.5, fillcolor=ink.band, name="band",
             line=dict(width=0))
        for first, end in scene.bands
    ]  # fmt: skip
    lines = [
        dict(across, type="line", y0=row - 0.5, y1=row - 0.5,
             name="cluster" if dash == "dash" else "ghost",
             line=dict(color=ink.strong_rule, width=1, dash=dash))
        for row, dash in scene.cuts
    ]  # fmt: skip
    return [*bands, *lines]


def _label(row: Row, columns: Sequence[Column], look: Look) -> str:
    name = as_html(middle_cut(row.name, look.sizes.name))
    if not (look.narrow and row.cells):
        return name
    both = [(cell.now, column.unit) for cell, column in zip(row.cells, columns, strict=True)]
    texts = as_html(" · ".join(f"{now} {unit}".strip() for now, unit in both if now)) or " "
    style = f"font-size:{look.sizes.small:g}px;color:{look.ink.quiet}"
    return f"{name}<br><span style='{style}'>{texts}</span>"


def _ghosts(scene: Rows, look: Look) -> list[Part]:
    """Return the answer before: wide gray bars and a tick at each score."""
    ghosts = [(k, row.ghost) for k, row in enumerate(scene.rows) if row.ghost and not row.side]
    if not ghosts:
        return []
    x: list[float | None] = []
    y: list[float | None] = []
    for k, ghost in ghosts:
        if ghost.interval is not None:
            x += [*ghost.interval, None]
            y += [k, k, None]
    color, scale = look.ink.quiet, look.sizes.dot / 10
    bars = dict(x=x, y=y, mode="lines", line=dict(color=faded(color, 0.28), width=13 * scale))
    ticks = dict(
        x=[ghost.score for _, ghost in ghosts],
        y=[k for k, _ in ghosts],
        mode="markers",
        marker=dict(
            symbol="line-ns", size=17 * scale, line=dict(width=2.5, color=faded(color, 0.75))
        ),
        name="before",
        text=[as_html(ghost.words) for _, ghost in ghosts],
        hovertemplate="%{text}<extra></extra>",
    )
    return [dict(bars, hoverinfo="skip"), ticks] if x else [ticks]


def _intervals(scene: Rows, look: Look) -> list[Part]:
    """Return the thin lines of all systems, then the thick ones over them."""
    sizes = look.sizes
    return [
        dict(
            x=list(ends),
            y=[k, k],
            mode="lines",
            line=dict(color=look.color(row.system), width=width),
            opacity=opacity,
            hoverinfo="skip",
            name=kind,
        )
        for kind, width, opacity in (("thin", sizes.thin, 1), ("thick", sizes.thick, 0.55))
        for k, row in enumerate(scene.rows)
        for ends in [row.thin if kind == "thin" else row.thick]
        if ends is not None and not row.side
    ]


def _dots(scene: Rows, look: Look) -> Part:
    return dict(
        x=[None if row.side or np.isnan(row.score) else row.score for row in scene.rows],
        y=list(range(len(scene.rows))),
        mode="markers",
        marker=dict(
            color=[look.ink.paper if row.hollow else look.color(row.system) for row in scene.rows],
            size=look.sizes.dot,
            line=dict(
                width=[2 if row.hollow else 0 for row in scene.rows],
                color=[look.color(row.system) for row in scene.rows],
            ),
        ),
        text=[_hover(row) for row in scene.rows],
        hovertemplate="%{text}<extra></extra>",
        name="now",
    )


def _hover(row: Row) -> str:
    named = [] if row.name == row.system else [row.system]
    words = "<br>".join(as_html(line) for line in (*named, *row.words))
    return f"<b>{as_html(row.name)}</b><br>{words}"


def _arrows(scene: Rows, look: Look, reach: Ends) -> Iterable[Part]:
    """Point from the edge of the axis to systems that are far off it, with their scores."""
    inset = 0.02 * (reach[1] - reach[0])
    for k, row in enumerate(scene.rows):
        if row.side:
            left = row.side < 0
            score = significant(row.score)
            yield dict(
                x=[reach[0] + inset if left else reach[1] - inset],
                y=[k],
                mode="markers+text",
                marker=dict(
                    color=look.color(row.system),
                    size=look.sizes.dot * 1.1,
                    symbol="triangle-left" if left else "triangle-right",
                ),
                text=[score],
                textfont=dict(size=look.sizes.small),
                textposition="middle right" if left else "middle left",
                hovertemplate=f"off the axis: {score}<extra></extra>",
                name="off the axis",
            )


def _columns(scene: Rows, look: Look) -> list[Part]:
    """Return the columns of text at the right edge under their heads, and what is left out."""
    sizes, ink = look.sizes, look.ink
    notes: list[Part] = []
    shift = 0.0
    for place, column in enumerate(() if look.narrow else scene.columns):
        shift += _width(column, look)
        common: Part = dict(xref="paper", x=1, xshift=shift, xanchor="right", showarrow=False)
        small = dict(size=sizes.small, color=ink.quiet)
        notes.append(
            common | dict(yref="paper", y=1, yshift=sizes.small + 4, text=column.head, font=small)
        )
        font = dict(size=sizes.text, color=ink.text)
        for k, row in enumerate(scene.rows):
            cell = row.cells[place]
            words = as_html(cell.now)
            if cell.was:
                words = f"{as_html(cell.was)} → <b>{words}</b>"
            notes.append(common | dict(yref="y", y=k, text=words, font=font))
    if scene.left_out:
        more: Part = dict(
            xref="paper", x=0, xanchor="right", xshift=-12, yref="y", y=len(scene.rows),
            showarrow=False, text=f"and {scene.left_out} more",
            font=dict(size=sizes.small, color=ink.quiet),
        )  # fmt: skip
        notes.append(more)
    return notes


def _draw_ranks(sketch: Sketch, scene: Rows, look: Look) -> None:
    """Draw each rank range: as a line, or as a box with whiskers."""
    x = WIDTHS[0] * (1 - GAP) + GAP / 2
    rule: Part = dict(type="line", xref="paper", yref="paper", x0=x, x1=x, y0=0, y1=1)
    sketch.lay_on(shapes=[rule | dict(line=dict(color=look.ink.strong_rule, width=1))])
    marks: list[Part] = []
    for place, row in enumerate(scene.rows):
        if row.ranks is None:
            continue
        color = look.color(row.system)
        if row.ranks.box is not None:
            marks += _box(row.ranks, place, color, look.ink.paper)
        else:
            marks += _range(row.ranks, place, color, look.ink.paper)
    sketch.add(marks, column=2)


def _range(ranks: Ranks, place: int, color: str, paper: str) -> list[Part]:
    """Return a rank range as a line with caps, and the system's own rank."""
    shown: Part = dict(text=[ranks.words] * 2, hovertemplate="%{text}<extra></extra>")
    line = dict(
        x=[ranks.best, ranks.worst],
        y=[place, place],
        mode="lines+markers",
        line=dict(color=color, width=1.5),
        marker=dict(symbol="line-ns", size=8, line=dict(color=color, width=1.5)),
        name="range",
    )
    return [line | shown, _middle(ranks, place, color, paper)]


def _box(ranks: Ranks, place: int, color: str, paper: str) -> list[Part]:
    """Return the quartiles as a box, the ends of the range as its whiskers, the mean as a dot."""
    assert ranks.box is not None
    q1, median, q3 = ranks.box
    box: Part = dict(
        type="box",
        y=[place],
        q1=[q1],
        median=[median],
        q3=[q3],
        lowerfence=[min(q1, ranks.best)],
        upperfence=[max(q3, ranks.worst)],
        orientation="h",
        width=0.5,
        whiskerwidth=0.5,
        line=dict(color=color, width=1.5),
        fillcolor=faded(color, 0.28),
        hoverinfo="skip",
    )
    return [box, _middle(ranks, place, color, paper)]


def _middle(ranks: Ranks, place: int, color: str, paper: str) -> Part:
    return dict(
        x=[ranks.middle],
        y=[place],
        mode="markers",
        marker=dict(
            color=color if ranks.filled else paper, size=7, line=dict(color=color, width=2)
        ),
        text=[ranks.words],
        hovertemplate="%{text}<extra></extra>",
        name="rank",
    )
