"""Looking ahead: what more judgments would show, and how many judgments targets take."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray
from analysis.colors import Inks, faded
from analysis.drawing.look import Look, in_lines
from analysis.drawing.sketch import Part, Sketch
from analysis.escaping import as_html
from analysis.findings.planning import amount, amounts, counted_goal, goals_of
from analysis.next_campaign.design import WANTED_POWER, Prospect
from analysis.next_campaign.outlook import steps_of
from analysis.next_campaign.planning import Plan
from analysis.wording import percent, thousands

HEIGHT, HEAD, FOOT = 430, 52, 58
"""Pixels: the figure's height, room above and below the curve."""
LABELS = 14.4
"""Room for labels at the right, in heights of their letters."""
TWO_LINES = 2.8
"""Heights of letters between two targets that labels of two lines need."""
MOST_TICKS, STEPS = 9, (1, 2, 5, 10, 20, 50, 100)
"""Ticks of an axis of tiers, at most, and how many tiers lie between two of them."""
NEVER = "out of reach"


Curve = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Target:
    """A level to reach, and the further amount it takes: likely, and the interval around it."""

    level: float
    words: str
    low: float
    likely: float
    high: float


@dataclass(frozen=True, eq=False)
class Growth:
    """A curve over the whole campaign with its band, and the targets on its way.

    Amounts are what the plan counts: tasks, votes or ratings. ``at_hand`` are there already, from
    which targets are counted.
    """

    at_hand: float
    middle: Curve
    low: Curve
    high: Curve
    hover: tuple[str, ...]
    targets: tuple[Target, ...]

    @property
    def most(self) -> float:
        """The largest further amount."""
        return float(self.middle[0][-1]) - self.at_hand

    @property
    def reach(self) -> float:
        """Where the axis ends: beyond the targets, but not far into nothing."""
        last = float(self.middle[0][-1])
        ends = [target.high for target in self.targets]
        wanted = self.at_hand + 1.3 * max(ends) if ends and math.isfinite(max(ends)) else last
        return min(max(wanted, 8 * self.at_hand), last)


def outlook_json(plan: Plan, look: Look, *, title: str = "", height: float = HEIGHT) -> Part:
    """Return as Plotly JSON how many significant pairs, tiers or clusters more work brings.

    Tasks, votes or ratings are on a logarithmic axis that begins today; ticks say how many more
    there are.
    """
    growth, ink = _growth_of(plan), look.ink
    now, end = growth.at_hand, growth.reach
    letters = dict(size=look.sizes.small, color=ink.quiet)
    sketch = Sketch()
    sketch.add(_curves(growth, ink))
    today = dict(color=ink.strong_rule, width=2)
    line: Part = dict(type="line", x0=now, x1=now, yref="paper", y0=0, y1=1, line=today)
    sketch.lay_on(shapes=[line])
    for target in growth.targets:
        _draw_target(sketch, target, growth, ink)
    times = [t for t in (1, 2, 4, 8, 16, 32, 64) if now * t <= end * 1.01]
    counted = plan.at_hand.counted
    words = f"more {counted}, beyond today's {thousands(round(now))} (log scale)"
    sketch.update_xaxes(
        tickvals=[now * t for t in times],
        ticktext=["today", *(f"+{_two_digits(now * (t - 1))}" for t in times[1:])],
        title=dict(text=words, font=letters), tickfont=letters, type="log", fixedrange=True,
        range=[math.log10(now * 0.985), math.log10(end)], ticks="outside",
    )  # fmt: skip
    if (kind := counted_goal(plan)) != "share":
        levels = [t.level for t in growth.targets]
        for sizes, numbers in (growth.low, growth.high):
            levels += numbers[sizes <= end].tolist()
        bounds = [min(levels) - 0.6, max(levels) + 0.6]
        step = next((n for n in STEPS if bounds[1] - bounds[0] <= MOST_TICKS * n), STEPS[-1])
        what: Part = dict(tickformat="d", tick0=0, dtick=step, title=dict(text=kind, font=letters))
    else:
        bounds = [min(0.45, growth.low[1].min() - 0.03), 1.03]
        what = dict(tickformat=".0%", dtick=0.1, title=dict(text="pairs significant", font=letters))
    sketch.update_yaxes(range=bounds, fixedrange=True, showline=False, tickfont=letters, **what)
    title = in_lines(title)
    head, foot = (HEAD if title else 8), FOOT * look.sizes.small / 12
    _label_targets(sketch, growth, bounds, height - head - foot, look)
    targets = [filter(None, _target_words(t, growth, "{}")) for t in growth.targets]
    alt = f"{title}. More {counted} needed: {'; '.join(map(', '.join, targets))}."
    return sketch.dressed(
        look.mode, title=title, alt=alt, height=height, width=look.sizes.width,
        margin=dict(l=8, r=LABELS * look.sizes.small, t=head, b=foot),
    )  # fmt: skip


def power_json(
    prospect: Prospect, look: Look, *, title: str, now: tuple[float, float] | None = None
) -> Part:
    """Return as Plotly JSON how the power of a design grows with its tasks.

    The design itself is a diamond. ``now`` are tasks and power of the campaign at hand: a circle.
    """
    ink, curve, counted = look.ink, prospect.curve, prospect.counted
    sketch = Sketch()
    path: Part = dict(
        x=curve["tasks"].tolist(), y=curve["power"].tolist(), mode="lines",
        line=dict(color=ink.text, width=2),
        hovertemplate=f"%{{x:,}} {counted}<br>power %{{y:.0%}}<extra></extra>",
    )  # fmt: skip
    here: Part = dict(
        x=[prospect.design.tasks], y=[prospect.power], mode="markers",
        marker=dict(size=12, color=ink.text, symbol="diamond"),
        hovertemplate=f"the design: %{{x:,}} {counted}<br>power %{{y:.0%}}<extra></extra>",
    )  # fmt: skip
    sketch.add([path, here])
    if now is not None:
        ring = dict(size=15, color="rgba(0,0,0,0)", line=dict(color=ink.accent, width=3))
        point: Part = dict(
            x=[now[0]], y=[now[1]], mode="markers", marker=ring, name="now",
            hovertemplate=f"this campaign: %{{x:,}} {counted}<br>power %{{y:.0%}}<extra></extra>",
        )  # fmt: skip
        label: Part = dict(
            x=math.log10(now[0]), y=now[1], text="now", showarrow=False, xanchor="right",
            yanchor="bottom", xshift=-8, yshift=6, font=dict(size=12, color=ink.accent),
        )  # fmt: skip
        sketch.add([point])
        sketch.lay_on(notes=[label])
    wanted: Part = dict(
        type="line", xref="paper", x0=0, x1=1, y0=WANTED_POWER, y1=WANTED_POWER,
        line=dict(color=ink.strong_rule, width=1, dash="dash"),
    )  # fmt: skip
    sketch.lay_on(shapes=[wanted])
    sketch.update_xaxes(
        title=dict(text=counted), type="log", dtick=1, tickformat=",", fixedrange=True
    )
    sketch.update_yaxes(
        title=dict(text="power"), range=[0, 1.03], tickformat=".0%", fixedrange=True
    )
    alt = f"{title}: {percent(prospect.power)} with {thousands(prospect.design.tasks)} {counted}."
    if now is not None:
        alt += f" The present campaign: {percent(now[1])} with {thousands(round(now[0]))}."
    margin = dict(l=8, r=24, t=HEAD, b=FOOT)
    return sketch.dressed(look.mode, title=title, alt=alt, height=HEIGHT, margin=margin)


def _growth_of(plan: Plan) -> Growth:
    outlook, at_hand, kind = plan.outlook, plan.at_hand, counted_goal(plan)
    tail = (1 - plan.certainty) / 2
    if kind == "share":
        levels = (np.quantile(outlook.share, mark, axis=1) for mark in (0.5, tail, 1 - tail))
        curves = [(outlook.sizes, level) for level in levels]
    else:
        # A curve steps up where its target's dot is, its band where the dot's interval ends.
        drawn = outlook.clusters if kind == "clusters" else outlook.tiers
        curves = [steps_of(drawn, outlook.sizes, mark) for mark in (0.5, 1 - tail, tail)]
    middle, low, high = ((at_hand.in_units(1) * sizes, levels) for sizes, levels in curves)
    now = at_hand.in_units(at_hand.n_tasks)
    return Growth(
        now,
        middle,
        low,
        high,
        hover=tuple(
            f"{thousands(round(amount - now))} more {at_hand.counted}<br>"
            + (percent(level) + " of the pairs differ significantly" if kind == "share" else
               f"{level:.0f} {kind}")
            for amount, level in zip(*middle, strict=True)
        ),
        targets=tuple(
            Target(
                goal.wanted,
                percent(goal.wanted) if kind == "share" else f"{goal.wanted:.0f} {kind}",
                *plan.needs(goal),
            )
            for goal in goals_of(plan, "pairs" if kind == "share" else kind)
        ),
    )  # fmt: skip


def _curves(growth: Growth, ink: Inks) -> list[Part]:
    """Return the band of the interval and the expected curve."""
    (low_x, low), (high_x, high) = growth.low, growth.high
    band: Part = dict(
        x=[*high_x.tolist(), *low_x.tolist()[::-1]], y=[*high.tolist(), *low.tolist()[::-1]],
        name="interval", fill="toself", mode="none", fillcolor=faded(ink.accent, 0.16),
        hoverinfo="skip",
    )  # fmt: skip
    curve: Part = dict(
        x=growth.middle[0].tolist(), y=growth.middle[1].tolist(), mode="lines", name="expected",
        line=dict(color=ink.accent, width=3), text=list(growth.hover),
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    return [band, curve]


def _draw_target(sketch: Sketch, target: Target, growth: Growth, ink: Inks) -> None:
    """Draw a target's level, the judgments it takes and their interval."""
    level: Part = dict(
        type="line", xref="paper", x0=0, x1=1, y0=target.level, y1=target.level, layer="below",
        line=dict(color=ink.rule, width=1),
    )  # fmt: skip
    sketch.lay_on(shapes=[level])
    if target.likely <= 0:
        return
    begin = max(growth.at_hand + target.low, float(growth.middle[0][0]))
    if begin < growth.reach:
        ends = [begin, min(growth.at_hand + target.high, growth.reach)]
        line = dict(color=ink.text, width=2)
        interval = dict(x=ends, y=[target.level] * 2, mode="lines", line=line, hoverinfo="skip")
        sketch.add([interval | dict(name="needed, interval")])
    if math.isfinite(target.likely):
        dot: Part = dict(
            x=[growth.at_hand + target.likely], y=[target.level], mode="markers", name="needed",
            marker=dict(size=11, color=ink.paper, line=dict(color=ink.text, width=2)),
            text=["<br>".join(filter(None, _target_words(target, growth)))],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
        sketch.add([dot])


def _label_targets(
    sketch: Sketch, growth: Growth, bounds: Sequence[float], high: float, look: Look
) -> None:
    """Write at the right of each target what it takes; with the interval where there is room."""
    levels = sorted(target.level for target in growth.targets)
    gap = min((b - a for a, b in itertools.pairwise(levels)), default=bounds[1] - bounds[0])
    room = gap / (bounds[1] - bounds[0]) * high
    for target in growth.targets:
        head, interval = _target_words(target, growth)
        has_room = room >= TWO_LINES * look.sizes.small and interval
        note: Part = dict(
            xref="paper", x=1, y=target.level, xanchor="left", xshift=8, showarrow=False,
            align="left", text=f"{head}<br>{interval}" if has_room else head,
            font=dict(size=look.sizes.small, color=look.ink.text),
        )  # fmt: skip
        sketch.lay_on(notes=[note])


def _two_digits(number: float) -> str:
    return thousands(int(float(f"{number:.2g}")))


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
