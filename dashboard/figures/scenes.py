"""The scenes of `analysis.drawing` as Plotly figures in the colors of a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.colors import SEQUENTIAL
from analysis.comparing.comparison import Comparison
from analysis.comparing.head_to_head import HeadToHead
from analysis.drawing.answers import answer_json, answer_scene
from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.curves import Curves
from analysis.drawing.kappas import kappa_json
from analysis.drawing.look import Look, Sizes
from analysis.drawing.matrix import View, matrix_json, matrix_scene
from analysis.drawing.outlook import outlook_json, power_json
from analysis.drawing.reordering import reordering_json, reordering_scene
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Ghost, Row, Rows
from analysis.drawing.standings import standings_scene
from analysis.escaping import as_html
from analysis.findings.changes import Answer
from analysis.judges.agreement import Agreement
from analysis.judges.history import PublishedKappa
from analysis.judges.judge_kappas import JudgeAgreement
from analysis.judges.kappa import landis_koch
from analysis.names import middle_cut
from analysis.next_campaign.design import Prospect
from analysis.next_campaign.planning import Plan
from analysis.ranking.ranking import Ranking
from analysis.ranking.verdict import Verdict
from analysis.wording import count, fixed, thousands
from dashboard.design import Mode, from_paper
from dashboard.figures.theme import as_figure

MOST_WITH_NUMBERS = 26
"""Systems of a table that has numbers in its cells."""
JUDGE_WIDTH = 16
"""Letters of a judge's name beside a table of all judges."""


def standings_figure(
    ranking: Ranking,
    *,
    names: Mapping[str, str],
    colors: Mapping[str, str],
    score_label: str,
    mode: Mode,
    with_ranks: bool = True,
    most: int | None = None,
    first: int = 0,
    cut: bool = True,
    narrow: bool = False,
) -> go.Figure:
    """Draw the places from ``first`` to ``most``; ``narrow`` puts all text below the names."""
    scene = standings_scene(
        ranking, names, score_label, with_ranks=with_ranks, rows=slice(first, most), cut=cut
    )
    return as_figure(rows_json(scene, Look(colors, mode, narrow=narrow)), mode)


def head_to_head_figure(
    table: HeadToHead,
    predicted: FloatArray | None,
    view: View,
    *,
    verdict: Verdict | None,
    printed: bool = False,
    title: str,
    names: Mapping[str, str],
    clusters: Sequence[int] | None,
    chosen: tuple[str, str] | None,
    mode: Mode,
) -> go.Figure:
    """Draw one view of the table; a frame around ``chosen`` stays on the page."""
    scene = matrix_scene(
        table, predicted, view, verdict=verdict, names=names, title=title, clusters=clusters,
        printed=printed,
    )  # fmt: skip
    return as_figure(matrix_json(scene, Look(mode=mode), chosen=chosen), mode)


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
    """Draw the methods' orders; what marks the ``chosen`` systems stays on the page."""
    scene = reordering_scene(comparison, names, official)
    drawing = reordering_json(scene, Look(colors, mode), title=title, chosen=chosen, rows=rows)
    return as_figure(drawing, mode)


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
    """Draw `answer_scene`, with the curves below it if there are any."""
    scene = answer_scene(
        before, after, names, score_label, with_ghost=with_ghost, rows=rows, cut=cut
    )
    return as_figure(answer_json(scene, Look(colors, mode), title=title, curves=curves), mode)


def kappa_figure(
    found: Agreement, history: Sequence[PublishedKappa], *, title: str, mode: Mode
) -> go.Figure:
    """Draw one row per campaign: judges with each other left, with themselves right."""
    return as_figure(kappa_json(found, history, Look(mode=mode), title=title), mode)


def outlook_figure(plan: Plan, *, title: str, mode: Mode) -> go.Figure:
    """Draw what to expect as the campaign grows: share of significant pairs, or clusters."""
    return as_figure(outlook_json(plan, Look(mode=mode), title=title), mode)


def power_figure(
    prospect: Prospect, *, title: str, mode: Mode, now: tuple[float, float] | None = None
) -> go.Figure:
    """Draw how the power of a design grows with its tasks; the design itself is a diamond."""
    return as_figure(power_json(prospect, Look(mode=mode), title=title, now=now), mode)


WIDEST_CELL = 0.12
"""Part of the figure's width that a cell takes at most: of two systems, cells are no bars."""


def counts_figure(
    compared: FloatArray,
    systems: Sequence[str],
    *,
    names: Mapping[str, str],
    mode: Mode,
    title: str = "",
    write: Callable[[int], str] = lambda n: count(n, "judgment"),
    most: float = 0,
) -> go.Figure:
    """Draw how often systems met, ``compared[K, K]`` in the order given; gray: never.

    ``write`` says what a number in a cell is. Colors reach to ``most`` at least, so that two
    figures can share a scale.
    """
    n = len(systems)
    shown = tuple(names.get(system, system) for system in systems)
    cells = np.where(np.eye(n, dtype=bool) | (compared == 0), np.nan, compared)
    low, high = compared_range(compared)
    texts = [["" if np.isnan(cell) else thousands(int(cell)) for cell in row] for row in cells]
    scene = Cells(
        rows=shown,
        columns=shown,
        values=cells,
        words=[
            [
                as_html(row) if i == j
                else f"{as_html(row)}<br>{as_html(column)}<br>{write(int(compared[i, j]))}"
                for j, column in enumerate(shown)
            ]
            for i, row in enumerate(shown)
        ],
        low=0,
        high=max(high, most) or 1,
        scale=from_paper(mode),
        title=title,
        alt=f"{title or 'Judgments'}. {n} by {n} systems, from {low} to {high} for each pair.",
        texts=np.array(texts) if n <= MOST_WITH_NUMBERS else None,
    )  # fmt: skip
    height, least = (30, 32) if n <= MOST_WITH_NUMBERS else (max(1200 // n, 8), 8)
    angle = 0 if n <= 4 else -45
    figure = as_figure(
        cells_json(scene, Look(mode=mode), height=height, least=least, angle=angle), mode
    )
    return figure.update_xaxes(domain=[0, min(WIDEST_CELL * n, 1)])


def compared_range(compared: FloatArray) -> tuple[int, int]:
    """Return the fewest and the most judgments of any two systems."""
    off = compared[~np.eye(len(compared), dtype=bool)]
    return (int(off.min()), int(off.max())) if len(off) else (0, 0)


def judge_heatmap(found: JudgeAgreement, *, title: str, mode: Mode) -> go.Figure:
    """Draw kappa of every two judges, the busiest first; gray where too little is comparable."""
    n = len(found.judges)
    names = tuple(middle_cut(name, JUDGE_WIDTH) for name in found.judges)
    scene = Cells(
        rows=names,
        columns=names,
        values=found.kappa,
        words=[[_cell_words(found, i, j) for j in range(n)] for i in range(n)],
        low=0,
        high=1,
        scale=SEQUENTIAL,
        title=title,
        alt=f"{title}. A heatmap of {n} judges.",
        bar=dict(title=dict(text="κ"), nticks=6, len=220, lenmode="pixels", y=1, yanchor="top"),
    )
    height = max(22 if n <= 40 else 13, 180 // max(n, 1))
    look = Look(mode=mode)
    return as_figure(cells_json(scene, look, height=height, least=8, angle=-90), mode)


def _cell_words(found: JudgeAgreement, i: int, j: int) -> str:
    row, column = as_html(found.judges[i]), as_html(found.judges[j])
    who = f"{row} with themselves" if i == j else f"{row}<br>{column}"
    n = int(found.comparable[i, j])
    if math.isnan(found.kappa[i, j]):
        return f"{who}<br>too few answers to the same questions ({n})"
    kappa = float(found.kappa[i, j])
    return f"{who}<br>κ {fixed(kappa)}, {landis_koch(kappa)}<br>{thousands(n)} pairs of answers"


SIZES = Sizes(row=20, dense=17, dot=9)


@dataclass(frozen=True)
class Estimates:
    """One estimate per system, with both ends of its interval; ``hollow`` dots step back."""

    label: str
    color: str
    scores: FloatArray
    low: FloatArray
    high: FloatArray
    hollow: Sequence[bool] = ()


def side_by_side_figure(
    systems: Sequence[str],
    estimates: Sequence[Estimates],
    *,
    title: str,
    axis: str,
    alt: str,
    name: Callable[[str], str],
    mode: Mode,
    truth: FloatArray | None = None,
    truth_label: str = "",
) -> go.Figure:
    """Draw a shaded row with each system's name, and below it a row per estimate.

    A gray tick in the rows of a system is its ``truth``, if that is known.
    """
    rows: list[Row] = []
    for k, system in enumerate(systems):
        rows.append(Row(system, name(system), np.nan))
        at = np.nan if truth is None else float(truth[k])
        known = None if np.isnan(at) else Ghost(at, None, f"{truth_label}: {fixed(at, 3)}")
        for one in estimates:
            score, low, high = float(one.scores[k]), float(one.low[k]), float(one.high[k])
            words = f"{fixed(score, 3)}, from {fixed(low, 3)} to {fixed(high, 3)}"
            rows.append(
                Row(
                    one.label, one.label, score, thin=(low, high), words=(name(system), words),
                    hollow=any(one.hollow[k : k + 1]), ghost=known,
                )
            )  # fmt: skip
    heads = range(0, len(rows), 1 + len(estimates))
    axis += "" if truth is None else f"; gray tick: {truth_label}"
    scene = Rows(tuple(rows), axis, alt, bands=tuple((row, row + 1) for row in heads))
    look = Look({one.label: one.color for one in estimates}, mode, SIZES)
    return as_figure(rows_json(scene, look, title=title), mode)
