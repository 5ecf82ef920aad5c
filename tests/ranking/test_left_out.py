"""Expected Wins of thin pairs: leaving groups out, against doing so with the ranker itself."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import FloatArray, Judgments
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.covariance import UNITS, Unit
from analysis.ranking.fit_uncertainty import covariances_left_out, is_thin, uncertainty_of
from analysis.ranking.verdict import reach_verdict
from tests.building import CampaignBuilder
from tests.tools.audit.generator import Nature, draw

SPARSE = Nature((0.0,) * 12, tasks=60, judges=6, segments=25)


def sparse(seed: int = 1) -> Judgments:
    return draw(SPARSE, np.random.default_rng(seed)).campaign.judgments()


def left_out_readable(judgments: Judgments, unit: Unit) -> FloatArray:
    """Fit again without each group; C = (1 - 1/G) times what `Uncertainty` takes by G/(G - 1)."""
    label = {
        "task": np.arange(judgments.n_tasks),
        "segment": judgments.task_source,
        "judge": judgments.task_judge,
    }[unit]
    ranker = ExpectedWins()
    whole = ranker.scores_from_counts(judgments.counts)
    changes = []
    for group in np.unique(label):
        rest = judgments.take_tasks(np.flatnonzero(label != group))
        scores = ranker.scores_from_counts(rest.counts)
        changes.append(np.nan_to_num(whole - scores))
    moved = np.array(changes) - np.mean(changes, axis=0)
    return (1 - 1 / len(changes)) ** 2 * moved.T @ moved


@pytest.mark.parametrize("unit", UNITS)
def test_leaving_groups_out_does_as_fitting_without_them(unit: Unit) -> None:
    judgments = sparse()
    assert is_thin(judgments)
    found = covariances_left_out(judgments)[unit]
    np.testing.assert_allclose(found.matrix, left_out_readable(judgments, unit), atol=1e-12)


@pytest.mark.parametrize("unit", UNITS)
def test_a_system_that_one_judge_alone_compared_moves_nothing(unit: Unit) -> None:
    builder = CampaignBuilder()
    for task, ranks in enumerate([(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2), (2, 3, 1)] * 3):
        judge = f"judge{task % 3}"
        builder.add_task("fr-en", f"{task % 7}", judge, [("a",), ("b",), ("c",)], ranks)
    builder.add_task("fr-en", "alone", "alone", [("a",), ("new",)], (2, 1))
    judgments = builder.build().judgments()
    found = covariances_left_out(judgments)[unit]
    assert np.diag(found.matrix)[judgments.systems.index("a")] > 0
    np.testing.assert_allclose(found.matrix, left_out_readable(judgments, unit), atol=1e-12)


def test_with_many_judgments_a_pair_leaving_out_does_as_derivatives() -> None:
    judgments = draw(Nature((0.0, 0.2, 0.5, 0.6), tasks=900, segments=120, judges=30),
                     np.random.default_rng(2)).campaign.judgments()  # fmt: skip
    assert not is_thin(judgments)
    by_derivative = uncertainty_of(ExpectedWins().fit(judgments)).units
    for unit, found in covariances_left_out(judgments).items():
        assert found.n == by_derivative[unit].n
        np.testing.assert_allclose(
            np.diag(found.matrix), np.diag(by_derivative[unit].matrix), rtol=0.05
        )


def test_single_votes_keep_their_own_correction() -> None:
    votes = Nature((0.0,) * 10, tasks=40, n_way=2, judges=None, segments=None)
    assert not is_thin(draw(votes, np.random.default_rng(1)).campaign.judgments())


@pytest.mark.slow
def test_equal_systems_of_thin_pairs_are_rarely_called_different() -> None:
    """By derivatives such campaigns of six judgments a pair have false claims in one of three."""
    nature = Nature((0.0,) * 40, tasks=700)
    false = [
        reach_verdict(
            ExpectedWins().fit(draw(nature, np.random.default_rng([7, k])).campaign.judgments())
        ).significant.any()
        for k in range(200)
    ]
    assert np.mean(false) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)
