"""The steps by which rankings are drawn to published figures, each against its own claim."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from analysis.extras.validation.simulation.campaigns import rank_by_radius
from tests.tools.wmt14_sample import (
    FIRST,
    SECOND,
    Figures,
    _find_comparable,
    _match_pairs,
    _surplus,
    draw_design,
    fit_pairs,
    root_of_covariance,
    task_means,
)


def test_a_pairs_difference_and_its_deviation_come_from_its_wins_and_ties() -> None:
    ability = np.array([1.2, 0.4, 0.3, -0.5, -1.4])
    delta, radius = ability[:, None] - ability, 0.35
    rng, apart = np.random.default_rng(0), ~np.eye(5, dtype=bool)
    scale = np.triu(rng.uniform(0.8, 2.0, (5, 5)), 1)
    scale = scale + scale.T + np.eye(5)
    wins = norm.cdf((delta - radius) / scale)
    beats = np.where(apart, wins / (wins + wins.T), np.nan)
    differences, deviations = fit_pairs(beats, np.where(apart, 1 - wins - wins.T, 0))
    unit = deviations[0, 1] / scale[0, 1]
    np.testing.assert_allclose(deviations[apart], unit * scale[apart], rtol=1e-9)
    np.testing.assert_allclose(differences, unit * delta, atol=1e-9)


def test_draws_have_the_deviations_that_pairs_of_systems_are_to_have() -> None:
    points = np.random.default_rng(3).normal(size=(6, 6))
    wanted = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    covariance = (root := root_of_covariance(wanted)) @ root.T
    variance = np.diag(covariance)
    np.testing.assert_allclose(
        np.sqrt(variance[:, None] + variance - 2 * covariance), wanted, atol=1e-2
    )


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


def test_mending_gives_every_pair_its_wins_and_ties_and_leaves_repeated_tasks_alone() -> None:
    rng = np.random.default_rng(2)
    design = draw_design(1500, 7, 300, rng)
    ranks = rank_by_radius(rng.standard_normal(design.systems.shape), 0.3)
    beats, ties = np.full((7, 7), 0.5), np.full((7, 7), 0.2)
    beats[2, 5], beats[5, 2] = 0.56, 0.44
    ties[1, 4] = ties[4, 1] = 0.4
    figures = Figures(15_000, 300, beats, ties, 0.3, 0.5)
    before = np.abs(_surplus(design, ranks, figures)).sum()
    mended = _match_pairs(design, ranks, figures)
    assert before > 300
    assert np.abs(_surplus(design, mended, figures)).sum() <= 4
    repeated = np.setdiff1d(np.arange(1500), design.once)
    assert len(repeated) == 480
    np.testing.assert_array_equal(mended[repeated], ranks[repeated])


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
