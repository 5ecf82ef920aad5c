"""Variances, equivalence and rank ranges against other packages and other ways to compute them.

Smyth 2004, *Linear Models and Empirical Bayes Methods for Assessing Differential Expression*: with
s² | σ² ~ σ² χ²_d / d and 1/σ² ~ χ²_d₀ / (d₀ s₀²), d₀ and s₀² follow from the mean and the variance
of log s², and the posterior mean of 1/σ² is 1/s̃² with s̃² = (d₀ s₀² + d s²)/(d₀ + d).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.special import digamma, polygamma
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.sandwich_covariance import cov_cluster
from statsmodels.stats.weightstats import DescrStatsW

from analysis.rankers.influence import Influence, ScoredRows
from analysis.ranking.covariance import UNITS, Unit, UnitCovariance, covariance_of_scores
from analysis.ranking.equivalence import equal_within
from analysis.ranking.significance import count_better_and_worse, holm, p_values
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import moderated
from tests.ranking.test_equivalence import verdict_of

FREEDOM, PRIOR, SIZE = 9.0, 12.0, 2.5


def drawn(n: int, seed: int = 0) -> np.ndarray:
    """Draw n variances of the model above."""
    rng = np.random.default_rng(seed)
    true = SIZE * PRIOR / rng.chisquare(PRIOR, n)
    return true * rng.chisquare(FREEDOM, n) / FREEDOM


def test_moderated_variances_are_those_of_smyths_equations_solved_by_bisection() -> None:
    variance = drawn(400)
    least = np.linspace(0.5, 2.0, 400)
    e = np.log(variance) - digamma(FREEDOM / 2) + np.log(FREEDOM / 2)
    left = e.var(ddof=1) - polygamma(1, FREEDOM / 2)
    prior = 2 * brentq(lambda x: polygamma(1, x) - left, 1e-3, 1e6)
    common = np.exp(e.mean() + digamma(prior / 2) - np.log(prior / 2))
    expected = (prior * common + FREEDOM * variance) / (prior + FREEDOM)
    found, freedom = moderated(variance * least, least, FREEDOM, 400)
    np.testing.assert_allclose(found / least, expected, rtol=1e-9)
    assert freedom == pytest.approx(prior + FREEDOM, rel=1e-9)


def test_the_prior_of_the_model_is_found_from_many_variances() -> None:
    """With 200,000 variances the degrees of the prior are known to about a percent."""
    variance = drawn(200_000, seed=1)
    found, freedom = moderated(variance, np.ones_like(variance), FREEDOM, len(variance))
    assert freedom - FREEDOM == pytest.approx(PRIOR, rel=0.03)
    k = int(np.argmin(variance))
    by_model = (PRIOR * SIZE + FREEDOM * variance[k]) / (PRIOR + FREEDOM)
    assert found[k] == pytest.approx(by_model, rel=0.02)


# Other packages -----------------------------------------------------------------------------------


def test_moderated_variances_are_those_that_limma_prints() -> None:
    """Twenty draws of χ²₅/5 and what limma's squeezeVar, by Smyth himself, makes of them in R."""
    # fmt: off
    variance = np.array([
        1.7837804639416142, 0.3241118662065507, 0.1875036220459308, 0.7340608406949436,
        0.8484620091900335, 0.4985470846431815, 0.8706791204448040, 2.1014900506235241,
        0.4978305361821101, 1.9627067036621308, 1.0949289573268002, 0.4588314586123042,
        2.2923386473988114, 2.7849256010365417, 0.7314855759008360, 1.4929731181234274,
        1.0013626719215774, 1.6273398718171947, 0.5657860062757254, 0.4807812859121009,
    ])
    printed = np.array([
        1.1346316090723296, 1.0235740856472144, 1.0131803748422601, 1.0547646708992309,
        1.0634687770708084, 1.0368458264983575, 1.0651591452526299, 1.1588042465600850,
        1.0367913085772185, 1.1482450450878487, 1.0822209848724207, 1.0338241001454640,
        1.1733247839888615, 1.2108028027853293, 1.0545687342800276, 1.1125058034815865,
        1.0751020813423211, 1.1227289725756238, 1.0419616371185716, 1.0354941322769402,
    ])
    # fmt: on
    found, _ = moderated(variance, np.ones(20), 5.0, 20)
    np.testing.assert_allclose(found, printed, rtol=1e-14)


def test_the_variance_of_a_mean_by_segments_and_judges_is_that_of_statsmodels() -> None:
    """Every judge scores both systems on every segment: units are alike, no correction is left."""
    rng = np.random.default_rng(4)
    n_segments, n_judges = 15, 6
    system, segment, judge = (
        grid.ravel() for grid in np.meshgrid(range(2), range(n_segments), range(n_judges))
    )
    score = rng.normal(0, 1, len(system)) + 0.4 * system
    score += rng.normal(0, 1, (2, n_segments))[system, segment]
    score += rng.normal(0, 0.5, (2, n_judges))[system, judge]
    means = np.bincount(system, score) / np.bincount(system)
    task = np.unique([segment, judge], axis=1, return_inverse=True)[1]
    rows = ScoredRows(
        system, (score - means[system]) / np.bincount(system)[0], task, segment, judge
    )
    nothing = np.zeros((2, 2, 2))
    influence = Influence(means, nothing, nothing, np.zeros((2, 2)), scored=rows)
    units: dict[Unit, UnitCovariance] = {
        unit: covariance_of_scores(rows, influence, unit) for unit in UNITS
    }
    zero = np.zeros((2, 2))
    made = Uncertainty(units, {}, zero, zero, zero, "closed form", all_compare=True)
    ours = float(made.along(np.array([-1.0, 1.0])))

    fitted = OLS(score, np.column_stack([np.ones(len(score)), system])).fit()

    def clustered(unit: np.ndarray) -> float:
        return float(cov_cluster(fitted, unit, use_correction=False)[1, 1])

    by_segment = clustered(segment) * n_segments / (n_segments - 1)
    by_judge = clustered(judge) * n_judges / (n_judges - 1)
    assert by_segment + by_judge - clustered(task) > max(by_segment, by_judge)
    assert ours == pytest.approx(by_segment + by_judge - clustered(task), rel=1e-9)


def test_practically_equal_is_the_two_one_sided_tests_of_statsmodels() -> None:
    rng = np.random.default_rng(5)
    for shift in (0.0, 0.1, 0.3):
        differences = rng.normal(shift, 1, 40)
        for margin in (0.2, 0.4, 0.6, 1.0):
            p, _, _ = DescrStatsW(differences).ttost_mean(-margin, margin)
            frame = equal_within(
                verdict_of(
                    [float(differences.mean()), 0.0], float(differences.std(ddof=1) / 40**0.5), 39
                ),
                margin,
            )
            assert (frame["verdict"] == "equal").all() == (p < 0.025), (shift, margin)


def test_rank_ranges_are_nearly_those_of_the_largest_of_all_differences(
    campaigns_dir: Path,
) -> None:
    """PISA 2018, the example of csranks (Mogstad, Romano, Shaikh & Wilhelm 2024), drawn anew.

    Their simultaneous sets ask every difference to pass the 95% quantile of the largest of all
    standardized differences of independent errors. Holm's method needs no draws, and steps
    down, so that it finds a few more.
    """
    table = pd.read_csv(campaigns_dir / "csranks" / "pisa2018.csv", encoding="utf-8-sig")
    scores, se = table["math_score"].to_numpy(), table["math_se"].to_numpy()
    of_difference = np.hypot(se[:, None], se)
    drawn = np.random.default_rng(6).normal(0, se, (4000, len(se)))
    largest = np.array([(np.abs(one[:, None] - one) / of_difference).max() for one in drawn])
    distance = np.abs(scores[:, None] - scores) / of_difference
    by_largest = distance > np.quantile(largest, 0.95)
    by_holm = holm(p_values(scores, of_difference)) <= 0.05
    for one, other in zip(
        count_better_and_worse(scores, by_largest), count_better_and_worse(scores, by_holm),
        strict=True,
    ):  # fmt: skip
        assert np.abs(one - other).max() <= 2
    assert by_holm.sum() / 2 == pytest.approx(by_largest.sum() / 2, rel=0.02)
