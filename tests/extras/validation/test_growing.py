"""Campaigns of so many judgments: clusters by size, abilities over trainings."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import Judgments
from analysis.drawing.look import Look
from analysis.errors import PodiumError
from analysis.extras.validation.growing.findings import growth_finding, trainings_finding
from analysis.extras.validation.growing.growing import (
    ClusterGrowth,
    Trainings,
    cluster_growth,
    crowd_and_experts,
    ranges_after,
    train_repeatedly,
)
from analysis.extras.validation.paper_claims import CLAIMS, check_claim
from analysis.extras.validation.prediction.learning_curves import sizes_within
from analysis.extras.validation.prediction.splits import DRAWS
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.rankers import ExpectedWins
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.trueskill import TrueSkill
from dashboard.extras.validation.growing.figures import (
    growth_figure,
    ranks_figure,
    trainings_figure,
)
from dashboard.figures.theme import alt_text

ABILITY = np.array([0.0, 1, 2.5, 3, 6, 7])


@pytest.fixture(scope="module")
def pool() -> Judgments:
    settings = Simulation(systems=6, spread=3, radius=2, n_way=4)
    return simulate_campaign(settings, ABILITY, 900, np.random.default_rng(3)).judgments()


def test_more_judgments_make_more_clusters_the_same_for_the_same_seed(pool: Judgments) -> None:
    rankers = {"expected-wins": ExpectedWins(), "hopkins-may": HopkinsMay()}
    few, again = (
        cluster_growth(pool, rankers, sizes=(40, 4000), trials=3, runs=40, seed=2) for _ in range(2)
    )
    assert np.array_equal(few.clusters, again.clusters)
    assert (few.clusters[:, 0].mean(axis=1) < few.clusters[:, 1].mean(axis=1)).all()
    assert few.clusters.max() <= 6
    assert len(few.to_frame()) == 4


def test_each_method_draws_its_own_judgments_unless_one_draw_is_asked_for(pool: Judgments) -> None:
    for draw in DRAWS:
        growth = cluster_growth(
            pool, {"trueskill": TrueSkill()}, sizes=(2000,), trials=2, runs=20, draw=draw
        )
        assert (growth.clusters >= 2).all()
    with pytest.raises(PodiumError):
        cluster_growth(pool, {"bojar": ExpectedWins()}, sizes=(0,))


def test_sizes_past_the_pool_end_with_all_of_it(pool: Judgments) -> None:
    assert sizes_within(pool, (1000, 10**7)) == (1000, len(pool))
    assert sizes_within(pool, (10, 20)) == (10, 20)


def test_more_judgments_make_ranks_scatter_less_and_whiskers_reach_the_extremes(
    pool: Judgments,
) -> None:
    few, many = (
        ranges_after(pool, TrueSkill(), size, np.random.default_rng(1), runs=30)
        for size in (50, 5000)
    )
    assert few.ranks is not None
    assert many.ranks is not None
    assert np.ptp(few.ranks, axis=0).sum() > 2 * np.ptp(many.ranks, axis=0).sum()
    names = dict(zip(pool.systems, pool.systems, strict=True))
    figure = ranks_figure(
        few, title="Few", label="skill", name=names.__getitem__,
        look=Look(dict.fromkeys(pool.systems, "#123456"), "light"),
    )  # fmt: skip
    boxes = [trace for trace in figure.data if trace.type == "box"]
    assert [box.lowerfence[0] for box in boxes] == [few.ranks[:, k].min() for k in few.order]


def test_experts_and_crowd_share_their_test_set_and_no_training(pool: Judgments) -> None:
    experts = pool.judges[:2]
    groups = crowd_and_experts(pool, experts, test_size=200)
    first, second = (split.train(0) for split in groups.values())
    assert {first.judges[k] for k in first.task_judge} <= set(experts)
    assert not {second.judges[k] for k in second.task_judge} & set(experts)
    assert groups["Experts"].held_out is groups["Crowd"].held_out
    with pytest.raises(PodiumError):
        crowd_and_experts(pool, pool.judges)


def test_bars_are_the_deviation_over_trainings_and_shrink_with_their_size(
    pool: Judgments,
) -> None:
    small, large = (
        train_repeatedly(pool, HopkinsMay(), size=size, trainings=8, seed=1) for size in (200, 3200)
    )
    np.testing.assert_allclose(small.deviation, np.std(small.scores, axis=0, ddof=1))
    assert large.deviation.mean() < 0.6 * small.deviation.mean()
    assert np.corrcoef(large.mean, ABILITY[np.argsort(np.argsort(pool.systems))])[0, 1] > 0.9
    assert large.preferences is not None
    total = large.preferences.win + large.preferences.win.T + large.preferences.tie
    np.testing.assert_allclose(total, 1)
    whole = train_repeatedly(pool, HopkinsMay(), size=10**9, trainings=2)
    assert whole.size == len(pool)
    np.testing.assert_allclose(whole.deviation, 0, atol=1e-9)


def test_one_training_has_no_bar(pool: Judgments) -> None:
    with pytest.raises(PodiumError, match="2 or more"):
        train_repeatedly(pool, ExpectedWins(), trainings=1)


def test_the_findings_say_how_many_and_whose_bars_overlap() -> None:
    growth = ClusterGrowth(
        ("expected-wins", "trueskill"), (1000, 5000), np.array([[[1, 2], [3, 4]], [[1, 1], [5, 5]]])
    )
    assert growth_finding(growth).startswith("After 5,000 judgments: 5 clusters by TrueSkill")
    figure = growth_figure(growth, shown={}, title="t", mode="light")
    assert "expected-wins 1.5 to 3.5" in alt_text(figure)
    scores = np.array([[2.0, 1.0, 0.95], [2.1, 0.9, 1.05]])
    found = Trainings(("a", "b", "c"), 1600, scores, None)
    assert trainings_finding(found) == "After 1,600 judgments, bars do not overlap for a over c"
    figure = trainings_figure(found, title="t", label="ability", name=str, look=Look({}, "dark"))
    assert "a mean 2.05, standard deviation 0.07" in alt_text(figure)
    bars = [np.ptp(trace.x) / 2 for trace in figure.data if trace.name == "thin"]
    assert bars == pytest.approx(found.deviation[found.order])


def test_thirty_thousand_judgments_are_asked_for_and_a_third_is_tested(pool: Judgments) -> None:
    third, four = CLAIMS[2:4]
    assert check_claim(third, pool).verdict in ("supported", "refuted", "cannot decide")
    assert check_claim(four, pool).reason.startswith("30,000 judgments")
