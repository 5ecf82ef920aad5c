"""Published numbers beside ours: how close each table comes, and one table number by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import plotly.graph_objects as go

from analysis.escaping import as_html
from analysis.extras.validation.replication.number import CLOSENESS
from analysis.extras.validation.replication.running import Outcome
from analysis.names import middle_cut
from analysis.wording import thousands
from dashboard.design import Mode, faded, inks
from dashboard.figures.theme import NORMAL, SMALL, finish, in_lines

ROW, HEAD, FOOT, NARROWEST = 27, 104, 12, 480
"""Pixels: a row, room above and below the rows, the least width."""
NAME_WIDTH = 46
HEADS = (
    "same to<br>the last<br>digit", "within half<br>the<br>tolerance",
    "within<br>the<br>tolerance", "differs",
)  # fmt: skip
BRIGHT = 0.45
"""Share of a row from which its cell is dark, so that its text must be light."""


def _total(counts: Iterable[Counter[str]]) -> str:
    """Say how many numbers are how close, over all tables."""
    total = Counter[str]()
    for count in counts:
        total += count
    return ", ".join(f"{thousands(total[name])} {words}" for name, words in CLOSENESS.items())


def replication_figure(outcomes: Sequence[Outcome], *, title: str, mode: Mode) -> go.Figure:
    """Draw a row for each table and a column for each degree of closeness, with the numbers."""
    ink, page, names = inks(mode), inks("light"), list(CLOSENESS)
    counts = [Counter(number.closeness for number in o.numbers) for o in outcomes]
    shares = [
        [count[name] / len(o.numbers) for name in names]
        for count, o in zip(counts, outcomes, strict=True)
    ]
    labels = [middle_cut(_label(outcome), NAME_WIDTH) for outcome in outcomes]
    least = faded(ink.accent, 0.12)
    figure = go.Figure()
    for column, name in enumerate(names):
        differs = name == "differs"
        scale = [[0, ink.less], [1, ink.less]] if differs else [[0, least], [1, ink.accent]]
        figure.add_heatmap(
            x=[column], y=list(range(len(outcomes))), showscale=False, xgap=2, ygap=2,
            z=[[row[column] or None] for row in shares], zmin=0, zmax=1, colorscale=scale,
            text=[[_hover(o, name, n[name])] for o, n in zip(outcomes, counts, strict=True)],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
        for light in (False, True):
            rows = [
                k
                for k, row in enumerate(shares)
                if row[column] and _on_dark(row[column], differs, mode) == light
            ]
            figure.add_scatter(
                x=[column] * len(rows), y=rows, mode="text", hoverinfo="skip",
                text=[thousands(counts[k][name]) for k in rows],
                textfont=dict(size=NORMAL, color=page.paper if light else page.text),
            )  # fmt: skip
    plain = dict(showline=False, ticks="", fixedrange=True, showgrid=False)
    figure.update_xaxes(
        tickvals=list(range(len(names))), ticktext=HEADS, side="top", tickangle=0,
        tickfont=dict(size=SMALL, color=ink.quiet), range=[-0.5, len(names) - 0.5], **plain,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(outcomes))), ticktext=[as_html(label) for label in labels],
        range=[len(outcomes) - 0.5, -0.5], tickfont=dict(size=NORMAL, color=ink.text),
        ticklabelstandoff=6, **plain,
    )  # fmt: skip
    heading = in_lines(title)
    head = HEAD + 20 * heading.count("\n")
    finish(
        figure, mode, title=heading, height=head + FOOT + ROW * len(outcomes),
        alt=f"{title} {len(outcomes)} tables; of their numbers {_total(counts)}.",
        margin=dict(l=8, r=8, t=head, b=FOOT),
    )  # fmt: skip
    figure.layout.meta["min_width"] = NARROWEST
    return figure


def printed_against_ours(outcome: Outcome, *, mode: Mode) -> go.Figure | None:
    """Draw every number of one table, printed across and ours upward; None of words."""
    ink = inks(mode)
    numbers = [
        number
        for number in outcome.numbers
        if not isinstance(number.printed, str) and not isinstance(number.ours, str)
    ]
    if not numbers:
        return None
    figure = go.Figure()
    values = [float(v) for n in numbers for v in (n.printed, n.ours)]
    ends = [min(values), max(values)]
    figure.add_scatter(
        x=ends, y=ends, mode="lines", line=dict(color=ink.strong_rule, width=1), hoverinfo="skip"
    )
    for same, color, symbol in ((True, ink.accent, "circle"), (False, ink.less, "diamond")):
        shown = [number for number in numbers if number.same == same]
        figure.add_scatter(
            x=[number.printed for number in shown],
            y=[number.ours for number in shown],
            mode="markers",
            name="matches" if same else "differs",
            marker=dict(
                color=color, symbol=symbol, size=7 if same else 11, opacity=0.6 if same else 1.0
            ),
            text=[as_html(number.place) for number in shown],
            hovertemplate="%{text}<br>published %{x}, ours %{y}<extra></extra>",
            cliponaxis=False,
        )  # fmt: skip
    figure.update_xaxes(title_text="printed", showgrid=True, fixedrange=True)
    figure.update_yaxes(title_text="ours", showgrid=True, fixedrange=True)
    words = f"{outcome.same} of {len(outcome.numbers)} match"
    return finish(
        figure, mode, title=in_lines(f"{_label(outcome)}: {words}"), height=380,
        alt=f"{_label(outcome)}: published and ours, {words}.",
        margin=dict(l=8, r=16, t=56, b=56),
    )  # fmt: skip


def _label(outcome: Outcome) -> str:
    """Return source and place as short as a row's name must be."""
    return outcome.replication.title.replace(" et al.", "")


def _hover(outcome: Outcome, name: str, n: int) -> str:
    replication = outcome.replication
    return (
        f"<b>{as_html(replication.title)}</b><br>{as_html(replication.what)}<br>"
        f"{thousands(n)} of {thousands(len(outcome.numbers))}: {CLOSENESS[name]}"
    )


def _on_dark(share: float, differs: bool, mode: Mode) -> bool:
    """Return whether a cell's text must be light: by day the scale grows dark, by night bright."""
    return (differs or share > BRIGHT) == (mode == "light")
