"""Standings of many language pairs as small SVGs of one form, side by side.

Each has a scale of its own: scores of different pairs do not compare. Colors are classes, as in
`analysis.reporting.standings_svg`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.colors import marks_css, system_class
from analysis.comparing.whole import PairResult
from analysis.findings.whole import pair_line
from analysis.names import middle_cut
from analysis.ranking.ranking import Ranking
from analysis.reporting.far_off import far_off
from analysis.reporting.standings_svg import round_ticks
from analysis.wording import as_html, capital, language_pair, significant, span

WIDTH, ROW, FOOT = 224, 11, 15
NAME_END, NAME_WIDTH = 96, 16
PLOT = (104, 218)
MOST_ROWS = 16
"""Systems that a small picture shows; of more, the last row says how many there are."""
HEAD, GAP, ACROSS = 40, 20, 4
"""Above each picture, between two, and how many stand side by side."""

CSS = """
svg.small text { fill: var(--text); font-size: 11px; }
svg.small .quiet { fill: var(--quiet); }
svg.small .title { font-size: 14px; font-weight: 600; }
svg.small .band { fill: var(--band); }
svg.small .rule { stroke: var(--rule); }
svg.small .cut { stroke: var(--strong); stroke-dasharray: 3 2; }
svg.small .thin { stroke-width: 1.6; }
""" + marks_css("svg.small", ("thin",))
"""What a page adds to its rules; it sets the variables."""


def scale_words(results: Sequence[PairResult], score_label: str) -> str:
    """Say what the pictures' axes are, and what an arrow is where there is one."""
    words = f"Each picture has its own scale of {score_label}."
    rankings = [result.ranking for result in results if result.ranking is not None]
    if any(far_off(ranking.scores[_shown(ranking)]).any() for ranking in rankings):
        words += " An arrow is a system far off it, with its score."
    return words


def _shown(ranking: Ranking) -> IntArray:
    """Return the systems that a picture has room for, best first."""
    order = ranking.order
    return order if len(order) <= MOST_ROWS else order[: MOST_ROWS - 1]


def pair_svg(result: PairResult) -> str:
    """Return one pair's picture."""
    height = ROW * _rows_of([result]) + FOOT
    return "\n".join(
        [
            f'<svg class="small" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{as_html(_label(result))}" xmlns="http://www.w3.org/2000/svg">',
            *_panel(result),
            "</svg>",
        ]
    )


def _rows_of(results: Sequence[PairResult]) -> int:
    """Return how many rows the pair with the most systems needs."""
    n = [len(r.ranking.systems) for r in results if r.ranking is not None]
    return min(MOST_ROWS, max(n, default=1))


def small_multiples_svg(results: Sequence[PairResult], *, across: int = ACROSS) -> str:
    """Return the pictures of all pairs in one, each under its title and what it comes to."""
    rows = _rows_of(results)
    cell = (WIDTH + GAP, HEAD + ROW * rows + FOOT + GAP)
    down = -(-len(results) // across)
    width, height = cell[0] * min(across, max(len(results), 1)) - GAP, cell[1] * max(down, 1)
    parts = [
        f'<svg class="small" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Standings of {len(results)} language pairs" '
        'xmlns="http://www.w3.org/2000/svg">'
    ]
    for place, result in enumerate(results):
        x, y = cell[0] * (place % across), cell[1] * (place // across)
        title = as_html(middle_cut(language_pair(result.pair), 34))
        line = as_html(middle_cut(capital(pair_line(result)), 42))
        parts.append(f'<g transform="translate({x} {y})">')
        parts.append(f'<text class="title" x="0" y="15">{title}</text>')
        parts.append(f'<text class="quiet" x="0" y="31">{line}</text>')
        parts.append(f'<g transform="translate(0 {HEAD})">')
        parts += _panel(result)
        parts.append("</g></g>")
    return "\n".join([*parts, "</svg>"])


def _label(result: PairResult) -> str:
    if result.ranking is None:
        return f"{language_pair(result.pair)}: {result.problem}"
    names = [result.names[result.ranking.systems[k]] for k in result.ranking.order]
    return f"{language_pair(result.pair)}, best first: {', '.join(names)}"


def _panel(result: PairResult) -> Iterator[str]:
    ranking = result.ranking
    if ranking is None:
        yield f'<text class="quiet" x="{WIDTH / 2:g}" y="40" text-anchor="middle">not ranked</text>'
        return
    n = len(ranking.order)
    shown = _shown(ranking)
    foot = ROW * len(shown)
    yield from _bands(ranking, shown.tolist())
    low, high = _ends(ranking)
    sides = far_off(ranking.scores[shown])
    near = shown[sides == 0]
    ends = np.concatenate([ranking.scores[near], low[near], high[near]])
    reach = (0.0, 1.0)
    if not np.isnan(ends).all():
        reach = (float(np.nanmin(ends)), float(np.nanmax(ends)))
        reach = reach if reach[0] < reach[1] else (reach[0] - 0.5, reach[1] + 0.5)
        for tick in round_ticks(*reach, most=6):
            if not reach[0] <= tick <= reach[1]:
                continue
            x = _place(tick, reach)
            yield f'<line class="rule" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{foot}"/>'
            words = f"{tick:g}".replace("-", "−")
            yield (
                f'<text class="quiet" x="{x:.1f}" y="{foot + 11}" text-anchor="middle">{words}'
                "</text>"
            )
    for row, k in enumerate(shown):
        middle = ROW * (row + 0.5)
        yield _name(result, ranking, int(k), middle + 3.6)
        color = system_class(ranking.systems[k], ranking.judgments.all_systems)
        if sides[row]:
            yield _arrow(float(ranking.scores[k]), int(sides[row]), middle, color)
        elif not np.isnan(ranking.scores[k]):
            x1, x2, x = (_place(float(v), reach) for v in (low[k], high[k], ranking.scores[k]))
            level = f'y1="{middle:g}" y2="{middle:g}"'
            yield f'<line class="{color} thin" x1="{x1:.1f}" x2="{x2:.1f}" {level}/>'
            yield f'<circle class="{color} dot" cx="{x:.1f}" cy="{middle:g}" r="3"/>'
    if len(shown) < n:
        y = ROW * (len(shown) + 1) - 2
        more = f"and {n - len(shown)} more"
        yield f'<text class="quiet" x="{NAME_END}" y="{y}" text-anchor="end">{more}</text>'


def _arrow(score: float, side: int, y: float, color: str) -> str:
    """Point to a system that is far off the axis, with its score."""
    x = PLOT[0] if side < 0 else PLOT[1]
    base = x - 6 * side
    anchor = "start" if side < 0 else "end"
    return (
        f'<polygon class="{color} dot" points="{x},{y:g} {base},{y - 3.5:g} {base},{y + 3.5:g}"/>'
        f'<text class="quiet" x="{x - 9 * side}" y="{y + 3.6:g}" text-anchor="{anchor}">'
        f"{significant(score)}</text>"
    )


def _name(result: PairResult, ranking: Ranking, k: int, y: float) -> str:
    system = ranking.systems[k]
    shown = as_html(middle_cut(result.names[system], NAME_WIDTH))
    words = f"{system}, score {significant(float(ranking.scores[k]))}"
    if ranking.ranges is not None:
        words += f", ranks {span(int(ranking.ranges.low[k]), int(ranking.ranges.high[k]))}"
    return (
        f'<text x="{NAME_END}" y="{y:g}" text-anchor="end"><title>{as_html(words)}</title>{shown}'
        "</text>"
    )


def _bands(ranking: Ranking, shown: list[int]) -> Iterator[str]:
    """Lay a band behind every second cluster and a dashed line between clusters."""
    if ranking.clusters is None:
        return
    clusters = [int(ranking.clusters[k]) for k in shown]
    starts = [p for p in range(len(clusters)) if not p or clusters[p] != clusters[p - 1]]
    for number, (first, end) in enumerate(itertools.pairwise([*starts, len(clusters)])):
        size = f'width="{WIDTH}" height="{ROW * (end - first)}"'
        if number % 2:
            yield f'<rect class="band" x="0" y="{ROW * first}" {size}/>'
        if first:
            yield f'<line class="cut" x1="0" x2="{WIDTH}" y1="{ROW * first}" y2="{ROW * first}"/>'


def _ends(ranking: Ranking) -> tuple[FloatArray, FloatArray]:
    if ranking.ranges is None:
        return ranking.scores, ranking.scores
    return ranking.ranges.score_low, ranking.ranges.score_high


def _place(value: float, reach: tuple[float, float]) -> float:
    return PLOT[0] + (PLOT[1] - PLOT[0]) * (value - reach[0]) / (reach[1] - reach[0])
