"""The scene of the standings contains the ranking's numbers, and every picture of it shows them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from analysis.campaign import Judgments
from analysis.colors import INKS, Mode, system_colors
from analysis.drawing.files import plain_svg, svg_to_pdf, svg_to_png
from analysis.drawing.look import ON_PAGE, SMALL_MULTIPLE, Look, Sizes
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Rows
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.drawing.svg.lettering import text_width
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import Certainty, replicate
from analysis.ranking.ranking import Ranking, rank
from analysis.reporting.report import PairReport, html_report
from tests.building import CampaignBuilder

SVG = "{http://www.w3.org/2000/svg}"
RUNS = 200
HOSTILE = (
    "<script>alert(1)</script>",
    "a\"b'c&amp;\x00\x1b[31m\uffff\ufffe",
    "var(--s1)</text><circle/>",
    "很长的系统名称" * 12,
    "x" * 80,
    "\u202eright to left ]]>",
)


def judgments_of(names: tuple[str, ...], tasks: int = 120) -> Judgments:
    """Systems of falling quality, compared in threes and fours."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(3)
    for task in range(tasks):
        shown = rng.permutation(len(names))[: 3 + task % 2]
        quality = -0.15 * shown + rng.normal(0, 1, len(shown))
        ranks = 1 + np.argsort(np.argsort(-quality))
        builder.add_task("de-en", str(task), f"j{task % 5}", [(names[k],) for k in shown],
                         ranks.tolist())  # fmt: skip
    return builder.build().judgments()


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return judgments_of(tuple(f"system-{k}" for k in range(8)), 600)


@pytest.fixture(scope="module")
def ranking(judgments: Judgments) -> Ranking:
    return rank(judgments, ExpectedWins())


@pytest.fixture(scope="module")
def published(judgments: Judgments) -> Ranking:
    return rank(judgments, ExpectedWins(), Certainty(ranges="marginal", runs=RUNS, seed=1))


@pytest.fixture(scope="module", params=["ranking", "published"])
def either(request: pytest.FixtureRequest) -> Ranking:
    found: Ranking = request.getfixturevalue(request.param)
    return found


def drawn(scene: Rows, mode: Mode = "light", sizes: Sizes | None = None) -> ElementTree.Element:
    look = Look(system_colors([row.system for row in scene.rows], mode), mode, sizes or Sizes())
    return ElementTree.fromstring(figure_svg(rows_json(scene, look)))


def test_each_row_contains_the_numbers_of_its_system(either: Ranking) -> None:
    scene = standings_scene(either, {"system-0": "short"}, "score")
    ranges = either.ranges
    assert ranges is not None
    assert [row.system for row in scene.rows] == [either.systems[k] for k in either.order]
    met = either.judgments.counts.compared.sum(axis=1)
    for row, k in zip(scene.rows, either.order, strict=True):
        assert row.name == ("short" if row.system == "system-0" else row.system)
        assert row.score == either.scores[k]
        assert row.thin == (ranges.ci_low[k], ranges.ci_high[k])
        assert row.thick == (ranges.half_low[k], ranges.half_high[k])
        assert row.thin[0] < row.thick[0] < row.thick[1] < row.thin[1]
        assert row.ranks is not None
        assert (row.ranks.best, row.ranks.worst) == (ranges.rank_best[k], ranges.rank_worst[k])
        span = "–".join(str(end) for end in sorted({row.ranks.best, row.ranks.worst}))
        assert [cell.now for cell in row.cells] == [f"{span} of 8", f"{met[k]:.0f}"]


def test_published_intervals_are_exactly_the_resamples_of_their_places(
    judgments: Judgments, published: Ranking
) -> None:
    runs = replicate(ExpectedWins().fit(judgments, 1), runs=RUNS, unit="judgment", seed=1).scores
    ordered = np.sort(runs, axis=0)
    for row, k in zip(standings_scene(published, {}, "").rows, published.order, strict=True):
        # A quarter of 200 resamples lies below the 50% interval, floor(200 × .025) below the 95%.
        assert row.thick == (ordered[50, k], ordered[149, k])
        assert row.thin == (ordered[5, k], ordered[194, k])


def test_a_box_is_drawn_only_from_the_resamples_of_its_range(
    ranking: Ranking, published: Ranking
) -> None:
    assert all(row.ranks and row.ranks.box is None for row in standings_scene(ranking, {}, "").rows)
    ranges = published.ranges
    assert ranges is not None
    for row, k in zip(standings_scene(published, {}, "").rows, published.order, strict=True):
        assert row.ranks is not None
        assert row.ranks.box is not None
        assert row.ranks.box == tuple(np.quantile(ranges.ranks[:, k], [0.25, 0.5, 0.75]))
        assert row.ranks.middle == ranges.ranks[:, k].mean()


def test_whiskers_are_the_rank_range_where_the_method_draws_its_own_judgments(
    judgments: Judgments,
) -> None:
    """The extremes of the runs are in the hover: a whisker means one thing everywhere."""
    own = rank(judgments, TrueSkill(), Certainty(ranges="marginal", unit="none", runs=100, seed=1))
    assert own.ranges is not None
    rows = standings_scene(own, {}, "").rows
    wider = 0
    for row, k in zip(rows, own.order, strict=True):
        drawn = own.ranges.ranks[:, k]
        ends = own.ranges.rank_best[k], own.ranges.rank_worst[k]
        assert row.ranks is not None
        assert (row.ranks.best, row.ranks.worst) == ends
        assert row.ranks.words.endswith(f"all of the runs {drawn.min():g}–{drawn.max():g}")
        wider += (drawn.min(), drawn.max()) != ends
    assert wider


def test_bands_are_tiers_and_dashed_lines_are_clusters(
    ranking: Ranking, published: Ranking
) -> None:
    scene = standings_scene(ranking, {}, "")
    assert ranking.verdict is not None
    tiers = [int(ranking.verdict.tiers[k]) for k in ranking.order]
    assert len(set(tiers)) > 2
    shaded = {row for first, end in scene.bands for row in range(first, end)}
    assert shaded == {row for row, tier in enumerate(tiers) if tier % 2 == 0}
    assert ranking.clusters is not None
    in_order = [ranking.clusters[k] for k in ranking.order]
    starts = [p for p in range(1, 8) if in_order[p] != in_order[p - 1]]
    assert starts
    assert scene.cuts == tuple((start, "dash") for start in starts)
    assert "tier 2" in scene.alt
    official = standings_scene(published, {}, "")
    assert published.clusters is not None
    clusters = [published.clusters[k] for k in published.order]
    assert official.bands[0][0] == clusters.index(2), "clusters, as the procedure has no tiers"
    assert "tier" not in official.alt


def test_plotly_and_svg_contain_the_rows_intervals_and_labels_of_the_scene(
    either: Ranking,
) -> None:
    scene = standings_scene(either, {}, "expected wins")
    figure = rows_json(scene, Look(system_colors(either.systems, "light")))
    names = [row.name for row in scene.rows]
    assert figure["layout"]["yaxis"]["ticktext"] == names
    lines = {
        kind: [tuple(t["x"]) for t in figure["data"] if t.get("name") == kind]
        for kind in ("thin", "thick")
    }
    assert lines["thin"] == [row.thin for row in scene.rows]
    assert lines["thick"] == [row.thick for row in scene.rows]
    root = drawn(scene)
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    for word in (*names, "expected wins", "rank", "ranks", "judgments"):
        assert texts.count(word) == 1, word
    for row in scene.rows:
        for cell in row.cells:
            assert cell.now in texts
    reach = scene.reach
    assert reach is not None
    grid = [line for line in root.iter(f"{SVG}line") if line.get("stroke") == INKS["light"].rule]
    ticks = [float(t.replace("−", "-")) for t in figure["layout"]["xaxis"]["ticktext"]]
    x = [float(line.get("x1", 0)) for line in grid][: len(ticks)]
    scale = (x[-1] - x[0]) / (ticks[-1] - ticks[0])
    for width, wanted in (("2", lines["thin"]), ("6", lines["thick"])):
        ways = [w.get("d", "") for w in root.iter(f"{SVG}path") if w.get("stroke-width") == width]
        ends = [re.fullmatch(r"M([\d.]+) ([\d.]+)L([\d.]+) \2", way) for way in ways]
        found = [((float(e[1]) - x[0]) / scale + ticks[0], (float(e[3]) - x[0]) / scale + ticks[0])
                 for e in ends if e]  # fmt: skip
        np.testing.assert_allclose(found, wanted, atol=2e-4)


def test_a_downloaded_box_has_whiskers_to_the_ends_of_the_rank_range(published: Ranking) -> None:
    scene = standings_scene(published, {}, "")
    rows = [row for row in scene.rows if row.ranks and row.ranks.best < row.ranks.worst]
    assert len(rows) > 2
    root = drawn(scene)
    ticks = [
        float(text.get("x", 0))
        for text in root.iter(f"{SVG}text")
        if "".join(text.itertext()) in ("1", "8") and text.get("text-anchor") == "middle"
    ]
    one, eight = min(ticks), max(ticks)
    whiskers = [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "1.5"]
    upright = [w for w in whiskers if w.get("x1") == w.get("x2") and w.get("y1") != w.get("y2")]
    assert len(upright) == 3 * len(scene.rows), "a median and two caps each"
    high = sorted({float(w.get("y1", 0)) for w in whiskers if w.get("y1") == w.get("y2")})
    assert len(high) == len(scene.rows)
    for row, y in zip(scene.rows, high, strict=True):
        assert row.ranks is not None
        assert row.ranks.box is not None
        here = [w for w in whiskers if float(w.get("y1", 0)) <= y <= float(w.get("y2", 0))]
        ends = sorted(float(w.get("x1", 0)) for w in here if w in upright)
        wanted = (row.ranks.best, row.ranks.box[1], row.ranks.worst)
        assert ends == pytest.approx(
            sorted(one + (rank - 1) * (eight - one) / 7 for rank in wanted), abs=0.1
        )
        arms = sorted(
            (float(w.get("x1", 0)), float(w.get("x2", 0))) for w in here if w not in upright
        )
        reach = [x for arm in arms for x in arm]
        assert (min(reach), max(reach)) == pytest.approx((min(ends), max(ends)), abs=0.1)


def test_rows_stand_from_the_best_down_with_bands_and_lines_between(ranking: Ranking) -> None:
    scene = standings_scene(ranking, {}, "score")
    root = drawn(scene)
    place = {"".join(text.itertext()): float(text.get("y", 0)) for text in root.iter(f"{SVG}text")}
    rows = [place[row.name] for row in scene.rows]
    assert rows == sorted(rows), "the best on top"
    step = rows[1] - rows[0]
    cuts = sorted(
        float(line.get("y1", 0)) for line in root.iter(f"{SVG}line") if line.get("stroke-dasharray")
    )
    middle = rows[0] - 0.35 * 13  # A text stands on its line, 0.35 of its size below its middle.
    assert cuts == pytest.approx([middle + (row - 0.5) * step for row, _ in scene.cuts], abs=0.6)
    bands = sorted(
        (float(r.get("y", 0)), float(r.get("height", 0)))
        for r in root.iter(f"{SVG}rect")
        if r.get("fill") == INKS["light"].band
    )
    wanted = [(middle + (first - 0.5) * step, (end - first) * step) for first, end in scene.bands]
    assert len(bands) > 0
    np.testing.assert_allclose(bands, wanted, atol=0.6)
    ends = [end for row in scene.rows for end in row.thin or ()]
    room = 0.05 * (max(ends) - min(ends))
    assert scene.reach == pytest.approx((min(ends) - room, max(ends) + room))
    assert "rgba(" not in figure_svg(rows_json(scene, Look())), "what no old program reads"


def test_the_report_s_thick_line_is_the_half_and_not_the_thin_one(ranking: Ranking) -> None:
    report = PairReport(ranking, ExpectedWins(), {s: s for s in ranking.systems})
    (picture, *_) = re.findall("<svg.*?</svg>", html_report("t", [report]), re.DOTALL)
    root = ElementTree.fromstring(picture)
    lengths = {
        width: [
            float(end[2]) - float(end[1])
            for way in root.iter(f"{SVG}path")
            if way.get("stroke-width") == width
            for end in [re.match(r"M([\d.]+) [\d.]+L([\d.]+)", way.get("d", ""))]
            if end
        ]
        for width in ("2", "6")
    }
    assert len(lengths["2"]) == len(lengths["6"]) == 8
    np.testing.assert_allclose(np.array(lengths["6"]) / lengths["2"], 0.344, atol=0.02)


@pytest.mark.parametrize("sizes", [ON_PAGE, SMALL_MULTIPLE])
def test_the_line_of_the_half_is_plainly_thicker_than_that_of_the_level(sizes: Sizes) -> None:
    assert sizes.thick > 1.5 * sizes.thin


def test_the_axes_of_two_panels_stand_apart(ranking: Ranking) -> None:
    for sizes in (Sizes(), Sizes(width=760)):
        root = drawn(standings_scene(ranking, {}, "score"), sizes=sizes)
        numbers = [
            (float(text.get("x", 0)), "".join(text.itertext()))
            for text in root.iter(f"{SVG}text")
            if text.get("text-anchor") == "middle"
            and re.fullmatch(r"[\d.−]+", "".join(text.itertext()))
        ]
        left = max(x for x, words in numbers if "." in words)
        right = min(x for x, words in numbers if "." not in words)
        rules = [
            float(line.get("x1", 0))
            for line in root.iter(f"{SVG}line")
            if line.get("stroke") == INKS["light"].strong_rule and line.get("x1") == line.get("x2")
        ]
        assert len(rules) == 1
        assert left + 30 < rules[0] < right - 10


@pytest.mark.parametrize("with_ranks", [True, False])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_hostile_names_are_text_in_valid_files(with_ranks: bool, mode: Mode) -> None:
    ranking = rank(judgments_of(HOSTILE), ExpectedWins())
    for narrow in (False, True):
        scene = standings_scene(ranking, {}, "<b>score</b>", with_ranks=with_ranks)
        colors = system_colors(ranking.systems, mode)
        svg = figure_svg(rows_json(scene, Look(colors, mode, narrow=narrow)))
        root = ElementTree.fromstring(svg)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "defs", "clipPath", "rect", "g", "line", "path", "circle", "text", "tspan",
        }  # fmt: skip
        assert svg_to_pdf(svg, HOSTILE[1]).startswith(b"%PDF")
        assert svg_to_png(svg, dpi=48).startswith(b"\x89PNG")
    themed = figure_svg(rows_json(scene, Look({}, None)))
    assert "var(--s1)" in "".join(ElementTree.fromstring(plain_svg(themed, mode=mode)).itertext())


@pytest.mark.parametrize("n", [8, 16, 59])
def test_nothing_is_cut_off_at_either_width(n: int) -> None:
    names = tuple(f"{'long-name-' * 7}{k:02}-of-system" for k in range(n))
    assert all(len(name) >= 80 for name in names)
    scene = standings_scene(rank(judgments_of(names, 40 * n), ExpectedWins()), {}, "expected wins")
    for width, narrow in ((1200, False), (760, False), (560, True)):
        look = Look({}, "light", Sizes(width=width), narrow=narrow)
        root = ElementTree.fromstring(figure_svg(rows_json(scene, look)))
        for text in root.iter(f"{SVG}text"):
            words, size = "".join(text.itertext()), float(text.get("font-size", 0))
            assert size >= 11
            wide, x = text_width(words, size), float(text.get("x", 0))
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "")]
            assert left >= 0, words
            assert left + wide <= width + 1, words


def test_the_winner_alone_is_marked_in_text_and_by_a_filled_rank() -> None:
    builder, rng = CampaignBuilder(), np.random.default_rng(3)
    for task in range(400):
        ranks = 1 + np.argsort(np.argsort(rng.normal(0, 1, 3) - np.array([2.0, 0, 0])))
        outputs = [("best",), ("b",), ("c",)]
        builder.add_task("de-en", str(task), f"j{task % 9}", outputs, ranks.tolist())
    found = rank(builder.build().judgments(), ExpectedWins())
    assert found.winner == "best"
    scene = standings_scene(found, {}, "score")
    marked = [row.cells[0].now.startswith("winner, ") for row in scene.rows]
    assert marked == [True, False, False]
    assert [row.ranks.filled for row in scene.rows if row.ranks is not None] == marked
    assert "best" in scene.alt.split("winner")[0]
    assert all(len(row.cells[0].now) <= len(scene.columns[0].widest) for row in scene.rows)
