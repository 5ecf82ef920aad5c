"""Moderated variances against Smyth's formulas, solved another way, and against their own model.

Smyth 2004, *Linear Models and Empirical Bayes Methods for Assessing Differential Expression*: with
s² | σ² ~ σ² χ²_d / d and 1/σ² ~ χ²_d₀ / (d₀ s₀²), d₀ and s₀² follow from the mean and the variance
of log s², and the posterior mean of 1/σ² is 1/s̃² with s̃² = (d₀ s₀² + d s²)/(d₀ + d).
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from analysis.ranking.freedom import moderated

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
