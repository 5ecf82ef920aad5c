"""What simulated campaigns say, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.extras.validation.simulation.campaigns import Simulation
from analysis.extras.validation.simulation.findings import (
    error_title,
    ranges_title,
    spread_title,
    spread_words,
)
from analysis.extras.validation.simulation.spread_fit import SpreadFit


def test_the_methods_that_err_least_are_named_together_where_chance_may_part_them() -> None:
    errors = pd.DataFrame(
        {
            "method": ["bojar", "expected-wins", "lopez"] * 2,
            "judgments": [1000] * 3 + [5000] * 3,
            "error": [0.2, 0.1, 0.3, 0.064, 0.066, 0.09],
            "standard_error": [0.002] * 6,
        }
    )
    assert error_title(errors) == (
        "Wins without ties (Bojar) and Expected Wins err least, 6.4% of the pairs after 5,000 "
        "judgments"
    )
    errors.loc[4, "error"] = 0.08
    assert error_title(errors).startswith("Wins without ties (Bojar) errs least, 6.4%")


def test_of_many_methods_that_err_alike_the_one_that_errs_most_is_named() -> None:
    errors = pd.DataFrame(
        {
            "method": ["bojar", "expected-wins", "better-or-equal", "lopez"],
            "judgments": [5000] * 4,
            "error": [0.064, 0.066, 0.065, 0.09],
            "standard_error": [0.002] * 4,
        }
    )
    assert error_title(errors).startswith("Fewest contradictions (Lopez) errs most, 9.0%")


def test_ranges_that_miss_more_than_their_level_allows_are_named() -> None:
    quality = pd.DataFrame(
        {
            "method": ["rows", "rows", "task", "task"],
            "judgments": [1000, 2000] * 2,
            "violations": [0.07, 0.06, 0.03, 0.052],
            "violations_error": [0.005, 0.005, 0.005, 0.005],
        }
    )
    assert ranges_title(quality, 0.95) == (
        "Ranges by resampled judgments miss the truth more often, up to 7.0%, than the "
        "allowed 5% at 95%"
    )
    kept = ranges_title(quality[quality["method"] == "task"], 0.95)
    assert kept == (
        "None of these ranges is shown to miss the truth more often than the allowed 5% at 95%"
    )


def test_a_spread_at_an_end_of_those_tried_is_said_to_be_one() -> None:
    sizes, spreads = np.array([100, 200]), np.array([5, 6, 7])
    curves = np.array([[0.6, 0.8], [0.5, 0.7], [0.4, 0.6]])

    def fit(observed: list[float]) -> SpreadFit:
        return SpreadFit(Simulation(systems=4), sizes, np.array(observed), spreads, curves)

    assert spread_title(fit([0.49, 0.7])) == (
        "The 4 systems are as hard to separate as with a standard deviation of 6"
    )
    assert "harder to separate than with a standard deviation of 7" in spread_title(fit([0.1, 0.2]))
    assert "a standard deviation of 5 or less" in spread_title(fit([0.9, 0.9]))
    assert "10.0 points away" in spread_words(fit([0.6, 0.6]))
