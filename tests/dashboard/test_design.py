"""Every color is written once; what must repeat it says the same; a system has one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from analysis.campaign import Selection
from analysis.colors import INKS, PALETTE, Mode
from analysis.comparing.language_pairs import PairResult, pair_result
from analysis.drawing import small_multiples
from analysis.drawing.files import plain_svg
from analysis.drawing.svg import figure_svg
from analysis.rankers.ratios import ExpectedWins
from analysis.reporting.deck import picture
from analysis.reporting.deck.assembly import Evidence, build_deck
from analysis.reporting.report import PairReport, html_report
from analysis.samples import sample_campaign
from dashboard.compute.contexts import colors_of
from dashboard.design import CSS, THEME
from dashboard.figures.scenes import standings_figure

ROOT = Path(__file__).resolve().parents[2]
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_theme_of_the_widgets_has_the_colors_of_the_figures(mode: Mode) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    written = config["theme"][mode]
    written["sidebar"] = {
        name: value for name, value in written["sidebar"].items() if HEX.match(str(value))
    }
    assert written == THEME[mode]
    assert written["chartCategoricalColors"] == list(PALETTE[mode])


def test_no_color_is_written_anywhere_else() -> None:
    places = {
        path.relative_to(ROOT).as_posix()
        for top in ("analysis", "dashboard")
        for path in (ROOT / top).rglob("*.py")
        if HEX.search(path.read_text())
    }
    assert places == {"analysis/colors.py", "dashboard/design.py"}


def test_the_rules_of_css_are_whole() -> None:
    assert CSS.count("{") == CSS.count("}")
    assert "{{" not in CSS


@pytest.fixture(scope="module")
def result() -> PairResult:
    campaign = sample_campaign("wmt14-cs-en")
    return pair_result(campaign, "cs-en", ExpectedWins())


def drawn_colors(svg: str) -> list[str]:
    """Return the colors of the dots of a picture that stands alone, from the top."""
    return re.findall(r'<circle [^>]*?fill="(#\w+)"', svg)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_system_has_one_color_on_pages_and_in_every_export(
    result: PairResult, mode: Mode
) -> None:
    ranking = result.ranking
    assert ranking is not None
    own = colors_of(ranking.judgments, mode)
    wanted = [own[ranking.systems[k]] for k in ranking.order]
    assert len(set(wanted)) == len(wanted)
    page = standings_figure(
        ranking, names={}, colors=own, score_label="score", mode=mode, with_ranks=False
    )
    assert drawn_colors(figure_svg(page.to_plotly_json())) == wanted
    assert drawn_colors(plain_svg(small_multiples.pair_svg(result), mode=mode)) == wanted
    report = html_report("t", [PairReport(ranking, ExpectedWins(), result.names)])
    pictures = re.findall("<svg.*?</svg>", report, re.DOTALL)
    assert drawn_colors(plain_svg(pictures[0], mode=mode))[: len(wanted)] == wanted
    deck = build_deck(Evidence("t", "a", result.names, ranking.judgments, ranking, "score"))
    named = drawn_colors(plain_svg(picture.slide_svg(deck, 0), picture.CSS, mode))
    assert named == wanted
    hidden = picture.slide_svg(deck, 0, anonymous=True)
    assert drawn_colors(plain_svg(hidden, picture.CSS, mode)) == [INKS[mode].neutral] * len(wanted)


def test_a_system_keeps_its_color_when_another_one_is_left_out(result: PairResult) -> None:
    assert result.judgments is not None
    campaign = result.judgments.campaign
    everybody = campaign.judgments("cs-en")
    first = everybody.systems[0]
    rest = campaign.judgments("cs-en", Selection(exclude_systems=(first,)))
    before, after = colors_of(everybody, "light"), colors_of(rest, "light")
    assert {name: after[name] for name in rest.systems} == {
        name: before[name] for name in rest.systems
    }
