"""Methods side by side: each one's order in a column, lines from system to system."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from analysis.colors import MAX_COLORED, system_colors
from analysis.comparing.comparison import Column, Comparison, Swap
from analysis.names import middle_cut
from dashboard.design import Inks, Mode, faded, inks
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, in_lines, lay_on
from dashboard.typography import as_html, count

ROW, HEAD, FOOT = 28, 96, 16
HALF = 0.31
"""Half of a column's width, in columns; lines are slanted only between."""
LETTERS, LETTER = 88, 7.4
"""Letters of names that fit side by side in all columns together, and pixels of one."""


@dataclass(frozen=True)
class Line:
    """A system's way from one column to the next, places from 1, and what it crosses."""

    system: str
    column: int
    start: int
    end: int
    crosses: bool
    matters: bool


def reordering_figure(
    comparison: Comparison,
    *,
    title: str,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    official: Sequence[int],
    chosen: tuple[str, str] | None,
    mode: Mode,
    rows: slice = slice(None),
) -> go.Figure:
    """Draw the methods' orders; ``official`` are the sizes of the published clusters, or empty.

    ``rows`` are the places to show; lines that leave them go on beyond the edge.

    Lines that cross nothing are gray; those that cross only what neither method tells apart are
    pale and dotted; the others have the system's color. A dot on every crossing of neighboring
    columns takes clicks, with both systems as its data, the first method's upper one first.
    """
    ink = inks(mode)
    n_columns = len(comparison.columns)
    first, end, _ = rows.indices(len(comparison.systems))
    lines = way_lines(comparison)
    figure = go.Figure()
    _draw_official(figure, official, n_columns, ink)
    _draw_lines(figure, lines, _line_colors(lines, comparison, colors, mode), chosen, ink)
    _write_columns(figure, comparison, names, ink, (first, end))
    _draw_crossings(figure, comparison, names, ink)
    figure.update_xaxes(range=[-0.5, n_columns - 0.5], visible=False, fixedrange=True)
    figure.update_yaxes(
        range=[end + 0.5, first + 0.5],
        tickmode="array",
        tickvals=list(range(first + 1, end + 1)),
        showline=False,
        ticks="",
        fixedrange=True,
    )
    figure.update_layout(hovermode="closest", hoverdistance=14)
    title = in_lines(title)
    head = HEAD + 20 * title.count("\n")
    finish(
        figure,
        mode,
        title=title,
        alt=f"{title}. {_alt(comparison, names)}",
        height=head + FOOT + ROW * (end - first),
        margin=dict(l=8, r=8, t=head, b=FOOT),
    )
    letters = max(len(middle_cut(names.get(s, s), _letters(n_columns))) for s in comparison.systems)
    figure.layout.meta["min_width"] = n_columns * max(130, round(letters * LETTER / (2 * HALF)))
    return figure


def way_lines(comparison: Comparison) -> list[Line]:
    """Return every system's line between neighboring columns."""
    lines = []
    for m in range(len(comparison.columns) - 1):
        swaps = swaps_between(comparison, m)
        crossing = {name for s in swaps for name in (s.upper, s.lower)}
        mattering = {name for s in swaps if not s.is_open for name in (s.upper, s.lower)}
        lines += [
            Line(
                name,
                m,
                int(comparison.places[m, k]),
                int(comparison.places[m + 1, k]),
                name in crossing,
                name in mattering,
            )
            for k, name in enumerate(comparison.systems)
        ]
    return lines


def swaps_between(comparison: Comparison, m: int) -> list[Swap]:
    """Return the swaps of column ``m`` and the next one."""
    both = (comparison.methods[m], comparison.methods[m + 1])
    return [swap for swap in comparison.swaps if swap.methods == both]


def _line_colors(
    lines: Sequence[Line], comparison: Comparison, colors: Mapping[str, str], mode: Mode
) -> Mapping[str, str]:
    """Return the systems' own colors; where all would be too many, only what moves gets one.

    Where even these are too many, only what matters.
    """
    if len(comparison.systems) <= MAX_COLORED:
        return colors
    moving = sorted({line.system for line in lines if line.crosses})
    mattering = sorted({line.system for line in lines if line.matters})
    own = system_colors(mattering if len(moving) > MAX_COLORED else moving, mode)
    return {**dict.fromkeys(moving, inks(mode).neutral), **own}


def _draw_official(figure: go.Figure, sizes: Sequence[int], n_columns: int, ink: Inks) -> None:
    """Draw a dashed line across all columns after each published cluster but the last."""
    across: Part = dict(
        type="line", x0=-0.5, x1=n_columns - 0.5,
        line=dict(color=ink.strong_rule, width=1.2, dash="dash"),
    )  # fmt: skip
    ends = itertools.accumulate(sizes[:-1])
    lay_on(figure, shapes=[dict(across, y0=end + 0.5, y1=end + 0.5) for end in ends])


def _draw_lines(
    figure: go.Figure,
    lines: Sequence[Line],
    colors: Mapping[str, str],
    chosen: tuple[str, str] | None,
    ink: Inks,
) -> None:
    """Draw gray lines first, harmless ones over them, those that matter on top."""
    quiet = [line for line in lines if not line.crosses]
    x: list[float | None] = []
    y: list[float | None] = []
    for line in quiet:
        x += [*_way(line)[0], None]
        y += [*_way(line)[1], None]
    common = dict(mode="lines", hoverinfo="skip")
    figure.add_scatter(x=x, y=y, line=dict(color=ink.strong_rule, width=1), opacity=0.7, **common)
    crossing_lines = []
    for line in sorted((line for line in lines if line.crosses), key=lambda line: line.matters):
        color = colors[line.system]
        extra = 1.5 if chosen is not None and line.system in chosen else 0
        style = (
            dict(color=color, width=2.5 + extra)
            if line.matters
            else dict(color=faded(color, 0.6), width=1.8 + extra, dash="dot")
        )
        xs, ys = _way(line)
        crossing_lines.append(go.Scatter(x=xs, y=ys, line=style, name=line.system, **common))
    figure.add_traces(crossing_lines)


def _way(line: Line) -> tuple[list[float], list[float]]:
    m = line.column
    return [m, m + HALF, m + 1 - HALF, m + 1], [line.start, line.start, line.end, line.end]


def _write_columns(
    figure: go.Figure,
    comparison: Comparison,
    names: Mapping[str, str],
    ink: Inks,
    rows: tuple[int, int],
) -> None:
    """Write each column's head and names; cluster starts are bold, under a short rule."""
    letters = _letters(len(comparison.columns))
    notes: list[Part] = []
    rules: list[Part] = []
    for m, column in enumerate(comparison.columns):
        head = f"<b>{as_html(middle_cut(column.method, letters + 4))}</b>"
        words = "<br>".join(_column_facts(comparison, column))
        top = dict(
            x=m, yref="paper", y=1, yshift=6, yanchor="bottom", showarrow=False,
            text=f"{head}<br><span style='font-size:{SMALL}px'>{words or ' '}</span>",
            font=dict(size=NORMAL, color=ink.text),
        )  # fmt: skip
        notes.append(top)
        starts = _cluster_starts(comparison, column)
        for name, place in zip(comparison.systems, comparison.places[m].tolist(), strict=True):
            if not rows[0] < place <= rows[1]:
                continue
            shown = as_html(middle_cut(names.get(name, name), letters))
            note = dict(
                x=m, y=place, showarrow=False, bgcolor=ink.paper, borderpad=1,
                text=f"<b>{shown}</b>" if name in starts else shown,
                font=dict(size=NORMAL, color=ink.text),
                hovertext=as_html(name),
            )  # fmt: skip
            notes.append(note)
            if name in starts and place > 1:
                rule = dict(
                    type="line", x0=m - HALF, x1=m + HALF, y0=place - 0.5, y1=place - 0.5,
                    line=dict(color=ink.quiet, width=1),
                )  # fmt: skip
                rules.append(rule)
    lay_on(figure, notes=notes, shapes=rules)


def _letters(n_columns: int) -> int:
    return max(8, min(24, LETTERS // n_columns))


def _column_facts(comparison: Comparison, column: Column) -> list[str]:
    """Say how many clusters a method draws and how many systems it moves."""
    facts = []
    if column.clusters is not None:
        facts.append(count(int(column.clusters.max(initial=0)), "cluster"))
    if column is not comparison.columns[0]:
        moves = comparison.moves_of(column.method)
        facts.append(count(len(moves), "move") if moves else "no move")
    return [" · ".join(facts)] if facts else []


def _cluster_starts(comparison: Comparison, column: Column) -> set[str]:
    """Return the first system of each cluster of a method, of those that all methods rank."""
    if column.clusters is None:
        return set()
    starts, previous = set(), 0
    for k in column.order:
        if column.systems[k] in comparison.systems and column.clusters[k] != previous:
            starts.add(column.systems[k])
            previous = int(column.clusters[k])
    return starts


def _draw_crossings(
    figure: go.Figure, comparison: Comparison, names: Mapping[str, str], ink: Inks
) -> None:
    """Put a dot where two lines cross: full where a method tells them apart, else hollow."""
    place = {name: k for k, name in enumerate(comparison.systems)}
    x, y, data, words, fills = [], [], [], [], []
    for m in range(len(comparison.columns) - 1):
        for swap in swaps_between(comparison, m):
            i, j = place[swap.upper], place[swap.lower]
            t, height = crossing(
                (comparison.places[m, i], comparison.places[m + 1, i]),
                (comparison.places[m, j], comparison.places[m + 1, j]),
            )
            x.append(m + HALF + (1 - 2 * HALF) * t)
            y.append(height)
            data.append(sorted((swap.upper, swap.lower), key=place.__getitem__))
            fills.append(ink.paper if swap.is_open else ink.text)
            words.append(_swap_words(swap, names))
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker=dict(size=9, color=fills, line=dict(color=ink.text, width=1.2)),
        customdata=data,
        text=words,
        hovertemplate="%{text}<extra></extra>",
        name="crossings",
    )


def crossing(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """Return where two lines that swap meet: the share of the way, and the height there.

    >>> crossing((1, 2), (2, 1))
    (0.5, 1.5)
    """
    t = (other[0] - one[0]) / ((one[1] - one[0]) - (other[1] - other[0]))
    return float(t), float(one[0] + t * (one[1] - one[0]))


def _swap_words(swap: Swap, names: Mapping[str, str]) -> str:
    upper, lower = (as_html(names.get(name, name)) for name in (swap.upper, swap.lower))
    first, second = (as_html(method) for method in swap.methods)
    weight = "neither tells them apart"
    if swap.told_by:
        weight = f"told apart by {as_html(' and '.join(swap.told_by))}"
    elif not swap.is_open:
        weight = "not known whether they are told apart"
    return (
        f"{first}: <b>{upper}</b> above {lower}<br>"
        f"{second}: <b>{lower}</b> above {upper}<br>{weight}"
    )


def _alt(comparison: Comparison, names: Mapping[str, str]) -> str:
    return " ".join(
        f"{column.method}: "
        + ", ".join(names.get(s, s) for s in column.names if s in comparison.systems)
        + "."
        for column in comparison.columns
    )
