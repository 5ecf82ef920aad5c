"""Claims of the papers: what a campaign refutes, supports or cannot decide, and its power."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.prediction.paper_claims import (
    CLAIMS,
    Claim,
    check_claim,
    claims_finding,
    claims_frame,
    paper_claims,
)
from analysis.simulation.samples import sample_campaign


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt13-fr-en").judgments()


def claim_of(value: float, se: float, freedom: float = 9) -> Claim:
    return Claim("c", "P", "S.", "d", lambda *_: (value, se, freedom), 0.0, -1.0, "if d were -1")


def test_a_claim_is_refuted_supported_or_left_open_by_its_interval(judgments: Judgments) -> None:
    t = student.ppf(0.975, 9)
    for value, verdict in (
        (-1.01 * t, "refuted"),
        (-0.99 * t, "cannot decide"),
        (0.99 * t, "cannot decide"),
        (1.01 * t, "supported"),
    ):
        assert check_claim(claim_of(value, 1.0), judgments).verdict == verdict


@pytest.mark.parametrize("value", [0.0, -3.0, 3.0])
def test_draws_that_do_not_differ_show_no_certainty(judgments: Judgments, value: float) -> None:
    """Ten draws with equal counts of clusters have no standard error."""
    tested = check_claim(claim_of(value, 0.0), judgments)
    assert tested.verdict == "cannot be tested"
    assert np.isnan([tested.low, tested.high, tested.power]).all()
    assert "no standard error" in tested.reason


def test_power_is_how_often_the_test_refutes_a_claim_that_is_false(judgments: Judgments) -> None:
    """Estimates around the alternative with an error known to 1,000 degrees of freedom."""
    rng = np.random.default_rng(5)
    se, n = 0.4, 2000
    refuted = sum(
        check_claim(claim_of(value, se, 1000), judgments).verdict == "refuted"
        for value in rng.normal(-1.0, se, n)
    )
    power = check_claim(claim_of(0.0, se, 1000), judgments).power
    assert refuted / n == pytest.approx(power, abs=4 * np.sqrt(0.25 / n))
    wrongly = sum(
        check_claim(claim_of(value, se, 1000), judgments).verdict == "refuted"
        for value in rng.normal(0.0, se, n)
    )
    assert wrongly / n < 0.04, "a true claim is refuted in 2.5%"


def test_what_cannot_be_measured_is_not_tested_and_says_why(judgments: Judgments) -> None:
    def fails(*_: object) -> tuple[float, float, float]:
        raise PodiumError("Claim", "nothing to learn from", "Give more.")

    tested = check_claim(dataclasses.replace(claim_of(0, 1), measure=fails), judgments)
    assert tested.verdict == "cannot be tested"
    assert "nothing to learn from" in claims_frame([tested])["reason"][0]
    assert "supports 0" in claims_finding([tested])


def test_every_paper_has_a_claim_and_those_of_the_core_run_on_the_sample(
    judgments: Judgments,
) -> None:
    papers = {claim.paper for claim in paper_claims()}
    assert len(papers) == 5
    for claim in CLAIMS:
        tested = check_claim(claim, judgments)
        assert not tested.reason
        assert tested.low < tested.value < tested.high
        assert 0 < tested.power < 1
        assert tested == check_claim(claim, judgments), "same seed, same numbers"
