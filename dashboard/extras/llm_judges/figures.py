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
from analysis.wording import percent, thousands
from dashboard.design import ODD, Mode, inks
from dashboard.figures.scenes import Estimates, side_by_side_figure
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, in_lines, lay_on

ROW, HEAD, FOOT = 40, 96, 56
TITLE_LINE = 22
NAME_WIDTH = 26


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
    """Draw three rows per system: human votes, these with the LLM judge's, the LLM judge alone.

    ``truth`` are the scores by all votes of people, where more of them are known: they order the
    rows, so that a draw of few votes does not look like a ranking.
    """
    scores, votes = result.powered.scores, f"{thousands(result.n_votes)} human votes"
    ordered = result.powered.order if truth is None else np.argsort(-truth, kind="stable")
    order = [int(k) for k in ordered if scores[k] == scores[k]]
    judge = middle_cut(result.judge, NAME_WIDTH - len(" alone"))
    estimates = [
        Estimates(
            label, color, verdict.scores[order], verdict.ci_low[order], verdict.ci_high[order]
        )
        for verdict, color, label in (
            (result.people, inks(mode).neutral, votes),
            (result.powered, inks(mode).accent, f"plus {judge}"),
            (result.machine, ODD[mode], f"{judge} alone"),
        )
    ]
    systems = [result.powered.systems[k] for k in order]
    rows = "; ".join(f"{one} {scores[k]:.3f}" for one, k in zip(systems, order, strict=True))
    return side_by_side_figure(
        systems, estimates, title=in_lines(title), axis=score_label, mode=mode,
        alt=f"{title}. {score_label}: {rows}.", name=lambda system: names.get(system, system),
        truth=None if truth is None else truth[order], truth_label="all human votes",
    )  # fmt: skip
