"""Head to head as a square of cells: who beat whom how often, in standings order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from analysis.campaign import FloatArray, IntArray
from analysis.comparing.head_to_head import FEW_DECIDED, HeadToHead
from analysis.names import middle_cut
from analysis.ranking.apart import Apart
from analysis.ranking.sign_test import MARKS
from analysis.wording import p_value
from dashboard.design import DIVERGING, INKS, SEQUENTIAL, Mode, inks
from dashboard.figures.theme import SMALL, Part, finish, in_lines, lay_on
from dashboard.typography import as_html, percent, thousands

View = Literal["observed", "predicted", "difference", "counts", "significance"]
"""What the cells hold."""

NAME_WIDTH, MOST_WITH_TEXT, MOST_WITH_ALL_NAMES = 22, 26, 70
HEAD, LETTER = 44, 6.3
"""Pixels for the title and of a letter of a name."""
TOLD = "•"
"""Beside a share: the two systems are told apart."""


@dataclass(frozen=True, eq=False)
class Cells:
    """What a view draws: one value and one text per cell, and the scale of the values."""

    values: FloatArray
    texts: npt.NDArray[np.str_]
    low: float
    high: float
    scale: Any
    bar: dict[str, Any] = field(default_factory=dict)


def head_to_head_figure(
    table: HeadToHead,
    predicted: FloatArray,
    view: View,
    *,
    told: Apart | None,
    printed: bool = False,
    title: str,
    names: Mapping[str, str],
    clusters: Sequence[int] | None,
    chosen: tuple[str, str] | None,
    mode: Mode,
) -> go.Figure:
    """Draw one view of the table; its row against its column.

    Marks say what is ``told`` apart, or, where ``printed``, what the sign test says. A share of
    few judgments is pale. ``clusters`` in the table's order give the separators; ``chosen`` is the
    cell to frame. The last trace is invisible: a heatmap reports no clicks, so squares over its
    cells do, with both systems' names as their data.
    """
    n = len(table.systems)
    ink = inks(mode)
    cells = _cells(table, predicted, view, told, printed)
    shown = [as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in table.systems]
    row_height = _row_height(n)
    figure = go.Figure(
        go.Heatmap(
            z=cells.values,
            x=list(range(n)),
            y=list(range(n)),
            colorscale=cells.scale,
            zmin=cells.low,
            zmax=cells.high,
            xgap=1,
            ygap=1,
            text=cells.texts,
            texttemplate="%{text}" if n <= MOST_WITH_TEXT else None,
            textfont=dict(size=SMALL),
            showscale=n > MOST_WITH_TEXT,
            colorbar=dict(thickness=12, outlinewidth=0, len=0.6, **cells.bar),
            hoverinfo="skip",
        )
    )
    figure.add_scatter(**_click_targets(table, predicted, told, names, row_height))
    _separate_clusters(figure, clusters, n, ink.text)
    if chosen is not None and set(chosen) <= set(table.systems):
        row, column = (table.systems.index(name) for name in chosen)
        for color, width in ((INKS["light"].paper, 6), (INKS["light"].text, 2.5)):
            figure.add_shape(
                type="rect", x0=column - 0.5, x1=column + 0.5, y0=row - 0.5, y1=row + 0.5,
                line=dict(color=color, width=width),
            )  # fmt: skip
    every = 1 if n <= MOST_WITH_ALL_NAMES else -(-n // MOST_WITH_ALL_NAMES)
    ticks = dict(
        tickmode="array",
        tickvals=list(range(0, n, every)),
        ticktext=shown[::every],
        showline=False,
        ticks="",
        fixedrange=True,
        tickfont=dict(size=SMALL, color=ink.text),
    )
    figure.update_xaxes(
        **ticks, range=[-0.5, n - 0.5], side="top", tickangle=-45 if n > 4 else 0, automargin=False
    )
    figure.update_yaxes(**ticks, range=[n - 0.5, -0.5], ticklabelstandoff=6)
    figure.update_layout(plot_bgcolor=ink.nothing, hovermode="closest", hoverdistance=80)
    label = LETTER * max(len(middle_cut(names.get(s, s), NAME_WIDTH)) for s in table.systems)
    title = in_lines(title)
    top = HEAD + 20 * title.count("\n") + round(0.74 * label + 8 if n > 4 else 24)
    right = round(0.72 * label) if n > 4 else 8
    finish(
        figure,
        mode,
        title=title,
        alt=f"{title}. {n} by {n} systems in standings order; the table below has every number.",
        height=top + row_height * n + 12,
        margin=dict(l=8, r=right, t=top, b=12),
    )
    figure.layout.meta["min_width"] = round(label + right + n * _least_width(n))
    return figure


def _least_width(n: int) -> int:
    """Pixels of a cell that its text needs; narrow windows scroll."""
    return 32 if n <= MOST_WITH_TEXT else 8


def _row_height(n: int) -> int:
    return 60 if n <= 5 else 44 if n <= 10 else 34 if n <= 18 else 28 if n <= 26 else 15


def _cells(
    table: HeadToHead, predicted: FloatArray, view: View, told: Apart | None, printed: bool
) -> Cells:
    n = len(table.systems)
    diagonal = np.eye(n, dtype=bool)
    if view in ("observed", "predicted"):
        values = np.where(diagonal, np.nan, table.share if view == "observed" else predicted)
        marks = _marks(table, told, printed) if view == "observed" else np.full((n, n), "")
        texts = _percent_texts(values, marks)
        if view == "observed":
            values = 0.5 + (values - 0.5) * _fullness(table)
        bar = dict(tickformat=".0%", title=dict(text="row wins"))
        return Cells(values, texts, 0.0, 1.0, _diverging(), bar)
    if view == "difference":
        values = table.share - predicted
        texts, values = _signed_texts(values), values * _fullness(table)
        most = max(float(np.nanmax(np.abs(values), initial=0.0)), 0.05)
        bar = dict(tickformat="+.0%", title=dict(text="observed − predicted"))
        return Cells(values, texts, -most, most, _diverging(), bar)
    if view == "counts":
        values = np.where(diagonal | (table.compared == 0), np.nan, table.compared)
        texts = np.where(np.isnan(values), "", np.char.mod("%.0f", np.nan_to_num(values)))
        most = float(np.nanmax(values, initial=1.0))
        return Cells(values, texts, 0.0, most, SEQUENTIAL, dict(title=dict(text="judgments")))
    if printed:
        strength = _strength(table)
        texts = np.where(np.isnan(strength), "", np.where(table.mark == "", "·", table.mark))
        return Cells(strength, texts, -3.5, 3.5, _diverging(), _bar_of_verdicts(3))
    verdicts = np.full((n, n), np.nan) if told is None else table.verdicts(told)
    words = np.select([verdicts > 0, verdicts < 0, verdicts == 0], ["+", "−", "·"], "")
    return Cells(verdicts, words, -1.2, 1.2, _diverging(), _bar_of_verdicts(1))


def _bar_of_verdicts(most: int) -> dict[str, Any]:
    return dict(
        title=dict(text="row"),
        tickvals=[-most, 0, most],
        ticktext=["worse", "open", "better"],
    )


def _fullness(table: HeadToHead) -> FloatArray:
    """Return how much of its color a cell deserves: all of it from `FEW_DECIDED` judgments on."""
    return np.minimum(table.decided / FEW_DECIDED, 1.0)


def _marks(table: HeadToHead, told: Apart | None, printed: bool) -> npt.NDArray[np.str_]:
    if printed:
        return table.mark
    if told is None:
        return np.full(table.wins.shape, "")
    return np.where(np.nan_to_num(table.verdicts(told)) != 0, TOLD, "")


def _strength(table: HeadToHead) -> FloatArray:
    """How many marks a cell deserves, negative where the row loses; nan where none was decided."""
    p = np.fmin(table.p, table.p.T)
    reached = np.sum([p <= bound for bound in MARKS.values()], axis=0)
    return np.where(np.isnan(p), np.nan, reached * np.sign(table.share - 0.5))


def _percent_texts(values: FloatArray, marks: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Whole percent with the mark behind; nothing where there is no value."""
    numbers = [["" if np.isnan(v) else percent(v).rstrip("%") for v in row] for row in values]
    return np.where(np.isnan(values), "", np.char.add(np.array(numbers, dtype=str), marks))


def _signed_texts(values: FloatArray) -> npt.NDArray[np.str_]:
    numbers = np.char.replace(np.char.mod("%+.0f", np.nan_to_num(100 * values)), "-", "−")
    numbers = np.where(np.isin(numbers, ["+0", "−0"]), "0", numbers)
    return np.where(np.isnan(values), "", numbers)


def _diverging() -> list[list[object]]:
    return [list(stop) for stop in DIVERGING]


def _separate_clusters(
    figure: go.Figure, clusters: Sequence[int] | None, n: int, color: str
) -> None:
    """Draw a thin line, down and across, wherever the next cluster begins."""
    if clusters is None:
        return
    rule: Part = dict(type="line", line=dict(color=color, width=2), opacity=0.8)
    starts = [k - 0.5 for k in range(1, n) if clusters[k] != clusters[k - 1]]
    down = [dict(rule, x0=at, x1=at, y0=-0.5, y1=n - 0.5) for at in starts]
    across = [dict(rule, y0=at, y1=at, x0=-0.5, x1=n - 0.5) for at in starts]
    lay_on(figure, shapes=[*down, *across])


def _click_targets(
    table: HeadToHead,
    predicted: FloatArray,
    told: Apart | None,
    names: Mapping[str, str],
    size: int,
) -> dict[str, Any]:
    """Return an invisible square for every cell, with what the mouse shows and a click reports."""
    systems = table.systems
    n = len(systems)
    adjusted = np.full((n, n), np.nan) if told is None else table.adjusted_p(told)
    verdicts = np.full((n, n), np.nan) if told is None else table.verdicts(told)
    cells = [(i, j) for i in range(n) for j in range(n)]
    return dict(
        x=[j for _, j in cells],
        y=[i for i, _ in cells],
        mode="markers",
        marker=dict(symbol="square", size=size, opacity=0),
        customdata=[[systems[i], systems[j]] for i, j in cells],
        text=[
            _hover(table, predicted, names, i, j)
            + ("" if np.isnan(verdicts[i, j]) else _judged(verdicts[i, j], adjusted[i, j]))
            for i, j in cells
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _hover(
    table: HeadToHead, predicted: FloatArray, names: Mapping[str, str], i: int, j: int
) -> str:
    row, column = (as_html(names.get(table.systems[k], table.systems[k])) for k in (i, j))
    if i == j:
        return f"<b>{row}</b>"
    if not table.compared[i, j]:
        return f"<b>{row}</b> and <b>{column}</b><br>never compared"
    lines = [
        f"<b>{row}</b> against <b>{column}</b>",
        f"{thousands(int(table.wins[i, j]))} won, {thousands(int(table.wins[j, i]))} lost, "
        f"{thousands(int(table.ties[i, j]))} ties",
    ]
    if table.decided[i, j]:
        mark = f" {table.mark[i, j]}" if table.mark[i, j] else ""
        test = f"sign test {p_value(table.p[i, j])}{mark}"
        lines.append(f"{percent(table.share[i, j])} of the decided, {test}")
    if not np.isnan(predicted[i, j]):
        lines.append(f"{percent(predicted[i, j])} predicted")
    return "<br>".join(lines)


def _judged(verdict: float, p: float) -> str:
    words = "told apart" if verdict else "cannot be told apart yet"
    return f"<br>scores {words}, adjusted {p_value(p)}"


def clusters_in_order(clusters: IntArray | None, order: IntArray) -> list[int] | None:
    """Return each system's cluster in the order drawn."""
    return None if clusters is None else [int(clusters[k]) for k in order]
