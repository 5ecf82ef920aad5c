"""The kappas of a campaign among published ones: judges with each other, and with themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.colors import Inks
from analysis.drawing.look import Look
from analysis.drawing.sketch import Part, Sketch
from analysis.drawing.svg.lettering import text_width
from analysis.escaping import as_html
from analysis.judges.agreement import Agreement
from analysis.judges.history import PublishedKappa
from analysis.judges.kappa import LANDIS_KOCH, Kappa
from analysis.wording import fixed, thousands

HEAD, FOOT, ROW = 6, 3.8, 2.3
"""Heights above the rows, below them and of a row, in heights of the small letters."""
MOST = 1.03
"""As far as the axis goes, so that a dot at 1 is whole."""
GAP = 0.07
PANEL, SHARE = 250, 0.36
"""Pixels of a panel in a narrow window, and a panel's share of a picture with a width."""
THIS, COUNTED = "This campaign", "… counted the WMT way"
Band = tuple[int, float, float, str]
"""A number, both ends and the word of a degree of agreement."""


def _head_of_panel(head: str, left: float, look: Look) -> Part:
    return dict(
        text=head, xref="paper", yref="paper", x=left, y=1, xanchor="left", yanchor="bottom",
        yshift=2.4 * look.sizes.small, showarrow=False,
        font=dict(size=look.sizes.text, color=look.ink.text),
    )  # fmt: skip


def kappa_json(
    found: Agreement,
    history: Sequence[PublishedKappa],
    look: Look,
    *,
    title: str = "",
    height: float | None = None,
) -> Part:
    """Return the picture as Plotly JSON: one row per campaign, this one first.

    This campaign has an interval and a full dot; the open dot below it is counted as the published
    ones are. Bands are the words of Landis and Koch. A panel without a number is not drawn.
    """
    ink, sizes = look.ink, look.sizes
    rows = list(reversed(history))
    labels = [f"<b>{THIS}</b>", *([COUNTED] if rows else []), *(as_html(r.campaign) for r in rows)]
    panels = [("inter", "Judges with each other"), ("intra", "Judges with themselves")]
    if not rows and not found.shown.intra.comparable:
        panels.pop()
    sketch = Sketch([[1.0] * len(panels)], gap=GAP)
    letters = dict(size=sizes.small, color=ink.quiet)
    for column, (kind, head) in enumerate(panels, start=1):
        strict, counted = getattr(found.shown, kind), getattr(found.published, kind)
        others = [getattr(row, kind) for row in rows]
        ends = (strict.low, strict.high, strict.others_low, strict.others_high)
        bounds = _range([v for v in (strict.kappa, *ends, counted.kappa, *others) if v == v])
        _draw_words(sketch, bounds, column, look)
        left, _ = sketch.corner(1, column)
        sketch.lay_on(notes=[_head_of_panel(head, left, look)])
        if rows:
            sketch.add(_dots(others, counted, ink, sizes.dot), column=column)
        sketch.add(_strict(strict, found.level, ink, sizes.dot), column=column)
        step = 0.1 if bounds[1] - bounds[0] <= 0.7 else 0.2
        sketch.update_xaxes(
            1, column, range=bounds, title=dict(text="κ", font=letters), tickfont=letters,
            fixedrange=True, tickformat=".1f", dtick=step,
        )  # fmt: skip
    sketch.update_yaxes(
        range=[len(labels) - 0.5, -0.5], tickmode="array", tickvals=list(range(len(labels))),
        showline=False, fixedrange=True, showgrid=True, showticklabels=False,
    )  # fmt: skip
    font = dict(size=sizes.text, color=ink.text)
    sketch.update_yaxes(
        1, 1, ticktext=labels, tickfont=font, ticklabelstandoff=8, showticklabels=True
    )
    head_room = HEAD * sizes.small + (30 if title else 0)
    foot = FOOT * sizes.small
    return sketch.dressed(
        look.mode, title=title, alt=_alt(found, history), width=sizes.width,
        height=height or head_room + foot + ROW * sizes.text * len(labels),
        margin=dict(l=8, r=12, t=head_room, b=foot),
    )  # fmt: skip


def _range(known: Sequence[float]) -> list[float]:
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    ends = math.floor((low - 0.02) * 5) / 5, math.ceil((high + 0.02) * 5) / 5
    return [max(ends[0], -MOST), min(ends[1], MOST)]


def _bands(bounds: Sequence[float]) -> list[Band]:
    """Return the degrees of agreement that an axis shows, as far as it shows them."""
    ends = [(-1.0, 0.0, "poor")]
    for end, word in (*LANDIS_KOCH, (1.0, "almost perfect")):
        ends.append((ends[-1][1], end, word))
    return [
        (number, max(start, bounds[0]), min(end, bounds[1]), word)
        for number, (start, end, word) in enumerate(ends)
        if min(end, bounds[1]) > max(start, bounds[0])
    ]


def _draw_words(sketch: Sketch, bounds: Sequence[float], column: int, look: Look) -> None:
    """Write the word of each band over it and shade every second one.

    Words that have no room in one row get two.
    """
    ink, small = look.ink, look.sizes.small
    x, y = sketch.axes(1, column)
    panel = PANEL if look.sizes.width is None else SHARE * look.sizes.width
    per_pixel = (bounds[1] - bounds[0]) / panel

    def room(word: str) -> float:
        return per_pixel * (text_width(word, small) + 6)

    bands = _bands(bounds)
    is_staggered = any(high - low <= room(word) for _, low, high, word in bands)
    for number, low, high, word in bands:
        down: Part = dict(xref=x, yref=f"{y} domain", y0=0, y1=1, layer="below")
        if number % 2:
            shade = dict(type="rect", x0=low, x1=high, fillcolor=ink.band, line=dict(width=0))
            sketch.lay_on(shapes=[down | shade])
        if low > bounds[0]:
            rule = dict(color=ink.strong_rule, width=1, dash="dot")
            sketch.lay_on(shapes=[down | dict(type="line", x0=low, x1=low, line=rule)])
        # In two rows a word may reach over half of either neighbor.
        if (high - low) * (2 if is_staggered else 1) > room(word):
            is_cut = high - low < room(word) and high == bounds[1]
            note: Part = dict(
                x=(low + high) / 2, y=1, xref=x, yref=f"{y} domain", text=word, showarrow=False,
                yanchor="bottom", yshift=2 + 1.15 * small * (is_staggered and number % 2),
                font=dict(size=small, color=ink.quiet),
            )  # fmt: skip
            if is_cut:
                note |= dict(x=high, xanchor="right")
            sketch.lay_on(notes=[note])


def _dots(others: Sequence[float], counted: Kappa, ink: Inks, size: float) -> list[Part]:
    """Return the published kappas and this campaign's, counted in the same way."""
    published = dict(
        x=others, y=list(range(2, 2 + len(others))), name="published",
        marker=dict(size=size, color=ink.quiet), hovertemplate="κ %{x:.3f}<extra></extra>",
    )  # fmt: skip
    ours = dict(
        x=[counted.kappa], y=[1], name="the WMT way",
        marker=dict(size=size, color=ink.paper, line=dict(color=ink.accent, width=2)),
        hovertemplate="κ %{x:.3f}, counted the WMT way<extra></extra>",
    )  # fmt: skip
    return [dict(mode="markers") | published, dict(mode="markers") | ours]


def _strict(kappa: Kappa, level: float, ink: Inks, size: float) -> list[Part]:
    """Return this campaign's kappa: thin for other judges, thick for these, a dot on both."""
    words = [
        f"κ {kappa.kappa:.3f}, {kappa.word}",
        f"{thousands(kappa.comparable)} pairs of answers",
    ]
    lines: list[Part] = []
    for name, low, high, width, whose in (
        ("interval for others", kappa.others_low, kappa.others_high, 1.5, "other judges too"),
        ("interval", kappa.low, kappa.high, 5, "these judges"),
    ):
        if not math.isnan(low):
            ends = dict(x=[low, high], y=[0, 0], line=dict(color=ink.accent, width=width))
            lines.append(ends | dict(mode="lines", name=name, hoverinfo="skip"))
            words.append(f"{level:.0%} for {whose} {low:.3f} to {high:.3f}")
    dot: Part = dict(
        x=[kappa.kappa], y=[0], mode="markers", name="strict",
        marker=dict(size=1.4 * size, color=ink.accent), text=["<br>".join(words)],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    return [*lines, dot]


def _alt(found: Agreement, history: Sequence[PublishedKappa]) -> str:
    strict = found.shown
    words = (
        f"Kappa of this campaign: judges with each other {fixed(strict.inter.kappa)}, "
        f"with themselves {fixed(strict.intra.kappa)}."
    )
    published = "; ".join(f"{r.campaign} {r.inter:.2f} and {r.intra:.2f}" for r in history)
    return words + (f" Published: {published}." if published else "")
