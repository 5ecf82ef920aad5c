"""Matrix, reordering and radius: one scene each, whose numbers every picture of it shows."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from analysis.colors import DIVERGING, SEQUENTIAL
from analysis.comparing.comparison import Column, compare
from analysis.comparing.head_to_head import HeadToHead, head_to_head
from analysis.drawing import matrix
from analysis.drawing.answers import answer_json, answer_scene
from analysis.drawing.cells import Cells, cells_json
from analysis.drawing.curves import Curve, Curves, _few_ticks, _panel_range
from analysis.drawing.look import Look
from analysis.drawing.matrix import CONFIRMED, EXPLORATORY, View, matrix_json, matrix_scene
from analysis.drawing.reordering import reordering_json, reordering_scene
from analysis.drawing.row_picture import score_ticks
from analysis.drawing.rows import bands_of
from analysis.drawing.sketch import Part
from analysis.drawing.svg import figure_svg
from analysis.findings.changes import Answer
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import Ranking, rank
from analysis.samples import sample_campaign
from dashboard.figures.theme import as_exported, as_figure

SVG = "{http://www.w3.org/2000/svg}"


def texts_in(drawing: Part) -> list[str]:
    root = ElementTree.fromstring(figure_svg(drawing))
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return rank(sample_campaign().judgments(), ExpectedWins())


@pytest.fixture(scope="module")
def table(ranking: Ranking) -> HeadToHead:
    judgments = ranking.judgments
    return head_to_head(judgments.counts, judgments.systems, ranking.order)


def test_a_matrix_of_verdicts_has_a_dot_for_a_pair_that_is_not_separated(
    ranking: Ranking, table: HeadToHead
) -> None:
    verdict, order = ranking.verdict, ranking.order
    assert verdict is not None
    scene = matrix_scene(
        table, table.share * np.nan, "significance", verdict=verdict, names={}, title="t"
    )
    assert scene.texts is not None
    for i, j in itertools.permutations(range(len(order)), 2):
        pair = order[i], order[j]
        if verdict.exploratory[pair]:
            assert scene.texts[i, j] == EXPLORATORY
        else:
            better = "+" if i < j else "−"
            assert scene.texts[i, j] == (better if verdict.significant[pair] else "·")
    assert set(np.diagonal(scene.texts)) == {""}


def test_a_square_without_ids_cuts_the_names_of_its_rows_as_those_of_its_columns() -> None:
    names = ("short", "a-name-much-longer-than-a-cell-can-ever-show-on-a-screen")
    square = Cells(names, names, np.eye(2), [["", ""]] * 2, 0.0, 1.0, [(0, "#fff"), (1, "#000")],
                   "t", "what it shows")  # fmt: skip
    layout = cells_json(square, Look(), height=20, least=20)["layout"]
    assert layout["yaxis"]["ticktext"] == layout["xaxis"]["ticktext"]
    assert layout["yaxis"]["ticktext"][1] != names[1]


def test_every_cell_of_the_matrix_is_the_share_that_its_row_won(
    ranking: Ranking, table: HeadToHead
) -> None:
    scene = matrix_scene(
        table, table.share * np.nan, "observed", verdict=ranking.verdict, names={}, title="t"
    )
    assert scene.texts is not None
    verdict, order = ranking.verdict, ranking.order
    assert verdict is not None
    marks = []
    for i, j in itertools.permutations(range(len(order)), 2):
        won = table.wins[i, j] / (table.wins[i, j] + table.wins[j, i])
        mark = scene.texts[i, j].lstrip("0123456789<>")
        assert int(scene.texts[i, j].strip("<>•°")) == round(100 * won)
        assert (mark == CONFIRMED) == verdict.significant[order[i], order[j]]
        assert (mark == EXPLORATORY) == verdict.exploratory[order[i], order[j]]
        marks.append(mark)
    assert set(marks) == {"", CONFIRMED, EXPLORATORY}
    words = texts_in(matrix_json(scene, Look()))
    n = len(order)
    written = [word for word in words if re.fullmatch(r"[<>]?\d+[•°]?", word)]
    assert written == [scene.texts[i, j] for i in range(n) for j in range(n) if i != j]
    root = ElementTree.fromstring(figure_svg(matrix_json(scene, Look())))
    cells = [r for r in root.iter(f"{SVG}rect") if r.get("fill", "").startswith("rgb(")]
    assert len(cells) == n * (n - 1)
    x = sorted({float(cell.get("x", 0)) for cell in cells})
    y = [float(cell.get("y", 0)) for cell in cells]
    assert len(x) == n
    assert y == sorted(y), "the first row on top"
    (clip,) = root.iter(f"{SVG}clipPath")
    panel = clip[0]
    left, width = float(panel.get("x", 0)), float(panel.get("width", 0))
    assert x[0] - left < 1, "the first column at the edge"
    assert left + width - x[-1] - float(cells[0].get("width", 0)) < 1
    key = next(word for word in words if "without ties" in word)
    assert CONFIRMED in key
    assert EXPLORATORY in key
    for name in scene.rows:
        assert words.count(name) == 2, "a row and a column"


@pytest.mark.parametrize("angle", [0, -45, -90])
def test_the_panel_of_cells_begins_and_ends_with_a_whole_cell(
    ranking: Ranking, table: HeadToHead, angle: int
) -> None:
    nothing = table.share * np.nan
    scene = matrix_scene(table, nothing, "observed", verdict=ranking.verdict, names={}, title="t")
    layout = cells_json(scene, Look(), height=30, least=8, angle=angle)["layout"]
    n = len(table.systems)
    assert layout["xaxis"]["range"] == [-0.5, n - 0.5]
    assert layout["yaxis"]["range"] == [n - 0.5, -0.5], "the first row on top"
    flat = cells_json(scene, Look(), height=30, least=8, angle=0)["layout"]
    assert (layout["margin"]["t"] > flat["margin"]["t"]) is (angle != 0), "room for names"


def test_many_systems_have_no_words_in_their_cells_and_no_key_of_marks(
    ranking: Ranking, table: HeadToHead, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scene(view: View) -> Cells:
        nothing = table.share * np.nan
        return matrix_scene(table, nothing, view, verdict=ranking.verdict, names={}, title="t")

    few = {view: scene(view) for view in ("observed", "significance")}
    monkeypatch.setattr(matrix, "MOST_WITH_TEXT", 3)
    assert scene("observed").texts is None
    assert scene("observed").key == few["observed"].key.partition(";")[0] != ""
    assert scene("significance").key == "" != few["significance"].key


def test_an_export_has_the_key_and_no_selection(ranking: Ranking, table: HeadToHead) -> None:
    scene = matrix_scene(
        table, table.share * np.nan, "observed", verdict=ranking.verdict, names={}, title="t"
    )
    chosen = (table.systems[0], table.systems[2])
    page = as_figure(matrix_json(scene, Look(), chosen=chosen), "light")
    plain = as_figure(matrix_json(scene, Look()), "light")
    assert figure_svg(page.to_plotly_json()) != figure_svg(plain.to_plotly_json())
    assert figure_svg(as_exported(page)) == figure_svg(as_exported(plain))
    assert scene.key in " ".join(texts_in(as_exported(page)))


def test_gray_cells_were_never_compared_and_the_diagonal_is_empty() -> None:
    wins = np.array([[0.0, 3, 0], [1, 0, 2], [0, 4, 0]])
    sparse = HeadToHead(("a", "b", "c"), wins, np.zeros((3, 3)))
    scene = matrix_scene(sparse, wins * np.nan, "observed", verdict=None, names={}, title="t")
    assert np.argwhere(scene.missing).tolist() == [[0, 2], [2, 0]]
    nothing = Look().ink.nothing
    assert figure_svg(matrix_json(scene, Look())).count(f'fill="{nothing}"') == 2
    assert cells_json(scene, Look(), height=30, least=9)["data"][0]["z"][0][2] is None


def test_the_reordering_figure_has_a_line_for_each_system_between_neighboring_methods() -> None:
    systems = ("a", "b", "c", "d")
    columns = [
        Column("x", systems, np.array([0, 1, 2, 3]), np.array([1, 1, 2, 3])),
        Column("y", systems, np.array([1, 0, 2, 3]), np.array([1, 1, 2, 3])),
        Column("z", systems, np.array([1, 0, 3, 2]), np.array([1, 1, 3, 2])),
    ]
    scene = reordering_scene(compare(columns), {"a": "short"}, (1, 3))
    assert scene.places == ((1, 2, 3, 4), (2, 1, 3, 4), (2, 1, 4, 3))
    assert [(one.systems, one.is_full) for one in scene.crossings] == [
        (("a", "b"), False), (("c", "d"), True),
    ]  # fmt: skip
    colors = dict.fromkeys(systems, "#0072B2")
    drawing = reordering_json(scene, Look(colors), title="t")
    crossing = [trace for trace in drawing["data"] if trace.get("name") in systems]
    assert [trace["name"] for trace in crossing] == ["a", "b", "c", "d"]
    words = texts_in(drawing)
    assert [words.count(name) for name in ("short", "b", "c", "d")] == [3] * 4
    assert "3 clusters · 2 moves" in words
    assert not any("winner" in word for word in words)
    rules = [one["y0"] for one in drawing["layout"]["shapes"] if one["line"]["width"] == 1]
    assert sorted(rules) == [2.5] * 3 + [3.5] * 3, "above the systems that begin a cluster"
    page = as_figure(reordering_json(scene, Look(colors), title="t", chosen=("a", "c")), "light")
    assert figure_svg(as_exported(page)) == figure_svg(as_exported(as_figure(drawing, "light"))), (
        "what is selected stays on the page"
    )
    assert figure_svg(page.to_plotly_json()) != figure_svg(drawing)


def test_each_method_says_whether_it_names_a_winner_where_not_all_name_the_same() -> None:
    known = np.zeros((2, 2), dtype=bool)
    columns = [
        Column("x", ("a", "b"), np.array([0, 1]), apart=known, winner="a"),
        Column("y", ("a", "b"), np.array([0, 1]), apart=known),
        Column("published", ("a", "b"), np.array([0, 1])),
    ]
    scene = reordering_scene(compare(columns), {})
    assert [head.facts for head in scene.heads] == [
        "\nhas a winner", "no move\nno winner", "no move\n ",
    ]  # fmt: skip
    high, low = (
        reordering_json(reordering_scene(compare(some), {}), Look(), title="t")
        for some in (columns, columns[:1] + columns[2:])
    )
    assert "no winner" in figure_svg(high)
    assert "winner" not in figure_svg(low)
    assert high["layout"]["margin"]["t"] == low["layout"]["margin"]["t"] + 20


@pytest.mark.parametrize(("most", "step"), [(3, 1), (5, 1), (6, 2), (11, 3)])
def test_an_axis_of_counts_has_whole_numbers_and_at_most_five_steps(most: int, step: int) -> None:
    panel = Curve("clusters", np.array([0, 1, most]), is_count=True)
    assert _few_ticks(panel) == {"dtick": step, "tick0": 0}
    assert _few_ticks(replace(panel, is_count=False)) == {"nticks": 5}


def test_the_radius_figure_shows_both_answers_and_its_curves(ranking: Ranking) -> None:
    before, after = (Answer.by_radius(ranking, radius) for radius in (0.0, 0.05))
    scene = answer_scene(before, after, {}, "score")
    assert [row.system for row in scene.rows] == list(after.names)
    for row in scene.rows:
        k = after.systems.index(row.system)
        assert row.score == after.scores[k]
        assert row.ghost is not None
        assert row.ghost.score == before.scores[k]
        assert row.cells[1].now == str(after.level_of(row.system))
        was = before.level_of(row.system)
        assert row.cells[1].was in ("", str(was))
    groups = [after.level_of(system) for system in after.names]
    was = [before.level_of(system) for system in after.names]
    gone = [k for k in range(1, len(was)) if was[k] != was[k - 1] and groups[k] == groups[k - 1]]
    assert scene.cuts == tuple((k, "dot") for k in gone)
    assert scene.bands == bands_of(groups)
    x = np.linspace(0, 0.1, 11)
    curves = Curves(x, "radius", (Curve("groups", 9 - 50 * x, is_count=True),), 0.05, ())
    drawing = answer_json(scene, Look(), title="t", curves=curves)
    assert (
        go.Figure(drawing).layout.height
        > go.Figure(answer_json(scene, Look(), title="t")).layout.height
    )
    words = texts_in(drawing)
    for word in (*after.names, "score", "radius", "groups", "tie group"):
        assert word in words


def test_a_curve_has_room_for_the_names_of_its_marks_on_both_sides() -> None:
    """Names stand above and below a curve; a panel that ends at it would cut them."""
    for values, least in (([0.2, 0.6], 0.05), ([0.4, 0.4], 0.4)):
        panel = Curve("t", np.array(values))
        low, high = _panel_range(panel)
        assert min(values) - low >= least
        assert high - max(values) >= least
    assert _panel_range(Curve("t", np.array([0.0, 9.0]), top=1.0))[1] < 2


def test_the_diagonal_stays_empty_where_columns_are_named_by_numbers(
    ranking: Ranking, table: HeadToHead
) -> None:
    scene = matrix_scene(
        table, table.share * np.nan, "observed", verdict=ranking.verdict, names={}, title=""
    )
    numbered = replace(scene, columns=tuple(map(str, range(len(scene.rows)))))
    assert not numbered.missing.diagonal().any()
    assert (numbered.missing == scene.missing).all()


def test_shares_on_dark_paper_have_a_dark_middle_and_colors_that_white_digits_suit() -> None:
    def bright(color: str) -> float:
        """Return the relative luminance of WCAG."""
        parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return float(np.dot((0.2126, 0.7152, 0.0722), linear))

    scene = Cells(
        ("a", "b"), ("a", "b"), np.array([[np.nan, 0.5], [0.5, np.nan]]), [["", ""], ["", ""]],
        0.0, 1.0, DIVERGING, "", "", texts=np.array([["", "50"], ["50", ""]]),
    )  # fmt: skip
    shown = cells_json(scene, Look(mode="dark"), height=20, least=20)
    heat = next(trace for trace in shown["data"] if trace["type"] == "heatmap")
    lights = [bright(color) for _, color in heat["colorscale"]]
    assert heat["colorscale"][lights.index(min(lights))][0] == 0.5
    assert max(lights) + 0.05 <= 1.05 / 4.5
    counted = cells_json(replace(scene, scale=SEQUENTIAL), Look(mode="dark"), height=20, least=20)
    dots = [bright(color) for _, color in counted["data"][0]["colorscale"]]
    assert dots == sorted(dots)
    assert dots[-1] + 0.05 <= 1.05 / 4.5
    light = cells_json(scene, Look(), height=20, least=20)
    assert light["data"][0]["colorscale"] == [list(stop) for stop in DIVERGING]


def test_a_small_picture_has_fewer_ticks_than_a_page() -> None:
    wide, small = (score_ticks((-0.7, 0.4), narrow=narrow)["ticktext"] for narrow in (False, True))
    assert len(wide) == 6
    assert small == ["−0.5", "0.0"]
