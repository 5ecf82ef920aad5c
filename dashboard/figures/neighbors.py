"""How many more judgments tell each two neighbors of the standings apart."""

from __future__ import annotations

import math
from collections.abc import Mapping
from textwrap import fill

import plotly.graph_objects as go

from analysis.escaping import as_html
from analysis.findings.planning import amount, amounts, goals_of
from analysis.names import middle_cut
from analysis.next_campaign.planning import HORIZON, Goal, Plan
from dashboard.design import Inks, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, lay_on

TITLE_WIDTH, NAME_WIDTH = 64, 18
ROW, HEAD, FOOT, LABELS = 32, 52, 58, 152
"""Pixels: a row, room above, below, and right of the rows."""

ALREADY, NEVER = "already significant", "out of reach"


def neighbors_figure(plan: Plan, *, names: Mapping[str, str], title: str, mode: Mode) -> go.Figure:
    """Draw a row for every two neighbors: the further judgments that separate them."""
    goals, ink = goals_of(plan, "neighbors"), inks(mode)
    per_task, now = plan.at_hand.judgments_per_task, plan.at_hand.n_judgments
    most = now * (HORIZON - 1)
    least = 10.0 ** math.floor(math.log10(max(now / 100, 10)))
    figure = go.Figure()

    def shown(tasks: float) -> float:
        return min(max(tasks * per_task, least), most)

    drawn = [
        (row, shown(goal.low), shown(goal.likely), shown(goal.high))
        for row, goal in enumerate(goals)
        if not goal.reached
    ]
    look: Part = dict(mode="lines", name="interval", opacity=0.55, hoverinfo="skip")
    look |= dict(line=dict(color=ink.accent, width=3))
    figure.add_traces([go.Scatter(x=[a, b], y=[row] * 2, **look) for row, a, _, b in drawn])
    open_ends = [row for row, *_ in drawn if math.isinf(goals[row].high)]
    figure.add_scatter(
        x=[most] * len(open_ends), y=open_ends, mode="markers", name="beyond", cliponaxis=False,
        marker=dict(symbol="triangle-right", size=9, color=ink.accent), hoverinfo="skip",
    )  # fmt: skip
    dots = [(row, likely) for row, _, likely, _ in drawn if goals[row].within_reach]
    figure.add_scatter(
        x=[x for _, x in dots],
        y=[row for row, _ in dots],
        mode="markers",
        name="needed",
        marker=dict(size=11, color=ink.accent),
        text=[_neighbor_words(goals[row], per_task, most, names) for row, _ in dots],
        hovertemplate="%{text}<extra></extra>",
    )
    lay_on(figure, notes=[_note(row, g, per_task, most, ink) for row, g in enumerate(goals)])
    ticks = [10**e for e in range(1, 10) if least <= 10**e <= most]
    figure.update_xaxes(
        type="log", tickvals=ticks, ticktext=[f"+{_short(tick)}" for tick in ticks], tickangle=0,
        title_text="more judgments", range=[math.log10(least * 0.9), math.log10(most)],
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(goals))), ticktext=[_both(goal, names) for goal in goals],
        tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8,
        range=[len(goals) - 0.5, -0.5], showline=False, showgrid=True, fixedrange=True,
    )  # fmt: skip
    words = [f"{_both(goal, names)} {_row_words(goal, per_task, most)}" for goal in goals]
    return finish(
        figure, mode, title=fill(title, TITLE_WIDTH),
        alt=f"{title}. Further judgments for each adjacent pair: {'; '.join(words)}.",
        height=HEAD + FOOT + ROW * len(goals), margin=dict(l=8, r=LABELS - 20, t=HEAD, b=FOOT),
    )  # fmt: skip


def _short(power: int) -> str:
    """Write a power of ten in so few letters that ticks fit.

    >>> _short(100), _short(10_000), _short(1_000_000)
    ('100', '10k', '1M')
    """
    if power >= 1_000_000:
        return f"{power // 1_000_000}M"
    return f"{power // 1000}k" if power >= 1000 else str(power)


def _both(goal: Goal, names: Mapping[str, str]) -> str:
    shown = [middle_cut(names.get(s, s), NAME_WIDTH) for s in goal.systems or ()]
    return as_html(" · ".join(shown))


def _row_words(goal: Goal, per_task: float, most: float) -> str:
    if goal.reached:
        return ALREADY
    if not goal.within_reach:
        return NEVER
    return f"about {amount(goal.likely * per_task, most)}"


def _note(row: int, goal: Goal, per_task: float, most: float, ink: Inks) -> Part:
    """Say what it comes to beside the row, or in it where there is nothing to draw."""
    return dict(
        xref="paper", x=0 if goal.reached else 1, y=row, xanchor="left", xshift=8,
        text=_row_words(goal, per_task, most), showarrow=False,
        font=dict(size=SMALL, color=ink.quiet if goal.reached else ink.text),
    )  # fmt: skip


def _neighbor_words(goal: Goal, per_task: float, most: float, names: Mapping[str, str]) -> str:
    full = "<br>".join(as_html(names.get(s, s)) for s in goal.systems or ())
    interval = amounts(goal.low * per_task, goal.high * per_task, most)
    needs = f"{amount(goal.likely * per_task, most)} more judgments<br>{interval}"
    return f"<b>{full}</b><br>{needs}"
