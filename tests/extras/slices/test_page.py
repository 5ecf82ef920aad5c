"""Slices: parts side by side where a file tells parts, and what position and style do."""

from __future__ import annotations

from dashboard.extras.slices.figures import slices_figure
from dashboard.figures.theme import alt_text
from tests.drawing_text import drawn_text
from tests.extras.slices.test_by_slice import found_in, world
from tests.opening import open_address, with_upload


def test_the_page_tells_what_differs_and_what_position_does():
    app = open_address("breakdown", with_upload(world(1, lift=2.0)), method="Expected Wins")
    assert not app.exception
    said = [one.value for one in app.markdown]
    assert any(words.startswith("# a is better where domain is news") for words in said)
    assert any("Shown first, an output wins" in words for words in said)


def test_a_campaign_without_attributes_says_what_would_stand_there():
    app = open_address("breakdown", campaign="WMT14 French–English")
    assert not app.exception
    said = [one.value for one in app.markdown]
    assert "# This campaign has no parts to compare" in said
    assert any("Shown first, an output wins" in words for words in said)


def test_the_figure_draws_every_part_and_fills_what_differs():
    found = found_in(world(1, lift=2.0))
    figure = slices_figure(found, title="a <b>differs</b>", name=lambda s: f"<{s}>", mode="light")
    assert len(figure.data) == 2
    assert list(figure.data[0].x) == list(found.scores[0])
    assert list(figure.data[1].error_x.array) == list(found.half[1])
    place = found.systems.index("a")
    assert figure.data[0].marker.symbol[place] == "circle"
    told = {one.system for one in found.told}
    quiet = [k for k, system in enumerate(found.systems) if system not in told]
    assert all(figure.data[0].marker.symbol[k] == "circle-open" for k in quiet)
    assert "<a>" not in drawn_text(figure)
    assert "news" in alt_text(figure)
