"""Models side by side: how far each is from the best, in accuracy and in perplexity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.escaping import as_html
from analysis.findings.held_out import GUESSING, difference_title
from analysis.prediction.models import MODELS
from analysis.prediction.paired import Estimate, Measure, PairedComparison, Standing
from analysis.rankers import COMPARED_METHODS, RANKERS
from analysis.wording import significant
from dashboard.design import Inks, Mode, inks
from dashboard.figures.theme import NORMAL, SMALL, TEMPLATES, finish

ROW, HEAD, BETWEEN, FOOT, EDGE = 30, 66, 66, 32, 62
"""Pixels: a row, above the panels, between them, below, and to their right."""
ALIKE: dict[Measure, float] = {"accuracy": 0.25, "perplexity": 0.005}
"""Points of accuracy, and perplexity, that a panel reaches to either side at the least."""
XAXES, YAXES = {1: "x", 2: "x2"}, {1: "y", 2: "y2"}
"""Plotly's names of the two panels' axes."""

_FIRST = (*COMPARED_METHODS, "bradley-terry")
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
    colors = list(TEMPLATES[mode].layout.colorway)
    if label not in _ORDER:
        return Mark(inks(mode).text, "star", "dashdot")
    place = _ORDER.index(label)
    color = colors[place] if place < len(colors) else inks(mode).neutral
    return Mark(color, _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)])


def difference_figure(comparison: PairedComparison, *, mode: Mode) -> go.Figure:
    """Draw each model's accuracy less the best one's, and its perplexity less the lowest one's.

    Rows on a band are the best one and those that do not differ significantly from it.
    """
    ink, standings = inks(mode), comparison.standings
    best, calm = standings[0].score.method, comparison.calmest.score.method
    labels = [s.score.method for s in standings]
    accuracy = [_to_points(_against(comparison, m, best, "accuracy")) for m in labels]
    perplexity = [_against(comparison, m, calm, "perplexity") for m in labels]
    guessing = GUESSING - comparison.calmest.perplexity.value
    figure = make_subplots(rows=2, cols=1, vertical_spacing=_gap(len(labels)))
    panels: tuple[tuple[int, Measure, list[Estimate]], ...] = (
        (1, "accuracy", accuracy),
        (2, "perplexity", perplexity),
    )
    for panel, measure, differences in panels:
        _draw_band(figure, comparison, measure, panel, ink)
        _draw_line(figure, panel, 0, dict(color=ink.strong_rule, width=1.5))
        _draw_differences(figure, comparison, differences, panel, mode)
        also = guessing if measure == "perplexity" else 0.0
        figure.update_xaxes(range=_room(differences, ALIKE[measure], also), row=panel)
    _draw_guessing(figure, guessing, ink)
    _write_values(figure, standings, ink)
    n = len(labels)
    figure.update_yaxes(
        range=[n - 0.5, -0.5],
        tickmode="array",
        tickvals=list(range(n)),
        ticktext=[as_html(s.score.shown) for s in standings],
        tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=8,
        fixedrange=True,
        showline=False,
    )
    figure.update_xaxes(showgrid=True, fixedrange=True, ticks="", nticks=7)
    return finish(
        figure,
        mode,
        title=difference_title(comparison),
        alt=_differences_alt(standings, accuracy, perplexity),
        height=HEAD + BETWEEN + FOOT + 2 * ROW * n,
        margin=dict(l=8, r=EDGE, t=HEAD, b=FOOT),
    )


def _gap(n_rows: int) -> float:
    """Return the share of the drawing that lies between the two panels."""
    return BETWEEN / (BETWEEN + 2 * ROW * n_rows)


def _room(differences: Sequence[Estimate], least: float, also: float = 0) -> list[float]:
    """Return a range that holds every interval, with a little room; what is alike looks so."""
    low = min(-least, also, *(d.low for d in differences))
    high = max(least, also, *(d.high for d in differences))
    room = 0.06 * (high - low)
    return [low - room, high + room]


def _against(comparison: PairedComparison, method: str, best: str, measure: str) -> Estimate:
    if method == best:
        return Estimate(0.0, 0.0, 0.0)
    estimate: Estimate = getattr(comparison.difference(method, best), measure)
    return estimate


def _to_points(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _draw_band(
    figure: go.Figure, comparison: PairedComparison, measure: Measure, panel: int, ink: Inks
) -> None:
    """Lay a band behind the best row and those that do not differ significantly from it."""
    best, alike = comparison.best(measure), comparison.not_told_from_best(measure)
    for row, standing in enumerate(comparison.standings if alike else ()):
        if standing is best or standing.score.method in alike:
            figure.add_shape(
                type="rect", xref="paper", yref=YAXES[panel], x0=0, x1=1, y0=row - 0.5,
                y1=row + 0.5, fillcolor=ink.band, line_width=0, layer="below",
            )  # fmt: skip


def _draw_line(figure: go.Figure, panel: int, at: float, line: dict[str, object]) -> None:
    figure.add_shape(
        type="line", xref=XAXES[panel], yref=f"{YAXES[panel]} domain", x0=at, x1=at, y0=0, y1=1,
        line=line, layer="below",
    )  # fmt: skip


def _draw_guessing(figure: go.Figure, above: float, ink: Inks) -> None:
    """Mark where a model stands that calls all outcomes equally likely."""
    _draw_line(figure, 2, above, dict(color=ink.strong_rule, width=1, dash="dot"))
    figure.add_annotation(
        text="guessing", xref="x2", yref="y2 domain", x=above, y=1, xanchor="center",
        yanchor="bottom", showarrow=False, font=dict(size=SMALL, color=ink.quiet),
    )  # fmt: skip


def _draw_differences(
    figure: go.Figure,
    comparison: PairedComparison,
    differences: Sequence[Estimate],
    panel: int,
    mode: Mode,
) -> None:
    for row, (standing, d) in enumerate(zip(comparison.standings, differences, strict=True)):
        mark = method_mark(standing.score.method, mode)
        figure.add_scatter(
            x=[d.low, d.high], y=[row, row], mode="lines", hoverinfo="skip",
            line=dict(color=mark.color, width=3), row=panel, col=1,
        )  # fmt: skip
        figure.add_scatter(
            x=[d.value],
            y=[row],
            mode="markers",
            marker=dict(color=mark.color, symbol=mark.symbol, size=11),
            text=[_difference_hover(standing, d, comparison.level)],
            hovertemplate="%{text}<extra></extra>",
            row=panel,
            col=1,
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
    """Write what a panel shows above it, and each model's own number at its right edge."""
    accuracies = [f"{s.accuracy.value:.1%}" for s in standings]
    perplexities = [f"{s.perplexity.value:.2f}" for s in standings]
    for panel, head, measure, texts in (
        (1, "Accuracy: difference in percentage points", "accuracy", accuracies),
        (2, "Perplexity: difference from the lowest (lower is better)", "perplexity", perplexities),
    ):
        quiet = dict(
            xref="paper", yref=f"{YAXES[panel]} domain", y=1, yshift=16, showarrow=False,
            font=dict(size=SMALL, color=ink.quiet),
        )  # fmt: skip
        figure.add_annotation(text=head, x=0, xanchor="left", **quiet)
        figure.add_annotation(text=measure, x=1, xshift=EDGE, xanchor="right", **quiet)
        for row, text in enumerate(texts):
            figure.add_annotation(
                text=text, xref="paper", yref=YAXES[panel], x=1, y=row, xshift=EDGE,
                xanchor="right", showarrow=False, font=dict(size=NORMAL, color=ink.text),
            )  # fmt: skip


def _differences_alt(
    standings: Sequence[Standing], accuracy: Sequence[Estimate], perplexity: Sequence[Estimate]
) -> str:
    parts = [
        f"{s.score.shown}: accuracy {s.accuracy.value:.1%}, {a.value:+.2f} points to the best "
        f"({a.low:+.2f} to {a.high:+.2f}), perplexity {s.perplexity.value:.2f}, {p.value:+.3f} to "
        "the lowest"
        for s, a, p in zip(standings, accuracy, perplexity, strict=True)
    ]
    return "Methods by accuracy on unseen judgments. " + "; ".join(parts) + "."
