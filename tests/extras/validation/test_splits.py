"""Splits: what is predicted never trains, and tables and judgments tell the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.errors import PodiumError, UndefinedResultError
from analysis.extras.validation.prediction.splits import (
    FoldUnit,
    Split,
    k_fold,
    random_share,
    rare_segments,
)
from analysis.extras.validation.prediction.splits import test_file as predict_file
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign

Make = Callable[[Sequence[tuple[str, str, dict[str, int]]]], Campaign]


def simulated(n_tasks: int = 60, segments: int = 40, seed: int = 3) -> Judgments:
    settings = Simulation(systems=6, spread=3, radius=2, n_way=4)
    ability = np.array([0.0, 1, 2.5, 3, 6, 7])
    rng = np.random.default_rng(seed)
    return simulate_campaign(settings, ability, n_tasks, rng, 9, segments).judgments()


def collapsed(make: Make) -> Judgments:
    """Ranking tasks of different sizes in which b and c twice made one output."""
    tasks = [
        ("1", "ann", {"a": 1, "b+c": 2, "d": 3}),
        ("2", "bob", {"d": 1, "b": 1, "a": 2, "c": 4}),
        ("3", "ann", {"b+c": 1, "d": 2}),
        ("4", "cyd", {"a": 2, "b": 1, "d": 2}),
    ]
    return make(tasks * 3).judgments(selection=Selection(identical="collapsed"))


def rows_in_training(split: Split, fold: int) -> list[tuple[int, ...]]:
    train = split.train(fold)
    columns = (train.left, train.right, train.outcome, train.task_segment[train.task])
    return sorted(zip(*(c.tolist() for c in columns), strict=True))


@pytest.mark.parametrize("unit", ["task", "judgment", "segment", "judge"])
def test_every_judgment_is_predicted_once_and_trains_in_all_other_folds(unit: FoldUnit) -> None:
    judgments = simulated()
    split = k_fold(judgments, 5, np.random.default_rng(1), unit)
    everything = sorted(
        zip(
            judgments.left.tolist(),
            judgments.right.tolist(),
            judgments.outcome.tolist(),
            judgments.task_segment[judgments.task].tolist(),
            strict=True,
        )
    )
    assert len(split.held_out) == len(judgments)
    for fold in range(5):
        kept = split.left_out != fold
        assert rows_in_training(split, fold) == sorted(
            zip(
                judgments.left[kept].tolist(),
                judgments.right[kept].tolist(),
                judgments.outcome[kept].tolist(),
                judgments.task_segment[judgments.task[kept]].tolist(),
                strict=True,
            )
        )
        assert 0 < kept.sum() < len(everything)
    assert split.test_counts.compared.sum() == judgments.counts.compared.sum()


def test_identical_outputs_judged_once_are_split_as_the_facts_they_stand_for(
    make_campaign: Make,
) -> None:
    judgments = collapsed(make_campaign)
    split = k_fold(judgments, 4, np.random.default_rng(0))
    assert len(split.held_out) == len(judgments.observations) > len(judgments)
    np.testing.assert_array_equal(split.test_counts.wins.sum(axis=0), judgments.counts.wins)
    np.testing.assert_array_equal(split.test_counts.ties.sum(axis=0), judgments.counts.ties)


def test_only_a_split_by_rows_tears_tasks_apart_and_it_says_so() -> None:
    judgments = simulated()
    for unit in ("task", "segment", "judge"):
        split = k_fold(judgments, 5, np.random.default_rng(1), unit)
        for fold in range(5):
            apart = np.unique(judgments.task[split.left_out == fold])
            assert not np.isin(judgments.task[split.left_out != fold], apart).any()
        assert not split.notes
    by_row = k_fold(judgments, 5, np.random.default_rng(1), "judgment")
    torn = judgments.task[by_row.left_out == 0]
    assert np.isin(judgments.task[by_row.left_out != 0], torn).any()
    assert any("flatter" in note for note in by_row.notes)
    assert (np.diff(by_row.train(0).task_start) == 2).all()


def test_whole_tasks_stay_whole_in_training() -> None:
    split = k_fold(simulated(), 5, np.random.default_rng(1))
    assert set(np.diff(split.train(2).task_start)) == {4}


def test_rare_segments_are_those_of_the_smallest_frequency_that_suffices() -> None:
    judgments = simulated(n_tasks=150, segments=60)
    segment = judgments.task_segment[judgments.task]
    occurrences = {s: int((segment == s).sum()) for s in np.unique(segment)}
    split = rare_segments(judgments, at_least=100)
    for k in sorted(set(occurrences.values())):
        rare = np.isin(segment, [s for s, n in occurrences.items() if n <= k])
        if rare.sum() >= 100:
            np.testing.assert_array_equal(split.left_out == 0, rare)
            break
    else:
        raise AssertionError("no frequency suffices, so nothing was tested")
    assert split.n_folds == 1
    assert len(split.train(0)) + len(split.held_out) == len(judgments)


def test_no_segment_is_rare_where_all_are_judged_equally_often(make_campaign: Make) -> None:
    tasks = [(str(s), "ann", {"a": 1, "b": 2, "c": 1}) for s in range(4)]
    with pytest.raises(UndefinedResultError, match="leaves none for training"):
        rare_segments(make_campaign(tasks).judgments(), at_least=5)


def test_a_random_share_takes_whole_tasks_until_the_share_is_reached() -> None:
    judgments = simulated(n_tasks=100)
    split = random_share(judgments, 0.25, np.random.default_rng(0))
    assert len(split.held_out) == 150
    assert split.held_out.n_tasks == 25
    assert len(split.train(0)) == 450


def test_a_test_file_is_matched_by_names_and_unknown_systems_are_left_out(
    make_campaign: Make,
) -> None:
    train = make_campaign([("1", "ann", {"c": 1, "a": 2, "b": 3})]).judgments()
    tasks = [("7", "bob", {"b": 1, "new": 1, "a": 2}), ("8", "bob", {"c": 2, "b": 2})]
    test = make_campaign(tasks).judgments()
    split = predict_file(train, test)
    names = train.systems
    expected_wins = np.zeros((3, 3))
    expected_wins[names.index("b"), names.index("a")] = 1
    np.testing.assert_array_equal(split.test_counts.wins[0], expected_wins)
    assert split.test_counts.ties[0, names.index("b"), names.index("c")] == 1
    assert split.train(0) is train
    assert "2 judgments" in split.notes[0]
    assert "new" in split.notes[0]
    stranger = make_campaign([("1", "x", {"p": 1, "q": 2})]).judgments()
    with pytest.raises(UndefinedResultError, match="Test file"):
        predict_file(train, stranger)


def test_the_seed_alone_decides_the_folds() -> None:
    judgments = simulated()
    first, again, other = (
        k_fold(judgments, 6, np.random.default_rng(seed)).left_out for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_folds_are_as_many_as_units_at_most_and_as_even_as_can_be() -> None:
    judgments = simulated()
    split = k_fold(judgments, 100, np.random.default_rng(0), "judge")
    assert split.n_folds == len(np.unique(judgments.task_judge)) == 9
    assert "9 judges" in split.notes[0]
    tasks = k_fold(judgments, 7, np.random.default_rng(0))
    sizes = [len(np.unique(judgments.task[tasks.left_out == fold])) for fold in range(7)]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda j, rng: k_fold(j, 1, rng), "too few"),
        (lambda j, rng: k_fold(j, 5, rng, "paragraph"), "not known"),
        (lambda j, rng: random_share(j, 10**9, rng), "none of them, or all"),
        (lambda j, rng: random_share(j, 0.999, rng), "one side of it is empty"),
        (lambda j, rng: k_fold(j.take_rows(np.array([0])), 5, rng), "a split needs 2"),
    ],
)
def test_an_impossible_split_is_refused_in_words(
    wrong: Callable[[Judgments, np.random.Generator], Split], words: str
) -> None:
    with pytest.raises(PodiumError, match=words):
        wrong(simulated(), np.random.default_rng(0))
