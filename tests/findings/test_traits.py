"""What is said of judges' sensitivity and side."""

from __future__ import annotations

import pandas as pd

from analysis.findings.traits import (
    one_sided,
    shrinkage_words,
    traits_sentences,
    traits_title,
)
from dashboard.figures.traits import traits_figure

TRAITS = pd.DataFrame(
    {
        "judge": ["ann", "bob", "<b>eve</b>", "dan"],
        "judgments": [900, 400, 300, 20],
        "sensitivity": [1.3, 1.1, 0.1, 0.9],
        "sensitivity_sd": [0.1, 0.1, 0.2, 0.4],
        "prefers_first": [0.5, 0.66, 0.2, 0.6],
        "prefers_first_low": [0.45, 0.58, 0.1, 0.4],
        "prefers_first_high": [0.55, 0.74, 0.3, 0.8],
        "tying": [0.0, 0.2, -0.1, 0.0],
        "shrinkage": [0.05, 0.1, 0.2, 0.8],
    }
)


def test_those_who_prefer_a_side_come_with_what_chance_alone_would_give() -> None:
    assert list(one_sided(TRAITS)["judge"]) == ["<b>eve</b>", "bob"]
    weak, side = traits_sentences(TRAITS)
    assert weak.startswith("1 judge with a sensitivity below 0.3")
    assert "Of 4 judges, 2 prefer one side" in side
    assert "0.2 would by chance" in side
    assert "<b>eve</b> (20%) and bob (66%)" in side
    (calm,) = traits_sentences(TRAITS[TRAITS["judge"] == "ann"])
    assert calm == "No judge prefers one side of the display at 95%."


def test_the_range_and_the_shrinkage_are_told() -> None:
    assert traits_title(TRAITS) == "Judges' sensitivity ranges from 0.10 to 1.30; 1 is the average"
    assert "5% to 80% of a sensitivity" in shrinkage_words(TRAITS)


def test_the_figure_marks_those_who_stand_out_and_writes_names_as_text() -> None:
    figure = traits_figure(TRAITS, title="t", mode="light")
    usual, odd = figure.data
    assert list(usual.y) == [1.3, 0.9]
    assert list(odd.x) == [66.0, 20.0]
    assert list(odd.error_x.array) == [8.0, 10.0]
    assert [round(end, 3) for end in odd.error_y.array] == [0.196, 0.392]
    words = " ".join([*odd.text, *(note.text for note in figure.layout.annotations)])
    assert "&lt;b&gt;eve" in words
    assert "<b>eve</b></b>" not in words
