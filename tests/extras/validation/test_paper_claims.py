"""Claims of the papers: what a campaign refutes, supports or cannot decide, and its power.

How often intervals contain the truth is measured by ``python -m tests.tools.paper_claims``.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.campaign import TIE, Judgments
from analysis.errors import PodiumError
from analysis.extras.validation.paper_claims import (
    CLAIMS,
    Claim,
    check_claim,
    claims_finding,
    claims_frame,
    over_campaigns,
)
from analysis.extras.validation.paper_claims import Tested as Outcome
from analysis.extras.validation.prediction.cross_validation import (
    added_by_task,
    uncertainty_of_shares,
)
from analysis.extras.validation.prediction.splits import k_fold
from analysis.ranking.uncertainty import Interval
from analysis.ranking.variance import quantile
from analysis.samples import sample_campaign
from tests.tools.audit.generator import draw
from tests.tools.paper_claims import WORLDS, measure, scaled_claims, simulate


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt13-fr-en").judgments()


def claim_of(value: float, se: float, freedom: float = 9) -> Claim:
    reach = quantile(0.975, freedom) * se
    found = Interval(value, se, freedom, value - reach, value + reach)
    return Claim("c", "P", "S.", "d", lambda *_: found, 0.0, -1.0, "if d were -1")


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
    def fails(*_: object) -> Interval:
        raise PodiumError("Claim", "nothing to learn from", "Give more.")

    tested = check_claim(dataclasses.replace(claim_of(0, 1), measure=fails), judgments)
    assert tested.verdict == "cannot be tested"
    assert "nothing to learn from" in claims_frame([tested])["reason"][0]
    assert "decides none of 1" in claims_finding([tested])


def test_every_paper_has_a_claim_and_two_run_on_the_sample(
    judgments: Judgments,
) -> None:
    papers = {claim.paper for claim in CLAIMS}
    assert len(papers) == 5
    for claim in CLAIMS[:2]:
        tested = check_claim(claim, judgments)
        assert not tested.reason
        assert tested.low < tested.value < tested.high
        assert 0 < tested.power < 1
        assert tested == check_claim(claim, judgments), "same seed, same numbers"


def share_of_ties(judgments: Judgments, rng: np.random.Generator) -> float:
    return float((judgments.outcome == TIE).mean())


def test_resampling_agrees_with_the_closed_form_of_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 400 resamples a standard error is known to 3.5%; the closed form is a linear one."""
    monkeypatch.setattr("analysis.extras.validation.paper_claims.DRAWS", 400)
    judgments = draw(WORLDS["5 judges who differ"], np.random.default_rng(3)).campaign.judgments()
    found = over_campaigns(judgments, 1, share_of_ties)
    held_out = k_fold(judgments, 2, np.random.default_rng(0)).held_out
    ties = held_out.sum_by_task((judgments.outcome == TIE).astype(float))
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    added = added_by_task(ties[:, None], sizes)
    closed = uncertainty_of_shares(added, held_out).interval(np.ones(1), np.ones(1), 0.95)
    assert found.estimate == (judgments.outcome == TIE).mean()
    assert found.se == pytest.approx(closed.se, rel=0.25)


def test_a_unit_of_which_there_is_one_varies_as_tasks_do(judgments: Judgments) -> None:
    one = judgments.judges[judgments.task_judge[0]]
    alone = judgments.take_tasks(
        np.flatnonzero(np.array(judgments.judges)[judgments.task_judge] == one)
    )
    found = over_campaigns(alone, 1, share_of_ties)
    assert found.se > 0
    assert np.isfinite(found.freedom)


def outcome_of(value: float, reach: float) -> Outcome:
    return Outcome(claim_of(value, 1.0), value, value - reach, value + reach, 0.5)


def test_wrong_verdicts_are_those_that_contradict_the_mean_of_all_campaigns() -> None:
    """The mean of these is -1, so that the claim d ≥ 0 is false."""
    tests = [outcome_of(2, 1), outcome_of(-1, 1), outcome_of(-4, 1), outcome_of(-1, 9)]
    found = measure(tests[0].claim, tests)
    assert found.truth == -1
    assert [found.inside[0], found.above[0], found.below[0]] == [0.5, 0.25, 0.25]
    assert found.wrong[0] == 0.25
    assert found.decided[0] == 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["convergence", "four-clusters"])
def test_claims_are_judged_wrongly_in_few_campaigns(name: str) -> None:
    claim, n = scaled_claims()[name], 80
    found = measure(claim, [simulate(claim, "5 judges who differ", k) for k in range(n)])
    at_most = 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)
    assert found.above[0] <= at_most
    assert found.below[0] <= at_most
    assert found.wrong[0] <= at_most
