"""Questions answered at once give what the slow way gives."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments
from analysis.comparing.what_if import (
    numeric_settings,
    perplexity_of_counts,
    predicted_ties,
    radius_grid,
    setting_values,
    sweep_radius,
    sweep_setting,
    task_shares,
)
from analysis.extras.validation.prediction.radius import accuracy, outcomes_at_radius, separations
from analysis.rankers import RANKERS
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.preferences import perplexity
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.clusters import clusters_from_radius
from analysis.ranking.ranking import fewer_tasks
from analysis.samples import sample_campaign


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return sample_campaign("wmt14-hi-en")


@pytest.fixture(scope="module")
def judgments(campaign: Campaign) -> Judgments:
    return campaign.judgments()


# The radius ------------------------------------------------------------------------------------


def test_a_sweep_agrees_with_one_radius_at_a_time(judgments: Judgments) -> None:
    scores = ExpectedWins().fit(judgments).standings.scores
    sweep = sweep_radius(scores, judgments.counts)
    apart = separations(scores, "clusters")
    counts = judgments.counts
    assert len(sweep.radii) == 26
    for k, radius in enumerate(sweep.radii):
        named = outcomes_at_radius(apart, radius)
        assert sweep.accuracy[k] == pytest.approx(accuracy(named, counts))
        level = clusters_from_radius(scores, radius)
        together = (level[:, None] == level) & ~np.eye(len(level), dtype=bool)
        share = (counts.compared * together).sum() / counts.compared.sum()
        assert sweep.ties[k] == pytest.approx(share)
    assert sweep.accuracy.max() == pytest.approx(sweep.at(sweep.tuned)[0])
    assert sweep.accuracy.max() <= sweep.oracle


def test_the_observed_share_of_ties_is_that_of_the_judgments(judgments: Judgments) -> None:
    sweep = sweep_radius(ExpectedWins().fit(judgments).standings.scores, judgments.counts)
    assert sweep.observed_ties == pytest.approx(judgments.n_ties / len(judgments))


def test_the_last_radius_ties_the_first_two_systems(judgments: Judgments) -> None:
    far = np.zeros(judgments.n_systems)
    far[:3] = 2.1385, 1.7231, 1.5
    sweep = sweep_radius(far, judgments.counts)
    assert list(sweep.radii[-2:]) == [0.25, 0.416]
    answer = [clusters_from_radius(far, radius)[:2].tolist() for radius in sweep.radii[-2:]]
    assert answer == [[1, 2], [1, 1]]
    assert sweep.tuned <= 0.25


def test_the_grid_is_the_published_one_for_shares_and_skills() -> None:
    published = tuple(k / 100 for k in range(26))
    assert radius_grid(np.array([0.2, 0.7])) == published
    assert radius_grid(np.array([-1.4, 0.9, np.nan])) == published
    assert radius_grid(np.array([np.nan])) == published


@pytest.mark.parametrize("width", [6.0, 13.0, 40.0, 240.0, 4000.0])
def test_a_wider_scale_has_a_wider_grid_of_round_steps(width: float) -> None:
    grid = radius_grid(np.array([0.0, width]))
    assert len(grid) == 26
    assert np.log10(grid[1]) == pytest.approx(round(np.log10(grid[1])))
    assert 0.25 * width <= 10 * grid[-1] <= 100 * width


# Fewer judgments -------------------------------------------------------------------------------


def test_smaller_draws_are_part_of_larger_ones(judgments: Judgments) -> None:
    small, large = (fewer_tasks(judgments, share, seed=7) for share in (0.1, 0.4))
    assert small.n_tasks == round(0.1 * judgments.n_tasks)
    assert (small.counts.wins <= large.counts.wins).all()
    assert (large.counts.wins <= judgments.counts.wins).all()


def test_all_tasks_are_the_campaign_itself(judgments: Judgments) -> None:
    everything = fewer_tasks(judgments, 1.0, seed=3)
    np.testing.assert_array_equal(everything.counts.wins, judgments.counts.wins)
    np.testing.assert_array_equal(everything.task_judge, judgments.task_judge)


def test_no_share_leaves_next_to_nothing(judgments: Judgments) -> None:
    few = judgments.take_tasks(np.arange(120))
    assert task_shares(few)[0] == 0.1
    assert task_shares(judgments.take_tasks(np.arange(3))) == (1.0,)
    assert task_shares(judgments)[-1] == 1.0


# Settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RANKERS)
def test_every_value_of_a_setting_is_possible_and_the_default_is_among_them(name: str) -> None:
    for parameter in numeric_settings(RANKERS[name]):
        values = setting_values(parameter)
        assert parameter.default in values
        assert list(values) == sorted(set(values))
        assert 2 < len(values) <= 260
        for value in (values[0], values[-1]):
            dataclasses.replace(RANKERS[name](), **{parameter.name: value})


def test_a_marked_value_is_on_the_slider() -> None:
    radius = next(p for p in numeric_settings(HopkinsMay) if p.name == "radius")
    assert {0.4, 0.123, 3.0} <= set(setting_values(radius, 0.123, 3.0))


def test_the_curve_of_a_setting_is_perplexity_as_defined(judgments: Judgments) -> None:
    ranker = HopkinsMay()
    sweep = sweep_setting(ranker, "radius", judgments, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
    for value in (0.1, 0.4):
        model = dataclasses.replace(ranker, radius=value)
        expected = perplexity(model.preferences(judgments), judgments)
        assert sweep.at(value)[0] == pytest.approx(expected)
    assert sweep.perplexity.min() == pytest.approx(sweep.at(sweep.tuned)[0])
    assert (np.diff(sweep.ties) > 0).all()


def test_counts_tell_perplexity_and_ties_as_judgments_do(judgments: Judgments) -> None:
    chances = BradleyTerry(ties="davidson").preferences(judgments)
    from_counts = perplexity_of_counts(chances, judgments.counts)
    assert from_counts == pytest.approx(perplexity(chances, judgments))
    facts = judgments.observations
    assert predicted_ties(chances, judgments.counts) == pytest.approx(
        chances.tie[facts.left, facts.right].mean()
    )


def test_curves_are_offered_where_they_mean_something() -> None:
    assert HopkinsMay(inference="gibbs").sweeps("sigma_a")
    assert TrueSkill().sweeps("radius")
    assert not TrueSkill().sweeps("beta")
    assert not TrueSkill(selection="shuffled").sweeps("radius")
    assert not ExpectedWins().sweeps("radius")
    assert not Elo().sweeps("step")
