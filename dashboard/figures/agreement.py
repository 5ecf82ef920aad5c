"""Agreement: this campaign's kappas among published ones, and every judge against every other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.look import Look
from analysis.judges.agreement import LANDIS_KOCH, Agreement, Kappa, landis_koch
from analysis.judges.history import PublishedKappa
from analysis.judges.judges import JudgeAgreement
from analysis.names import middle_cut
from dashboard.design import SEQUENTIAL, Inks, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, as_figure, finish
from dashboard.typography import as_html, fixed, thousands

ROW, HEAD, FOOT, SECOND_ROW = 30, 118, 50, 14
MOST = 1.03
"""As far as the axis goes, so that a dot at 1 is whole."""
BAND = 0.2
"""Width of a word's band, all but the first and the last."""
CELL, NAME_WIDTH = 22, 16
ROOM_FOR_A_LETTER = 0.033
"""Part of the narrowest panel that a letter takes."""
THIS, COUNTED = "This campaign", "… counted the WMT way"


def kappa_figure(
    found: Agreement, history: Sequence[PublishedKappa], *, title: str, mode: Mode
) -> go.Figure:
    """Draw one row per campaign: judges with each other left, with themselves right.

    This campaign has an interval and a full dot; below it an open one, counted as the published
    ones are. Bands are the words of Landis and Koch.
    """
    ink = inks(mode)
    labels = [THIS, COUNTED, *(row.campaign for row in reversed(history))]
    figure = make_subplots(
        rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.07,
        subplot_titles=["Judges with each other", "Judges with themselves"],
    )  # fmt: skip
    figure.update_annotations(
        xanchor="left", yshift=24 + SECOND_ROW, font=dict(size=NORMAL, color=ink.text)
    )
    for column, kind in enumerate(("inter", "intra"), start=1):
        strict, counted = getattr(found.strict, kind), getattr(found.published, kind)
        others = [getattr(row, kind) for row in reversed(history)]
        drawn = (
            strict.kappa, strict.low, strict.high, strict.others_low, strict.others_high,
            counted.kappa, *others,
        )  # fmt: skip
        known = [v for v in drawn if v == v]
        bounds = _range(known)
        figure.layout.annotations[column - 1].x = figure.get_subplot(1, column).xaxis.domain[0]
        _draw_words(figure, bounds, column, ink)
        figure.add_scatter(
            x=others, y=list(range(2, len(labels))), mode="markers", name="published",
            marker=dict(size=10, color=ink.quiet),
            hovertemplate="κ %{x:.3f}<extra></extra>", row=1, col=column,
        )  # fmt: skip
        figure.add_scatter(
            x=[counted.kappa], y=[1], mode="markers", name="as published",
            marker=dict(size=10, color=ink.paper, line=dict(color=ink.accent, width=2)),
            hovertemplate="κ %{x:.3f}, counted the WMT way<extra></extra>", row=1, col=column,
        )  # fmt: skip
        _draw_strict(figure, strict, found.level, column, ink)
        figure.update_xaxes(
            range=bounds, title_text="κ", showgrid=False, fixedrange=True, tickformat=".1f",
            dtick=0.1 if bounds[1] - bounds[0] <= 0.7 else 0.2, row=1, col=column,
        )  # fmt: skip
    figure.update_yaxes(
        range=[len(labels) - 0.5, -0.5], tickmode="array", tickvals=list(range(len(labels))),
        showline=False, fixedrange=True, showgrid=True,
    )  # fmt: skip
    ticks = [f"<b>{THIS}</b>", *(as_html(label) for label in labels[1:])]
    figure.update_yaxes(
        ticktext=ticks, tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8, col=1
    )
    return finish(
        figure, mode, title=title, alt=_alt(found, history),
        height=HEAD + FOOT + ROW * len(labels), margin=dict(l=8, r=12, t=HEAD, b=FOOT),
    )  # fmt: skip


def _range(known: Sequence[float]) -> list[float]:
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    ends = math.floor((low - 0.05) * 10) / 10, math.ceil((high + 0.05) * 10) / 10
    return [max(ends[0], -MOST), min(ends[1], MOST)]


def _draw_words(figure: go.Figure, bounds: Sequence[float], column: int, ink: Inks) -> None:
    """Write the word of each band over it and shade every second one.

    Where the words have no room in one row, they stand in two.
    """
    ends = [(-1.0, 0.0, "poor")]
    for end, word in LANDIS_KOCH:
        ends.append((ends[-1][1], end, word))
    ends.append((ends[-1][1], 1.0, "almost perfect"))
    # The panel has no dots yet, and Plotly leaves empty panels out unless told.
    here = dict(row=1, col=column)
    anyway = dict(layer="below", exclude_empty_subplots=False, **here)
    letter = ROOM_FOR_A_LETTER * (bounds[1] - bounds[0])
    bands = [
        (number, max(start, bounds[0]), min(end, bounds[1]), word)
        for number, (start, end, word) in enumerate(ends)
        if min(end, bounds[1]) > max(start, bounds[0])
    ]
    is_staggered = any(high - low <= letter * len(word) for _, low, high, word in bands)
    for number, low, high, word in bands:
        if number % 2:
            figure.add_vrect(x0=low, x1=high, fillcolor=ink.band, line_width=0, **anyway)
        if low > bounds[0]:
            rule = dict(color=ink.strong_rule, width=1, dash="dot")
            figure.add_vline(x=low, line=rule, **anyway)
        beside = BAND if is_staggered else 0.0
        if high - low + beside > letter * len(word):
            figure.add_annotation(
                x=(low + high) / 2, y=1, yref="y domain" if column == 1 else "y2 domain",
                text=word, showarrow=False, yanchor="bottom",
                yshift=2 + SECOND_ROW * (is_staggered and number % 2),
                font=dict(size=SMALL, color=ink.quiet), **here,
            )  # fmt: skip


def _draw_strict(figure: go.Figure, kappa: Kappa, level: float, column: int, ink: Inks) -> None:
    here = dict(row=1, col=column)
    for name, low, high, width in (
        ("interval for others", kappa.others_low, kappa.others_high, 1.5),
        ("interval", kappa.low, kappa.high, 5),
    ):
        if not math.isnan(low):
            figure.add_scatter(
                x=[low, high], y=[0, 0], mode="lines", name=name,
                line=dict(color=ink.accent, width=width), hoverinfo="skip", **here,
            )  # fmt: skip
    words = f"κ {kappa.kappa:.3f}, {kappa.word}"
    words += f"<br>{thousands(kappa.comparable)} pairs of answers"
    if not math.isnan(kappa.low):
        words += f"<br>{level:.0%} by these judges {kappa.low:.3f} to {kappa.high:.3f}"
    if not math.isnan(kappa.others_low):
        words += f"<br>by other judges too {kappa.others_low:.3f} to {kappa.others_high:.3f}"
    figure.add_scatter(
        x=[kappa.kappa], y=[0], mode="markers", name="strict",
        marker=dict(size=14, color=ink.accent), text=[words],
        hovertemplate="%{text}<extra></extra>", **here,
    )  # fmt: skip


def _alt(found: Agreement, history: Sequence[PublishedKappa]) -> str:
    strict = found.strict
    words = (
        f"Kappa of this campaign: judges with each other {fixed(strict.inter.kappa)}, "
        f"with themselves {fixed(strict.intra.kappa)}."
    )
    published = "; ".join(f"{r.campaign} {r.inter:.2f} and {r.intra:.2f}" for r in history)
    return words + (f" Published: {published}." if published else "")


def judge_heatmap(found: JudgeAgreement, *, title: str, mode: Mode) -> go.Figure:
    """Draw kappa of every two judges, the busiest first; gray where too little is comparable."""
    n = len(found.judges)
    names = tuple(middle_cut(name, NAME_WIDTH) for name in found.judges)
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
    height = max(CELL if n <= 40 else 13, 180 // max(n, 1))
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
