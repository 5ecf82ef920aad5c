"""Judges: how well each agrees with the others, against how much each judged."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.judges.judges import FLAGS, JudgeTable
from analysis.names import middle_cut
from dashboard.design import ODD, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, finish
from dashboard.typography import as_html, thousands

HEIGHT, NAME_WIDTH, MOST_LABELS = 420, 22, 12
ROOM_ACROSS, ROOM_UP = 1.0, 0.16
"""What a name takes: in logarithms of judgments, and as a part of the range of kappas."""


def judges_figure(table: JudgeTable, usual: float, *, title: str, mode: Mode) -> go.Figure:
    """Draw a dot a judge; a diamond with the judge's name where there is a flag.

    ``usual`` is the kappa of all judges with each other. Judges without a kappa stand at the foot.
    """
    ink = inks(mode)
    known = table.inter[~np.isnan(table.inter)]
    values = np.append(known, usual) if usual == usual else known
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.12 * (high - low) or 0.1
    floor = low - 2 * room
    flagged = np.array([bool(flags) for flags in table.flags], dtype=bool)
    height = np.where(np.isnan(table.inter), floor, table.inter)
    figure = go.Figure()
    if usual == usual:
        figure.add_hline(
            y=usual,
            line=dict(color=ink.strong_rule, width=1, dash="dash"),
            annotation=dict(
                text=f"all judges: κ {usual:.2f}", font=dict(size=SMALL, color=ink.quiet)
            ),
            annotation_position="top left",
        )
    hover = [_hover(table, k) for k in range(len(table.judges))]
    for chosen, name, marker in (
        (~flagged, "no flag", dict(size=9, color=ink.neutral, opacity=0.7)),
        (flagged, "flagged", dict(size=13, color=ODD[mode], symbol="diamond")),
    ):
        index = np.flatnonzero(chosen)
        apart = _stand_apart(table.judgments[index], height[index], high - low)
        labels = [
            as_html(middle_cut(table.judges[k], NAME_WIDTH)) if has_room else ""
            for k, has_room in zip(index, apart, strict=True)
        ]
        figure.add_scatter(
            x=table.judgments[index],
            y=height[index],
            mode="markers+text" if name == "flagged" else "markers",
            name=name,
            marker=marker,
            text=labels if name == "flagged" else None,
            textposition=[
                "bottom center" if place % 2 else "top center" for place in _by(table, index)
            ],
            textfont=dict(size=NORMAL, color=ink.text),
            customdata=[hover[k] for k in index],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    if np.isnan(table.inter).any():
        figure.add_annotation(
            text="no kappa can be told", x=0, xref="paper", xanchor="left", y=floor,
            yshift=14, showarrow=False, font=dict(size=SMALL, color=ink.quiet),
        )  # fmt: skip
    bottom = floor - room if np.isnan(table.inter).any() else low - 1.5 * room
    figure.update_yaxes(
        title_text="agreement with the other judges (κ)", range=[bottom, high + room],
        showgrid=True, fixedrange=True, tickformat=".1f", nticks=8,
    )  # fmt: skip
    figure.update_xaxes(title_text="judgments", fixedrange=True, **_amounts(table.judgments))
    return finish(
        figure, mode, title=title, alt=_alt(table, usual), height=HEIGHT,
        margin=dict(l=8, r=24, t=56, b=50),
    )  # fmt: skip


def _stand_apart(judgments: np.ndarray, height: np.ndarray, span: float) -> list[bool]:
    """Return who has room for a name: nobody named before stands near; hovering names the rest."""
    across = np.log(np.maximum(judgments, 1)) / ROOM_ACROSS
    up = height / (ROOM_UP * (span or 1))
    named: list[int] = []
    for k in range(len(judgments)):
        near = [j for j in named if abs(across[k] - across[j]) < 1 and abs(up[k] - up[j]) < 1]
        if not near and len(named) < MOST_LABELS:
            named.append(k)
    return [k in named for k in range(len(judgments))]


def _by(table: JudgeTable, index: np.ndarray) -> list[int]:
    """Return each judge's place by agreement, so that labels of neighbors point apart."""
    return [int(p) for p in np.argsort(np.argsort(np.nan_to_num(table.inter[index], nan=-1)))]


def _amounts(judgments: np.ndarray) -> dict[str, object]:
    """Return a logarithmic axis where judges differ by more than tenfold."""
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
    if table.inter[k] == table.inter[k]:
        lines.append(f"κ {table.inter[k]:.2f} with the others")
    lines += [as_html(FLAGS[flag]) for flag in table.flags[k]]
    return "<br>".join(lines)


def _alt(table: JudgeTable, usual: float) -> str:
    odd = [
        f"{name} {value:.2f} ({', '.join(flags)})"
        for name, value, flags in zip(table.judges, table.inter, table.flags, strict=True)
        if flags
    ]
    words = f"Agreement with the others of {len(table.judges)} judges; all together {usual:.2f}."
    return words + (f" Flagged: {'; '.join(odd)}." if odd else " None is flagged.")
