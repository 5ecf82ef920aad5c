"""Cross-validation: held-out judgments stay unseen, and models are told apart only by evidence."""

from __future__ import annotations

import dataclasses
import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from analysis.campaign import LOSS, TIE, WIN, Judgments
from analysis.prediction.cross_validation import HeldOutScore, cross_validate, predict_folds
from analysis.prediction.models import MODELS
from analysis.prediction.paired import (
    PairedComparison,
    _draw_tasks,
    accuracy_table,
    compare_paired,
)
from analysis.prediction.predict import Prediction, Tuning, model_named, predict
from analysis.prediction.radius import SPV14, WMT14
from analysis.prediction.splits import Split, k_fold
from analysis.rankers import RANKERS, ExpectedWins
from analysis.simulation.campaigns import Simulation, simulate_campaign
from analysis.simulation.samples import SAMPLES, sample_campaign

SETTINGS = Simulation(systems=6, spread=3, radius=2, n_way=4)
ABILITY = np.array([0.0, 1, 2.5, 3, 6, 7])


@cache
def simulated(n_tasks: int = 90, seed: int = 3) -> Judgments:
    return simulate_campaign(SETTINGS, ABILITY, n_tasks, np.random.default_rng(seed)).judgments()


@cache
def split(n_folds: int = 6) -> Split:
    return k_fold(simulated(), n_folds, np.random.default_rng(0))


@cache
def compared(*names: str) -> PairedComparison:
    scores = [cross_validate(split(), model_named(name), label=name) for name in names]
    return compare_paired(split(), scores, runs=400)


def test_cross_validation_does_what_a_loop_over_folds_and_judgments_does() -> None:
    judgments, right, total = simulated(), 0, 0
    for fold in range(6):
        train = judgments.take_rows(np.flatnonzero(split().left_out != fold))
        scores = ExpectedWins().fit(train).scores
        accuracies = []
        for radius in SPV14.radii:
            accuracies.append(count_right(train, np.arange(len(train)), scores, radius))
        radius = SPV14.radii[int(np.argmax(accuracies))]
        tested = np.flatnonzero(split().left_out == fold)
        right += count_right(judgments, tested, scores, radius)
        total += len(tested)
    score = cross_validate(split(), ExpectedWins(), tuning=Tuning(SPV14))
    assert score.accuracy == right / total
    assert score.hits.sum() == right


def count_right(judgments: Judgments, rows: np.ndarray, scores: np.ndarray, radius: float) -> int:
    right = 0
    for row in rows:
        gap = scores[judgments.left[row]] - scores[judgments.right[row]]
        named = TIE if abs(gap) <= radius else WIN if gap > 0 else LOSS
        right += named == judgments.outcome[row]
    return right


@pytest.mark.parametrize("name", ["expected-wins", "hopkins-may", "trueskill"])
def test_what_a_fold_says_does_not_depend_on_the_outcomes_it_is_asked_for(name: str) -> None:
    judgments, fold = simulated(), 2
    asked = split().left_out == fold
    turned = judgments.entry_rank.copy()
    entry_asked = np.isin(
        np.repeat(np.arange(judgments.n_tasks), np.diff(judgments.task_start)),
        judgments.task[asked],
    )
    turned[entry_asked] = turned[entry_asked].max() + 1 - turned[entry_asked]
    other = dataclasses.replace(judgments, entry_rank=turned)
    expected = np.where(asked, -judgments.outcome, judgments.outcome)
    np.testing.assert_array_equal(other.outcome, expected)
    changed = k_fold(other, 6, np.random.default_rng(0))
    np.testing.assert_array_equal(changed.left_out, split().left_out)
    first = predict(model_named(name), split().train(fold))
    second = predict(model_named(name), changed.train(fold))
    for field in dataclasses.fields(first):
        np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name))
    assert (other.outcome != judgments.outcome).any()


@pytest.mark.parametrize("name", sorted({*RANKERS, *MODELS}))
def test_every_model_gives_every_outcome_a_chance_and_the_chances_sum_to_one(name: str) -> None:
    said = predict(model_named(name), simulated())
    off_diagonal = ~np.eye(6, dtype=bool)
    chances = np.stack([said.win, said.tie, said.loss])[:, off_diagonal]
    assert chances.min() > 0
    np.testing.assert_allclose(chances.sum(axis=0), 1, rtol=1e-12)


@pytest.mark.parametrize("name", ["trueskill:selection=shuffled:players=3", "expected-wins"])
def test_the_workers_change_nothing(name: str) -> None:
    model = model_named(name)
    scores = []
    for workers in (1, 4):
        with ThreadPoolExecutor(workers) as executor:
            scores.append(cross_validate(split(), model, seed=5, executor=executor))
    first, second = scores
    np.testing.assert_array_equal(first.bits, second.bits)
    np.testing.assert_array_equal(first.hits, second.hits)
    assert first.signature == second.signature
    assert "seed:5" in first.signature


def test_folds_in_portions_are_the_folds_at_once() -> None:
    model = model_named("trueskill:selection=shuffled")
    portions = [predict_folds(split(), model, folds, seed=2) for folds in ([0, 1], [2, 3, 4], [5])]
    stacked = Prediction.stack(list(itertools.chain(*portions)))
    at_once = cross_validate(split(), model, seed=2).prediction
    np.testing.assert_array_equal(stacked.win, at_once.win)
    other_seed = cross_validate(split(), model, seed=3).prediction
    assert (other_seed.win != at_once.win).any()


def test_progress_counts_the_folds() -> None:
    seen: list[tuple[int, int]] = []
    cross_validate(split(), ExpectedWins(), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 6) for done in range(1, 7)]


def test_the_same_model_twice_cannot_be_told_apart_from_itself() -> None:
    once = cross_validate(split(), ExpectedWins(), label="once")
    twice = dataclasses.replace(once, method="twice", shown="twice")
    comparison = compare_paired(split(), [once, twice], runs=200)
    (difference,) = comparison.differences
    assert (difference.accuracy.low, difference.accuracy.value, difference.accuracy.high) == (
        0,
    ) * 3
    assert comparison.not_told_apart == ("twice",)
    assert "Expected Wins" not in comparison.verdict()
    assert "once and twice cannot be told apart" in comparison.verdict()


def test_models_that_do_no_better_than_guessing_are_not_recommended() -> None:
    comparison = compared("uniform", "adjusted-uniform")
    assert comparison.standings[0].accuracy.low < 1 / 3
    assert comparison.verdict().startswith("No model is known to predict better than guessing")


def test_knowing_the_systems_is_told_apart_from_knowing_nothing() -> None:
    comparison = compared("expected-wins", "uniform", "adjusted-uniform")
    assert comparison.standings[0].score.method == "expected-wins"
    assert not comparison.not_told_apart
    assert "Expected Wins predicts best" in comparison.verdict()
    forth = comparison.difference("expected-wins", "uniform").accuracy
    back = comparison.difference("uniform", "expected-wins").accuracy
    assert (back.value, back.low, back.high) == (-forth.value, -forth.high, -forth.low)
    assert forth.low > 0.1
    assert comparison.difference("expected-wins", "uniform").perplexity.high < 0
    assert all(s.accuracy.value <= comparison.oracle for s in comparison.standings)


def test_the_difference_of_two_models_is_known_better_than_either_of_them() -> None:
    comparison = compared("expected-wins", "hopkins-may", "uniform")
    widths = {s.score.method: s.accuracy.high - s.accuracy.low for s in comparison.standings}
    paired = comparison.difference("expected-wins", "hopkins-may").accuracy
    assert paired.high - paired.low < min(widths["expected-wins"], widths["hopkins-may"]) / 3


def test_intervals_agree_with_the_analytic_error_of_a_ratio_of_task_sums() -> None:
    comparison = compared("expected-wins", "uniform")
    sizes = np.bincount(split().held_out.task)
    first, second = (comparison.standings[k].score for k in (0, 1))
    gain = first.hits - second.hits
    rest = gain - gain.sum() / sizes.sum() * sizes
    error = np.sqrt((rest**2).sum()) / sizes.sum()
    interval = comparison.difference("expected-wins", "uniform").accuracy
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * error, rel=0.12)


def test_intervals_hold_the_truth_as_often_as_they_say_though_tasks_are_not_rows() -> None:
    rng = np.random.default_rng(7)
    n_tasks, size, held, held_by_rows = 120, 10, 0, 0
    for _ in range(300):
        easiness = rng.beta(2, 2, n_tasks)
        hits = rng.binomial(size, easiness).astype(np.float64)
        drawn = _draw_tasks(np.column_stack([np.full(n_tasks, size), hits]), 200, rng)
        low, high = np.quantile(drawn[:, 1] / drawn[:, 0], [0.025, 0.975])
        held += low <= 0.5 <= high
        share = hits.mean() / size
        by_rows = 1.96 * np.sqrt(share * (1 - share) / (n_tasks * size))
        held_by_rows += abs(share - 0.5) <= by_rows
    assert 0.91 <= held / 300 <= 0.98
    assert held_by_rows / 300 < 0.85


def test_a_model_too_sure_of_itself_is_pointed_out() -> None:
    calm = cross_validate(split(), ExpectedWins())
    sure = dataclasses.replace(calm, shown="Sure", method="sure", bits=calm.bits * 1.6)
    (note,) = compare_paired(split(), [calm, sure], runs=100).notes
    assert note.startswith("Sure: a perplexity above 3")
    assert not compare_paired(split(), [calm], runs=100).notes


def test_settings_stand_in_a_models_name() -> None:
    model = model_named("independent-pairs:alpha=2.5")
    assert model.method_signature() == "method:independent-pairs|α:2.5"


def test_the_table_of_pairs_has_the_mean_last_and_the_oracle_at_the_end() -> None:
    comparison = compared("expected-wins", "uniform")
    table = accuracy_table({"a-b": comparison, "b-a": comparison})
    assert list(table.columns) == ["expected-wins", "uniform", "oracle"]
    assert list(table.index) == ["a-b", "b-a", "MEAN"]
    assert table.loc["MEAN", "oracle"] == pytest.approx(100 * comparison.oracle)


@pytest.mark.slow
def test_on_simulated_wmt14_the_three_models_are_within_a_point_and_below_the_oracle() -> None:
    names = ("expected-wins", "hopkins-may", "trueskill")
    comparisons = {}
    for sample in SAMPLES:
        judgments = sample_campaign(sample).judgments()
        folds = k_fold(judgments, 100, np.random.default_rng(0))
        scores: list[HeldOutScore] = [
            cross_validate(folds, model_named(name), tuning=Tuning(WMT14)) for name in names
        ]
        assert all(score.prediction.win.min() > 0 for score in scores)
        comparisons[judgments.pair] = compare_paired(folds, scores, runs=100)
    mean = accuracy_table(comparisons).loc["MEAN"]
    assert mean[list(names)].max() - mean[list(names)].min() < 1
    assert mean[list(names)].max() < mean["oracle"]
    for comparison in comparisons.values():
        assert max(s.accuracy.value for s in comparison.standings) <= comparison.oracle
