"""What becomes of every two neighbors and every line when one thing is changed, as a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from analysis.comparing.stability import APART, CHANGES, ORDER, STATES, TURNED, UNKNOWN, Stability
from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.look import Look
from analysis.escaping import as_html
from analysis.findings.stability import cell_words, statement_words
from analysis.names import middle_cut
from dashboard.design import SURVIVAL, Mode
from dashboard.figures.theme import as_figure

ROW, COLUMN = 30, 84
"""Pixels of a row, and the least of a column."""

NAME_WIDTH = 18
COLORS: dict[Mode, dict[int, str]] = {
    mode: dict(zip((TURNED, ORDER, APART), colors, strict=True))
    for mode, colors in SURVIVAL.items()
}
WORDS = {APART: "significant", ORDER: "order", TURNED: "reversed", UNKNOWN: ""}
HEADS = {
    "method": "another\nmethod",
    "ties": "ties\notherwise",
    "scope": "another\nscope",
    "judge": "without\na judge",
    "system": "without\na system",
    "segments": "without a\ntenth",
}


def stability_figure(
    stable: Stability, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw one row per statement and one column per kind of change, each cell its worst effect."""
    columns = [stable.now, *(stable.worst(change) for change in stable.changes)]
    states = np.stack(columns, axis=1)
    rows = [
        statement_words(statement, lambda system: middle_cut(name(system), NAME_WIDTH))
        for statement in stable.statements
    ]
    scene = Cells(
        rows=tuple(rows),
        columns=("now", *(HEADS[change] for change in stable.changes)),
        values=np.where(states == UNKNOWN, np.nan, states),
        words=_hovers(stable, name),
        low=-0.5,
        high=2.5,
        scale=[
            (edge, COLORS[mode][state])
            for state in (TURNED, ORDER, APART)
            for edge in (state / 3, (state + 1) / 3)
        ],
        title=title,
        alt=(
            f"{title}. {len(rows)} rows, adjacent systems and cluster boundaries, by "
            f"{len(stable.changes)} changes: {', '.join(CHANGES[c] for c in stable.changes)}. "
            "The table below has every cell."
        ),
        texts=np.array(_texts(stable, states)),
    )
    return as_figure(cells_json(scene, Look(mode=mode), height=ROW, least=COLUMN, angle=0), mode)


def _texts(stable: Stability, states: np.ndarray) -> list[list[str]]:
    """The state in a word, and in how many of the variants where it is not in all."""
    texts = []
    for k in range(len(stable.statements)):
        row = [WORDS[int(states[k, 0])]]
        for column, change in enumerate(stable.changes, start=1):
            state = int(states[k, column])
            n = len(stable.of(change)) - len(stable.where(k, change, UNKNOWN))
            found = len(stable.where(k, change, state))
            partly = state in (TURNED, ORDER) and n > 1
            row.append(WORDS[state] + (f" {found}/{n}" if partly and found < n else ""))
        texts.append(row)
    return texts


def _hovers(stable: Stability, name: Callable[[str], str]) -> list[list[str]]:
    hovers = []
    for k, statement in enumerate(stable.statements):
        words = as_html(statement_words(statement, name))
        row = [f"<b>{words}</b><br>now: {STATES[int(stable.now[k])]}"]
        for change in stable.changes:
            said = as_html(cell_words(stable, k, change, name))
            row.append(f"<b>{words}</b><br>{CHANGES[change]}: {said}")
        hovers.append(row)
    return hovers
