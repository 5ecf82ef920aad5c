"""Perplexity and calibration from tables, against judgments one by one and known truths."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.campaign import FloatArray, Judgments
from analysis.extras.validation.prediction.cross_validation import calibrate, cross_validate
from analysis.extras.validation.prediction.predict import MODELS, IndependentStudents, model_named
from analysis.extras.validation.prediction.radius import perplexity_on_counts
from analysis.extras.validation.prediction.splits import HeldOut, k_fold, random_share
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.rankers.preferences import perplexity
from analysis.ranking.significance import clopper_pearson

SETTINGS = Simulation(systems=6, spread=3, radius=2, n_way=4)
ABILITY = np.array([0.0, 1, 2.5, 3, 6, 7])


def simulated(n_tasks: int, seed: int = 3) -> Judgments:
    return simulate_campaign(SETTINGS, ABILITY, n_tasks, np.random.default_rng(seed)).judgments()


@pytest.mark.parametrize("mean", ["asymmetric", "arithmetic", "geometric", "geometric-as-printed"])
def test_tables_give_the_perplexity_that_single_judgments_give(mean: str) -> None:
    split = random_share(simulated(120), 0.3, np.random.default_rng(0))
    model = IndependentStudents(mean=mean)
    tested = split.judgments.take_tasks(np.unique(split.judgments.task[split.left_out == 0]))
    by_judgment = perplexity(model.preferences(split.train(0)), tested)
    assert cross_validate(split, model).perplexity == pytest.approx(by_judgment, rel=1e-12)


def test_counts_give_the_perplexity_that_single_judgments_give() -> None:
    judgments = simulated(80)
    preferences = MODELS["independent-pairs"]().preferences(judgments)  # type: ignore[union-attr]
    assert perplexity_on_counts(preferences, judgments.counts) == pytest.approx(
        perplexity(preferences, judgments), rel=1e-12
    )


def test_uniform_has_a_perplexity_of_three_on_any_split() -> None:
    split = k_fold(simulated(60), 10, np.random.default_rng(0))
    score = cross_validate(split, model_named("uniform"))
    assert score.perplexity == pytest.approx(3, rel=1e-14)
    assert score.accuracy == split.judgments.n_ties / len(split.judgments)


def outcome_chances() -> FloatArray:
    """Chances of win, tie and loss for four systems, far from even."""
    win = np.array(
        [[0, 0.5, 0.7, 0.9], [0.2, 0, 0.3, 0.55], [0.1, 0.3, 0, 0.15], [0.05, 0.2, 0.6, 0]]
    )
    return np.stack([win, 1 - win - win.T, win.T])


def asked_about(tables: FloatArray, n_segments: int, rng: np.random.Generator) -> HeldOut:
    """Return judgments as tables count them, each a task of its own on some segment."""
    cell = np.repeat(np.arange(tables.size), tables.ravel().astype(int))
    n = len(cell)
    return HeldOut(
        cell=cell,
        task=np.arange(n),
        fold=np.zeros(n, int),
        task_source=rng.integers(n_segments, size=n),
        task_judge=np.zeros(n, int),
    )


def drawn_tables(n: int, rng: np.random.Generator) -> FloatArray:
    tables = np.zeros((3, 4, 4))
    for i in range(4):
        for j in range(4):
            if i != j:
                tables[:, i, j] = rng.multinomial(n, outcome_chances()[:, i, j])
    return tables


def test_a_model_that_knows_the_chances_is_calibrated_and_one_that_exaggerates_is_not() -> None:
    chances, rng = outcome_chances(), np.random.default_rng(5)
    tables = drawn_tables(2000, rng)
    held_out = asked_about(tables, 500, rng)
    known = calibrate(chances[0], chances[2], held_out)
    assert ((known.low <= known.predicted) & (known.predicted <= known.high)).mean() >= 0.8
    assert known.judgments.sum() == 2 * tables.sum()
    assert known.error < 0.01
    bold = np.clip(chances**3 / (chances**3).sum(axis=0), 0, 1)
    assert calibrate(bold[0], bold[2], held_out).error > 0.1


def test_bins_hold_what_a_loop_over_judgments_finds() -> None:
    chances, rng = outcome_chances(), np.random.default_rng(6)
    held_out = asked_about(drawn_tables(40, rng), 10, rng)
    asked: dict[int, list[int]] = {}
    for cell in held_out.cell:
        kind, left, right = np.unravel_index(cell, (3, 4, 4))
        asked.setdefault(int(chances[0, left, right] * 10), []).append(int(kind == 0))
        asked.setdefault(int(chances[2, left, right] * 10), []).append(int(kind == 2))
    found = calibrate(chances[0], chances[2], held_out)
    assert list((10 * found.bin_low).round()) == sorted(asked)
    for bin_, observed, n in zip(sorted(asked), found.observed, found.judgments, strict=True):
        assert (observed, n) == (pytest.approx(np.mean(asked[bin_])), len(asked[bin_]))


def test_judgments_of_few_sentences_leave_wider_intervals_than_independent_ones() -> None:
    """Each segment's judgments come out alike: four facts say little, however often repeated."""
    chances = outcome_chances()
    tables = np.zeros((3, 4, 4))
    tables[[0, 2], 0, 1] = 400
    held_out = asked_about(tables, 4, np.random.default_rng(2))
    alike = np.where(held_out.cell < 16, 0, 2) + np.arange(800) % 2
    together = dataclasses.replace(held_out, task_source=alike)
    widths = [
        (found.high - found.low).mean()
        for found in (calibrate(chances[0], chances[2], held) for held in (held_out, together))
    ]
    assert widths[1] > 4 * widths[0]


def test_intervals_of_a_bin_are_the_exact_binomial_ones() -> None:
    successes, trials = np.array([0.0, 3, 17, 20]), np.array([20.0, 20, 20, 20])
    low, high = clopper_pearson(successes, trials, 0.9)
    for k, x in enumerate(successes.astype(int)):
        expected = binomtest(int(x), 20).proportion_ci(0.9)
        assert (low[k], high[k]) == pytest.approx((expected.low, expected.high), abs=1e-12)
