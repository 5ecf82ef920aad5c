"""Figures say what they show, hold what they should, and nothing from data is rendered in them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.stats import norm

from analysis.campaign import CampaignBuilder, Judgments
from analysis.provenance import Provenance
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import Ranking, assemble
from analysis.ranking.replicates import Replicates, replicate
from dashboard.figures.counts import counts_figure
from dashboard.figures.standings import RankPanel, standings_figure
from dashboard.figures.theme import INKS, MAX_COLORED, Mode, alt_text, faded, system_colors

SYSTEMS = ("best<b>!</b>", "second", "third", "last")


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
def replicates(judgments: Judgments) -> Replicates:
    return replicate(ExpectedWins(), judgments, runs=200, seed=1)


@pytest.fixture(scope="module")
def ranking(judgments: Judgments, replicates: Replicates) -> Ranking:
    return assemble(judgments, ExpectedWins().fit(judgments), replicates, 0.95)


def draw(
    ranking: Ranking,
    replicates: Replicates | None,
    panel: RankPanel = "box",
    mode: Mode = "light",
) -> go.Figure:
    return standings_figure(
        ranking,
        replicates,
        names={name: name for name in ranking.systems},
        colors=system_colors(ranking.systems, mode),
        score_label="expected wins",
        mode=mode,
        panel=panel,
    )


def test_the_best_system_is_the_top_row(ranking: Ranking, replicates: Replicates) -> None:
    figure = draw(ranking, replicates)
    assert "best" in figure.layout.yaxis.ticktext[0]
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    assert top < 0 < bottom


def test_a_dashed_line_stands_between_clusters_and_nowhere_else(
    ranking: Ranking, replicates: Replicates
) -> None:
    figure = draw(ranking, replicates)
    lines = sorted(shape.y0 for shape in figure.layout.shapes if shape.type == "line")
    assert ranking.clusters is not None
    in_order = [ranking.clusters[k] for k in ranking.order]
    assert in_order == [1, 2, 2, 3]
    assert lines == [0.5, 2.5]


def test_the_thin_interval_is_the_one_of_the_runs(ranking: Ranking, replicates: Replicates) -> None:
    figure = draw(ranking, replicates)
    thin = [
        t for t in figure.data if t.type == "scatter" and t.mode == "lines" and t.line.width == 2
    ]
    assert ranking.ranges is not None
    for trace in thin:
        k = ranking.order[int(trace.y[0])]
        assert list(trace.x) == [ranking.ranges.score_low[k], ranking.ranges.score_high[k]]


def test_the_thick_line_holds_half_of_the_runs(ranking: Ranking, replicates: Replicates) -> None:
    figure = draw(ranking, replicates)
    thick = {int(t.y[0]): t.x for t in figure.data if t.type == "scatter" and t.line.width == 6}
    assert sorted(thick) == [0, 1, 2, 3]
    for place, (low, high) in thick.items():
        runs = replicates.scores[:, ranking.order[place]]
        assert np.mean(runs < low) == pytest.approx(0.25, abs=0.01)
        assert np.mean(runs > high) == pytest.approx(0.25, abs=0.01)


def test_a_preview_draws_the_intervals_of_the_models_own_normal_distribution(
    ranking: Ranking,
) -> None:
    spread = np.array([0.4, 0.1, 0.2, 0.3])
    standings = replace(ranking.standings, spread=spread)
    figure = draw(Ranking(ranking.judgments, standings, 0, 0.95, "", None, None), None)
    for width, share in ((6, 0.5), (2, 0.95)):
        lines = [t for t in figure.data if t.type == "scatter" and t.line.width == width]
        assert len(lines) == 4
        for line in lines:
            k = ranking.order[int(line.y[0])]
            low, high = (np.array(line.x) - ranking.scores[k]) / spread[k]
            assert norm.cdf(high) - norm.cdf(low) == pytest.approx(share, abs=0.001)
            assert low == pytest.approx(-high)


def test_a_box_holds_the_middle_half_of_the_ranks_and_its_dot_is_their_mean(
    ranking: Ranking, replicates: Replicates
) -> None:
    figure = draw(ranking, replicates)
    boxes = {int(t.y[0]): t for t in figure.data if t.type == "box"}
    dots = {int(t.y[0]): t.x[0] for t in figure.data if t.xaxis == "x2" and t.type == "scatter"}
    assert ranking.ranges is not None
    for place, k in enumerate(ranking.order):
        runs = ranking.ranges.ranks[:, k]
        assert dots[place] == pytest.approx(runs.mean())
        box = boxes[place]
        for value, share in ((box.q1[0], 0.25), (box.median[0], 0.5), (box.q3[0], 0.75)):
            assert np.mean(runs < value) <= share <= np.mean(runs <= value)


def test_boxes_reach_over_all_runs(ranking: Ranking, replicates: Replicates) -> None:
    boxes = [trace for trace in draw(ranking, replicates).data if trace.type == "box"]
    assert ranking.ranges is not None
    assert len(boxes) == len(ranking.systems)
    for box in boxes:
        runs = ranking.ranges.ranks[:, ranking.order[int(box.y[0])]]
        assert (box.lowerfence[0], box.upperfence[0]) == (runs.min(), runs.max())


def test_the_edge_tells_rank_range_and_probability_of_being_first(
    ranking: Ranking, replicates: Replicates
) -> None:
    texts = [note.text for note in draw(ranking, replicates).layout.annotations]
    assert texts.count("2–3") == 2
    assert {"ranks", "first", "100%"} <= set(texts)


def test_a_preview_has_the_size_of_the_result(ranking: Ranking, replicates: Replicates) -> None:
    preview = Ranking(ranking.judgments, ranking.standings, 0, 0.95, Provenance(), None, None)
    before, after = draw(preview, None), draw(ranking, replicates)
    assert before.layout.height == after.layout.height
    assert before.layout.margin == after.layout.margin
    assert before.layout.xaxis.domain == after.layout.xaxis.domain


@pytest.mark.parametrize("mode", list(INKS))
@pytest.mark.parametrize("panel", ["box", "strip", "none"])
def test_no_text_is_smaller_than_eleven_pixels(
    panel: RankPanel, mode: Mode, ranking: Ranking, replicates: Replicates
) -> None:
    figure = draw(ranking, replicates, panel, mode)
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


def test_names_with_tags_are_shown_not_rendered(ranking: Ranking, replicates: Replicates) -> None:
    figure = draw(ranking, replicates)
    assert "<b>!</b>" not in str(figure.layout)
    assert "<b>!</b>" not in str([trace.text for trace in figure.data])
    assert "&lt;b&gt;!" in figure.layout.yaxis.ticktext[0]


def test_alt_text_names_every_system_with_its_ranks(
    ranking: Ranking, replicates: Replicates
) -> None:
    text = alt_text(draw(ranking, replicates))
    assert all(name in text for name in SYSTEMS)
    assert "ranks 2–3" in text


def test_a_strip_has_a_bar_for_every_rank_taken_shaded_by_how_often(
    ranking: Ranking, replicates: Replicates
) -> None:
    figure = draw(ranking, replicates, "strip")
    bars = {int(trace.y[0]): trace for trace in figure.data if trace.type == "bar"}
    assert ranking.ranges is not None
    shade_of: dict[float, float] = {}
    for place, k in enumerate(ranking.order):
        taken, times = np.unique(np.round(ranking.ranges.ranks[:, k]), return_counts=True)
        assert list(bars[place].base) == list(taken - 0.5)
        for color, text, n in zip(bars[place].marker.color, bars[place].text, times, strict=True):
            assert color.startswith("rgba")
            assert f"{n / replicates.runs:.0%}" in text
            shade_of[n / replicates.runs] = float(color.rstrip(")").split(",")[-1])
    shares = sorted(shade_of)
    shades = [shade_of[share] for share in shares]
    assert len(shares) > 2
    assert shares[-1] == shades[-1] == 1
    assert shades == sorted(set(shades))  # darker where more often, never the same
    assert np.ptp(np.diff(shades) / np.diff(shares)) < 0.05  # and in proportion


def test_a_system_keeps_its_color_whatever_the_order() -> None:
    assert system_colors(("b", "a"), "light") == system_colors(("a", "b"), "light")
    many = [f"s{k:02}" for k in range(MAX_COLORED)]
    assert len(set(system_colors(many, "dark").values())) == MAX_COLORED


def test_above_twelve_systems_none_is_colored() -> None:
    many = [f"s{k:02}" for k in range(MAX_COLORED + 1)]
    assert set(system_colors(many, "light").values()) == {INKS["light"].neutral}


def test_a_faded_color_keeps_its_hue() -> None:
    assert faded("#0072B2", 0.25) == "rgba(0,114,178,0.25)"


def test_pairs_never_compared_are_empty_not_zero() -> None:
    compared = np.array([[0, 5, 0], [5, 0, 9], [0, 9, 0]], dtype=float)
    figure = counts_figure(compared, ("a", "b", "<c>"), names={}, mode="light")
    cells = np.array(figure.data[0].z, dtype=float)
    assert np.isnan(cells[0, 2])
    assert np.isnan(np.diag(cells)).all()
    assert cells[1, 2] == 9
    assert "<c>" not in str(figure.to_json())
