"""Standings of many language pairs side by side, each the scene of the standings, small.

Each has a scale of its own: scores of different language pairs are not comparable. Colors are the
variables of the page that shows the pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.colors import PAGE_INKS, page_colors
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.files import FAMILY
from analysis.drawing.look import SMALL_MULTIPLE, Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Rows
from analysis.drawing.sketch import Part
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg, svg_body
from analysis.drawing.svg.lettering import text
from analysis.escaping import as_html
from analysis.findings.language_pairs import pair_line
from analysis.languages import language_pair
from analysis.names import middle_cut
from analysis.wording import capital

MOST_ROWS = 16
"""Rows that a small picture shows; of more, the last row says how many there are."""
HEAD, GAP, ACROSS = 40, 20, 4
"""Above each picture, between two, and how many stand side by side."""
WIDTH = SMALL_MULTIPLE.width or 0


def scale_words(results: Sequence[PairResult], score_label: str) -> str:
    """Say what the pictures' axes are, and what an arrow is where there is one."""
    is_z = any(one.ranking is not None and one.ranking.standings.is_z for one in results)
    words = f"Each picture has its own scale of {score_label}{' (z)' * is_z}."
    if any(row.side for result in results for row in _scene(result).rows):
        words += " An arrow is a system far off it, with its score."
    return words


def pair_svg(result: PairResult, highlighted: str = "") -> str:
    """Return one language pair's picture; a system, by its short name, may alone have a color."""
    return figure_svg(_drawing(result, 0, highlighted))


def small_multiples_svg(results: Sequence[PairResult], *, across: int = ACROSS) -> str:
    """Return the pictures of all language pairs in one, each under its title and its finding."""
    rows = max((_scene(result).n_lines for result in results), default=1)
    down = -(-len(results) // across)
    cell = (WIDTH + GAP, HEAD + SMALL_MULTIPLE.row * rows + SMALL_MULTIPLE.foot + GAP)
    width, height = cell[0] * min(across, max(len(results), 1)) - GAP, cell[1] * max(down, 1)
    parts = [
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="Standings of {len(results)} language pairs" '
        f"font-family=\"'{FAMILY}', sans-serif\" "
        'xmlns="http://www.w3.org/2000/svg">'
    ]
    ink = Look(mode=None).ink
    for place, result in enumerate(results):
        x, y = cell[0] * (place % across), cell[1] * (place // across)
        title = as_html(middle_cut(language_pair(result.pair), 34))
        line = as_html(middle_cut(capital(pair_line(result)), 42))
        parts.append(f'<g transform="translate({x:g} {y:g})">')
        parts.append(text(title, 0, 10, size=14, color=ink.text, bold=True))
        parts.append(text(line, 0, 27, size=11, color=ink.quiet))
        parts.append(f'<g transform="translate(0 {HEAD})">')
        parts += [svg_body(_drawing(result, rows)), "</g></g>"]
    return "\n".join([*parts, "</svg>"])


def _scene(result: PairResult) -> Rows:
    """Return the standings of a language pair, without a panel of ranks and without columns."""
    if result.ranking is None:
        return Rows((), "", f"{language_pair(result.pair)}: {result.problem}")
    shown = list(result.names.values())
    names = {s: middle_cut(name, SMALL_MULTIPLE.name, shown) for s, name in result.names.items()}
    return standings_scene(result.ranking, names, "", with_ranks=False, columns=(), most=MOST_ROWS)


def _drawing(result: PairResult, rows: int, highlighted: str = "") -> Part:
    ranking = result.ranking
    colors = {} if ranking is None else page_colors(ranking.judgments.color_places)
    if highlighted:
        colors = {s: PAGE_INKS.less for s in colors if result.names.get(s, s) == highlighted}
    drawing = rows_json(_scene(result), Look(colors, None, SMALL_MULTIPLE))
    if ranking is None:
        drawing["layout"]["annotations"] = [
            dict(text="not ranked", xref="paper", x=0.5, yref="paper", y=0.5, showarrow=False)
        ]
        drawing["layout"]["height"] = max(60, SMALL_MULTIPLE.row * rows)
    return drawing
