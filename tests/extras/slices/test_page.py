"""Slices: parts side by side where a file tells parts, and what position and style do."""

from __future__ import annotations

import math
import random
from typing import Any

from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.extras.slices.effects import style_beside_plain
from analysis.extras.slices.findings import style_finding, winner_finding
from analysis.formats import read
from analysis.wording import percent
from dashboard.extras.slices.figures import slices_figure
from dashboard.figures.theme import alt_text
from tests.drawing_text import drawn_text
from tests.extras.slices.test_by_slice import found_in, world
from tests.opening import open_address, with_upload

COVARIATES = "Bradley–Terry with covariates"


def test_the_page_tells_what_differs_and_what_position_does():
    app = open_address("breakdown", with_upload(world(1, lift=2.0)), method="Expected Wins")
    assert not app.exception
    said = texts(app)
    assert "# a still wins when length and position are equal" in said
    assert "Shown first, an output wins" in said
    figure = app.get("plotly_chart")[0].proto.spec
    assert "a still wins" not in figure
    assert "Abilities with and without adjustment" in figure
    app.segmented_control(key="slices.kind").set_value("By part").run()
    assert "# a is better where domain is news" in texts(app)


def test_without_parts_the_page_says_what_position_does():
    app = open_address("breakdown", campaign="WMT14 French–English")
    assert not app.exception
    assert "# No winner can be named, with or without adjustment for position" in texts(app)
    assert "Add the columns text_a and text_b" in " ".join(one.value for one in app.html)


def lengths() -> Campaign:
    header = "model_a,model_b,winner,tokens_a,tokens_b"
    rows = "".join(f"{'ab'[k % 2]},{'ba'[k % 2]},model_{'aab'[k % 3]},{k},9\n" for k in range(60))
    return read(f"{header}\n{rows}".encode())[0]


def test_a_sentence_and_the_table_give_one_number_for_twice_the_length():
    found = style_beside_plain(lengths().judgments(), "position,tokens")
    share = percent(found.effects.to_frame()["chance"][1])
    assert style_finding(found).startswith(f"An output with twice the tokens wins {share} of ")


def by_length(n: int = 2500, gain: float = 1.5) -> Campaign:
    """Return votes of which the longer output wins; *long* writes the longest, *good* is good."""
    draw, size = random.Random(7), {"long": 900, "good": 100, "plain": 100}
    lines = ["model_a,model_b,winner,text_a,text_b"]
    for _ in range(n):
        a, b = draw.sample(sorted(size), 2)
        texts = [draw.randint(size[one] // 2, size[one]) for one in (a, b)]
        ahead = (a == "good") - (b == "good") + 4 * gain * (texts[0] - texts[1]) / sum(texts)
        side = "model_a" if draw.random() < 1 / (1 + math.exp(-ahead)) else "model_b"
        lines.append(f"{a},{b},{side},{'x' * texts[0]},{'y' * texts[1]}")
    return read("\n".join(lines).encode())[0]


def test_texts_alone_show_that_another_system_wins_when_lengths_are_equal():
    found = style_beside_plain(by_length().judgments(), "position,characters")
    said = "good wins when length and position are equal, instead of long"
    assert winner_finding(found) == said
    assert [one.winner for one in found.verdicts] == ["long", "good"]
    app = open_address("breakdown", with_upload(by_length()))
    assert f"# {said}" in texts(app)


def test_the_result_says_what_a_ranking_is_adjusted_for_or_could_be():
    long = lengths()
    assert "Not adjusted for tokens or position." in texts(
        open_address("result", with_upload(long))
    )
    said = texts(open_address("result", with_upload(long), method=COVARIATES))
    assert "Adjusted for position. Shown first, an output wins" in said
    assert "Adjusting changes" in said


def test_the_result_warns_where_the_output_shown_first_nearly_always_wins():
    rows = [f"{'ab'[k % 2]},{'ba'[k % 2]},model_{'aaaab'[k % 5]}" for k in range(100)]
    fair = [row.replace("model_a", "model_b") if k % 2 else row for k, row in enumerate(rows)]

    def opened(some: list[str], **link: str) -> AppTest:
        campaign, _ = read("\n".join(["model_a,model_b,winner", *some]).encode())
        return open_address("result", with_upload(campaign), **link)

    app = opened(rows)
    line, check = [html(one) for one in app.html if "shown first wins" in html(one)]
    assert "The output shown first wins 80% of decided votes. Adjusted for position" in line
    assert "<small>Warning</small>" in check
    assert "Before you trust it: 3 checks passed, 1 warning" in app.expander[0].label
    links = [one.proto for one in app.get("page_link")]
    assert [one.page for one in links if one.label == "Open Breakdown"] == ["breakdown"] * 2
    assert not any("shown first wins" in html(one) for one in opened(fair).html)
    adjusted = opened(rows, method=COVARIATES)
    assert not any("shown first wins" in html(one) for one in adjusted.html)


def html(one: Any) -> str:
    return str(one.value)


def texts(app: AppTest) -> str:
    return " ".join(str(one.value) for one in app.markdown).replace("\\", "")


def test_the_figure_draws_every_part_and_fills_what_differs():
    found = found_in(world(1, lift=2.0))
    figure = slices_figure(found, title="a <b>differs</b>", name=lambda s: f"<{s}>", mode="light")
    (dots,) = (trace for trace in figure.data if trace.name == "now")
    lines = [trace for trace in figure.data if trace.name == "thin"]
    rows = [(system, part) for system in found.systems for part in (None, *found.parts)]
    filled = {(one.system, part) for one in found.told for part in (one.more, one.less)}
    assert filled
    for (system, part), x, border in zip(rows, dots.x, dots.marker.line.width, strict=True):
        if part is None:
            assert x is None
            continue
        cell = found.parts.index(part), found.systems.index(system)
        assert x == found.scores[cell]
        assert (border == 0) == ((system, part) in filled)
        ends = next(list(line.x) for line in lines if line.y[0] == rows.index((system, part)))
        assert ends == [x - found.half[cell], x + found.half[cell]]
    assert "<a>" not in drawn_text(figure)
    assert "news" in alt_text(figure)
