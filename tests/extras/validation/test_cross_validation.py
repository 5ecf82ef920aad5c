"""Cross-validation: held-out judgments stay unseen, and models are told apart only by evidence."""

from __future__ import annotations

import dataclasses
import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments
from analysis.extras.validation.prediction import findings as held_out
from analysis.extras.validation.prediction.cross_validation import (
    HeldOutScore,
    added_by_task,
    cross_validate,
    predict_folds,
    uncertainty_of_shares,
)
from analysis.extras.validation.prediction.findings import probability_words, verdict_sentence
from analysis.extras.validation.prediction.paired import (
    PairedComparison,
    accuracy_table,
    compare_paired,
)
from analysis.extras.validation.prediction.predict import MODELS, Prediction, model_named, predict
from analysis.extras.validation.prediction.radius import DIFFERENCE, WMT14, Tuning
from analysis.extras.validation.prediction.splits import HeldOut, Split, k_fold, random_share
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.rankers import RANKERS, ExpectedWins
from analysis.samples import SAMPLES, sample_campaign

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
    return compare_paired(split(), scores)


def test_cross_validation_does_what_a_loop_over_folds_and_judgments_does() -> None:
    judgments, right, total = simulated(), 0, 0
    for fold in range(6):
        train = judgments.take_rows(np.flatnonzero(split().left_out != fold))
        scores = ExpectedWins().fit(train).standings.scores
        accuracies = []
        for radius in DIFFERENCE.radii:
            accuracies.append(count_right(train, np.arange(len(train)), scores, radius))
        radius = DIFFERENCE.radii[int(np.argmax(accuracies))]
        tested = np.flatnonzero(split().left_out == fold)
        right += count_right(judgments, tested, scores, radius)
        total += len(tested)
    score = cross_validate(split(), ExpectedWins(), tuning=Tuning(DIFFERENCE))
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


@pytest.mark.parametrize("name", sorted({*RANKERS, *MODELS} - {"mean"}))
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
    comparison = compare_paired(split(), [once, twice])
    (difference,) = comparison.differences
    assert (difference.accuracy.low, difference.accuracy.value, difference.accuracy.high) == (
        0,
    ) * 3
    assert comparison.not_separated == ("twice",)
    assert "Expected Wins" not in verdict_sentence(comparison)
    assert "once and twice do not differ significantly" in verdict_sentence(comparison)


def test_the_toss_of_a_coin_is_no_favorite_of_the_alphabet() -> None:
    """Names in order of quality, or against it, leave what knows no system where it was."""
    judgments = simulated()
    backwards = dataclasses.replace(
        judgments.campaign, systems=tuple(reversed(judgments.campaign.systems))
    ).judgments()
    assert (backwards.counts.wins.sum(axis=1) != judgments.counts.wins.sum(axis=1)).any()
    accuracies = [
        cross_validate(
            k_fold(named, 6, np.random.default_rng(0)), model_named("adjusted-uniform")
        ).accuracy
        for named in (judgments, backwards)
    ]
    assert accuracies[0] == pytest.approx(accuracies[1])
    decided = 1 - judgments.n_ties / len(judgments)
    assert accuracies[0] == pytest.approx(decided / 2, abs=0.001)


def test_models_that_do_no_better_than_guessing_are_not_recommended() -> None:
    comparison = compared("uniform", "adjusted-uniform")
    ties = simulated().n_ties / len(simulated())
    assert comparison.standings[0].accuracy.value == pytest.approx((1 - ties) / 2)
    assert (1 - ties) / 2 > 1 / 3
    assert verdict_sentence(comparison).startswith(
        "No method is shown to predict better than guessing"
    )


def test_knowing_the_systems_is_told_apart_from_knowing_nothing() -> None:
    comparison = compared("expected-wins", "uniform", "adjusted-uniform")
    assert comparison.standings[0].score.method == "expected-wins"
    assert not comparison.not_separated
    assert verdict_sentence(comparison).startswith(
        "Expected Wins predicts significantly better than every other method"
    )
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
    assert paired.high - paired.low < min(widths["expected-wins"], widths["hopkins-may"]) / 1.5


def drawn_again(group: IntArray, sums: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return accuracies when groups of tasks are drawn again: columns are judgments, then hits."""
    members = [np.flatnonzero(group == g) for g in np.unique(group)]
    by_group = np.array([sums[tasks].sum(axis=0) for tasks in members])
    drawn = rng.integers(len(by_group), size=(4000, len(by_group)))
    total = by_group[drawn].sum(axis=1)
    return np.asarray(total[:, 1:] / total[:, :1])


def test_variances_by_unit_are_those_of_drawing_the_units_again() -> None:
    held_out, rng = split().held_out, np.random.default_rng(1)
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    hits = np.stack(
        [cross_validate(split(), model_named(name)).hits for name in ("expected-wins", "uniform")],
        axis=1,
    )
    found = uncertainty_of_shares(added_by_task(hits, sizes), held_out)
    groups = {
        "task": np.arange(held_out.n_tasks),
        "segment": held_out.task_source,
        "judge": held_out.task_judge,
    }
    for unit, group in groups.items():
        accuracies = drawn_again(group, np.column_stack([sizes, hits]), rng)
        drawn = np.cov(accuracies.T)
        assert found.units[unit].n == len(np.unique(group))  # type: ignore[index]
        np.testing.assert_allclose(found.units[unit].matrix, drawn, rtol=0.15, atol=1e-5)  # type: ignore[index]


def test_an_interval_of_a_difference_is_two_way_and_widened_since_folds_learn_alike() -> None:
    comparison = compared("expected-wins", "uniform")
    first, second = (comparison.standings[k].score for k in (0, 1))
    held_out = split().held_out
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    gain = added_by_task((first.hits - second.hits)[:, None], sizes)
    uncertainty = uncertainty_of_shares(gain, held_out)
    (variance,) = uncertainty.along(np.eye(1))
    t = student.ppf(0.975, uncertainty.precision(np.eye(1)).freedom)
    interval = comparison.difference("expected-wins", "uniform").accuracy
    k = split().n_folds
    widened = np.sqrt(1 + k / (k - 1))
    assert t > 1.98, "few judges ask more than the normal quantile"
    assert interval.high - interval.low == pytest.approx(2 * t * widened * variance**0.5, 1e-3)


@pytest.mark.parametrize(("folds", "widened"), [(2, 3.0), (10, 1 + 10 / 9), (60, 1 + 60 / 59)])
def test_a_variance_is_widened_by_how_much_less_was_learned_than_tested(
    folds: int, widened: float
) -> None:
    dealt = k_fold(simulated(n_tasks=60), folds, np.random.default_rng(0))
    assert dealt.reuse == pytest.approx(widened, rel=0.01)


def test_one_test_set_widens_by_its_own_size() -> None:
    held = random_share(simulated(), 0.2, np.random.default_rng(0))
    assert held.reuse == pytest.approx(1.25, rel=0.02)


def test_intervals_for_these_sentences_and_judges_are_no_wider() -> None:
    names = ("expected-wins", "uniform")
    scores = [cross_validate(split(), model_named(name), label=name) for name in names]
    others, these = (compare_paired(split(), scores, scope=t) for t in ("new", "these"))
    for one, other in zip(these.standings, others.standings, strict=True):
        assert one.accuracy.high - one.accuracy.low <= other.accuracy.high - other.accuracy.low
    assert these.standings[0].accuracy.value == others.standings[0].accuracy.value


def test_intervals_hold_the_truth_though_a_sentence_is_judged_again_and_again() -> None:
    """Sentences and judges of unlike difficulty: tasks alone would hold it far too rarely."""
    rng = np.random.default_rng(7)
    n_segments, n_judges, n_tasks, size, rounds = 40, 20, 400, 10, 200
    held, held_by_tasks = 0, 0
    for _ in range(rounds):
        segment, judge = (rng.integers(n, size=n_tasks) for n in (n_segments, n_judges))
        by_segment, by_judge = (rng.normal(0, 0.1, n) for n in (n_segments, n_judges))
        chance = np.clip(0.5 + by_segment[segment] + by_judge[judge], 0, 1)
        hits = rng.binomial(size, chance)[:, None].astype(np.float64)
        held_out = HeldOut(
            cell=np.zeros(n_tasks * size, int),
            task=np.repeat(np.arange(n_tasks), size),
            fold=np.zeros(n_tasks * size, int),
            task_source=segment,
            task_judge=judge,
        )
        doubt = uncertainty_of_shares(added_by_task(hits, np.full(n_tasks, size)), held_out)
        off = abs(hits.sum() / (n_tasks * size) - 0.5)
        held += off <= 1.96 * doubt.along(np.eye(1))[0] ** 0.5
        held_by_tasks += off <= 1.96 * doubt.along(np.eye(1), "these")[0] ** 0.5
    assert 0.90 <= held / rounds <= 0.99
    assert held_by_tasks / rounds < 0.75


def test_told_from_the_best_is_holms_test_of_all_comparisons_with_it() -> None:
    comparison = compared("expected-wins", "uniform", "adjusted-uniform", "bojar")
    best = comparison.standings[0].score.method
    others = [s.score.method for s in comparison.standings[1:]]
    p = {other: comparison.difference(best, other).accuracy_p for other in others}
    told = set()
    for tried, other in enumerate(sorted(others, key=p.__getitem__)):
        if p[other] * (len(others) - tried) > 0.05:
            break
        told.add(other)
    assert told
    assert set(comparison.not_separated) == set(others) - told


def test_a_comparison_with_many_needs_more_than_one_alone() -> None:
    """p = .03 is told apart by itself, and not as one of three comparisons."""
    alone = compared("expected-wins", "uniform")
    (difference,) = alone.differences
    near = dataclasses.replace(difference, accuracy_p=0.03)
    assert not dataclasses.replace(alone, differences=(near,)).not_separated
    three = compared("expected-wins", "uniform", "adjusted-uniform", "independent-pairs")
    all_near = tuple(dataclasses.replace(d, accuracy_p=0.03) for d in three.differences)
    assert len(dataclasses.replace(three, differences=all_near).not_separated) == 3


def test_only_methods_worse_than_the_best_are_named() -> None:
    three = compared("expected-wins", "uniform", "bojar")
    alike = tuple(
        dataclasses.replace(d, accuracy_p=1.0, perplexity_p=1.0) for d in three.differences
    )
    verdict = verdict_sentence(dataclasses.replace(three, differences=alike))
    assert verdict.startswith("No method is significantly more accurate than the others")
    clear = tuple(
        dataclasses.replace(d, accuracy_p=0.0) if "uniform" in (d.first, d.second) else d
        for d in alike
    )
    verdict = verdict_sentence(dataclasses.replace(three, differences=clear))
    best = next(s for s in three.standings if s.score.method != "uniform").score.shown
    assert verdict.startswith(f"Uniform predicts significantly worse than {best}")


def test_a_model_too_sure_of_itself_is_pointed_out() -> None:
    calm = cross_validate(split(), ExpectedWins())
    sure = dataclasses.replace(calm, shown="Sure", method="sure", bits=calm.bits * 1.6)
    said = probability_words(compare_paired(split(), [calm, sure]))
    assert "The probabilities of Sure are worse than guessing: perplexity " in said
    assert probability_words(compare_paired(split(), [calm])) == ""


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
        comparisons[judgments.pair] = compare_paired(folds, scores)
    mean = accuracy_table(comparisons).loc["MEAN"]
    assert mean[list(names)].max() - mean[list(names)].min() < 1
    assert mean[list(names)].max() < mean["oracle"]
    for comparison in comparisons.values():
        assert max(s.accuracy.value for s in comparison.standings) <= comparison.oracle


@pytest.mark.parametrize(("tied", "told"), [((), True), (("b",), False)])
def test_a_headline_that_finds_no_accuracy_better_names_who_has_the_best_probabilities(
    monkeypatch: pytest.MonkeyPatch, tied: tuple[str, ...], told: bool
) -> None:
    monkeypatch.setattr(held_out, "guessed_accuracy", lambda split: 0.3)

    def standing(name: str, perplexity: float) -> SimpleNamespace:
        return SimpleNamespace(
            score=SimpleNamespace(method=name, shown=name),
            accuracy=SimpleNamespace(value=0.5, low=0.4),
            perplexity=SimpleNamespace(value=perplexity),
        )

    a, b, c = standing("a", 2.7), standing("b", 2.6), standing("c", 2.8)
    comparison = SimpleNamespace(
        standings=[a, b, c], not_separated=("b", "c"), calmest=b, oracle=0.6, split=None,
        not_told_from_best=lambda measure: tied,
    )  # fmt: skip
    headline, _ = held_out.verdict(comparison)  # type: ignore[arg-type]
    assert headline.startswith("No method is significantly more accurate")
    assert headline.endswith("; b has the best probabilities") == told
