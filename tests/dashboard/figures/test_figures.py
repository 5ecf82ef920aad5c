"""Figures say what they show, hold what they should, and nothing from data is rendered in them."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.stats import t

from analysis.campaign import Judgments
from analysis.campaign.tasks import places_of
from analysis.colors import INKS, MAX_COLORED, Mode, system_colors
from analysis.drawing.look import Look
from analysis.drawing.svg.lettering import text_width
from analysis.provenance import Provenance
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty, replicate
from analysis.ranking.ranking import Ranking, rank
from dashboard.design import faded
from dashboard.figures.scenes import counts_figure, standings_figure
from dashboard.figures.theme import alt_text
from tests.building import CampaignBuilder
from tests.drawing_text import drawn_text

SYSTEMS = ("best<b>!</b>", "second", "third", "last")
FIGURES = Path(__file__).resolve().parents[3] / "dashboard" / "figures"


@pytest.mark.parametrize("path", sorted(FIGURES.glob("*.py")), ids=lambda path: path.stem)
def test_every_builder_gives_an_alternative_made_of_its_result(path: Path) -> None:
    functions = [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef)]
    builders = {
        one.name for one in functions if one.returns and "go.Figure" in ast.unparse(one.returns)
    } - {"finish", "as_figure"}
    dresses = {"finish", "_finish", "_draw", "as_figure", "counts_figure", "lines_figure"}
    for one in functions:
        calls = {
            c.func.id: c
            for c in ast.walk(one)
            if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)
        }
        assert one.name not in builders or dresses & set(calls), f"{one.name} is not finished"
        if "finish" not in calls:
            continue
        (alt,) = [word.value for word in calls["finish"].keywords if word.arg == "alt"]
        drawn = {name.id for name in ast.walk(alt) if isinstance(name, ast.Name)} - {"title"}
        assert drawn, f"{one.name} says no more than a title or fixed words"


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    """Four systems: the first far ahead, the two in the middle alike; pairs unevenly often."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(8)
    quality = np.array([3.0, 1.0, 0.9, -2.0])
    for task in range(300):
        shown = rng.permutation(4)[: 2 + task % 3]
        ranks = 1 + np.argsort(np.argsort(-(quality[shown] + rng.normal(0, 1, len(shown)))))
        builder.add_task("de-en", str(task), "j", [(SYSTEMS[k],) for k in shown], ranks.tolist())
    return builder.build().judgments()


@pytest.fixture(scope="module")
def ranking(judgments: Judgments) -> Ranking:
    return rank(judgments, ExpectedWins())


@pytest.fixture(scope="module")
def published(judgments: Judgments) -> Ranking:
    return rank(judgments, ExpectedWins(), Certainty(ranges="marginal", runs=200, seed=1))


@pytest.fixture(scope="module", params=["ranking", "published"])
def either(request: pytest.FixtureRequest) -> Ranking:
    found: Ranking = request.getfixturevalue(request.param)
    return found


def preview_of(ranking: Ranking) -> Ranking:
    return Ranking(
        ranking.judgments, ranking.standings, DEFAULT_CERTAINTY, Provenance(), None, None, None
    )


def draw(
    ranking: Ranking,
    with_ranks: bool = True,
    mode: Mode = "light",
    most: int | None = None,
) -> go.Figure:
    return standings_figure(
        ranking,
        names={name: name for name in ranking.systems},
        colors=system_colors(ranking.systems, mode),
        score_label="expected wins",
        mode=mode,
        with_ranks=with_ranks,
        most=most,
    )


def test_the_best_system_is_the_top_row(ranking: Ranking) -> None:
    figure = draw(ranking)
    assert "best" in figure.layout.yaxis.ticktext[0]
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    assert top < 0 < bottom


def test_a_dashed_line_stands_between_clusters_and_nowhere_else(ranking: Ranking) -> None:
    figure = draw(ranking)
    shapes = [shape for shape in figure.layout.shapes if shape.yref == "y"]
    lines = sorted(shape.y0 for shape in shapes if shape.type == "line")
    assert ranking.clusters is not None
    in_order = [ranking.clusters[k] for k in ranking.order]
    assert in_order == [1, 2, 2, 3]
    assert lines == [0.5, 2.5]
    bands = [(shape.y0, shape.y1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert bands == [(0.5, 2.5)]  # behind every second cluster


def lines_of(figure: go.Figure, width: int) -> dict[int, tuple[float, float]]:
    """Both ends of the lines of that width, by row."""
    found = figure.select_traces(lambda t: t.type == "scatter" and t.line.width == width)
    return {int(trace.y[0]): tuple(trace.x) for trace in found if trace.xaxis == "x"}


def test_thick_and_thin_lines_hold_half_and_the_level_of_the_scores_distribution(
    ranking: Ranking,
) -> None:
    figure = draw(ranking)
    assert ranking.verdict is not None
    for width, share in ((6, 0.5), (2, 0.95)):
        lines = lines_of(figure, width)
        assert sorted(lines) == [0, 1, 2, 3]
        for place, ends in lines.items():
            k = ranking.order[place]
            low, high = (np.array(ends) - ranking.scores[k]) / ranking.verdict.se[k]
            within = t(ranking.verdict.freedom_of_scores)
            assert within.cdf(high) - within.cdf(low) == pytest.approx(share, abs=0.001)


def test_as_published_thick_and_thin_lines_hold_half_and_the_level_of_the_runs(
    judgments: Judgments, published: Ranking
) -> None:
    runs = replicate(ExpectedWins().fit(judgments, 1), runs=200, unit="judgment", seed=1).scores
    figure = draw(published)
    for width, beyond in ((6, 0.25), (2, 0.025)):
        lines = lines_of(figure, width)
        assert sorted(lines) == [0, 1, 2, 3]
        for place, (low, high) in lines.items():
            here = runs[:, published.order[place]]
            assert np.mean(here < low) == pytest.approx(beyond, abs=0.01)
            assert np.mean(here > high) == pytest.approx(beyond, abs=0.01)


def test_a_preview_has_scores_and_no_line(ranking: Ranking) -> None:
    figure = draw(preview_of(ranking))
    assert [trace.mode for trace in figure.data] == ["markers"]
    assert {note.text for note in figure.layout.annotations if note.yref == "y"} == {
        "", *(f"{n:.0f}" for n in ranking.judgments.counts.compared.sum(axis=1))
    }  # fmt: skip


def test_a_box_covers_half_of_the_resamples_and_its_dot_is_their_mean(published: Ranking) -> None:
    either = published
    figure = draw(either)
    boxes = {int(t.y[0]): t for t in figure.data if t.type == "box"}
    dots = {int(t.y[0]): t.x[0] for t in figure.data if t.xaxis == "x2" and t.type == "scatter"}
    assert either.ranges is not None
    for place, k in enumerate(either.order):
        drawn = either.ranges.ranks[:, k]
        assert dots[place] == pytest.approx(drawn.mean())
        box = boxes[place]
        for value, share in ((box.q1[0], 0.25), (box.median[0], 0.5), (box.q3[0], 0.75)):
            assert np.mean(drawn < value) <= share <= np.mean(drawn <= value)


def test_the_line_of_a_rank_is_the_range_that_stands_beside_it(either: Ranking) -> None:
    assert either.ranges is not None
    low, high = either.ranges.rank_best[either.order], either.ranges.rank_worst[either.order]
    ends = list(zip(low, high, strict=True))
    figure = draw(either)
    boxes = [trace for trace in figure.data if trace.type == "box"]
    lines = list(figure.select_traces(dict(mode="lines+markers")))
    if either.certainty.is_official:
        assert [(box.lowerfence[0], box.upperfence[0]) for box in boxes] == ends
        assert lines == []
    else:
        assert boxes == [], "box and whiskers mean one thing: the same resamples"
        assert [tuple(line.x) for line in lines] == ends
        own = [trace.x[0] for trace in figure.data if trace.name == "rank"]
        assert own == [1, 2, 3, 4]


def test_the_panels_stand_apart_with_a_rule_between_them(ranking: Ranking) -> None:
    figure = draw(ranking)
    (rule,) = (shape for shape in figure.layout.shapes if shape.yref == "paper")
    left, right = figure.layout.xaxis.domain[1], figure.layout.xaxis2.domain[0]
    assert right - left > 0.05
    assert rule.x0 == rule.x1 == pytest.approx((left + right) / 2)


def test_the_first_rows_may_be_shown_alone(ranking: Ranking) -> None:
    figure = draw(ranking, False, most=2)
    names = [ranking.systems[k] for k in ranking.order[:2]]
    assert len(figure.layout.yaxis.ticktext) == 2
    assert figure.layout.yaxis.ticktext[1] == names[1]
    ends = np.array(list(lines_of(figure, 2).values()))
    low, high = figure.layout.xaxis.range
    assert low < ends.min() < ends.max() < high
    assert high - low < 2 * (ends.max() - ends.min())


def beside(figure: go.Figure, place: int) -> dict[str, str]:
    """What stands at the right edge of a row, by its head."""
    notes = figure.layout.annotations
    heads = {note.xshift: note.text for note in notes if note.yref == "paper"}
    return {heads[note.xshift]: note.text for note in notes if note.y == place and note.yref == "y"}


def test_the_edge_shows_rank_range_and_number_of_judgments(either: Ranking) -> None:
    figure = draw(either)
    assert either.ranges is not None
    for place, k in enumerate(either.order):
        ends = (int(either.ranges.rank_best[k]), int(either.ranges.rank_worst[k]))
        span = "–".join(str(end) for end in sorted(set(ends)))
        met = either.judgments.counts.compared[k].sum()
        lead = "winner, " if either.systems[k] == either.winner else ""
        assert beside(figure, place) == {"ranks": f"{lead}{span} of 4", "judgments": f"{met:.0f}"}


def test_every_dot_is_the_score_of_the_system_of_its_row(ranking: Ranking) -> None:
    figure = draw(ranking)
    (dots,) = draw(ranking, False).select_traces(dict(mode="markers"))
    scores = dict(zip(ranking.systems, ranking.scores, strict=True))
    names = [
        name.replace("&lt;", "<").replace("&gt;", ">") for name in figure.layout.yaxis.ticktext
    ]
    assert dict(zip(dots.y, dots.x, strict=True)) == {
        row: scores[name] for row, name in enumerate(names)
    }


def test_a_preview_has_the_size_of_the_result_but_for_the_winner_s_word(ranking: Ranking) -> None:
    preview = preview_of(ranking)
    before, after = draw(preview), draw(ranking)
    assert before.layout.height == after.layout.height
    assert before.layout.xaxis.domain == after.layout.xaxis.domain
    size = Look().sizes.text
    word = text_width("winner, 4 of 4", size) - text_width("4 of 4", size)
    assert after.layout.margin.r - before.layout.margin.r == pytest.approx(word, abs=1)
    open_ranking = replace(ranking, verdict=None)
    assert draw(open_ranking).layout.margin == before.layout.margin


@pytest.mark.parametrize("mode", list(INKS))
@pytest.mark.parametrize("with_ranks", [True, False])
def test_no_text_is_smaller_than_eleven_pixels(
    with_ranks: bool, mode: Mode, ranking: Ranking
) -> None:
    figure = draw(ranking, with_ranks, mode)
    sizes = []

    def collect(part: object) -> None:
        if isinstance(part, dict):
            sizes.extend(part["size"] for _ in [0] if "family" in part and "size" in part)
            for key, value in part.items():
                if key.endswith("font") and isinstance(value, dict) and "size" in value:
                    sizes.append(value["size"])
                collect(value)
        elif isinstance(part, list):
            for item in part:
                collect(item)

    collect(json.loads(figure.to_json()))
    assert sizes
    assert min(sizes) >= 11


def test_names_with_tags_are_shown_not_rendered(ranking: Ranking) -> None:
    figure = draw(ranking)
    assert "<b>!" not in drawn_text(figure)
    assert "best&lt;b&gt;!" in drawn_text(figure)
    assert "&lt;b&gt;!" in figure.layout.yaxis.ticktext[0]


def test_alt_text_names_every_system_with_its_ranks(ranking: Ranking) -> None:
    text = alt_text(draw(ranking))
    assert all(name in text for name in SYSTEMS)
    assert "ranks 2–3" in text


def test_a_system_keeps_its_color_whatever_the_order() -> None:
    assert system_colors(("b", "a"), "light") == system_colors(("a", "b"), "light")
    many = [f"s{k:02}" for k in range(MAX_COLORED)]
    assert len(set(system_colors(many, "dark").values())) == MAX_COLORED


def test_above_twelve_systems_none_is_colored() -> None:
    many = [f"s{k:02}" for k in range(MAX_COLORED + 1)]
    assert set(system_colors(many, "light").values()) == {INKS["light"].neutral}


def test_a_system_has_one_color_in_all_language_pairs_however_many_systems_they_have() -> None:
    regulars = ["online-A", "online-B", "uedin"]
    pairs = [[f"{k}.{name}" for name in (*regulars, *(f"only{k}{n}" for n in range(3 + 9 * k)))]
             for k in range(3)]  # fmt: skip
    found = [system_colors(places, "light") for places in places_of(pairs)]
    for name in regulars:
        assert len({colors[f"{k}.{name}"] for k, colors in enumerate(found)}) == 1
    assert len({found[2][f"2.{name}"] for name in regulars}) == 3
    rare = {color for colors in found for name, color in colors.items() if "only" in name}
    assert rare == {INKS["light"].neutral}


def test_a_faded_color_keeps_its_hue() -> None:
    assert faded("#0072B2", 0.25) == "rgba(0,114,178,0.25)"


def test_pairs_never_compared_are_empty_not_zero() -> None:
    compared = np.array([[0, 5, 0], [5, 0, 9], [0, 9, 0]], dtype=float)
    figure = counts_figure(compared, ("a", "b", "<c>"), names={}, mode="light")
    cells = np.array(figure.data[0].z, dtype=float)
    assert np.isnan(cells[0, 2])
    assert np.isnan(np.diag(cells)).all()
    assert cells[1, 2] == 9
    assert "<c>" not in drawn_text(figure)
    assert figure.layout.yaxis.ticktext[2] == "&lt;c&gt;"
