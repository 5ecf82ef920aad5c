"""The standings as a small SVG: scores with intervals and rank ranges, cluster by cluster.

Colors are classes, so that the page that holds the picture decides on light, dark and print.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from analysis.campaign import FloatArray
from analysis.colors import marks_css, system_class
from analysis.names import middle_cut
from analysis.ranking.ranking import Ranking
from analysis.reporting.far_off import far_off
from analysis.wording import as_html, chance, percent, significant, span

WIDTH, ROW, HEAD, FOOT = 860, 28, 26, 40
NAME_END, NAME_WIDTH = 186, 24
SCORES, RANKS = (200, 490), (532, 724)
RANGE_END, FIRST_END = 790, 852

CSS = """
svg.standings { width: 100%; height: auto; font-size: 13px; font-variant-numeric: tabular-nums; }
svg.standings text { fill: var(--text); }
svg.standings .quiet { fill: var(--quiet); font-size: 12px; }
svg.standings .band { fill: var(--band); }
svg.standings .rule { stroke: var(--rule); }
svg.standings .cut { stroke: var(--strong); stroke-dasharray: 4 3; }
svg.standings .thin { stroke-width: 2; }
svg.standings .thick { stroke-width: 7; opacity: .4; }
""" + marks_css("svg.standings", ("thin", "thick"))
"""What a page adds to its rules; it sets the variables."""

Place = Callable[[float], float]


def standings_svg(ranking: Ranking, names: Mapping[str, str], score_label: str) -> str:
    """Return the picture of a ranking, one row per system, best on top.

    Left the score, its line the interval at the ranking's level. Right the ranks: a
    thin line for the rank range, a thick one for the middle half of the draws of abilities (of the
    runs, as published), a dot for their mean.
    """
    n = len(ranking.order)
    height = HEAD + ROW * n + FOOT
    label = f"Standings, best first: {', '.join(names[ranking.systems[k]] for k in ranking.order)}"
    return "\n".join(
        [
            f'<svg class="standings" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{as_html(label)}" xmlns="http://www.w3.org/2000/svg">',
            *_bands(ranking),
            *_score_panel(ranking, score_label),
            *_rank_panel(ranking),
            *_words(ranking, names),
            "</svg>",
        ]
    )


def _bands(ranking: Ranking) -> Iterator[str]:
    """Lay a band behind every second cluster and a dashed line between clusters."""
    if ranking.clusters is None:
        return
    clusters = [int(ranking.clusters[k]) for k in ranking.order]
    starts = [p for p in range(len(clusters)) if not p or clusters[p] != clusters[p - 1]]
    for number, (first, end) in enumerate(itertools.pairwise([*starts, len(clusters)])):
        top = HEAD + ROW * first
        if number % 2:
            size = f'width="{WIDTH}" height="{ROW * (end - first)}"'
            yield f'<rect class="band" x="0" y="{top}" {size}/>'
        if first:
            yield f'<line class="cut" x1="0" x2="{WIDTH}" y1="{top}" y2="{top}"/>'


def _score_panel(ranking: Ranking, score_label: str) -> Iterator[str]:
    low, high = _interval(ranking)
    off = far_off(ranking.scores)
    near = off == 0
    ends = np.concatenate([ranking.scores[near], low[near], high[near]])
    if np.isnan(ends).all():
        return
    ticks = round_ticks(float(np.nanmin(ends)), float(np.nanmax(ends)))
    place = _scale(ticks[0], ticks[-1], SCORES)
    yield from _axis(ranking, place, [(tick, f"{tick:g}".replace("-", "−")) for tick in ticks])
    yield _text(sum(SCORES) / 2, _foot(ranking) + 32, score_label, "quiet", "middle")
    for row, k in enumerate(ranking.order):
        if np.isnan(ranking.scores[k]):
            continue
        y = _middle(row)
        if off[k]:
            yield _arrow(float(ranking.scores[k]), int(off[k]), y, _color(ranking, k))
            continue
        color = _color(ranking, k)
        yield _line(place(low[k]), place(high[k]), y, f"{color} thin")
        yield _dot(place(ranking.scores[k]), y, color)


def _rank_panel(ranking: Ranking) -> Iterator[str]:
    if ranking.ranges is None:
        return
    n = len(ranking.order)
    place = _scale(1, max(n, 2), RANKS)
    step = 1 if n <= 10 else -(-n // 8)
    yield from _axis(ranking, place, [(rank, str(rank)) for rank in range(1, n + 1, step)])
    yield _text(sum(RANKS) / 2, _foot(ranking) + 32, "rank", "quiet", "middle")
    for row, k in enumerate(ranking.order):
        if not ranking.ranges.low[k]:
            continue
        y = _middle(row)
        runs = ranking.ranges.ranks[:, k]
        lower, upper = np.nanquantile(runs, [0.25, 0.75])
        color = _color(ranking, k)
        ends = place(ranking.ranges.low[k]), place(ranking.ranges.high[k])
        yield _line(*ends, y, f"{color} thin")
        yield _line(place(lower), place(upper), y, f"{color} thick")
        yield _dot(place(float(np.nanmean(runs))), y, color)


def _words(ranking: Ranking, names: Mapping[str, str]) -> Iterator[str]:
    """Write names to the left; rank ranges and the probability of being first to the right."""
    ranges = ranking.ranges
    first = None if ranges is None else ranges.probability_of_top(1)
    if ranges is not None:
        yield _text(RANGE_END, HEAD - 8, "ranks", "quiet", "end")
        yield _text(FIRST_END, HEAD - 8, first_head(ranking), "quiet", "end")
    for row, k in enumerate(ranking.order):
        y = _middle(row) + 4.5
        full = ranking.systems[k]
        shown = as_html(middle_cut(names[full], NAME_WIDTH))
        yield (
            f'<text x="{NAME_END}" y="{y:g}" text-anchor="end"><title>{as_html(full)}, score '
            f"{significant(float(ranking.scores[k]))}</title>{shown}</text>"
        )
        if ranges is not None and first is not None:
            yield _text(RANGE_END, y, span(int(ranges.low[k]), int(ranges.high[k])), "", "end")
            yield _text(FIRST_END, y, first_words(ranking, float(first[k])), "", "end")


def first_head(ranking: Ranking) -> str:
    """Name the chance of being first: a probability, or a share of the runs as published."""
    return "runs first" if ranking.certainty.is_published else "P(first)"


def first_words(ranking: Ranking, share: float) -> str:
    """Write it."""
    return percent(share) if ranking.certainty.is_published else chance(share)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers at even distances that enclose both ends.

    >>> round_ticks(-.31, .42)
    [-0.4, -0.2, 0.0, 0.2, 0.4, 0.6]
    """
    span_ = (high - low) or abs(high) or 1.0
    power = 10.0 ** np.floor(np.log10(span_ / most))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
        if last - first < most:
            break
    return [round(float(k * step), 10) for k in np.arange(first, max(last, first + 1) + 1)]


def _interval(ranking: Ranking) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the scores' intervals; the scores themselves where nothing was drawn."""
    if ranking.ranges is None:
        return ranking.scores, ranking.scores
    return ranking.ranges.score_low, ranking.ranges.score_high


def _scale(low: float, high: float, panel: tuple[int, int]) -> Place:
    def place(value: float) -> float:
        return panel[0] + (panel[1] - panel[0]) * (float(value) - low) / (high - low)

    return place


def _axis(ranking: Ranking, place: Place, ticks: list[tuple[float, str]]) -> Iterator[str]:
    for value, words in ticks:
        x, foot = place(value), _foot(ranking)
        yield f'<line class="rule" x1="{x:.1f}" x2="{x:.1f}" y1="{HEAD}" y2="{foot}"/>'
        yield _text(x, foot + 15, words, "quiet", "middle")


def _foot(ranking: Ranking) -> int:
    return HEAD + ROW * len(ranking.order)


def _middle(row: int) -> float:
    return HEAD + ROW * (row + 0.5)


def _line(x1: float, x2: float, y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y:g}" y2="{y:g}"/>'


def _color(ranking: Ranking, k: int) -> str:
    return system_class(ranking.systems[k], ranking.judgments.all_systems)


def _dot(x: float, y: float, color: str) -> str:
    return f'<circle class="{color} dot" cx="{x:.1f}" cy="{y:g}" r="4.5"/>'


def _arrow(score: float, side: int, y: float, color: str) -> str:
    """Point to a system that is far off the axis, with its score."""
    x = SCORES[0] + 2 if side < 0 else SCORES[1] - 2
    tip = f"{x},{y:g} {x - 9 * side},{y - 5:g} {x - 9 * side},{y + 5:g}"
    anchor = "start" if side < 0 else "end"
    words = _text(x - 14 * side, y + 4.5, significant(score), "quiet", anchor)
    return f'<polygon class="{color} dot" points="{tip}"/>{words}'


def _text(x: float, y: float, words: str, kind: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{as_html(words)}</text>'
    )
