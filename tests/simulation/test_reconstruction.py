"""The steps by which rankings are drawn to published figures, each against its own claim."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from analysis.simulation.campaigns import rank_by_radius
from analysis.simulation.reconstruction import (
    FIRST,
    SECOND,
    _find_comparable,
    _match_head_to_head,
    _surplus_wins,
    draw_design,
    fitted_differences,
    task_means,
)


def test_fitted_differences_give_back_those_that_a_table_was_made_from() -> None:
    ability = np.array([1.2, 0.4, 0.3, -0.5, -1.4])
    delta, radius = ability[:, None] - ability, 0.35
    wins = norm.cdf((delta - radius) / np.sqrt(2))
    apart = ~np.eye(5, dtype=bool)
    tie_share = (1 - wins - wins.T)[apart].mean()
    beats = np.where(apart, wins / (wins + wins.T), np.nan)
    np.testing.assert_allclose(fitted_differences(beats, tie_share), delta, atol=2e-3)


def test_a_pairs_difference_is_right_on_average_over_the_company_it_is_seen_in() -> None:
    rng = np.random.default_rng(1)
    n_systems = 8
    upper = np.triu(rng.normal(0, 0.5, (n_systems, n_systems)), 1)
    differences = upper - upper.T  # No abilities explain these.
    systems = draw_design(200_000, n_systems, 100, rng).systems
    means = task_means(systems, differences)
    total, seen = np.zeros((n_systems, n_systems)), np.zeros((n_systems, n_systems))
    np.add.at(total, (systems[:, FIRST], systems[:, SECOND]), means[:, FIRST] - means[:, SECOND])
    np.add.at(seen, (systems[:, FIRST], systems[:, SECOND]), 1)
    found = (total - total.T) / np.maximum(seen + seen.T, 1)
    np.testing.assert_allclose(found, differences, atol=0.03)


def test_changing_places_mends_the_pair_in_question_and_no_other() -> None:
    rng = np.random.default_rng(2)
    design = draw_design(1500, 7, 300, rng)
    ranks = rank_by_radius(rng.standard_normal(design.systems.shape), 0.3)
    first, second = design.first.ravel(), design.second.ravel()

    def win_table(of: np.ndarray) -> np.ndarray:
        outcome = np.sign(of[:, SECOND] - of[:, FIRST]).ravel()
        wins = np.zeros((7, 7))
        np.add.at(wins, (first[outcome > 0], second[outcome > 0]), 1)
        np.add.at(wins, (second[outcome < 0], first[outcome < 0]), 1)
        return wins

    before = win_table(ranks)
    beats = before / np.maximum(before + before.T, 1)
    beats[2, 5], beats[5, 2] = 0.56, 0.44
    assert _surplus_wins(design, ranks, beats).sum() > 5
    after = win_table(_match_head_to_head(design, ranks, beats))
    assert abs(after[2, 5] - 0.56 * (after[2, 5] + after[5, 2])) <= 0.5
    untouched = np.ones((7, 7), dtype=bool)
    untouched[2, 5] = untouched[5, 2] = False
    np.testing.assert_array_equal(after[untouched], before[untouched])
    np.testing.assert_array_equal(after + after.T, before + before.T)


def test_comparable_judgments_are_all_pairs_of_one_segment_and_two_systems() -> None:
    design = draw_design(120, 6, 25, np.random.default_rng(3))
    expected = {True: set(), False: set()}
    for a in range(120):
        for b in range(a + 1, 120):
            if design.segment[a] != design.segment[b]:
                continue
            for i, (x, y) in enumerate(zip(design.first[a], design.second[a], strict=True)):
                for j, (u, v) in enumerate(zip(design.first[b], design.second[b], strict=True)):
                    if {x, y} == {u, v}:
                        one_judge = bool(design.judge[a] == design.judge[b])
                        expected[one_judge].add((a, i, b, j, bool(x != u)))
    for found, one_judge in zip(_find_comparable(design), (False, True), strict=True):
        columns = (found.task_a, found.slot_a, found.task_b, found.slot_b, found.turned)
        assert set(zip(*(c.tolist() for c in columns), strict=True)) == expected[one_judge]
        assert expected[one_judge]
