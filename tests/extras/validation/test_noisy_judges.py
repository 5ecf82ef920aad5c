"""Noise: what is drawn, whom it hits, how scores are measured, and O16's pattern."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.extras.validation.noise.findings import (
    beside_print,
    losses,
    metric_finding,
    missing_words,
    noise_finding,
)
from analysis.extras.validation.noise.noisy_judges import (
    METHODS,
    NoiseDesign,
    NoiseStudy,
    make_noise,
    ndcg,
    rows_with,
    study_noise,
    synthetic_metric,
)
from analysis.extras.validation.paper_claims import suffers_least
from analysis.rankers.graded_response import GradedResponse
from analysis.samples import sample_campaign


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt14-cs-en").judgments()


def test_noisy_judges_answer_at_random_and_all_others_as_they_did(judgments: Judgments) -> None:
    noisy = make_noise(judgments, "judges", 0.3, np.random.default_rng(1))
    assert len(noisy) == len(judgments)
    assert (noisy.left == judgments.left).all()
    judge = judgments.task_judge[judgments.task]
    hit = {int(k) for k in judge[noisy.outcome != judgments.outcome]}
    n = len(np.unique(judgments.task_judge))
    assert len(hit) == round(0.3 * n)
    outcomes = noisy.outcome[np.isin(judge, list(hit))]
    shares = np.bincount(outcomes + 1) / len(outcomes)
    np.testing.assert_allclose(shares, 1 / 3, atol=4 * np.sqrt(2 / 9 / len(outcomes)))


def test_the_noisy_of_a_tenth_are_among_those_of_a_half(judgments: Judgments) -> None:
    for noise in ("judges", "labels", "rankings"):
        few, many = (
            make_noise(judgments, noise, share, np.random.default_rng(2)).outcome
            for share in (0.1, 0.5)
        )
        changed = few != judgments.outcome
        assert 0 < changed.mean() < 0.1
        assert (few[changed] == many[changed]).all()


def test_noisy_rankings_go_wrong_together_and_tie_in_a_fifth(judgments: Judgments) -> None:
    noisy = make_noise(judgments, "rankings", 1.0, np.random.default_rng(3))
    assert noisy.n_tasks == judgments.n_tasks
    assert (noisy.outcome == 0).mean() == pytest.approx(0.2, abs=0.01)


def test_comparisons_with_a_baseline_come_as_whole_tasks(judgments: Judgments) -> None:
    rows = rows_with(judgments, 2, 400, np.random.default_rng(4))
    assert len(rows) == len(set(rows.tolist())) == 400
    assert ((judgments.left[rows] == 2) | (judgments.right[rows] == 2)).all()
    assert len(set(judgments.task[rows].tolist())) <= 101
    every = rows_with(judgments, 2, 10**9, np.random.default_rng(4))
    assert len(every) == judgments.counts.compared[2].sum()


def test_ndcg_is_one_for_the_gold_order_on_any_scale() -> None:
    gold = np.array([0.9, -0.2, 0.4, 0.1])
    assert ndcg(7 * gold - 3, gold) == pytest.approx(1)
    assert ndcg(gold, 10 * gold + 5) == pytest.approx(1)
    assert ndcg(-gold, gold) < ndcg(np.array([0.4, -0.2, 0.9, 0.1]), gold) < 1
    assert ndcg(np.array([np.nan, -0.2, 0.4, 0.1]), gold) < 1


def test_a_study_is_the_same_whatever_the_workers_and_worse_with_noise(
    judgments: Judgments,
) -> None:
    design = NoiseDesign(shares=(0.0, 0.9), sizes=(400,), trials=4, gold_runs=4)
    study = study_noise(judgments, design, seed=5)
    again = study_noise(judgments, design, seed=5, executor=ThreadPoolExecutor(max_workers=1))
    assert np.array_equal(study.correlation, again.correlation)
    assert np.array_equal(study.ndcg, again.ndcg)
    means = np.nanmean(study.correlation, axis=(1, 2))
    assert means[1].mean() < means[0].mean() - 0.1
    assert study.baselines == judgments.systems
    assert study.by_baseline.shape == (3, 2, 1, 4, len(judgments.systems))
    assert (study.by_baseline[2] == 400).all()
    np.testing.assert_allclose(study.correlation[..., 0], np.nanmean(study.by_baseline[0], axis=-1))
    frame = study.to_frame()
    assert len(frame) == 2 * len(METHODS)
    assert len(study.baselines_frame()) == 2 * len(judgments.systems)


def test_a_baseline_that_is_named_is_the_only_one(judgments: Judgments) -> None:
    design = NoiseDesign(
        shares=(0.0,), sizes=(300,), trials=2, gold_runs=2, graded=GradedResponse("ONLINE-A")
    )
    assert study_noise(judgments, design).baselines == ("ONLINE-A",)
    assert "baseline:ONLINE-A" in str(design.provenance)
    assert "shares:0" in str(design.provenance)


def study_of(correlation: list[list[float]]) -> NoiseStudy:
    """Correlations [share][method], the same in four draws but for a little."""
    design = NoiseDesign(shares=(0.0, 0.5), trials=4)
    wobble = np.array([-0.002, -0.001, 0.001, 0.002])[None, None, :, None]
    values = np.array(correlation)[:, None, None, :] + wobble
    by_baseline = np.full((3, 2, 1, 4, 1), 6400.0)
    by_baseline[2, 0, 0, :2] = 100
    return NoiseStudy(design, ("a",), np.zeros(1), ("a",), values, values - 0.1, by_baseline)


def test_the_finding_names_who_is_closest_with_and_without_noise() -> None:
    study = study_of([[0.95, 0.98, 0.97, 0.97], [0.93, 0.92, 0.91, 0.9]])
    assert noise_finding(study) == (
        "Hopkins & May, Gaussian comes closest to the gold standard, without noise; with 50% "
        "noise, Graded response model comes closest"
    )
    assert losses(study).startswith(
        "Correlation lost from 0% to 50% noise: Graded response model 0.020; "
    )
    beside = beside_print(study).set_index(["measure", "noise"])
    assert beside.loc[("correlation", 0.5), "hopkins_may_minus"] == pytest.approx(-0.01)
    assert beside.loc[("correlation", 0.5), "printed_hopkins_may_minus"] == -0.038
    assert missing_words(study).startswith("In 25% of the fits")


def test_a_metric_chooses_the_baseline_nearest_its_mean() -> None:
    frame = pd.DataFrame(
        {
            "baseline": ["low", "middle", "high", "unknown"],
            "metric": [10.0, 19.0, 30.0, np.nan],
            "correlation": [0.9, 0.95, 0.97, 0.99],
        }
    )
    assert metric_finding(frame) == (
        "The metric chooses middle as the baseline: correlation 0.950, place 2 of 3"
    )
    assert "at least three" in metric_finding(frame[:2])


def test_a_synthetic_metric_correlates_with_the_truth_exactly_as_asked() -> None:
    gold = np.array([0.3, np.nan, -1.0, 0.2, 2.5])
    for correlation in (0.5, 0.95):
        scores = synthetic_metric("abcde", gold, correlation, seed=3)
        assert list(scores) == ["a", "c", "d", "e"]
        found = np.corrcoef(list(scores.values()), gold[[0, 2, 3, 4]])[0, 1]
        assert found == pytest.approx(correlation)


@pytest.mark.parametrize(
    "wrong",
    [dict(ties=-0.1), dict(shares=(1.5,)), dict(sizes=(0,)), dict(trials=0), dict(noise="loud")],
)
def test_a_design_that_makes_no_sense_is_refused(wrong: dict) -> None:
    with pytest.raises(PodiumError):
        dataclasses.replace(NoiseDesign(), **wrong)


def test_a_method_without_a_defined_correlation_is_left_out_of_the_words() -> None:
    design = NoiseDesign(shares=(0.0, 0.5), sizes=(10,), trials=2)
    nothing = np.full((2, 1, 2, len(METHODS)), np.nan)
    study = NoiseStudy.__new__(NoiseStudy)
    for name, value in (("design", design), ("correlation", nothing)):
        object.__setattr__(study, name, value)
    assert losses(study) == ""
    nothing[:, 0, :, 0] = [[0.9, 0.7], [0.5, np.nan]]
    assert losses(study).count(";") == 0
    assert "0.300" in losses(study)


def test_otanis_claim_is_tested_against_the_method_that_loses_least(judgments: Judgments) -> None:
    """The value is that of a study with the middling system as the baseline."""
    small = NoiseDesign(shares=(0.0, 0.5), sizes=(300,), trials=1, gold_runs=3)
    found = suffers_least(judgments, 4, small)
    middling = judgments.systems[GradedResponse().find_baseline(judgments)]
    small = dataclasses.replace(small, graded=GradedResponse(baseline=middling))
    seed = int(np.random.default_rng(4).integers(2**31))
    lost = -np.diff(study_noise(judgments, small, seed=seed).correlation[:, 0], axis=0)[0]
    assert found.estimate == pytest.approx(lost.mean(axis=0)[1:].min() - lost[:, 0].mean())
    assert found.low < found.estimate < found.high
