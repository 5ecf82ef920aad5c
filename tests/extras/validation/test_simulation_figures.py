"""Figures of simulated studies: what is drawn is what was found."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.extras.validation.simulation.campaigns import Simulation
from analysis.extras.validation.simulation.spread_fit import SpreadFit
from dashboard.extras.validation.simulation_figures import (
    errors_figure,
    ranges_figure,
    spread_figure,
)
from dashboard.figures.theme import alt_text


def test_bands_of_errors_reach_two_standard_errors_to_both_sides() -> None:
    errors = pd.DataFrame(
        {
            "method": ["bojar"] * 2 + ["lopez"] * 2,
            "judgments": [1000, 5000] * 2,
            "error": [0.2, 0.1, 0.3, 0.15],
            "standard_error": [0.01, 0.02, 0.01, 0.03],
        }
    )
    figure = errors_figure(errors, title="Lopez errs most", mode="light")
    band, line = figure.data[0], figure.data[1]
    assert list(line.y) == [0.2, 0.1]
    assert list(band.y) == pytest.approx([0.22, 0.14, 0.06, 0.18])
    assert figure.layout.yaxis.range[1] > 0.32
    assert [note.text for note in figure.layout.annotations] == [
        "Wins without ties (Bojar)", "Fewest contradictions (Lopez)",
    ]  # fmt: skip
    assert "Wins without ties (Bojar) 20.0% to 10.0%" in alt_text(figure)


def test_what_the_level_allows_is_a_line_among_the_misses() -> None:
    quality = pd.DataFrame(
        {
            "method": ["pairwise", "rows", "task"],
            "judgments": [1000] * 3,
            "violations": [0.01, 0.07, 0.03],
            "violations_error": [0.001] * 3,
        }
    )
    figure = ranges_figure(quality, level=0.9, title="Rows miss", mode="dark")
    (allowed,) = figure.layout.shapes
    assert (allowed.y0, allowed.y1) == pytest.approx((0.1, 0.1))
    assert figure.layout.yaxis.range[1] == pytest.approx(0.15)
    dashes = {trace.line.dash for trace in figure.data if trace.mode != "none"}
    assert len(dashes) == 3


def test_the_campaign_is_drawn_beside_the_best_spread_and_its_neighbors() -> None:
    spreads = np.arange(4, 12)
    curves = np.stack([0.9 - 0.04 * spreads, 0.95 - 0.03 * spreads], axis=1)
    sizes = np.array([100, 200])
    fit = SpreadFit(Simulation(systems=5), sizes, curves[2] + 0.001, spreads, curves)
    figure = spread_figure(fit, title="Spread of 6", mode="light")
    drawn = {trace.name: list(trace.y) for trace in figure.data}
    assert drawn["This campaign"] == fit.observed.tolist()
    assert drawn["Standard deviation 6, simulated"] == curves[2].tolist()
    assert set(drawn) == {
        "This campaign",
        "Standard deviation 6, simulated",
        "Standard deviation 9",
    }
