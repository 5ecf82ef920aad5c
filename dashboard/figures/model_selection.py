"""Models side by side: how far each is from the best, in accuracy and in perplexity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.preference_models import MODELS
from analysis.rankers import RANKERS
from analysis.selection.findings import (
    GUESSING,
    difference_title,
    lowest_perplexity,
)
from analysis.selection.paired_comparison import Estimate, PairedComparison, Standing
from dashboard.figures.theme import NORMAL, SMALL, Inks, Mode, finish, inks, template
from dashboard.typography import as_html, significant

ROW, HEAD, FOOT = 36, 78, 56
EDGE = 58
AXES = {1: "x", 2: "x2"}
"""Plotly's names of the two panels."""

_FIRST = ("expected-wins", "hopkins-may", "trueskill", "bradley-terry")
_ORDER = tuple(dict.fromkeys((*_FIRST, *RANKERS, *MODELS)))
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True)
class Mark:
    """How a method looks in every figure: color, marker and line, each telling enough alone."""

    color: str
    symbol: str
    dash: str


def method_mark(label: str, mode: Mode) -> Mark:
    """Return a method's look, whatever others are shown; one that is not registered stands out."""
    colors = list(template(mode).layout.colorway)
    if label not in _ORDER:
        return Mark(inks(mode).text, "star", "dashdot")
    place = _ORDER.index(label)
    color = colors[place] if place < len(colors) else inks(mode).neutral
    return Mark(color, _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)])


def difference_figure(comparison: PairedComparison, *, mode: Mode) -> go.Figure:
    """Draw each model's accuracy less the best one's, and its perplexity less the lowest one's.

    Rows whose interval holds zero lie on a band: they cannot be told apart from the best.
    """
    ink, standings = inks(mode), comparison.standings
    best, calm = standings[0].score.method, lowest_perplexity(comparison).score.method
    labels = [s.score.method for s in standings]
    accuracy = [_to_points(_against(comparison, m, best, "accuracy")) for m in labels]
    perplexity = [_against(comparison, m, calm, "perplexity") for m in labels]
    figure = make_subplots(rows=1, cols=2, horizontal_spacing=0.15)
    for column, differences in ((1, accuracy), (2, perplexity)):
        _draw_told_apart(figure, differences, column, ink)
        _draw_zero(figure, column, ink)
        _draw_differences(figure, comparison, differences, column, mode)
    _draw_guessing(figure, GUESSING - lowest_perplexity(comparison).perplexity.value, ink)
    _write_values(figure, standings, ink)
    n = len(labels)
    figure.update_yaxes(
        range=[n - 0.5, -0.5], tickmode="array", tickvals=list(range(n)), fixedrange=True,
        showline=False,
    )  # fmt: skip
    figure.update_yaxes(
        ticktext=[as_html(s.score.shown) for s in standings],
        tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=8,
        col=1,
    )
    figure.update_yaxes(showticklabels=False, col=2)
    figure.update_xaxes(showgrid=True, fixedrange=True, ticks="", nticks=5)
    figure.update_xaxes(title_text="accuracy less the best (points)", col=1)
    figure.update_xaxes(title_text="perplexity above the lowest", col=2)
    return finish(
        figure,
        mode,
        title=difference_title(comparison),
        alt=_differences_alt(standings, accuracy, perplexity),
        height=HEAD + FOOT + ROW * n,
        margin=dict(l=8, r=EDGE, t=HEAD, b=FOOT),
    )


def _against(comparison: PairedComparison, method: str, best: str, measure: str) -> Estimate:
    if method == best:
        return Estimate(0.0, 0.0, 0.0)
    estimate: Estimate = getattr(comparison.difference(method, best), measure)
    return estimate


def _to_points(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _draw_told_apart(
    figure: go.Figure, differences: Sequence[Estimate], column: int, ink: Inks
) -> None:
    """Lay a band behind the best row and those that cannot be told apart from it."""
    equal = [row for row, d in enumerate(differences) if not d.differs_from_zero]
    if len(equal) < 2:
        return
    for row in equal:
        figure.add_shape(
            type="rect", xref=f"{AXES[column]} domain", yref="y", x0=0, x1=1,
            y0=row - 0.5, y1=row + 0.5, fillcolor=ink.band, line_width=0, layer="below",
        )  # fmt: skip
    figure.add_annotation(
        text="shaded: cannot be told apart", xref=f"{AXES[column]} domain", yref="paper", x=0, y=1,
        yshift=16, xanchor="left", showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip


def _draw_zero(figure: go.Figure, column: int, ink: Inks) -> None:
    figure.add_shape(
        type="line", xref=AXES[column], yref="paper", x0=0, x1=0, y0=0, y1=1,
        line=dict(color=ink.strong_rule, width=1.5), layer="below",
    )  # fmt: skip


def _draw_guessing(figure: go.Figure, above: float, ink: Inks) -> None:
    """Mark where a model stands that calls all outcomes equally likely."""
    figure.add_shape(
        type="line", xref="x2", yref="paper", x0=above, x1=above, y0=0, y1=1,
        line=dict(color=ink.strong_rule, width=1, dash="dot"), layer="below",
    )  # fmt: skip
    figure.add_annotation(
        text="guessing", xref="x2", yref="paper", x=above, y=1, yshift=16, showarrow=False,
        font=dict(size=SMALL, color=ink.quiet), xanchor="center",
    )  # fmt: skip


def _draw_differences(
    figure: go.Figure,
    comparison: PairedComparison,
    differences: Sequence[Estimate],
    column: int,
    mode: Mode,
) -> None:
    for row, (standing, d) in enumerate(zip(comparison.standings, differences, strict=True)):
        mark = method_mark(standing.score.method, mode)
        figure.add_scatter(
            x=[d.low, d.high], y=[row, row], mode="lines", hoverinfo="skip",
            line=dict(color=mark.color, width=3), row=1, col=column,
        )  # fmt: skip
        figure.add_scatter(
            x=[d.value],
            y=[row],
            mode="markers",
            marker=dict(color=mark.color, symbol=mark.symbol, size=11),
            text=[_difference_hover(standing, d, comparison.level)],
            hovertemplate="%{text}<extra></extra>",
            row=1,
            col=column,
        )


def _difference_hover(standing: Standing, d: Estimate, level: float) -> str:
    return "<br>".join(
        [
            f"<b>{as_html(standing.score.shown)}</b>",
            f"accuracy {standing.accuracy.value:.1%}, perplexity {standing.perplexity.value:.3f}",
            f"difference {significant(d.value, 2)}, "
            f"{level:.0%} interval {significant(d.low, 2)} to {significant(d.high, 2)}",
        ]
    )


def _write_values(figure: go.Figure, standings: Sequence[Standing], ink: Inks) -> None:
    """Write each model's accuracy and perplexity beside its row, under their heads."""
    for column, head, texts in (
        (1, "accuracy", [f"{s.accuracy.value:.1%}" for s in standings]),
        (2, "perplexity", [f"{s.perplexity.value:.2f}" for s in standings]),
    ):
        common = dict(
            xref=f"{AXES[column]} domain", x=1, xshift=EDGE, xanchor="right", showarrow=False
        )  # fmt: skip
        figure.add_annotation(
            text=head, yref="paper", y=1, yshift=16, font=dict(size=SMALL, color=ink.quiet),
            **common,
        )  # fmt: skip
        for row, text in enumerate(texts):
            figure.add_annotation(
                text=text, yref="y", y=row, font=dict(size=NORMAL, color=ink.text), **common
            )


def _differences_alt(
    standings: Sequence[Standing], accuracy: Sequence[Estimate], perplexity: Sequence[Estimate]
) -> str:
    parts = [
        f"{s.score.shown}: accuracy {s.accuracy.value:.1%}, {a.value:+.2f} points to the best "
        f"({a.low:+.2f} to {a.high:+.2f}), perplexity {s.perplexity.value:.2f}, "
        f"{p.value:+.3f} to the lowest"
        for s, a, p in zip(standings, accuracy, perplexity, strict=True)
    ]
    return "Methods by accuracy on unseen judgments. " + "; ".join(parts) + "."
