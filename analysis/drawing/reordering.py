"""Methods side by side as a scene: each one's order in a column, lines from system to system."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from analysis.colors import MAX_COLORED, faded, system_colors
from analysis.comparing.comparison import Column, Comparison, Swap
from analysis.drawing.look import SELECTION, Look, in_lines
from analysis.drawing.orders import Crossing, Head, Line, Orders
from analysis.drawing.sketch import Part, Sketch
from analysis.escaping import as_html
from analysis.names import middle_cut
from analysis.wording import count

HEAD, FOOT = 96, 16
HALF = 0.31
"""Half of a column's width, in columns; lines are slanted only between."""
RULED = 1.4
"""Height of a row, in heights of its letters, below which a rule would cut the names."""
LETTERS, LETTER = 88, 7.4
"""Letters of names that fit side by side in all columns together, and pixels of one."""


def reordering_scene(
    comparison: Comparison, names: Mapping[str, str], official: Sequence[int] = ()
) -> Orders:
    """Return the methods' orders; ``official`` are the sizes of published clusters, or empty."""
    return Orders(
        heads=tuple(_head(comparison, column) for column in comparison.columns),
        systems=comparison.systems,
        names={system: names.get(system, system) for system in comparison.systems},
        places=tuple(tuple(int(p) for p in places) for places in comparison.places),
        lines=tuple(way_lines(comparison)),
        crossings=tuple(_crossings(comparison, names)),
        official=tuple(itertools.accumulate(official[:-1])),
        alt=_alt(comparison, names),
        left_out=len(comparison.left_out),
    )


def reordering_json(
    scene: Orders,
    look: Look,
    *,
    title: str = "",
    chosen: tuple[str, str] | None = None,
    rows: slice = slice(None),
) -> Part:
    """Return the picture of the orders as Plotly JSON.

    ``rows`` are the places to show; lines that leave them go on beyond the edge. Lines that cross
    nothing are gray; those that cross only what neither method separates are pale and dotted; the
    others have the system's color. A dot on every crossing of neighboring columns takes clicks,
    with both systems as its data, the first method's upper one first.
    """
    n, sizes = len(scene.heads), look.sizes
    first, end, _ = rows.indices(len(scene.systems))
    letters = max(8, min(24, LETTERS // n))
    sketch = Sketch()
    _draw_official(sketch, scene, look)
    _draw_lines(sketch, scene, line_colors(scene, look), look, chosen or ())
    _write_columns(sketch, scene, look, (first, end), letters)
    sketch.add([_crossing_dots(scene, look)])
    sketch.update_xaxes(range=[-0.5, n - 0.5], visible=False, fixedrange=True)
    sketch.update_yaxes(
        range=[end + 0.5, first + 0.5],
        tickmode="array",
        tickvals=list(range(first + 1, end + 1)),
        tickfont=dict(size=sizes.small, color=look.ink.quiet),
        showline=False,
        ticks="",
        fixedrange=True,
    )
    sketch.update_layout(hovermode="closest", hoverdistance=14)
    title = in_lines(title)
    lines = title.count("\n") + scene.heads[0].facts.count("\n")
    head = HEAD * sizes.small / 12 + 20 * lines - (0 if title else 40)
    widest = max(len(middle_cut(name, letters)) for name in scene.names.values())
    return sketch.dressed(
        look.mode,
        title=title,
        alt=f"{title}. {scene.alt}",
        height=head + FOOT + (sizes.row - 2) * (end - first),
        min_width=n * max(130, round(widest * LETTER / (2 * HALF))),
        margin=dict(l=8, r=8, t=head, b=FOOT),
        width=sizes.width,
    )


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


def line_colors(scene: Orders, look: Look) -> Mapping[str, str]:
    """Return the systems' own colors; above twelve systems, only what moves gets one.

    Where even these are too many, only what matters.
    """
    if len(scene.systems) <= MAX_COLORED or look.mode is None:
        return {system: look.color(system) for system in scene.systems}
    moving = sorted({line.system for line in scene.lines if line.crosses})
    mattering = sorted({line.system for line in scene.lines if line.matters})
    own = system_colors(mattering if len(moving) > MAX_COLORED else moving, look.mode)
    return {**dict.fromkeys(moving, look.ink.neutral), **own}


def _draw_official(sketch: Sketch, scene: Orders, look: Look) -> None:
    """Draw a dashed line across all columns after each published cluster but the last."""
    across: Part = dict(
        type="line", x0=-0.5, x1=len(scene.heads) - 0.5,
        line=dict(color=look.ink.strong_rule, width=1.2, dash="dash"),
    )  # fmt: skip
    sketch.lay_on(shapes=[dict(across, y0=end + 0.5, y1=end + 0.5) for end in scene.official])


def _draw_lines(
    sketch: Sketch, scene: Orders, colors: Mapping[str, str], look: Look, chosen: Iterable[str]
) -> None:
    """Draw gray lines first, harmless ones over them, those that matter on top."""
    common: Part = dict(mode="lines", hoverinfo="skip")
    scale = look.sizes.thin / 2
    quiet: Part = dict(x=[], y=[], line=dict(color=look.ink.strong_rule, width=1), opacity=0.7)
    crossing: list[Part] = []
    selected: list[Part] = []
    for line in sorted(scene.lines, key=lambda line: line.matters):
        way = dict(zip("xy", _way(line), strict=True))
        if not line.crosses:
            quiet["x"] += [*way["x"], None]
            quiet["y"] += [*way["y"], None]
            continue
        color = colors[line.system]
        style = (
            dict(color=color, width=2.5 * scale)
            if line.matters
            else dict(color=faded(color, 0.6), width=1.8 * scale, dash="dot")
        )
        if line.system in chosen:
            halo = dict(color=faded(color, 0.3), width=8 * scale)
            selected.append(common | way | dict(line=halo, name=SELECTION))
        crossing.append(common | way | dict(line=style, name=line.system))
    sketch.add([common | quiet, *selected, *crossing])


def _way(line: Line) -> tuple[list[float], list[float]]:
    m = line.column
    return [m, m + HALF, m + 1 - HALF, m + 1], [line.start, line.start, line.end, line.end]


def _write_columns(
    sketch: Sketch, scene: Orders, look: Look, rows: tuple[int, int], letters: int
) -> None:
    """Write each column's head and names; cluster starts are bold, under a short rule."""
    ink, sizes = look.ink, look.sizes
    notes: list[Part] = []
    rules: list[Part] = []
    for m, head in enumerate(scene.heads):
        words = f"<b>{as_html(middle_cut(head.method, letters + 4))}</b>"
        style = f"<span style='font-size:{sizes.small:g}px'>"
        lines = (f"<br>{style}{as_html(line) or ' '}</span>" for line in head.facts.split("\n"))
        top = dict(
            x=m, yref="paper", y=1, yshift=6, yanchor="bottom", showarrow=False,
            text=words + "".join(lines), font=dict(size=sizes.text, color=ink.text),
        )  # fmt: skip
        notes.append(top)
        for system, place in zip(scene.systems, scene.places[m], strict=True):
            if not rows[0] < place <= rows[1]:
                continue
            shown = as_html(middle_cut(scene.names[system], letters))
            starts = system in head.starts
            note = dict(
                x=m, y=place, showarrow=False, bgcolor=ink.paper, borderpad=1,
                text=f"<b>{shown}</b>" if starts else shown,
                font=dict(size=sizes.text, color=ink.text), hovertext=as_html(system),
            )  # fmt: skip
            notes.append(note)
            if starts and place > 1 and sizes.row >= RULED * sizes.text:
                rule = dict(
                    type="line", x0=m - HALF, x1=m + HALF, y0=place - 0.5, y1=place - 0.5,
                    line=dict(color=ink.quiet, width=1),
                )  # fmt: skip
                rules.append(rule)
    sketch.lay_on(notes=notes, shapes=rules)


def _head(comparison: Comparison, column: Column) -> Head:
    """Count a method's clusters and moves; where not all name one winner, say if it names any."""
    facts = []
    if column.clusters is not None:
        facts.append(count(int(column.clusters.max(initial=0)), "cluster"))
    if column is not comparison.columns[0]:
        moves = comparison.moves_of(column.method)
        facts.append(count(len(moves), "move") if moves else "no move")
    winners = comparison.winners
    wins = "has a winner" if column.winner else "no winner"
    said = f"\n{wins if column.method in winners else ' '}" * (len({*winners.values()}) > 1)
    return Head(column.method, " · ".join(facts) + said, _cluster_starts(comparison, column))


def _cluster_starts(comparison: Comparison, column: Column) -> frozenset[str]:
    """Return the first system of each cluster of a method, of those that all methods rank."""
    if column.clusters is None:
        return frozenset()
    starts, previous = set(), 0
    for k in column.order:
        if column.systems[k] in comparison.systems and column.clusters[k] != previous:
            starts.add(column.systems[k])
            previous = int(column.clusters[k])
    return frozenset(starts)


def _crossings(comparison: Comparison, names: Mapping[str, str]) -> Iterable[Crossing]:
    place = {name: k for k, name in enumerate(comparison.systems)}
    for m in range(len(comparison.columns) - 1):
        for swap in swaps_between(comparison, m):
            i, j = place[swap.upper], place[swap.lower]
            t, height = crossing(
                (int(comparison.places[m, i]), int(comparison.places[m + 1, i])),
                (int(comparison.places[m, j]), int(comparison.places[m + 1, j])),
            )
            first, second = sorted((swap.upper, swap.lower), key=place.__getitem__)
            x = m + HALF + (1 - 2 * HALF) * t
            words = _swap_words(swap, names)
            yield Crossing(x, height, (first, second), not swap.is_open, words)


def _crossing_dots(scene: Orders, look: Look) -> Part:
    ink = look.ink
    return dict(
        x=[one.x for one in scene.crossings],
        y=[one.y for one in scene.crossings],
        mode="markers",
        marker=dict(
            size=9,
            color=[ink.text if one.is_full else ink.paper for one in scene.crossings],
            line=dict(color=ink.text, width=1.2),
        ),
        customdata=[list(one.systems) for one in scene.crossings],
        text=[one.words for one in scene.crossings],
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
    weight = "not separated by either method"
    if swap.told_by:
        weight = f"significant difference by {as_html(' and '.join(swap.told_by))}"
    elif not swap.is_open:
        weight = "significance unknown"
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
