"""What becomes of every two neighbors and every line when one thing is changed, as a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from analysis.comparing.stability import APART, CHANGES, ORDER, STATES, TURNED, UNKNOWN, Stability
from analysis.findings.stability import cell_words, statement_words
from analysis.names import middle_cut
from dashboard.design import SURVIVAL, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, finish, in_lines
from dashboard.typography import as_html

ROW, HEAD, FOOT, LETTER, COLUMN = 30, 50, 12, 6.6, 74
"""Pixels: a row, room above and below, a letter of a name, and the least of a column."""

NAME_WIDTH = 18
COLORS: dict[Mode, dict[int, str]] = {
    mode: dict(zip((TURNED, ORDER, APART), colors, strict=True))
    for mode, colors in SURVIVAL.items()
}
WORDS = {APART: "told apart", ORDER: "order", TURNED: "turns", UNKNOWN: ""}
HEADS = {
    "method": "another<br>method",
    "ties": "ties<br>otherwise",
    "target": "for others,<br>for these",
    "judge": "without<br>a judge",
    "system": "without<br>a system",
    "segments": "without a<br>tenth",
}


def stability_figure(
    stable: Stability, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw one row per statement and one column per kind of change, each cell its worst effect."""
    ink = inks(mode)
    columns = [stable.now, *(stable.worst(change) for change in stable.changes)]
    states = np.stack(columns, axis=1) if columns else np.zeros((0, 0))
    values = np.where(states == UNKNOWN, np.nan, states)
    colors = COLORS[mode]
    scale = [
        [edge, colors[state]]
        for state in (TURNED, ORDER, APART)
        for edge in (state / 3, (state + 1) / 3)
    ]
    rows = len(stable.statements)
    title = in_lines(title)
    top = HEAD + 20 * title.count("\n") + 40
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(len(columns))),
            y=list(range(rows)),
            zmin=-0.5,
            zmax=2.5,
            colorscale=scale,
            showscale=False,
            xgap=2,
            ygap=2,
            text=_texts(stable, states),
            texttemplate="%{text}",
            textfont=dict(size=SMALL),
            customdata=_hovers(stable, name),
            hovertemplate="%{customdata}<extra></extra>",
            hoverongaps=False,
        )
    )
    said = [
        statement_words(statement, lambda system: middle_cut(name(system), NAME_WIDTH))
        for statement in stable.statements
    ]
    short = [
        f"<i>— {as_html(words)}</i>" if statement.is_line else as_html(words)
        for words, statement in zip(said, stable.statements, strict=True)
    ]
    plain = dict(showline=False, ticks="", fixedrange=True)
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=["now", *(HEADS[change] for change in stable.changes)],
        side="top",
        tickangle=0,
        tickfont=dict(size=SMALL, color=ink.quiet),
        **plain,
    )
    figure.update_yaxes(
        tickvals=list(range(rows)),
        ticktext=short,
        range=[rows - 0.5, -0.5],
        tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=6,
        **plain,
    )
    finish(
        figure,
        mode,
        title=title,
        alt=f"{title.replace(chr(10), ' ')}. {rows} rows, neighbors and lines between clusters, by "
        f"{len(stable.changes)} changes: {', '.join(CHANGES[c] for c in stable.changes)}. "
        "The table below has every cell.",
        height=top + ROW * max(rows, 1) + FOOT,
        margin=dict(l=8, r=8, t=top, b=FOOT),
    )
    longest = max((len(words) for words in said), default=0)
    figure.layout.meta["min_width"] = round(LETTER * longest) + 24 + COLUMN * len(columns)
    return figure


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
