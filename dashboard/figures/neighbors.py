"""How many more judgments tell each two neighbors of the standings apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from analysis.drawing.look import in_lines
from analysis.escaping import as_html
from analysis.findings.planning import amount, amounts, goals_of
from analysis.names import middle_cut
from analysis.next_campaign.planning import HORIZON, Goal, Plan
from dashboard.design import Inks, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, Part, finish, lay_on

NAME_WIDTH = 18
ROW, HEAD, FOOT, LABELS = 32, 52, 58, 152
"""Pixels: a row, room above, below, and right of the rows."""

ALREADY = "already significant"


def neighbors_figure(plan: Plan, *, names: Mapping[str, str], title: str, mode: Mode) -> go.Figure:
    """Draw a row for every two neighbors: what separates them, in what the plan counts."""
    goals, ink = goals_of(plan, "neighbors"), inks(mode)
    most, is_open = plan.most, [goal for goal in goals if not goal.reached]
    lowest = min((plan.needs(goal)[0] for goal in is_open), default=10.0)
    least = 10.0 ** math.floor(math.log10(min(max(lowest, 10.0), most)))
    figure = go.Figure()

    def shown(number: float) -> float:
        return min(max(number, least), most)

    drawn = [
        (row, shown(low), shown(likely), shown(high))
        for row, goal in enumerate(goals)
        if not goal.reached
        for low, likely, high in [plan.needs(goal)]
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
        text=[_neighbor_words(plan, goals[row], names) for row, _ in dots],
        hovertemplate="%{text}<extra></extra>",
    )
    lay_on(figure, notes=[_note(plan, row, goal, ink) for row, goal in enumerate(goals)])
    ticks = [10**e for e in range(1, 10) if least <= 10**e <= most]
    figure.update_xaxes(
        type="log", tickvals=ticks, ticktext=[f"+{_short(tick)}" for tick in ticks], tickangle=0,
        title_text=f"more {plan.at_hand.counted} (log scale)", showgrid=True, fixedrange=True,
        range=[math.log10(least * 0.9), math.log10(most)],
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(goals))), ticktext=[_both(goal, names) for goal in goals],
        tickfont=dict(size=NORMAL, color=ink.text), ticklabelstandoff=8,
        range=[len(goals) - 0.5, -0.5], showline=False, showgrid=True, fixedrange=True,
    )  # fmt: skip
    words = [f"{_both(goal, names)} {_row_words(plan, goal)}" for goal in goals]
    return finish(
        figure, mode, title=in_lines(title),
        alt=f"{title}. Further {plan.at_hand.counted} for each adjacent pair: {'; '.join(words)}.",
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


def _row_words(plan: Plan, goal: Goal) -> str:
    if goal.reached:
        return ALREADY
    if not goal.within_reach:
        return f"over {HORIZON} times as many"
    return f"about {amount(plan.needs(goal)[1], plan.most)}"


def _note(plan: Plan, row: int, goal: Goal, ink: Inks) -> Part:
    """Say what it comes to beside the row, or in it where there is nothing to draw."""
    return dict(
        xref="paper", x=0 if goal.reached else 1, y=row, xanchor="left", xshift=8,
        text=_row_words(plan, goal), showarrow=False,
        font=dict(size=SMALL, color=ink.quiet if goal.reached else ink.text),
    )  # fmt: skip


def _neighbor_words(plan: Plan, goal: Goal, names: Mapping[str, str]) -> str:
    full = "<br>".join(as_html(names.get(s, s)) for s in goal.systems or ())
    low, likely, high = plan.needs(goal)
    needs = f"{amount(likely, plan.most)} more {plan.at_hand.counted}"
    return f"<b>{full}</b><br>{needs}<br>{amounts(low, high, plan.most)}"
