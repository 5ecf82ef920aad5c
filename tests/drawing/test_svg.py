"""A figure drawn without a browser shows what the figure holds, in its colors, as valid files."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from analysis.drawing.kappas import _draw_words, _range
from analysis.drawing.look import Look
from analysis.drawing.sketch import Sketch
from analysis.drawing.svg import figure_svg, picture_file
from analysis.drawing.svg.axes import Part, axes_of, round_ticks, set_ranges
from analysis.drawing.svg.lettering import wrapped
from analysis.drawing.svg.marks import _symbol
from dashboard.figures.theme import finish

SVG = "{http://www.w3.org/2000/svg}"


def dressed(figure: go.Figure, **layout: object) -> go.Figure:
    return finish(figure, "light", alt="what it shows", height=300, title="A <b> title", **layout)


def parts(figure: go.Figure, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(figure_svg(figure.to_plotly_json())).iter(SVG + tag))


def words(figure: go.Figure) -> list[str]:
    return ["".join(found.itertext()) for found in parts(figure, "text")]


def test_dots_stand_where_their_values_are_on_the_axes() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[0, 5, 10], y=[1, 3, 2], mode="markers")))
    figure.update_xaxes(range=[0, 10])
    dots = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in parts(figure, "circle")]
    xs, ys = zip(*dots, strict=True)
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1])
    assert ys[1] < ys[2] < ys[0], "what is more stands higher"
    low, high = float(ys[0]), float(ys[1])
    assert ys[2] == pytest.approx((low + high) / 2, abs=0.02)


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1, 10, 100], y=[1, 1, 1], mode="markers")))
    figure.update_xaxes(type="log")
    xs = [float(c.get("cx", 0)) for c in parts(figure, "circle")]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.02)
    assert {"1", "10", "100"} <= set(words(figure))


def test_a_short_logarithmic_axis_has_ticks_at_one_two_and_five_times_each_power() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1, 50], y=[1, 1], mode="markers")))
    figure.update_xaxes(type="log", tickprefix="x")
    ticks = [word for word in words(figure) if re.fullmatch(r"x\d+", word)]
    assert ticks == ["x1", "x2", "x5", "x10", "x20", "x50"]


def test_a_note_on_a_panel_of_a_logarithmic_axis_is_at_a_share_of_the_panel() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1, 10, 100], y=[1, 1, 1], mode="markers")))
    figure.update_xaxes(type="log")
    for x, ref, name in ((2, "x", "hundred"), (0.5, "x domain", "middle"), (1, "x", "ten")):
        figure.add_annotation(x=x, xref=ref, y=1, text=name, showarrow=False)
    notes = {"".join(t.itertext()): float(t.get("x", 0)) for t in parts(figure, "text")}
    assert notes["hundred"] > notes["ten"] + 100
    clip = next(iter(parts(figure, "clipPath")))[0]
    middle = float(clip.get("x", 0)) + float(clip.get("width", 0)) / 2
    assert notes["middle"] == pytest.approx(middle, abs=0.02)


def test_ticks_begin_where_they_are_said_to_and_titles_of_both_axes_are_written() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[0, 3], y=[0, 3])))
    figure.update_xaxes(range=[0, 3], tick0=0.5, dtick=1, title="along")
    figure.update_yaxes(title="upward", range=[0, 3], tick0=-70, dtick=1, tickprefix="y")
    found = words(figure)
    assert [word for word in found if re.fullmatch(r"y\d", word)] == ["y0", "y1", "y2", "y3"]
    assert [word for word in found if word in {"0.5", "1.5", "2.5", "3.5"}] == ["0.5", "1.5", "2.5"]
    assert {"along", "upward"} <= set(found)
    upward = next(t for t in parts(figure, "text") if "".join(t.itertext()) == "upward")
    assert "rotate(-90" in str(upward.get("transform"))


@pytest.mark.parametrize("most", [2, 6, 10])
def test_round_ticks_are_one_two_or_five_of_a_power_apart_and_enclose_both_ends(most: int) -> None:
    rng = np.random.default_rng(most)
    for low, width in zip(rng.normal(size=200), 10 ** rng.uniform(-3, 3, 200), strict=True):
        ticks = round_ticks(low, low + width, most)
        (step,) = {float(f"{b - a:.3g}") for a, b in itertools.pairwise(ticks)}
        assert float(f"{step:e}".partition("e")[0]) in {1.0, 2.0, 5.0}
        assert ticks[0] <= low + 1e-9
        assert low + width <= ticks[-1] + 1e-9
        assert len(ticks) <= most + 1


def test_an_axis_ends_at_a_round_number_that_is_its_end() -> None:
    assert round_ticks(0, 0.1 + 0.2) == [0.0, 0.1, 0.2, 0.3]
    assert round_ticks(-0.3, 0.1) == [-0.3, -0.2, -0.1, 0.0, 0.1]


def test_an_interval_has_caps_of_four_pixels_where_nobody_says_how_wide() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1], y=[1], error_x=dict(type="data", array=[0.5]))))
    line = {tuple(float(part.get(key, 0)) for key in ("x1", "y1", "x2", "y2"))
            for part in parts(figure, "line")}  # fmt: skip
    (bar,) = (one for one in line if one[1] == one[3] and (one[0], one[1] - 4) in
              {(x1, y1) for x1, y1, _, _ in line})  # fmt: skip
    caps = [one for one in line if one[0] == one[2] and one[0] in (bar[0], bar[2])]
    assert {(y1, y2) for _, y1, _, y2 in caps} >= {(bar[1] - 4, bar[1] + 4)}


def test_a_letter_wider_than_its_room_has_a_line_of_its_own() -> None:
    assert wrapped("WWW", 20, 5) == ["W", "W", "W"]


def test_the_axis_of_agreement_leaves_room_beside_the_lowest_and_the_highest() -> None:
    assert _range([0.61, 0.79]) == pytest.approx([0.4, 1.0])
    assert _range([0.65, 0.7]) == pytest.approx([0.6, 0.8])


def test_triangles_mirror_each_other_and_point_where_they_say() -> None:
    corners = {}
    for way in ("right", "left", "up", "down"):
        found = re.findall(r"(-?[\d.]+),(-?[\d.]+)", _symbol(f"triangle-{way}", 0, 0, 10, ""))
        corners[way] = {(float(x), float(y)) for x, y in found}
    assert corners["left"] == {(-x, y) for x, y in corners["right"]}
    assert corners["down"] == {(x, -y) for x, y in corners["up"]}
    assert corners["down"] == {(y, x) for x, y in corners["right"]}
    assert corners["right"] == {(13, 0), (-7.54, 13), (-7.54, -13)}


def test_only_what_is_pale_says_so() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1, 2], y=[1, 2], mode="markers",
                                          marker=dict(opacity=[1, 0.4]))))  # fmt: skip
    assert [dot.get("opacity") for dot in parts(figure, "circle")] == [None, "0.4"]


def test_a_gap_breaks_a_line_and_colors_are_the_figures_own() -> None:
    trace = go.Scatter(
        x=[0, 1, None, 2, 3], y=[0, 1, None, 1, 0], mode="lines", line=dict(color="#009E73")
    )
    ways = [way for way in parts(dressed(go.Figure(trace)), "path") if way.get("d")]
    assert [way.get("stroke") for way in ways] == ["#009E73"] * 2


def test_cells_have_the_colors_of_the_scale_and_none_where_nothing_is() -> None:
    scale = [[0, "#000000"], [1, "#ffffff"]]
    figure = dressed(
        go.Figure(go.Heatmap(z=[[0.0, 1.0], [np.nan, 0.5]], colorscale=scale, zmin=0, zmax=1,
                             showscale=False, texttemplate="%{z:.0f}"))
    )  # fmt: skip
    fills = [r.get("fill", "") for r in parts(figure, "rect")]
    cells = [fill for fill in fills if fill.startswith("rgb(")]
    assert cells == ["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgb(128, 128, 128)"]
    assert figure.layout.template.layout.separators


def test_a_box_and_a_bar_span_their_ends() -> None:
    box = go.Box(y=[0], q1=[2], median=[3], q3=[4], lowerfence=[1], upperfence=[6],
                 orientation="h", width=0.5)  # fmt: skip
    figure = dressed(go.Figure([box, go.Bar(x=[2], base=[1], y=[1], orientation="h")]))
    figure.update_xaxes(range=[0, 10]).update_yaxes(range=[-1, 2])
    axes = axes_of(Part(figure.to_plotly_json()))
    set_ranges(Part(figure.to_plotly_json()), axes)
    assert (axes["x"].low, axes["x"].high) == (0, 10)
    rects = [r for r in parts(figure, "rect") if float(r.get("width", 0)) < 500]
    wide = sorted(float(r.get("width", 0)) for r in rects)
    assert wide[0] == pytest.approx(wide[1]), "two units each"


def test_text_from_data_is_text_and_tags_of_ours_are_none() -> None:
    figure = dressed(go.Figure(go.Scatter(x=[1], y=[1])))
    figure.add_annotation(x=1, y=1, text="<b>&lt;script&gt;</b><br><1%", showarrow=False)
    svg = figure_svg(figure.to_plotly_json())
    assert "<script" not in svg
    assert {"<script>", "<1%", "A <b> title"} <= set(words(figure))
    assert re.search('<tspan font-weight="600">&lt;script&gt;</tspan>', svg)


def test_labels_have_the_room_that_they_need() -> None:
    long = ["a system with quite a long name, longer than the margin", "b"]
    figure = dressed(go.Figure(go.Scatter(x=[1, 2], y=long, mode="markers")))
    label = next(t for t in parts(figure, "text") if "".join(t.itertext()) == long[0])
    assert label.get("text-anchor") == "end"
    assert float(label.get("x", 0)) > 250


def test_the_same_figure_gives_the_same_bytes_in_every_form() -> None:
    def make() -> go.Figure:
        return dressed(go.Figure(go.Scatter(x=[1, 2], y=[1, 2], error_y=dict(array=[0.1, 0.2]))))

    for form, mark in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        data = picture_file(make().to_plotly_json(), form, "title")
        assert data.startswith(mark)
        assert picture_file(make().to_plotly_json(), form, "title") == data


@pytest.mark.parametrize(("bounds", "rows"), [([0.4, 0.8], 1), ([0.0, 1.0], 2)])
def test_words_of_agreement_stand_in_two_rows_where_one_is_too_narrow(
    bounds: list[float], rows: int
) -> None:
    sketch = Sketch([[1.0]])
    _draw_words(sketch, bounds, 1, Look())
    notes = sketch.dressed("light", alt="", height=200, margin={})["layout"]["annotations"]
    assert len({note["yshift"] for note in notes}) == rows
