"""Figures of judges: each one's agreement with the others, and how each uses the scale."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.escaping import as_html
from analysis.judges.judge_table import JudgeTable
from analysis.judges.judge_verdicts import QUIET, VERDICT_WORDS
from analysis.judges.scorers import Scorers
from analysis.names import middle_cut
from analysis.wording import fixed, thousands
from dashboard.design import ODD, Inks, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, finish

HEIGHT, NAME_WIDTH = 420, 22
ROOM_ACROSS, ROOM_UP = 1.0, 0.07
"""What a name takes: in logarithms of judgments, and as a part of the range of kappas."""
PLACES = {
    "top center": (0.0, 1.0),
    "bottom center": (0.0, -1.0),
    "middle right": (0.6, 0.0),
    "middle left": (-0.6, 0.0),
}
"""Where a name may stand, and how far its middle is from the point, in names."""


ROW, AROUND = 24, 120

MOST_JUDGES = 40


def judges_figure(table: JudgeTable, usual: float, *, title: str, mode: Mode) -> go.Figure:
    """Draw a dot for every judge who has a kappa; a diamond with the name for who deserves a look.

    Dots of judges who cannot be checked are hollow. ``usual`` is the kappa of all judges with each
    other.
    """
    ink = inks(mode)
    known = np.flatnonzero(~np.isnan(table.inter))
    values = np.append(table.inter[known], usual if usual == usual else [])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.15 * (high - low) or 0.1
    flagged = np.array([verdict.name not in QUIET for verdict in table.verdicts], dtype=bool)
    unknown = np.array([verdict.name == "unknown" for verdict in table.verdicts], dtype=bool)
    figure = go.Figure()
    if usual == usual:
        _draw_usual(figure, usual, ink)
    for chosen, name, marker in (
        (~flagged & ~unknown, "unremarkable", dict(size=9, color=ink.neutral, opacity=0.7)),
        (unknown, "cannot be checked", dict(size=9, color=ink.neutral, symbol="circle-open")),
        (flagged, "needs a check", dict(size=13, color=ODD[mode], symbol="diamond")),
    ):
        index = known[chosen[known]]
        if chosen is unknown and not len(index):
            continue
        places = _places(table.judgments[index], table.inter[index], high - low)
        labels = [
            as_html(middle_cut(table.judges[k], NAME_WIDTH)) if place else ""
            for k, place in zip(index, places, strict=True)
        ]
        figure.add_scatter(
            x=table.judgments[index],
            y=table.inter[index],
            mode="markers+text" if chosen is flagged else "markers",
            name=name,
            marker=marker,
            text=labels if chosen is flagged else None,
            textposition=[place or "top center" for place in places],
            textfont=dict(size=NORMAL, color=ink.text),
            customdata=[_hover(table, k) for k in index],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    figure.update_yaxes(
        title_text="agreement with the other judges (κ)", range=[low - room, high + room],
        showgrid=True, fixedrange=True, tickformat=".1f" if high - low > 0.6 else ".2f", nticks=8,
    )  # fmt: skip
    figure.update_xaxes(title_text="judgments", fixedrange=True, **amounts(table.judgments[known]))
    return finish(
        figure, mode, title=title, alt=_alt(table, usual), height=HEIGHT,
        margin=dict(l=8, r=24, t=56, b=50),
    )  # fmt: skip


def _draw_usual(figure: go.Figure, usual: float, ink: Inks) -> None:
    """Draw the kappa of all judges with each other as a dashed line."""
    figure.add_hline(
        y=usual,
        line=dict(color=ink.strong_rule, width=1, dash="dash"),
        annotation=dict(text=f"all judges: κ {usual:.2f}", font=dict(size=SMALL, color=ink.quiet)),
        annotation_position="top left",
    )


def _places(judgments: np.ndarray, kappa: np.ndarray, span: float) -> list[str]:
    """Return where each name stands free of those before it; empty where hovering must tell it."""
    across = np.log(np.maximum(judgments, 1)) / ROOM_ACROSS
    up = kappa / (ROOM_UP * (span or 1))
    taken: list[tuple[float, float]] = []
    places = []
    for x, y in zip(across, up, strict=True):
        free = [
            (place, (x + dx, y + dy))
            for place, (dx, dy) in PLACES.items()
            if not any(abs(x + dx - a) < 1 and abs(y + dy - b) < 1 for a, b in taken)
        ]
        place, middle = free[0] if free else ("", (np.inf, np.inf))
        taken.append(middle)
        places.append(place)
    return places


def amounts(judgments: np.ndarray) -> dict[str, object]:
    """Return the axis of how much each judge did, logarithmic where that differs tenfold."""
    least, most = (int(judgments.min()), int(judgments.max())) if len(judgments) else (1, 1)
    if most <= 10 * max(least, 1):
        return dict(rangemode="tozero", nticks=8)
    ticks = [m * 10**e for e in range(8) for m in (1, 2, 5) if least / 3 < m * 10**e < most * 3]
    return dict(
        type="log", tickmode="array", tickvals=ticks, ticktext=[thousands(t) for t in ticks],
        range=[np.log10(max(least, 1) / 1.5), np.log10(most * 1.5)],
    )  # fmt: skip


def _hover(table: JudgeTable, k: int) -> str:
    lines = [
        f"<b>{as_html(table.judges[k])}</b>",
        f"{thousands(int(table.judgments[k]))} judgments",
    ]
    lines.append(f"κ {fixed(table.inter[k])} with the others")
    lines.append(as_html(table.verdicts[k].reason))
    return "<br>".join(lines)


def _alt(table: JudgeTable, usual: float) -> str:
    odd = [
        f"{name} {value:.2f} ({VERDICT_WORDS[verdict.name]})"
        for name, value, verdict in zip(table.judges, table.inter, table.verdicts, strict=True)
        if verdict.name not in QUIET
    ]
    words = f"Agreement with the others of {len(table.judges)} judges; all together {usual:.2f}."
    words += f" To check: {'; '.join(odd)}." if odd else " None needs a check."
    unknown = int(np.isnan(table.inter).sum())
    return words + (f" Not shown, with too few comparisons: {unknown}." if unknown else "")


def scale_figure(found: Scorers, *, scale: str, title: str, mode: Mode) -> go.Figure:
    """Draw a box for each judge's scores, the highest mean on top; whiskers are 5 and 95%.

    Of many judges those with most scores are drawn.
    """
    ink = inks(mode)
    n = min(len(found.judges), MOST_JUDGES)
    order = np.argsort(-found.mean[:n], kind="stable")
    quantiles, means = found.quantiles[order], found.mean[order]
    names = [as_html(middle_cut(found.judges[k], NAME_WIDTH)) for k in order]
    hover = [
        f"<b>{name}</b><br>{thousands(int(count))} scores, mean {fixed(mean, 1)}"
        for name, count, mean in zip(names, found.n[order], means, strict=True)
    ]
    figure = go.Figure(
        go.Box(
            y=list(range(n)),
            lowerfence=quantiles[:, 0],
            q1=quantiles[:, 1],
            median=quantiles[:, 2],
            q3=quantiles[:, 3],
            upperfence=quantiles[:, 4],
            mean=means,
            orientation="h",
            fillcolor=ink.rule,
            line=dict(color=ink.neutral, width=1.5),
            hoverinfo="skip",
            boxpoints=False,
        )
    )
    figure.add_scatter(
        x=means, y=list(range(n)), mode="markers",
        marker=dict(color=ink.text, size=7, symbol="diamond"),
        customdata=hover, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(title_text=as_html(scale), showgrid=True, fixedrange=True)
    figure.update_yaxes(
        tickmode="array", tickvals=list(range(n)), ticktext=names, range=[n - 0.5, -0.5],
        fixedrange=True, showgrid=False,
    )  # fmt: skip
    figure.update_layout(showlegend=False)
    ends = f"{np.nanmin(means):.1f} to {np.nanmax(means):.1f}"
    alt = f"Boxes of the scores of {n} judges; means from {ends}."
    return finish(
        figure, mode, title=title, alt=alt, height=AROUND + ROW * n,
        margin=dict(l=8, r=24, t=56, b=50),
    )  # fmt: skip
