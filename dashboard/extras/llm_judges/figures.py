"""Machine judges: how far each agrees with people, and what its votes add to theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.campaign import FloatArray
from analysis.escaping import as_html
from analysis.extras.llm_judges.agreement import Estimate, MachineAgreement
from analysis.extras.llm_judges.prediction_powered import PredictionPowered
from analysis.names import middle_cut
from analysis.ranking.verdict import Verdict
from analysis.wording import percent, thousands
from dashboard.design import ODD, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, in_lines, lay_on

ROW, HEAD, FOOT = 40, 96, 56
SYSTEM_ROW, TITLE_LINE, KEY = 30, 22, 64
NAME_WIDTH = 26
GAP = 0.2
"""How far the three intervals of a system lie apart, in rows."""


def _draw_humans(figure: go.Figure, measured: Sequence[MachineAgreement], color: str) -> None:
    """Mark in how many of the same votes the output that humans saw first won."""
    theirs = [
        (row, agreed.human_first_shown.value)
        for row, agreed in enumerate(measured)
        if agreed.human_first_shown.is_known
    ]
    figure.add_scatter(
        x=[value for _, value in theirs], y=[row for row, _ in theirs], mode="markers",
        name="people", marker=dict(symbol="line-ns", size=22, line=dict(color=color, width=3)),
        text=[f"humans: {percent(value)}" for _, value in theirs],
        hovertemplate="%{text}<extra></extra>", row=1, col=2,
    )  # fmt: skip
    if theirs:
        lay_on(figure, notes=[_label(theirs[0], color)])


def machines_figure(measured: Sequence[MachineAgreement], *, title: str, mode: Mode) -> go.Figure:
    """Draw a row a machine: κ with people left, the share of what is shown first right."""
    ink = inks(mode)
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.08)
    rows = list(range(len(measured)))
    for column, name in ((1, "kappa"), (2, "first_shown")):
        drawn = [(row, getattr(agreed, name)) for row, agreed in zip(rows, measured, strict=True)]
        known = [(row, one) for row, one in drawn if one.is_known]
        here = dict(row=1, col=column)
        for row, one in known:
            figure.add_scatter(
                x=[one.low, one.high], y=[row, row], mode="lines", name="interval",
                line=dict(color=ink.accent, width=5), hoverinfo="skip", **here,
            )  # fmt: skip
        figure.add_scatter(
            x=[one.value for _, one in known], y=[row for row, _ in known], mode="markers",
            name="machine", marker=dict(size=11, color=ink.accent),
            text=[_words(one, percents=column == 2) for _, one in known],
            hovertemplate="%{text}<extra></extra>", **here,
        )  # fmt: skip
    _draw_humans(figure, measured, ODD[mode])
    low = min([0.0, *(agreed.kappa.low for agreed in measured if agreed.kappa.is_known)])
    figure.update_xaxes(
        title_text="Cohen's κ with humans", range=[low - 0.02, 1.02],
        tickformat=".1f", dtick=0.2, fixedrange=True, showgrid=True, row=1, col=1,
    )  # fmt: skip
    figure.update_xaxes(
        title_text="first shown wins", range=[-0.02, 1.02], tickformat=".0%",
        dtick=0.25, fixedrange=True, showgrid=True, row=1, col=2,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=rows, ticktext=[as_html(middle_cut(m.judge, NAME_WIDTH)) for m in measured],
        range=[len(rows) - 0.5, -0.75], fixedrange=True, showgrid=True, showline=False,
        tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8,
    )  # fmt: skip
    verdict = in_lines(title)
    told_rows = "; ".join(f"{m.judge}: κ {m.kappa.value:.2f}" for m in measured)
    head = HEAD + TITLE_LINE * verdict.count("\n") - 28
    return finish(
        figure, mode, title=verdict, alt=f"{title}. {told_rows}.",
        height=head + FOOT + ROW * len(rows), margin=dict(l=8, r=12, t=head, b=FOOT),
    )  # fmt: skip


def _words(one: Estimate, percents: bool) -> str:
    if percents:
        return f"{percent(one.value)}, from {percent(one.low)} to {percent(one.high)}"
    return f"κ {one.value:.3f}, from {one.low:.3f} to {one.high:.3f}"


def _label(place: tuple[int, float], color: str) -> Part:
    row, value = place
    return dict(
        xref="x2", yref="y2", x=value, y=row, yshift=20, text="humans", showarrow=False,
        font=dict(size=SMALL, color=color),
    )  # fmt: skip


def powered_figure(
    result: PredictionPowered,
    truth: FloatArray | None,
    *,
    names: Mapping[str, str],
    score_label: str,
    title: str,
    mode: Mode,
) -> go.Figure:
    """Draw a row a system: people alone, people with the machine, the machine alone.

    ``truth`` are the scores by all votes of people, where more of them are known: they order the
    rows, so that a draw of few votes does not look like a ranking.
    """
    ink, odd = inks(mode), ODD[mode]
    scores = result.powered.scores
    ordered = result.powered.order if truth is None else np.argsort(-truth, kind="stable")
    order = [int(k) for k in ordered if scores[k] == scores[k]]
    figure = go.Figure()
    for verdict, shift, color, width, label in (
        (result.people, -GAP, ink.quiet, 3, f"{result.n_votes} human votes"),
        (result.powered, 0.0, ink.accent, 5, f"human votes plus {result.judge}"),
        (result.machine, GAP, odd, 3, f"{result.judge} alone"),
    ):
        _draw_intervals(figure, verdict, order, shift, color, width, label, names)
    if truth is not None:
        figure.add_scatter(
            x=[truth[k] for k in order], y=list(range(len(order))), mode="markers",
            name="all human votes",
            marker=dict(symbol="line-ns", size=20, line=dict(color=ink.text, width=2)),
            text=[f"all human votes: {truth[k]:.3f}" for k in order],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    figure.update_xaxes(title_text=score_label, fixedrange=True, showgrid=True)
    labels = [as_html(middle_cut(names.get(s, s), NAME_WIDTH)) for s in _named(result, order)]
    figure.update_yaxes(
        tickvals=list(range(len(order))), ticktext=labels, range=[len(order) - 0.4, -0.6],
        fixedrange=True, showgrid=True, showline=False, ticklabelstandoff=8,
        tickfont=dict(size=NORMAL, color=ink.text),
    )  # fmt: skip
    told_title = in_lines(title)
    head = KEY + 30 + TITLE_LINE * told_title.count("\n")
    lay_on(figure, notes=[_key(result, truth is not None, ink.quiet)])
    rows = "; ".join(
        f"{system} {result.powered.scores[k]:.3f}"
        for system, k in zip(_named(result, order), order, strict=True)
    )
    return finish(
        figure, mode, title=told_title, alt=f"{title}. {score_label}: {rows}.",
        height=head + FOOT + SYSTEM_ROW * len(order), margin=dict(l=8, r=12, t=head, b=FOOT),
    )  # fmt: skip


def _key(result: PredictionPowered, with_truth: bool, color: str) -> Part:
    """Say which interval of a row is whose, in lines that fit a narrow window."""
    machine = middle_cut(result.judge, NAME_WIDTH)
    lines = [
        f"Upper gray bar: {thousands(result.n_votes)} human votes. Vertical tick: all human votes."
        if with_truth
        else f"Upper gray bar: {thousands(result.n_votes)} human votes.",
        f"Thick bar: the same votes plus {machine}.",
        f"Lower orange bar: {machine} alone.",
    ]
    return dict(
        xref="paper", yref="paper", x=0, y=1, xanchor="left", yanchor="bottom", yshift=4,
        text="<br>".join(map(as_html, lines)), align="left", showarrow=False,
        font=dict(size=SMALL, color=color),
    )  # fmt: skip


def _named(result: PredictionPowered, order: Sequence[int]) -> list[str]:
    return [result.powered.systems[k] for k in order]


def _draw_intervals(
    figure: go.Figure,
    verdict: Verdict,
    order: Sequence[int],
    shift: float,
    color: str,
    width: int,
    label: str,
    names: Mapping[str, str],
) -> None:
    """Draw one evidence's intervals as a single broken line, and its scores as dots."""
    places = {system: k for k, system in enumerate(verdict.systems)}
    xs: list[float | None] = []
    ys: list[float | None] = []
    dots, words = [], []
    for row, k in enumerate(order):
        xs += [float(verdict.ci_low[k]), float(verdict.ci_high[k]), None]
        ys += [row + shift, row + shift, None]
        dots.append(float(verdict.scores[k]))
        system = verdict.systems[places[verdict.systems[k]]]
        words.append(
            f"<b>{as_html(names.get(system, system))}</b><br>{as_html(label)}: "
            f"{verdict.scores[k]:.3f}, from {verdict.ci_low[k]:.3f} to {verdict.ci_high[k]:.3f}"
        )
    figure.add_scatter(
        x=xs, y=ys, mode="lines", line=dict(color=color, width=width), name=as_html(label),
        hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=dots, y=[row + shift for row in range(len(order))], mode="markers", name=as_html(label),
        marker=dict(size=width + 4, color=color), text=words,
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
