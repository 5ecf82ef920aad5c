"""Looking ahead: what more judgments would tell apart, and how many judgments targets take."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.findings.planning import amount, amounts, goals_of
from analysis.next_campaign.design import WANTED_POWER, Prospect
from analysis.next_campaign.planning import Plan
from dashboard.design import Inks, Mode, faded, inks
from dashboard.figures.theme import SMALL, finish
from dashboard.typography import as_html, percent, thousands

TITLE_WIDTH = 64
HEIGHT, HEAD, FOOT, LABELS = 430, 52, 58, 172
"""Pixels: the figure's height, room above, below, and right of the curve."""

TWO_LINES = 34
"""Pixels between two targets that labels of two lines need."""
NEVER = "not within reason"


@dataclass(frozen=True)
class Target:
    """A level to reach, and the further judgments it takes: likely, and the interval around it."""

    level: float
    words: str
    low: float
    likely: float
    high: float


@dataclass(frozen=True, eq=False)
class Growth:
    """A curve over all judgments with its band, and the targets on its way.

    ``at_hand`` are the judgments that are there already, from which targets are counted.
    """

    at_hand: float
    judgments: FloatArray
    middle: FloatArray
    low: FloatArray
    high: FloatArray
    hover: tuple[str, ...]
    targets: tuple[Target, ...]

    @property
    def most(self) -> float:
        """The most further judgments that are looked at."""
        return float(self.judgments[-1]) - self.at_hand


def outlook_figure(plan: Plan, *, title: str, mode: Mode) -> go.Figure:
    """Draw what to expect as the campaign grows: share of significant pairs, or clusters.

    Judgments are on a logarithmic axis that begins today; ticks say how many more there are.
    """
    growth, ink = _growth_of_plan(plan), inks(mode)
    now, end = growth.at_hand, _reach(growth)
    figure = go.Figure()
    _draw_growth(figure, growth, end, ink)
    figure.add_shape(
        type="line", x0=now, x1=now, yref="paper", y0=0, y1=1,
        line=dict(color=ink.strong_rule, width=2),
    )  # fmt: skip
    times = [t for t in (1, 2, 4, 8, 16, 32, 64) if now * t <= end * 1.01]
    figure.update_xaxes(
        tickvals=[now * t for t in times],
        ticktext=["today", *(f"+{_two_digits(now * (t - 1))}" for t in times[1:])],
        title_text=f"more judgments, beyond today's {thousands(int(now))}",
        range=[math.log10(now * 0.985), math.log10(end)],
    )
    if plan.aim.kind == "clusters":
        shown = growth.judgments <= end
        levels = [*growth.low[shown], *growth.high[shown], *(t.level for t in growth.targets)]
        bounds = [min(levels) - 0.6, max(levels) + 0.6]
        figure.update_yaxes(title_text="clusters", range=bounds, tickformat="d", nticks=8)
    else:
        bounds = [min(0.45, growth.low.min() - 0.03), 1.03]
        _dress_shares(figure, bounds, "significant")
    _label_targets(figure, growth, bounds, ink)
    return _finish(figure, growth, title, mode)


def power_figure(prospect: Prospect, *, title: str, mode: Mode) -> go.Figure:
    """Draw how the power of a design grows with its tasks; the design itself is a diamond."""
    ink, curve = inks(mode), prospect.curve
    figure = go.Figure()
    figure.add_scatter(
        x=curve["tasks"], y=curve["power"], mode="lines", line=dict(color=ink.text, width=2),
        hovertemplate="%{x:,} tasks<br>power %{y:.0%}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=[prospect.design.tasks], y=[prospect.power], mode="markers",
        marker=dict(size=12, color=ink.text, symbol="diamond"),
        hovertemplate="the design: %{x:,} tasks<br>power %{y:.0%}<extra></extra>",
    )  # fmt: skip
    figure.add_hline(y=WANTED_POWER, line=dict(color=ink.strong_rule, width=1, dash="dash"))
    figure.update_xaxes(title_text="ranking tasks", type="log", fixedrange=True)
    figure.update_yaxes(title_text="power", range=[0, 1.03], tickformat=".0%", fixedrange=True)
    alt = f"{title}: {percent(prospect.power)} with {thousands(prospect.design.tasks)} tasks."
    margin = dict(l=8, r=24, t=HEAD, b=FOOT)
    return finish(figure, mode, title=title, alt=alt, height=HEIGHT, margin=margin)


def _growth_of_plan(plan: Plan) -> Growth:
    curve, per_task = plan.curve(), plan.at_hand.judgments_per_task
    by_clusters = plan.aim.kind == "clusters"
    kind = "clusters" if by_clusters else "share"
    middle, low, high = (curve[kind + end].to_numpy(float) for end in ("", "_low", "_high"))
    return Growth(
        float(plan.at_hand.n_judgments),
        curve["judgments"].to_numpy(float),
        middle,
        low,
        high,
        hover=tuple(
            f"{thousands(round(n * per_task))} more judgments ({thousands(round(n))} tasks)<br>"
            + (
                _cluster_words(*levels)
                if by_clusters
                else _share_words(*levels, what="significant")
            )
            for n, *levels in zip(curve["further_tasks"], middle, low, high, strict=True)
        ),
        targets=tuple(
            Target(
                goal.wanted,
                f"{goal.wanted:.0f} clusters" if by_clusters else percent(goal.wanted),
                *(per_task * n for n in (goal.low, goal.likely, goal.high)),
            )
            for goal in goals_of(plan, plan.aim.kind)
        ),
    )


def _cluster_words(middle: float, low: float, high: float) -> str:
    return f"{middle:.0f} clusters, {low:.0f} to {high:.0f}"


def _share_words(middle: float, low: float, high: float, *, what: str) -> str:
    return f"{percent(middle)} of the pairs {what}, {percent(low)} to {percent(high)}"


def _reach(growth: Growth) -> float:
    """Return where the axis ends: past what the targets take, but not far into nothing."""
    last = float(growth.judgments[-1])
    ends = [target.high for target in growth.targets]
    wanted = growth.at_hand + 1.3 * max(ends) if ends and math.isfinite(max(ends)) else last
    return min(max(wanted, 8 * growth.at_hand), last)


def _draw_growth(figure: go.Figure, growth: Growth, end: float, ink: Inks) -> None:
    """Draw the band, the curve, and on every target's level the judgments that it takes."""
    x = growth.judgments
    figure.add_scatter(
        x=[*x, *x[::-1]], y=[*growth.high, *growth.low[::-1]], name="interval", fill="toself",
        mode="none", fillcolor=faded(ink.accent, 0.16), hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=x, y=growth.middle, mode="lines", name="expected", line=dict(color=ink.accent, width=3),
        text=growth.hover, hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    for target in growth.targets:
        _draw_target(figure, target, growth, end, ink)


def _draw_target(figure: go.Figure, target: Target, growth: Growth, end: float, ink: Inks) -> None:
    figure.add_shape(
        type="line", xref="paper", x0=0, x1=1, y0=target.level, y1=target.level, layer="below",
        line=dict(color=ink.rule, width=1),
    )  # fmt: skip
    if target.likely <= 0:
        return
    begin = max(growth.at_hand + target.low, float(growth.judgments[0]))
    if begin < end:
        figure.add_scatter(
            x=[begin, min(growth.at_hand + target.high, end)], y=[target.level] * 2, mode="lines",
            name="needed, interval", line=dict(color=ink.text, width=2), hoverinfo="skip",
        )  # fmt: skip
    if math.isfinite(target.likely):
        figure.add_scatter(
            x=[growth.at_hand + target.likely], y=[target.level], mode="markers", name="needed",
            marker=dict(size=11, color=ink.paper, line=dict(color=ink.text, width=2)),
            text=["<br>".join(filter(None, _target_words(target, growth)))],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip


def _label_targets(figure: go.Figure, growth: Growth, bounds: Sequence[float], ink: Inks) -> None:
    """Write at the right of each target what it takes; with the interval where there is room."""
    levels = sorted(target.level for target in growth.targets)
    gap = min((b - a for a, b in itertools.pairwise(levels)), default=bounds[1] - bounds[0])
    room = gap / (bounds[1] - bounds[0]) * (HEIGHT - HEAD - FOOT)
    for target in growth.targets:
        head, interval = _target_words(target, growth)
        has_room = room >= TWO_LINES and interval
        figure.add_annotation(
            xref="paper", x=1, y=target.level, xanchor="left", xshift=8, showarrow=False,
            align="left", text=f"{head}<br>{interval}" if has_room else head,
            font=dict(size=SMALL, color=ink.text),
        )  # fmt: skip


def _two_digits(number: float) -> str:
    rounded = float(f"{number:.2g}")
    return thousands(int(rounded))


def _target_words(target: Target, growth: Growth, head: str = "<b>{}</b>") -> tuple[str, str]:
    """Return what a target takes, and the interval of it, empty where it is reached."""
    head = head.format(as_html(target.words))
    if target.likely <= 0:
        return f"{head} reached", ""
    interval = amounts(target.low, target.high, growth.most)
    if not math.isfinite(target.likely):
        return f"{head} {NEVER}", interval
    more = "+" if growth.at_hand else ""
    return f"{head} {more}{amount(target.likely, growth.most)}", interval


def _dress_shares(figure: go.Figure, bounds: Sequence[float], what: str) -> None:
    figure.update_yaxes(title_text=f"pairs {what}", range=list(bounds), tickformat=".0%", dtick=0.1)


def _finish(figure: go.Figure, growth: Growth, title: str, mode: Mode) -> go.Figure:
    figure.update_xaxes(type="log", fixedrange=True, ticks="outside")
    figure.update_yaxes(fixedrange=True, showline=False)
    targets = [filter(None, _target_words(t, growth, "{}")) for t in growth.targets]
    plain = "; ".join(map(", ".join, targets))
    return finish(
        figure, mode, title=fill(title, TITLE_WIDTH),
        alt=f"{title}. Judgments needed: {plain}.",
        height=HEIGHT, margin=dict(l=8, r=LABELS, t=HEAD, b=FOOT),
    )  # fmt: skip
