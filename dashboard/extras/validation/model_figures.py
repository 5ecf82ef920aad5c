"""Figures of model selection: how models fared against the best, and how well calibrated."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from analysis.escaping import as_html
from analysis.extras.validation.prediction.findings import (
    GUESSING,
    calibration_title,
    difference_title,
)
from analysis.extras.validation.prediction.paired import (
    Estimate,
    Measure,
    PairedComparison,
    Standing,
)
from analysis.wording import significant, thousands
from dashboard.design import Inks, Mode, inks
from dashboard.extras.validation.lines import method_mark
from dashboard.figures.theme import NORMAL, SMALL, finish

ROW, HEAD, BETWEEN, FOOT, EDGE = 30, 66, 66, 32, 62
"""Pixels: a row, above the panels, between them, below, and to their right."""
ALIKE: dict[Measure, float] = {"accuracy": 0.25, "perplexity": 0.005}
"""Points of accuracy, and perplexity, that a panel reaches to either side at the least."""
XAXES, YAXES = {1: "x", 2: "x2"}, {1: "y", 2: "y2"}
"""Plotly's names of the two panels' axes."""

FACET, TITLE, FACETS_A_ROW, TITLE_WIDTH = 220, 64, 3, 17
"""Pixels of a panel and of its title, panels side by side, letters in a line of the title."""


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


def calibration_figure(standings: Sequence[Standing], *, mode: Mode) -> go.Figure:
    """Draw one panel per model: how often predictions came true at each stated probability.

    On the diagonal the stated probabilities are right; bars show how many predictions there are.
    """
    ink, n = inks(mode), len(standings)
    columns = min(n, FACETS_A_ROW)
    rows = -(-n // columns)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        subplot_titles=[_facet_title(s) for s in standings],
        horizontal_spacing=0.09,
        vertical_spacing=TITLE / (TITLE + FACET) / max(1, rows - 1) if rows > 1 else 0,
        shared_yaxes=True,
    )
    figure.update_annotations(font=dict(size=NORMAL, color=ink.text))
    for k, standing in enumerate(standings):
        _draw_calibration(figure, standing, k // columns + 1, k % columns + 1, mode)
    axis = dict(range=[0, 1], tickformat=".0%", tickvals=[0, 0.5, 1], fixedrange=True)
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis, showgrid=True)
    figure.update_xaxes(title_text="stated probability", row=rows)
    figure.update_yaxes(title_text="share that won", col=1)
    return finish(
        figure,
        mode,
        title=calibration_title(standings),
        alt=_calibration_alt(standings),
        height=40 + 52 + (FACET + TITLE) * rows,
        margin=dict(l=8, r=16, t=40 + TITLE, b=52),
    )


def _facet_title(standing: Standing) -> str:
    """Name the model in short lines, as panels are narrow on a narrow screen."""
    lines = textwrap.wrap(standing.score.shown, TITLE_WIDTH)
    error = f"off by {100 * standing.score.calibration.error:.1f} points"
    return "<br>".join([*(as_html(line) for line in lines), error])


def _draw_calibration(
    figure: go.Figure, standing: Standing, row: int, column: int, mode: Mode
) -> None:
    ink, mark = inks(mode), method_mark(standing.score.method, mode)
    c = standing.score.calibration
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip", row=row, col=column,
        line=dict(color=ink.strong_rule, width=1, dash="dash"),
    )  # fmt: skip
    figure.add_bar(
        x=(c.bin_low + c.bin_high) / 2,
        y=0.18 * c.judgments / c.judgments.max(),
        width=0.09,
        marker=dict(color=ink.rule, line=dict(width=0)),
        hoverinfo="skip",
        row=row,
        col=column,
    )
    figure.add_scatter(
        x=c.predicted,
        y=c.observed,
        mode="markers",
        marker=dict(color=mark.color, symbol=mark.symbol, size=8),
        error_y=dict(
            array=c.high - c.observed, arrayminus=c.observed - c.low, thickness=1.5, width=3,
            color=mark.color,
        ),
        text=[
            f"stated {p:.0%}, came true {o:.0%}<br>{c.level:.0%} interval {lo:.0%} to {hi:.0%}"
            f"<br>{thousands(int(k))} predictions"
            for p, o, lo, hi, k in zip(
                c.predicted, c.observed, c.low, c.high, c.judgments, strict=True
            )
        ],
        hovertemplate="%{text}<extra></extra>",
        row=row,
        col=column,
    )  # fmt: skip


def _calibration_alt(standings: Sequence[Standing]) -> str:
    parts = []
    for s in standings:
        c = s.score.calibration
        pairs = ", ".join(
            f"{o:.0%} came true at {p:.0%}" for p, o in zip(c.predicted, c.observed, strict=True)
        )
        parts.append(f"{s.score.shown}: {pairs}")
    return "Predicted and observed probabilities. " + "; ".join(parts) + "."
