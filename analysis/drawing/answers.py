"""An answer with the one before a change as a ghost behind it, as the scene of What if."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from analysis.drawing.curves import Curves, draw_curves
from analysis.drawing.look import Look
from analysis.drawing.row_picture import draw_rows, right_margin, row_height
from analysis.drawing.rows import Cell, Column, Cut, Ends, Ghost, Row, Rows, bands_of, far_off
from analysis.drawing.sketch import Part, Sketch
from analysis.findings.changes import Answer, shared_places
from analysis.wording import EN_DASH, significant

HEAD, FOOT, CURVES, GAP = 64, 50, 160, 96
"""Pixels above the rows, below them, of the curves, and between rows and curves."""


def answer_scene(
    before: Answer,
    after: Answer,
    names: Mapping[str, str],
    score_label: str,
    *,
    with_ghost: bool = True,
    rows: slice = slice(None),
    cut: bool = True,
) -> Rows:
    """Return one row per system, best on top: the new answer, the one before in gray behind it.

    Bands are the new levels, dotted lines the old ones where they differ.
    ``rows`` are the places to show; a system far from the others is an arrow at the edge of a
    ``cut`` axis.
    """
    systems = after.names[rows]
    off = sides_off(after, rows) if cut else {}
    now_of = [after.level_of(system) for system in systems]
    cells = _cells(before, after)[rows]
    columns = [Column("place", "10 → 10"), Column(after.part, "10 → 10")]
    return Rows(
        rows=tuple(
            _row(before if with_ghost else None, after, system, names, off.get(system, 0), cell)
            for system, cell in zip(systems, cells, strict=True)
        ),
        score_label=score_label,
        alt=_alt(before, after, names),
        columns=tuple(columns[: 1 if after.levels is None else 2]),
        bands=bands_of(now_of),
        cuts=boundaries_gone(before, after, rows),
    )


def answer_json(scene: Rows, look: Look, *, title: str, curves: Curves | None = None) -> Part:
    """Return the picture of an answer as Plotly JSON, with curves below the rows if there are."""
    if set(look.colors.values()) == {look.ink.neutral}:  # gray on a gray ghost is hard to see
        look = replace(look, colors=dict.fromkeys(look.colors, look.ink.accent))
    height = row_height(scene, look) * scene.n_lines
    if curves is None:
        sketch = Sketch()
    else:
        inner = height + GAP + CURVES
        sketch = Sketch(
            [[1.0], [1.0] * len(curves.panels)],
            [height, CURVES],
            gap=0.13,
            row_gap=GAP / inner,
        )
        draw_curves(sketch, curves, look.ink)
        height = inner
    draw_rows(sketch, scene, look)
    return sketch.dressed(
        look.mode,
        title=title,
        alt=scene.alt,
        height=HEAD + FOOT + height,
        margin=dict(l=8, r=right_margin(scene, look), t=HEAD, b=FOOT),
    )


def sides_off(answer: Answer, rows: slice) -> dict[str, int]:
    """Return the systems of a part that are far off the others, and on which side."""
    sides = far_off(answer.scores[answer.order[rows]]).tolist()
    return {s: side for s, side in zip(answer.names[rows], sides, strict=True) if side}


def _row(
    before: Answer | None,
    after: Answer,
    system: str,
    names: Mapping[str, str],
    side: int,
    cells: tuple[Cell, ...],
) -> Row:
    score, interval = _found(after, system)
    words = [f"now {significant(score)}"]
    if interval is not None:
        words.append(f"{significant(interval[0])} to {significant(interval[1])}")
    ghost, name = None, names.get(system, system)
    if before is not None and system in before.systems:
        was, old = _found(before, system)
        ghost = Ghost(was, old, f"{name} before: {significant(was)}")
    return Row(
        system, name, score, side, thin=interval, cells=cells, words=tuple(words), ghost=ghost
    )


def _found(answer: Answer, system: str) -> tuple[float, Ends | None]:
    """Return a system's score and interval."""
    k = answer.systems.index(system)
    if answer.low is None or answer.high is None or np.isnan(answer.low[k]):
        return float(answer.scores[k]), None
    return float(answer.scores[k]), (float(answer.low[k]), float(answer.high[k]))


def boundaries_gone(before: Answer, after: Answer, rows: slice = slice(None)) -> tuple[Cut, ...]:
    """Return the boundaries before that are gone, dotted."""
    now = [after.level_of(system) for system in after.names[rows]]
    was = [_before(before, after, system) for system in after.names[rows]]
    return tuple(
        (row, "dot")
        for row in range(1, len(now))
        if now[row] == now[row - 1]
        and was[row] != was[row - 1]
        and None not in (was[row], was[row - 1])
    )


def _cells(before: Answer, after: Answer) -> list[tuple[Cell, ...]]:
    """Return place and level of each system, with what they were where they changed."""
    was, now = shared_places(before, after)
    cells = []
    for system in after.names:
        row = [_cell(now[system], was[system]) if system in now else Cell("new", "")]
        if after.levels is not None:
            row.append(_cell(after.level_of(system), _before(before, after, system)))
        cells.append(tuple(row))
    return cells


def _before(before: Answer, after: Answer, system: str) -> int | None:
    """Return a system's level before; its present one where levels cannot be compared.

    They are of two kinds, or new systems have levels of their own.
    """
    comparable = before.part == after.part and {*after.names} <= {*before.names}
    return (before if comparable else after).level_of(system)


def _cell(new: int | None, old: int | None) -> Cell:
    return Cell(EN_DASH if new is None else str(new), "" if old in (None, new) else str(old))


def _alt(before: Answer, after: Answer, names: Mapping[str, str]) -> str:
    was, now = shared_places(before, after)
    parts = []
    for system in after.names:
        words = (
            f"{names.get(system, system)} {significant(after.scores[after.systems.index(system)])}"
        )
        if after.level_of(system):
            words += f", {after.part} {after.level_of(system)}"
        if system not in now:
            words += ", new"
        elif was[system] != now[system]:
            words += f", now at place {now[system]}, before at {was[system]}"
        parts.append(words)
    return "After the change, best first: " + "; ".join(parts) + "."
