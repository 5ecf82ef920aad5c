"""The graded response model's judges and segments (Otani et al. 2016, Figures 2 and 5).

How sensitive judges are under the graded response model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.campaign import FloatArray
from analysis.colors import PALETTE
from analysis.escaping import as_html
from analysis.names import middle_cut
from analysis.rankers.graded_response import Difficulties, Sensitivities, grade_probabilities
from analysis.wording import fixed, thousands
from dashboard.design import Mode, faded, inks
from dashboard.figures.judges import amounts
from dashboard.figures.theme import LABEL_GAP, SMALL, finish, name_ends

HEIGHT, PANEL, ROW = 380, 260, 84
NAME_WIDTH, WIDE = 18, 150
GRID = 161
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
TICKS = [m * 10.0**e for e in range(-3, 3) for m in (1, 2, 5)]


def sensitivity_figure(found: Sensitivities, *, title: str, mode: Mode) -> go.Figure:
    """Draw a dot for every judge."""
    ink = inks(mode)
    figure = go.Figure()
    figure.add_scatter(
        x=found.comparisons,
        y=found.sensitivity,
        mode="markers",
        marker=dict(size=9, color=ink.neutral, opacity=0.7),
        text=[
            f"<b>{as_html(name)}</b><br>sensitivity {fixed(float(a))}<br>"
            f"{thousands(int(n))} comparisons with the baseline"
            for name, a, n in zip(found.judges, found.sensitivity, found.comparisons, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )
    low, high = float(found.sensitivity.min()), float(found.sensitivity.max())
    low, high = low / 1.4, high * 1.4
    ticks = [tick for tick in TICKS if low < tick < high]
    figure.update_yaxes(
        title_text="sensitivity a", type="log", range=[np.log10(low), np.log10(high)],
        tickmode="array", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks],
        showgrid=True, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(
        title_text="comparisons with the baseline", fixedrange=True, **amounts(found.comparisons)
    )
    alt = f"{title}, against the number of comparisons with the baseline."
    return finish(
        figure, mode, title=title, alt=alt, height=HEIGHT, margin=dict(l=8, r=24, t=56, b=50)
    )


def _draw_band(figure: go.Figure, grid: FloatArray, curves: FloatArray, mode: Mode) -> None:
    """Draw between which curves nine of ten segments lie."""
    low, high = np.quantile(curves, (0.05, 0.95), axis=0)
    figure.add_scatter(
        x=[*grid, *grid[::-1]], y=[*high, *low[::-1]], fill="toself", mode="none",
        fillcolor=faded(inks(mode).neutral, 0.25), hoverinfo="skip", name="nine of ten segments",
        row=1, col=1,
    )  # fmt: skip


def information_figure(
    found: Difficulties,
    chosen: Sequence[str],
    abilities: Mapping[str, float],
    *,
    title: str,
    name: Callable[[str], str],
    mode: Mode,
) -> go.Figure:
    """Draw what the chosen segments tell of systems by ability, over the band of all segments.

    Below stands every system at its ability; the baseline's is by convention.
    """
    known = {system: theta for system, theta in abilities.items() if theta == theta}
    grid = _grid(found, list(known.values()))
    curves = found.information(grid)
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06,
        row_heights=[PANEL, ROW],
    )  # fmt: skip
    _draw_band(figure, grid, curves, mode)
    ends = []
    for k, segment in enumerate(chosen):
        curve = curves[found.segments.index(segment)]
        color = PALETTE[mode][k % len(PALETTE[mode])]
        figure.add_scatter(
            x=grid, y=curve, mode="lines", name=as_html(segment),
            line=dict(color=color, width=2.5, dash=DASHES[k % len(DASHES)]),
            hovertemplate=f"segment {as_html(segment)}<br>ability %{{x:.2f}}: %{{y:.3f}}"
            "<extra></extra>",
            row=1, col=1,
        )  # fmt: skip
        label = f"segment {middle_cut(segment, NAME_WIDTH)}"
        ends.append((float(curve[-1]), label, color))
    top = float(curves.max()) * 1.08
    name_ends(figure, ends, (0, top), PANEL)
    _draw_systems(figure, known, name, mode)
    figure.update_yaxes(
        title_text="information", range=[0, top], showgrid=True, fixedrange=True, nticks=5, row=1
    )
    figure.update_yaxes(visible=False, fixedrange=True, range=[-1, 1], row=2)
    figure.update_xaxes(fixedrange=True, range=[float(grid[0]), float(grid[-1])])
    figure.update_xaxes(title_text="ability θ of a system", row=2)
    peaks = grid[np.argmax(curves, axis=1)]
    alt = f"{title}. " + " ".join(
        f"Segment {segment} is most informative at ability "
        f"{fixed(float(peaks[found.segments.index(segment)]))}."
        for segment in chosen
    )
    return finish(
        figure, mode, title=title, alt=alt, height=PANEL + ROW + 130,
        margin=dict(l=8, r=WIDE, t=56, b=50),
    )  # fmt: skip


def _grid(found: Difficulties, abilities: Sequence[float]) -> FloatArray:
    """Return abilities from where nearly all segments are easy to where nearly all are hard."""
    low, high = np.quantile(found.middle, (0.02, 0.98))
    low, high = min([low, *abilities]) - 1.5, max([high, *abilities]) + 1.5
    return np.linspace(low, high, GRID)


def _draw_systems(
    figure: go.Figure, abilities: Mapping[str, float], name: Callable[[str], str], mode: Mode
) -> None:
    """Mark every system at its ability; the best and the worst have their names beside."""
    ink = inks(mode)
    ordered = sorted(abilities, key=lambda system: abilities[system])
    labels = [""] * len(ordered)
    sides = ["middle center"] * len(ordered)
    for k, side in ((0, "middle left"), (-1, "middle right")):
        if ordered:
            labels[k] = as_html(middle_cut(name(ordered[k]), NAME_WIDTH))
            sides[k] = side
    figure.add_scatter(
        x=[abilities[system] for system in ordered], y=[0] * len(ordered),
        mode="markers+text", marker=dict(symbol="line-ns-open", size=18, color=ink.text),
        text=labels, textposition=sides, textfont=dict(size=SMALL, color=ink.text),
        customdata=[as_html(name(system)) for system in ordered],
        hovertemplate="<b>%{customdata}</b><br>ability %{x:.2f}<extra></extra>",
        cliponaxis=False, row=2, col=1,
    )  # fmt: skip
    figure.add_annotation(
        text="systems", xref="paper", yref="y2", x=1, y=0, xanchor="left", xshift=24,
        showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip


def characteristic_figure(
    found: Difficulties, segment: str, sensitivity: float, *, title: str, mode: Mode
) -> go.Figure:
    """Draw how often a system loses, ties and wins against the baseline, by its ability."""
    k = found.segments.index(segment)
    b1, b2 = float(found.b1[k]), float(found.b2[k])
    reach = 4 / min(max(sensitivity, 0.4), 4)
    grid = np.linspace(b1 - reach, b2 + reach, GRID)
    chances = grade_probabilities(sensitivity, b1, b2, grid)
    figure = go.Figure()
    for n, (grade, chance) in enumerate(zip(("loses", "ties", "wins"), chances, strict=True)):
        color = PALETTE[mode][(1, 6, 0)[n]]
        figure.add_scatter(
            x=grid, y=chance, mode="lines", name=grade,
            line=dict(color=color, width=2.5, dash=DASHES[n]),
            hovertemplate=f"{grade} %{{y:.0%}} at ability %{{x:.2f}}<extra></extra>",
        )  # fmt: skip
        peak = int(np.argmax(chance)) if grade == "ties" else (0 if grade == "loses" else -1)
        figure.add_annotation(
            x=float(grid[peak]), y=float(chance[peak]), text=grade, showarrow=False,
            yshift=LABEL_GAP * 0.7, font=dict(size=SMALL, color=color),
            xanchor={"loses": "left", "ties": "center", "wins": "right"}[grade],
        )  # fmt: skip
    figure.update_yaxes(
        title_text="probability", tickformat=".0%", range=[0, 1.12], showgrid=True,
        fixedrange=True, tickvals=[0, 0.25, 0.5, 0.75, 1],
    )  # fmt: skip
    figure.update_xaxes(title_text="ability θ of a system", fixedrange=True)
    alt = (
        f"{title}. A system of ability {fixed(b1)} loses half of the time; one of {fixed(b2)} wins "
        "half of the time."
    )
    return finish(
        figure, mode, title=title, alt=alt, height=HEIGHT, margin=dict(l=8, r=24, t=56, b=50)
    )
