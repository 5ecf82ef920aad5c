"""What becomes of every two neighbors and every line when one thing is changed, as a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from analysis.colors import INKS
from analysis.comparing.stability import APART, CHANGES, ORDER, TURNED, UNKNOWN, Stability
from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.look import Look
from analysis.escaping import as_html
from analysis.findings.stability import cell_words, statement_words
from analysis.names import middle_cut
from dashboard.design import SURVIVAL, Mode
from dashboard.figures.theme import as_figure

ROW, COLUMN = 30, 96
"""Pixels of a row, and the least of a column."""

NAME_WIDTH = 18
SAME = APART + 1
"""What nothing weakens, and what does not apply: an empty cell."""
COLORS: dict[Mode, dict[int, str]] = {
    mode: dict(zip((TURNED, ORDER, APART, SAME), (*colors, INKS[mode].paper), strict=True))
    for mode, colors in SURVIVAL.items()
}
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
    """Draw one row per finding and one column per kind of change; what weakens it has a color.

    Findings are what is significant now, and the orders that something reverses.
    """
    stable = stable.findings
    worst = [stable.worst(change) for change in stable.changes]
    weaker = [np.where((one != UNKNOWN) & (one < stable.now), one, SAME) for one in worst]
    states = np.stack([stable.now, *weaker], axis=1)
    rows = [
        statement_words(statement, lambda system: middle_cut(name(system), NAME_WIDTH))
        for statement in stable.statements
    ]
    scene = Cells(
        rows=tuple(rows),
        columns=("now", *(HEADS[change] for change in stable.changes)),
        values=states.astype(float),
        words=_hovers(stable, name),
        low=-0.5,
        high=SAME + 0.5,
        scale=[
            (edge, COLORS[mode][state])
            for state in (TURNED, ORDER, APART, SAME)
            for edge in (state / 4, (state + 1) / 4)
        ],
        title=title,
        alt=(
            f"{title}. {len(rows)} rows, winner, adjacent systems and cluster boundaries, by "
            f"{len(stable.changes)} changes: {', '.join(CHANGES[c] for c in stable.changes)}. "
            "The table below has every loss."
        ),
        texts=np.array(_texts(stable)),
    )
    return as_figure(cells_json(scene, Look(mode=mode), height=ROW, least=COLUMN, angle=0), mode)


def _texts(stable: Stability) -> list[list[str]]:
    """Return the state now in a word, and in how many changes of each kind it is lost."""
    texts = []
    for k, statement in enumerate(stable.statements):
        row = [statement.word(int(stable.now[k]))]
        for change in stable.changes:
            n, of = stable.lost(k, change)
            lost = "lost" if stable.now[k] == APART else "reversed"
            row.append(f"{lost} in {n} of {of}" if n else "")
        texts.append(row)
    return texts


def _hovers(stable: Stability, name: Callable[[str], str]) -> list[list[str]]:
    hovers = []
    for k, statement in enumerate(stable.statements):
        words = as_html(statement_words(statement, name))
        row = [f"<b>{words}</b><br>now: {statement.word(int(stable.now[k]))}"]
        for change in stable.changes:
            said = as_html(cell_words(stable, k, change, name))
            row.append(f"<b>{words}</b><br>{CHANGES[change]}: {said}")
        hovers.append(row)
    return hovers
